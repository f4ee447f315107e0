// The counts by year and by municipality, as a bar chart and a map. On a wide screen they stand next to the results; on
// a phone they are collapsed. The map is loaded when it first becomes visible.
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { WireSummary } from '../src/client/client.ts'
import { ChevronIcon } from './icons.tsx'
import { useLocale } from './locale-context.ts'
import { MapPanel } from './map-panel.tsx'
import type { Search } from './search-url.ts'
import type { SearchCounts } from './use-search.ts'
import { YearPanel } from './year-panel.tsx'

export interface ChartsProps {
  /** Null until the first result arrives. */
  readonly counts: SearchCounts | null
  readonly registrySummary: WireSummary | null
  readonly onChoose: (change: Partial<Search>) => void
}

export function Charts({ counts, registrySummary, onChoose }: ChartsProps): JSX.Element {
  const { strings } = useLocale()
  const search = counts?.search ?? null
  const summary = counts?.summary ?? null
  const [isOpen, setOpen] = useState(wideScreen.matches)
  useEffect(() => {
    const followWidth = (): void => setOpen(wideScreen.matches)
    wideScreen.addEventListener('change', followWidth)
    return () => wideScreen.removeEventListener('change', followWidth)
  }, [])
  const map = useRef<HTMLDivElement>(null)
  const hasMapBeenVisible = useHasBeenVisible(map, isOpen)
  return (
    <aside class="charts" aria-label={strings.charts}>
      <details class="fold" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          {strings.charts}
          <ChevronIcon />
        </summary>
        <div class="panels">
          <YearPanel
            byYear={summary?.by_year ?? null}
            allYears={registrySummary?.by_year ?? summary?.by_year ?? null}
            years={search?.years ?? null}
            onChoose={(years) => onChoose({ years })}
          />
          <div ref={map}>
            <MapPanel
              isNeeded={hasMapBeenVisible}
              search={search}
              summary={summary}
              registrySummary={registrySummary}
              onChoose={onChoose}
            />
          </div>
        </div>
      </details>
    </aside>
  )
}

/** The width from which the style sheet places the charts next to the results. */
const wideScreen = matchMedia('(min-width: 62rem)')

/** Whether the element has ever been visible. It can only be visible while the charts are open. */
function useHasBeenVisible(element: { readonly current: Element | null }, isOpen: boolean): boolean {
  const [hasBeenVisible, setHasBeenVisible] = useState(false)
  useEffect(() => {
    if (hasBeenVisible || !isOpen || element.current === null) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setHasBeenVisible(true)
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [hasBeenVisible, isOpen, element])
  return hasBeenVisible
}
