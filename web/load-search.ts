// Runs a search: loads one page of its records, the counts beside them and, if nothing matches, what to search instead.
// The server runs the search in the URL before it renders the HTML, and the browser every later search.
import type { ClientRecord, IncludeName, WireSummary } from '../src/client/client.ts'
import { toCodeFormat } from '../src/domain/inscription-code.ts'
import { type CountRecords, findAlternatives } from './alternatives.ts'
import { toMapCounts } from './map-counts.ts'
import {
  type EmptyResult,
  type RecordsResult,
  type SearchCounts,
  type SearchResult,
  toSharedName,
} from './search-result.ts'
import {
  isInRange,
  isSameSearch,
  isYear,
  type Search,
  toFilters,
  toPageUrl,
  toYears,
  unfiltered,
} from './search-url.ts'
import type { MunicipalityCount, NoMatch, Outcome, Service, YearCount } from './service.ts'

export const recordsPerPage = 20

export interface LoadedSearch {
  /** Null if the caller has aborted the search. */
  readonly result: SearchResult | null
  /** The counts may arrive after the records. The caller takes the total of a `RecordsResult` from them. */
  readonly pendingCounts: Promise<SearchCounts>
}

/** One page of records. */
export interface RecordPage {
  readonly records: readonly ClientRecord[]
  /** The cursor of the next page, which names the last record of this one; null on the last page. */
  readonly cursor: string | null
}

/**
 * Searches the words as typed. Words that have the form of an inscription code also find the record with that code,
 * which the first page shows. If nothing is found and no record of the registry has the last word, that word is
 * searched as a prefix. If nothing is found then either, looks for alternatives.
 *
 * `cursor` is that of a further page; null for the first. `registryProvinces` are the INE codes of the provinces that
 * have records. `codePattern` is the pattern of inscription codes; null for the standard format.
 */
export async function loadSearch(
  service: Service,
  search: Search,
  cursor: string | null,
  registryProvinces: readonly string[],
  codePattern: string | null,
): Promise<LoadedSearch> {
  const count = toCounter(service)
  const pendingCounts = countSearch(count, search, registryProvinces)
  const [outcome, codeMatch] = await Promise.all([
    loadRecordPage(service, search, cursor),
    findByCode(service, search, codePattern),
  ])
  // A further page does not show the record with the code again. `hasFoundOnlyByCode` stays, because the total that
  // every page shows includes that record.
  const shownMatch = cursor === null ? codeMatch : { ...codeMatch, recordByCode: null }
  switch (outcome.kind) {
    case 'found':
      return { result: toRecordsResult(search, outcome.value, shownMatch), pendingCounts }
    case 'cancelled':
      return { result: null, pendingCounts }
    case 'empty': {
      if (shownMatch.recordByCode !== null) return { result: toOnlyByCode(search, shownMatch), pendingCounts }
      // With a cursor, the words may match records on earlier pages.
      const prefix = cursor === null ? await findPrefix(service, search, outcome) : null
      const byPrefix = prefix === null ? null : await loadByPrefix(service, search, prefix)
      if (byPrefix === null) return { result: await explainEmpty(count, search, outcome), pendingCounts }
      return { result: byPrefix, pendingCounts: countSearch(count, byPrefix.search, registryProvinces) }
    }
    default:
      // `address` is null, because the browser can repeat most searches. server.tsx sets it for the others.
      return { result: { kind: 'failure', search, failure: outcome, address: null }, pendingCounts }
  }
}

/** The result if only the record with the code is found. `total` counts the records that match the words: none. */
function toOnlyByCode(search: Search, { recordByCode }: CodeMatch): RecordsResult {
  return { ...toRecordsResult(search, emptyPage, { recordByCode, hasFoundOnlyByCode: true }), total: 0 }
}

