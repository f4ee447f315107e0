// A registry file opened for reading, and the rows that requests read from it (schema.ts has the tables). The first
// read that fails, or finds the file damaged, is reported to the store (file-store.ts), and all further reads fail.
import { statSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Change, ChangeKind } from '../domain/change.ts'
import { type PublishedFile, toPublishedPath } from '../domain/document.ts'
import { type FieldValues, foldFieldValue, type OwnField } from '../domain/own-fields.ts'
import type { OrderKey } from '../domain/record.ts'
import type { WireDocument } from '../domain/wire.ts'
import { t, translate } from '../language.ts'
import {
  type ChangeLogFacts,
  type FieldValue,
  type MunicipalityFacts,
  type SnapshotMetadata,
  StoreFault,
  StoreUnavailable,
} from './contract.ts'
import type { DocumentTotals } from './document-totals.ts'
import { compareMunicipalities } from './municipality-index.ts'
import type { Page } from './pages.ts'
import { applicationId, formatVersion } from './schema.ts'
import { isFailureWithoutDamage, sqliteReasonOf } from './sqlite-reason.ts'
import { TimeSlice } from './time-slice.ts'
import { Vocabulary } from './vocabulary.ts'

/**
 * A rowid as FTS5 needs it. node:sqlite binds a JS number as REAL, and FTS5 uses only integers to jump in its lists: a
 * bound that is a number is a scan of the whole list, and `rowid = 2.0` is not checked at all.
 */
export type Rowid = bigint

/** Size of SQLite's page cache for the commands and tests. The service has a larger one. */
const pageCacheBytesDefault = 16 * 1024 * 1024

/**
 * A file that an import has replaced is closed after a day, even if an export still reads it. Otherwise clients that
 * read a few bytes a second would keep the files of many imports open, and on the disk.
 */
const retainedOpenMsMax = 24 * 60 * 60 * 1000

/** What is read of a whole table in a time slice. */
const recordsAtOnce = 1024
const wordsAtOnce = 1024

/** A municipality, with what the file knows it by. */
export interface StoredMunicipality extends MunicipalityFacts {
  /** Its number in the file. */
  readonly number: number
  /** What its token is made of (tokens.ts). */
  readonly key: string
}

/** The records that were entered in a year. They have consecutive positions. */
export interface YearRange {
  readonly year: number
  /** The position of the first record of the year, which is its newest. */
  readonly first: number
  readonly records: number
}

/** A record: its order key, its wire format, and the columns from which the properties of `include` are made. */
export interface RecordRow extends OrderKey {
  readonly position: number
  /** The INE code of the municipality; null if its name is unknown or ambiguous. */
  readonly ineCode: string | null
  /** The record in wire format. */
  readonly wire: string
  /** The office's own columns as JSON; null if it has none. */
  readonly fields: string | null
  /** The number of its first row in the table `page`, and the number after its last one. */
  readonly firstPage: number
  readonly pageEnd: number
}

export interface FileOptions {
  /**
   * What comes before the address of a published file, `documento/…`: the public address of the service and a slash, or
   * nothing. Null if this machine does not have the files.
   */
  readonly documentBase?: string | null | undefined
  readonly cacheBytes?: number | undefined
  /** Called once, when a read fails or finds the file damaged. */
  readonly onReadFault?: ((fault: StoreFault) => void) | undefined
}

export class RegistryFile {
  readonly metadata: SnapshotMetadata
  /** Whether the text is stored, so that passages (pieces of text around the matches) can be shown. */
  readonly hasPassages: boolean
  /** Sorted by name. */
  readonly municipalities: readonly StoredMunicipality[]
  /** Newest first. */
  readonly years: readonly YearRange[]
  readonly changeLog: ChangeLogFacts
  /** As in `FileOptions`. */
  readonly documentBase: string | null
  readonly #path: string
  readonly #database: DatabaseSync
  readonly #onReadFault: FileOptions['onReadFault']
  /** By their SQL. */
  readonly #statements = new Map<string, StatementSync>()
  /** Why no more is read; undefined until a read has failed or has found the file damaged. */
  #readFault: StoreFault | undefined
  /** Number of requests that have called `retain` and not yet released the file. */
  #readers = 0
  /** Set by `closeWhenUnused`: the file is closed as soon as it has no readers. */
  #closesWhenUnused = false
  /** Closes the file even if it still has readers (`retainedOpenMsMax`). */
  #closeTimer: NodeJS.Timeout | undefined
  /** Called when the file has been closed. */
  onClose: (() => void) | undefined

