// What the chart and the map do beyond links: the count under the pointer; in the chart, dragging over several years,
// and the arrow keys, which move from year to year and with Shift extend the chosen range.
import { closest } from './page.ts'

type GoTo = (url: URL) => void

/** Some years of a chart, by the indexes of their links: those of a drag. */
interface Range {
  readonly bars: SVGElement
  readonly start: number
  end: number
}

let range: Range | undefined

export function startCharts(goTo: GoTo): void {
  makeBarsReachable()
  document.addEventListener('pointermove', showReadout)
  document.addEventListener('focusin', showReadout)
  document.addEventListener('pointerdown', startDrag)
  document.addEventListener('pointermove', moveDrag)
  document.addEventListener('pointerup', (event) => endDrag(event, goTo))
  document.addEventListener('pointercancel', () => setRange(undefined))
  // Otherwise the browser would drag the link of a bar.
  document.addEventListener('dragstart', (event) => {
    if (closest(event, '.bars') !== null) event.preventDefault()
  })
  document.addEventListener('keydown', (event) => handleKey(event, goTo))
}

/** Makes one bar reachable by Tab: the last chosen year, or the last of all. The arrow keys lead to the others. */
export function makeBarsReachable(): void {
  for (const bars of document.querySelectorAll<SVGElement>('.bars')) {
    const links = linksOf(bars)
    const chosen = links.findLast((link) => link.hasAttribute('aria-current'))
    ;(chosen ?? links.at(-1))?.setAttribute('tabindex', '0')
  }
}

function linksOf(bars: SVGElement): SVGAElement[] {
  return [...bars.querySelectorAll<SVGAElement>('a')]
}

/** The line below each chart says what is under the pointer, or has the focus. */
const hints = new WeakMap<Element, string>()

function showReadout(event: Event): void {
  const current = closest<SVGAElement>(event, '[data-readout] svg a')
  for (const readout of document.querySelectorAll('[data-readout] > .readout')) {
    if (!hints.has(readout)) hints.set(readout, readout.textContent ?? '')
    const isCurrent = current !== null && (readout.parentElement?.contains(current) ?? false)
    const text = isCurrent ? current.getAttribute('aria-label') : hints.get(readout)
    if (readout.textContent !== text) readout.textContent = text ?? ''
  }
}

/** The index of the year at the pointer; the first or the last one if a drag leaves the chart. */
function indexAt({ clientX }: PointerEvent, bars: SVGElement): number {
  const { left, width } = bars.getBoundingClientRect()
  const count = linksOf(bars).length
  return Math.min(count - 1, Math.max(0, Math.floor(((clientX - left) / width) * count)))
}

function startDrag(event: PointerEvent): void {
  const bars = closest<SVGElement>(event, '.bars')
  if (bars === null || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
  const start = indexAt(event, bars)
  range = { bars, start, end: start }
}

function moveDrag(event: PointerEvent): void {
  if (range === undefined || event.buttons === 0) return
  const end = indexAt(event, range.bars)
  if (end === range.end) return
  // From now on it is no click on a bar, but a drag, which may also end outside the chart.
  range.bars.setPointerCapture(event.pointerId)
  setRange({ ...range, end })
}

function endDrag(event: PointerEvent, goTo: GoTo): void {
  if (range === undefined || event.buttons !== 0) return
  const isDrag = range.bars.hasPointerCapture(event.pointerId)
  const url = isDrag ? toRangeUrl(range) : null
  setRange(undefined)
  // A click follows the link of its bar.
  if (url !== null) goTo(url)
}

/** Shows which years are in the range. */
function setRange(next: Range | undefined): void {
  for (const link of range === undefined ? [] : linksOf(range.bars)) link.removeAttribute('data-in-range')
  range?.bars.classList.remove('has-range')
  range = next
  if (next === undefined) return
  next.bars.classList.add('has-range')
  for (const link of yearsOf(next)) link.setAttribute('data-in-range', '')
}

function yearsOf({ bars, start, end }: Range): SVGAElement[] {
  return linksOf(bars).slice(Math.min(start, end), Math.max(start, end) + 1)
}

/** The address of the search in the years; in all years if they are chosen already. Null if there are none. */
function toRangeUrl(chosen: Range): URL | null {
  const years = yearsOf(chosen)
  const from = years[0]?.id.replace('year-', '')
  const to = years.at(-1)?.id.replace('year-', '')
  if (from === undefined || to === undefined) return null
  const url = withoutYears(chosen.bars)
  const { dataset } = chosen.bars
  if (dataset.from === from && dataset.to === to) return url
  url?.searchParams.set('checkin_from', from)
  url?.searchParams.set('checkin_to', to)
  return url
}

/** The address of the search without its years. */
function withoutYears(bars: SVGElement): URL | null {
  const href = bars.querySelector('a')?.getAttribute('href') ?? null
  if (href === null) return null
  const url = new URL(href, document.baseURI)
  for (const name of ['checkin_date', 'checkin_from', 'checkin_to']) url.searchParams.delete(name)
  return url
}

function handleKey(event: KeyboardEvent, goTo: GoTo): void {
  const bars = closest<SVGElement>(event, '.bars')
  // Shortcuts of the browser, such as Alt and an arrow for Back.
  if (bars === null || event.altKey || event.ctrlKey || event.metaKey) return
  const links = linksOf(bars)
  const index = links.findIndex((link) => link.matches(':focus'))
  const next = toNextIndex(event.key, index, links.length)
  let url: URL | null = null
  if (next !== null) {
    links[index]?.setAttribute('tabindex', '-1')
    links[next]?.setAttribute('tabindex', '0')
    links[next]?.focus()
    if (event.shiftKey) url = toRangeUrl({ bars, start: toOtherEnd(links, index), end: next })
  } else if (event.key === ' ') url = new URL(links[index]?.getAttribute('href') ?? './', document.baseURI)
  else if (event.key === 'Escape' && bars.dataset.from !== undefined) url = withoutYears(bars)
  // The browser follows the link on Enter.
  else return
  event.preventDefault()
  if (url !== null) goTo(url)
}

/** The other end of the chosen range, if the year is one of its ends; otherwise a new range begins at the year. */
function toOtherEnd(links: readonly SVGAElement[], index: number): number {
  const first = links.findIndex((link) => link.hasAttribute('aria-current'))
  const last = links.findLastIndex((link) => link.hasAttribute('aria-current'))
  if (index === last) return first
  return index === first ? last : index
}

function toNextIndex(key: string, index: number, count: number): number | null {
  if (key === 'ArrowLeft') return Math.max(0, index - 1)
  if (key === 'ArrowRight') return Math.min(count - 1, index + 1)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}
