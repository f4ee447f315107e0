// The counts by year and by place, as a bar chart and a map. On a wide screen they stand next to the results; on a
// narrower one they are collapsed above them. The server renders each after the rest of the page (deferred-part.tsx).
import type { JSX } from 'preact'
import { DeferredPart } from './deferred-part.tsx'
import { ChevronIcon } from './icons.tsx'
import { MapPanel } from './map-panel.tsx'
import type { SearchCounts } from './search-result.ts'
import type { Search } from './search-url.ts'
import { useLocale } from './site-context.ts'
import { YearPanel } from './year-panel.tsx'

export interface ChartsProps {
  /** The contents of the form, whose years are marked in the chart. `counts` may be those of an earlier search. */
  readonly draft: Search
  readonly counts: SearchCounts
  readonly onChoose: (change: Partial<Search>) => void
}

export function Charts({ draft, counts, onChoose }: ChartsProps): JSX.Element {
  const { strings } = useLocale()
  return (
    <aside class="charts" aria-label={strings.charts}>
      {/* On a wide screen the style sheet shows the content even while the element is closed. */}
      <details class="fold">
        <summary>
          {strings.charts}
          <ChevronIcon />
        </summary>
        <div class="panels">
          <DeferredPart>
            <YearPanel draft={draft} byYear={counts.byYear} onChoose={onChoose} />
          </DeferredPart>
          {counts.places !== null && (
            <DeferredPart>
              <MapPanel search={counts.search} counts={counts.places} onChoose={onChoose} />
            </DeferredPart>
          )}
        </div>
      </details>
    </aside>
  )
}
