// Highlights the words of a title that match the search term, for the table of `search`. A word matches by its stem,
// which the analyser of the index computes, so that other inflections of a word are highlighted too. Each token of the
// title is analysed alone; then the words that match only together: `Plan General de Ordenación Urbana` for `pgou`.
import { analyseTerm, analyseText, findRangesOfWords } from '../analysis/analyser.ts'
import { tokenOffsets } from '../analysis/token-offsets.ts'

/** Returns the text with `mark` applied to each matching word. */
export type Highlighter = (text: string, mark: (word: string) => string) => string

/** Without a search term the highlighter returns every text unchanged. */
export function toHighlighter(search: string | undefined): Highlighter {
  if (search === undefined) return (text) => text
  const { stems, prefixes } = toStemsAndPrefixes(search)
  const matches = (token: string): boolean => {
    // `joinedForms` are codes as one word: `ue1` for the token `UE-1`. `synonyms` are other words, such as `edificio`
    // for `Edif.`.
    const { words, joinedForms, synonyms } = analyseText(token)
    // A prefix matches the form of a word, which is its folded spelling (no case, no accents), but no synonyms.
    const wordsAndCodes = [...words, ...joinedForms]
    const hasStem = [...wordsAndCodes, ...synonyms].some(({ stem }) => stems.has(stem))
    return hasStem || wordsAndCodes.some(({ form }) => prefixes.some((prefix) => form.startsWith(prefix)))
  }
  return (text, mark) => {
    let highlighted = ''
    let copiedEnd = 0
    const ranges = findRangesOfWords(text, stems)
    for (const { start, end, text: token } of tokenOffsets(text)) {
      const isInRange = ranges.some((range) => range.start <= start && end <= range.end)
      if (!isInRange && !matches(token)) continue
      highlighted += text.slice(copiedEnd, start) + mark(text.slice(start, end))
      copiedEnd = end
    }
    return highlighted + text.slice(copiedEnd)
  }
}

/** The stems of the words of a search term, and its prefixes (words with `*`), which match the form of a word. */
function toStemsAndPrefixes(search: string): { stems: ReadonlySet<string>; prefixes: readonly string[] } {
  const stems: string[] = []
  const prefixes: string[] = []
  for (const termClause of analyseTerm(search).clauses) {
    if (termClause.kind === 'prefix') prefixes.push(termClause.prefix)
    // A code is a phrase of its parts. As a prefix it may also match as a phrase: `UE-1*` finds `UE 1`.
    let clause = termClause.kind === 'prefix' ? termClause.orPhrase : termClause
    // `orStems` are alternatives to the stem: `cruces` is the plural of `cruz` and of `cruce`.
    if (clause?.kind === 'word') stems.push(clause.stem, ...(clause.orStems ?? []))
    // `orPhrase` is an alternative of a phrase: `"ED 16.202"` also finds `ED.16.202`. `joinedCode` is `ue1` for the
    // code `UE-1`, and `23-25` for a range of numbers.
    while (clause?.kind === 'phrase') {
      stems.push(...clause.stems)
      if (clause.joinedCode !== undefined) stems.push(clause.joinedCode)
      clause = clause.orPhrase
    }
  }
  return { stems: new Set(stems), prefixes }
}
