// The storage of a snapshot in an SQLite file: reads its rows for stored-snapshot.ts, which searches. statements.ts has
// the SQL, stored-rows.ts turns rows into values. Every row with a checksum is verified when it is read. If a term (a
// key of the inverted index) or a code of a record is not found, ranks.ts verifies that damage does not hide it.
//
// The first read that fails, or finds the file damaged, is reported to the store (../sqlite/store.ts), and all further
// reads fail. The store then creates a new storage: for the same file after a transient failure, else for the file that
// replaces it.
import type { DatabaseSync } from 'node:sqlite'
import type { Change, ChangeKind } from '../../domain/change.ts'
import type { OrderKey } from '../../domain/record.ts'
import { type ChunkKind, type ChunkRequest, longPrefixWordsMax, type TermEntry } from '../../index/posting-list.ts'
import { t } from '../../language.ts'
import { type MaybePromise, mapMaybe } from '../../maybe-promise.ts'
import { cacheBytesDefault, SnapshotCache } from '../cache.ts'
import type { ChangeLogFacts } from '../change-log.ts'
import { ChecksumMismatch, type TableDigest, toMissingRow, type Value, verifyChecksum } from '../checksum.ts'
import { type MunicipalityFacts, type SnapshotMetadata, StoreFault, StoreUnavailable } from '../contract.ts'
import { DocumentTotalsByRecord, documentChunkRecords } from '../document-totals.ts'
import { readSegments, type Segment, type TextChunk } from '../segments.ts'
import type { FoundRecord, RecordRow, SnapshotStorage, YearRange } from '../storage.ts'
import { toMunicipalities, toYears } from '../stored-rows.ts'
import { openSnapshotFile, toOpenFault } from './open-file.ts'
import { compareBytes, verifyCodeAbsent, verifyTermsFound } from './ranks.ts'
import { isFailureWithoutDamage, sqliteReasonOf } from './sqlite-reason.ts'
import {
  prepareStatements,
  readAtPositions,
  readNumberedRow,
  readTextChunk,
  readVocabularyChunks,
  type Statements,
} from './statements.ts'
import {
  readChangeLog,
  readWholeTables,
  toChange,
  toMetadata,
  toRecordRow,
  toTermEntry,
  toUint32Array,
  toWire,
} from './stored-rows.ts'

export interface FileStorageOptions {
  /** Size of the snapshot cache. */
  readonly cacheBytes?: number | undefined
  /** Verifies the tables that are kept in memory, which have no checksums in their rows. The default is true. */
  readonly verifyTables?: boolean | undefined
  /** Called once, when a read fails or finds the file damaged. */
  readonly onReadFault?: ((fault: StoreFault) => void) | undefined
}

/** The table of each kind of chunk of a posting list. */
const chunkTables = { block: 'posting_block', positions: 'position_chunk' } as const

/**
 * A file that an import has replaced is closed after a day, even if an export still reads it. Otherwise clients that
 * read a few bytes a second would keep the files of many imports open, and on the disk.
 */
const retainedOpenMsMax = 24 * 60 * 60 * 1000

/**
 * ../storage.ts documents the methods in full, and index/posting-list.ts those that read the inverted index. Each
 * public method that reads the file does so inside `#read`, which handles failures. Private methods such as
 * `#readEntry` are called from there.
 */
export class FileStorage implements SnapshotStorage {
  readonly metadata: SnapshotMetadata
  readonly municipalities: readonly MunicipalityFacts[]
  readonly years: readonly YearRange[]
  readonly changeLog: ChangeLogFacts
  /** A long response reads no batches ahead of its client: reads are synchronous, so nothing would be gained. */
  readonly readAheadBatches = 0
  /** Whether the text is stored, so that passages (pieces of text around the matches) can be shown. */
  readonly hasPassages: boolean
  /** Public for code that reads other rows of the file: its verification, and its copy to PostgreSQL. */
  readonly database: DatabaseSync
  readonly #path: string
  readonly #onReadFault: FileStorageOptions['onReadFault']
  readonly #cache: SnapshotCache
  readonly #statements: Statements
  /** The stored digests of the tables, by name, with their numbers of rows. */
  readonly #digests: ReadonlyMap<string, TableDigest>
  /** These two are kept in memory once a request has needed them. */
  #municipalityNumbers: Uint32Array | undefined
  #documentTotals: DocumentTotalsByRecord | undefined
  /** Why no more is read; undefined until a read has failed or has found the file damaged. */
  #readFault: StoreFault | undefined
  /** Number of requests that have called `retain` and not yet released the file. */
  #readers = 0
  /** Set by `closeWhenUnused`: the file is closed as soon as it has no readers. */
  #closesWhenUnused = false
  /** Closes the file even if it still has readers (`retainedOpenMsMax`). Set by `closeWhenUnused`. */
  #closeTimer: NodeJS.Timeout | undefined

