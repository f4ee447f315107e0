// The counts by year: the bar chart, fields for a range of years, and the same counts as a table. Each bar is a link to
// its year. The script adds dragging and the keyboard (browser/charts.ts).

import { CountTable } from './count-table.tsx'
import type { JSX } from './jsx-runtime.ts'
import type { Locale } from './locale.ts'
import type { YearCount } from './search-result.ts'
import { hasPeriod, isInRange, type Search, toFilters, toYearChange, toYears, type YearRange } from './search-url.ts'
import { useLocale, useSite, useUrls } from './site-context.ts'

/**
 * The chart has at most this many years before and after the year with the most records. A mistyped date, such as one
 * in the year 2904, would otherwise leave hardly any width for the other years.
 */
const chartYearsAroundPeak = 150

export interface YearPanelProps {
  readonly search: Search
  /** The counts in all years, ascending. */
  readonly byYear: readonly YearCount[]
}

export function YearPanel({ search, byYear }: YearPanelProps): JSX.Element {
  const locale = useLocale()
  const { strings } = locale
  const { registry } = useSite()
  const toYearUrl = useYearUrl(search)
  // The chart shows the years of the whole registry, so that they are the same for every search.
  const first = registry.byYear[0]?.year ?? 0
  const last = registry.byYear.at(-1)?.year ?? 0
  const chartYears = toChartYears(registry.byYear)
  // Whether the search has records in years that the chart leaves out.
  const isClipped = byYear.some(({ year }) => year < Number(chartYears[0]) || year > Number(chartYears.at(-1)))
  const recordsByYear = new Map(byYear.map(({ year, records }) => [year, records]))
  // If the search has only a first or only a last date, the other end of the range is that of the registry.
  const chosen = toYears(search, first, last)
  return (
    <section class="panel years" data-readout>
      <h2 id="chart-heading">{strings.yearChart}</h2>
      <YearChart
        bars={chartYears.map((year) => ({ year, records: recordsByYear.get(year) ?? 0 }))}
        chosen={chosen}
        toYearUrl={toYearUrl}
        describedBy={isClipped ? 'chart-summary chart-note' : 'chart-summary'}
      />
      <p class="readout" aria-hidden="true">
        {strings.yearChartHint}
      </p>
      <p class="visually-hidden" id="chart-summary">
        {describeYears(byYear, locale)}
      </p>
      {isClipped && (
        <p class="small" id="chart-note">
          {strings.yearChartNote(String(chartYears[0]), String(chartYears.at(-1)))}
        </p>
      )}
      <RangeFields first={first} last={last} chosen={chosen} search={search} />
      <CountTable
        id="years-table"
        summary={strings.showTable}
        heading={strings.tableYear}
        caption={strings.yearChart}
        visibleRows={0}
        rows={byYear.toReversed().map(({ year, records }) => ({
          label: String(year),
          records,
          isChosen: chosen !== null && isInRange(year, chosen),
          href: toYearUrl(year),
        }))}
      />
    </section>
  )
}

/** Returns a function that gives the address of the search in a year; in all years if that one is chosen already. */
function useYearUrl(search: Search): (year: number) => string {
  const inAllYears = useUrls().search({ ...search, ...toYearChange(null) })
  const start = `${inAllYears}${inAllYears.includes('?') ? '&' : '?'}checkin_date=`
  return (year) => {
    const { from, to } = toYearChange({ from: year, to: year })
    return search.from === from && search.to === to ? inAllYears : start + from
  }
}

interface YearChartProps {
  /** Consecutive years, including those without records. */
  readonly bars: readonly YearCount[]
  /** The chosen years; null for all. */
  readonly chosen: YearRange | null
  readonly toYearUrl: (year: number) => string
  /** The ids of the elements that describe the chart. */
  readonly describedBy: string
}

/** As a part of the width of its year. */
const barWidth = 0.8

