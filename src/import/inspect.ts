// `import --inspect FILE`: shows what an import would understand of a source, and proposes a mapping, without importing
// anything. `--write-mapping` writes the proposal to a file.
import { findByKey } from '../domain/municipality-list.ts'
import { nameKeys } from '../domain/municipality-name.ts'
import { t, toQuantity } from '../language.ts'
import { describeOtherCodes } from './code-form.ts'
import { parseCalendarDate } from './rows/calendar-date.ts'
import { type Column, columns } from './rows/columns.ts'
import type { Layout } from './rows/layout.ts'
import { isRowFault, normaliseRow, type RowRules, toZeroCounts } from './rows/normalise.ts'
import { toQuoted } from './rows/quote.ts'
import type { Row } from './rows/row.ts'
import { toMessage } from './rows/row-fault.ts'
import { openSource, type SourceOptions } from './sources/open.ts'

/** Rows of the source that are read. */
const rowsMax = 2000
/** Values shown of each heading. */
const valuesMax = 3
/** Messages of rejected rows shown. */
const rejectsMax = 5
const headingWidthMax = 36
/** A heading holds dates or municipalities if this share of its values does. */
const shareMin = 0.8

export interface Inspection {
  readonly text: string
  /** As `--mapping` takes it: `{ "title": "Denominación" }`. */
  readonly mapping: Readonly<Record<string, unknown>>
}

export async function inspectSource(name: string, options: SourceOptions, rules: RowRules): Promise<Inspection> {
  const source = await openSource(name, { ...options, mayLackColumns: true })
  const rows: Row[] = []
  try {
    for await (const batch of source.rows()) {
      rows.push(...batch)
      if (rows.length >= rowsMax) break
    }
    return describe(source.name, source.describe(), source.layout, rows.slice(0, rowsMax), rules)
  } finally {
    await source.close()
  }
}

function describe(name: string, format: string, layout: Layout, rows: readonly Row[], rules: RowRules): Inspection {
  const proposed = proposeColumns(layout, rows, rules)
  const mapping = toMapping(layout, proposed)
  const faults = rows
    .map((row) => normaliseRow(row, layout, toZeroCounts(), rules))
    .filter(isRowFault)
    .map(toMessage)
  const missing = layout.missingColumns().filter((column) => !proposed.has(column))
  const lines = [
    `${name}: ${format}, ${rows.length === rowsMax ? t`the first ${toQuantity(rowsMax, 'row')}` : toQuantity(rows.length, 'row')}`,
    ...[...layout.notes, ...layout.warnings].map((note) => `  ${note}`),
    '',
    ...toHeadingLines(layout, rows, proposed),
    '',
    t`proposed mapping (--write-mapping FILE writes it):`,
    ...JSON.stringify(mapping, null, 2).split('\n'),
    ...missing.map((column) => describeMissing(column)),
    ...proposeCodes(layout, rows),
  ]
  if (layout.missingColumns().length === 0) {
    lines.push('', t`${toQuantity(faults.length, 'row')} would be rejected`)
    lines.push(...faults.slice(0, rejectsMax).map((fault) => `  ${fault}`))
  }
  return { text: `${lines.join('\n')}\n`, mapping }
}

/** Each heading with the columns that are read from it and its first values. */
function toHeadingLines(layout: Layout, rows: readonly Row[], proposed: ReadonlyMap<Column, number>): string[] {
  const width = Math.min(headingWidthMax, Math.max(...layout.headings.map((heading) => heading.length), 0))
  return layout.headings.flatMap((heading, index) => {
    const values = valuesOf(rows, index).slice(0, valuesMax).map(toQuoted)
    if (heading.trim() === '' && values.length === 0) return []
    const readBy = columns.filter((column) => layout.readsFrom(column, index))
    const guesses = [...proposed].filter(([, each]) => each === index).map(([column]) => `${column}?`)
    const meaning = [...readBy, ...guesses].join(', ') || '–'
    return [`  ${heading.padEnd(width)}  → ${meaning.padEnd(20)}  ${values.join('  ')}`.trimEnd()]
  })
}

function valuesOf(rows: readonly Row[], index: number): string[] {
  return rows.map(({ cells }) => cells[index]?.trim() ?? '').filter((value) => value !== '')
}

/** Guesses the headings of missing columns by their values. Returns the index of the heading by column. */
function proposeColumns(layout: Layout, rows: readonly Row[], rules: RowRules): Map<Column, number> {
  const proposed = new Map<Column, number>()
  const free = layout.headings.keys().filter((index) => !layout.isUsed(index))
  const candidates = free.map((index) => ({ index, values: valuesOf(rows, index) })).toArray()
  const propose = (column: Column, isLike: (value: string) => boolean): void => {
    if (layout.hasColumn(column)) return
    const found = candidates.find(
      ({ index, values }) =>
        ![...proposed.values()].includes(index) &&
        values.length > 0 &&
        values.filter(isLike).length >= values.length * shareMin,
    )
    if (found !== undefined) proposed.set(column, found.index)
  }
  propose('municipality', (value) => nameKeys(value).some((key) => findByKey(key).length > 0))
  propose('checkin_date', (value) => parseCalendarDate(value, rules.timeZone) !== null)
  propose('links', (value) => /^https?:\/\//i.test(value))
  propose('code', (value) => layout.isCode(value))
  propose('title', (value) => /\p{L}.*\s.*\p{L}/u.test(value))
  return proposed
}

function toMapping(layout: Layout, proposed: ReadonlyMap<Column, number>): Record<string, unknown> {
  const mapping: Record<string, unknown> = {}
  for (const column of columns) {
    const index = proposed.get(column)
    const form = index === undefined ? layout.formOf(column) : layout.headings[index]
    if (form !== undefined) mapping[column] = form
  }
  return mapping
}

function describeMissing(column: Column): string {
  if (column === 'municipality') {
    return t`missing: municipality; for a registry of one municipality add "municipality": {"value": "Madrid"}`
  }
  return t`missing: ${column}; add the heading that has it`
}

/** Codes of another form need `--code-pattern`. */
function proposeCodes(layout: Layout, rows: readonly Row[]): string[] {
  const codes = rows.map(({ cells }) => layout.read('code', cells).trim()).filter((code) => code !== '')
  const others = codes.filter((code) => !layout.isCode(code))
  return others.length === 0 ? [] : [describeOtherCodes(others)]
}
