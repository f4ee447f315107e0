// Records as lines of a table. On a terminal the columns fit its width and titles are links; piped on, nothing is cut
// and the address of the document stands at the end.
import type { WireRecord } from '../domain/record.ts'
import type { Highlighter } from './highlight.ts'
import { type Style, toPrintable, toWidth } from './style.ts'

export interface TableOptions {
  /** Characters a line; undefined where nothing is to be cut. */
  readonly width: number | undefined
  readonly style: Style
  readonly highlight: Highlighter
}

const dateWidth = 10
const municipalityWidth = 22
const areaWidth = 18
const titleWidthMin = 24
const gap = '  '
const agreementMark = ' [agreement]'

export function toTableHead(options: TableOptions): string {
  if (options.width === undefined) return 'ENTERED\tMUNICIPALITY\tTITLE\tAREA\tDOCUMENT'
  const titleWidth = toTitleWidth(options.width)
  const head = [
    toWidth('ENTERED', dateWidth),
    toWidth('MUNICIPALITY', municipalityWidth),
    toWidth('TITLE', titleWidth),
    'AREA',
  ]
  return options.style.bold(head.join(gap))
}

export function toTableLine(record: WireRecord, options: TableOptions): string {
  const { style, width, highlight } = options
  const title = toPrintable(record.title)
  const area = toPrintable(record.area)
  const municipality = toPrintable(record.municipality)
  if (width === undefined) {
    const links = [record.links, record.agreement_link ?? ''].filter((link) => link !== '').map(toPrintable)
    return [record.checkin_date, municipality, title, area, links.join(' ')].join('\t')
  }
  const mark = record.agreement_link === undefined ? '' : agreementMark
  const titleWidth = toTitleWidth(width)
  const shown = toWidth(title, titleWidth - mark.length).trimEnd()
  const padding = ' '.repeat(Math.max(0, titleWidth - Array.from(shown).length - mark.length))
  return [
    toWidth(toPrintable(record.checkin_date), dateWidth),
    toWidth(municipality, municipalityWidth),
    style.link(highlight(shown, style.bold), record.links) + style.link(mark, record.agreement_link ?? '') + padding,
    toWidth(area, areaWidth).trimEnd(),
  ].join(gap)
}

function toTitleWidth(width: number): number {
  return Math.max(titleWidthMin, width - dateWidth - municipalityWidth - areaWidth - 3 * gap.length)
}