  /**
   * Throws `StoreFault` if the file cannot be read or is not a snapshot of this format. With `verifyTables`, also if a
   * table that is kept in memory is damaged.
   */
  constructor(
    path: string,
    { cacheBytes = cacheBytesDefault, verifyTables = true, onReadFault }: FileStorageOptions = {},
  ) {
    this.#path = path
    this.#onReadFault = onReadFault
    this.#cache = new SnapshotCache(cacheBytes)
    this.database = openSnapshotFile(path)
    try {
      const { property, year, municipality, digests } = readWholeTables(this.database, { verify: verifyTables })
      const properties = new Map(property as [string, string][])
      this.metadata = toMetadata(properties)
      this.hasPassages = properties.get('passages') === '1'
      this.municipalities = toMunicipalities(municipality)
      this.years = toYears(year)
      this.#digests = digests
      this.changeLog = readChangeLog(this.database, properties)
      this.#statements = prepareStatements(this.database)
    } catch (error) {
      this.database.close()
      throw error instanceof StoreFault ? error : toOpenFault(path, error)
    }
  }

  /** A term that no record contains has no entry in the result. */
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

  /** If no record contains the term, verifies that no damage hides its row, and returns null, which is cached too. */
  #readEntry(term: string): TermEntry | null {
    const cached = this.#cache.getTermEntry(term)
    if (cached !== undefined) return cached
    const row = this.#statements.entry.get(term) as Value[] | undefined
    if (row === undefined) this.#verifyTermsFound(term, term, [])
    const entry = row === undefined ? null : toTermEntry(row)
    this.#cache.setTermEntry(term, entry)
    return entry
  }

  /**
   * A page of the entries whose terms start with `prefix`: the first page, or the one that starts with `from`. A full
   * page has `longPrefixWordsMax` entries, as many as a search needs at most.
   */
  readEntriesOfPrefix(prefix: string, from: string = prefix): readonly TermEntry[] {
    // Only the first page is cached. The others, which only passages need, would evict what searches use.
    const isFirstPage = from === prefix
    const cached = isFirstPage ? this.#cache.getTermEntriesOfPrefix(prefix) : undefined
    if (cached !== undefined) return cached
    return this.#read(() => {
      // All terms with the prefix sort before the prefix followed by the last character of Unicode.
      const end = `${prefix}\u{10ffff}`
      const rows = this.#statements.entriesBetween.all(from, end) as unknown as Value[][]
      // After a full page there may be further terms, so only the terms up to the last row are verified to be complete.
      const last = rows.length < longPrefixWordsMax ? end : (rows.at(-1)?.[0] as string)
      this.#verifyTermsFound(from, last, rows)
      const entries = rows.map(toTermEntry)
      if (isFirstPage) this.#cache.setTermEntriesOfPrefix(prefix, entries)
      return entries
    })
  }

  /** Throws `ChecksumMismatch` if damage hides a term from `first` to `last`: one that is not in `rows` (ranks.ts). */
  #verifyTermsFound(first: string, last: string, rows: readonly Value[][]): void {
    verifyTermsFound(this.#statements, { first, last }, rows, this.#countRows('term_entry'))
  }

  /** Passes to each request the posting blocks or position chunks that it asks for. */
  readChunks(requests: readonly ChunkRequest[]): void {
    for (const { kind, first, count, deliver } of requests) {
      const chunks: Uint8Array[] = []
      this.#read(() => {
        for (let number = first; number < first + count; number++) chunks.push(this.#readChunk(kind, number))
      })
      deliver(chunks)
    }
  }

  #readChunk(kind: ChunkKind, number: number): Uint8Array {
    const cached = this.#cache.getChunk(kind, number)
    if (cached !== undefined) return cached
    const bytes = readNumberedRow(this.#statements[kind], chunkTables[kind], number)
    this.#cache.setChunk(kind, number, bytes)
    return bytes
  }

  /** The wire format of these records, joined by commas. Not cached: an export would evict what searches use. */
  readRecords(positions: readonly number[]): Uint8Array {
    return this.#read(() => Buffer.from(readAtPositions(this.#statements.wires, positions, toWire).join(',')))
  }

  /** The records of a page. Each is read by itself and cached. */
  readPage(positions: readonly number[]): RecordRow[] {
    return this.#read(() => positions.map((position) => this.#readRecord(position)))
  }

  #readRecord(position: number): RecordRow {
    const cached = this.#cache.getRecord(position)
    if (cached !== undefined) return cached
    const row = toRecordRow(this.#statements.recordRows.byPosition.get(position), position)
    this.#cache.setRecord(position, row)
    return row
  }

  /**
   * Like `readPage`, for exports and the change log, which read many records once. These are not cached, and
   * consecutive ones are read with one statement.
   */
  readRows(positions: readonly number[]): RecordRow[] {
    return this.#read(() => readAtPositions(this.#statements.recordRows, positions, toRecordRow))
  }

  /** Never returns a promise: `findSegments`, which both engines use, returns one only if its callback does. */
  readSegments(numbers: readonly number[]): MaybePromise<Segment[]> {
    return this.#read(() =>
      mapMaybe(
        this.#cache.findSegments(numbers, (missing) => this.#readMissingSegments(missing)),
        (found) =>
          numbers.map((number) => {
            const segment = found.get(number)
            if (segment === undefined) throw toMissingRow('text_chunk')
            return segment
          }),
      ),
    )
  }

  /** Reads the chunks that contain the segments with these numbers. Returns the segments by number. */
  #readMissingSegments(numbers: readonly number[]): Map<number, Segment> {
    /** By the number of their first segment, so that a chunk with several of the segments is decompressed once. */
    const chunks = new Map<number, TextChunk>()
    for (const number of numbers) {
      const chunk = readTextChunk(this.#statements, number)
      chunks.set(chunk.firstSegment, chunk)
    }
    return readSegments([...chunks.values()], numbers)
  }

  /** How many pages the documents of each record have. */
  readDocumentTotals(): DocumentTotalsByRecord {
    this.#documentTotals ??= this.#read(() => {
      const chunks: Uint8Array[] = []
      for (let number = 0; number * documentChunkRecords < this.metadata.records; number++) {
        chunks.push(readNumberedRow(this.#statements.documentChunk, 'document_chunk', number))
      }
      return new DocumentTotalsByRecord(chunks)
    })
    return this.#documentTotals
  }

  /** The position of the first record after the key in canonical order. No record needs to have that key. */
  findFirstAfter(key: OrderKey): number {
    return this.#read(() => {
      const [found] = this.#statements.firstAfter.get(key.checkinDate, key.code) as unknown as [number | null]
      // If no record comes after the key, the result is the end of the snapshot.
      const position = found ?? this.metadata.records
      // The index `record_order` of the database has no checksums, so its result is verified.
      if (!this.#isFirstAfter(position, key)) throw new ChecksumMismatch(t`the index ${'record_order'} is damaged`)
      return position
    })
  }

  /** Whether the record before the position is not after the key, and the record at the position is. */
  #isFirstAfter(position: number, key: OrderKey): boolean {
    if (position > 0 && isAfter(this.#readRecord(position - 1), key)) return false
    return position === this.metadata.records || isAfter(this.#readRecord(position), key)
  }

  findRecord(foldedCode: string): FoundRecord | undefined {
    return this.#read(() => this.#findRecord(foldedCode))
  }

  #findRecord(foldedCode: string): FoundRecord | undefined {
    const row = this.#statements.recordOfCode.get(foldedCode) as unknown as
      | [position: number, wire: string, checksum: number]
      | undefined
    if (row === undefined) {
      verifyCodeAbsent(this.#statements, foldedCode, this.metadata.records)
      return undefined
    }
    const [position, wire, checksum] = row
    verifyChecksum('record', [position, foldedCode, wire], checksum)
    return { position, wire }
  }

  /** The municipality of each record, by position, as an index of `municipalities`. */
  readMunicipalityNumbers(): Uint32Array {
    this.#municipalityNumbers ??= this.#read(() => this.#readMunicipalityNumbers())
    return this.#municipalityNumbers
  }

  #readMunicipalityNumbers(): Uint32Array {
    const numbers = new Uint32Array(this.metadata.records)
    let filled = 0
    for (let chunkNumber = 0; filled < numbers.length; chunkNumber++) {
      const bytes = readNumberedRow(this.#statements.municipalityChunk, 'municipality_chunk', chunkNumber)
      const chunk = toUint32Array(bytes)
      numbers.set(chunk, filled)
      filled += chunk.length
    }
    return numbers
  }

  /** The changes from number `first` to `last`, both included. */
  readChanges(first: number, last: number): Change[] {
    return this.#read(() => {
      const changes = this.#statements.changes.all(first, last).map(toChange)
      this.#verifyChangesFound(changes, first, last)
      return changes
    })
  }

  /** Throws `ChecksumMismatch` if `changes` lacks a change from `first` to `last` that the log has. */
  #verifyChangesFound(changes: readonly Change[], first: number, last: number): void {
    // Changes are numbered from 1 without gaps, and only the oldest may have been removed from the log.
    const oldest = this.changeLog.last - this.#countRows('change') + 1
    // Damage hid the newest changes when the file was opened, so `changeLog.last` is too small.
    if (oldest < 1) throw toMissingRow('change')
    const firstExpected = Math.max(first, oldest)
    const lastExpected = Math.min(last, this.changeLog.last)
    const areConsecutive = changes.every(({ number }, index) => number === firstExpected + index)
    const isComplete = changes.length === Math.max(0, lastExpected - firstExpected + 1)
    if (!areConsecutive || !isComplete) throw toMissingRow('change')
  }

  /** How many changes of each kind come after the one with the number. The rows are counted, not verified. */
  countChanges(after: number): [ChangeKind, number][] {
    return this.#read(() => this.#statements.changeCounts.all(after) as unknown as [ChangeKind, number][])
  }

  findPositions(foldedCodes: readonly string[]): Map<string, number> {
    return this.#read(() => {
      const positions = new Map<string, number>()
      for (const code of foldedCodes) {
        const found = this.#findRecord(code)
        if (found !== undefined) positions.set(code, found.position)
      }
      return positions
    })
  }

  readVocabulary(): Uint8Array[] {
    return this.#read(() => readVocabularyChunks(this.#statements, this.#countRows('vocabulary_chunk')))
  }

  /** How many rows the table has according to its stored digest. */
  #countRows(table: string): number {
    return this.#digests.get(table)?.rows ?? 0
  }

  /** Keeps the file open until the returned function is called. */
  retain(): () => void {
    this.#readers++
    return () => {
      this.#readers--
      if (this.#closesWhenUnused && this.#readers === 0) this.#close()
    }
  }

  /** Frees the cache. Closes the file when its last reader has released it, but after `retainedOpenMsMax` at most. */
  closeWhenUnused(): void {
    this.#closesWhenUnused = true
    this.#cache.clear()
    if (this.#readers === 0) this.#close()
    else this.#closeTimer = setTimeout(() => this.#close(), retainedOpenMsMax).unref()
  }

  /** Does nothing if the file is closed already: a late request may still call `retain` and release the file again. */
  #close(): void {
    clearTimeout(this.#closeTimer)
    if (this.database.isOpen) this.database.close()
  }

  /**
   * Calls `read`, which reads rows and returns what is made of them. After a wrong checksum, a missing row or an error
   * of SQLite, this and all further calls throw `StoreUnavailable`, and the store is told (`onReadFault`).
   */
  #read<T>(read: () => T): T {
    if (this.#readFault !== undefined) throw new StoreUnavailable(this.#readFault.message, { cause: this.#readFault })
    if (!this.database.isOpen) throw new StoreUnavailable(t`Cannot read ${this.#path}: the registry has been closed`)
    try {
      return read()
    } catch (error) {
      if (!isReadFailure(error)) throw error
      this.#readFault = toReadFault(this.#path, error)
      this.#onReadFault?.(this.#readFault)
      throw new StoreUnavailable(this.#readFault.message, { cause: error })
    }
  }
}

/** Whether `a` comes after `b` in canonical order: an earlier date, or the same date and a greater code. */
function isAfter(a: OrderKey, b: OrderKey): boolean {
  if (a.checkinDate !== b.checkinDate) return a.checkinDate < b.checkinDate
  return compareBytes(a.code, b.code) > 0
}

/**
 * Whether the error is a wrong checksum, a missing row, or one of `node:sqlite`, which has the property `errcode`. Any
 * other error is a bug and not a failed read.
 */
function isReadFailure(error: unknown): error is Error {
  return error instanceof ChecksumMismatch || (error instanceof Error && 'errcode' in error)
}

/** The fault of a read that has failed with `error`. */
function toReadFault(path: string, error: Error): StoreFault {
  const reason = sqliteReasonOf(error)
  return isFailureWithoutDamage(error)
    ? new StoreFault(t`Cannot read ${path}: ${reason}; check the disk and the memory`, {
        cause: error,
        isTransient: true,
      })
    : new StoreFault(t`Cannot read ${path}: ${reason}; restore it from a backup or import it again`, { cause: error })
}
