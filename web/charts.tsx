// The counts by year and by place, as a bar chart and a map, and by the values of the office's own columns, as lists. On a wide screen they are beside the results; on a
// narrower one they follow them, folded.

import { FieldPanels } from './field-panels.tsx'
import { ChevronIcon } from './icons.tsx'
import type { JSX } from './jsx-runtime.ts'
import { MapPanel } from './map-panel.tsx'
import type { SearchCounts } from './search-result.ts'
import type { Search } from './search-url.ts'
import { useLocale, useSite } from './site-context.ts'
import { YearPanel } from './year-panel.tsx'

export interface ChartsProps {
  readonly search: Search
  readonly counts: SearchCounts
}

export function Charts({ search, counts }: ChartsProps): JSX.Element {
  const { strings } = useLocale()
  const { registry } = useSite()
  // Null if no place has records in the years of the search, or if they could not be counted.
  const places = registry.municipalities > 1 ? counts.places : null
  return (
    <aside class="charts" id="charts" aria-label={strings.charts}>
      {/* On a wide screen the style sheet shows the content even while the element is closed. */}
      <details class="fold" id="charts-fold">
        <summary>
          {strings.charts}
          <ChevronIcon />
        </summary>
        <div class="panels">
          <YearPanel search={search} byYear={counts.byYear} />
          <FieldPanels search={search} counts={counts.byField} />
          {places !== null && <MapPanel search={search} counts={places} />}
        </div>
      </details>
    </aside>
  )
}
