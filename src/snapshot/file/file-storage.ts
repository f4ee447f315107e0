// Storage in a snapshot file. Every row that is read is verified against its checksum. When a file turns out to be
// damaged, it is reported once and all further reads fail.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Change, ChangeKind } from '../../domain/change.ts'
import type { OrderKey } from '../../domain/record.ts'
import { type ChunkKind, type ChunkRequest, longPrefixWordsMax, type TermEntry } from '../../index/posting-list.ts'
import { cacheBytesDefault, SnapshotCache } from '../cache.ts'
import type { ChangeLogFacts } from '../change-log.ts'
import { ChecksumMismatch, type Value, verifyChecksum } from '../checksum.ts'
import { type MunicipalityFacts, type SnapshotMetadata, StoreFault, StoreUnavailable } from '../contract.ts'
import { DocumentTotalsByRecord, documentChunkRecords } from '../document-totals.ts'
import { includedColumns } from '../schema.ts'
import { readSegments, type Segment } from '../segments.ts'
import type { FoundRecord, RecordRow, SnapshotStorage, YearRange } from '../storage.ts'
import { openSnapshotFile, prepareRows, readProperties, toUnreadable } from './open-file.ts'
import {
  readChangeLog,
  readMunicipalities,
  readYears,
  toChange,
  toEntry,
  toMetadata,
  toNumbers,
  toRow,
  toWire,
} from './stored-rows.ts'

export interface FileStorageOptions {
  readonly cacheBytes?: number | undefined
  /** Called once, when a read finds the file damaged. */
  readonly onDamage?: ((fault: StoreFault) => void) | undefined
}

export class FileStorage implements SnapshotStorage {
  readonly metadata: SnapshotMetadata
  readonly municipalities: readonly MunicipalityFacts[]
  readonly years: readonly YearRange[]
  readonly changeLog: ChangeLogFacts
  readonly readAheadBatches = 0
  readonly hasPassages: boolean
  readonly database: DatabaseSync
  readonly #path: string
  readonly #onDamage: FileStorageOptions['onDamage']
  readonly #cache: SnapshotCache
  readonly #statements: ReturnType<typeof prepareStatements>
  #municipalityNumbers: Uint32Array | undefined
  #documentTotals: DocumentTotalsByRecord | undefined
  #damage: StoreFault | undefined
  /** Requests that have called `retain` and not yet released the file. */
  #readers = 0
  /** Whether the file is closed as soon as it has no readers. */
  #closesWhenUnused = false

  /** Throws `StoreFault` if the file is not a snapshot of this format. */
  constructor(path: string, { cacheBytes = cacheBytesDefault, onDamage }: FileStorageOptions = {}) {
    this.#path = path
    this.#onDamage = onDamage
    this.#cache = new SnapshotCache(cacheBytes)
    this.database = openSnapshotFile(path)
    try {
      const properties = readProperties(this.database)
      this.metadata = toMetadata(properties)
      this.hasPassages = properties.get('passages') === '1'
      this.municipalities = readMunicipalities(this.database)
      this.years = readYears(this.database)
      this.changeLog = readChangeLog(this.database)
      this.#statements = prepareStatements(this.database)
    } catch (error) {
      this.database.close()
      throw error instanceof StoreFault ? error : toUnreadable(path, error)
    }
  }

