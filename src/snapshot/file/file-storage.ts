// The storage of a snapshot in an SQLite file: reads its rows for stored-snapshot.ts, which searches. Every row with a
// checksum is verified when it is read. When a file turns out to be damaged, this is reported once and all further
// reads fail.
import type { DatabaseSync } from 'node:sqlite'
import type { Change, ChangeKind } from '../../domain/change.ts'
import type { OrderKey } from '../../domain/record.ts'
import type { ChunkKind, ChunkRequest, TermEntry } from '../../index/posting-list.ts'
import { t } from '../../language.ts'
import { cacheBytesDefault, SnapshotCache } from '../cache.ts'
import type { ChangeLogFacts } from '../change-log.ts'
import { ChecksumMismatch, type Value, verifyChecksum } from '../checksum.ts'
import { type MunicipalityFacts, type SnapshotMetadata, StoreFault, StoreUnavailable } from '../contract.ts'
import { DocumentTotalsByRecord, documentChunkRecords } from '../document-totals.ts'
import { readSegments, type Segment } from '../segments.ts'
import type { FoundRecord, ReadPageOptions, RecordRow, SnapshotStorage, YearRange } from '../storage.ts'
import { openSnapshotFile, toUnreadable } from './open-file.ts'
import { mayPass, sqliteReasonOf } from './sqlite-reason.ts'
import { prepareStatements, readAtPositions, readChecked, type Statements } from './statements.ts'
import {
  readChangeLog,
  readWholeTables,
  toChange,
  toEntry,
  toIncluded,
  toMetadata,
  toMunicipalities,
  toNumbers,
  toRow,
  toWire,
  toYears,
} from './stored-rows.ts'

export interface FileStorageOptions {
  readonly cacheBytes?: number | undefined
  /** Verifies the tables that have no checksum in their rows. The default is true. */
  readonly verifyTables?: boolean | undefined
  /** Called once, when a read finds the file damaged or fails. */
  readonly onDamage?: ((fault: StoreFault) => void) | undefined
}

/** ../storage.ts explains the methods of a `SnapshotStorage`. */
export class FileStorage implements SnapshotStorage {
  readonly metadata: SnapshotMetadata
  readonly municipalities: readonly MunicipalityFacts[]
  readonly years: readonly YearRange[]
  readonly changeLog: ChangeLogFacts
  /** Reads are synchronous, so reading ahead would gain nothing. */
  readonly readAheadBatches = 0
  readonly hasPassages: boolean
  readonly database: DatabaseSync
  readonly #path: string
  readonly #onDamage: FileStorageOptions['onDamage']
  readonly #cache: SnapshotCache
  readonly #statements: Statements
  /** Both are read when they are first needed, and kept. */
  #municipalityNumbers: Uint32Array | undefined
  #documentTotals: DocumentTotalsByRecord | undefined
  /** Set once a read has found the file damaged or has failed. */
  #damage: StoreFault | undefined
  /** Number of requests that have called `retain` and not yet released the file. */
  #readers = 0
  /** Set when a newer snapshot has replaced this one: the file is closed as soon as it has no readers. */
  #closesWhenUnused = false

  /** Throws `StoreFault` if the file is not a snapshot of this format, or a table that is read here is damaged. */
  constructor(
    path: string,
    { cacheBytes = cacheBytesDefault, verifyTables = true, onDamage }: FileStorageOptions = {},
  ) {
    this.#path = path
    this.#onDamage = onDamage
    this.#cache = new SnapshotCache(cacheBytes)
    this.database = openSnapshotFile(path)
    try {
      const { property, year, municipality } = readWholeTables(this.database, verifyTables)
      const properties = new Map(property as [string, string][])
      this.metadata = toMetadata(properties)
      this.hasPassages = properties.get('passages') === '1'
      this.municipalities = toMunicipalities(municipality)
      this.years = toYears(year)
      this.changeLog = readChangeLog(this.database, properties)
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

  /** Returns null if no record contains the term. This is cached too. */
  #readEntry(term: string): TermEntry | null {
    const cached = this.#cache.getTermEntry(term)
    if (cached !== undefined) return cached
    const row = this.#statements.entry.get(term) as Value[] | undefined
    const entry = row === undefined ? null : toEntry(row)
    this.#cache.setTermEntry(term, entry)
    return entry
  }

  readEntriesOfPrefix(prefix: string): readonly TermEntry[] {
    const cached = this.#cache.getTermEntriesOfPrefix(prefix)
    if (cached !== undefined) return cached
    return this.#read(() => {
      // All terms with the prefix are before the prefix followed by the last character of Unicode.
      const rows = this.#statements.entriesBetween.all(prefix, `${prefix}\u{10ffff}`) as unknown as Value[][]
      const entries = rows.map(toEntry)
      this.#cache.setTermEntriesOfPrefix(prefix, entries)
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

  /** The records of an export are not cached, because they would evict what searches use. */
  readRecords(positions: readonly number[]): Uint8Array {
    return this.#read(() => Buffer.from(readAtPositions(this.#statements.wires, positions, toWire).join(',')))
  }

  readPage(positions: readonly number[], { withLastKey }: ReadPageOptions): { text: string; lastKey: OrderKey | null } {
    return this.#read(() => {
      const last = withLastKey ? positions.at(-1) : undefined
      const text = positions.map((position) => this.#readWire(position)).join(',')
      return { text, lastKey: last === undefined ? null : this.#readOrderKey(last) }
    })
  }

  #readWire(position: number): string {
    const cached = this.#cache.getRecord(position)
    if (cached !== undefined) return cached
    const wire = toWire(this.#statements.wires.at.get(position))
    this.#cache.setRecord(position, wire)
    return wire
  }

  readRows(positions: readonly number[]): RecordRow[] {
    return this.#read(() => readAtPositions(this.#statements.rows, positions, toRow))
  }

  readSegments(numbers: readonly number[]): Segment[] {
    return this.#read(() => {
      // A chunk holds several segments, and those requested are often neighbours: each chunk is decompressed once.
      let segmentsOfChunk = new Map<number, Segment>()
      return numbers.map((number) => {
        const known = this.#cache.getSegment(number) ?? segmentsOfChunk.get(number)
        if (known !== undefined) return known
        segmentsOfChunk = this.#readChunkOfSegment(number, numbers)
        const segment = segmentsOfChunk.get(number)
        if (segment === undefined) throw new ChecksumMismatch(t`a row of the table ${'text_chunk'} is missing`)
        return segment
      })
    })
  }

