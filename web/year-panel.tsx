// The counts by year: the bar chart, fields for the chosen range, and the same counts as a table.
import type { JSX } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { CountTable } from './count-table.tsx'
import { readEarlyRange } from './early-input.ts'
import { FilterLink } from './filter-link.tsx'
import type { Locale } from './locale.ts'
import { hasPeriod, isInRange, type Search, toFilters, toRangeBetween, toYearChange, toYears } from './search-url.ts'
import type { YearCount } from './service.ts'
import { useLocale, useSite, useUrls } from './site-context.ts'
import { YearChart } from './year-chart.tsx'

/**
 * The chart has at most this many years before and after the year with the most records. A mistyped date, such as one
 * in the year 2904, would otherwise leave hardly any width for the other years.
 */
const chartYearsAroundPeak = 150

export interface YearPanelProps {
  /** The contents of the form, which may be ahead of the counts. */
  readonly draft: Search
  /** The counts in all years, ascending. */
  readonly byYear: readonly YearCount[]
  readonly onChoose: (change: Partial<Search>) => void
}

export function YearPanel({ draft, byYear, onChoose }: YearPanelProps): JSX.Element {
  const locale = useLocale()
  const { strings, formatRecordCount } = locale
  const { registry } = useSite()
  const urls = useUrls()
  /** The year under the pointer or the keyboard cursor of the chart; null for none. */
  const [hovered, setHovered] = useState<number | null>(null)
  // The chart shows the years of the whole registry, so that they are the same for every search. The years of the
  // search are added, because the registry may have gained a year since the page was loaded. So a year may occur twice.
  const knownCounts = [...(registry?.byYear ?? []), ...byYear]
  const registryYears = [...new Set(knownCounts.map(({ year }) => year))].sort((a, b) => a - b)
  const chartYears = toChartYears(registryYears, findPeak(knownCounts)?.year ?? 0)
  const counts = new Map(byYear.map(({ year, records }) => [year, records]))
  const bars = chartYears.map((year) => ({ year, records: counts.get(year) ?? 0 }))
  // Whether the search has records in years that the chart leaves out.
  const isClipped = byYear.some(({ year }) => !chartYears.includes(year))
  // If the search has only a first or only a last date, the other end of the range is that of the registry. The page
  // shows this panel only if a year has records, so there is at least one year; only the type asks for the 0.
  const chosenRange = toYears(draft, registryYears[0] ?? 0, registryYears.at(-1) ?? 0)
  const hoveredBar = bars.find(({ year }) => year === hovered)
  return (
    <section class="panel years">
      <h2 id="chart-heading">{strings.yearChart}</h2>
      <YearChart
        bars={bars}
        years={chosenRange}
        describedBy={isClipped ? 'chart-summary chart-note' : 'chart-summary'}
        onChoose={(range) => onChoose(toYearChange(range))}
        onHover={setHovered}
      />
      <p class="readout" aria-hidden="true">
        {hoveredBar === undefined
          ? strings.yearChartHint
          : `${hoveredBar.year}: ${formatRecordCount(hoveredBar.records)}`}
      </p>
      <p class="visually-hidden" id="chart-summary">
        {describeYears(byYear, locale)}
      </p>
      {isClipped && (
        <p class="small" id="chart-note">
          {strings.yearChartNote(String(chartYears[0]), String(chartYears.at(-1)))}
        </p>
      )}
      <RangeFields
        // All years of the chart can be chosen, and all years with records, also those outside the chart.
        years={[...new Set([...registryYears, ...chartYears])].sort((a, b) => a - b)}
        draft={draft}
        onChoose={onChoose}
      />
      <CountTable
        summary={strings.showTable}
        heading={strings.tableYear}
        caption={strings.yearChart}
        visibleRows={0}
        rows={[...byYear].reverse().map(({ year, records }) => {
          const change = toYearChange({ from: year, to: year })
          return {
            key: String(year),
            label: String(year),
            records,
            isChosen: chosenRange !== null && isInRange(year, chosenRange),
            href: urls.search({ ...draft, ...change }),
            onFollow: () => onChoose(change),
          }
        })}
      />
    </section>
  )
}

