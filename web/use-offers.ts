// Preact hook that finds what else the typed words may mean, while they are typed.
import { useEffect, useRef, useState } from 'preact/hooks'
import { openService } from './browser-service.ts'
import { findOffers } from './offers.ts'
import { type PlaceIndex, toPlaceIndex } from './place-index.ts'
import type { Offer } from './search-result.ts'
import { isSameSearch, type Search } from './search-url.ts'
import { useMunicipalities } from './use-municipalities.ts'

const typingPauseMs = 250

/** `initial` are the offers for the search with which the page was opened. */
export function useOffers(draft: Search, initialSearch: Search, initial: readonly Offer[]): readonly Offer[] {
  const [offers, setOffers] = useState(initial)
  /** Whether the draft was ever changed. Before that, nothing is requested: the offers came with the page. */
  const hasChanged = useRef(false)
  if (!isSameSearch(draft, initialSearch)) hasChanged.current = true
  // Loads the municipalities as if a field had the focus once.
  const municipalities = useMunicipalities(hasChanged.current && draft.words.trim() !== '' ? 1 : 0)
  /** The index, and the list that it was made of. */
  const index = useRef<{ readonly of: typeof municipalities; readonly index: PlaceIndex } | null>(null)
  useEffect(() => {
    if (!hasChanged.current) return
    if (draft.words.trim() === '') return setOffers([])
    if (municipalities === null) return
    if (index.current?.of !== municipalities)
      index.current = { of: municipalities, index: toPlaceIndex(municipalities) }
    const controller = new AbortController()
    const places = index.current.index
    const timer = setTimeout(() => {
      findOffers(openService(controller.signal), draft, places).then((found) => {
        if (!controller.signal.aborted) setOffers(found)
      })
    }, typingPauseMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [draft, municipalities])
  return offers
}
