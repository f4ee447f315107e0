// Explains an empty result. An unknown record, an unknown municipality and a search without matches are all 404, as
// section 7 of the specification of the interface requires (docs/decisions/specification-gaps.md). The problem in the
// body tells them apart and suggests what the client probably meant.

import { analyseTerm } from '../analysis/analyser.ts'
import type { Term } from '../analysis/term.ts'
import { quotationMark } from '../analysis/term-parser.ts'
import { type Deadline, SearchCancelled } from '../domain/deadline.ts'
import { toReadableName } from '../domain/municipality-name.ts'
import { describeFilter, tokenFilters } from '../domain/parameters.ts'
import { termWordsMax } from '../domain/query-limits.ts'
import { Problem, quote } from '../problems.ts'
import type { MunicipalityFacts, Snapshot } from '../registry/contract.ts'
import { toNameWithProvince } from './namesakes.ts'
import type { ParsedParameters } from './parameters.ts'
import { splitAtSpaces, splitWord, trimPunctuation } from './term-parts.ts'
import { suggestTerms } from './term-suggestions.ts'
import { explainPlace, findMunicipalitiesWithRecords } from './unknown-place.ts'

/**
 * The problem of a request without a matching record. Checks the code, the places and the filters on whole fields, such
 * as the id, one by one, then the cursor (the record after which the page starts), then the words of `search`.
 */
export async function explainEmptyResult(
  parameters: ParsedParameters,
  snapshot: Snapshot,
  deadline: Deadline | undefined,
): Promise<Problem> {
  const { query, values } = parameters
  const { cod_archivo: code, municipality } = query
  const quotedCode = quote(values.get('cod_archivo') ?? '')
  if (code !== undefined && (await snapshot.page({ cod_archivo: code, limit: 1 })) === null) {
    return new Problem('unknown-record', `No record has the inscription code ${quotedCode}`, {
      parameter: 'cod_archivo',
    })
  }
  const placeProblem = explainPlace(query, snapshot)
  if (placeProblem !== undefined) return placeProblem
  const valueProblem = await explainValues(parameters, snapshot, deadline)
  if (valueProblem !== undefined) return valueProblem
  // From here on, records exist for each of these filters by itself. Either no record matches all of them, or the
  // dates, the term or the cursor exclude every record that does.
  if (query.after !== undefined) {
    return new Problem('nothing-after-cursor', 'No matching record follows the cursor', { parameter: 'cursor' })
  }
  const search = values.get('search')
  const parameter = search === undefined ? undefined : 'search'
  let explanation: SearchExplanation | undefined
  let suggestions: readonly string[] = []
  try {
    if (search !== undefined) {
      explanation = await explainSearch(search, snapshot, deadline)
      suggestions = await suggestTerms(search, explanation.missingWords, query, snapshot, deadline)
    }
  } catch (error) {
    // The result is known to be empty. If the deadline expires now, only its explanation is shorter.
    if (!(error instanceof SearchCancelled)) throw error
  }
  if (code !== undefined) {
    const detail = `The record ${quotedCode} does not match the other filters`
    return new Problem('record-filtered-out', withHint(detail, search, suggestions), { parameter, suggestions })
  }
  const municipalities = municipality === undefined ? [] : findMunicipalitiesWithRecords(municipality, snapshot)
  if (municipalities.length > 0) {
    const counts = municipalities.map((facts) => describeRecords(facts, municipalities.length > 1)).join('; ')
    const detail = `${counts}; none matches the other filters`
    return new Problem('no-match-in-municipality', withHint(detail, search, suggestions), { parameter, suggestions })
  }
  const detail = explanation?.detail ?? 'No record matches the request'
  return new Problem('no-match', withHint(detail, search, suggestions), { parameter, suggestions })
}

/**
 * Adds `did you mean …?` with the first suggestion, if there is one. A suggestion with fewer words than the term is a
 * wider search and not a correction, so it is not added.
 */
function withHint(detail: string, search: string | undefined, [nearest]: readonly string[]): string {
  const isCorrection = nearest !== undefined && countSpacedParts(nearest) >= countSpacedParts(search ?? '')
  return isCorrection ? `${detail}; did you mean ${quote(nearest)}?` : detail
}

