// What was found, as a picture: by year and by municipality. On a wide screen it stands beside the results, on a
// phone it folds into one line; nothing of the map is loaded before it is seen.
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ChevronIcon } from './icons.tsx'
import { useLocale } from './locale-context.ts'
import { MapPanel } from './map-panel.tsx'
import type { Search } from './search-url.ts'
import type { WireSummary } from './service.ts'
import type { Counted } from './use-search.ts'
import { YearPanel } from './year-panel.tsx'

export interface ChartsProps {
  /** What was counted, and for which search; null before the first answer. */
  readonly counted: Counted | null
  readonly whole: WireSummary | null
  readonly onChoose: (change: Partial<Search>) => void
}

export function Charts({ counted, whole, onChoose }: ChartsProps): JSX.Element {
  const { strings } = useLocale()
  const search = counted?.search ?? null
  const summary = counted?.summary ?? null
  const [open, setOpen] = useState(wideScreen.matches)
  useEffect(() => {
    const follow = (): void => setOpen(wideScreen.matches)
    wideScreen.addEventListener('change', follow)
    return () => wideScreen.removeEventListener('change', follow)
  }, [])
  const map = useRef<HTMLDivElement>(null)
  const isMapSeen = useSeen(map, open)
  return (
    <aside class="charts" aria-label={strings.pictures}>
      <details class="fold" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          {strings.pictures}
          <ChevronIcon />
        </summary>
        <div class="panels">
          <YearPanel
            byYear={summary?.by_year ?? null}
            span={whole?.by_year ?? summary?.by_year ?? null}
            years={search?.years ?? null}
            onChoose={(years) => onChoose({ years })}
          />
          <div ref={map}>
            <MapPanel seen={isMapSeen} search={search} summary={summary} whole={whole} onChoose={onChoose} />
          </div>
        </div>
      </details>
    </aside>
  )
}

/** The width at which the style sheet puts the pictures beside the results. */
const wideScreen = matchMedia('(min-width: 62rem)')

/** Whether the element has been on screen; once seen it stays seen. */
function useSeen(element: { readonly current: Element | null }, open: boolean): boolean {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (seen || !open || element.current === null) return
    const watch = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setSeen(true)
    })
    watch.observe(element.current)
    return () => watch.disconnect()
  }, [seen, open, element])
  return seen
}
