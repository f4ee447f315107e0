// Explains an empty result. An unknown record, an unknown municipality and a search without matches are all 404
// (specification, section 7); the problem in the body tells them apart and suggests what the client probably meant.

import { analyseTerm } from '../analysis/analyser.ts'
import type { Term } from '../analysis/term.ts'
import { quotationMark } from '../analysis/term-parser.ts'
import type { Deadline } from '../domain/deadline.ts'
import { toReadableName } from '../domain/municipality-name.ts'
import type { Filters } from '../domain/query.ts'
import { Problem, quote } from '../problems.ts'
import type { MunicipalityFacts, Snapshot } from '../snapshot/contract.ts'
import { toNameWithProvince } from './namesakes.ts'
import { termWordsMax } from './parameter-schemas.ts'
import type { ParsedParameters } from './parameters.ts'
import { splitAtSpaces, splitWord, trimPunctuation } from './term-parts.ts'
import { suggestTerms } from './term-suggestions.ts'
import { explainPlace, findFacts } from './unknown-place.ts'

/** The problem of a request without a matching record: what the first wrong filter is, or which words are missing. */
export async function explainEmptyResult(
  parameters: ParsedParameters,
  snapshot: Snapshot,
  deadline: Deadline | undefined,
): Promise<Problem> {
  const { query, values } = parameters
  const { code, municipality } = query
  const quotedCode = quote(values.get('cod_archivo') ?? '')
  if (code !== undefined && !(await snapshot.hasCode(code))) {
    return new Problem('unknown-record', `No record has the inscription code ${quotedCode}`, {
      parameter: 'cod_archivo',
    })
  }
  const placeProblem = explainPlace(query, snapshot)
  if (placeProblem !== undefined) return placeProblem
  const valueProblem = await explainValues(parameters, snapshot, deadline)
  if (valueProblem !== undefined) return valueProblem
  // From here on, each of code, place, registration number and id that was given has a record, so another filter
  // excludes it.
  if (query.after !== undefined) {
    return new Problem('nothing-after-cursor', 'No matching record follows the cursor', { parameter: 'cursor' })
  }
  const search = values.get('search')
  /** Undefined if the request has no `search`. */
  const explained = search === undefined ? undefined : await explainSearch(search, snapshot, deadline)
  const suggestions =
    search === undefined || explained === undefined
      ? []
      : await suggestTerms(search, explained.missingWords, query, snapshot, deadline)
  const parameter = explained === undefined ? undefined : 'search'
  if (code !== undefined) {
    const detail = `The record ${quotedCode} does not match the other filters`
    return new Problem('record-filtered-out', withHint(detail, search, suggestions), { parameter, suggestions })
  }
  const municipalities = municipality === undefined ? [] : findFacts(municipality, snapshot)
  if (municipalities.length > 0) {
    const counts = municipalities.map((facts) => describeRecords(facts, municipalities.length > 1)).join('; ')
    const detail = `${counts}; none matches the other filters`
    return new Problem('no-match-in-municipality', withHint(detail, search, suggestions), { parameter, suggestions })
  }
  const detail = explained?.detail ?? 'No record matches the request'
  return new Problem('no-match', withHint(detail, search, suggestions), { parameter, suggestions })
}

/**
 * Adds `did you mean …?`, unless the suggestion has fewer words than the search: it is then wider, not a correction.
 */
function withHint(detail: string, search: string | undefined, [nearest]: readonly string[]): string {
  const isCorrection = nearest !== undefined && countSpacedParts(nearest) >= countSpacedParts(search ?? '')
  return isCorrection ? `${detail}; did you mean ${quote(nearest)}?` : detail
}

/** The number of parts of the term between white space. */
function countSpacedParts(term: string): number {
  return term.trim().split(/\s+/u).length
}

/**
 * Names the words that occur in no record; if there are none, says that each word occurs in some record. Codes and
 * phrases are not searched again, because that can take as long as the search without matches. The words of
 * `bravo-murilo` are, each by itself.
 */
async function explainSearch(
  search: string,
  snapshot: Snapshot,
  deadline: Deadline | undefined,
): Promise<{ readonly detail: string; readonly missingWords: readonly string[] }> {
  const words = search.split(quotationMark).flatMap(splitAtSpaces)
  const searched = words.flatMap(toSearchedWords).slice(0, searchedWordsMax)
  /** One record with each word; null if there is none. */
  const pages = await Promise.all(
    searched.map((word) => snapshot.page({ term: analyseTerm(word), limit: 1 }, deadline)),
  )
  const missingWords = searched.filter((_, index) => pages[index] === null).map(trimPunctuation)
  if (missingWords.length === 0) {
    const detail = 'No record matches the request'
    // The hint would say nothing about a single word, and codes were not searched.
    const hasHint = words.length > 1 && words.every((word) => isSingleWord(analyseTerm(word)))
    const hint = hasHint ? ', although each of its words occurs in some record' : ''
    return { detail: `${detail}${hint}`, missingWords }
  }
  const municipality = missingWords.find((word) => snapshot.findMunicipalities(word).length > 0)
  const hint = municipality === undefined ? '' : `; to search in a municipality, use municipality=${municipality}`
  return { detail: `No record contains ${missingWords.map(quote).join(' or ')}${hint}`, missingWords }
}

/** What is searched of a word: its pieces with three letters or more if it has several pieces, or the word itself. */
function toSearchedWords(word: string): string[] {
  const pieces = splitWord(word)
  const ofLetters = pieces.length > 1 ? pieces.filter((piece) => /\p{L}{3}/u.test(piece)) : []
  if (ofLetters.length > 0) return ofLetters
  return isSingleWord(analyseTerm(word)) ? [word] : []
}

/** A term may have many pieces without a space: `a-b-c-…`. */
const searchedWordsMax = 2 * termWordsMax

/** Whether a term is one word, and not a code such as `UE-1`. */
function isSingleWord({ clauses }: Term): boolean {
  return clauses.length === 1 && clauses[0]?.kind === 'word'
}

/** The problem of a registration number or an id that no record has; undefined if each given one has a record. */
async function explainValues(
  { query: { registrationNumber, id }, values }: ParsedParameters,
  snapshot: Snapshot,
  deadline: Deadline | undefined,
): Promise<Problem | undefined> {
  const findsRecord = async (filters: Filters): Promise<boolean> =>
    (await snapshot.page({ ...filters, limit: 1 }, deadline)) !== null
  if (registrationNumber !== undefined && !(await findsRecord({ registrationNumber }))) {
    const detail = `No record has the registration number ${quote(values.get('registration_number') ?? '')}`
    return new Problem('no-match', detail, { parameter: 'registration_number' })
  }
  if (id !== undefined && !(await findsRecord({ id }))) {
    return new Problem('no-match', `No record has the id ${quote(values.get('id') ?? '')}`, { parameter: 'id' })
  }
  return undefined
}

/** `Ávila has 60 records from 1984 to 2026`; namesakes are told apart by province. */
function describeRecords(facts: MunicipalityFacts, hasNamesakes: boolean): string {
  const { name, ineCode, records, firstYear, lastYear } = facts
  const years = firstYear === lastYear ? `from ${firstYear}` : `from ${firstYear} to ${lastYear}`
  const shownName = hasNamesakes ? toNameWithProvince(name, ineCode) : toReadableName(name)
  return `${shownName} has ${records} ${records === 1 ? 'record' : 'records'} ${years}`
}
