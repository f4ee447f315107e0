// Preact hook that holds what the web page shows of a search: the records, further pages of records on demand, and the
// counts by year and place. The first search comes with the web page; a new search aborts the current one, and the old
// result stays until the new one arrives.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { ClientRecord } from '../src/client/client.ts'
import { openService } from './browser-service.ts'
import { loadRecordPage, loadSearch } from './load-search.ts'
import type { SearchCounts, SearchResult } from './search-result.ts'
import type { Search } from './search-url.ts'
import type { Failure } from './service.ts'
import { useSite } from './site-context.ts'

/**
 * The page of records after the last one shown: it can be loaded, is being loaded, or could not be loaded. After the
 * last page it is `ready` too, and the result has no cursor.
 */
export type NextPage = 'ready' | 'loading' | Failure

export interface SearchState {
  readonly result: SearchResult
  readonly isLoading: boolean
  /** Whether the search has run for longer than `slowAfterMs`. */
  readonly isSlow: boolean
  readonly nextPage: NextPage
  /**
   * Whether the list begins after the first record of the result, because the address has a cursor. A cursor names the
   * record after which a page of the list begins.
   */
  readonly isContinued: boolean
  /**
   * Counts may arrive after the records; until then these are the counts of the previous search. Null if the web page
   * came without counts and no search has been counted since.
   */
  readonly counts: SearchCounts | null
}

export interface SearchHook extends SearchState {
  /** Loads the next page of records. */
  readonly loadMore: () => void
  /**
   * Runs the search again. If the browser cannot repeat what has failed, such as a page after a cursor, reloads the web
   * page instead, so that the server repeats it.
   */
  readonly retry: () => void
}

/** The result of the first search, which the server has rendered. */
export interface InitialResult {
  readonly search: Search
  /** The cursor in the address; null if it has none. */
  readonly cursor: string | null
  readonly result: SearchResult
  readonly counts: SearchCounts | null
}

/** After this time the page says that the search takes longer than usual. */
const slowAfterMs = 4000
/** Records wait up to this time for their counts, so that both usually appear together. */
const countsWaitMs = 150

export function useSearch(search: Search, initial: InitialResult, registryProvinces: readonly string[]): SearchHook {
  const [state, setState] = useState<SearchState>({
    result: initial.result,
    isLoading: false,
    isSlow: false,
    nextPage: 'ready',
    isContinued: initial.cursor !== null,
    counts: initial.counts,
  })
  /** How often the search was repeated; each change runs it again. */
  const [retries, setRetries] = useState(0)
  const { codePattern } = useSite().metadata
  /** Aborts the requests of the current search. */
  const currentRequests = useRef(new AbortController())
  /** Whether the browser has run a search. Before that, the page shows the result that came with it. */
  const hasRun = useRef(false)
  const isLoadingMore = useRef(false)
  /** The state as it is now. An event may still call the `loadMore` of an earlier rendering. */
  const latestState = useRef(state)
  latestState.current = state
  const isInitial = search === initial.search && retries === 0

  useEffect(() => {
    if (isInitial && !hasRun.current) return
    hasRun.current = true
    // The first search may be loading its next page.
    currentRequests.current.abort()
    const controller = new AbortController()
    currentRequests.current = controller
    isLoadingMore.current = false
    /** Changes the state, unless a newer search has aborted this one. */
    const update = (change: (before: SearchState) => SearchState): void => {
      if (!controller.signal.aborted) setState(change)
    }
    update((before) => ({ ...before, isLoading: true, isSlow: false }))
    const slowTimer = setTimeout(() => update((before) => ({ ...before, isSlow: true })), slowAfterMs)
    // The cursor is null, because a new search and a repeated one begin with the first page.
    const loading = loadSearch(openService(controller.signal), search, null, registryProvinces, codePattern)
    loading.then(async ({ result, pendingCounts }) => {
      await Promise.race([pendingCounts, new Promise((resolve) => setTimeout(resolve, countsWaitMs))])
      clearTimeout(slowTimer)
      // Only an aborted search has no result.
      if (result === null) return
      const loaded = { result, isLoading: false, isSlow: false, nextPage: 'ready', isContinued: false } as const
      update((before) => ({ ...before, ...loaded }))
      // This never rejects: what cannot be counted is null or empty.
      const counts = await pendingCounts
      update((before) => withCounts(before, counts))
    })
    return () => {
      clearTimeout(slowTimer)
      controller.abort()
    }
    // The provinces and the pattern of codes are not listed here: they came with the page and never change.
  }, [search, retries])

  const { result } = state
  const retry = useCallback(() => {
    // A failed result has an address only if the server must load the page at that address.
    const mustReload = result.kind === 'failure' && result.address !== null
    if (mustReload) location.reload()
    else setRetries((count) => count + 1)
  }, [result])
  const loadMore = useCallback(() => {
    const hasNextPage = result.kind === 'records' && result.cursor !== null
    if (!hasNextPage || isLoadingMore.current) return
    // While a new search runs, the old result is still shown. Its next page would be added to the new result.
    const isOutdated = latestState.current.isLoading || latestState.current.result !== result
    if (isOutdated) return
    isLoadingMore.current = true
    const { signal } = currentRequests.current
    setState((before) => ({ ...before, nextPage: 'loading' }))
    loadRecordPage(openService(signal), result.search, result.cursor).then((outcome) => {
      if (signal.aborted || outcome.kind === 'cancelled') return
      isLoadingMore.current = false
      if (outcome.kind === 'found') {
        const { records, cursor } = outcome.value
        setState((before) => withRecords(before, records, cursor))
      } else if (outcome.kind === 'empty') {
        // A new snapshot no longer has the rest of the result.
        setState((before) => withRecords(before, [], null))
      } else {
        setState((before) => ({ ...before, nextPage: outcome }))
      }
    })
  }, [result])

  return { ...state, loadMore, retry }
}

/** The state with the counts; their total becomes that of the result, if the result has none. */
function withCounts(before: SearchState, counts: SearchCounts): SearchState {
  const { result } = before
  if (result.kind !== 'records' || result.total !== null) return { ...before, counts }
  return { ...before, counts, result: { ...result, total: counts.total } }
}

/** The state with the records of a further page, and the cursor after them; null after the last page. */
function withRecords(before: SearchState, added: readonly ClientRecord[], cursor: string | null): SearchState {
  if (before.result.kind !== 'records') return before
  const records = [...before.result.records, ...added]
  return { ...before, nextPage: 'ready', result: { ...before.result, records, cursor } }
}
