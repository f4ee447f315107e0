// Formats records as lines of a table. On a terminal, columns fit its width and titles are links. In a pipe, tabs
// separate the columns, nothing is truncated, and the last column has the addresses of the documents.
import type { WireRecord } from '../domain/record.ts'
import type { Highlighter } from './highlight.ts'
import { type Style, toPrintable, toWidth } from './style.ts'

export interface TableOptions {
  /** Characters per line; undefined for tab-separated lines. */
  readonly width: number | undefined
  readonly style: Style
  readonly highlight: Highlighter
}

const dateWidth = 10
const municipalityWidth = 22
const areaWidth = 18
const titleWidthMin = 24
const gap = '  '
const agreementLabel = ' [agreement]'

export function toTableHeader(options: TableOptions): string {
  if (options.width === undefined) return 'ENTERED\tMUNICIPALITY\tTITLE\tAREA\tDOCUMENT'
  const titleWidth = toTitleWidth(options.width)
  const cells = [
    toWidth('ENTERED', dateWidth),
    toWidth('MUNICIPALITY', municipalityWidth),
    toWidth('TITLE', titleWidth),
    'AREA',
  ]
  return options.style.bold(cells.join(gap))
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
  const agreement = record.agreement_link === undefined ? '' : agreementLabel
  const titleWidth = toTitleWidth(width)
  const titleText = toWidth(title, titleWidth - agreement.length).trimEnd()
  const padding = ' '.repeat(Math.max(0, titleWidth - Array.from(titleText).length - agreement.length))
  return [
    toWidth(toPrintable(record.checkin_date), dateWidth),
    toWidth(municipality, municipalityWidth),
    style.link(highlight(titleText, style.bold), record.links) +
      style.link(agreement, record.agreement_link ?? '') +
      padding,
    toWidth(area, areaWidth).trimEnd(),
  ].join(gap)
}

function toTitleWidth(width: number): number {
  return Math.max(titleWidthMin, width - dateWidth - municipalityWidth - areaWidth - 3 * gap.length)
}
