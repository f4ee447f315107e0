// Turns the rows of a snapshot file into values: records, changes, term entries (statements.ts selects their columns),
// and what is read once when a file is opened. Rows with a checksum are verified, the others by the digest of their
// table.
import assert from 'node:assert/strict'
import type { DatabaseSync } from 'node:sqlite'
import type { Change, ChangeKind } from '../../domain/change.ts'
import type { TermEntry } from '../../index/posting-list.ts'
import { t } from '../../language.ts'
import type { ChangeLogFacts } from '../change-log.ts'
import { ChecksumMismatch, computeDigest, describeDifference, type Value, verifyChecksum } from '../checksum.ts'
import type { MunicipalityFacts, SnapshotMetadata } from '../contract.ts'
import { tables } from '../schema.ts'
import type { RecordRow, YearRange } from '../storage.ts'
import { prepareRows, readDigests, readRows } from './open-file.ts'

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
  return { wire, ...toIncluded((row as Value[]).slice(3)) }
}

/** A row of `includedColumns` and their checksum. Throws `ChecksumMismatch` if the row is missing or damaged. */
export function toIncluded(row: unknown): Omit<RecordRow, 'wire'> {
  if (row === undefined) throw new ChecksumMismatch(t`a row of the table ${'record'} is missing`)
  const [code, checkinDate, ineCode, documents, firstSegment, checksum] = row as [
    string,
    string,
    string | null,
    string,
    number,
    number,
  ]
  verifyChecksum('record', [code, checkinDate, ineCode, documents, firstSegment], checksum)
  return { code, checkinDate, ineCode, documents, firstSegment }
}

/** The columns that `toChange` reads. */
export const changeColumns = 'number, kind, code, at, checksum'

export function toChange(row: unknown): Change {
  const [number, kind, code, at, checksum] = row as [number, ChangeKind, string, string, number]
  verifyChecksum('change', [number, kind, code, at], checksum)
  return { number, kind, code, at }
}

export function toEntry(row: Value[]): TermEntry {
  const [key, recordCount, skipTable, firstBlock, firstPositionChunk, inlineBlock, checksum] = row as unknown as [
    string,
    number,
    Uint8Array,
    number,
    number | null,
    Uint8Array | null,
    number,
  ]
  verifyChecksum('term_entry', [key, recordCount, skipTable, firstBlock, firstPositionChunk, inlineBlock], checksum)
  return { key, recordCount, skipTable: toNumbers(skipTable), firstBlock, firstPositionChunk, inlineBlock }
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
export function readChangeLog(database: DatabaseSync, properties: ReadonlyMap<string, string>): ChangeLogFacts {
  const newest = prepareRows(database, `SELECT ${changeColumns} FROM change ORDER BY number DESC LIMIT 1`).get()
  return {
    lineage: properties.get('lineage') ?? '',
    startedAt: properties.get('log_started_at') ?? '',
    last: newest === undefined ? 0 : toChange(newest).number,
  }
}

/** The rows of the tables that have no checksum in their rows, by the name of the table. */
export interface WholeTables {
  readonly property: readonly Value[][]
  readonly year: readonly Value[][]
  readonly municipality: readonly Value[][]
}

/**
 * Reads the tables that are kept in memory, each in the order of its key. With `verify`, throws `ChecksumMismatch` if
 * one does not match its digest.
 */
export function readWholeTables(database: DatabaseSync, verify: boolean): WholeTables {
  const digests = readDigests(database)
  const read = (name: keyof WholeTables): Value[][] => {
    const table = tables.find((each) => each.name === name)
    assert.ok(table, name)
    const rows = readRows(database, table)
    const [difference] = verify ? describeDifference(table, computeDigest(rows, table), digests.get(name)) : []
    if (difference !== undefined) throw new ChecksumMismatch(difference)
    return rows
  }
  return { property: read('property'), year: read('year'), municipality: read('municipality') }
}

/** The rows are those of the table `municipality`, in the order of their numbers. */
export function toMunicipalities(rows: readonly Value[][]): MunicipalityFacts[] {
  return rows.map((row) => {
    const [, name, ineCode, otherNames, lookupKeys, records, firstYear, lastYear] = row as unknown as [
      number,
      string,
      string | null,
      string,
      string,
      number,
      number,
      number,
    ]
    return {
      name,
      ineCode,
      otherNames: JSON.parse(otherNames) as string[],
      lookupKeys: JSON.parse(lookupKeys) as string[],
      records,
      firstYear,
      lastYear,
    }
  })
}

/** The rows are those of the table `year`, oldest first. Returns the years in the order of positions: newest first. */
export function toYears(rows: readonly Value[][]): YearRange[] {
  return (rows as unknown as [number, number, number][])
    .map(([year, first, records]) => ({ year, first, records }))
    .reverse()
}
