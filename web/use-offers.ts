// Preact hook for the offers: other searches that the typed words may stand for, such as one in the municipality that
// they name. Offers are looked up while the user types.
import { useEffect, useRef, useState } from 'preact/hooks'
import { openService } from './browser-service.ts'
import { findOffers } from './offers.ts'
import { type PlaceIndex, toPlaceIndex } from './place-index.ts'
import type { Offer } from './search-result.ts'
import { isSameSearch, type Search } from './search-url.ts'
import { useMunicipalities } from './use-municipalities.ts'

/** Offers are looked up when the user has not typed for this time. */
const typingPauseMs = 250

/**
 * The offers for the draft, which is the contents of the form. Until they have been looked up, there are none, or those
 * for the beginning of its words. `initialOffers` are those for `initialSearch`, with which the page was opened.
 */
export function useOffers(draft: Search, initialSearch: Search, initialOffers: readonly Offer[]): readonly Offer[] {
  /** The offers that were looked up last, and the draft for which they were. */
  const [latest, setLatest] = useState({ draft: initialSearch, offers: initialOffers })
  /** Whether the draft was ever changed. Before that, nothing is requested: the offers came with the page. */
  const hasChanged = useRef(false)
  if (!isSameSearch(draft, initialSearch)) hasChanged.current = true
  const needsMunicipalities = hasChanged.current && draft.words.trim() !== ''
  // The argument is how often the list was needed, because the municipality field requests it again after a failure.
  // Here it is needed once or never; without it there are no new offers.
  const municipalities = useMunicipalities(needsMunicipalities ? 1 : 0)
  /** The index of the places in the list of municipalities; null until it is first needed. */
  const cached = useRef<{ readonly list: typeof municipalities; readonly index: PlaceIndex } | null>(null)
  useEffect(() => {
    if (!needsMunicipalities || municipalities === null) return
    if (cached.current?.list !== municipalities)
      cached.current = { list: municipalities, index: toPlaceIndex(municipalities) }
    const controller = new AbortController()
    const { index } = cached.current
    const timer = setTimeout(() => {
      // `findOffers` never rejects: an offer whose records cannot be counted is left out.
      findOffers(openService(controller.signal), draft, index).then((found) => {
        if (!controller.signal.aborted) setLatest({ draft, offers: found })
      })
    }, typingPauseMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [draft, municipalities])
  return continues(draft, latest.draft) ? latest.offers : []
}

/** Whether the user has at most typed on. So the offers for `plan ávila` stay for `plan ávila n` and do not flicker. */
function continues(draft: Search, earlier: Search): boolean {
  return draft.words.startsWith(earlier.words) && isSameSearch({ ...earlier, words: draft.words }, draft)
}
