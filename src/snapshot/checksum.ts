// Checksums of a snapshot, the same in an SQLite file and on PostgreSQL:
// - a CRC-32 in every row, except in small tables that are read as a whole. It is verified whenever the row is read
//   from an SQLite file, and on both engines when the digest of its table is verified;
// - a SHA-256 of every table, its digest. It is verified by the command `check`, before an SQLite file is copied to
//   PostgreSQL, and before a small SQLite file is served (`verifyRowsBytesMax` in sqlite/store.ts). The digests of the
//   tables without CRC-32 are verified whenever an SQLite file is opened for serving.
import { createHash, type Hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { t } from '../language.ts'
import type { Table } from './schema.ts'

/** The value of a column in a row of the database. */
export type Value = string | number | Uint8Array | null

/**
 * A snapshot is damaged: a row is missing or does not match its checksum, a table does not match its digest, or an
 * index of the database gives a wrong row.
 */
export class ChecksumMismatch extends Error {
  override readonly name = 'ChecksumMismatch'
}

/** The error for a row that must exist but was not found. */
export function toMissingRow(table: string): ChecksumMismatch {
  return new ChecksumMismatch(t`a row of the table ${table} is missing`)
}

/**
 * CRC-32 of the values, as a signed 32-bit integer, because PostgreSQL has no unsigned ones. Texts are UTF-8, a number
 * is decimal text, and null is the empty text.
 */
export function toChecksum(values: readonly Value[]): number {
  let checksum = 0
  /** The values that `checksum` does not cover yet. A call of `crc32` costs more than joining short texts. */
  let text = ''
  for (const value of values) {
    if (value instanceof Uint8Array) {
      checksum = crc32(value, crc32(text, checksum))
      text = ''
    } else if (value !== null) text += value
  }
  // `| 0` turns the unsigned integer that `crc32` returns into a signed one.
  return crc32(text, checksum) | 0
}

/** Throws `ChecksumMismatch` if the values do not match the checksum. `table` is the name for the message. */
export function verifyChecksum(table: string, values: readonly Value[], checksum: Value | undefined): void {
  if (toChecksum(values) !== checksum) throw new ChecksumMismatch(t`a row of the table ${table} is damaged`)
}

export interface TableDigest {
  readonly rows: number
  readonly sha256: string
}

/** Digests the rows of a table, which come in the order of its key. Throws `ChecksumMismatch` if a row is damaged. */
export function computeDigest(rows: Iterable<readonly Value[]>, table: Table): TableDigest {
  const digester = new TableDigester(table)
  for (const row of rows) digester.verifyAndAdd(row)
  return digester.finish()
}

/** Does the same as `computeDigest`, for rows that arrive one by one. */
export class TableDigester {
  readonly #table: Table
  /** Indexes of the columns that the checksum of a row covers. */
  readonly #checksummedColumns: readonly number[]
  readonly #hash: Hash = createHash('sha256')
  #rows = 0

  constructor(table: Table) {
    this.#table = table
    const columns = Object.keys(table.columns)
    this.#checksummedColumns = (table.checksummed ?? []).map((name) => columns.indexOf(name))
  }

  /** Like `add`, for a row of a database, which is verified first. Throws `ChecksumMismatch` if it is damaged. */
  verifyAndAdd(row: readonly Value[]): void {
    const checksummed = this.#checksummedColumns.map((index) => row[index] as Value)
    const hasChecksum = checksummed.length > 0
    if (hasChecksum) verifyChecksum(this.#table.name, checksummed, row.at(-1))
    this.add(row)
  }

  /**
   * Adds the next row, which has just been made and so is not verified. Its values are in the order of the columns; the
   * checksum, if the table has one, is the last.
   *
   * Hashes first all values as text, each ended by NUL, then the bytes of the binary values. In the text, a binary
   * value is its length, and null is U+0001. So different rows of a table hash different bytes, unless a text contains
   * one of these two characters. The row `7`, null, two bytes is hashed as `7 NUL U+0001 NUL 2 NUL` and the two bytes.
   */
  add(row: readonly Value[]): void {
    this.#rows++
    let text = ''
    for (const value of row) text += value instanceof Uint8Array ? `${value.length}\0` : `${value ?? '\u0001'}\0`
    this.#hash.update(text)
    for (const value of row) if (value instanceof Uint8Array) this.#hash.update(value)
  }

  finish(): TableDigest {
    return { rows: this.#rows, sha256: this.#hash.digest('hex') }
  }
}

/**
 * Compares the digest of the rows that were read, `found`, with the stored one. Returns an array with one sentence if
 * they differ, else an empty array.
 */
export function describeDifference({ name }: Table, found: TableDigest, stored: TableDigest | undefined): string[] {
  if (stored === undefined) return [t`the digest of the table ${name} is missing`]
  if (found.rows !== stored.rows) return [t`the table ${name} has ${found.rows} rows instead of ${stored.rows}`]
  return found.sha256 === stored.sha256 ? [] : [t`the table ${name} is damaged: its digest differs`]
}
