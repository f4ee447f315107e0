// Finds the words of a search term as they are written in a text, without analysing it: by a regular expression of all
// inflections of the words, which the registry knows. It takes a fifth of the time, but it finds no synonyms, no codes
// and no broken words: texts that have any are analysed (page-matches.ts).
import type { Clause } from '../analysis/term.ts'
import { type AnalysedPage, compareMatches, type PageMatch } from './page-matches.ts'
import { findWordFrom, toWords } from './text-ranges.ts'

/** Finds the matches of the clauses in a text. Undefined if words may be hidden in it, so that it must be analysed. */
export type LiteralMatcher = (text: string) => AnalysedPage | undefined

/**
 * Returns null if a clause has more than plain words, such as a code. `findInflections` returns the words that have the
 * stem, besides the stem itself.
 */
export function toLiteralMatcher(
  clauses: readonly Clause[],
  findInflections: (stem: string) => readonly string[],
): LiteralMatcher | null {
  let hasAbbreviations = false
  const toWord = (stem: string): string => {
    const inflections = findInflections(stem)
    hasAbbreviations ||= inflections.some((form) => form.length < inflectionLettersMin)
    return `(?:${[stem, ...inflections].map(toPattern).join('|')})`
  }
  const patterns: string[] = []
  for (const clause of clauses) {
    if (!isPlain(clause)) return null
    if (clause.kind === 'word') patterns.push([clause.stem, ...(clause.orStems ?? [])].map(toWord).join('|'))
    if (clause.kind === 'phrase') patterns.push(clause.stems.map(toWord).join(`[^${letters}]+`))
    if (clause.kind === 'prefix') patterns.push(`${toPattern(clause.prefix)}[${letters}]*`)
  }
  if (hasAbbreviations) return null
  const expressions = patterns.map((pattern) => new RegExp(`(?<![${letters}])(?:${pattern})(?![${letters}])`, 'gi'))
  return (text) => findAll(expressions, text)
}

/** A shorter word with the stem of another is an abbreviation, as in `C/ Mayor`: other texts decide what it means. */
const inflectionLettersMin = 4

function isPlain(clause: Clause): boolean {
  const isWord = (text: string): boolean => /^[a-z]+$/.test(text)
  if (clause.kind === 'word') return isWord(clause.stem) && (clause.orStems ?? []).every(isWord)
  if (clause.orPhrase !== undefined) return false
  if (clause.kind === 'prefix') return isWord(clause.prefix)
  return clause.joinedCode === undefined && clause.stems.every(isWord)
}

const letters = 'a-z\\dªºà-öø-ÿ'

/** The letters that folding (analysis/fold.ts) makes one of. A text with other accents is analysed. */
const accents: Readonly<Record<string, string>> = {
  a: '[aàáâãäå]',
  c: '[cç]',
  e: '[eèéêë]',
  i: '[iìíîï]',
  n: '[nñ]',
  o: '[oòóôõö]',
  u: '[uùúûü]',
}

function toPattern(word: string): string {
  return word.replaceAll(/[aceinou]/g, (letter) => accents[letter] ?? letter)
}

/**
 * Words that are broken at the end of a line, initials with dots, letters with spaces between them, and letters that
 * `accents` lacks.
 */
const hiddenWords =
  /[-\u2010\u00ad\ufb00-\ufb06]\s|\p{L}\.\p{L}|(?<!\S)\p{L}\s\p{L}\s\p{L}(?!\S)|[\u0100-\u036f\u1e00-\u1eff\ufb00-\ufb06]/u

function findAll(expressions: readonly RegExp[], text: string): AnalysedPage | undefined {
  if (hiddenWords.test(text)) return undefined
  const found = expressions.flatMap((expression, clause) =>
    Array.from(text.matchAll(expression), ({ index, 0: { length } }) => ({
      start: index,
      end: index + length,
      clause,
    })),
  )
  if (found.length === 0) return { text, starts: [], ends: [], matches: [] }
  const { starts, ends } = toWords(text)
  const matches: PageMatch[] = []
  for (const { start, end, clause } of found) {
    const first = findWordFrom(starts, start)
    const last = findWordFrom(starts, end) - 1
    // A part of a token such as `anteproyecto-plan`, or of one of thousands of characters: the analyser splits it.
    if (starts[first] !== start || ends[last] !== end) return undefined
    matches.push({ first, last, clause })
  }
  return { text, starts, ends, matches: matches.sort(compareMatches) }
}
