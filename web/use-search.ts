// Preact hook that runs a search and holds what the page shows of it: the first page of records, further pages on
// demand, and the counts by year and municipality. A new search aborts the current one; the old result stays until
// the new one arrives.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { WireRecord, WireSummary } from '../src/client/client.ts'
import { isInscriptionCode } from '../src/domain/inscription-code.ts'
import { type ResultPage, readPages } from './result-pages.ts'
import { type Search, toFilters, type YearRange } from './search-url.ts'
import { callService, callWithRetry, type Failure, type NoMatch, type Outcome, type YearCount } from './service.ts'

export type SearchResult =
  | RecordsResult
  | { readonly kind: 'empty'; readonly search: Search; readonly noMatch: NoMatch }
  | { readonly kind: 'failure'; readonly search: Search; readonly failure: Failure }

export interface RecordsResult {
  readonly kind: 'records'
  /** The search that was sent: its last word may have been made a prefix (`word*`). */
  readonly search: Search
  /** The last word, if it was searched as a prefix because no record contains it; otherwise null. */
  readonly prefix: string | null
  readonly records: readonly WireRecord[]
  /** Null until the records are counted. */
  readonly total: number | null
  readonly nextPage: NextPage
  /** The record whose inscription code is the search term. */
  readonly recordByCode: WireRecord | null
}

export type NextPage = 'none' | 'ready' | 'loading' | Failure

export interface SearchState {
  readonly result: SearchResult | null
  readonly isLoading: boolean
  readonly isSlow: boolean
  /** Counts may arrive after the records; until then these are the counts of the previous search. */
  readonly counts: SearchCounts | null
}

export interface SearchCounts {
  readonly search: Search
  /** Counts for the search without its years, so that the chart shows the other years too; null if nothing matches. */
  readonly summary: WireSummary | null
}

/** After this time the page says that the search takes longer than usual. */
const slowAfterMs = 4000
/** Records wait this long for their counts, so that both usually appear together. */
const countsWaitMs = 150

export function useSearch(search: Search): SearchState & { readonly loadMore: () => void; readonly retry: () => void } {
  const [state, setState] = useState<SearchState>({ result: null, isLoading: true, isSlow: false, counts: null })
  const [attempt, setAttempt] = useState(0)
  const pages = useRef<AsyncGenerator<Outcome<ResultPage>, void> | null>(null)
  const isLoadingMore = useRef(false)
  const retry = useCallback(() => setAttempt((count) => count + 1), [])

  useEffect(() => {
    const controller = new AbortController()
    const update = (change: (before: SearchState) => SearchState): void => {
      if (!controller.signal.aborted) setState(change)
    }
    update((before) => ({ ...before, isLoading: true, isSlow: false }))
    const slowTimer = setTimeout(() => update((before) => ({ ...before, isSlow: true })), slowAfterMs)
    findFirstPage(search, controller.signal).then(async ({ result, summary, furtherPages }) => {
      const counting = summary.then((found) => ({ search: result?.search ?? search, summary: found }))
      await Promise.race([counting, new Promise((resolve) => setTimeout(resolve, countsWaitMs))])
      clearTimeout(slowTimer)
      if (controller.signal.aborted) return
      pages.current = furtherPages
      isLoadingMore.current = false
      update((before) => ({ ...before, result, isLoading: false, isSlow: false }))
      const counts = await counting
      update((before) => withCounts(before, counts))
    })
    return () => {
      clearTimeout(slowTimer)
      controller.abort()
    }
  }, [search, attempt])

  const loadMore = useCallback(() => {
    const current = pages.current
    if (current === null || isLoadingMore.current) return
    isLoadingMore.current = true
    setState((before) => withNextPage(before, [], 'loading'))
    current.next().then(({ value: outcome }) => {
      if (outcome === undefined || pages.current !== current || outcome.kind === 'cancelled') return
      isLoadingMore.current = false
      if (outcome.kind === 'found') {
        const { records, isLast } = outcome.value
        setState((before) => withNextPage(before, records, isLast ? 'none' : 'ready'))
      } else {
        setState((before) => withNextPage(before, [], outcome.kind === 'empty' ? 'none' : outcome))
      }
    })
  }, [])

  return { ...state, loadMore, retry }
}

/** What a search gives at first: its first page, and its counts, which may arrive later. */
interface FirstPage {
  /** Null if the search was aborted. */
  readonly result: SearchResult | null
  /** The counts of the search without its years; null if there are none. */
  readonly summary: Promise<WireSummary | null>
  /** Null if there is no first page. */
  readonly furtherPages: AsyncGenerator<Outcome<ResultPage>, void> | null
}

