// A search as the page keeps it, and its forms: the URL of the page, which can be shared, and the filters of a request
// to the service. Both use the parameters of the specification, section 4.1.
import type { SearchFilters } from '../src/client/client.ts'

export interface Search {
  readonly words: string
  readonly municipality: string
  readonly years: YearRange | null
}

/** Both ends are included; they are equal for one year. */
export interface YearRange {
  readonly from: number
  readonly to: number
}

export const unfiltered: Search = { words: '', municipality: '', years: null }

/** The URL of the page without its query, ending in a slash. */
export const baseUrl: string = new URL('.', document.baseURI).href

export function isUnfiltered(search: Search): boolean {
  return search.words.trim() === '' && search.municipality.trim() === '' && search.years === null
}

export function isSameSearch(a: Search, b: Search): boolean {
  return toPageUrl(a) === toPageUrl(b)
}

/** Reads the query of the page's URL and ignores malformed years. */
export function parsePageUrl(query: string): Search {
  const parameters = new URLSearchParams(query)
  const [, from, to = from] = /^(\d{4})(?:-(\d{4}))?$/.exec(parameters.get('checkin_date') ?? '') ?? []
  return {
    words: parameters.get('search') ?? '',
    municipality: parameters.get('municipality') ?? '',
    years: from === undefined ? null : toYearRange(Number(from), Number(to)),
  }
}

/** Relative to `baseUrl`. A range of years is `checkin_date=2004-2008`, which only the page accepts. */
export function toPageUrl(search: Search): string {
  const years = search.years === null ? {} : { checkin_date: formatYears(search.years, '-') }
  const query = toQueryString({ ...toFilters(search, null), ...years })
  return query === '' ? './' : `./?${query}`
}

/** The filters of one request to the service: `year` is one of `search.years`, or null for all years. */
export function toFilters(search: Search, year: number | null): SearchFilters {
  const words = toPlainText(search.words)
  const municipality = toPlainText(search.municipality)
  return {
    ...(words !== '' && { search: words }),
    ...(municipality !== '' && { municipality }),
    ...(year !== null && { checkin_date: String(year).padStart(4, '0') }),
  }
}

/** A space is `%20`, as in the specification's example: no shell or language reads it differently. */
export function toQueryString(parameters: Readonly<Record<string, string | number>>): string {
  const entries = Object.entries(parameters).map(([name, value]) => [name, String(value)])
  return new URLSearchParams(entries).toString().replaceAll('+', '%20')
}

export function toYearRange(a: number, b: number): YearRange {
  return { from: Math.min(a, b), to: Math.max(a, b) }
}

export function formatYears(years: YearRange, dash: string): string {
  return years.from === years.to ? String(years.from) : `${years.from}${dash}${years.to}`
}

/** Pasted text may contain tabs and other control characters, which the service refuses; each becomes a space. */
function toPlainText(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}
