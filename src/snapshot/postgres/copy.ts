// Copies the tables of a snapshot file to PostgreSQL with binary COPY, so that no value is quoted or parsed. A step of
// load.ts.
import type { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { TransactionSql } from 'postgres'
import { digestTable, type Table, tables } from '../schema.ts'

/** A write to the connection has at least this size. */
const chunkBytes = 256 * 1024

/**
 * Copies all tables. `onProgress` gets the number of rows copied so far. FREEZE requires that the same transaction has
 * created the tables; vacuum then never has to rewrite the rows.
 */
export async function copySnapshot(
  file: DatabaseSync,
  transaction: TransactionSql,
  schema: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  // `tables` does not contain the table of their digests, which is copied too.
  const all = [...tables, digestTable]
  const total = all.reduce((sum, table) => sum + countRows(file, table), 0)
  let done = 0
  for (const table of all) {
    const into = `COPY ${schema}.${table.name} (${Object.keys(table.columns).join(', ')}) FROM STDIN`
    const sink = await transaction.unsafe(`${into} (FORMAT binary, FREEZE)`).writable()
    const encoded = encodeRows(file, table, (rows) => {
      done += rows
      onProgress(done, total)
    })
    await pipeline(Readable.from(encoded, { objectMode: false }), sink)
  }
}

function countRows(file: DatabaseSync, { name }: Table): number {
  const { rows } = file.prepare(`SELECT count(*) AS rows FROM ${name}`).get() as { rows: number }
  return rows
}

/** Yields the bytes of the whole table. `onChunk` gets the number of rows in the chunk that was yielded. */
function* encodeRows(file: DatabaseSync, table: Table, onChunk: (rows: number) => void): Generator<Buffer> {
  const columnCount = Object.keys(table.columns).length
  const writer = new FieldWriter()
  let rows = 0
  writer.begin()
  for (const row of readRows(file, table)) {
    writer.int16(columnCount)
    for (const value of row) writer.field(value)
    rows++
    if (writer.length < chunkBytes) continue
    yield writer.take()
    onChunk(rows)
    rows = 0
  }
  writer.int16(endOfData)
  yield writer.take()
  onChunk(rows)
}

/** Reads texts as UTF-8 bytes, the form in which they are sent. */
function readRows(file: DatabaseSync, { name, columns, key }: Table): Iterable<(number | Uint8Array | null)[]> {
  const list = Object.entries(columns).map(([column, type]) =>
    type.startsWith('text') ? `CAST(${column} AS BLOB)` : column,
  )
  const statement = file.prepare(`SELECT ${list.join(', ')} FROM ${name} ORDER BY ${key}`)
  statement.setReturnArrays(true)
  return statement.iterate() as unknown as Iterable<(number | Uint8Array | null)[]>
}

/** The first bytes of the format. */
const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')

/** Written where the number of columns of another row would be. */
const endOfData = -1

/** Written where the length of a field would be. */
const nullField = -1

/** All numbers of the schema are of the type `integer`. */
const integerBytes = 4

/**
 * Encodes the binary format of COPY (https://www.postgresql.org/docs/current/sql-copy.html): each row is its number of
 * columns, then the length and the bytes of each field. Numbers are big-endian.
 */
class FieldWriter {
  /** Bytes written since the last `take`. */
  length = 0
  #buffer = Buffer.allocUnsafe(chunkBytes * 2)

  /** Writes the file header: signature, flags, and size of the header extension. */
  begin(): void {
    this.#bytes(signature)
    this.#int32(0)
    this.#int32(0)
  }

  field(value: number | Uint8Array | null): void {
    if (value === null) this.#int32(nullField)
    else if (typeof value === 'number') {
      this.#int32(integerBytes)
      this.#int32(value)
    } else {
      this.#int32(value.length)
      this.#bytes(value)
    }
  }

  int16(value: number): void {
    this.#reserve(2)
    this.length = this.#buffer.writeInt16BE(value, this.length)
  }

  /** Returns the bytes written so far and starts a new buffer. */
  take(): Buffer {
    const taken = this.#buffer.subarray(0, this.length)
    this.#buffer = Buffer.allocUnsafe(chunkBytes * 2)
    this.length = 0
    return taken
  }

  #int32(value: number): void {
    this.#reserve(4)
    this.length = this.#buffer.writeInt32BE(value, this.length)
  }

  #bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#buffer.set(bytes, this.length)
    this.length += bytes.length
  }

  /** Enlarges the buffer if this many more bytes do not fit. */
  #reserve(bytes: number): void {
    if (this.length + bytes <= this.#buffer.length) return
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.length + bytes))
    this.#buffer.copy(grown, 0, 0, this.length)
    this.#buffer = grown
  }
}
