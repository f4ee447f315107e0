// A search and its two addresses: that of the page, which can be sent to someone, and that of the service, which the
// page asks. Both carry the parameters of the specification, section 4.1.

export interface Search {
  readonly words: string
  readonly municipality: string
  readonly years: YearRange | null
}

/** Both ends included; one year where they are the same. */
export interface YearRange {
  readonly from: number
  readonly to: number
}

export const unfiltered: Search = { words: '', municipality: '', years: null }

/** The address the page stands at, with its slash: everything else is relative to it. */
export const baseUrl: string = new URL('.', document.baseURI).href

export function isUnfiltered(search: Search): boolean {
  return search.words.trim() === '' && search.municipality.trim() === '' && search.years === null
}

export function isSameSearch(a: Search, b: Search): boolean {
  return toPageUrl(a) === toPageUrl(b)
}

/** Reads the query of the page's address; what makes no sense there is left out. */
export function parsePageUrl(query: string): Search {
  const parameters = new URLSearchParams(query)
  const [, from, to = from] = /^(\d{4})(?:-(\d{4}))?$/.exec(parameters.get('checkin_date') ?? '') ?? []
  return {
    words: parameters.get('search') ?? '',
    municipality: parameters.get('municipality') ?? '',
    years: from === undefined ? null : toYearRange(Number(from), Number(to)),
  }
}

/** Relative to the base address. A range of years stands as `checkin_date=2004-2008`, which only the page knows. */
export function toPageUrl(search: Search): string {
  const query = toQuery(search, search.years === null ? null : formatYears(search.years, '-'))
  return query === '' ? './' : `./?${query}`
}

/** The query of one request to the service: `year` is one of `search.years`, or null for all. */
export function toServiceQuery(search: Search, year: number | null): string {
  return toQuery(search, year === null ? null : String(year).padStart(4, '0'))
}

export function toYearRange(a: number, b: number): YearRange {
  return { from: Math.min(a, b), to: Math.max(a, b) }
}

export function formatYears(years: YearRange, dash: string): string {
  return years.from === years.to ? String(years.from) : `${years.from}${dash}${years.to}`
}

function toQuery(search: Search, year: string | null): string {
  const parameters = new URLSearchParams()
  const words = toPlainText(search.words)
  const municipality = toPlainText(search.municipality)
  if (words !== '') parameters.set('search', words)
  if (municipality !== '') parameters.set('municipality', municipality)
  if (year !== null) parameters.set('checkin_date', year)
  // The specification's sample writes a space as %20, which every shell and language takes as it is.
  return parameters.toString().replaceAll('+', '%20')
}

/** What is pasted may hold tabs and the like, which the service refuses: a reader means a space. */
function toPlainText(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}
