// Output formats of `search`: a table, JSON, NDJSON and CSV. Each has a header, a text per record, and a footer.
import type { ClientRecord } from '../client/client.ts'
import { toCsvLine } from '../csv.ts'
import { csvColumns } from '../domain/record.ts'
import { toPassageLines } from './passage-lines.ts'
import { type TableOptions, toTableHeader, toTableLine } from './table.ts'

export interface Format {
  /** Printed before the first record. */
  readonly header: string
  /** The text of a record with its line breaks, usually one line. `index` counts the records from 0. */
  toLine(record: ClientRecord, index: number): string
  /** Printed after the last record. */
  readonly footer: string
}

/** Lines for people, on a terminal or in a pipe. */
export function tableFormat(options: TableOptions): Format {
  return { header: `${toTableHeader(options)}\n`, toLine: (record) => `${toTableLine(record, options)}\n`, footer: '' }
}

/** The JSON object that the service sends for the same search, with one record per line. */
export const jsonFormat: Format = {
  header: '{"resultadoBusqueda":[',
  toLine: (record, index) => `${index === 0 ? '' : ','}\n${JSON.stringify(record)}`,
  footer: '\n]}\n',
}

export const ndjsonFormat: Format = { header: '', toLine: (record) => `${JSON.stringify(record)}\n`, footer: '' }

const toCells = (record: ClientRecord): string[] => csvColumns.map((column) => record[column] ?? '')

/** `toCsvLine` adds the line break. */
export const csvFormat: Format = {
  header: toCsvLine(csvColumns, ','),
  toLine: (record) => toCsvLine(toCells(record), ','),
  footer: '',
}

/**
 * The CSV with `--passages`: a last column has all passages of the record, pieces of text around the matching words.
 */
export const csvPassagesFormat: Format = {
  header: toCsvLine([...csvColumns, 'passages'], ','),
  toLine: (record) => toCsvLine([...toCells(record), toPassageLines(record).join('\n')], ','),
  footer: '',
}
