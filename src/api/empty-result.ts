// Explains an empty result. An unknown record, an unknown municipality and a search without matches are all 404, as
// section 7 of the specification of the interface requires (docs/decisions/specification-gaps.md). The problem in the
// body tells them apart and suggests what the client probably meant.
import { analyseTerm } from '../analysis/analyser.ts'
import { quotationMark } from '../analysis/term-parser.ts'
import { type Deadline, SearchCancelled } from '../domain/deadline.ts'
import { toReadableName } from '../domain/municipality-name.ts'
import { type Query, termWordsMax } from '../domain/query.ts'
import { Problem, quote } from '../problems.ts'
import type { MunicipalityFacts, Snapshot } from '../registry/contract.ts'
import { toNameWithProvince } from './namesakes.ts'
import type { ParsedParameters } from './parameters.ts'
import { splitAtSpaces, splitWord, trimPunctuation } from './term-parts.ts'
import { suggestTerms } from './term-suggestions.ts'
import { explainPlace, findMunicipalitiesWithRecords } from './unknown-place.ts'

/**
 * The problem of a request without a matching record. Checks the code, the places, the registration number and the id
 * one by one, then the cursor (the record after which the page starts), then the words of `search`.
 */
export async function explainEmptyResult(
  { query, values }: ParsedParameters,
  snapshot: Snapshot,
  deadline: Deadline | undefined,
): Promise<Problem> {
  const { code, municipality, registrationNumber, id } = query
  const quoteValue = (name: Parameters<typeof values.get>[0]): string => quote(values.get(name) ?? '')
  const isEmpty = async (each: Query): Promise<boolean> =>
    (await snapshot.page({ ...each, limit: 1 }, deadline)) === null
  if (code !== undefined && (await isEmpty({ code }))) {
    const detail = `No record has the inscription code ${quoteValue('cod_archivo')}`
    return new Problem('unknown-record', detail, { parameter: 'cod_archivo' })
  }
  const placeProblem = explainPlace(query, snapshot)
  if (placeProblem !== undefined) return placeProblem
  if (registrationNumber !== undefined && (await isEmpty({ registrationNumber }))) {
    const detail = `No record has the registration number ${quoteValue('registration_number')}`
    return new Problem('no-match', detail, { parameter: 'registration_number' })
  }
  if (id !== undefined && (await isEmpty({ id }))) {
    return new Problem('no-match', `No record has the id ${quoteValue('id')}`, { parameter: 'id' })
  }
  // From here on, records exist for each given code, place, registration number and id by itself. Either no record has
  // all of them, or the other filters or the cursor exclude every record that has them.
  if (query.after !== undefined) {
    return new Problem('nothing-after-cursor', 'No matching record follows the cursor', { parameter: 'cursor' })
  }
  const search = values.get('search')
  const { reason, suggestions } =
    search === undefined
      ? { reason: noMatch, suggestions: [] }
      : await inTurn(deadline?.client ?? '', () => explainSearch(search, query, snapshot, deadline))
  const options = { parameter: search === undefined ? undefined : 'search', suggestions }
  // A suggestion with fewer words than the term is a wider search and not a correction, so it is not in the sentence.
  const [nearest] = suggestions
  const isCorrection = nearest !== undefined && countSpacedParts(nearest) >= countSpacedParts(search ?? '')
  const hint = isCorrection ? `; did you mean ${quote(nearest)}?` : ''
  if (code !== undefined) {
    const detail = `The record ${quoteValue('cod_archivo')} does not match the other filters${hint}`
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

/** Says which words of the search occur in no record, and suggests others. */
async function explainSearch(
  search: string,
  query: Query,
  snapshot: Snapshot,
  deadline: Deadline | undefined,
): Promise<{ readonly reason: string; readonly suggestions: readonly string[] }> {
  let reason = noMatch
  try {
    const spacedParts = search.split(quotationMark).flatMap(splitAtSpaces)
    const missingWords = await findMissingWords(spacedParts, snapshot, deadline)
    reason = describeWords(spacedParts, missingWords, snapshot)
    return { reason, suggestions: await suggestTerms(search, missingWords, query, snapshot, deadline) }
  } catch (error) {
    // The result is known to be empty. If the deadline expires now, only its explanation is shorter.
    if (!(error instanceof SearchCancelled)) throw error
    return { reason, suggestions: [] }
  }
}

/**
 * The words that occur in no record. Only single words are searched, because a code or a phrase can take as long as the
 * search that found nothing. The words of a phrase, and the two words of `bravo-murillo`, are searched separately.
 */
async function findMissingWords(
  spacedParts: readonly string[],
  snapshot: Snapshot,
  deadline: Deadline | undefined,
): Promise<string[]> {
  const words = spacedParts.flatMap(toSearchedWords).slice(0, termWordsMax)
  const missing: string[] = []
  for (const word of words) {
    const page = await snapshot.page({ term: analyseTerm(word), limit: 1 }, deadline)
    if (page === null) missing.push(trimPunctuation(word))
  }
  return missing
}

/** Names the missing words. If none is missing, says so if the term is several words without codes and prefixes. */
function describeWords(spacedParts: readonly string[], missingWords: readonly string[], snapshot: Snapshot): string {
  if (missingWords.length === 0) {
    // With a code or a prefix this might be wrong, because these are not searched.
    const areWords = spacedParts.length > 1 && spacedParts.every(isSingleWord)
    return areWords ? `${noMatch}, although each of its words occurs in some record` : noMatch
  }
  const name = missingWords.find((word) => snapshot.findMunicipalities(word).length > 0)
  const hint = name === undefined ? '' : `; to search in a municipality, use municipality=${name}`
  return `No record contains ${missingWords.map(quote).join(' or ')}${hint}`
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
  return isSingleWord(spacedPart) ? [spacedPart] : []
}

/** Whether a text is one word, and not a code such as `UE-1` or a prefix such as `plan*`. */
function isSingleWord(text: string): boolean {
  const { clauses } = analyseTerm(text)
  return clauses.length === 1 && clauses[0]?.kind === 'word'
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
