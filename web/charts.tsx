// The counts by year and by place, as a bar chart and a map. On a wide screen both are next to the results; on a
// narrower one they are collapsed above them. The server renders the chart and the map after the rest of the page
// (deferred-part.tsx).
import type { JSX } from 'preact'
import { DeferredPart } from './deferred-part.tsx'
import { ChevronIcon } from './icons.tsx'
import { MapPanel } from './map-panel.tsx'
import type { SearchCounts } from './search-result.ts'
import type { Search } from './search-url.ts'
import { useLocale } from './site-context.ts'
import { YearPanel } from './year-panel.tsx'

export interface ChartsProps {
  /** The contents of the form, whose years are marked in the chart. */
  readonly draft: Search
  /** The counts of the last counted search, which may be older than `draft`. The map belongs to that search. */
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
          {/* Null if no place has records in the years of the search, or if they could not be counted. */}
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
