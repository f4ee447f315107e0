// Finds the words of a title, or of the area of a record, that match the search term, for highlighting. Also tells
// whether a title has all words of the term, and how many of them a text has. It uses the analyser that indexed the
// text, so a word is highlighted in whatever form it matched. The analyser turns the term into clauses, each a
// condition that a record must meet: a word, a prefix or a phrase. Words match if they have the same stem, which all
// inflections of a word share.
import { analyseTerm, analyseText, analyseTitle, findRangesOfWords, type Word } from '../src/analysis/analyser.ts'
import type { Clause } from '../src/analysis/term.ts'
import { tokenOffsets } from '../src/analysis/token-offsets.ts'

export interface Fragment {
  readonly text: string
  readonly isMatch: boolean
}

/** UTF-16 offsets into the title; `end` is exclusive. */
interface TextRange {
  readonly start: number
  readonly end: number
}

type PlainWord = Pick<Word, 'stem' | 'form'>
interface LocatedWord extends PlainWord, TextRange {}

/** What the analyser finds in a text: its words, with offsets if they are located. */
interface AnalysedWords<W> {
  /** The words of the text itself, in their order. */
  readonly words: readonly W[]
  /** Codes as one word (`ue1` for `UE-1`), and the parts of a code that is written as one word. */
  readonly joinedForms: readonly W[]
  /** Other words for the same place in the title: `unidad` for `UE`. */
  readonly synonyms: readonly W[]
}

/** Splits the title into fragments that match the term and fragments that do not. */
export function highlightWords(title: string, term: string): Fragment[] {
  const { clauses } = analyseTerm(term)
  if (clauses.length === 0) return [{ text: title, isMatch: false }]
  const located = locateWords(title)
  /** 1 for each UTF-16 unit of the title that is part of a match, otherwise 0. */
  const isMatchAt = new Uint8Array(title.length)
  for (const clause of clauses) {
    const matches: readonly TextRange[] = findMatches(clause, located)
    // If no single word matches, several words may match together: `pgou` matches `Plan General de Ordenación Urbana`.
    const mayMatchSeveralWords = matches.length === 0 && clause.kind === 'word'
    const ranges = mayMatchSeveralWords
      ? [
          ...findExpansions(clause.stem, title, located.words),
          ...findRangesOfWords(title, new Set([clause.stem, ...(clause.orStems ?? [])])),
        ]
      : matches
    for (const { start, end } of ranges) isMatchAt.fill(1, start, end)
  }
  // Two adjacent matches become one fragment, with the space between them.
  for (const space of title.matchAll(/\s+/g)) {
    const end = space.index + space[0].length
    const isBetweenMatches = isMatchAt[space.index - 1] === 1 && isMatchAt[end] === 1
    if (isBetweenMatches) isMatchAt.fill(1, space.index, end)
  }
  return toFragments(title, isMatchAt)
}

/**
 * Whether the title alone has all words of the term: the service lists such records before the others. The title is
 * analysed as a whole, as for the index, so that synonyms for several words (`pgou`) are found too.
 */
export function hasAllWords(title: string, term: string): boolean {
  return findClauses(title, term).every((isFound) => isFound)
}

/** How many of the words, prefixes and phrases of the term the text has, each counted once. */
export function countFoundClauses(text: string, term: string): number {
  return findClauses(text, term).filter((isFound) => isFound).length
}

/** For each clause of the term, whether the text has it. */
function findClauses(text: string, term: string): boolean[] {
  const analysed = analyseTitle(text)
  return analyseTerm(term).clauses.map((clause) => findMatches(clause, analysed).length > 0)
}

/**
 * Whether the title has all words of the term side by side. The service lists such records first, before those with all
 * words in the title but apart.
 */
export function hasWordsTogether(title: string, term: string): boolean {
  if (!hasAllWords(title, term)) return false
  // `neighbours` of the title are its pairs of words that stand side by side: both stems with a space between them.
  const titlePairs = new Set(analyseTitle(title).neighbours)
  // `neighbours` of the term has a list for every two consecutive words; the title must have one pair of each list. A
  // list has several pairs if there are several ways to write the words: titles may leave out `calle`, for example.
  return analyseTerm(term).neighbours.every((pairs) => pairs.some((pair) => titlePairs.has(pair)))
}

/**
 * Analyses the title token by token, so that each word has the offsets of its token. If a token has as many runs of
 * letters and digits as words (`Norte/Sur`), each word has the offsets of its run. `P.G.O.U.` has four runs but is one
 * word, so it keeps the offsets of the token. What the analyser adds for several tokens is missing: `findExpansions`
 * finds acronyms, but `23 y 25` is not highlighted for the range `23-25`.
 */