  /** Reads the chunk that contains the segment. Returns all segments of `numbers` in that chunk, by number. */
  #readChunkOfSegment(number: number, numbers: readonly number[]): Map<number, Segment> {
    const row = this.#statements.textChunk.get(number) as unknown as [number, Uint8Array, number] | undefined
    if (row === undefined) throw new ChecksumMismatch(t`a row of the table ${'text_chunk'} is missing`)
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
    const { checkinDate, code } = toIncluded(this.#statements.included.get(position))
    return { checkinDate, code }
  }

  findFirstAfter(key: OrderKey): number {
    return this.#read(() => {
      const { records } = this.metadata
      const [found] = this.#statements.firstAfter.get(key.checkinDate, key.code) as unknown as [number | null]
      // After the last record comes the position that a further one would have.
      const position = found ?? records
      // An index has no checksums. The records before and at the position have, and show whether it is correct.
      const isCorrect =
        (position === 0 || !isAfter(this.#readOrderKey(position - 1), key)) &&
        (position === records || isAfter(this.#readOrderKey(position), key))
      if (!isCorrect) throw new ChecksumMismatch(t`the index ${'record_order'} is damaged`)
      return position
    })
  }

  findRecord(foldedCode: string): FoundRecord | undefined {
    return this.#read(() => {
      const row = this.#statements.recordOfCode.get(foldedCode) as unknown as [number, string, number] | undefined
      if (row === undefined) return undefined
      const [position, wire, checksum] = row
      verifyChecksum('record', [foldedCode, wire], checksum)
      return { position, wire }
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
    return this.#read(() => this.#statements.changeCounts.all(after) as unknown as [ChangeKind, number][])
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

  /**
   * All reads go through here. After a wrong checksum or an error of SQLite no more is read. If the error may pass, the
   * store opens the file again.
   */
  #read<T>(read: () => T): T {
    if (this.#damage !== undefined) throw new StoreUnavailable(this.#damage.message, { cause: this.#damage })
    try {
      return read()
    } catch (error) {
      if (!isDamage(error)) throw error
      this.#damage = toReadFault(this.#path, error)
      this.#onDamage?.(this.#damage)
      throw new StoreUnavailable(this.#damage.message, { cause: error })
    }
  }
}

/**
 * Whether `a` comes after `b` in canonical order. Codes are compared by UTF-8 bytes, as SQLite does, because the code
 * of a cursor may have any characters.
 */
function isAfter(a: OrderKey, b: OrderKey): boolean {
  if (a.checkinDate !== b.checkinDate) return a.checkinDate < b.checkinDate
  return Buffer.compare(Buffer.from(a.code), Buffer.from(b.code)) > 0
}

/** Only errors of `node:sqlite` have the property `errcode`. Any other error is a bug and not damage. */
function isDamage(error: unknown): error is Error {
  return error instanceof ChecksumMismatch || (error instanceof Error && 'errcode' in error)
}

function toReadFault(path: string, error: Error): StoreFault {
  const reason = sqliteReasonOf(error)
  return mayPass(error)
    ? new StoreFault(t`Cannot read ${path}: ${reason}; check the disk and the memory`, { cause: error, mayPass: true })
    : new StoreFault(t`Cannot read ${path}: ${reason}; restore it from a backup or import it again`, { cause: error })
}

const tableOf = { block: 'posting_block', positions: 'position_chunk' } as const