/** Searches the words as typed and, if no record matches, with the last word as a prefix. */
async function findFirstPage(search: Search, signal: AbortSignal): Promise<FirstPage> {
  const [asTyped, recordByCode] = await Promise.all([findAsTyped(search, signal), findByCode(search, signal)])
  // With an unknown municipality, no other words would match either.
  const mayPrefixMatch = asTyped.result?.kind === 'empty' && asTyped.result.noMatch.code !== 'unknown-municipality'
  const prefix = mayPrefixMatch ? toPrefix(search.words) : null
  if (prefix !== null && recordByCode === null) {
    const byPrefix = await findAsTyped({ ...search, words: `${search.words.trim()}*` }, signal)
    if (byPrefix.result?.kind === 'records') return { ...byPrefix, result: { ...byPrefix.result, prefix } }
  }
  if (recordByCode === null) return asTyped
  if (asTyped.result?.kind === 'records') return { ...asTyped, result: { ...asTyped.result, recordByCode } }
  const result = { ...toRecordsResult(search, { records: [], isLast: true }), total: 1, recordByCode }
  return { result, summary: Promise.resolve(null), furtherPages: null }
}

/** The service filters by one year, so a range of years is one search for each year that has records. */
async function findAsTyped(search: Search, signal: AbortSignal): Promise<FirstPage> {
  const { years } = search
  const counting = callWithRetry((client, options) => client.summary(toFilters(search, null), options), signal)
  const summary = counting.then((outcome) => (outcome.kind === 'found' ? outcome.value : null))
  let searches = [toFilters(search, years === null ? null : years.from)]
  if (years !== null && years.from !== years.to) {
    const outcome = await counting
    if (outcome.kind !== 'found') return { result: toResult(search, outcome), summary, furtherPages: null }
    searches = withinYears(outcome.value.by_year, years)
      .map(({ year }) => toFilters(search, year))
      .toReversed()
  }
  const furtherPages = readPages(searches, signal)
  const { value: outcome = noMatchInYears } = await furtherPages.next()
  if (outcome.kind !== 'found') return { result: toResult(search, outcome), summary, furtherPages: null }
  return { result: toRecordsResult(search, outcome.value), summary, furtherPages }
}

/** Looks the words up as an inscription code, if they have the form of one. */
async function findByCode(search: Search, signal: AbortSignal): Promise<WireRecord | null> {
  const code = search.words.trim()
  if (!isInscriptionCode(code)) return null
  // The service filters by one year only, so a range of years is not applied to the code.
  const { years } = search
  const year = years !== null && years.from === years.to ? years.from : null
  const filters = { ...toFilters({ ...search, words: '' }, year), code }
  const outcome = await callService((client, options) => client.page(filters, { ...options, limit: 1 }), signal)
  return outcome.kind === 'found' ? (outcome.value.records[0] ?? null) : null
}

/** The last word, if it can be searched as a prefix: three letters or more, no quotes, no asterisk. */
function toPrefix(words: string): string | null {
  const [last] = /[\p{L}\p{N}]{3,}$/u.exec(words.trim()) ?? []
  return last === undefined || /["“”«»*]/.test(words) ? null : last
}

/** No year of the range has records. */
const noMatchInYears: Outcome<ResultPage> = { kind: 'empty', code: 'no-match', suggestions: [] }

function withinYears(byYear: readonly YearCount[], years: YearRange | null): readonly YearCount[] {
  return years === null ? byYear : byYear.filter(({ year }) => year >= years.from && year <= years.to)
}

function toRecordsResult(search: Search, { records, isLast }: ResultPage): RecordsResult {
  const nextPage = isLast ? 'none' : 'ready'
  return { kind: 'records', search, prefix: null, records, total: null, nextPage, recordByCode: null }
}

function toResult(search: Search, outcome: Exclude<Outcome<unknown>, { kind: 'found' }>): SearchResult | null {
  switch (outcome.kind) {
    case 'cancelled':
      return null
    case 'empty':
      return { kind: 'empty', search, noMatch: outcome }
    default:
      return { kind: 'failure', search, failure: outcome }
  }
}

/** The state with the counts, and with the total in its result. */
function withCounts(before: SearchState, counts: SearchCounts): SearchState {
  const { result } = before
  const { summary } = counts
  if (result?.kind !== 'records' || summary === null) return { ...before, counts }
  const total = withinYears(summary.by_year, result.search.years).reduce((sum, year) => sum + year.records, 0)
  return { ...before, counts, result: { ...result, total } }
}

/** The state with more records and another state of the next page. */
function withNextPage(before: SearchState, added: readonly WireRecord[], nextPage: NextPage): SearchState {
  if (before.result?.kind !== 'records') return before
  const records = [...before.result.records, ...added]
  return { ...before, result: { ...before.result, records, nextPage } }
}
