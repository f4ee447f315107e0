// What a service reads of a snapshot file, and what it keeps of that in memory.
import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { DatabaseSync } from 'node:sqlite'
import { halve } from '../../halve.ts'
import { machineBytes } from '../../machine.ts'
import { Recent } from '../../recent.ts'
import { compareCanonically, type OrderKey } from '../../record/record.ts'
import type { ChunkRequest, ListHead } from '../../search/lists.ts'
import type { FoundRecord, SnapshotStorage, YearStretch } from '../snapshot-storage.ts'
import { type MunicipalityFacts, type SnapshotFacts, StoreFault } from '../store.ts'
import { readFoldedCode, readOrderKey } from './entry.ts'
import { SnapshotFile, unreadable } from './file.ts'
import type { HashIndex } from './hash-index.ts'
import { ListHeads } from './list-heads.ts'
import type { StripName } from './strip.ts'

/**
 * What answers are made of stays in memory once it was read, where there is room for it: first the records, of which
 * the newest come first. Of a worker a core, all together leave the machine seven eighths of its memory.
 */
const keptStrips = ['record', 'entry', 'head'] as const satisfies StripName[]
const keptBytesMax = 512 * 1024 * 1024

/** What searches read again and again, taken out of the file once: common words and their blocks. */
const headBytesMax = 8 * 1024 * 1024
const chunkBytesMax = 16 * 1024 * 1024

/** What an entry costs beside the bytes in it. */
const entryBytes = 256

/** The memory of a larger page is not kept for the next. */
const pageBytesMax = 1024 * 1024

export class SqliteStorage implements SnapshotStorage {
  readonly facts: SnapshotFacts
  readonly municipalities: readonly MunicipalityFacts[]
  readonly years: readonly YearStretch[]
  readonly batchesAhead = 0
  readonly file: SnapshotFile
  readonly #codes: HashIndex
  readonly #lists: ListHeads
  readonly #heads = new Recent<string, ListHead | null>(headBytesMax, 32_768, 8192)
  readonly #keptChunks = {
    block: new Recent<number, Uint8Array>(chunkBytesMax / 2, 32_768, 1024),
    place: new Recent<number, Uint8Array>(chunkBytesMax / 2, 32_768, 1024),
  }
  /** Where the records of a page are put one behind the other, page after page. */
  #page: ArrayBufferLike | undefined
  #numbers: Uint32Array | undefined
  #readers = 0
  #retired = false

  /** Throws `StoreFault` when the file is not a snapshot that this version wrote. */
  constructor(path: string) {
    const file = new SnapshotFile(path)
    this.file = file
    try {
      const { database } = file
      this.facts = toFacts(file)
      this.municipalities = readMunicipalities(database)
      this.years = readYears(database)
      file.strips.record.open()
      file.strips.entry.open()
      let room = toRoomForStrips()
      for (const name of keptStrips) room -= file.strips[name].keep(room)
      this.#codes = file.codes
      this.#lists = new ListHeads(file.strips)
    } catch (error) {
      file.close()
      throw error instanceof StoreFault ? error : unreadable(path, error)
    }
  }

  /** What comes after it needs the memory; who still holds it reads the file from now on. */
  forget(): void {
    for (const name of keptStrips) this.file.strips[name].forget()
  }

  readHeads(keys: readonly string[]): ListHead[] {
    const found: ListHead[] = []
    for (const key of keys) {
      let head = this.#heads.get(key)
      if (head === undefined) {
        head = this.#lists.find(key) ?? null
        this.#heads.offer(key, head, head === null ? entryBytes : sizeOfHead(head))
      }
      if (head !== null) found.push(head)
    }
    return found
  }

  readHeadsBeginning(beginning: string): ListHead[] {
    return this.#lists.findBeginning(beginning)
  }

  readChunks(requests: readonly ChunkRequest[]): void {
    for (const { table, first, count, room, deliver } of requests) {
      const kept = count === 1 ? this.#keptChunks[table].get(first) : undefined
      if (kept !== undefined) {
        deliver([kept])
        continue
      }
      const { strings, room: taken } = this.file.strips[table].several(first, count, room)
      // Several at once are of a long walk, and not soon wanted again.
      const [chunk] = count === 1 ? strings : []
      if (chunk !== undefined && this.#keptChunks[table].isKnown(first)) {
        this.#keptChunks[table].keep(first, new Uint8Array(chunk), entryBytes + chunk.length)
      }
      deliver(strings, taken)
    }
  }

  readRecords(positions: readonly number[], lent?: ArrayBufferLike): Uint8Array {
    return this.file.strips.record.gatherMany(positions, lent).subarray(0, -comma)
  }

  readPage(positions: readonly number[], wantsPlace: boolean): { text: string; last: OrderKey | null } {
    const bytes = this.file.strips.record.gather(positions, this.#page)
    if (bytes.buffer.byteLength <= pageBytesMax) this.#page = bytes.buffer
    const text = bytes.toString('latin1', 0, bytes.length - comma)
    const last = wantsPlace ? positions.at(-1) : undefined
    return { text, last: last === undefined ? null : this.#readPlace(last) }
  }

  #readPlace(position: number): OrderKey {
    return readOrderKey(this.file.strips.entry, position)
  }

  /** Positions stand in canonical order, so halving finds the place without an index of its own. */
  firstAfter(key: OrderKey): number {
    return halve(0, this.facts.records, (position) => compareCanonically(this.#readPlace(position), key) <= 0)
  }

  findRecord(code: string): FoundRecord | undefined {
    const position = this.#codes.find(code, (each) => readFoldedCode(this.file.strips.entry, each) === code)
    return position === undefined
      ? undefined
      : { position, text: this.file.strips.record.text(position, 'latin1', 0, comma) }
  }

  readMunicipalityNumbers(): Uint32Array {
    this.#numbers ??= this.#readNumbers('numbers')
    return this.#numbers
  }

  readMunicipalityRecords(): Uint32Array {
    return this.#readNumbers('records')
  }

  #readNumbers(column: 'numbers' | 'records'): Uint32Array {
    const row = this.file.database.prepare(`SELECT ${column} AS bytes FROM municipality_records`).get()
    const { bytes } = row as { bytes: Uint8Array }
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / Uint32Array.BYTES_PER_ELEMENT)
  }

  retain(): () => void {
    this.#readers++
    return () => {
      this.#readers--
      if (this.#retired && this.#readers === 0) this.file.close()
    }
  }

  /** Closes the file once nobody reads it any more. */
  retire(): void {
    this.#retired = true
    if (this.#readers === 0) this.file.close()
  }
}

function toRoomForStrips(): number {
  return Math.min(machineBytes() / 8 / availableParallelism(), keptBytesMax)
}

function toFacts({ path, facts }: SnapshotFile): SnapshotFacts {
  return {
    id: facts.get('id') ?? '',
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

/** Bytes behind each record in its strip: what joins it to the next. */
const comma = 1

function sizeOfHead({ lasts, inline }: ListHead): number {
  return entryBytes + lasts.byteLength + (inline?.length ?? 0)
}