  /** Throws `StoreFault` if the file cannot be read or is not a registry of this format. */
  constructor(path: string, { cacheBytes = pageCacheBytesDefault, onReadFault, documentBase = '' }: FileOptions = {}) {
    this.#path = path
    this.documentBase = documentBase
    this.#onReadFault = onReadFault
    this.#database = openRegistryFile(path, cacheBytes)
    try {
      const properties = new Map(this.#all<[string, string]>('SELECT name, value FROM property'))
      this.metadata = {
        id: properties.get('id') ?? '',
        records: Number(properties.get('records')),
        publishedAt: new Date(properties.get('published_at') ?? 0),
        fictional: properties.get('fictional') === '1',
        codePattern: properties.get('code_pattern') ?? null,
        fields: JSON.parse(properties.get('fields') ?? '[]') as OwnField[],
      }
      this.hasPassages = properties.get('passages') === '1'
      this.municipalities = this.#readMunicipalities()
      this.years = this.#all<[number, number, number]>('SELECT year, first, records FROM year ORDER BY year DESC').map(
        ([year, first, records]) => ({ year, first, records }),
      )
      const [last] = this.#get<[number]>('SELECT coalesce(max(number), 0) FROM change') ?? [0]
      this.changeLog = {
        lineage: properties.get('lineage') ?? '',
        startedAt: properties.get('log_started_at') ?? '',
        last,
      }
    } catch (error) {
      this.#database.close()
      throw toOpenFault(path, error)
    }
  }