/** The last word of a search that found nothing, if no record of the registry has it; otherwise null. */
async function findPrefix(service: Service, search: Search, noMatch: NoMatch): Promise<string | null> {
  // In an unknown place (`unknown-municipality` and similar problems) no other words would match either.
  if (noMatch.code.startsWith('unknown-')) return null
  const prefix = toPrefix(search.words)
  return prefix !== null && (await isMissingWord(service, prefix, search)) ? prefix : null
}

/** The result with the last word as a prefix; null if nothing is found. */
async function loadByPrefix(service: Service, search: Search, prefix: string): Promise<RecordsResult | null> {
  const prefixSearch = { ...search, words: `${search.words.trim()}*` }
  const outcome = await loadRecordPage(service, prefixSearch, null)
  return outcome.kind === 'found' ? { ...toRecordsResult(prefixSearch, outcome.value), prefix } : null
}

async function explainEmpty(count: CountRecords, search: Search, noMatch: NoMatch): Promise<EmptyResult> {
  const [alternatives, municipalityName] = await Promise.all([
    findAlternatives(count, search, noMatch),
    findMunicipalityName(count, search, noMatch),
  ])
  return { kind: 'empty', search, noMatch, alternatives, municipalityName }
}

/**
 * The name of the municipality of a search that found nothing, as in running text. Empty if the search has none, if it
 * is unknown, if the request fails, or if municipalities with different names are found.
 */
async function findMunicipalityName(count: CountRecords, search: Search, noMatch: NoMatch): Promise<string> {
  const { municipality, province, community } = search
  if (municipality.trim() === '' || noMatch.code.startsWith('unknown-')) return ''
  const summary = await count({ ...unfiltered, municipality, province, community })
  return toSharedName(summary?.by_municipality.map(({ name }) => name) ?? [])
}

/** The page after `cursor`; the first one if it is null. */
export async function loadRecordPage(
  service: Service,
  search: Search,
  cursor: string | null,
): Promise<Outcome<RecordPage>> {
  const load = (include: readonly IncludeName[]): Promise<Outcome<RecordPage>> =>
    service.call((client, options) =>
      client.page(toFilters(search), { ...options, limit: recordsPerPage, cursor, include }),
    )
  if (search.words.trim() === '') return load(codeAndPlace)
  const outcome = await load(withPassages)
  // A registry that was imported without passages refuses them.
  const isRefused = outcome.kind === 'refused' && outcome.parameter === 'include'
  return isRefused ? load(codeAndPlace) : outcome
}

/** What the list shows of a record besides its fields: its code, for the link to the record, and its place. */
const codeAndPlace: readonly IncludeName[] = ['cod_archivo', 'place']
/** For a search with words, also where they stand in the documents, and how much of the documents could not be read. */
const withPassages: readonly IncludeName[] = [...codeAndPlace, 'documents', 'passages']

const emptyPage: RecordPage = { records: [], cursor: null }

/** The result with these records, before they are counted. */
function toRecordsResult(search: Search, { records, cursor }: RecordPage, codeMatch = noCodeMatch): RecordsResult {
  return { kind: 'records', search, prefix: null, records, total: null, cursor, ...codeMatch }
}

/**
 * Counts by year in all years, and by municipality in all municipalities, so that the chart and the map also show what
 * else could be chosen.
 */
async function countSearch(
  count: CountRecords,
  search: Search,
  registryProvinces: readonly string[],
): Promise<SearchCounts> {
  const hasMunicipality = search.municipality.trim() !== ''
  const inAllYears = { ...search, from: '', to: '' }
  const inAllMunicipalities = { ...search, municipality: '' }
  const [allYears, allMunicipalities] = await Promise.all([count(inAllYears), count(inAllMunicipalities)])
  const byYear = allYears?.by_year ?? []
  const byMunicipality = allMunicipalities?.by_municipality ?? []
  // The municipalities that have the name in the search, usually one.
  const chosenInAllYears = hasMunicipality ? (allYears?.by_municipality ?? []) : []
  // The same municipalities with their counts in the chosen years, which may be 0.
  const chosen = chosenInAllYears.map((municipality) => ({
    ...municipality,
    records: byMunicipality.find((other) => isSameMunicipality(other, municipality))?.records ?? 0,
  }))
  return {
    search,
    total: hasMunicipality ? await countTotal(count, search, allYears) : (allMunicipalities?.total ?? null),
    byYear,
    places: byMunicipality.length === 0 ? null : toMapCounts(search, byMunicipality, chosen, registryProvinces),
  }
}

