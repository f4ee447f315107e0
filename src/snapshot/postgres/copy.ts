// Copies the tables of a snapshot file to PostgreSQL in the binary form of COPY: rows go from one to the other as
// bytes, and no text is quoted or parsed on the way.
import type { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { TransactionSql } from 'postgres'
import { digestTable, type Table, tables } from '../schema.ts'

/** Bytes handed to the connection at once. */
const chunkBytes = 256 * 1024

/** Fills the tables of the schema, which this very transaction made: that is what lets rows be frozen at once. */
export async function copySnapshot(
  file: DatabaseSync,
  transaction: TransactionSql,
  schema: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
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
  const { n } = file.prepare(`SELECT count(*) AS n FROM ${name}`).get() as { n: number }
  return n
}

function* encodeRows(file: DatabaseSync, table: Table, onChunk: (rows: number) => void): Generator<Buffer> {
  const columns = Object.keys(table.columns).length
  const writer = new FieldWriter()
  let rows = 0
  writer.begin()
  for (const row of readRows(file, table)) {
    writer.int16(columns)
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

/** Texts are read as their bytes: they are sent as they are. */
function readRows(file: DatabaseSync, { name, columns, key }: Table): Iterable<(number | Uint8Array | null)[]> {
  const list = Object.entries(columns).map(([column, type]) =>
    type.startsWith('text') ? `CAST(${column} AS BLOB)` : column,
  )
  const statement = file.prepare(`SELECT ${list.join(', ')} FROM ${name} ORDER BY ${key}`)
  statement.setReturnArrays(true)
  return statement.iterate() as unknown as Iterable<(number | Uint8Array | null)[]>
}

const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
const endOfData = -1

/** The binary format of COPY: every field its length and its bytes, -1 for null, all numbers big-endian. */
class FieldWriter {
  length = 0
  #buffer = Buffer.allocUnsafe(chunkBytes * 2)

  begin(): void {
    this.#bytes(signature)
    this.#int32(0)
    this.#int32(0)
  }

  field(value: number | Uint8Array | null): void {
    if (value === null) this.#int32(-1)
    else if (typeof value === 'number') {
      this.#int32(4)
      this.#int32(value)
    } else {
      this.#int32(value.length)
      this.#bytes(value)
    }
  }

  int16(value: number): void {
    this.#room(2)
    this.length = this.#buffer.writeInt16BE(value, this.length)
  }

  take(): Buffer {
    const taken = this.#buffer.subarray(0, this.length)
    this.#buffer = Buffer.allocUnsafe(chunkBytes * 2)
    this.length = 0
    return taken
  }

  #int32(value: number): void {
    this.#room(4)
    this.length = this.#buffer.writeInt32BE(value, this.length)
  }

  #bytes(bytes: Uint8Array): void {
    this.#room(bytes.length)
    this.#buffer.set(bytes, this.length)
    this.length += bytes.length
  }

  #room(bytes: number): void {
    if (this.length + bytes <= this.#buffer.length) return
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.length + bytes))
    this.#buffer.copy(grown, 0, 0, this.length)
    this.#buffer = grown
  }
}