  #readMunicipalities(): StoredMunicipality[] {
    type Row = [number, string, string, string | null, string, string, number, number, number]
    return this.#all<Row>(
      `SELECT number, key, name, ine_code, other_names, lookup_keys, records, first_year, last_year FROM municipality`,
    )
      .map(([number, key, name, ineCode, otherNames, lookupKeys, records, firstYear, lastYear]) => ({
        number,
        key,
        name,
        ineCode,
        otherNames: JSON.parse(otherNames) as string[],
        lookupKeys: JSON.parse(lookupKeys) as string[],
        records,
        firstYear,
        lastYear,
      }))
      .sort(compareMunicipalities)
  }

  /**
   * Runs a query and returns its rows as arrays. After an error of SQLite, this and all further calls throw
   * `StoreUnavailable`, and the store is told (`onReadFault`).
   */
  all<Row>(sql: string, ...parameters: (string | number | bigint | null)[]): Row[] {
    if (this.#readFault !== undefined) throw new StoreUnavailable(this.#readFault.message, { cause: this.#readFault })
    if (!this.#database.isOpen) throw new StoreUnavailable(t`Cannot read ${this.#path}: the registry has been closed`)
    try {
      return this.#all(sql, ...parameters)
    } catch (error) {
      // Errors of node:sqlite have the property `errcode`. Any other error is a bug and not a failed read.
      if (!(error instanceof Error && 'errcode' in error)) throw error
      this.#readFault = toReadFault(this.#path, error)
      this.#onReadFault?.(this.#readFault)
      throw new StoreUnavailable(this.#readFault.message, { cause: error })
    }
  }

  /** The first row of a query. */
  get<Row>(sql: string, ...parameters: (string | number | bigint | null)[]): Row | undefined {
    return this.all<Row>(sql, ...parameters)[0]
  }

  #all<Row>(sql: string, ...parameters: (string | number | bigint | null)[]): Row[] {
    return this.#prepare(sql).all(...parameters) as unknown as Row[]
  }

  #get<Row>(sql: string): Row | undefined {
    return this.#all<Row>(sql)[0]
  }

  /** The SQL must be one of few texts: the statements are kept. */
  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#database.prepare(sql)
      statement.setReturnArrays(true)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  /** The records at these positions, in the order of `positions`. */
  readRows(positions: readonly number[]): RecordRow[] {
    const rows = new Map<number, RecordRow>()
    type Row = [number, string, string, string | null, string, string | null, number, number]
    for (const [position, code, checkinDate, ineCode, wire, fields, firstPage, pages] of this.all<Row>(
      `SELECT position, cod_archivo, checkin_date, ine_code, wire, fields, first_page, page_count FROM expediente
       WHERE position IN (SELECT value FROM json_each(?))`,
      JSON.stringify(positions),
    )) {
      rows.set(position, { position, code, checkinDate, ineCode, wire, fields, firstPage, pageEnd: firstPage + pages })
    }
    return positions.flatMap((position) => rows.get(position) ?? [])
  }

  /**
   * The records at these positions in wire format, in the order of `positions`, joined by commas, in UTF-8. As bytes,
   * because making a JS text of each record takes longer than reading it.
   */
  readWires(positions: readonly number[]): Buffer {
    // The first table of a CROSS JOIN is the outer loop, so the records come in the order of the array.
    const [wires] = this.get<[Uint8Array | null]>(
      `SELECT CAST(group_concat(wire) AS BLOB) FROM json_each(?) AS listed
       CROSS JOIN expediente ON position = listed.value`,
      JSON.stringify(positions),
    ) ?? [null]
    return wires === null ? Buffer.alloc(0) : Buffer.from(wires.buffer, wires.byteOffset, wires.byteLength)
  }

  /** The rows of `page` with numbers from `first` to `end` (excluded). */
  readPages(first: number, end: number): Page[] {
    type Row = [number | null, number | null, number, string]
    return this.all<Row>(
      'SELECT document, page, recognised, text FROM page WHERE number >= ? AND number < ? ORDER BY number',
      first,
      end,
    ).map(([document, page, recognised, text]) => ({ document, page, recognised: recognised === 1, text }))
  }

  /** The documents of a record, in their order. */
  readDocuments(position: number): WireDocument[] {
    type Row = [string | null, number, number, number, number, string | null, string | null]
    return this.all<Row>(
      `SELECT href, pages, read, recognised, unread, reason, sha256 FROM document WHERE position = ? ORDER BY number`,
      position,
    ).map(([href, pages, read, recognised, unread, reason, sha256]) => ({
      href: sha256 !== null && href === toPublishedPath(sha256) ? this.#toPublishedHref(href) : href,
      pages,
      read,
      recognised,
      unread,
      reason,
      sha256,
    }))
  }

  #toPublishedHref(path: string): string | null {
    return this.documentBase === null ? null : this.documentBase + path
  }

  /** The published file with the hash; undefined if there is none (any more). */
  findPublished(sha256: string): PublishedFile | undefined {
    const row = this.get<[string, number, number]>(
      'SELECT name, bytes, is_pdf FROM published WHERE sha256 = ? AND NOT withdrawn',
      sha256,
    )
    return row === undefined ? undefined : { name: row[0], bytes: row[1], isPdf: row[2] === 1 }
  }

  /** Adds up the pages of the documents of each record that has any, by position. */
  async readDocumentTotals(): Promise<Map<number, DocumentTotals>> {
    const totals = new Map<number, DocumentTotals>()
    const slice = new TimeSlice(undefined)
    for (let first = 0; first < this.metadata.records; first += recordsAtOnce) {
      type Row = [number, number, number, number, number]
      for (const [position, pages, read, recognised, unread] of this.all<Row>(
        `SELECT position, sum(pages), sum(read), sum(recognised), sum(unread) FROM document
         WHERE position >= ? AND position < ? GROUP BY position`,
        first,
        first + recordsAtOnce,
      )) {
        totals.set(position, { pages, read, recognised, unread })
      }
      if (slice.isUsedUp) await slice.yield()
    }
    return totals
  }

  /** The municipality of each record, by position, as an index of `municipalities`. */
  async readMunicipalityNumbers(): Promise<Uint32Array> {
    const numbers = new Uint32Array(this.metadata.records)
    const slice = new TimeSlice(undefined)
    for (const [index, { number }] of this.municipalities.entries()) {
      const [positions] = this.get<[string]>(
        'SELECT json_group_array(position) FROM expediente WHERE municipality_number = ?',
        number,
      ) ?? ['[]']
      for (const position of JSON.parse(positions) as number[]) numbers[position] = index
      if (slice.isUsedUp) await slice.yield()
    }
    return numbers
  }

  /** The values of one of the office's own columns, folded and as the newest record writes them, most records first. */
  readFieldValues(name: string, limit: number): FieldValue[] {
    type Row = [string, string, number]
    return this.all<Row>(
      'SELECT folded, value, records FROM field_value WHERE field = ? ORDER BY records DESC, folded LIMIT ?',
      name,
      limit,
    ).map(([folded, value, records]) => ({ folded, value, records }))
  }

  /** The value of an own column of each record, by position, as an index of `values`; `values.length` without one. */
  async readFieldNumbers({ label }: OwnField, values: readonly FieldValue[]): Promise<Uint16Array> {
    const numbers = new Uint16Array(this.metadata.records).fill(values.length)
    const numberOf = new Map(values.map(({ folded }, number) => [folded, number]))
    const slice = new TimeSlice(undefined)
    for (let first = 0; first < this.metadata.records; first += recordsAtOnce) {
      for (const [position, fields] of this.all<[number, string]>(
        'SELECT position, fields FROM expediente WHERE position >= ? AND position < ? AND fields IS NOT NULL',
        first,
        first + recordsAtOnce,
      )) {
        const value = (JSON.parse(fields) as FieldValues)[label]
        if (value !== undefined) numbers[position] = numberOf.get(foldFieldValue(value)) ?? values.length
      }
      if (slice.isUsedUp) await slice.yield()
    }
    return numbers
  }

  /**
   * The position of the first record after the key in canonical order; the number of records if there is none. No
   * record needs to have that key.
   */
  findFirstAfter({ checkinDate, code }: OrderKey): number {
    // The next code of the same day, else the first code of the latest earlier day.
    const [position] = this.get<[number | null]>(
      `SELECT coalesce(
        (SELECT position FROM expediente WHERE checkin_date = ?1 AND cod_archivo > ?2 ORDER BY cod_archivo LIMIT 1),
        (SELECT position FROM expediente WHERE checkin_date < ?1 ORDER BY checkin_date DESC, cod_archivo LIMIT 1))`,
      checkinDate,
      code,
    ) ?? [null]
    return position ?? this.metadata.records
  }

  /** The record with the code, which is folded (`foldCode`: upper case); undefined if there is none. */
  findRecord(foldedCode: string): { readonly position: number; readonly wire: string } | undefined {
    const row = this.get<[number, string]>('SELECT position, wire FROM expediente WHERE folded_code = ?', foldedCode)
    return row === undefined ? undefined : { position: row[0], wire: row[1] }
  }

  /** The changes numbered from `first` to `last`, both included, ascending. */
  readChanges(first: number, last: number): Change[] {
    type Row = [number, ChangeKind, string, string]
    return this.all<Row>(
      'SELECT number, kind, code, at FROM change WHERE number BETWEEN ? AND ? ORDER BY number',
      first,
      last,
    ).map(([number, kind, code, at]) => ({ number, kind, code, at }))
  }

  /** How many changes of each kind come after the one numbered `after`. */
  countChanges(after: number): Partial<Record<ChangeKind, number>> {
    return Object.fromEntries(
      this.all<[string, number]>('SELECT kind, count(*) FROM change WHERE number > ? GROUP BY kind', after),
    )
  }

  async readVocabulary(): Promise<Vocabulary> {
    const vocabulary = new Vocabulary()
    const slice = new TimeSlice(undefined)
    let [letters, last] = [0, '']
    for (;;) {
      const rows = this.all<[number, string, string, number]>(
        `SELECT letters, folded, spelling, weight FROM spelling WHERE (letters, folded) > (?, ?)
         ORDER BY letters, folded LIMIT ${wordsAtOnce}`,
        letters,
        last,
      )
      for (const [, folded, spelling, weight] of rows) vocabulary.add(folded, { spelling, weight })
      const lastRow = rows.at(-1)
      if (lastRow === undefined) return vocabulary.finish()
      letters = lastRow[0]
      last = lastRow[1]
      if (slice.isUsedUp) await slice.yield()
    }
  }

  /** Keeps the file open until the returned function is called: a newer file may replace this one meanwhile. */
  retain(): () => void {
    this.#readers++
    return () => {
      this.#readers--
      if (this.#closesWhenUnused && this.#readers === 0) this.#close()
    }
  }

  /** Closes the file when its last reader has released it, but after `retainedOpenMsMax` at most. */
  closeWhenUnused(): void {
    this.#closesWhenUnused = true
    if (this.#readers === 0) this.#close()
    else this.#closeTimer = setTimeout(() => this.#close(), retainedOpenMsMax).unref()
  }

  /** Does nothing if the file is closed already: a late request may still call `retain` and release the file again. */
  #close(): void {
    clearTimeout(this.#closeTimer)
    if (!this.#database.isOpen) return
    this.#database.close()
    this.onClose?.()
  }
}

/** Throws `StoreFault` if the file cannot be read, is truncated, or is not a registry of this format. */
export function openRegistryFile(path: string, cacheBytes: number = pageCacheBytesDefault): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { readOnly: true })
    // The file never changes, so one read transaction lasts as long as the connection: it saves locking the file for
    // each statement. With `cell_size_check`, SQLite finds damaged pages when it reads them. SQLite takes a negative
    // cache size as KiB.
    database.exec(`PRAGMA cache_size = -${Math.ceil(cacheBytes / 1024)}; PRAGMA cell_size_check = ON; BEGIN`)
    refuseOtherFormats(path, database)
    refuseTruncated(path, database)
    return database
  } catch (error) {
    database?.close()
    throw toOpenFault(path, error)
  }
}

