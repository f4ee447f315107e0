// Finds the words of a title that a search term asked for, by the same analyser that found the record.
import { analyseTerm, analyseText } from '../analysis/analyser.ts'

/** Gives every piece of a text back in turn; those that the term found went through `mark`. */
export type Highlighter = (text: string, mark: (found: string) => string) => string

export function toHighlighter(search: string | undefined): Highlighter {
  if (search === undefined) return (text) => text
  const stems = new Set<string>()
  const prefixes: string[] = []
  for (const found of analyseTerm(search).clauses) {
    if (found.kind === 'prefix') prefixes.push(found.prefix)
    const clause = found.kind === 'prefix' ? found.whole : found
    if (clause === undefined) continue
    if (clause.kind === 'word') stems.add(clause.stem)
    if (clause.kind === 'phrase') {
      for (const stem of clause.stems) stems.add(stem)
      if (clause.joined !== undefined) stems.add(clause.joined)
    }
  }
  const isWanted = (piece: string): boolean => {
    const { words, joined, extras } = analyseText(piece)
    const written = [...words, ...joined]
    return (
      [...written, ...extras].some(({ stem }) => stems.has(stem)) ||
      written.some(({ form }) => prefixes.some((prefix) => form.startsWith(prefix)))
    )
  }
  // Pieces run from the first letter to the last between two spaces, so that P.G.O.U. and UE-1 are one each.
  return (text, mark) =>
    text.replace(/[\p{L}\p{N}](?:\S*[\p{L}\p{N}])?/gu, (piece) => (isWanted(piece) ? mark(piece) : piece))
}