/** The total of a search in a municipality: the sum of its years or, for months and days, of one more request. */
async function countTotal(count: CountRecords, search: Search, allYears: WireSummary | null): Promise<number | null> {
  if (allYears === null) return null
  return sumYears(search, allYears.by_year) ?? (await count(search))?.total ?? null
}

function isSameMunicipality(a: MunicipalityCount, b: MunicipalityCount): boolean {
  return a.ine_code === b.ine_code && a.name === b.name
}

/**
 * Returns a function that counts the records of a search. It sends one request for each distinct search and keeps the
 * count: `countSearch` and `findAlternatives` both count the search without its years, and without its municipality.
 */
function toCounter(service: Service): CountRecords {
  const countings = new Map<string, Promise<WireSummary | null>>()
  const count = async (search: Search): Promise<WireSummary | null> => {
    const outcome = await service.callWithRetry((client, options) => client.summary(toFilters(search), options))
    return outcome.kind === 'found' ? outcome.value : null
  }
  return (search) => {
    const key = toPageUrl(search)
    const counting = countings.get(key) ?? count(search)
    countings.set(key, counting)
    return counting
  }
}

/**
 * The number of records in the years of the search; undefined if the search is limited to months or days, which
 * `byYear` does not count.
 */
function sumYears(search: Search, byYear: readonly YearCount[]): number | undefined {
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
 * filters. `hasFoundOnlyByCode` is true if a search for the words does not find this record. The record is null if the
 * words do not have the form of a code, if there is no such record, or if the request fails.
 */
async function findByCode(service: Service, search: Search, codePattern: string | null): Promise<CodeMatch> {
  const code = search.words.trim()
  if (!toCodeFormat(codePattern).isCode(code)) return noCodeMatch
  const load = (words: string): Promise<Outcome<RecordPage>> => {
    const filters = { ...toFilters({ ...search, words }), code }
    return service.call((client, options) => client.page(filters, { ...options, limit: 1, include: codeAndPlace }))
  }
  const [withCode, withCodeAndWords] = await Promise.all([load(''), load(search.words)])
  const [record] = withCode.kind === 'found' ? withCode.value.records : []
  if (record === undefined) return noCodeMatch
  return { recordByCode: record, hasFoundOnlyByCode: withCodeAndWords.kind === 'empty' }
}

/** The letters and digits at the end, `urbaniz` of `suelo urbaniz`; null if they cannot be searched as a prefix. */
function toPrefix(words: string): string | null {
  // At least three letters or digits, because the service searches a shorter prefix as a whole word.
  const [last] = /[\p{L}\p{N}]{3,}$/u.exec(words.trim()) ?? []
  // Whether the words have a phrase in quotation marks, or a prefix that the user has written.
  const hasSyntax = /["“”«»*]/.test(words)
  return last === undefined || hasSyntax ? null : last
}

/**
 * Whether no record of the registry has the word; false if the request fails. `search` is the search that has just
 * matched nothing.
 */
async function isMissingWord(service: Service, word: string, search: Search): Promise<boolean> {
  const wordSearch = { ...unfiltered, words: word }
  // If `search` is for this word alone, no second request is needed.
  if (isSameSearch(search, wordSearch)) return true
  const outcome = await service.call((client, options) => client.page(toFilters(wordSearch), { ...options, limit: 1 }))
  return outcome.kind === 'empty'
}