  readEntries(terms: readonly string[]): TermEntry[] {
    return this.#read(() => {
      const found: TermEntry[] = []
      for (const term of terms) {
        const entry = this.#readEntry(term)
        if (entry !== null) found.push(entry)
      }
      return found
    })
  }

  #readEntry(term: string): TermEntry | null {
    const cached = this.#cache.getEntry(term)
    if (cached !== undefined) return cached
    const row = this.#statements.entry.get(term) as Value[] | undefined
    const entry = row === undefined ? null : toEntry(row)
    this.#cache.setEntry(term, entry)
    return entry
  }

  readEntriesOfPrefix(prefix: string): readonly TermEntry[] {
    const cached = this.#cache.getEntriesOfPrefix(prefix)
    if (cached !== undefined) return cached
    return this.#read(() => {
      const rows = this.#statements.entriesFrom.all(prefix, `${prefix}\u{10ffff}`) as unknown as Value[][]
      const entries = rows.map(toEntry)
      this.#cache.setEntriesOfPrefix(prefix, entries)
      return entries
    })
  }

  readChunks(requests: readonly ChunkRequest[]): void {
    for (const { kind, first, count, deliver } of requests) {
      deliver(this.#read(() => Array.from({ length: count }, (_, index) => this.#readChunk(kind, first + index))))
    }
  }

  #readChunk(kind: ChunkKind, number: number): Uint8Array {
    const cached = this.#cache.getChunk(kind, number)
    if (cached !== undefined) return cached
    const bytes = readChecked(this.#statements[kind], tableOf[kind], number)
    this.#cache.setChunk(kind, number, bytes)
    return bytes
  }

  /** Records of an export are not cached, because they would evict what searches use. */
  readRecords(positions: readonly number[]): Uint8Array {
    return this.#read(() => Buffer.from(this.#readBatch(positions).join(',')))
  }

  #readBatch(positions: readonly number[]): string[] {
    const first = positions[0] ?? 0
    const areConsecutive = positions.every((position, index) => position === first + index)
    if (!areConsecutive) return positions.map((position) => toWire(this.#statements.record.get(position)))
    const wires = this.#statements.records.all(first, first + positions.length - 1).map(toWire)
    if (wires.length < positions.length) throw new ChecksumMismatch('a row of the table record is missing')
    return wires
  }

  readPage(positions: readonly number[], withLastKey: boolean): { text: string; lastKey: OrderKey | null } {
    return this.#read(() => {
      const last = withLastKey ? positions.at(-1) : undefined
      const text = positions.map((position) => this.#readRecord(position)).join(',')
      return { text, lastKey: last === undefined ? null : this.#readOrderKey(last) }
    })
  }

  #readRecord(position: number): string {
    const cached = this.#cache.getRecord(position)
    if (cached !== undefined) return cached
    const wire = toWire(this.#statements.record.get(position))
    this.#cache.setRecord(position, wire)
    return wire
  }

  readRows(positions: readonly number[]): RecordRow[] {
    return this.#read(() => {
      const first = positions[0] ?? 0
      const areConsecutive = positions.every((position, index) => position === first + index)
      if (!areConsecutive) return positions.map((position) => toRow(this.#statements.row.get(position)))
      const rows = this.#statements.rows.all(first, first + positions.length - 1).map(toRow)
      if (rows.length < positions.length) throw new ChecksumMismatch('a row of the table record is missing')
      return rows
    })
  }

  readSegments(numbers: readonly number[]): Segment[] {
    return this.#read(() => {
      // Segments of one chunk often follow each other, so they are decompressed together.
      let lastRead = new Map<number, Segment>()
      return numbers.map((number) => {
        const known = this.#cache.getSegment(number) ?? lastRead.get(number)
        if (known !== undefined) return known
        lastRead = this.#readChunkOfSegment(number, numbers)
        const segment = lastRead.get(number)
        if (segment === undefined) throw new ChecksumMismatch('a row of the table text_chunk is missing')
        return segment
      })
    })
  }

  /** Reads those of the segments that are in the chunk of the given one. */
  #readChunkOfSegment(number: number, numbers: readonly number[]): Map<number, Segment> {
    const row = this.#statements.textChunk.get(number) as unknown as [number, Uint8Array, number] | undefined
    if (row === undefined) throw new ChecksumMismatch('a row of the table text_chunk is missing')
    const [firstSegment, bytes, checksum] = row
    verifyChecksum('text_chunk', [firstSegment, bytes], checksum)
    const segments = readSegments({ firstSegment, bytes }, numbers)
    for (const [each, segment] of segments) this.#cache.setSegment(each, segment)
    return segments
  }

  readDocumentTotals(): DocumentTotalsByRecord {
    this.#documentTotals ??= this.#read(() => {
      const chunks: Uint8Array[] = []
      for (let number = 0; number * documentChunkRecords < this.metadata.records; number++) {
        chunks.push(readChecked(this.#statements.documentChunk, 'document_chunk', number))
      }
      return new DocumentTotalsByRecord(chunks)
    })
    return this.#documentTotals
  }

  #readOrderKey(position: number): OrderKey {
    const [checkinDate, code] = this.#statements.orderKey.get(position) as unknown as [string, string]
    return { checkinDate, code }
  }

  findFirstAfter({ checkinDate, code }: OrderKey): number {
    return this.#read(() => {
      const [position] = this.#statements.firstAfter.get(checkinDate, code) as unknown as [number | null]
      return position ?? this.metadata.records
    })
  }

  findRecord(foldedCode: string): FoundRecord | undefined {
    return this.#read(() => {
      const row = this.#statements.recordOfCode.get(foldedCode) as unknown as [number, string, number] | undefined
      if (row === undefined) return undefined
      const [position, text, checksum] = row
      verifyChecksum('record', [foldedCode, text], checksum)
      return { position, text }
    })
  }

  readMunicipalityNumbers(): Uint32Array {
    this.#municipalityNumbers ??= this.#read(() => this.#readMunicipalityNumbers())
    return this.#municipalityNumbers
  }

  #readMunicipalityNumbers(): Uint32Array {
    const numbers = new Uint32Array(this.metadata.records)
    for (let chunk = 0, filled = 0; filled < numbers.length; chunk++) {
      const bytes = readChecked(this.#statements.municipalityChunk, 'municipality_chunk', chunk)
      numbers.set(toNumbers(bytes), filled)
      filled += bytes.length / Uint32Array.BYTES_PER_ELEMENT
    }
    return numbers
  }

  readChanges(first: number, last: number): Change[] {
    return this.#read(() => this.#statements.changes.all(first, last).map(toChange))
  }

  countChanges(after: number): [ChangeKind, number][] {
    const query = 'SELECT kind, count(*) FROM change WHERE number > ? GROUP BY kind'
    return this.#read(() => prepareRows(this.database, query).all(after) as unknown as [ChangeKind, number][])
  }

  findPositions(foldedCodes: readonly string[]): Map<string, number> {
    return this.#read(() => {
      const positions = new Map<string, number>()
      for (const code of foldedCodes) {
        const row = this.#statements.positionOfCode.get(code) as unknown as [number] | undefined
        if (row !== undefined) positions.set(code, row[0])
      }
      return positions
    })
  }

  readVocabulary(): Uint8Array[] {
    return this.#read(() => {
      const rows = this.#statements.vocabularyChunks.all() as unknown as [number, Uint8Array, number][]
      for (const [number, bytes, checksum] of rows) verifyChecksum('vocabulary_chunk', [number, bytes], checksum)
      return rows.map(([, bytes]) => bytes)
    })
  }

  retain(): () => void {
    this.#readers++
    return () => {
      this.#readers--
      if (this.#closesWhenUnused && this.#readers === 0) this.database.close()
    }
  }

  /** Frees the cache, and closes the file when its last reader has released it. */
  closeWhenUnused(): void {
    this.#closesWhenUnused = true
    this.#cache.clear()
    if (this.#readers === 0) this.database.close()
  }

  /** All reads go through here. An error of SQLite or a wrong checksum means that the file is damaged. */
  #read<T>(read: () => T): T {
    if (this.#damage !== undefined) throw new StoreUnavailable(this.#damage.message, { cause: this.#damage })
    try {
      return read()
    } catch (error) {
      if (!isDamage(error)) throw error
      this.#damage = new StoreFault(
        `Cannot read ${this.#path}: ${error.message}; restore it from a backup or import it again`,
        { cause: error },
      )
      this.#onDamage?.(this.#damage)
      throw new StoreUnavailable(this.#damage.message, { cause: error })
    }
  }
}

/** Errors of `node:sqlite` have the property `errcode`. */
function isDamage(error: unknown): error is Error {
  return error instanceof ChecksumMismatch || (error instanceof Error && 'errcode' in error)
}

const entryColumns = 'term, records, skip_table, first_block, first_chunk, inline_block, checksum'

const rowColumns = `wire, folded_code, checksum, ${includedColumns.join(', ')}, include_checksum`

function prepareStatements(database: DatabaseSync) {
  const prepare = (text: string): StatementSync => prepareRows(database, text)
  return {
    entry: prepare(`SELECT ${entryColumns} FROM term_entry WHERE term = ?`),
    entriesFrom: prepare(
      `SELECT ${entryColumns} FROM term_entry WHERE term >= ? AND term < ? ORDER BY term LIMIT ${longPrefixWordsMax}`,
    ),
    block: prepare('SELECT bytes, checksum FROM posting_block WHERE number = ?'),
    positions: prepare('SELECT bytes, checksum FROM position_chunk WHERE number = ?'),
    textChunk: prepare(
      'SELECT first_segment, bytes, checksum FROM text_chunk WHERE first_segment <= ? ORDER BY first_segment DESC LIMIT 1',
    ),
    documentChunk: prepare('SELECT bytes, checksum FROM document_chunk WHERE number = ?'),
    municipalityChunk: prepare('SELECT bytes, checksum FROM municipality_chunk WHERE number = ?'),
    vocabularyChunks: prepare('SELECT number, bytes, checksum FROM vocabulary_chunk ORDER BY number'),
    record: prepare('SELECT wire, folded_code, checksum FROM record WHERE position = ?'),
    records: prepare('SELECT wire, folded_code, checksum FROM record WHERE position BETWEEN ? AND ? ORDER BY position'),
    row: prepare(`SELECT ${rowColumns} FROM record WHERE position = ?`),
    rows: prepare(`SELECT ${rowColumns} FROM record WHERE position BETWEEN ? AND ? ORDER BY position`),
    recordOfCode: prepare('SELECT position, wire, checksum FROM record WHERE folded_code = ?'),
    positionOfCode: prepare('SELECT position FROM record WHERE folded_code = ?'),
    changes: prepare(
      'SELECT number, kind, code, at, checksum FROM change WHERE number BETWEEN ? AND ? ORDER BY number',
    ),
    orderKey: prepare('SELECT checkin_date, code FROM record WHERE position = ?'),
    firstAfter: prepare(`
      SELECT coalesce(
        (SELECT position FROM record WHERE checkin_date = ?1 AND code > ?2 ORDER BY code LIMIT 1),
        (SELECT position FROM record WHERE checkin_date < ?1 ORDER BY checkin_date DESC, code LIMIT 1))`),
  }
}

const tableOf = { block: 'posting_block', positions: 'position_chunk' } as const

/** The bytes of a numbered row. Throws `ChecksumMismatch` if it is missing or damaged. */
function readChecked(statement: StatementSync, table: string, number: number): Uint8Array {
  const row = statement.get(number) as unknown as [Uint8Array, number] | undefined
  if (row === undefined) throw new ChecksumMismatch(`row ${number} of the table ${table} is missing`)
  verifyChecksum(table, [number, row[0]], row[1])
  return row[0]
}
