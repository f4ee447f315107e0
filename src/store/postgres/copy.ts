// Carries the tables of a snapshot file over to PostgreSQL, in the binary form of COPY: rows go from one database to
// the other as bytes, and no text is quoted or parsed on the way.
import type { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { TransactionSql } from 'postgres'
import { type ColumnKind, snapshotTables } from './schema.ts'

/** Bytes handed to the connection at once. */
const chunkBytes = 256 * 1024

const integerOid = 23

/** Fills the tables of the schema, which this very transaction made: that is what lets rows be frozen at once. */
export async function copySnapshot(
  file: DatabaseSync,
  transaction: TransactionSql,
  schema: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const counts = snapshotTables.map(({ name }) => countRows(file, name))
  const total = counts.reduce((sum, count) => sum + count, 0)
  let done = 0
  for (const { name, columns, key } of snapshotTables) {
    const into = `COPY ${schema}.${name} (${Object.keys(columns).join(', ')}) FROM STDIN (FORMAT binary, FREEZE)`
    const sink = await transaction.unsafe(into).writable()
    const rows = encodeRows(file, name, columns, key, (count) => onProgress(done + count, total))
    await pipeline(Readable.from(rows, { objectMode: false }), sink)
    done += counts.shift() ?? 0
  }
}

function countRows(file: DatabaseSync, table: string): number {
  const { n } = file.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }
  return n
}

function* encodeRows(
  file: DatabaseSync,
  table: string,
  columns: Readonly<Record<string, ColumnKind>>,
  key: string,
  onChunk: (rows: number) => void,
): Generator<Buffer> {
  const kinds = Object.values(columns)
  // Texts are read as their bytes: they are sent as they are.
  const list = Object.entries(columns).map(([name, kind]) => (kind === 'text' ? `CAST(${name} AS BLOB)` : name))
  const statement = file.prepare(`SELECT ${list.join(', ')} FROM ${table} ORDER BY ${key}`)
  statement.setReturnArrays(true)
  const writer = new FieldWriter()
  writer.begin()
  let rows = 0
  for (const row of statement.iterate() as Iterable<unknown>) {
    writer.int16(kinds.length)
    for (const [index, value] of (row as (number | Uint8Array | null)[]).entries()) writer.field(value, kinds[index])
    rows++
    if (writer.length < chunkBytes) continue
    yield writer.take()
    onChunk(rows)
  }
  writer.int16(endOfData)
  yield writer.take()
  onChunk(rows)
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

  field(value: number | Uint8Array | null, kind: ColumnKind | undefined): void {
    if (value === null) this.#int32(-1)
    else if (typeof value === 'number') {
      this.#int32(4)
      this.#int32(value)
    } else if (kind === 'integer[]') this.#array(new DataView(value.buffer, value.byteOffset, value.byteLength))
    else {
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

  /** Little-endian integers in the file, an array of one dimension here. */
  #array(items: DataView): void {
    const count = items.byteLength / 4
    this.#int32(count === 0 ? 12 : 20 + count * 8)
    this.#int32(count === 0 ? 0 : 1)
    this.#int32(0)
    this.#int32(integerOid)
    if (count === 0) return
    this.#int32(count)
    this.#int32(1)
    for (let i = 0; i < count; i++) {
      this.#int32(4)
      this.#int32(items.getInt32(i * 4, true))
    }
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
