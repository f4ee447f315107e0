// Finds the words of a search term as they are written in a page, without analysing it: among all inflections of the
// words, which the registry knows. It takes a small part of the time, but it finds no synonyms, no codes and no broken
// words (page-matches.ts).
import type { Clause } from '../analysis/term.ts'
import { type AnalysedPage, compareMatches, type PageMatch } from './page-matches.ts'
import type { ScannedPage } from './scanned-page.ts'
import { findWordFrom } from './text-ranges.ts'

export interface LiteralMatcher {
  /** Finds the matches of the clauses in a page. Undefined if it must be analysed. */
  find(page: ScannedPage): AnalysedPage | undefined
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
    find: (page) => {
      if (literals.some((each) => mayGoOnElsewhere(each, page))) return undefined
      const matches = findAll(literals, page)
      return matches === undefined
        ? undefined
        : { text: page.page.text, ...page.words, matches: matches.sort(compareMatches) }
    },
  }
}

/** Whether the page may end with the beginning of a phrase, or begin with its end. */
function mayGoOnElsewhere({ forms, next }: Literal, { folded }: ScannedPage): boolean {
  if (next.length === 0) return false
  const first = /[^ ]*/.exec(folded.slice(0, charactersAtEdge).trimStart())?.[0] ?? ''
  const last = /[^ ]*$/.exec(folded.slice(-charactersAtEdge).trimEnd())?.[0] ?? ''
  return next.some((each) => each.has(first)) || [forms ?? noForms, ...next.slice(0, -1)].some((each) => each.has(last))
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

/** The first and the last word of a page are within this many characters. */
const charactersAtEdge = 100

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
