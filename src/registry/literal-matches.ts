// Finds the words of a search term as they are written in a page, without analysing it: among all inflections of the
// words, which the registry knows. It takes a small part of the time, but it finds no synonyms, no codes and no broken
// words: pages that have any are analysed (page-matches.ts).
import type { Clause } from '../analysis/term.ts'
import { type AnalysedPage, compareMatches, type PageMatch } from './page-matches.ts'
import type { HiddenWords, ScannedPage } from './scanned-page.ts'
import { findWordFrom } from './text-ranges.ts'

export interface LiteralMatcher {
  /** Finds the matches of the clauses in a page. Undefined if words may be hidden in it: it must be analysed. */
  find(page: ScannedPage): AnalysedPage | undefined
  /**
   * Finds the matches in a page with hidden words, if none of these can match. The words are counted so that no match
   * is farther from another than if the page was analysed. Undefined if a hidden word can match.
   */
  estimate(page: ScannedPage): PageMatch[] | undefined
}

/**
 * Returns null if a clause has more than plain words, such as a code. `findInflections` returns the words that have the
 * stem, besides the stem itself.
 */
export function toLiteralMatcher(
  clauses: readonly Clause[],
  findInflections: (stem: string) => readonly string[],
): LiteralMatcher | null {
  if (!clauses.every(isPlain)) return null
  const toForms = (stem: string): string[] => [stem, ...findInflections(stem)]
  const literals = clauses.flatMap((clause, index): Literal[] => {
    const toLiteral = (forms: string[], next: string[][] = []): Literal => {
      return {
        clause: index,
        start: commonStart(forms),
        forms: new Set(forms),
        next: next.map((each) => new Set(each)),
      }
    }
    if (clause.kind === 'word') return [clause.stem, ...(clause.orStems ?? [])].map((stem) => toLiteral(toForms(stem)))
    if (clause.kind === 'prefix') return [{ clause: index, start: clause.prefix, forms: null, next: [] }]
    const [first = [], ...next] = clause.stems.map(toForms)
    return [toLiteral(first, next)]
  })
  const hasAbbreviations = literals.some(({ forms, next }) => {
    return [forms ?? noForms, ...next].some((each) =>
      [...each].slice(1).some(({ length }) => length < inflectionLettersMin),
    )
  })
  if (hasAbbreviations) return null
  return {
    find: (page) => (page.hidden === null ? toAnalysedPage(page, findAll(literals, page)) : undefined),
    estimate: (page) => {
      const { hidden } = page
      if (hidden === null || hidden === 'unknown') return undefined
      if (literals.some((each) => mayBeIn(each, hidden.letters))) return undefined
      return countPlainWords(hidden, findAll(literals, page))
    },
  }
}

/** Whether a word of the literal is a part of the letters. */
function mayBeIn({ start, forms, next }: Literal, letters: string): boolean {
  if (letters.includes(start) && (forms === null || forms.values().some((form) => letters.includes(form)))) return true
  return next.some((each) => each.values().some((form) => letters.includes(form)))
}

function toAnalysedPage({ page: { text }, words }: ScannedPage, matches: PageMatch[] | undefined) {
  return matches === undefined ? undefined : { text, ...words, matches: matches.sort(compareMatches) }
}

/** The matches with the numbers of plain words before them, instead of all words. */
function countPlainWords({ plainWordsBefore }: HiddenWords, matches: PageMatch[] | undefined): PageMatch[] | undefined {
  const countOf = (word: number): number => plainWordsBefore[word] ?? 0
  return matches
    ?.map(({ first, last, clause }) => ({ first: countOf(first), last: countOf(last), clause }))
    .sort(compareMatches)
}

/** A shorter word with the stem of another is an abbreviation, as in `C/ Mayor`: other texts decide what it means. */
const inflectionLettersMin = 4

/** A word that is looked for, or the first word of a phrase. */
interface Literal {
  /** The index of its clause. */
  readonly clause: number
  /** What all forms begin with. */
  readonly start: string
  /** The forms of the word, the stem first. Null for a prefix: every word that begins with `start`. */
  readonly forms: ReadonlySet<string> | null
  /** The forms of each further word of a phrase. */
  readonly next: readonly ReadonlySet<string>[]
}

const noForms: ReadonlySet<string> = new Set()

function isPlain(clause: Clause): boolean {
  const isWord = (text: string): boolean => /^[a-z]+$/.test(text)
  if (clause.kind === 'word') return isWord(clause.stem) && (clause.orStems ?? []).every(isWord)
  if (clause.orPhrase !== undefined) return false
  if (clause.kind === 'prefix') return isWord(clause.prefix)
  return clause.joinedCode === undefined && clause.stems.every(isWord)
}

function commonStart([first = '', ...others]: readonly string[]): string {
  let { length } = first
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--
  return first.slice(0, length)
}

function findAll(literals: readonly Literal[], { folded, words }: ScannedPage): PageMatch[] | undefined {
  const { starts, ends } = words
  const matches: PageMatch[] = []
  /** The first words of the matches of each clause: two stems of a clause may have a form in common. */
  const firsts = new Map<number, Set<number>>()
  for (const literal of literals) {
    const { clause, start: common } = literal
    const known = firsts.get(clause) ?? new Set()
    firsts.set(clause, known)
    for (let start = folded.indexOf(common); start >= 0; ) {
      const end = findEnd(literal, folded, start)
      if (end === undefined) {
        start = folded.indexOf(common, start + 1)
        continue
      }
      const first = findWordFrom(starts, start)
      const last = findWordFrom(starts, end) - 1
      // A part of a token such as `anteproyecto-plan`, or of one of thousands of characters: the analyser splits it.
      if (starts[first] !== start || ends[last] !== end) return undefined
      if (!known.has(first)) matches.push({ first, last, clause })
      known.add(first)
      start = folded.indexOf(common, end)
    }
  }
  return matches
}

/** Where the literal that starts at the offset ends. Undefined if it is not there. */
function findEnd({ forms, next }: Literal, folded: string, start: number): number | undefined {
  if (start > 0 && folded.charCodeAt(start - 1) !== space) return undefined
  let end = endOfWord(folded, start)
  if (forms !== null && !forms.has(folded.slice(start, end))) return undefined
  for (const each of next) {
    let wordStart = end
    while (folded.charCodeAt(wordStart) === space) wordStart++
    end = endOfWord(folded, wordStart)
    if (!each.has(folded.slice(wordStart, end))) return undefined
  }
  return end
}

const space = 0x20

function endOfWord(folded: string, start: number): number {
  const end = folded.indexOf(' ', start)
  return end < 0 ? folded.length : end
}
