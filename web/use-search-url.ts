// Keeps the search in the page's URL. Typed words are searched after a pause and share one history entry; a choice is
// searched at once and gets its own entry, so that Back undoes it.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { isSameSearch, parsePageUrl, type Search, toPageUrl } from './search-url.ts'

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

export function useSearchUrl(): SearchUrlState {
  const [draft, setDraft] = useState(() => parsePageUrl(location.search))
  const [search, setSearch] = useState(draft)
  const latest = useRef(draft)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const commit = useCallback((typing: boolean) => {
    clearTimeout(timer.current)
    const next = latest.current
    setSearch((before) => (isSameSearch(before, next) ? before : next))
    const isNew = !isSameSearch(parsePageUrl(location.search), next)
    if (isNew && !isTyping()) history.pushState({ typing }, '', toPageUrl(next))
    else if (isNew || isTyping() !== typing) history.replaceState({ typing }, '', toPageUrl(next))
  }, [])

  const change = useCallback((part: Partial<Search>) => {
    latest.current = { ...latest.current, ...part }
    setDraft(latest.current)
  }, [])

  const type = useCallback(
    (part: Partial<Search>) => {
      change(part)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => commit(true), typingPauseMs)
    },
    [change, commit],
  )

  const choose = useCallback(
    (part: Partial<Search>) => {
      // Typed words get a history entry of their own before the choice is added.
      if (isTyping() && !isSameSearch({ ...latest.current, ...part }, latest.current)) commit(false)
      change(part)
      commit(false)
    },
    [change, commit],
  )

  useEffect(() => {
    const restore = (): void => {
      clearTimeout(timer.current)
      latest.current = parsePageUrl(location.search)
      setDraft(latest.current)
      setSearch(latest.current)
    }
    addEventListener('popstate', restore)
    return () => removeEventListener('popstate', restore)
  }, [])

  return { draft, search, type, choose }
}

/** Whether the current history entry is the one that typing updates. */
function isTyping(): boolean {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && 'typing' in state && state.typing === true
}