function locateWords(title: string): AnalysedWords<LocatedWord> {
  const words: LocatedWord[] = []
  const joinedForms: LocatedWord[] = []
  const synonyms: LocatedWord[] = []
  for (const { start, end, text } of tokenOffsets(title)) {
    // `text` also has the punctuation after the token, which the analyser needs: `C/` is `calle`.
    const analysed = analyseText(text)
    const runs = [...title.slice(start, end).matchAll(/[\p{L}\p{N}\p{M}]+/gu)]
    const isEachWordOneRun = analysed.words.length === runs.length
    for (const [index, { stem, form }] of analysed.words.entries()) {
      const run = isEachWordOneRun ? runs[index] : undefined
      const wordStart = start + (run?.index ?? 0)
      words.push({ stem, form, start: wordStart, end: run === undefined ? end : wordStart + run[0].length })
    }
    for (const { stem, form } of analysed.joinedForms) joinedForms.push({ stem, form, start, end })
    for (const { stem, form } of analysed.synonyms) synonyms.push({ stem, form, start, end })
  }
  return { words, joinedForms, synonyms }
}

/** The words that match the clause; empty if it does not match. */
function findMatches<W extends PlainWord>(clause: Clause, analysed: AnalysedWords<W>): W[] {
  const { words, joinedForms, synonyms } = analysed
  switch (clause.kind) {
    case 'word':
      // `orStems` are alternatives: `cruces` is the plural of `cruz` and of `cruce`.
      return [...words, ...joinedForms, ...synonyms].filter(
        ({ stem }) => stem === clause.stem || clause.orStems?.includes(stem),
      )
    case 'prefix': {
      const withPrefix = [...words, ...joinedForms].filter(({ form }) => form.startsWith(clause.prefix))
      // `orPhrase` is there if the prefix is a code: `UE-1*` also matches `UE 1`.
      return [...withPrefix, ...findAlternative(clause.orPhrase, analysed)]
    }
    case 'phrase': {
      const phrases = findPhrases(clause.stems, words)
      // `joinedCode` is the phrase as one word: `SUNC-R3` also matches `SUNCR3`.
      const joined = [...joinedForms, ...synonyms].filter(({ stem }) => stem === clause.joinedCode)
      // `orPhrase` is another way to write a label: `"ED 16.202"` also matches `ED.16.202`.
      return [...phrases, ...joined, ...findAlternative(clause.orPhrase, analysed)]
    }
  }
}

function findAlternative<W extends PlainWord>(clause: Clause | undefined, analysed: AnalysedWords<W>): W[] {
  return clause === undefined ? [] : findMatches(clause, analysed)
}

/** The words of every place where the stems follow one another. */
function findPhrases<W extends PlainWord>(stems: readonly string[], words: readonly W[]): W[] {
  return words.flatMap((_, index) => {
    const phrase = words.slice(index, index + stems.length)
    return stems.every((stem, offset) => phrase[offset]?.stem === stem) ? phrase : []
  })
}

/** Longer sequences are not tried: no phrase with an acronym (abbreviations.ts) has more words. */
const expansionWordsMax = 8

/**
 * The shortest sequences of two words or more to which the analyser adds the stem: `peri` for `Plan Especial de Reforma
 * Interior`, `pgou` for `P G O U`. Empty if there is none.
 */
function findExpansions(stem: string, title: string, words: readonly LocatedWord[]): TextRange[] {
  if (!hasAddedStem(title, stem)) return []
  for (let size = 2; size <= expansionWordsMax; size++) {
    const sequences = words.flatMap(({ start }, index) => {
      const last = words[index + size - 1]
      return last === undefined ? [] : [{ start, end: last.end }]
    })
    const found = sequences.filter(({ start, end }) => hasAddedStem(title.slice(start, end), stem))
    if (found.length > 0) return found
  }
  return []
}

/** Whether the analyser adds the stem to the words of the text, as a synonym or a joined form. */
function hasAddedStem(text: string, stem: string): boolean {
  const { joinedForms, synonyms } = analyseText(text)
  return [...joinedForms, ...synonyms].some((word) => word.stem === stem)
}

/** Cuts the title wherever `isMatchAt` (see `highlightWords`) changes. */
function toFragments(title: string, isMatchAt: Uint8Array): Fragment[] {
  const fragments: Fragment[] = []
  let start = 0
  for (let end = 1; end <= title.length; end++) {
    const isSameFragment = end < title.length && isMatchAt[end] === isMatchAt[start]
    if (isSameFragment) continue
    fragments.push({ text: title.slice(start, end), isMatch: isMatchAt[start] === 1 })
    start = end
  }
  return fragments
}
