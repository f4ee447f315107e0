// Bar chart of the records by year. For the keyboard and screen readers it is a list box of years: the arrow keys, Home
// and End move a cursor, and with Shift they extend the range; Enter or Space chooses the year at the cursor, Escape
// clears the choice. With a pointer, a click or a drag chooses.
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { isInRange, toRangeBetween, type YearRange } from './search-url.ts'
import type { YearCount } from './service.ts'
import { useLocale } from './site-context.ts'

export interface YearChartProps {
  /** Consecutive years, including those without records. */
  readonly bars: readonly YearCount[]
  /** The chosen years; null for all. */
  readonly years: YearRange | null
  /** The id of the element that describes the chart. */
  readonly describedBy: string
  readonly onChoose: (years: YearRange | null) => void
  /** Called with the year under the pointer or the keyboard cursor, whose count is then shown; null for none. */
  readonly onHover: (year: number | null) => void
}

export function YearChart({ bars, years, describedBy, onChoose, onHover }: YearChartProps): JSX.Element {
  const { formatNumber, formatRecordCount } = useLocale()
  /** The years where the pointer was pressed and where it is now; null while it is not pressed. */
  const [drag, setDrag] = useState<{ readonly start: number; readonly end: number } | null>(null)
  /** The keyboard cursor: the year that the keys have moved to; null while the chart is not used by keyboard. */
  const [cursorYear, setCursorYear] = useState<number | null>(null)
  const barsElement = useRef<HTMLDivElement>(null)
  // At least 1, because the heights of the bars are divided by it.
  const recordsMax = Math.max(1, ...bars.map(({ records }) => records))
  const peakYear = bars.find(({ records }) => records === recordsMax)?.year ?? null
  // Without bars nothing is drawn, so neither year is used; only the type asks for a number.
  const firstYear = bars[0]?.year ?? 0
  const lastYear = bars.at(-1)?.year ?? 0
  /** The year, or the nearest one that the chart has: the chosen years may be outside it. */
  const toBarYear = (year: number): number => Math.min(lastYear, Math.max(firstYear, year))
  const shownRange = drag === null ? years : toRangeBetween(drag.start, drag.end)

  /** The year under the pointer; the first or the last one if a drag leaves the chart. */
  const yearAt = (event: PointerEvent): number => {
    const { left, width } = barsElement.current?.getBoundingClientRect() ?? { left: 0, width: 1 }
    const index = Math.floor(((event.clientX - left) / width) * bars.length)
    return firstYear + Math.min(bars.length - 1, Math.max(0, index))
  }
  const moveCursor = (year: number | null): void => {
    setCursorYear(year)
    onHover(year)
  }
  const startDrag = (event: PointerEvent): void => {
    if (event.button !== 0 || bars.length === 0) return
    barsElement.current?.setPointerCapture(event.pointerId)
    setDrag({ start: yearAt(event), end: yearAt(event) })
  }
  const moveDrag = (event: PointerEvent): void => {
    onHover(yearAt(event))
    if (drag !== null) setDrag({ ...drag, end: yearAt(event) })
  }
  const endDrag = (): void => {
    if (drag === null) return
    setDrag(null)
    const chosen = toRangeBetween(drag.start, drag.end)
    // Choosing the same years again clears the choice.
    onChoose(years !== null && isSameRange(chosen, years) ? null : chosen)
  }
  /** Focus by the keyboard shows the cursor; focus by a click does not. */
  const handleFocus = (): void => {
    const isByKeyboard = barsElement.current?.matches(':focus-visible') ?? false
    if (isByKeyboard && bars.length > 0) moveCursor(toBarYear(years?.to ?? lastYear))
  }
  const handleKey = (event: KeyboardEvent): void => {
    // Shortcuts of the browser, such as Alt and an arrow for Back.
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const current = cursorYear ?? toBarYear(years?.to ?? lastYear)
    /** By key, the year that it moves to, which may be outside the chart. */
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: current - 1,
      ArrowRight: current + 1,
      Home: firstYear,
      End: lastYear,
    }
    const target = targets[event.key]
    if (target !== undefined) {
      const year = toBarYear(target)
      moveCursor(year)
      if (event.shiftKey) {
        onChoose(years === null ? toRangeBetween(current, year) : extendRange(years, toBarYear, current, year))
      }
    } else if (event.key === 'Enter' || event.key === ' ') onChoose({ from: current, to: current })
    else if (event.key === 'Escape') onChoose(null)
    else return
    event.preventDefault()
  }

  return (
    <div class="chart">
      <div
        class="bars"
        ref={barsElement}
        role="listbox"
        tabIndex={0}
        aria-labelledby="chart-heading"
        aria-describedby={describedBy}
        aria-orientation="horizontal"
        aria-multiselectable="true"
        aria-activedescendant={cursorYear === null ? undefined : `year-${cursorYear}`}
        onPointerDown={startDrag}
        onPointerMove={moveDrag}
        onPointerUp={endDrag}
        onPointerCancel={() => setDrag(null)}
        onPointerLeave={() => onHover(null)}
        onKeyDown={handleKey}
        onFocus={handleFocus}
        onBlur={() => moveCursor(null)}
      >
        {bars.map(({ year, records }) => {
          const isChosen = shownRange !== null && isInRange(year, shownRange)
          // Rounded to one decimal.
          const heightPercent = Math.round((records / recordsMax) * 1000) / 10
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays on the list box (aria-activedescendant)
            <div
              key={year}
              id={`year-${year}`}
              role="option"
              class={year === cursorYear ? 'cursor' : undefined}
              aria-selected={isChosen}
              aria-label={`${year}: ${formatRecordCount(records)}`}
            >
              {/* The height is an attribute of SVG, because the security policy forbids style attributes. */}
              <svg
                class={shownRange !== null && !isChosen ? 'bar unselected' : 'bar'}
                height={`${heightPercent}%`}
                aria-hidden="true"
              />
              {year === peakYear && (
                <span class={`most ${toCountAlignment(year, firstYear, lastYear)}`} aria-hidden="true">
                  {formatNumber(records)}
                </span>
              )}
            </div>
          )
        })}
      </div>
      <div class="axis" aria-hidden="true">
        {bars.map(({ year }) => (
          <span key={year}>{isTick(year, firstYear, lastYear) && <span>{year}</span>}</span>
        ))}
      </div>
    </div>
  )
}

