// Formats records as lines of a table. On a terminal, columns fit its width and titles are links. In a pipe, tabs
// separate the columns, nothing is truncated, and the last columns have the addresses of the documents and the code.
import type { ClientRecord } from '../client/client.ts'
import { t } from '../language.ts'
import type { Highlighter } from './highlight.ts'
import { toPassageLines } from './passage-lines.ts'
import { type Style, toPrintable, toWidth } from './style.ts'

export interface TableOptions {
  /** Characters per line; undefined for tab-separated lines. */
  readonly width: number | undefined
  readonly style: Style
  readonly highlight: Highlighter
  /** Shows the passages of each record: on lines of their own or, in a pipe, in the last column. */
  readonly withPassages?: boolean
}

const dateWidth = 10
const municipalityWidth = 20
const areaWidth = 18
/** Space for the code. Most are shorter; a longer one is written beyond the end of the line. */
const codeWidth = 24
/** A narrower terminal shows no column for the area. */
const areaFromWidth = 120
/** On a very narrow terminal the lines wrap instead of losing the title. */
const titleWidthMin = 20
const gap = '  '

export function toTableHeader(options: TableOptions): string {
  if (options.width === undefined) {
    const headings = [t`ENTERED`, t`MUNICIPALITY`, t`TITLE`, t`AREA`, t`DOCUMENT`, t`CODE`]
    return [...headings, ...(options.withPassages ? [t`PASSAGES`] : [])].join('\t')
  }
  const titleWidth = toTitleWidth(options.width)
  const cells = [
    toWidth(t`ENTERED`, dateWidth),
    toWidth(t`MUNICIPALITY`, municipalityWidth),
    toWidth(t`TITLE`, titleWidth),
    ...(hasArea(options.width) ? [toWidth(t`AREA`, areaWidth)] : []),
    t`CODE`,
  ]
  return options.style.bold(cells.join(gap))
}

export function toTableLine(record: ClientRecord, options: TableOptions): string {
  const { style, width, highlight } = options
  const title = toPrintable(record.title)
  const area = toPrintable(record.area)
  const municipality = toPrintable(record.municipality)
  const code = toPrintable(record.cod_archivo ?? '')
  if (width === undefined) {
    const links = [record.links, record.agreement_link ?? ''].filter((link) => link !== '').map(toPrintable)
    const passages = options.withPassages ? [toPassageLines(record).join(' | ')] : []
    return [record.checkin_date, municipality, title, area, links.join(' '), code, ...passages].join('\t')
  }
  const agreement = record.agreement_link === undefined ? '' : t` [agreement]`
  const titleWidth = toTitleWidth(width)
  const titleText = toWidth(title, titleWidth - agreement.length).trimEnd()
  const padding = ' '.repeat(Math.max(0, titleWidth - Array.from(titleText).length - agreement.length))
  const line = [
    toWidth(toPrintable(record.checkin_date), dateWidth),
    toWidth(municipality, municipalityWidth),
    style.link(highlight(titleText, style.bold), record.links) +
      style.link(agreement, record.agreement_link ?? '') +
      padding,
    ...(hasArea(width) ? [toWidth(area, areaWidth)] : []),
    // The code is never truncated: it is there to be copied.
    code,
  ].join(gap)
  const passages = options.withPassages ? toPassageLines(record, style) : []
  const passageIndent = gap.repeat(2)
  return [line, ...passages.map((passage) => `${passageIndent}${passage}`)].join('\n')
}

/** The title gets the space that the other columns leave. Each of them has a gap beside it. */
function toTitleWidth(width: number): number {
  const otherColumns = [dateWidth, municipalityWidth, codeWidth, ...(hasArea(width) ? [areaWidth] : [])]
  const otherWidth = otherColumns.reduce((sum, columnWidth) => sum + columnWidth + gap.length, 0)
  return Math.max(titleWidthMin, width - otherWidth)
}

/** On a narrow terminal the title needs the space of the area. */
function hasArea(width: number): boolean {
  return width >= areaFromWidth
}
