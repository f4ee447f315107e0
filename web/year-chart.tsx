// Bar chart of the records by year. For the keyboard and screen readers it is a list box of years: arrow keys move,
// Shift extends the range, Enter chooses, Escape clears. With a pointer, a click or a drag chooses.
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useLocale } from './locale-context.ts'
import { toYearRange, type YearRange } from './search-url.ts'
import type { YearCount } from './service.ts'

export interface YearChartProps {
  /** Consecutive years, including those without records. */
  readonly bars: readonly YearCount[]
  readonly years: YearRange | null
  readonly describedBy: string
  readonly onChoose: (years: YearRange | null) => void
  readonly onHover: (year: number | null) => void
}

export function YearChart({ bars, years, describedBy, onChoose, onHover }: YearChartProps): JSX.Element {
  const { formatNumber, formatRecordCount } = useLocale()
  const [drag, setDrag] = useState<{ readonly start: number; readonly end: number } | null>(null)
  const [cursor, setCursor] = useState<number | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const recordsMax = Math.max(1, ...bars.map(({ records }) => records))
  const first = bars[0]?.year ?? 0
  const last = bars.at(-1)?.year ?? 0
  const shown = drag === null ? years : toYearRange(drag.start, drag.end)

  const yearAt = (event: PointerEvent): number => {
    const { left, width } = box.current?.getBoundingClientRect() ?? { left: 0, width: 1 }
    const index = Math.floor(((event.clientX - left) / width) * bars.length)
    return first + Math.min(bars.length - 1, Math.max(0, index))
  }
  const moveCursor = (year: number | null): void => {
    setCursor(year)
    onHover(year)
  }
  const startDrag = (event: PointerEvent): void => {
    if (event.button !== 0 || bars.length === 0) return
    box.current?.setPointerCapture(event.pointerId)
    setDrag({ start: yearAt(event), end: yearAt(event) })
  }
  const moveDrag = (event: PointerEvent): void => {
    onHover(yearAt(event))
    if (drag !== null) setDrag({ ...drag, end: yearAt(event) })
  }
  const endDrag = (): void => {
    if (drag === null) return
    setDrag(null)
    const chosen = toYearRange(drag.start, drag.end)
    // Choosing the same years again clears the choice.
    onChoose(years !== null && isSameRange(chosen, years) ? null : chosen)
  }
  const handleKey = (event: KeyboardEvent): void => {
    const at = cursor ?? years?.to ?? last
    const steps: Readonly<Record<string, number>> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: first, End: last }
    const target = steps[event.key]
    if (target !== undefined) {
      const year = Math.min(last, Math.max(first, target))
      moveCursor(year)
      if (event.shiftKey) onChoose(years === null ? toYearRange(at, year) : extendRange(years, at, year))
    } else if (event.key === 'Enter' || event.key === ' ') onChoose({ from: at, to: at })
    else if (event.key === 'Escape') onChoose(null)
    else return
    event.preventDefault()
  }

  return (
    <div class="chart">
      <div
        class="bars"
        ref={box}
        role="listbox"
        tabIndex={0}
        aria-labelledby="chart-heading"
        aria-describedby={describedBy}
        aria-orientation="horizontal"
        aria-multiselectable="true"
        aria-activedescendant={cursor === null ? undefined : `year-${cursor}`}
        onPointerDown={startDrag}
        onPointerMove={moveDrag}
        onPointerUp={endDrag}
        onPointerCancel={() => setDrag(null)}
        onPointerLeave={() => onHover(null)}
        onKeyDown={handleKey}
        onFocus={() => bars.length > 0 && box.current?.matches(':focus-visible') && moveCursor(years?.to ?? last)}
        onBlur={() => moveCursor(null)}
      >
        {bars.map(({ year, records }) => {
          const isChosen = shown !== null && year >= shown.from && year <= shown.to
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays on the list box (aria-activedescendant)
            <div
              key={year}
              id={`year-${year}`}
              role="option"
              class={year === cursor ? 'cursor' : undefined}
              aria-selected={isChosen}
              aria-label={`${year}: ${formatRecordCount(records)}`}
            >
              <span
                class={shown !== null && !isChosen ? 'bar unselected' : 'bar'}
                style={{ height: `${(records / recordsMax) * 100}%` }}
              />
            </div>
          )
        })}
      </div>
      {bars.length > 0 && (
        <span class="most" aria-hidden="true">
          {formatNumber(recordsMax)}
        </span>
      )}
      <div class="axis" aria-hidden="true">
        {bars.map(({ year }) => (
          <span key={year}>{isTick(year, first, last) && <span>{year}</span>}</span>
        ))}
      </div>
    </div>
  )
}

function isSameRange(a: YearRange, b: YearRange): boolean {
  return a.from === b.from && a.to === b.to
}

/** Moves the end of the range at which the cursor was (`at`) to `year`. */
function extendRange(years: YearRange, at: number, year: number): YearRange {
  if (at === years.to) return toYearRange(years.from, year)
  return at === years.from ? toYearRange(years.to, year) : toYearRange(at, year)
}

/** Round years, far enough apart that their labels do not overlap. */
function isTick(year: number, first: number, last: number): boolean {
  const span = last - first
  const step = span <= 6 ? 1 : span <= 24 ? 5 : span <= 60 ? 10 : span <= 120 ? 20 : 50
  return year % step === 0 && year - first >= span / 30 && last - year >= span / 30
}
