// Turns rows of PostgreSQL into values. storage.ts selects the columns; the functions rely on their order.
import type { TermEntry } from '../../index/posting-list.ts'
import type { ChangeLogFacts } from '../change-log.ts'
import type { MunicipalityFacts } from '../contract.ts'
import type { RecordRow, YearRange } from '../storage.ts'
import type { Row } from './connection.ts'

/** The columns of `term_entry` that `toTermEntry` reads. */
export const entryColumns = 'term, records, skip_table, first_block, first_chunk, inline_block'

/** The columns of the row are `entryColumns`, then the bytes of the first block; null if they were not read. */
export function toTermEntry(row: Row): TermEntry {
  const [key, recordCount, skipTable, firstBlock, firstPositionChunk, inlineBlock, firstBlockBytes] =
    row as unknown as [string, number, Buffer, number, number | null, Buffer | null, Buffer | null]
  const entry = { key, recordCount, skipTable: toUint32Array(skipTable), firstBlock, firstPositionChunk, inlineBlock }
  return firstBlockBytes === null ? entry : { ...entry, firstBlockBytes }
}

/**
 * A copy, because the buffers of the driver are not 4-byte aligned. Numbers are stored as little-endian 32-bit
 * integers, the byte order of all platforms of Node.
 */
export function toUint32Array(bytes: Buffer): Uint32Array {
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}

/** The properties `lineage` and `log_started_at`, and the last number of the table `change`. */
export function toChangeLog([lineage, startedAt, last]: Row): ChangeLogFacts {
  return { lineage: String(lineage), startedAt: String(startedAt), last: Number(last) }
}

/** The columns of the row are `year, first, records`. */
export function toYear([year, first, records]: Row): YearRange {
  return { year: Number(year), first: Number(first), records: Number(records) }
}

export function toMunicipality([
  name,
  ineCode,
  otherNames,
  lookupKeys,
  records,
  firstYear,
  lastYear,
]: Row): MunicipalityFacts {
  return {
    name: String(name),
    ineCode: ineCode === null ? null : String(ineCode),
    otherNames: JSON.parse(String(otherNames)) as string[],
    lookupKeys: JSON.parse(String(lookupKeys)) as string[],
    records: Number(records),
    firstYear: Number(firstYear),
    lastYear: Number(lastYear),
  }
}

/** The columns of the row are `includedColumns` (../schema.ts), then `wire`. */
export function toRecordRow(row: Row): RecordRow {
  const [code, checkinDate, ineCode, documents, firstSegment, wire] = row as unknown as [
    string,
    string,
    string | null,
    string,
    number,
    string,
  ]
  return { code, checkinDate, ineCode, documents, firstSegment, wire }
}