/** The number of parts of the term between white space. */
function countSpacedParts(term: string): number {
  return term.trim().split(/\s+/u).length
}

interface SearchExplanation {
  readonly detail: string
  readonly missingWords: readonly string[]
}

/**
 * Names the words that occur in no record. If each word occurs in some record, says so, but only if the term is several
 * words without codes and prefixes. Only single words are searched, because a code or a phrase can take as long as the
 * search that found nothing. The words of a phrase, and the two words of `bravo-murillo`, are searched separately.
 */
async function explainSearch(
  search: string,
  snapshot: Snapshot,
  deadline: Deadline | undefined,
): Promise<SearchExplanation> {
  const spacedParts = search.split(quotationMark).flatMap(splitAtSpaces)
  const searchedWords = spacedParts.flatMap(toSearchedWords).slice(0, searchedWordsMax)
  /** A page of one record for each of `searchedWords`; null if no record has the word. */
  const pages = await Promise.all(
    searchedWords.map((word) => snapshot.page({ search: analyseTerm(word), limit: 1 }, deadline)),
  )
  const missingWords = searchedWords.filter((_, index) => pages[index] === null).map(trimPunctuation)
  if (missingWords.length === 0) {
    const detail = 'No record matches the request'
    // The hint is about several words. With a code or a prefix it might be wrong, because these are not searched.
    const hasHint = spacedParts.length > 1 && spacedParts.every((part) => isSingleWord(analyseTerm(part)))
    const hint = hasHint ? ', although each of its words occurs in some record' : ''
    return { detail: `${detail}${hint}`, missingWords }
  }
  const municipalityName = missingWords.find((word) => snapshot.findMunicipalities(word).length > 0)
  const hint =
    municipalityName === undefined ? '' : `; to search in a municipality, use municipality=${municipalityName}`
  return { detail: `No record contains ${missingWords.map(quote).join(' or ')}${hint}`, missingWords }
}

/**
 * The words that are searched for a part of the term between spaces. If the part has several pieces (`splitWord`), as
 * `bravo-murillo` has, these are the pieces with three letters in a row: shorter ones are mostly parts of codes. If
 * there is no such piece, or only one piece, it is the part itself, unless that is a code such as `UE-1` or a prefix
 * such as `plan*`.
 */
function toSearchedWords(spacedPart: string): string[] {
  const pieces = splitWord(spacedPart)
  const longPieces = pieces.length > 1 ? pieces.filter((piece) => /\p{L}{3}/u.test(piece)) : []
  if (longPieces.length > 0) return longPieces
  return isSingleWord(analyseTerm(spacedPart)) ? [spacedPart] : []
}

/** The most words that `explainSearch` searches. A word may have several pieces, so it is more than `termWordsMax`. */
const searchedWordsMax = 2 * termWordsMax

/** Whether a term is one word, and not a code such as `UE-1` or a prefix such as `plan*`. */
function isSingleWord({ clauses }: Term): boolean {
  return clauses.length === 1 && clauses[0]?.kind === 'word'
}

/** The problem of the first filter on a whole field, such as the id, that no record matches; undefined without one. */
async function explainValues(
  { query, values }: ParsedParameters,
  snapshot: Snapshot,
  deadline: Deadline | undefined,
): Promise<Problem | undefined> {
  for (const { name } of tokenFilters) {
    const text = values.get(name)
    if (text === undefined || (await snapshot.page({ [name]: query[name], limit: 1 }, deadline)) !== null) continue
    const detail = `There is no record ${describeFilter(name, text, 'en', quote(text))}`
    return new Problem('no-match', detail, { parameter: name })
  }
  return undefined
}

/** For example `Ávila has 60 records from 1984 to 2026`. If it has namesakes, its name is followed by its province. */
function describeRecords(facts: MunicipalityFacts, hasNamesakes: boolean): string {
  const { name, ineCode, records, firstYear, lastYear } = facts
  const years = firstYear === lastYear ? `from ${firstYear}` : `from ${firstYear} to ${lastYear}`
  const shownName = hasNamesakes ? toNameWithProvince(name, ineCode) : toReadableName(name)
  return `${shownName} has ${records} ${records === 1 ? 'record' : 'records'} ${years}`
}
