// The counts by year: the bar chart, fields for the chosen range, and the same counts as a table.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { CountTable } from './count-table.tsx'
import { useLocale } from './locale-context.ts'
import { toYearRange, type YearRange } from './search-url.ts'
import type { YearCount } from './service.ts'
import { YearChart } from './year-chart.tsx'

export interface YearPanelProps {
  /** The counts of the search, ascending; null until they arrive. */
  readonly byYear: readonly YearCount[] | null
  /** The years of the whole registry, so that the chart shows the same years for every search. */
  readonly allYears: readonly YearCount[] | null
  /** The chosen years; null for all. */
  readonly years: YearRange | null
  readonly onChoose: (years: YearRange | null) => void
}

export function YearPanel({ byYear, allYears, years, onChoose }: YearPanelProps): JSX.Element {
  const { strings, formatRecordCount } = useLocale()
  const [hovered, setHovered] = useState<number | null>(null)
  const bars = fillGaps(byYear ?? [], allYears ?? [])
  const peak = (byYear ?? []).reduce<YearCount | null>(
    (most, year) => (year.records > (most?.records ?? 0) ? year : most),
    null,
  )
  const first = byYear?.at(0)
  const last = byYear?.at(-1)
  const summary =
    peak === null || first === undefined || last === undefined
      ? ''
      : strings.yearChartSummary(
          String(first.year),
          String(last.year),
          String(peak.year),
          formatRecordCount(peak.records),
        )
  const hoveredBar = bars.find(({ year }) => year === hovered)
  return (
    <section class="panel years">
      <h2 id="chart-heading">{strings.yearChart}</h2>
      <YearChart bars={bars} years={years} describedBy="chart-summary" onChoose={onChoose} onHover={setHovered} />
      <p class="readout" aria-hidden="true">
        {hoveredBar === undefined
          ? strings.yearChartHint
          : `${hoveredBar.year}: ${formatRecordCount(hoveredBar.records)}`}
      </p>
      <p class="visually-hidden" id="chart-summary">
        {summary}
      </p>
      {years !== null && <RangeFields bars={bars} years={years} onChoose={onChoose} />}
      <CountTable
        heading={strings.tableYear}
        caption={strings.yearChart}
        rows={(byYear ?? []).toReversed().map(({ year, records: count }) => ({
          key: String(year),
          label: String(year),
          records: count,
          isChosen: years !== null && year >= years.from && year <= years.to,
        }))}
        onChoose={(key) => onChoose({ from: Number(key), to: Number(key) })}
      />
    </section>
  )
}

interface RangeFieldsProps {
  readonly bars: readonly YearCount[]
  readonly years: YearRange
  readonly onChoose: (years: YearRange | null) => void
}

/** Alternative to dragging over the chart (WCAG 2.2, 2.5.7). */
function RangeFields({ bars, years, onChoose }: RangeFieldsProps): JSX.Element {
  const { strings } = useLocale()
  const chartYears = bars.map(({ year }) => year)
  // A year from the URL may be outside the chart.
  const toOptions = (year: number): number[] => (chartYears.includes(year) ? chartYears : [year, ...chartYears])
  return (
    <div class="range">
      <label>
        {strings.from}
        <select
          value={String(years.from)}
          onChange={(event) => onChoose(toYearRange(Number(event.currentTarget.value), years.to))}
        >
          {toOptions(years.from).map((year) => (
            <option key={year}>{year}</option>
          ))}
        </select>
      </label>
      <label>
        {strings.to}
        <select
          value={String(years.to)}
          onChange={(event) => onChoose(toYearRange(years.from, Number(event.currentTarget.value)))}
        >
          {toOptions(years.to).map((year) => (
            <option key={year}>{year}</option>
          ))}
        </select>
      </label>
      <button type="button" class="quiet" onClick={() => onChoose(null)}>
        {strings.allYears}
      </button>
    </div>
  )
}

/** One count for each year of the registry; 0 for years without matches. */
function fillGaps(byYear: readonly YearCount[], allYears: readonly YearCount[]): YearCount[] {
  const counts = new Map(byYear.map(({ year, records }) => [year, records]))
  const first = Math.min(...[...allYears, ...byYear].map(({ year }) => year))
  const last = Math.max(...[...allYears, ...byYear].map(({ year }) => year))
  if (!Number.isFinite(first)) return []
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const year = first + index
    return { year, records: counts.get(year) ?? 0 }
  })
}
