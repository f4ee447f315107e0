// Carries a snapshot file over to PostgreSQL, tables and strips alike, in the binary form of COPY: rows go from one to
// the other as bytes, and no text is quoted or parsed on the way.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { TransactionSql } from 'postgres'
import { foldCode } from '../../record/code.ts'
import { readEntries } from '../sqlite/entry.ts'
import type { SnapshotFile } from '../sqlite/file.ts'
import { ListHeads } from '../sqlite/list-heads.ts'
import type { StripName } from '../sqlite/strip.ts'
import { type ColumnKind, type SnapshotTable, snapshotTables } from './schema.ts'

/** Bytes handed to the connection at once. */
const chunkBytes = 256 * 1024

const integerOid = 23

/** What was sent to a table: its rows, and the bytes of texts and byte strings in them. */
export interface Sent {
  rows: number
  bytes: number
}

/** Fills the tables of the schema, which this very transaction made: that is what lets rows be frozen at once. */
export async function copySnapshot(
  file: SnapshotFile,
  transaction: TransactionSql,
  schema: string,
  onProgress: (done: number, total: number) => void,
): Promise<Map<string, Sent>> {
  const total = snapshotTables.reduce((sum, table) => sum + countRows(file, table), 0)
  const sent = new Map<string, Sent>()
  let done = 0
  for (const table of snapshotTables) {
    const { name, columns } = table
    const into = `COPY ${schema}.${name} (${Object.keys(columns).join(', ')}) FROM STDIN (FORMAT binary, FREEZE)`
    const sink = await transaction.unsafe(into).writable()
    const toTable = { rows: 0, bytes: 0 }
    const encoded = encodeRows(file, table, toTable, () => onProgress(done + toTable.rows, total))
    await pipeline(Readable.from(encoded, { objectMode: false }), sink)
    sent.set(name, toTable)
    done += toTable.rows
  }
  return sent
}

type Value = number | Uint8Array | null

function countRows({ database, strips }: SnapshotFile, { name, strip }: SnapshotTable): number {
  if (strip !== undefined) return strips[strip].count
  const { n } = database.prepare(`SELECT count(*) AS n FROM ${name}`).get() as { n: number }
  return n
}

function* encodeRows(file: SnapshotFile, table: SnapshotTable, sent: Sent, onChunk: () => void): Generator<Buffer> {
  const kinds = Object.values(table.columns)
  const writer = new FieldWriter()
  writer.begin()
  for (const row of rowsOf(file, table)) {
    writer.int16(kinds.length)
    for (const [index, value] of row.entries()) {
      writer.field(value, kinds[index])
      if (value instanceof Uint8Array && kinds[index] !== 'integer[]') sent.bytes += value.length
    }
    sent.rows++
    if (writer.length < chunkBytes) continue
    yield writer.take()
    onChunk()
  }
  writer.int16(endOfData)
  yield writer.take()
  onChunk()
}

function rowsOf(file: SnapshotFile, table: SnapshotTable): Iterable<Value[]> {
  if (table.strip === undefined) return rowsOfTable(file, table)
  if (table.strip === 'record') return rowsOfRecords(file)
  return table.strip === 'head' ? rowsOfHeads(file) : rowsOfStrip(file, table.strip)
}

/** Texts are read as their bytes: they are sent as they are. */
function rowsOfTable({ database }: SnapshotFile, { name, columns, key }: SnapshotTable): Iterable<Value[]> {
  const list = Object.entries(columns).map(([column, kind]) => (kind === 'text' ? `CAST(${column} AS BLOB)` : column))
  const statement = database.prepare(`SELECT ${list.join(', ')} FROM ${name} ORDER BY ${key}`)
  statement.setReturnArrays(true)
  return statement.iterate() as unknown as Iterable<Value[]>
}

function* rowsOfRecords({ strips }: SnapshotFile): Generator<Value[]> {
  const wires = strips.record.strings()
  let position = 0
  for (const { code, checkinDate, digest, hasText } of readEntries(strips.entry)) {
    const texts = [code, foldCode(code), checkinDate].map((text) => Buffer.from(text))
    // A record has a comma behind it in its strip.
    const wire = (wires.next().value ?? nothing).subarray(0, -1)
    yield [position++, ...texts, digest, hasText ? 1 : 0, wire]
  }
}

function* rowsOfHeads({ strips }: SnapshotFile): Generator<Value[]> {
  for (const { key, records, lasts, firstBlock, firstPlace, inline } of new ListHeads(strips)) {
    yield [Buffer.from(key), records, new Uint8Array(lasts.buffer), firstBlock, firstPlace, inline]
  }
}

function* rowsOfStrip({ strips }: SnapshotFile, name: StripName): Generator<Value[]> {
  let number = 0
  for (const string of strips[name].strings()) yield [number++, string]
}

const nothing = new Uint8Array(0)

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
