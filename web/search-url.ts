// A search as the page keeps it, and its two other forms: the URL of the page, which can be shared, and the filters of
// a request to the service. The parameters of the URL have the same names as the filters.
import type { SearchFilters } from '../src/client/client.ts'
import { parsePeriod } from '../src/domain/period.ts'
import { type OtherFilterName, otherFilters } from './other-filters.ts'

/** The filters that the page has no words of its own for, such as `agreement`. */
type OtherFilters = { readonly [Name in OtherFilterName]: string }

export const otherFilterNames: readonly OtherFilterName[] = Object.keys(otherFilters) as OtherFilterName[]

/** The value that the function returns for each. */
function toOtherFilters(toValue: (name: OtherFilterName) => string): OtherFilters {
  return Object.fromEntries(otherFilterNames.map((name) => [name, toValue(name)])) as OtherFilters
}

/** An empty value is no filter. */
export interface Search extends OtherFilters {
  /** The search term. */
  readonly words: string
  /** A name or an INE code of five digits. */
  readonly municipality: string
  /** A name or an INE code of two digits. */
  readonly province: string
  /** The autonomous community: a name or an INE code of two digits. */
  readonly community: string
  /** The first date of entry, which is included, as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  readonly from: string
  /** The last date of entry, in the same form and included too. */
  readonly to: string
  /** The registration number of the records to find. */
  readonly registrationNumber: string
  /** The field `id` of the records to find. */
  readonly id: string
}

/** Both ends are included; they are equal for one year. */
export interface YearRange {
  readonly from: number
  readonly to: number
}

export const unfiltered: Search = {
  words: '',
  municipality: '',
  province: '',
  community: '',
  from: '',
  to: '',
  registrationNumber: '',
  id: '',
  ...toOtherFilters(() => ''),
}

/** With this parameter a form without JavaScript sends the municipality that it showed before the user typed. */
export const formMunicipalityParameter = 'form_municipality'

/** The parameters of a URL by name, in the order in which the URL has them. */
type UrlParameters = Readonly<Record<string, string>>

export function isUnfiltered(search: Search): boolean {
  return Object.values(search).every((value) => value.trim() === '')
}

/** Whether the words of the search have no letter and no digit, so that they find nothing. */
export function hasNoTerm({ words }: Search): boolean {
  return words.trim() !== '' && !/[\p{L}\p{N}]/u.test(words)
}

/** Whether both searches have the same filters. White space around a value, and its amount inside, do not matter. */
export function isSameSearch(a: Search, b: Search): boolean {
  return toPageUrl(a) === toPageUrl(b)
}

/**
 * Reads the query of the page's URL. A form also sends its empty fields, which are no filters. If the URL has
 * `checkin_date` and also `checkin_from` or `checkin_to`, all of them limit the search, as in the service.
 */
export function parsePageUrl(query: string): Search {
  const parameters = new URLSearchParams(query)
  const get = (name: string): string => parameters.get(name) ?? ''
  const [from, to] = parseDateField(toPlainText(get('checkin_date')))
  const municipality = get('municipality')
  // The form repeats the province of the municipality that it showed. If the user has typed another municipality, that
  // province is dropped.
  const formMunicipality = parameters.get(formMunicipalityParameter)
  const isOtherMunicipality = formMunicipality !== null && toPlainText(formMunicipality) !== toPlainText(municipality)
  return {
    words: get('search'),
    municipality,
    province: isOtherMunicipality ? '' : get('province'),
    community: get('community'),
    from: toLaterStart(from, toPlainText(get('checkin_from'))),
    to: toEarlierEnd(to, toPlainText(get('checkin_to'))),
    registrationNumber: get('registration_number'),
    id: get('id'),
    ...toOtherFilters(get),
  }
}

/**
 * Whether only the server can show the page with this query. A search in the browser begins with the first records, so
 * it ignores a cursor, and it does not replace the INE code of a municipality by the name.
 */
export function needsServer(query: string): boolean {
  return hasCursor(query) || /^\d{5}$/.test(parsePageUrl(query).municipality.trim())
}

/** Whether the query of a page's URL has a cursor, so that the list begins after the first record. */
export function hasCursor(query: string): boolean {
  return (new URLSearchParams(query).get('cursor') ?? '') !== ''
}

/**
 * Reads both ends of `checkin_date`. A range is `2004-05/2008`, as the search form sends it (see `toDateRange`), or
 * `2004-2008`, as earlier versions of the page wrote it. Any other value, such as a year, is both ends.
 */
function parseDateField(text: string): readonly [from: string, to: string] {
  const [, first, last] = /^(\d{4})-(\d{4})$/.exec(text) ?? []
  if (first !== undefined && last !== undefined) return first <= last ? [first, last] : [last, first]
  const [, from = text, to = text] = /^([^/]*)\/([^/]*)$/.exec(text) ?? []
  return [from, to]
}

