// Reference implementation of matching: evaluates the clauses of a term on an analysed text without an index. The tests
// of the analyser use it, and a search of a registry must agree with it (test/registry/agreement.ts).
import {
  type AnalysedText,
  type AnalysedTitle,
  analyseTerm,
  analyseText,
  analyseTitle,
} from '../../src/analysis/analyser.ts'
import type { Clause, Term } from '../../src/analysis/term.ts'

/** Whether a record with these texts, its title and then its content, matches the term. */
export function finds(term: string, ...texts: readonly string[]): boolean {
  const { clauses } = analyseTerm(term)
  const analysed = texts.map((text, index) => (index === 0 ? analyseTitle(text) : analyseText(text)))
  return clauses.length > 0 && clauses.every((clause) => analysed.some((text) => matchesClause(text, clause)))
}

/** Whether a text matches one clause. */
export function findsClause(clause: Clause, text: string): boolean {
  return matchesClause(analyseText(text), clause)
}

/** Whether the title contains the words of the term side by side, in its order. False for a term of a single word. */
export function findsSideBySide(term: string, title: string): boolean {
  const { neighbours } = analyseTerm(term)
  return neighbours.length > 0 && finds(term, title) && hasNeighbours(analyseTitle(title), neighbours)
}

/**
 * Whether the title has at least one entry of each condition. A condition is a list of entries. Most entries are the
 * stems of two neighbouring words with a space between them, such as `plan parcial`. An entry that starts with a space
 * is for a street without its kind: the title `Serrano, 5` has ` serrano` (src/analysis/neighbours.ts).
 */
export function hasNeighbours(title: AnalysedTitle, conditions: Term['neighbours']): boolean {
  const titleEntries = new Set(title.neighbours)
  return conditions.every((entries) => entries.some((entry) => titleEntries.has(entry)))
}

/** What clauses are compared with. */
export type MatchedText = Pick<AnalysedText, 'words' | 'joinedForms' | 'synonyms'>

/**
 * Whether the text matches the clause. A prefix is not compared with synonyms. The stems of a phrase are compared with
 * the words of the text only; the `joinedCode` of a phrase may also be a joined form or a synonym.
 */
export function matchesClause(text: MatchedText, clause: Clause): boolean {
  const { words, joinedForms, synonyms } = text
  const hasStem = (stem: string): boolean =>
    [words, joinedForms, synonyms].some((list) => list.some((word) => word.stem === stem))
  switch (clause.kind) {
    case 'word':
      return hasStem(clause.stem) || (clause.orStems ?? []).some(hasStem)
    case 'prefix':
      return (
        [...words, ...joinedForms].some((word) => word.form.startsWith(clause.prefix)) ||
        // The term `UE-1*` has the prefix `ue1`, and the phrase of `ue` and `1`, which finds the text `UE 1`.
        (clause.orPhrase !== undefined && matchesClause(text, clause.orPhrase))
      )
    case 'phrase':
      return (
        // The term `UE-1` has the stems `ue` and `1`, and the code as one word, `ue1`.
        (clause.joinedCode !== undefined && hasStem(clause.joinedCode)) ||
        // The term `"ED 16.202"` has the stems `ed` and `16202`, and another phrase of `ed`, `16` and `202`.
        (clause.orPhrase !== undefined && matchesClause(text, clause.orPhrase)) ||
        words.some((_, start) => clause.stems.every((stem, offset) => words[start + offset]?.stem === stem))
      )
  }
}

/** The titles that a term finds, and those of them that contain its words side by side. */
export interface FoundTitles {
  readonly found: ReadonlySet<string>
  readonly sideBySide: ReadonlySet<string>
}

/** Returns a matcher for any number of terms, which analyses the titles only once. */
export function createMatcher(titles: readonly string[]): (term: string) => FoundTitles {
  const analysed = titles.map((title) => ({ title, text: analyseTitle(title) }))
  return (term) => {
    const { clauses, neighbours } = analyseTerm(term)
    const matching =
      clauses.length === 0 ? [] : analysed.filter(({ text }) => clauses.every((clause) => matchesClause(text, clause)))
    const sideBySide = matching.filter(({ text }) => neighbours.length > 0 && hasNeighbours(text, neighbours))
    return {
      found: new Set(matching.map(({ title }) => title)),
      sideBySide: new Set(sideBySide.map(({ title }) => title)),
    }
  }
}
