// Runs a search: loads one page of its records, the counts beside them and, if nothing matches, what to search instead.
import type { FindOptions, FoundRecords, PageRegistry } from '../src/api/page-renderer.ts'
import { toCodeFormat } from '../src/domain/inscription-code.ts'
import { fieldPrefix, type OwnField } from '../src/domain/own-fields.ts'
import type { IncludeName } from '../src/domain/parameters.ts'
import type { Problem } from '../src/problems.ts'
import type { Summary } from '../src/registry/contract.ts'
import { type CountRecords, findAlternatives } from './alternatives.ts'
import { toMapCounts } from './map-counts.ts'
import type { RegistryFacts } from './page-data.ts'
import {
  type EmptyResult,
  type FieldCounts,
  type RecordsResult,
  type SearchCounts,
  type SearchResult,
  toSharedName,
} from './search-result.ts'
import { isInRange, isYear, type Search, toFilters, toPageUrl, toYears, unfiltered } from './search-url.ts'

export const recordsPerPage = 20

export interface LoadOptions {
  /** The cursor in the address; null for the first page. */
  readonly cursor: string | null
  readonly facts: RegistryFacts
  /** The pattern of inscription codes; null for the standard format. */
  readonly codePattern: string | null
  /** The address of this page, relative to the base URL. */
  readonly address: string
}

export interface LoadedSearch {
  readonly result: SearchResult
  readonly counts: SearchCounts
}

/**
 * Searches the words as typed. Words that have the form of an inscription code also find the record with that code,
 * which the first page shows. If nothing is found and no record of the registry has the last word, that word is
 * searched as a prefix. If nothing is found then either, looks for alternatives.
 */
export async function loadSearch(registry: PageRegistry, search: Search, options: LoadOptions): Promise<LoadedSearch> {
  const { cursor, facts, codePattern, address } = options
  /** By address. */
  const countings = new Map<string, Promise<Summary | null>>()
  const count = toCounter(registry, facts.countedFields, countings)
  const found = await findRecords(registry, search, cursor)
  if (!('records' in found) && cursor === null) countings.set(toPageUrl(search), Promise.resolve(noMatches))
  if (isRefused(found)) {
    const result: SearchResult = { kind: 'failure', search, failure: { kind: 'refused', problem: found }, address }
    return { result, counts: { search, total: null, byYear: [], places: null, byField: [] } }
  }
  const codeMatch = await findByCode(registry, search, codePattern)
  // A further page does not show the record with the code again. `hasFoundOnlyByCode` stays, because the total that
  // every page shows includes that record.
  const shownMatch = cursor === null ? codeMatch : { ...codeMatch, recordByCode: null }
  if ('records' in found) {
    const counts = await countSearch(registry, count, search, facts)
    return { result: toRecordsResult(search, found, counts.total, shownMatch), counts }
  }
  if (shownMatch.recordByCode !== null) {
    const counts = await countSearch(registry, count, search, facts)
    const onlyByCode = { recordByCode: shownMatch.recordByCode, hasFoundOnlyByCode: true }
    return { result: toRecordsResult(search, noRecords, 0, onlyByCode), counts }
  }
  // With a cursor, the words may match records on earlier pages.
  const prefix = cursor === null ? await findPrefix(registry, search, found) : null
  const prefixSearch = { ...search, words: `${search.words}*` }
  const byPrefix = prefix === null ? null : await findRecords(registry, prefixSearch, null)
  if (byPrefix !== null && 'records' in byPrefix) {
    const counts = await countSearch(registry, count, prefixSearch, facts)
    return { result: { ...toRecordsResult(prefixSearch, byPrefix, counts.total), prefix }, counts }
  }
  const counts = await countSearch(registry, count, search, facts)
  return { result: await explainEmpty(registry, count, search, found), counts }
}

/** Whether the problem is a search that the service refuses, and not an empty result. */
function isRefused(found: FoundRecords | Problem): found is Problem {
  return 'code' in found && !emptyCodes.has(found.code)
}

