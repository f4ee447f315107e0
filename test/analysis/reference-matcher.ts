// What a search would answer, worked out the plain way on one text: the yardstick for the analyser's own tests, and
// for the stores, which must agree with it.
import { type AnalysedText, analyseTerm, analyseText } from '../../src/analysis/analyser.ts'
import type { Clause } from '../../src/analysis/term.ts'

/** Whether a search for the term finds a record whose title (or content) is this text. */
export function finds(term: string, ...texts: readonly string[]): boolean {
  const { clauses } = analyseTerm(term)
  const analysed = texts.map(analyseText)
  return clauses.length > 0 && clauses.every((clause) => analysed.some((text) => holds(text, clause)))
}

function holds(text: AnalysedText, clause: Clause): boolean {
  const { words, joined, extras } = text
  const has = (stem: string): boolean => [words, joined, extras].some((list) => list.some((word) => word.stem === stem))
  switch (clause.kind) {
    case 'word':
      return has(clause.stem)
    case 'prefix':
      return (
        [...words, ...joined].some((word) => word.form.startsWith(clause.prefix)) ||
        (clause.whole !== undefined && holds(text, clause.whole))
      )
    case 'phrase':
      return (
        (clause.joined !== undefined && has(clause.joined)) ||
        words.some((_, start) => clause.stems.every((stem, offset) => words[start + offset]?.stem === stem))
      )
  }
}
