// Formats records as lines of a table. On a terminal, columns fit its width and titles are links. In a pipe, tabs
// separate the columns, nothing is truncated, and a further column has the addresses of the documents.
import { analyseTerm } from '../analysis/analyser.ts'
import type { ClientRecord } from '../client/client.ts'
import { t } from '../language.ts'
import { findMarks } from '../registry/marks.ts'
import { toPassageLines } from './passage-lines.ts'
import { type Style, toMarkedText, toPrintable, toWidth } from './style.ts'

export interface TableOptions {
  /** Characters per line; undefined for tab-separated lines. */
  readonly width: number | undefined
  readonly style: Style
  /** The search term, whose words are bold in titles. */
  readonly search?: string | undefined
  /** Shows the passages of each record: on lines of their own or, in a pipe, in the last column. */
  readonly withPassages?: boolean
}

// Widths are in characters.
const dateWidth = 10
const municipalityWidth = 20
const areaWidth = 18
/** Space for the code. Most are shorter; a longer one is written beyond the end of the line. */
const codeWidth = 24
/** A narrower terminal shows no column for the area, because the title needs the space. */
const widthWithAreaMin = 120
/** On a very narrow terminal the lines wrap instead of losing the title. */
const titleWidthMin = 20
/** Between two columns. */
const gap = '  '

/** The line of headings, without a line break. */
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

/** The line of a record; on a terminal the lines of its passages follow. There is no line break at the end. */
export function toTableLine(record: ClientRecord, options: TableOptions): string {
  const { width } = options
  return width === undefined ? toTabbedLine(record, options) : toTerminalLines(record, options, width)
}

function toTabbedLine(record: ClientRecord, { withPassages }: TableOptions): string {
  const links = [record.links, record.agreement_link ?? ''].filter((link) => link !== '').map(toPrintable)
  return [
    toPrintable(record.checkin_date),
    toPrintable(record.municipality),
    toPrintable(record.title),
    toPrintable(record.area),
    links.join(' '),
    toPrintable(record.cod_archivo ?? ''),
    ...(withPassages ? [toPassageLines(record).join(' | ')] : []),
  ].join('\t')
}

function toTerminalLines(record: ClientRecord, options: TableOptions, width: number): string {
  const { style, withPassages } = options
  const line = [
    toWidth(toPrintable(record.checkin_date), dateWidth),
    toWidth(toPrintable(record.municipality), municipalityWidth),
    toTitleCell(record, options, toTitleWidth(width)),
    ...(hasArea(width) ? [toWidth(toPrintable(record.area), areaWidth)] : []),
    // The code is never truncated: it is there to be copied.
    toPrintable(record.cod_archivo ?? ''),
  ].join(gap)
  const passages = withPassages ? toPassageLines(record, style) : []
  const passageIndent = gap.repeat(2)
  return [line, ...passages.map((passage) => `${passageIndent}${passage}`)].join('\n')
}

/** The title as a link to the document, with matching words in bold, and a link to the agreement if there is one. */
function toTitleCell(record: ClientRecord, { style, search }: TableOptions, cellWidth: number): string {
  const agreement = record.agreement_link === undefined ? '' : t` [agreement]`
  const title = toWidth(toPrintable(record.title), cellWidth - agreement.length).trimEnd()
  // The padding is outside the links, so that they end with their text.
  const padding = ' '.repeat(Math.max(0, cellWidth - Array.from(title).length - agreement.length))
  const marks = search === undefined ? [] : findMarks(title, analyseTerm(search)).marks
  const titleLink = style.link(toMarkedText(title, marks, style), record.links)
  return titleLink + style.link(agreement, record.agreement_link ?? '') + padding
}

/** The title gets the space that the other columns, and one gap for each of them, leave. */
function toTitleWidth(width: number): number {
  const otherColumns = [dateWidth, municipalityWidth, codeWidth, ...(hasArea(width) ? [areaWidth] : [])]
  const otherWidth = otherColumns.reduce((sum, columnWidth) => sum + columnWidth + gap.length, 0)
  return Math.max(titleWidthMin, width - otherWidth)
}

/** Whether a terminal of this width shows the column for the area. */
function hasArea(width: number): boolean {
  return width >= widthWithAreaMin
}