/** The problems with status 404. */
const emptyCodes: ReadonlySet<string> = new Set([
  'no-match',
  'no-match-in-municipality',
  'unknown-municipality',
  'unknown-province',
  'unknown-community',
  'contradictory-places',
  'nothing-after-cursor',
])

/** The last word of a search that found nothing, if no record of the registry has it; otherwise null. */
async function findPrefix(registry: PageRegistry, search: Search, { code }: Problem): Promise<string | null> {
  // In an unknown place no other words would match either.
  if (code.startsWith('unknown-')) return null
  const prefix = toPrefix(search.words)
  return prefix !== null && (await isMissingWord(registry, prefix)) ? prefix : null
}

async function explainEmpty(
  registry: PageRegistry,
  count: CountRecords,
  search: Search,
  problem: Problem,
): Promise<EmptyResult> {
  const [alternatives, municipalityName] = await Promise.all([
    findAlternatives(count, search, problem),
    findMunicipalityName(registry, count, search, problem),
  ])
  return { kind: 'empty', search, problem, alternatives, municipalityName }
}

/**
 * The name of the municipality of a search that found nothing, as in running text. Empty if the search has none, if it
 * is unknown, or if municipalities with different names are found.
 */
async function findMunicipalityName(
  registry: PageRegistry,
  count: CountRecords,
  search: Search,
  { code }: Problem,
): Promise<string> {
  const { municipality, province, community } = search
  if (municipality === '' || code.startsWith('unknown-')) return ''
  const summary = await count({ ...unfiltered, municipality, province, community })
  return toSharedName(
    (summary?.byMunicipality ?? []).map((each) => registry.municipalities[each.municipality]?.name ?? ''),
  )
}

/** The page after `cursor`; the first one if it is null. */
function findRecords(registry: PageRegistry, search: Search, cursor: string | null): Promise<FoundRecords | Problem> {
  const options: FindOptions = {
    limit: recordsPerPage,
    cursor,
    include: search.words === '' ? withDocuments : withPassages,
    isExplained: true,
  }
  return registry.find(toFilters(search), options)
}

/** What the list shows of a record besides its own: its code, for the link to it, its place, and the office's columns. */
const codeAndPlace: readonly IncludeName[] = ['cod_archivo', 'place', 'fields']
/** For a search with words, also where they stand in the documents, and how much of the documents could not be read. */
const withDocuments: readonly IncludeName[] = [...codeAndPlace, 'documents']
const withPassages: readonly IncludeName[] = [...withDocuments, 'passages']

const noMatches: Summary = { total: 0, byYear: [], byMunicipality: [] }
const noRecords: FoundRecords = { records: [], cursor: null, together: 0, inTitle: 0 }

function toRecordsResult(
  search: Search,
  { records, cursor, inTitle }: FoundRecords,
  total: number | null,
  codeMatch = noCodeMatch,
): RecordsResult {
  return { kind: 'records', search, prefix: null, records, inTitle, total, cursor, ...codeMatch }
}

/**
 * Counts by year in all years, by municipality in all municipalities, and by own column with all its values, so that the
 * chart, the map and the lists also show what else could be chosen.
 */
async function countSearch(
  registry: PageRegistry,
  count: CountRecords,
  search: Search,
  { provinces, countedFields }: RegistryFacts,
): Promise<SearchCounts> {
  const hasMunicipality = search.municipality !== ''
  const allYears = await count({ ...search, from: '', to: '' })
  const allMunicipalities = await count({ ...search, municipality: '' })
  const byMunicipality = allMunicipalities?.byMunicipality ?? []
  // The municipalities that have the name in the search, usually one, with their counts in the chosen years, which may
  // be 0.
  const chosen = (hasMunicipality ? (allYears?.byMunicipality ?? []) : []).map(({ municipality }) => ({
    municipality,
    records: byMunicipality.find((other) => other.municipality === municipality)?.records ?? 0,
  }))
  return {
    search,
    total: hasMunicipality ? await countTotal(count, search, allYears) : (allMunicipalities?.total ?? null),
    byYear: allYears?.byYear ?? [],
    places:
      byMunicipality.length === 0
        ? null
        : toMapCounts(search, {
            byMunicipality,
            chosen,
            registryProvinces: provinces,
            municipalities: registry.municipalities,
          }),
    byField: await countFields(count, search, countedFields),
  }
}

