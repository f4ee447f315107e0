// Explains an empty result. An unknown record, an unknown municipality and a search without matches are all 404, as
// section 7 of the specification of the interface requires (docs/decisions/specification-gaps.md). The problem in the
// body tells them apart and suggests what the client probably meant.
import { analyseTerm } from '../analysis/analyser.ts'
import { type Deadline, SearchCancelled } from '../domain/deadline.ts'
import { nearestWords } from '../domain/edit-cost.ts'
import { toReadableName } from '../domain/municipality-name.ts'
import { type FieldParameter, fieldPrefix } from '../domain/own-fields.ts'
import { describeFilter, tokenFilters } from '../domain/parameters.ts'
import type { Query } from '../domain/query.ts'
import { Problem, quote, type SuggestedQuery } from '../problems.ts'
import type { MunicipalityFacts, Snapshot } from '../registry/contract.ts'
import { TimeSlice } from '../registry/time-slice.ts'
import { toLastModified } from './json-response.ts'
import { toNameWithProvince } from './namesakes.ts'
import type { ParameterValues, ParsedParameters } from './parameters.ts'
import { dropQuestionWords } from './question-words.ts'
import { isWord, type Part, toParts, trimPunctuation } from './term-parts.ts'
import { findCodeReadings, findTermReadings } from './term-readings.ts'
import { suggestTerms } from './term-suggestions.ts'
import { explainPlace, findMunicipalitiesWithRecords } from './unknown-place.ts'

/** The problem (404) of a request without a matching record. */
export async function explainEmptyResult(
  parameters: ParsedParameters,
  snapshot: Snapshot,
  deadline: Deadline | undefined,
): Promise<Problem> {
  const problem = await findReason(parameters, snapshot, deadline)
  if (parameters.query.cod_archivo === undefined) return problem
  // The 404 for a code has `Last-Modified` too. A client that keeps a copy of the registry compares this time with
  // that of the list of changes: a 404 from an older snapshot does not mean that the record is gone (docs/api.md).
  return new Problem(problem.code, problem.detail, { ...problem, headers: toLastModified(snapshot) })
}

/**
 * Checks the code, the places and the filters on whole fields, such as the id, one by one, then the cursor (the record
 * after which the page starts), then the words of `search`.
 */
async function findReason(
  { query, values }: ParsedParameters,
  snapshot: Snapshot,
  deadline: Deadline | undefined,
): Promise<Problem> {
  const { cod_archivo: code, municipality } = query
  const quotedCode = quote(values.get('cod_archivo') ?? '')
  const isEmpty = async (each: Query): Promise<boolean> => !(await snapshot.hasMatch(each, deadline))
  if (code !== undefined && (await isEmpty({ cod_archivo: code }))) {
    const problem = new Problem('unknown-record', `No record has the inscription code ${quotedCode}`, {
      parameter: 'cod_archivo',
    })
    return withCodeReadings(problem, values.get('cod_archivo') ?? '', snapshot)
  }
  const placeProblem = explainPlace(query, snapshot)
  if (placeProblem !== undefined) return placeProblem
  for (const { name } of tokenFilters) {
    const text = values.get(name)
    if (text === undefined || !(await isEmpty({ [name]: query[name] }))) continue
    const detail = `There is no record ${describeFilter(name, text, 'en', quote(text))}`
    return new Problem('no-match', detail, { parameter: name })
  }
  for (const [name, value] of Object.entries(query.fields ?? {})) {
    if (await isEmpty({ fields: { [name]: value } })) return explainFieldValue(name, value, values, snapshot)
  }
  // From here on, records exist for each of these filters by itself. Either no record matches all of them, or the
  // dates, the term or the cursor exclude every record that does.
  if (query.after !== undefined) {
    return new Problem('nothing-after-cursor', 'No matching record follows the cursor', { parameter: 'cursor' })
  }
  const search = values.get('search')
  const { reason, suggestions, queries } =
    search === undefined
      ? { reason: noMatch, suggestions: [], queries: [] }
      : await inTurn(deadline?.client ?? '', () => explainSearch(search, { query, values }, snapshot, deadline))
  const options = { parameter: search === undefined ? undefined : 'search', suggestions, queries }
  // A suggestion with fewer words than the term is a wider search and not a correction, so it is not in the sentence.
  const [nearest] = suggestions
  const isCorrection =
    nearest !== undefined && countSpacedParts(nearest) >= countSpacedParts(dropQuestionWords(search ?? ''))
  const meant = queries[0]?.text ?? (isCorrection ? nearest : undefined)
  const hint = meant === undefined ? '' : `; did you mean ${quote(meant)}?`
  if (code !== undefined) {
    const detail = `The record ${quotedCode} does not match the other filters${hint}`
    return new Problem('record-filtered-out', detail, options)
  }
  const municipalities = municipality === undefined ? [] : findMunicipalitiesWithRecords(municipality, snapshot)
  if (municipalities.length > 0) {
    const counts = municipalities.map((facts) => describeRecords(facts, municipalities.length > 1)).join('; ')
    return new Problem('no-match-in-municipality', `${counts}; none matches the other filters${hint}`, options)
  }
  return new Problem('no-match', `${reason}${hint}`, options)
}