function YearChart({ bars, chosen, toYearUrl, describedBy }: YearChartProps): JSX.Element {
  const { formatNumber, formatRecordCount } = useLocale()
  // At least 1, because the heights of the bars are divided by it.
  const recordsMax = Math.max(1, ...bars.map(({ records }) => records))
  const peak = bars.findIndex(({ records }) => records === recordsMax)
  /** The left edge of a year, or of another place in the chart, in percent of the width. */
  const toX = (index: number): string => `${round((index / bars.length) * 100)}%`
  const firstYear = bars[0]?.year ?? 0
  const lastYear = bars.at(-1)?.year ?? 0
  return (
    <div class="chart">
      {/* biome-ignore lint/a11y/useSemanticElements: a group of links in SVG */}
      <svg
        class={chosen === null ? 'bars' : 'bars has-choice'}
        role="group"
        aria-labelledby="chart-heading"
        aria-describedby={describedBy}
        data-from={chosen?.from}
        data-to={chosen?.to}
      >
        {peak >= 0 && (
          <text class="most" x={toX(peak + 0.5)} y={-4} text-anchor={toAnchor(peak, bars.length)}>
            {formatNumber(recordsMax)}
          </text>
        )}
        {bars.map(({ year, records }, index) => {
          const height = round((records / recordsMax) * 100)
          return (
            <a
              key={year}
              id={`year-${year}`}
              href={toYearUrl(year)}
              tabindex={-1}
              aria-label={`${year}: ${formatRecordCount(records)}`}
              aria-current={chosen !== null && isInRange(year, chosen) ? 'true' : undefined}
            >
              <rect class="hit" x={toX(index)} width={toX(1)} height="100%" />
              <rect
                class="bar"
                x={toX(index + (1 - barWidth) / 2)}
                y={`${round(100 - height)}%`}
                width={toX(barWidth)}
                height={`${height}%`}
              />
            </a>
          )
        })}
      </svg>
      <svg class="axis" aria-hidden="true">
        {bars.map(({ year }, index) =>
          isTick(year, firstYear, lastYear) ? (
            <text key={year} x={toX(index + 0.5)} y="1em" text-anchor="middle">
              {year}
            </text>
          ) : null,
        )}
      </svg>
    </div>
  )
}

/** With two decimals. */
function round(value: number): number {
  return Math.round(value * 100) / 100
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
  /** The first and the last year of the registry. */
  readonly first: number
  readonly last: number
  readonly chosen: YearRange | null
  readonly search: Search
}

/** Two fields for the first and the last year: an alternative to dragging over the chart (WCAG 2.2, 2.5.7). */
function RangeFields({ first, last, chosen, search }: RangeFieldsProps): JSX.Element {
  const { strings } = useLocale()
  const urls = useUrls()
  const { checkin_date: _year, checkin_from: _from, checkin_to: _to, ...otherFilters } = toFilters(search)
  const fields = [
    { id: 'range-from', name: 'checkin_from', label: strings.from, year: chosen?.from, placeholder: first },
    { id: 'range-to', name: 'checkin_to', label: strings.to, year: chosen?.to, placeholder: last },
  ]
  return (
    // With autocompletion, Back or a reload would fill in a choice again, which would then be searched again.
    <form class="range" action="./" autocomplete="off">
      {Object.entries({ ...otherFilters, ...urls.languageParameter }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {fields.map(({ id, name, label, year, placeholder }) => (
        <label key={name}>
          {label}
          <input id={id} name={name} type="number" min="1" max="9999" value={year} placeholder={String(placeholder)} />
        </label>
      ))}
      <button type="submit" class="quiet">
        {strings.applyYears}
      </button>
      {hasPeriod(search) && (
        <a class="quiet" id="all-years" href={urls.search({ ...search, from: '', to: '' })}>
          {strings.allYears}
        </a>
      )}
    </form>
  )
}

/**
 * All years from the first to the last one of the registry, without those that are more than `chartYearsAroundPeak`
 * from the year with the most records. Empty without any year.
 */
function toChartYears(byYear: readonly YearCount[]): number[] {
  const peak = findPeak(byYear)?.year ?? 0
  const near = byYear.map(({ year }) => year).filter((year) => Math.abs(year - peak) <= chartYearsAroundPeak)
  const [first] = near
  const last = near.at(-1)
  if (first === undefined || last === undefined) return []
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** The part of the width of the chart, at each end, without labels: half of a label would be outside the chart. */
const tickMarginShare = 1 / 30

/** Whether the axis has a label for the year: labels are so far apart that they do not overlap or leave the chart. */
function isTick(year: number, firstYear: number, lastYear: number): boolean {
  const span = lastYear - firstYear
  const margin = span * tickMarginShare
  const isInside = year - firstYear >= margin && lastYear - year >= margin
  return isInside && year % toTickStep(span) === 0
}

/** Years from one label to the next, so that there are about seven labels at most. `span` is last minus first year. */
function toTickStep(span: number): number {
  if (span <= 6) return 1
  if (span <= 24) return 5
  if (span <= 60) return 10
  return span <= 120 ? 20 : 50
}

/** The part of the width, at each end, in which a count centred above its bar would be partly outside the chart. */
const countMarginShare = 1 / 8

/** How the count of the highest bar is aligned with its bar, so that it stays inside the chart. */
function toAnchor(index: number, barCount: number): 'start' | 'middle' | 'end' {
  if (index < barCount * countMarginShare) return 'start'
  return barCount - index < barCount * countMarginShare ? 'end' : 'middle'
}
