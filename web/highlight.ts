// Finds the words of a title that match the search term. The analyser that indexed the title decides, so a word is
// highlighted in whatever form it matched.
import { analyseTerm, analyseText, analyseTitle, type Word } from '../src/analysis/analyser.ts'
import type { Clause } from '../src/analysis/term.ts'
import { tokenOffsets } from '../src/analysis/token-offsets.ts'

export interface Fragment {
  readonly text: string
  readonly isMatch: boolean
}

/** UTF-16 offsets into the title; `end` is exclusive. */
interface Range {
  readonly start: number
  readonly end: number
}

interface LocatedWord extends Range {
  readonly word: Word
}

/** The three kinds of words of an analysed text (`AnalysedText`), with their offsets. */
interface LocatedWords {
  readonly words: readonly LocatedWord[]
  readonly joined: readonly LocatedWord[]
  readonly synonyms: readonly LocatedWord[]
}

/** Splits the title into fragments that match the term and fragments that do not. */
export function highlightWords(title: string, term: string): Fragment[] {
  const { clauses } = analyseTerm(term)
  if (clauses.length === 0) return [{ text: title, isMatch: false }]
  const located = locateWords(title)
  const isMatchAt = new Uint8Array(title.length)
  for (const clause of clauses) {
    const matches: readonly Range[] = findMatches(clause, located)
    const isExpansion = matches.length === 0 && clause.kind === 'word'
    const ranges = isExpansion ? findExpansions(clause.stem, title, located.words) : matches
    for (const { start, end } of ranges) isMatchAt.fill(1, start, end)
  }
  // Two adjacent matches become one fragment, with the space between them.
  for (const space of title.matchAll(/\s+/g)) {
    const end = space.index + space[0].length
    if (isMatchAt[space.index - 1] === 1 && isMatchAt[end] === 1) isMatchAt.fill(1, space.index, end)
  }
  return toFragments(title, isMatchAt)
}

/** Whether the title alone has all words of the term, so that the service lists the record before the others. */
export function hasAllWords(title: string, term: string): boolean {
  const { clauses } = analyseTerm(term)
  const { words, joinedForms, synonyms } = analyseTitle(title)
  const toLocated = (each: readonly Word[]): LocatedWord[] => each.map((word) => ({ word, start: 0, end: 0 }))
  const located = { words: toLocated(words), joined: toLocated(joinedForms), synonyms: toLocated(synonyms) }
  return clauses.every((clause) => findMatches(clause, located).length > 0)
}

/** The range of a word is its token, or its part of the token if every word is one run of letters or digits. */
function locateWords(title: string): LocatedWords {
  const words: LocatedWord[] = []
  const joined: LocatedWord[] = []
  const synonyms: LocatedWord[] = []
  for (const { start, end, text } of tokenOffsets(title)) {
    const analysed = analyseText(text)
    const runs = [...title.slice(start, end).matchAll(/[\p{L}\p{N}\p{M}]+/gu)]
    const isEachWordOneRun = analysed.words.length === runs.length
    for (const [index, word] of analysed.words.entries()) {
      const run = isEachWordOneRun ? runs[index] : undefined
      const from = start + (run?.index ?? 0)
      words.push({ word, start: from, end: run === undefined ? end : from + run[0].length })
    }
    for (const word of analysed.joinedForms) joined.push({ word, start, end })
    for (const word of analysed.synonyms) synonyms.push({ word, start, end })
  }
  return { words, joined, synonyms }
}

function findMatches(clause: Clause, located: LocatedWords): LocatedWord[] {
  const { words, joined, synonyms } = located
  switch (clause.kind) {
    case 'word':
      return [...words, ...joined, ...synonyms].filter(
        ({ word }) => word.stem === clause.stem || clause.orStems?.includes(word.stem),
      )
    case 'prefix':
      return [...words, ...joined]
        .filter(({ word }) => word.form.startsWith(clause.prefix))
        .concat(clause.orPhrase === undefined ? [] : findMatches(clause.orPhrase, located))
    case 'phrase': {
      const phrases = words.flatMap((_, index) => {
        const phrase = words.slice(index, index + clause.stems.length)
        return clause.stems.every((stem, at) => phrase[at]?.word.stem === stem) ? phrase : []
      })
      return [...phrases, ...[...joined, ...synonyms].filter(({ word }) => word.stem === clause.joinedCode)]
    }
  }
}

/** No abbreviation stands for more words than this. */
const expansionWordsMax = 8

/** The shortest sequences of words that the term abbreviates: `PERI` matches `Plan Especial de Reforma Interior`. */
function findExpansions(stem: string, title: string, words: readonly LocatedWord[]): Range[] {
  if (!hasAddedStem(title, stem)) return []
  for (let size = 2; size <= expansionWordsMax; size++) {
    const sequences = words.slice(size - 1).map((last, index) => ({ start: words[index]?.start ?? 0, end: last.end }))
    const found = sequences.filter(({ start, end }) => hasAddedStem(title.slice(start, end), stem))
    if (found.length > 0) return found
  }
  return []
}

/** Whether the analyser adds the stem to the words of the text, as a synonym or a joined code. */
function hasAddedStem(text: string, stem: string): boolean {
  const { joinedForms, synonyms } = analyseText(text)
  return [...joinedForms, ...synonyms].some((word) => word.stem === stem)
}

function toFragments(title: string, isMatchAt: Uint8Array): Fragment[] {
  const fragments: Fragment[] = []
  let start = 0
  for (let at = 1; at <= title.length; at++) {
    if (at < title.length && isMatchAt[at] === isMatchAt[start]) continue
    fragments.push({ text: title.slice(start, at), isMatch: isMatchAt[start] === 1 })
    start = at
  }
  return fragments
}
