// The outcome of a search as the page shows it: records, or the reason why there are none, and the counts beside them.
import type { ClientRecord } from '../src/client/client.ts'
import { toReadableName } from '../src/domain/municipality-name.ts'
import { findProvince } from '../src/domain/province.ts'
import type { MapCounts } from './map-counts.ts'
import type { Search } from './search-url.ts'
import type { Failure, NoMatch, YearCount } from './service.ts'

export type SearchResult = RecordsResult | EmptyResult | FailedResult

export interface RecordsResult {
  readonly kind: 'records'
  /** The search that was sent: its last word may have been made a prefix (`word*`). */
  readonly search: Search
  /** The last word of the term, if it was searched as a prefix because no record matched; otherwise null. */
  readonly prefix: string | null
  readonly records: readonly ClientRecord[]
  /**
   * The number of records that match, on all pages; null until they are counted, or if they could not be counted.
   * A record found only by its code is not counted.
   */
  readonly total: number | null
  /** The cursor of the next page, which names the last record before it; null on the last page. */
  readonly cursor: string | null
  /** The record whose inscription code is the search term; null if there is none. Only the first page shows it. */
  readonly recordByCode: ClientRecord | null
  /** Whether a record has the search term as its code but does not match it as words. */
  readonly hasFoundOnlyByCode: boolean
}

/** 1 if a record was found only by its code, otherwise 0. */
export function countFoundOnlyByCode({ hasFoundOnlyByCode }: RecordsResult): number {
  return hasFoundOnlyByCode ? 1 : 0
}

/** The number of records on all pages, with the one found only by its code; null if they are not counted. */
export function toShownTotal(result: RecordsResult): number | null {
  return result.total === null ? null : result.total + countFoundOnlyByCode(result)
}

export interface EmptyResult {
  readonly kind: 'empty'
  readonly search: Search
  readonly noMatch: NoMatch
  /** Searches that match: without one filter or a pair of filters, or without one word. */
  readonly alternatives: readonly Alternative[]
  /** The name of the municipality of the search, as in running text; empty without one, or if it is unknown. */
  readonly municipalityName: string
}

export interface FailedResult {
  readonly kind: 'failure'
  readonly search: Search
  readonly failure: Failure
  /**
   * The address of the page that failed, relative to the base URL, if only the server can load it: a record, a
   * municipality, or a search for which `needsServer` (search-url.ts) is true. Null if the browser can run the search.
   */
  readonly address: string | null
}

/** Another search, to be offered if nothing matches. */
export interface Alternative {
  /** What differs from the search that found nothing. */
  readonly change: Partial<Search>
  /** How many records match with the change. */
  readonly records: number
  /** The word of the term that `change` leaves out; null if it removes another filter or the whole term. */
  readonly omittedWord: string | null
}

/** Another reading of the search term: `plan Ávila` as the word `plan` in the municipality Ávila. */
export interface Offer {
  /** What differs from the search as it was typed. */
  readonly change: Partial<Search>
  /** How many records match with the change. */
  readonly records: number
}

/** The counts beside the records, for the chart and the map. */
export interface SearchCounts {
  /** The search that was counted. */
  readonly search: Search
  /**
   * The number of records; null if the count failed. If nothing matches, it is 0 or null: the service responds with 404
   * instead of the count 0.
   */
  readonly total: number | null
  /** The counts in all years, not only the chosen ones, for the chart; empty if nothing matches or the count failed. */
  readonly byYear: readonly YearCount[]
  /** The counts in all places, not only the chosen one, for the map; null if nothing matches or the count failed. */
  readonly places: MapCounts | null
}

/**
 * The search with its municipality named as in running text: `A Coruña` for `coruna`, `Madrid` for the INE code 28079.
 * The municipality stays as it was typed if its name is unknown. `result` and `counts` may be those of an earlier
 * search.
 */
export function withMunicipalityName(search: Search, result: SearchResult | null, counts: SearchCounts | null): Search {
  if (search.municipality.trim() === '') return search
  const name = findMunicipalityName(search, result, counts)
  return name === '' ? search : { ...search, municipality: name }
}

function findMunicipalityName(search: Search, result: SearchResult | null, counts: SearchCounts | null): string {
  if (counts !== null && isSamePlace(counts.search, search)) {
    const chosen = counts.places?.chosen ?? []
    // Municipalities with different names may all be found by the typed one, such as `Castelló`, which then stays.
    if (chosen.length > 0) return toSharedName(chosen.map((place) => place.name))
  }
  if (result === null || !isSamePlace(result.search, search)) return ''
  if (result.kind === 'empty') return result.municipalityName
  // Until the records are counted, the first one tells the name.
  const record = result.kind === 'records' ? (result.records[0] ?? result.recordByCode) : null
  return record === null ? '' : toSharedName([record.municipality])
}

function isSamePlace(a: Search, b: Search): boolean {
  return a.municipality === b.municipality && a.province === b.province && a.community === b.community
}

/**
 * The name that all municipalities share, as in running text, without the province that may follow it in brackets.
 * Empty if there are none, or if their names differ.
 */
export function toSharedName(names: readonly string[]): string {
  const [name = '', ...others] = new Set(names.map((each) => withoutProvince(toReadableName(each))))
  return others.length === 0 ? name : ''
}

/** The name without a province in brackets at its end: `Sada` for `Sada (Navarra)`. */
function withoutProvince(name: string): string {
  const [, rest = '', province = ''] = /^(.+?)\s*\(([^()]+)\)$/.exec(name) ?? []
  return findProvince(province) === undefined ? name : rest
}
