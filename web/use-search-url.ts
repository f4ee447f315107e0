// Keeps the search in the page's URL. Typed words are searched after a pause and share one history entry; a choice is
// searched at once and gets its own entry, so that Back undoes it.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { isSameSearch, parsePageUrl, type Search, toPageUrl } from './search-url.ts'
import { useSite } from './site-context.ts'

export interface SearchUrlState {
  /** The contents of the form. */
  readonly draft: Search
  /** The search that is run. */
  readonly search: Search
  /** Changes the draft; the search follows after a pause. */
  readonly type: (change: Partial<Search>) => void
  /** Changes the draft and the search at once. */
  readonly choose: (change: Partial<Search>) => void
}

const typingPauseMs = 200

/** `initial` is the search of the address with which the page was opened. */
export function useSearchUrl(initial: Search): SearchUrlState {
  const { languageParameter } = useSite()
  const [draft, setDraft] = useState(initial)
  const [search, setSearch] = useState(draft)
  // The draft as it is now. Callbacks read it here, because `draft` is that of the last rendering.
  const latestDraft = useRef(draft)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  /** Searches the draft and writes it into the URL. A history entry made by typing is replaced by the next one. */
  const commit = useCallback(
    (origin: 'typed' | 'chosen') => {
      clearTimeout(timer.current)
      const next = latestDraft.current
      setSearch((before) => (isSameSearch(before, next) ? before : next))
      const isNew = !isSameSearch(parsePageUrl(location.search), next)
      const isEntryTyped = currentOrigin() === 'typed'
      // A typed entry becomes a chosen one, never the reverse: the next typing would replace it.
      const isEntryConfirmed = isEntryTyped && origin === 'chosen'
      const url = toPageUrl(next, languageParameter)
      if (isNew && !isEntryTyped) history.pushState({ origin }, '', url)
      else if (isNew || isEntryConfirmed) history.replaceState({ origin }, '', url)
    },
    [languageParameter],
  )

  const changeDraft = useCallback((part: Partial<Search>) => {
    latestDraft.current = { ...latestDraft.current, ...part }
    setDraft(latestDraft.current)
  }, [])

  const type = useCallback(
    (part: Partial<Search>) => {
      changeDraft(part)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => commit('typed'), typingPauseMs)
    },
    [changeDraft, commit],
  )

  const choose = useCallback(
    (part: Partial<Search>) => {
      // Marks the entry of the typed words as chosen, so that the choice gets an entry of its own.
      const isChange = !isSameSearch({ ...latestDraft.current, ...part }, latestDraft.current)
      if (isChange && currentOrigin() === 'typed') commit('chosen')
      changeDraft(part)
      commit('chosen')
    },
    [changeDraft, commit],
  )

  useEffect(() => {
    const restore = (): void => {
      clearTimeout(timer.current)
      latestDraft.current = parsePageUrl(location.search)
      setDraft(latestDraft.current)
      setSearch(latestDraft.current)
    }
    addEventListener('popstate', restore)
    return () => removeEventListener('popstate', restore)
  }, [])

  return { draft, search, type, choose }
}

/** How the current history entry was made; `chosen` for an entry of another page or of the first visit. */
function currentOrigin(): 'typed' | 'chosen' {
  const state: unknown = history.state
  const isTyped = typeof state === 'object' && state !== null && 'origin' in state && state.origin === 'typed'
  return isTyped ? 'typed' : 'chosen'
}
