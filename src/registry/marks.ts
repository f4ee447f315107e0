// Marks the words of a short text, such as a title, that match a search term: by the same rules as in passages.
import type { Term } from '../analysis/term.ts'
import { analysePage } from './page-matches.ts'
import { mergeOverlaps, toCharacterRange } from './text-ranges.ts'

export interface TextMarks {
  /** Start and end (excluded) in UTF-16 code units, ascending. Words with only white space between them are one mark. */
  readonly marks: readonly (readonly [start: number, end: number])[]
  /** How many clauses (words, prefixes, phrases) of the term the text has. */
  readonly clauseCount: number
}

export function findMarks(text: string, { clauses }: Pick<Term, 'clauses'>): TextMarks {
  const page = analysePage(clauses, text, { previous: undefined, next: undefined })
  const ranges = page.matches.map((match) => toCharacterRange(page, match)).sort((a, b) => a.start - b.start)
  const marks: [start: number, end: number][] = []
  for (const { start, end } of mergeOverlaps(ranges)) {
    const last = marks.at(-1)
    if (last !== undefined && text.slice(last[1], start).trim() === '') last[1] = end
    else marks.push([start, end])
  }
  return { marks, clauseCount: new Set(page.matches.map(({ clause }) => clause)).size }
}