const noMatch = 'No record matches the request'

/** Adds that the text, which is the code of no record, is the id or the registration number of one. */
export async function withCodeReadings(problem: Problem, text: string, snapshot: Snapshot): Promise<Problem> {
  const queries = await findCodeReadings(text, snapshot)
  const [nearest] = queries
  if (nearest === undefined) return problem
  const { code, detail, parameter } = problem
  return new Problem(code, `${detail}; a record has it as another number: record?${nearest.query}`, {
    parameter,
    queries,
  })
}

/** The most values of a field that are compared with the one that no record has, and the most that are suggested. */
const comparedValuesMax = 1000
const suggestedValuesMax = 5

/** The problem of a value that no record has in one of the office's own columns, with the nearest values. */
function explainFieldValue(name: string, folded: string, values: ParameterValues, snapshot: Snapshot): Problem {
  const parameter: FieldParameter = `${fieldPrefix}${name}`
  const label = snapshot.metadata.fields.find((field) => field.name === name)?.label ?? name
  const known = new Map(snapshot.readFieldValues(name, comparedValuesMax).map((each) => [each.folded, each.value]))
  const nearest = nearestWords(folded, [...known.keys()]).slice(0, suggestedValuesMax)
  const detail = `There is no record with ${label} ${quote(values.get(parameter) ?? '')}`
  return new Problem('no-match', detail, { parameter, suggestions: nearest.map((each) => known.get(each) ?? each) })
}

/** The last explanation that each client waits for. */
const turns = new Map<string, Promise<unknown>>()

/** Explains one search at a time for each client, because one takes several searches and scans of the vocabulary. */
async function inTurn<T>(client: string, explain: () => Promise<T>): Promise<T> {
  const turn = (turns.get(client) ?? Promise.resolve()).then(explain, explain)
  turns.set(client, turn)
  try {
    return await turn
  } finally {
    if (turns.get(client) === turn) turns.delete(client)
  }
}

interface Explanation {
  readonly reason: string
  readonly suggestions: readonly string[]
  readonly queries: readonly SuggestedQuery[]
}

/** Says which words of the search occur in no record, and suggests other terms, and other readings of this one. */
async function explainSearch(
  asked: string,
  { query, values }: ParsedParameters,
  snapshot: Snapshot,
  deadline: Deadline | undefined,
): Promise<Explanation> {
  const explanation: { -readonly [name in keyof Explanation]: Explanation[name] } = {
    reason: noMatch,
    suggestions: [],
    queries: [],
  }
  try {
    const vocabulary = await snapshot.readVocabulary()
    // All requests that waited for the vocabulary continue at the same moment. Each waits once more here, so that other
    // requests are handled between them.
    await new TimeSlice(deadline).yield()
    const term = dropQuestionWords(asked)
    const parts = await toParts(term, vocabulary, (word) => snapshot.hasMatch({ search: analyseTerm(word) }, deadline))
    explanation.queries = await findTermReadings(new Map(values).set('search', term), snapshot, deadline)
    explanation.reason = describeWords(parts, explanation.queries.length > 0 ? undefined : snapshot)
    const search = { asked, term, parts, filters: query, vocabulary }
    explanation.suggestions = await suggestTerms(search, snapshot, deadline)
  } catch (error) {
    // The result is known to be empty. If the deadline expires now, only its explanation is shorter.
    if (!(error instanceof SearchCancelled)) throw error
  }
  return explanation
}

/**
 * Names the missing words, and a municipality of the snapshot among them. If none is missing, says so if the term is
 * several words without codes and prefixes, which were not searched.
 */
function describeWords(parts: readonly Part[], snapshot: Snapshot | undefined): string {
  const missing = parts.filter(({ wasMissing }) => wasMissing).map(({ text }) => trimPunctuation(text))
  if (missing.length === 0) {
    const areWords = parts.length > 1 && parts.every(isWord)
    return areWords ? `${noMatch}, although each of its words occurs in some record` : noMatch
  }
  const name = missing.find((word) => (snapshot?.findMunicipalities(word).length ?? 0) > 0)
  const hint = name === undefined ? '' : `; to search in a municipality, use municipality=${name}`
  return `No record contains ${missing.map(quote).join(' or ')}${hint}`
}

/** The number of parts of the term between white space. */
function countSpacedParts(term: string): number {
  return term.trim().split(/\s+/u).length
}

/** For example `Ávila has 60 records from 1984 to 2026`. If it has namesakes, its name is followed by its province. */
function describeRecords(facts: MunicipalityFacts, hasNamesakes: boolean): string {
  const { name, ineCode, records, firstYear, lastYear } = facts
  const years = firstYear === lastYear ? `from ${firstYear}` : `from ${firstYear} to ${lastYear}`
  const shownName = hasNamesakes ? toNameWithProvince(name, ineCode) : toReadableName(name)
  return `${shownName} has ${records} ${records === 1 ? 'record' : 'records'} ${years}`
}