/** The chart in words, for screen readers; empty if no year has records. */
function describeYears(byYear: readonly YearCount[], { strings, formatRecordCount }: Locale): string {
  const peak = findPeak(byYear)
  if (peak === null) return ''
  const first = String(byYear.at(0)?.year)
  const last = String(byYear.at(-1)?.year)
  return strings.yearChartSummary(first, last, String(peak.year), formatRecordCount(peak.records))
}

/** The year with the most records; null if there are none. */
function findPeak(byYear: readonly YearCount[]): YearCount | null {
  return byYear.reduce<YearCount | null>((most, year) => (year.records > (most?.records ?? 0) ? year : most), null)
}

interface RangeFieldsProps {
  /** Ascending. */
  readonly years: readonly number[]
  readonly draft: Search
  readonly onChoose: (change: Partial<Search>) => void
}

/**
 * Two fields for the first and the last year: an alternative to dragging over the chart (WCAG 2.2, 2.5.7). Without
 * JavaScript the browser sends them as a form.
 */
function RangeFields({ years, draft, onChoose }: RangeFieldsProps): JSX.Element {
  const { strings } = useLocale()
  const { languageParameter } = useSite()
  const urls = useUrls()
  // There is at least one year, as in `YearPanel`.
  const first = years[0] ?? 0
  const last = years.at(-1) ?? 0
  const { from, to } = toYears(draft, first, last) ?? { from: first, to: last }
  const { checkin_date: _year, checkin_from: _from, checkin_to: _to, ...otherFilters } = toFilters(draft)
  const formElement = useRef<HTMLFormElement>(null)
  // The user may choose a first year after the last one; the range then has them in order.
  const choose = (a: number, b: number): void => onChoose(toYearChange(toRangeBetween(a, b)))
  // Takes over the years that were chosen before the scripts arrived. A layout effect runs before the next rendering,
  // which would overwrite them.
  useLayoutEffect(() => {
    const early = formElement.current === null ? null : readEarlyRange(formElement.current)
    if (early !== null && (early.from !== from || early.to !== to)) choose(early.from, early.to)
  }, [])
  return (
    // With autocompletion, Back or a reload would fill in a choice again, which would then be searched again.
    <form class="range" action="./" autoComplete="off" ref={formElement}>
      {Object.entries({ ...otherFilters, ...languageParameter }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <YearSelect
        name="checkin_from"
        label={strings.from}
        years={years}
        year={from}
        onChoose={(year) => choose(year, to)}
      />
      <YearSelect
        name="checkin_to"
        label={strings.to}
        years={years}
        year={to}
        onChoose={(year) => choose(from, year)}
      />
      {/* A browser with JavaScript reads the content of noscript as text, so Preact could not hydrate a child. */}
      <noscript dangerouslySetInnerHTML={{ __html: `<button class="quiet">${strings.applyYears}</button>` }} />
      {hasPeriod(draft) && (
        <FilterLink
          class="quiet"
          href={urls.search({ ...draft, from: '', to: '' })}
          onFollow={() => onChoose({ from: '', to: '' })}
        >
          {strings.allYears}
        </FilterLink>
      )}
    </form>
  )
}

interface YearSelectProps {
  readonly name: string
  readonly label: string
  readonly years: readonly number[]
  readonly year: number
  readonly onChoose: (year: number) => void
}

function YearSelect({ name, label, years, year, onChoose }: YearSelectProps): JSX.Element {
  // A year from the URL may be outside the chart.
  const options = years.includes(year) ? years : [year, ...years]
  return (
    <label>
      {label}
      {/* `value` shows the year that is searched, which may not be the chosen one: `choose` puts both years in order. */}
      <select
        name={name}
        autoComplete="off"
        value={String(year)}
        onChange={(event) => onChoose(Number(event.currentTarget.value))}
      >
        {options.map((option) => (
          <option key={option} value={String(option)}>
            {option}
          </option>
        ))}
      </select>
    </label>
  )
}

/**
 * All years from the first to the last one of `registryYears`, which are ascending. Those that are more than
 * `chartYearsAroundPeak` from `peak`, the year with the most records, are left out. Empty without any year.
 */
function toChartYears(registryYears: readonly number[], peak: number): number[] {
  const near = registryYears.filter((year) => Math.abs(year - peak) <= chartYearsAroundPeak)
  const [first] = near
  const last = near.at(-1)
  if (first === undefined || last === undefined) return []
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