function isSameRange(a: YearRange, b: YearRange): boolean {
  return a.from === b.from && a.to === b.to
}

/**
 * The chosen range after Shift and another key have moved the cursor from `oldYear` to `newYear`. If the cursor was at
 * an end of the range, that end moves with it; otherwise a new range begins. For an end outside the chart, the nearest
 * year of the chart counts.
 */
function extendRange(
  years: YearRange,
  toBarYear: (year: number) => number,
  oldYear: number,
  newYear: number,
): YearRange {
  if (oldYear === toBarYear(years.to)) return toRangeBetween(years.from, newYear)
  if (oldYear === toBarYear(years.from)) return toRangeBetween(years.to, newYear)
  return toRangeBetween(oldYear, newYear)
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

/** The part of the width, at each end, in which a count centred above its bar would be partly outside the chart. */
const countMarginShare = 1 / 8

/**
 * How the count of the highest bar is aligned with its bar, so that it stays inside the chart: near the left end of the
 * chart, it begins at the left edge of the bar and extends to the right.
 */
function toCountAlignment(year: number, firstYear: number, lastYear: number): 'left' | 'middle' | 'right' {
  const margin = (lastYear - firstYear) * countMarginShare
  if (year - firstYear < margin) return 'left'
  return lastYear - year < margin ? 'right' : 'middle'
}

/** Years from one label to the next, so that there are about seven labels at most. `span` is last minus first year. */
function toTickStep(span: number): number {
  if (span <= 6) return 1
  if (span <= 24) return 5
  if (span <= 60) return 10
  return span <= 120 ? 20 : 50
}
