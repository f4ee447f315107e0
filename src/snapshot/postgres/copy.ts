// Copies the tables of a snapshot file, a SQLite database, to PostgreSQL with COPY in its binary format, in which no
// value needs to be quoted or parsed.
import type { DatabaseSync } from 'node:sqlite'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import type { TransactionSql } from 'postgres'
import { ByteWriter } from '../../index/varint.ts'
import { prepareReturningArrays } from '../file/open-file.ts'
import { digestTable, type Table, tables } from '../schema.ts'

/** Rows are collected until they have this size, then written to the connection. */
const chunkBytes = 256 * 1024

/**
 * Copies all tables. The transaction must have created them. `signal` is aborted when the transaction has ended, for
 * example because its connection was lost.
 */
export async function copySnapshot(
  file: DatabaseSync,
  transaction: TransactionSql,
  schema: string,
  onProgress: (copiedRows: number, totalRows: number) => void,
  signal: AbortSignal,
): Promise<void> {
  // `tables` does not contain the table of their digests, which is copied too.
  const allTables = [...tables, digestTable]
  const totalRows = allTables.reduce((sum, table) => sum + countRows(file, table), 0)
  let copiedRows = 0
  const onChunk = (rows: number): void => {
    copiedRows += rows
    onProgress(copiedRows, totalRows)
  }
  for (const table of allTables) {
    const columns = Object.keys(table.columns).join(', ')
    // FREEZE marks the rows as visible to all, so that vacuum never has to rewrite them. PostgreSQL allows it only in
    // the transaction that has created the table.
    const copy = `COPY ${schema}.${table.name} (${columns}) FROM STDIN (FORMAT binary, FREEZE)`
    const sink = await transaction.unsafe(copy).writable()
    await send(encodeRows(file, table, onChunk), sink, transaction, signal)
  }
}

/** Writes the chunks to the sink of a COPY, and waits until the server has ended the COPY. Rejects if it fails. */
async function send(
  chunks: Iterable<Uint8Array>,
  sink: Writable,
  transaction: TransactionSql,
  signal: AbortSignal,
): Promise<void> {
  const finishing = finished(sink)
  // `writeChunks` and `awaitEnd` rethrow a rejection. One that comes while neither waits would end the process without
  // this handler: if the first chunk cannot be read, `destroy` makes `finishing` reject.
  finishing.catch(() => undefined)
  await writeChunks(chunks, sink, finishing)
  sink.end()
  await awaitEnd(finishing, transaction, signal)
}

/** Cancels the COPY if a chunk cannot be read or written. */
async function writeChunks(chunks: Iterable<Uint8Array>, sink: Writable, finishing: Promise<void>): Promise<void> {
  try {
    for (const chunk of chunks) await Promise.race([write(sink, chunk), finishing])
  } catch (error) {
    sink.destroy()
    throw error
  }
}

/**
 * Waits until the sink has finished. If the server refuses the COPY after the end of the data, the driver does not
 * report that, and the sink never finishes. So if the end takes long, the server is asked (`confirmEnd`).
 */
async function awaitEnd(finishing: Promise<void>, transaction: TransactionSql, signal: AbortSignal): Promise<void> {
  const raceOver = new AbortController()
  try {
    await Promise.race([finishing, confirmEnd(transaction, AbortSignal.any([signal, raceOver.signal]))])
  } finally {
    // Stops `confirmEnd`, if it is still waiting.
    raceOver.abort()
  }
}

/** The server usually takes less time than this to end a COPY. */
const endOfCopyMs = 1000

/**
 * After a pause, sends another statement. A connection runs its statements in order, so this one succeeds after the
 * COPY has succeeded, and fails if the COPY has failed. If the signal is aborted during the pause, this rejects without
 * sending the statement: on a lost connection the driver would throw an error that nothing can catch.
 */
async function confirmEnd(transaction: TransactionSql, signal: AbortSignal): Promise<void> {
  await setTimeout(endOfCopyMs, undefined, { signal })
  await transaction.unsafe('SELECT 1')
}

/** Waits until the chunk is written. Rejects also if the driver throws, which it does once the connection is lost. */
function write(sink: Writable, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    sink.write(chunk, (error) => (error ? reject(error) : resolve()))
  })
}

function countRows(file: DatabaseSync, { name }: Table): number {
  const { rows } = file.prepare(`SELECT count(*) AS rows FROM ${name}`).get() as { rows: number }
  return rows
}

/**
 * Yields the whole table in chunks, in the binary format of COPY: after the header, each row is its number of columns,
 * then the length and the bytes of each field (https://www.postgresql.org/docs/current/sql-copy.html). After each
 * chunk, `onChunk` gets the number of its rows.
 */
function* encodeRows(file: DatabaseSync, table: Table, onChunk: (rows: number) => void): Generator<Uint8Array> {
  const columnCount = Object.keys(table.columns).length
  // A chunk exceeds `chunkBytes` by a part of its last row. If that row is very long, the writer grows.
  const writer = new ByteWriter(chunkBytes * 2)
  let rowsInChunk = 0
  writer.append(header, 0, header.length)
  for (const row of readRows(file, table)) {
    putInt16(writer, columnCount)
    for (const value of row) putField(writer, value)
    rowsInChunk++
    if (writer.length < chunkBytes) continue
    yield writer.take()
    onChunk(rowsInChunk)
    rowsInChunk = 0
  }
  putInt16(writer, endOfData)
  yield writer.take()
  onChunk(rowsInChunk)
}

/** Reads a table in the order of its key. Texts are read as UTF-8 bytes, the form in which they are sent. */
function readRows(file: DatabaseSync, { name, columns, key }: Table): Iterable<(number | Uint8Array | null)[]> {
  // The type is `text`, or `text?` if the column allows null.
  const selected = Object.entries(columns).map(([column, type]) =>
    type.startsWith('text') ? `CAST(${column} AS BLOB)` : column,
  )
  const statement = prepareReturningArrays(file, `SELECT ${selected.join(', ')} FROM ${name} ORDER BY ${key}`)
  return statement.iterate() as unknown as Iterable<(number | Uint8Array | null)[]>
}

/** The signature, then the flags and the size of the header extension, which are zero and have 4 bytes each. */
const header = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')

/** The data ends with this number in place of the column count of a row. */
const endOfData = -1

/** The field is null if it has this number in place of its length. No bytes follow. */
const nullField = -1

/** Size of a number: all numbers of the schema are of the type `integer`. */
const integerBytes = 4

/** Writes the length and the bytes of a value. */
function putField(writer: ByteWriter, value: number | Uint8Array | null): void {
  if (value === null) putInt32(writer, nullField)
  else if (typeof value === 'number') {
    putInt32(writer, integerBytes)
    putInt32(writer, value)
  } else {
    putInt32(writer, value.length)
    writer.append(value, 0, value.length)
  }
}

function putInt32(writer: ByteWriter, value: number): void {
  putInt16(writer, value >> 16)
  putInt16(writer, value)
}

/** Writes the lower 16 bits of the number, big-endian like all numbers of the format. */
function putInt16(writer: ByteWriter, value: number): void {
  const bytes = writer.reserve(2)
  bytes[writer.length++] = value >> 8
  bytes[writer.length++] = value
}
