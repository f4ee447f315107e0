// A search as the page keeps it, and its other form: the parameters of the page's URL, which have the same names as the
// filters of the API.
import type { FilterValues } from '../src/api/page-renderer.ts'
import { type FieldParameter, isFieldParameter } from '../src/domain/own-fields.ts'
import { parsePeriod } from '../src/domain/period.ts'
import { type OtherFilterName, otherFilters } from './other-filters.ts'

/** The filters that the page has no words of its own for, such as `agreement`. */
type OtherFilters = { readonly [Name in OtherFilterName]: string }

const otherFilterNames: readonly OtherFilterName[] = Object.keys(otherFilters) as OtherFilterName[]

/** The value that the function returns for each. */
function toOtherFilters(toValue: (name: OtherFilterName) => string): OtherFilters {
  return Object.fromEntries(otherFilterNames.map((name) => [name, toValue(name)])) as OtherFilters
}

/** Filters on the office's own columns, by parameter. */
interface FieldFilters {
  readonly [name: FieldParameter]: string | undefined
}

/** An empty value is no filter. */
export interface Search extends OtherFilters, FieldFilters {
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

/** With this parameter the form sends the municipality that it showed before the user typed. */
export const formMunicipalityParameter = 'form_municipality'

/** The parameters of a URL by name, in the order in which the URL has them. */
type UrlParameters = Readonly<Record<string, string>>

/** A filter that the page has no words of its own for. */
export type OtherFilter = OtherFilterName | FieldParameter

/** Those that are set; the filters on the office's own columns come last. */
export function otherFiltersOf(search: Search): OtherFilter[] {
  const names = [...otherFilterNames, ...Object.keys(search).filter(isFieldParameter).sort()]
  return names.filter((name) => (search[name] ?? '') !== '')
}

export function isUnfiltered(search: Search): boolean {
  return Object.values(search).every((value) => value === '' || value === undefined)
}

/** Whether the words of the search have no letter and no digit, so that they find nothing. */
export function hasNoTerm({ words }: Search): boolean {
  return words !== '' && !/[\p{L}\p{N}]/u.test(words)
}

/** Whether both searches have the same filters. */
export function isSameSearch(a: Search, b: Search): boolean {
  return toPageUrl(a) === toPageUrl(b)
}

/**
 * Reads the query of the page's URL. A form also sends its empty fields, which are no filters. If the URL has
 * `checkin_date` and also `checkin_from` or `checkin_to`, all of them limit the search, as in the service.
 */
export function parsePageUrl(query: string): Search {
  const parameters = new URLSearchParams(query)
  const get = (name: string): string => toPlainText(parameters.get(name) ?? '')
  const [from, to] = parseDateField(get('checkin_date'))
  const municipality = get('municipality')
  // The form repeats the province of the municipality that it showed. If the user has typed another municipality, that
  // province is dropped.
  const isOtherMunicipality =
    parameters.has(formMunicipalityParameter) && get(formMunicipalityParameter) !== municipality
  return {
    words: get('search'),
    municipality,
    province: isOtherMunicipality ? '' : get('province'),
    community: get('community'),
    from: toLaterStart(from, get('checkin_from')),
    to: toEarlierEnd(to, get('checkin_to')),
    registrationNumber: get('registration_number'),
    id: get('id'),
    ...toOtherFilters(get),
    ...Object.fromEntries([...parameters.keys()].filter(isFieldParameter).map((name) => [name, get(name)])),
  }
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
  return withQuery('./', { ...toFilters(search), ...more })
}

/** The feed of new and changed records that match, relative to the base URL. */
export function toFeedPath(search: Search): string {
  return withQuery('feed', toFilters(search))
}

/** The feed of one record. */
export function toRecordFeedPath(code: string): string {
  return `feed/${encodeURIComponent(code)}`
}

/** The filters that are set, by the names of their parameters in the API. */
export function toFilters(search: Search): FilterValues & UrlParameters {
  const { from, to } = search
  // `checkin_date` takes only a year, so a month or a day (`2004-05-17`) is sent as `checkin_from` and `checkin_to`. A
  // text that is no date, but is both ends, was read from `checkin_date` (`parseDateField`). It is sent in
  // `checkin_date` again, so that the service names that parameter when it refuses the text.
  const isCheckinDate = from === to && !/^\d{4}-/.test(from)
  const filters: Record<string, string> = {}
  const add = (name: string, value: string): void => {
    if (value !== '') filters[name] = value
  }
  add('search', search.words)
  add('municipality', search.municipality)
  add('province', search.province)
  add('community', search.community)
  add('checkin_date', isCheckinDate ? from : '')
  add('checkin_from', isCheckinDate ? '' : from)
  add('checkin_to', isCheckinDate ? '' : to)
  add('registration_number', search.registrationNumber)
  add('id', search.id)
  for (const name of otherFiltersOf(search)) add(name, search[name] ?? '')
  return filters
}

/** The path with the parameters as its query, if there are any. */
export function withQuery(path: string, parameters: Readonly<Record<string, string | number>>): string {
  const query = toQueryString(parameters)
  return query === '' ? path : `${path}?${query}`
}

/**
 * The query of a URL. A space is `%20`, because some programs do not read `+` as a space, and an apostrophe is `%27`,
 * because it would end a string in a code example.
 */
export function toQueryString(parameters: Readonly<Record<string, string | number>>): string {
  let query = ''
  for (const name in parameters) {
    const value = encodeURIComponent(parameters[name] ?? '').replaceAll("'", '%27')
    query += `${query === '' ? '' : '&'}${encodeURIComponent(name)}=${value}`
  }
  return query
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
