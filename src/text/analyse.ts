// The one analyser of Spanish planning text. Import calls `analyseText` on titles and contents, a request calls
// `analyseTerm`; both go through the same words, so every engine answers alike.
import type { Term } from './term.ts'

/** A word of a text; the objects are shared between occurrences (memoised), so compare and key by identity freely. */
export interface Word {
  /** Folded, as written: what a prefix is compared with. */
  readonly form: string
  /** What a word of a term is compared with. */
  readonly stem: string
}

export interface AnalysedText {
  /** In the order of the text: the index is the position that phrases count by. */
  readonly words: readonly Word[]
  /** Holds without a position, unseen by phrases: synonyms and joined codes. May repeat itself. */
  readonly extras: readonly Word[]
}

export function analyseText(text: string): AnalysedText {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return { words: words.map((form) => ({ form, stem: form })), extras: [] }
}

/** The term to look for; without clauses when it holds no word at all, and then it finds nothing. */
export function analyseTerm(term: string): Term {
  return { clauses: analyseText(term).words.map((word) => ({ kind: 'word', stem: word.stem })) }
}