/** Counts the values of each own column in the records that match the other filters. */
async function countFields(count: CountRecords, search: Search, fields: readonly OwnField[]): Promise<FieldCounts[]> {
  const counted: FieldCounts[] = []
  for (const { name, label } of fields) {
    const parameter = `${fieldPrefix}${name}` as const
    const summary = await count({ ...search, [parameter]: '' })
    const values = summary?.byField?.[name] ?? []
    if (values.length > 0) counted.push({ parameter, label, values })
  }
  return counted
}

/** The total of a search in a municipality: the sum of its years or, for months and days, of one more count. */
async function countTotal(count: CountRecords, search: Search, allYears: Summary | null): Promise<number | null> {
  if (allYears === null) return null
  return sumYears(search, allYears.byYear) ?? (await count(search))?.total ?? null
}

/**
 * Returns a function that counts the records of a search, and each distinct search once; also by the values of the own
 * columns that the search does not filter by.
 */
function toCounter(
  registry: PageRegistry,
  fields: readonly OwnField[],
  countings: Map<string, Promise<Summary | null>>,
): CountRecords {
  return (search) => {
    const key = toPageUrl(search)
    const facets = fields.map(({ name }) => name).filter((name) => (search[`${fieldPrefix}${name}`] ?? '') === '')
    const counting = countings.get(key) ?? registry.count(toFilters(search), facets)
    countings.set(key, counting)
    return counting
  }
}

/**
 * The number of records in the years of the search; undefined if the search is limited to months or days, which
 * `byYear` does not count.
 */
function sumYears(search: Search, byYear: Summary['byYear']): number | undefined {
  const hasMonthOrDay = [search.from, search.to].some((date) => date !== '' && !isYear(date))
  if (hasMonthOrDay) return undefined
  // Without a first or a last year, that end of the range is infinite.
  const years = toYears(search, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
  return byYear
    .filter(({ year }) => years === null || isInRange(year, years))
    .reduce((sum, { records }) => sum + records, 0)
}

type CodeMatch = Pick<RecordsResult, 'recordByCode' | 'hasFoundOnlyByCode'>

const noCodeMatch: CodeMatch = { recordByCode: null, hasFoundOnlyByCode: false }

/**
 * Takes the words for an inscription code and finds the record that has it, if the record also matches the other
 * filters. `hasFoundOnlyByCode` is true if a search for the words does not find this record.
 */
async function findByCode(registry: PageRegistry, search: Search, codePattern: string | null): Promise<CodeMatch> {
  const code = search.words
  if (!toCodeFormat(codePattern).isCode(code)) return noCodeMatch
  const { search: _words, ...others } = toFilters(search)
  const withCode = await registry.find({ ...others, cod_archivo: code }, { limit: 1, include: codeAndPlace })
  const [record] = 'records' in withCode ? withCode.records : []
  if (record === undefined) return noCodeMatch
  const withWords = await registry.find({ ...toFilters(search), cod_archivo: code }, { limit: 1 })
  return { recordByCode: record, hasFoundOnlyByCode: !('records' in withWords) }
}

/** The letters and digits at the end, `urbaniz` of `suelo urbaniz`; null if they cannot be searched as a prefix. */
function toPrefix(words: string): string | null {
  // At least three letters or digits, because the service searches a shorter prefix as a whole word.
  const [last] = /[\p{L}\p{N}]{3,}$/u.exec(words) ?? []
  // Whether the words have a phrase in quotation marks, or a prefix that the user has written.
  const hasSyntax = /["“”«»*]/.test(words)
  return last === undefined || hasSyntax ? null : last
}

/** Whether no record of the registry has the word. */
async function isMissingWord(registry: PageRegistry, word: string): Promise<boolean> {
  return !('records' in (await registry.find({ search: word }, { limit: 1 })))
}