/** SQLite itself does not notice that a part of the last page is missing. */
function refuseTruncated(path: string, database: DatabaseSync): void {
  const { bytes } = database
    .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
    .get() as { bytes: number }
  if (statSync(path).size >= bytes) return
  const reason = translate('database disk image is malformed')
  throw new StoreFault(t`Cannot open ${path}: ${reason}; restore it from a backup or import it again`)
}

function refuseOtherFormats(path: string, database: DatabaseSync): void {
  const { application_id: id } = database.prepare('PRAGMA application_id').get() as { application_id: number }
  if (id !== applicationId) {
    throw new StoreFault(
      t`Cannot open ${path}: it is not a planning registry; choose another file, or create one with planning-registry import`,
    )
  }
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number }
  if (version !== formatVersion) {
    throw new StoreFault(
      t`Cannot open ${path}: another version wrote it (format ${version}, this one reads ${formatVersion}); import it again`,
    )
  }
}

/** The fault of a file that cannot be opened because of `error`. Transient if SQLite failed without signs of damage. */
export function toOpenFault(path: string, error: unknown): StoreFault {
  if (error instanceof StoreFault) return error
  const reason = sqliteReasonOf(error)
  if (isFailureWithoutDamage(error)) {
    return new StoreFault(t`Cannot open ${path}: ${reason}; check its permissions, the disk and the memory`, {
      cause: error,
      isTransient: true,
    })
  }
  return new StoreFault(t`Cannot open ${path}: ${reason}; restore it from a backup or import it again`, {
    cause: error,
  })
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
