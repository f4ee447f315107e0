// One snapshot file, open for reading. The file never changes, so one read transaction lasts as long as the handle
// and no statement locks or checks anything again.
import { statSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { Recent } from '../../recent.ts'
import { compareCanonically, type OrderKey } from '../../record/record.ts'
import { type ChunkRequest, type ListHead, lastRecordOf } from '../../search/lists.ts'
import type { FoundRecord, SnapshotStorage, YearStretch } from '../snapshot.ts'
import { type MunicipalityFacts, type SnapshotFacts, StoreFault } from '../store.ts'
import { applicationId, formatVersion } from './schema.ts'

const cacheKibibytes = 8 * 1024

/**
 * What searches read again and again, taken out of the database once: common words, their first blocks, the newest
 * records. A value that comes out of SQLite as a buffer costs more than finding it.
 */
const headBytesMax = 8 * 1024 * 1024
const chunkBytesMax = 16 * 1024 * 1024
const recordBytesMax = 8 * 1024 * 1024

/** What an entry costs beside the bytes in it. */
const entryBytes = 256

export class SqliteStorage implements SnapshotStorage {
  readonly facts: SnapshotFacts
  readonly municipalities: readonly MunicipalityFacts[]
  readonly years: readonly YearStretch[]
  readonly batchesAhead = 0
  readonly #database: DatabaseSync
  readonly #head: StatementSync
  readonly #headsBeginning: StatementSync
  readonly #chunks: Readonly<Record<ChunkRequest['table'], StatementSync>>
  readonly #recordsBetween: StatementSync
  readonly #recordsAt: StatementSync
  readonly #record: StatementSync
  readonly #code: StatementSync
  readonly #heads = new Recent<string, ListHead | null>(headBytesMax)
  readonly #keptChunks = {
    block: new Recent<number, Uint8Array>(chunkBytesMax / 2),
    place: new Recent<number, Uint8Array>(chunkBytesMax / 2),
  }
  readonly #records = new Recent<number, PlacedRecord>(recordBytesMax)
  #numbers: Uint32Array | undefined
  #readers = 0
  #retired = false

  /** Throws `StoreFault` when the file is not a snapshot that this version wrote. */
  constructor(path: string) {
    const database = openSnapshotFile(path)
    this.#database = database
    try {
      this.facts = readFacts(database, path)
      this.municipalities = readMunicipalities(database)
      this.years = readYears(database)
      const prepare = (sql: string): StatementSync => {
        const statement = database.prepare(sql)
        statement.setReturnArrays(true)
        return statement
      }
      // Where the only block is in the head, the last record can be read from it.
      const lasts = 'CASE WHEN inline IS NULL THEN lasts END'
      const head = `SELECT key, records, ${lasts}, first_block, first_place, inline FROM list`
      this.#head = prepare(`${head} WHERE key = ?`)
      this.#headsBeginning = prepare(`${head} WHERE key >= ? AND key < ? ORDER BY key LIMIT ?`)
      const chunks = (table: string): StatementSync =>
        prepare(`SELECT bytes FROM ${table} WHERE number BETWEEN ? AND ? ORDER BY number`)
      this.#chunks = { block: chunks('block'), place: chunks('place') }
      // Joined inside the database: one row and one buffer for a whole batch.
      const joined = "SELECT CAST(group_concat(wire, ',') AS BLOB) FROM"
      this.#recordsBetween = prepare(
        `${joined} (SELECT wire FROM record WHERE position BETWEEN ? AND ? ORDER BY position)`,
      )
      this.#recordsAt = prepare(`${joined} json_each(?) CROSS JOIN record ON position = value`)
      this.#record = prepare('SELECT wire, checkin_date, code FROM record WHERE position = ?')
      this.#code = prepare('SELECT position, wire FROM record WHERE folded_code = ?')
    } catch (error) {
      database.close()
      throw error instanceof StoreFault ? error : unreadable(path, error)
    }
  }

  readHeads(keys: readonly string[]): ListHead[] {
    const found: ListHead[] = []
    for (const key of keys) {
      let head = this.#heads.get(key)
      if (head === undefined) {
        const row = this.#head.get(key)
        head = row === undefined ? null : toHead(row as unknown as HeadRow)
        this.#heads.offer(key, head, head === null ? entryBytes : sizeOfHead(head))
      }
      if (head !== null) found.push(head)
    }
    return found
  }

  readHeadsBeginning(beginning: string, most: number): ListHead[] {
    const rows = this.#headsBeginning.all(beginning, `${beginning}\u{10ffff}`, most)
    return (rows as unknown as HeadRow[]).map(toHead)
  }

  readChunks(requests: readonly ChunkRequest[]): void {
    for (const { table, first, count, deliver } of requests) {
      const kept = count === 1 ? this.#keptChunks[table].get(first) : undefined
      if (kept !== undefined) {
        deliver([kept])
        continue
      }
      const chunks = this.#chunks[table].all(first, first + count - 1).map(toBytes)
      const [chunk] = chunks
      // Several at once are of a long walk, and not soon wanted again.
      if (count === 1 && chunk !== undefined) this.#keptChunks[table].offer(first, chunk, entryBytes + chunk.length)
      deliver(chunks)
    }
  }

  readRecords(positions: readonly number[]): Uint8Array {
    const first = positions[0] ?? 0
    const isStretch = positions.every((position, index) => position === first + index)
    if (isStretch) return toBytes(this.#recordsBetween.get(first, first + positions.length - 1))
    return toBytes(this.#recordsAt.get(`[${positions.join()}]`))
  }

  readPage(positions: readonly number[]): { text: string; last: OrderKey } {
    const records = positions.map((position) => this.#readRecord(position))
    return { text: records.map(({ text }) => text).join(), last: records.at(-1) ?? noRecord }
  }

  #readRecord(position: number): PlacedRecord {
    const kept = this.#records.get(position)
    if (kept !== undefined) return kept
    const [text, checkinDate, code] = this.#record.get(position) as unknown as [string, string, string]
    const record = { text, checkinDate, code }
    this.#records.offer(position, record, entryBytes + text.length)
    return record
  }

  /** Positions stand in canonical order, so halving finds the place without an index of its own. */
  firstAfter(key: OrderKey): number {
    let low = 0
    let high = this.facts.records
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareCanonically(this.#readRecord(middle), key) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }

  findRecord(code: string): FoundRecord | undefined {
    const row = this.#code.get(code) as unknown as [number, string] | undefined
    return row && { position: row[0], text: row[1] }
  }

  readMunicipalityNumbers(): Uint32Array {
    if (this.#numbers === undefined) {
      const row = this.#database.prepare('SELECT numbers FROM municipality_numbers').get()
      const bytes = (row as { numbers: Uint8Array }).numbers
      this.#numbers = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
    }
    return this.#numbers
  }

  retain(): () => void {
    this.#readers++
    return () => {
      this.#readers--
      if (this.#retired && this.#readers === 0) this.#database.close()
    }
  }

  /** Closes the file once nobody reads it any more. */
  retire(): void {
    this.#retired = true
    if (this.#readers === 0) this.#database.close()
  }
}

export function openSnapshotFile(path: string): DatabaseSync {
  let database: DatabaseSync
  try {
    database = new DatabaseSync(path, { readOnly: true })
  } catch (error) {
    throw unreadable(path, error)
  }
  try {
    const { application_id: id } = database.prepare('PRAGMA application_id').get() as { application_id: number }
    if (id !== applicationId) {
      throw new StoreFault(
        `Cannot open ${path}: it is no planning registry; name another file, or make one with planning-registry import`,
      )
    }
    const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number }
    if (version !== formatVersion) {
      throw new StoreFault(
        `Cannot open ${path}: it was written by another version (format ${version}, this one reads ${formatVersion}); import it anew`,
      )
    }
    database.exec(`PRAGMA cache_size = -${cacheKibibytes}; BEGIN`)
    return database
  } catch (error) {
    database.close()
    throw error instanceof StoreFault ? error : unreadable(path, error)
  }
}

function unreadable(path: string, error: unknown): StoreFault {
  const reason = error instanceof Error ? error.message : String(error)
  return new StoreFault(`Cannot open ${path}: ${reason}; restore it from a back-up or import it anew`, { cause: error })
}

function readFacts(database: DatabaseSync, path: string): SnapshotFacts {
  const rows = database.prepare('SELECT name, value FROM fact').all() as { name: string; value: string }[]
  const facts = new Map(rows.map(({ name, value }) => [name, value]))
  const id = facts.get('id')
  if (id === undefined) throw new StoreFault(`Cannot open ${path}: its import was never finished; import it anew`)
  return {
    id,
    records: Number(facts.get('records')),
    publishedAt: statSync(path).mtime,
    fictional: facts.get('fictional') === '1',
  }
}

function readMunicipalities(database: DatabaseSync): MunicipalityFacts[] {
  const rows = database.prepare('SELECT * FROM municipality ORDER BY number').all() as unknown as MunicipalityRow[]
  return rows.map((row) => ({
    name: row.name,
    ineCode: row.ine_code,
    otherNames: JSON.parse(row.other_names) as string[],
    keys: JSON.parse(row.keys) as string[],
    records: row.records,
    firstYear: row.first_year,
    lastYear: row.last_year,
  }))
}

interface MunicipalityRow {
  name: string
  ine_code: string | null
  other_names: string
  keys: string
  records: number
  first_year: number
  last_year: number
}

function readYears(database: DatabaseSync): YearStretch[] {
  return database.prepare('SELECT year, first, records FROM year ORDER BY year DESC').all() as unknown as YearStretch[]
}

function toBytes(row: unknown): Uint8Array {
  const [bytes] = row as [Uint8Array]
  return bytes
}

/** A record and its place in the canonical order. */
interface PlacedRecord extends OrderKey {
  readonly text: string
}

const noRecord: OrderKey = { checkinDate: '', code: '' }

type HeadRow = [string, number, Uint8Array | null, number, number | null, Uint8Array | null]

function toHead([key, records, bytes, firstBlock, firstPlace, inline]: HeadRow): ListHead {
  const lasts =
    bytes === null
      ? Uint32Array.of(lastRecordOf(inline ?? new Uint8Array(0)))
      : new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  return { key, records, lasts, firstBlock, firstPlace, inline }
}

function sizeOfHead({ lasts, inline }: ListHead): number {
  return entryBytes + lasts.byteLength + (inline?.length ?? 0)
}