/**
 * The dates of a search as one value for `checkin_date`: `2004-05/2008`; an end without limit is empty. Only the page
 * accepts such a range, not the service.
 */
export function toDateRange({ from, to }: Search): string {
  return `${from}/${to}`
}

/**
 * Returns the date whose first day is later. If one date is empty, returns the other one. If a date cannot be read,
 * returns that date, so that the service refuses it.
 */
function toLaterStart(a: string, b: string): string {
  if (a === '' || b === '') return a || b
  const firstOfA = parsePeriod(a)?.first
  const firstOfB = parsePeriod(b)?.first
  if (firstOfA === undefined) return a
  return firstOfB === undefined || firstOfB > firstOfA ? b : a
}

/** Returns the date whose last day is earlier. Empty and unreadable dates are treated as in `toLaterStart`. */
function toEarlierEnd(a: string, b: string): string {
  if (a === '' || b === '') return a || b
  const lastOfA = parsePeriod(a)?.last
  const lastOfB = parsePeriod(b)?.last
  if (lastOfA === undefined) return a
  return lastOfB === undefined || lastOfB < lastOfA ? b : a
}

/** The address of the search page, relative to the base URL. `more` are further parameters, such as a cursor. */
export function toPageUrl(search: Search, more: UrlParameters = {}): string {
  const query = toQueryString({ ...toParameters(search), ...more })
  return query === '' ? './' : `./?${query}`
}

/** The feed of new and changed records that match, relative to the base URL. */
export function toFeedPath(search: Search): string {
  const query = toQueryString(toParameters(search))
  return query === '' ? 'feed' : `feed?${query}`
}

/** The filters of a request to the service, as the client takes them. */
export function toFilters(search: Search): SearchFilters {
  return toParameters(search)
}

/** The filters that are set, by the names of their parameters in the service. */
export function toParameters(search: Search): UrlParameters {
  const from = toPlainText(search.from)
  const to = toPlainText(search.to)
  // Whether `from` is a month or a day: `2004-05` or `2004-05-17`.
  const isMonthOrDay = /^\d{4}-/.test(from)
  // `checkin_date` takes only a year, so a month or a day is sent as `checkin_from` and `checkin_to`. A text that is no
  // date, but is both ends, was read from `checkin_date` (`parseDateField`). It is sent in `checkin_date` again, so
  // that the service names that parameter when it refuses the text.
  const isCheckinDate = from === to && !isMonthOrDay
  const all = {
    search: toPlainText(search.words),
    municipality: toPlainText(search.municipality),
    province: toPlainText(search.province),
    community: toPlainText(search.community),
    checkin_date: isCheckinDate ? from : '',
    checkin_from: isCheckinDate ? '' : from,
    checkin_to: isCheckinDate ? '' : to,
    registration_number: toPlainText(search.registrationNumber),
    id: toPlainText(search.id),
    ...toOtherFilters((name) => toPlainText(search[name])),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}

/** The query of a URL. It writes a space as `%20`, because some programs do not read `+` as a space. */
export function toQueryString(parameters: Readonly<Record<string, string | number>>): string {
  const entries = Object.entries(parameters).map(([name, value]) => [name, String(value)])
  return new URLSearchParams(entries).toString().replaceAll('+', '%20')
}

/** The range from the earlier to the later of two years, which may be given in either order. */
export function toRangeBetween(a: number, b: number): YearRange {
  return { from: Math.min(a, b), to: Math.max(a, b) }
}

export function isInRange(year: number, { from, to }: YearRange): boolean {
  return year >= from && year <= to
}

/** The change of a search that limits it to the years. If `years` is null, the change removes the limit. */
export function toYearChange(years: YearRange | null): Pick<Search, 'from' | 'to'> {
  return years === null ? { from: '', to: '' } : { from: toYearText(years.from), to: toYearText(years.to) }
}

/** The years that the search is limited to; null without a limit. `first` and `last` replace an end without a year. */
export function toYears({ from, to }: Search, first: number, last: number): YearRange | null {
  if (from === '' && to === '') return null
  return { from: parseYear(from) ?? first, to: parseYear(to) ?? last }
}

/** Whether the search has a first or a last date. */
export function hasPeriod({ from, to }: Search): boolean {
  return from !== '' || to !== ''
}

export function isYear(text: string): boolean {
  return /^\d{4}$/.test(text)
}

/** The four digits that a date begins with, as a number; null for a text that begins otherwise. */
function parseYear(date: string): number | null {
  const [year] = /^\d{4}/.exec(date) ?? []
  return year === undefined ? null : Number(year)
}

/** The year in four digits, as a parameter needs it. */
function toYearText(year: number): string {
  return String(year).padStart(4, '0')
}

/**
 * Trims the text and makes each run of white space and control characters one space. Pasted text may contain control
 * characters, such as tabs, which the service refuses.
 */
function toPlainText(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}
