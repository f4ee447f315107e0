// Checksums of a snapshot: a CRC-32 in every row, verified when the row is read from a file, and a SHA-256 of every
// table, verified by `check`. Both are the same on all engines.
import { createHash, type Hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { t } from '../language.ts'
import type { Table } from './schema.ts'

/** The value of a column. */
export type Value = string | number | Uint8Array | null

/** A row is missing or does not match its checksum. */
export class ChecksumMismatch extends Error {
  override readonly name = 'ChecksumMismatch'
}

/** CRC-32 of the values, as a signed 32-bit integer, because PostgreSQL has no unsigned ones. */
export function toChecksum(values: readonly Value[]): number {
  let checksum = 0
  for (const value of values) checksum = crc32(toHashed(value), checksum)
  return checksum | 0
}

/** Throws `ChecksumMismatch` if the values do not match the checksum. */
export function verifyChecksum(table: string, values: readonly Value[], checksum: Value | undefined): void {
  if (toChecksum(values) !== checksum) throw new ChecksumMismatch(t`a row of the table ${table} is damaged`)
}

export interface TableDigest {
  readonly rows: number
  readonly sha256: string
}

/** SHA-256 of all rows of a table in the order of its key. Throws `ChecksumMismatch` if a row is damaged. */
export function computeDigest(rows: Iterable<readonly Value[]>, table: Table): TableDigest {
  const digest = new TableDigester(table)
  for (const row of rows) digest.add(row)
  return digest.finish()
}

/** Incremental form of `computeDigest`. */
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

  /** The values are in the order of the columns. The checksum, if the table has one, is the last. */
  add(row: readonly Value[]): void {
    this.#rows++
    const checksummed = this.#checksummedColumns.map((index) => row[index] as Value)
    // Without columns to cover, the table has no checksums.
    if (checksummed.length > 0) verifyChecksum(this.#table.name, checksummed, row.at(-1))
    // A NUL ends each value, U+0001 stands for null, and binary values follow as bytes after their lengths, so that
    // different rows have different encodings.
    let text = ''
    for (const value of row) text += value instanceof Uint8Array ? `${value.length}\0` : `${value ?? '\u0001'}\0`
    this.#hash.update(text)
    for (const value of row) if (value instanceof Uint8Array) this.#hash.update(value)
  }

  finish(): TableDigest {
    return { rows: this.#rows, sha256: this.#hash.digest('hex') }
  }
}

/** Returns one sentence if the table does not match its stored digest, else an empty array. */
export function describeDifference({ name }: Table, found: TableDigest, stored: TableDigest | undefined): string[] {
  if (stored === undefined) return [t`the digest of the table ${name} is missing`]
  if (found.rows !== stored.rows) return [t`the table ${name} has ${found.rows} rows instead of ${stored.rows}`]
  return found.sha256 === stored.sha256 ? [] : [t`the table ${name} is damaged: its digest differs`]
}

/** A value as the argument of `crc32`, which encodes a text as UTF-8. Numbers are hashed as texts, null as none. */
function toHashed(value: Value): string | Uint8Array {
  if (value === null) return ''
  return typeof value === 'number' ? String(value) : value
}
