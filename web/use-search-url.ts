// The search at hand, kept in the page's address: what is typed is asked a moment later and shares one entry of the
// history; what is chosen is asked at once and gets an entry of its own, so that Back undoes it.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { isSameSearch, parsePageUrl, type Search, toPageUrl } from './search-url.ts'

export interface SearchUrlState {
  /** What the fields hold. */
  readonly draft: Search
  /** What is asked for. */
  readonly search: Search
  readonly type: (change: Partial<Search>) => void
  readonly choose: (change: Partial<Search>) => void
}

const typingPauseMs = 200

export function useSearchUrl(): SearchUrlState {
  const [draft, setDraft] = useState(() => parsePageUrl(location.search))
  const [search, setSearch] = useState(draft)
  const latest = useRef(draft)
  const pause = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const settle = useCallback((typing: boolean) => {
    clearTimeout(pause.current)
    const next = latest.current
    setSearch((before) => (isSameSearch(before, next) ? before : next))
    const moved = !isSameSearch(parsePageUrl(location.search), next)
    if (moved && !isTyping()) history.pushState({ typing }, '', toPageUrl(next))
    else if (moved || isTyping() !== typing) history.replaceState({ typing }, '', toPageUrl(next))
  }, [])

  const change = useCallback((part: Partial<Search>) => {
    latest.current = { ...latest.current, ...part }
    setDraft(latest.current)
  }, [])

  const type = useCallback(
    (part: Partial<Search>) => {
      change(part)
      clearTimeout(pause.current)
      pause.current = setTimeout(() => settle(true), typingPauseMs)
    },
    [change, settle],
  )

  const choose = useCallback(
    (part: Partial<Search>) => {
      // What was being typed becomes an entry of its own before something else is chosen on top of it.
      if (isTyping() && !isSameSearch({ ...latest.current, ...part }, latest.current)) settle(false)
      change(part)
      settle(false)
    },
    [change, settle],
  )

  useEffect(() => {
    const goBack = (): void => {
      clearTimeout(pause.current)
      latest.current = parsePageUrl(location.search)
      setDraft(latest.current)
      setSearch(latest.current)
    }
    addEventListener('popstate', goBack)
    return () => removeEventListener('popstate', goBack)
  }, [])

  return { draft, search, type, choose }
}

function isTyping(): boolean {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && 'typing' in state && state.typing === true
}
