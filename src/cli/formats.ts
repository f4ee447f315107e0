// The forms in which `search` prints records: a table for people, JSON, NDJSON and CSV for programs. Each is a head, a
// line for every record, and a foot.
import type { WireRecord } from '../domain/record.ts'
import { type TableOptions, toTableHead, toTableLine } from './table.ts'

export interface Format {
  readonly head: string
  /** `index` counts from 0. */
  toLine(record: WireRecord, index: number): string
  readonly foot: string
}

export function tableFormat(options: TableOptions): Format {
  return { head: `${toTableHead(options)}\n`, toLine: (record) => `${toTableLine(record, options)}\n`, foot: '' }
}

/** The envelope of the service, a record a line. */
export const jsonFormat: Format = {
  head: '{"resultadoBusqueda":[',
  toLine: (record, index) => `${index === 0 ? '' : ','}\n${JSON.stringify(record)}`,
  foot: '\n]}\n',
}

export const ndjsonFormat: Format = { head: '', toLine: (record) => `${JSON.stringify(record)}\n`, foot: '' }

const columns = [
  'id',
  'registration_number',
  'title',
  'area',
  'checkin_date',
  'inscription_date',
  'municipality',
  'links',
  'agreement_link',
] as const satisfies (keyof WireRecord)[]

/** RFC 4180, line ends included. */
export const csvFormat: Format = {
  head: `${columns.join(',')}\r\n`,
  toLine: (record) => `${columns.map((column) => toField(record[column] ?? '')).join(',')}\r\n`,
  foot: '',
}

function toField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
