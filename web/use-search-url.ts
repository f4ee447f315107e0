// Preact hook that keeps the search in the page's URL. Typed words are searched after a pause and share one history
// entry; a choice, such as a year, is searched at once and gets its own entry, so that Back undoes it.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { hasCursor, isSameSearch, needsServer, parsePageUrl, type Search, toPageUrl } from './search-url.ts'
import { useSite } from './site-context.ts'

export interface SearchUrlState {
  /** The contents of the form. */
  readonly draft: Search
  /** The search that is run. */
  readonly search: Search
  /** Changes the draft at once, and the search after a pause. */
  readonly type: (change: Partial<Search>) => void
  /** Changes the draft and the search at once. */
  readonly choose: (change: Partial<Search>) => void
}

/** Words are searched when the user has not typed for this time. */
const typingPauseMs = 200

/** How a history entry was made. The next typing replaces a typed entry, and never a chosen one. */
type Origin = 'typed' | 'chosen'

/** `initial` is the search of the address with which the page was opened. */
export function useSearchUrl(initial: Search): SearchUrlState {
  const { languageParameter } = useSite()
  const [draft, setDraft] = useState(initial)
  const [search, setSearch] = useState(draft)
  /** The draft as it is now. Callbacks read it here, because `draft` is that of the last rendering. */
  const latestDraft = useRef(draft)
  /** Runs `commit` after the pause in typing. */
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  /** Searches the draft and writes it into the URL: in a new history entry, or in the current one if that is typed. */
  const commit = useCallback(
    (origin: Origin) => {
      clearTimeout(timer.current)
      const next = latestDraft.current
      // At another address (a cursor, or a record or municipality that could not be loaded), the page does not show the
      // first page of its search. There an equal search is run too.
      const isFirstPageShown = !hasCursor(location.search) && isStartPage()
      // An equal search stays the same object, which `useSearch` (use-search.ts) does not run again.
      setSearch((before) => (isFirstPageShown && isSameSearch(before, next) ? before : next))
      const isUrlChanged = !isFirstPageShown || !isSameSearch(parsePageUrl(location.search), next)
      writeHistory(origin, isUrlChanged, toPageUrl(next, languageParameter))
    },
    [languageParameter],
  )

  const changeDraft = useCallback((change: Partial<Search>) => {
    latestDraft.current = { ...latestDraft.current, ...change }
    setDraft(latestDraft.current)
  }, [])

  const type = useCallback(
    (change: Partial<Search>) => {
      changeDraft(change)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => commit('typed'), typingPauseMs)
    },
    [changeDraft, commit],
  )

  const choose = useCallback(
    (change: Partial<Search>) => {
      // A typed entry becomes a chosen one before the change, which would replace it: Back then leads to the words.
      const isChanged = !isSameSearch({ ...latestDraft.current, ...change }, latestDraft.current)
      if (isChanged && readOrigin() === 'typed') commit('chosen')
      changeDraft(change)
      commit('chosen')
    },
    [changeDraft, commit],
  )

  useEffect(() => {
    /** Shows the search of the history entry that Back or Forward has led to. */
    const restore = (): void => {
      clearTimeout(timer.current)
      // Some addresses only the server can show: a cursor, an INE code (`needsServer`), a record or a municipality. The
      // entry with which the page was opened may have one. It has no state; `writeHistory` has made all others.
      const isOpeningEntry = history.state === null
      if (isOpeningEntry && (needsServer(location.search) || !isStartPage())) {
        location.reload()
        return
      }
      latestDraft.current = parsePageUrl(location.search)
      setDraft(latestDraft.current)
      setSearch(latestDraft.current)
    }
    addEventListener('popstate', restore)
    return () => removeEventListener('popstate', restore)
  }, [])

  return { draft, search, type, choose }
}

/**
 * Whether the address is that of the start page. The start page is also shown at the address of a record or
 * municipality that could not be loaded.
 */
function isStartPage(): boolean {
  return location.pathname === new URL('.', document.baseURI).pathname
}

/**
 * Writes the URL into the history. What happens to the current entry:
 *
 *                     other URL           same URL, typed     same URL, chosen (such as Enter)
 *     chosen entry    stays, new entry    stays               stays
 *     typed entry     is replaced         stays               becomes a chosen entry
 */
function writeHistory(origin: Origin, isUrlChanged: boolean, url: string): void {
  const isEntryTyped = readOrigin() === 'typed'
  if (isUrlChanged && !isEntryTyped) history.pushState({ origin }, '', url)
  else if (isUrlChanged || (isEntryTyped && origin === 'chosen')) history.replaceState({ origin }, '', url)
}

/** How the current history entry was made; `chosen` if this hook has not made it, as on the first visit. */
function readOrigin(): Origin {
  const state: unknown = history.state
  const isTyped = typeof state === 'object' && state !== null && 'origin' in state && state.origin === 'typed'
  return isTyped ? 'typed' : 'chosen'
}
