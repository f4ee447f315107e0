// The outcome of a search as the page shows it: records, or the reason why there are none, and the counts beside them.
import type { PageRecord } from '../src/api/page-renderer.ts'
import { toReadableName } from '../src/domain/municipality-name.ts'
import type { FieldParameter } from '../src/domain/own-fields.ts'
import { findProvince } from '../src/domain/province.ts'
import type { Problem } from '../src/problems.ts'
import type { MapCounts } from './map-counts.ts'
import type { Search } from './search-url.ts'

export type SearchResult = RecordsResult | EmptyResult | FailedResult

export interface RecordsResult {
  readonly kind: 'records'
  /** The search that was made: its last word may have been made a prefix (`word*`). */
  readonly search: Search
  /** The last word of the term, if it was searched as a prefix because no record matched; otherwise null. */
  readonly prefix: string | null
  readonly records: readonly PageRecord[]
  /** How many of the records, the first ones, have all words in the title. */
  readonly inTitle: number
  /**
   * The number of records that match, on all pages; null if they could not be counted. A record found only by its code
   * is not counted.
   */
  readonly total: number | null
  /** The cursor of the next page, which names the last record before it; null on the last page. */
  readonly cursor: string | null
  /** The record whose inscription code is the search term; null if there is none. Only the first page shows it. */
  readonly recordByCode: PageRecord | null
  /** Whether a record has the search term as its code but does not match it as words. */
  readonly hasFoundOnlyByCode: boolean
}

/** The number of records on all pages, with the one found only by its code; null if they are not counted. */
export function toShownTotal({ total, hasFoundOnlyByCode }: RecordsResult): number | null {
  return total === null ? null : total + (hasFoundOnlyByCode ? 1 : 0)
}

export interface EmptyResult {
  readonly kind: 'empty'
  readonly search: Search
  /** Why nothing matches. */
  readonly problem: Problem
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
   * The address of the page that failed, relative to the base URL: that of a search, a record or a municipality.
   */
  readonly address: string
}

/** Why there is no result. The server makes the first two; the browser shows the others (browser/failures.ts). */
export type Failure =
  /** The service refuses the search, and would do so again. */
  | { readonly kind: 'refused'; readonly problem: Problem }
  /** The service is overloaded, or it cannot read the registry. */
  | { readonly kind: 'busy' }
  /** Too many requests have come from the address of this user. */
  | { readonly kind: 'limited' }
  /** An error in the service. */
  | { readonly kind: 'failed' }
  /** No response. */
  | { readonly kind: 'offline' }

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

export interface YearCount {
  readonly year: number
  readonly records: number
}

/** The counts of the values of one of the office's own columns. */
export interface FieldCounts {
  readonly parameter: FieldParameter
  readonly label: string
  /** Most records first. */
  readonly values: readonly { readonly value: string; readonly records: number }[]
}

/** The counts beside the records: for the chart, the map and the lists of values. */
export interface SearchCounts {
  /** The search that was counted. */
  readonly search: Search
  /** The number of records; null if the count failed. */
  readonly total: number | null
  /** The counts in all years, not only the chosen ones, for the chart; empty if nothing matches or the count failed. */
  readonly byYear: readonly YearCount[]
  /** The counts in all places, not only the chosen one, for the map; null if nothing matches or the count failed. */
  readonly places: MapCounts | null
  /** The counts of all values, not only the chosen one; without the columns of which no record has a value. */
  readonly byField: readonly FieldCounts[]
}

/**
 * The search with its municipality named as in running text: `A Coruña` for `coruna`, `Madrid` for the INE code 28079.
 * The municipality stays as it was typed if its name is unknown.
 */
export function withMunicipalityName(search: Search, result: SearchResult, counts: SearchCounts | null): Search {
  if (search.municipality === '') return search
  const name = findMunicipalityName(result, counts)
  return name === '' ? search : { ...search, municipality: name }
}

function findMunicipalityName(result: SearchResult, counts: SearchCounts | null): string {
  const chosen = counts?.places?.chosen ?? []
  // Municipalities with different names may all be found by the typed one, such as `Castelló`, which then stays.
  if (chosen.length > 0) return toSharedName(chosen.map((place) => place.name))
  if (result.kind === 'empty') return result.municipalityName
  const record = result.kind === 'records' ? (result.records[0] ?? result.recordByCode) : null
  return record === null ? '' : toSharedName([record.municipality])
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
