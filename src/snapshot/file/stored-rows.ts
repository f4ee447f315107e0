// Turns the rows of a snapshot file into values: records, changes, term entries (statements.ts selects their columns),
// and what is read once when a file is opened. Rows with a checksum are verified.
import type { DatabaseSync } from 'node:sqlite'
import type { Change, ChangeKind } from '../../domain/change.ts'
import type { TermEntry } from '../../index/posting-list.ts'
import { t } from '../../language.ts'
import type { ChangeLogFacts } from '../change-log.ts'
import { ChecksumMismatch, type Value, verifyChecksum } from '../checksum.ts'
import type { MunicipalityFacts, SnapshotMetadata } from '../contract.ts'
import type { RecordRow, YearRange } from '../storage.ts'
import { prepareRows, readProperties } from './open-file.ts'

/**
 * The wire format (the JSON that clients receive) in a row of `wire, folded_code, checksum`. Throws
 * `ChecksumMismatch` if the row is missing or damaged.
 */
export function toWire(row: unknown): string {
  if (row === undefined) throw new ChecksumMismatch(t`a row of the table ${'record'} is missing`)
  const [wire, foldedCode, checksum] = row as [string, string, number]
  verifyChecksum('record', [foldedCode, wire], checksum)
  return wire
}

/**
 * A row of `wire, folded_code, checksum`, the columns for the parameter `include`, and a checksum of these. Throws
 * `ChecksumMismatch` if the row is missing or damaged.
 */
export function toRow(row: unknown): RecordRow {
  const wire = toWire(row)
  // The first three columns are those of `toWire`.
  const included = (row as Value[]).slice(3)
  const checksum = included.pop()
  verifyChecksum('record', included, checksum)
  const [code, checkinDate, ineCode, documents, firstSegment] = included as [
    string,
    string,
    string | null,
    string,
    number,
  ]
  return { code, checkinDate, ineCode, wire, documents, firstSegment }
}

export function toChange(row: unknown): Change {
  const [number, kind, code, at, checksum] = row as [number, ChangeKind, string, string, number]
  verifyChecksum('change', [number, kind, code, at], checksum)
  return { number, kind, code, at }
}

export function toEntry(row: Value[]): TermEntry {
  const [key, records, skipTable, firstBlock, firstChunk, inlineBlock, checksum] = row as unknown as [
    string,
    number,
    Uint8Array,
    number,
    number | null,
    Uint8Array | null,
    number,
  ]
  verifyChecksum('term_entry', [key, records, skipTable, firstBlock, firstChunk, inlineBlock], checksum)
  return { key, records, skipTable: toNumbers(skipTable), firstBlock, firstChunk, inlineBlock }
}

/**
 * Returns a view of the bytes. They are 4-byte aligned, because `node:sqlite` returns each value in a buffer of its
 * own. Numbers are stored as little-endian 32-bit integers, the byte order of all platforms of Node.
 */
export function toNumbers(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / Uint32Array.BYTES_PER_ELEMENT)
}

/** `properties` are the rows of the table `property`, by name. */
export function toMetadata(properties: ReadonlyMap<string, string>): SnapshotMetadata {
  return {
    id: properties.get('id') ?? '',
    records: Number(properties.get('records')),
    publishedAt: new Date(properties.get('published_at') ?? 0),
    fictional: properties.get('fictional') === '1',
    codePattern: properties.get('code_pattern') ?? null,
  }
}

/** `lineage` is the identity of the change log; a log that starts again has another one. */
export function readChangeLog(database: DatabaseSync): ChangeLogFacts {
  const properties = readProperties(database)
  const [last] = prepareRows(database, 'SELECT coalesce(max(number), 0) FROM change').get() as unknown as [number]
  return { lineage: properties.get('lineage') ?? '', startedAt: properties.get('log_started_at') ?? '', last }
}

/** Returns the municipalities in the order of their numbers. */
export function readMunicipalities(database: DatabaseSync): MunicipalityFacts[] {
  const rows = prepareRows(
    database,
    `SELECT name, ine_code, other_names, keys, records, first_year, last_year FROM municipality ORDER BY number`,
  ).all() as unknown as [string, string | null, string, string, number, number, number][]
  return rows.map(([name, ineCode, otherNames, lookupKeys, records, firstYear, lastYear]) => ({
    name,
    ineCode,
    otherNames: JSON.parse(otherNames) as string[],
    lookupKeys: JSON.parse(lookupKeys) as string[],
    records,
    firstYear,
    lastYear,
  }))
}

/** Returns the years in the order of positions: newest first. */
export function readYears(database: DatabaseSync): YearRange[] {
  return database.prepare('SELECT year, first, records FROM year ORDER BY year DESC').all() as unknown as YearRange[]
}
