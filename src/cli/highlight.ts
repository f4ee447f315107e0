// Highlights the words of a text that match a search term, using the analyser that the search uses.
import { analyseTerm, analyseText } from '../analysis/analyser.ts'

/** Returns the text with `mark` applied to each matching word. */
export type Highlighter = (text: string, mark: (word: string) => string) => string

export function toHighlighter(search: string | undefined): Highlighter {
  if (search === undefined) return (text) => text
  const stems = new Set<string>()
  const prefixes: string[] = []
  for (const termClause of analyseTerm(search).clauses) {
    if (termClause.kind === 'prefix') prefixes.push(termClause.prefix)
    const clause = termClause.kind === 'prefix' ? termClause.whole : termClause
    if (clause === undefined) continue
    if (clause.kind === 'word') stems.add(clause.stem)
    if (clause.kind === 'phrase') {
      for (const stem of clause.stems) stems.add(stem)
      if (clause.joined !== undefined) stems.add(clause.joined)
    }
  }
  const matches = (word: string): boolean => {
    const { words, joined, synonyms } = analyseText(word)
    const written = [...words, ...joined]
    return (
      [...written, ...synonyms].some(({ stem }) => stems.has(stem)) ||
      written.some(({ form }) => prefixes.some((prefix) => form.startsWith(prefix)))
    )
  }
  // Words are split at spaces only, without punctuation at their ends, so that P.G.O.U. and UE-1 are one word each.
  return (text, mark) =>
    text.replace(/[\p{L}\p{N}](?:\S*[\p{L}\p{N}])?/gu, (word) => (matches(word) ? mark(word) : word))
}
