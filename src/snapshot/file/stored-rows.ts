// Turns the rows of a snapshot file into values. statements.ts selects the columns of records, changes and term
// entries. Their rows have checksums, which are verified here. The tables that are kept in memory have no checksums in
// their rows; they are read here as a whole and verified by the digest of the table. ../stored-rows.ts turns the rows
// of `year` and `municipality` into values, for both engines.
import assert from 'node:assert/strict'
import type { DatabaseSync } from 'node:sqlite'
import type { Change, ChangeKind } from '../../domain/change.ts'
import type { TermEntry } from '../../index/posting-list.ts'
import type { ChangeLogFacts } from '../change-log.ts'
import {
  ChecksumMismatch,
  computeDigest,
  describeDifference,
  type TableDigest,
  toMissingRow,
  type Value,
  verifyChecksum,
} from '../checksum.ts'
import type { SnapshotMetadata } from '../contract.ts'
import { tables } from '../schema.ts'
import type { RecordRow } from '../storage.ts'
import { toChangeLogFacts } from '../stored-rows.ts'
import { prepareReturningArrays, readDigests, readRows } from './open-file.ts'

/**
 * The wire format (the JSON that clients receive) from a row of `wire, folded_code, checksum`. `position` is where the
 * record was looked for. Throws `ChecksumMismatch` if the row is missing, is damaged or has another position.
 */
export function toWire(row: unknown, position: number): string {
  if (row === undefined) throw toMissingRow('record')
  const [wire, foldedCode, checksum] = row as [wire: string, foldedCode: string, checksum: number]
  verifyChecksum('record', [position, foldedCode, wire], checksum)
  return wire
}

/**
 * The row has the columns of `toWire`, then those for the parameter `include` (`includedColumns` in ../schema.ts) and
 * their checksum. Throws `ChecksumMismatch` if the row is missing, is damaged or has another position.
 */
export function toRecordRow(row: unknown, position: number): RecordRow {
  const wire = toWire(row, position)
  const [, , , code, checkinDate, ineCode, documents, firstSegment, checksum] = row as [
    ...columnsOfWire: [Value, Value, Value],
    code: string,
    checkinDate: string,
    ineCode: string | null,
    documents: string,
    firstSegment: number,
    checksum: number,
  ]
  verifyChecksum('record', [position, code, checkinDate, ineCode, documents, firstSegment], checksum)
  return { wire, code, checkinDate, ineCode, documents, firstSegment }
}

/** The columns that `toChange` reads. */
export const changeColumns = 'number, kind, code, at, checksum'

/** Throws `ChecksumMismatch` if the row is damaged. */
export function toChange(row: unknown): Change {
  const [number, kind, code, at, checksum] = row as [
    number: number,
    kind: ChangeKind,
    code: string,
    at: string,
    checksum: number,
  ]
  verifyChecksum('change', [number, kind, code, at], checksum)
  return { number, kind, code, at }
}

/** Throws `ChecksumMismatch` if the row is damaged. The columns are `entryColumns` in statements.ts. */
export function toTermEntry(row: Value[]): TermEntry {
  const [key, recordCount, skipTable, firstBlockNumber, firstPositionChunkNumber, inlineBlock, checksum] =
    row as unknown as [
      key: string,
      recordCount: number,
      skipTable: Uint8Array,
      firstBlockNumber: number,
      firstPositionChunkNumber: number | null,
      inlineBlock: Uint8Array | null,
      checksum: number,
    ]
  verifyChecksum(
    'term_entry',
    [key, recordCount, skipTable, firstBlockNumber, firstPositionChunkNumber, inlineBlock],
    checksum,
  )
  return {
    key,
    recordCount,
    skipTable: toUint32Array(skipTable),
    firstBlockNumber,
    firstPositionChunkNumber,
    inlineBlock,
  }
}

/**
 * Returns a view of the bytes as 32-bit integers. The bytes are 4-byte aligned, because `node:sqlite` returns each
 * value in a buffer of its own. Integers are stored in little-endian order, as all supported processors have it.
 */
export function toUint32Array(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / Uint32Array.BYTES_PER_ELEMENT)
}

/** `properties` has the values of the table `property`, by name. */
export function toMetadata(properties: ReadonlyMap<string, string>): SnapshotMetadata {
  return {
    id: properties.get('id') ?? '',
    records: Number(properties.get('records')),
    publishedAt: new Date(properties.get('published_at') ?? 0),
    fictional: properties.get('fictional') === '1',
    codePattern: properties.get('code_pattern') ?? null,
  }
}

/** What the snapshot says about its change log. `properties` as in `toMetadata`. */
export function readChangeLog(database: DatabaseSync, properties: ReadonlyMap<string, string>): ChangeLogFacts {
  const newest = prepareReturningArrays(
    database,
    `SELECT ${changeColumns} FROM change ORDER BY number DESC LIMIT 1`,
  ).get()
  return toChangeLogFacts(properties, newest === undefined ? 0 : toChange(newest).number)
}

/** All rows of the tables that are kept in memory, by the name of the table. */
export interface WholeTables {
  readonly property: readonly Value[][]
  readonly year: readonly Value[][]
  readonly municipality: readonly Value[][]
  /** The stored digests of all tables, by name. */
  readonly digests: ReadonlyMap<string, TableDigest>
}

/**
 * Reads each table in the order of its key. With `verify`, throws `ChecksumMismatch` if one does not match its stored
 * digest.
 */
export function readWholeTables(database: DatabaseSync, { verify }: { readonly verify: boolean }): WholeTables {
  const digests = readDigests(database)
  const readTable = (name: 'property' | 'year' | 'municipality'): Value[][] => {
    const table = tables.find((each) => each.name === name)
    assert.ok(table, name)
    const rows = readRows(database, table)
    if (verify) {
      const [difference] = describeDifference(table, computeDigest(rows, table), digests.get(name))
      if (difference !== undefined) throw new ChecksumMismatch(difference)
    }
    return rows
  }
  const [property, year, municipality] = [readTable('property'), readTable('year'), readTable('municipality')]
  return { property, year, municipality, digests }
}
