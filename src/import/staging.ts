// Staging of an import: a temporary SQLite database that holds the rows between reading and writing. SQLite finds
// duplicate codes and sorts the rows into canonical order (newest first, then by code), both in bounded memory.
import { DatabaseSync } from 'node:sqlite'
import { type RecordContent, toRecordContent } from '../domain/document.ts'
import { foldCode } from '../domain/inscription-code.ts'
import { type StoredRecord, toStoredRecord } from '../domain/record.ts'
import { type RecordKey, toRecordKey } from '../registry/compare.ts'
import type { RegistryEntry } from '../registry/publish.ts'
import { isFullDisk, toTemporaryFolderFault } from './full-disk.ts'
import type { NormalisedRow } from './rows/normalise.ts'

export interface RowOrigin {
  /** Index of the source on the command line, from 0. */
  readonly sourceIndex: number
  /** Where the row begins, from 1: its line in the source or, in formats without lines, the number of its record. */
  readonly line: number
}

export interface StagedRow {
  readonly record: StoredRecord
  /** Searchable text from the column `content`; after a merge also titles and texts of other rows. */
  readonly content: string
  /** File names under the documents folder. */
  readonly documents: readonly string[]
  /** The content of a record of the registry in service (`addKept`), in place of the two above. */
  readonly kept?: RecordContent
}

/**
 * The cells of a row as the source has them, by index of heading. A cell that the row does not have is undefined, or
 * null when it is read back, because the cells are stored as JSON.
 */
export type RawCells = readonly (string | null | undefined)[]

export interface RejectedRow extends RowOrigin {
  readonly reason: string
  readonly cells: RawCells
  /** The code of the record; empty if the row has none that can be read. */
  readonly code?: string | undefined
}

/** Size of a database page. With 1 KB of text per row, 16 KB take a quarter less CPU time than the default of 4 KB. */
const pageBytes = 16 * 1024
/** Size of the page cache. SQLite's sorter uses the same amount before it writes a run to disk. */
const cacheKilobytes = 16 * 1024

/**
 * `folded_code` is the code without differences of case; rows with the same one are duplicates. `later` has the rows
 * that `merge` adds to a staged row, by its folded code. `wire` is the record as the JSON that clients receive,
 * `documents` a JSON array or null; `digest` and `has_text` are those of the record without its documents,
 * or null without keys. `kept` is the content of a kept record as JSON.
 */
const tables = `
  CREATE TABLE staged (
    folded_code TEXT UNIQUE, source_index INTEGER, line INTEGER,
    code TEXT, checkin_date TEXT, title TEXT, area TEXT, municipality TEXT, wire TEXT, fields TEXT, digest BLOB, has_text INTEGER,
    content TEXT, documents TEXT, kept TEXT
  ) STRICT;
  CREATE TABLE later (
    folded_code TEXT,
    code TEXT, checkin_date TEXT, title TEXT, area TEXT, municipality TEXT, wire TEXT, fields TEXT, content TEXT,
    documents TEXT, kept TEXT
  ) STRICT;
  CREATE TABLE rejected (source_index INTEGER, line INTEGER, reason TEXT, cells TEXT, folded_code TEXT) STRICT;
`

/** The columns of `staged` and `later` that make a `StagedRow`. */
const rowColumns = 'code, checkin_date, title, area, municipality, wire, fields, content, documents, kept'
/** The columns that make a `RecordKey`. */
const keyColumns = 'code, checkin_date, municipality, wire, digest, has_text'
/** The columns of `staged` that are made of a row. */
const stagedColumns = `${rowColumns}, digest, has_text`

/** The values of `rowColumns` in one row, in the same order. */
type RowColumns = [
  code: string,
  checkinDate: string,
  title: string,
  area: string,
  municipality: string,
  wire: StoredRecord['wire'],
  fields: string | null,
  content: string,
  documentsJson: string | null,
  keptJson: string | null,
]

/** The values of `keyColumns` in one row, in the same order. */
type KeyColumns = [
  code: string,
  checkinDate: string,
  municipality: string,
  wire: StoredRecord['wire'],
  digest: Uint8Array,
  hasText: number,
]

export class Staging {
  /** An unnamed database: SQLite writes it to a temporary file when it outgrows the cache, and deletes it on close. */
  readonly #database = new DatabaseSync('', { returnArrays: true })
  readonly #insertStaged
  readonly #selectOrigin
  readonly #updateStaged
  readonly #insertLater
  readonly #insertRejected
  #stagedCount = 0
  #rejectedCount = 0
  #hasKept = false
  #hasDocumentNames = false
  #hasLinks = false

  readonly #withKeys: boolean

  /** `withKeys` is whether `keysInCanonicalOrder` will be called. The digests take a quarter of the time of staging. */
  constructor({ withKeys = false }: { readonly withKeys?: boolean } = {}) {
    this.#withKeys = withKeys
    // Nothing has to survive a crash: there is no journal, and the transaction is never committed.
    this.#database.exec(`
      PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE;
      PRAGMA cache_size = -${cacheKilobytes}; BEGIN; ${tables}`)
    this.#insertStaged = this.#database.prepare(
      `INSERT OR IGNORE INTO staged (folded_code, source_index, line, ${stagedColumns})
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#selectOrigin = this.#database.prepare('SELECT source_index, line, title FROM staged WHERE folded_code = ?')
    this.#updateStaged = this.#database.prepare(
      // `code = ?, checkin_date = ?, …`
      `UPDATE staged SET ${stagedColumns.replaceAll(/\w+/g, '$& = ?')} WHERE folded_code = ?`,
    )
    this.#insertLater = this.#database.prepare('INSERT INTO later VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    this.#insertRejected = this.#database.prepare('INSERT INTO rejected VALUES (?, ?, ?, ?, ?)')
  }

  /** Number of staged rows, which are the accepted ones, without duplicates. */
  get stagedCount(): number {
    return this.#stagedCount
  }

  get rejectedCount(): number {
    return this.#rejectedCount
  }

  /** Whether `keysInCanonicalOrder` may be called: kept records have documents. */
  get hasKeys(): boolean {
    return this.#withKeys && !this.#hasKept
  }

  /** Whether any row names a file in the documents folder. */
  get hasDocumentNames(): boolean {
    return this.#hasDocumentNames
  }

  /** Whether any row has an address in `links` or `agreement_link`. */
  get hasLinks(): boolean {
    return this.#hasLinks
  }

  /** Adds the row, and returns true, unless a staged row has its code. */
  add(row: NormalisedRow, { sourceIndex, line }: RowOrigin): boolean {
    const columns = this.#toStagedColumns(row)
    const { changes } = explainFullDisk(() =>
      this.#insertStaged.run(foldCode(row.record.code), sourceIndex, line, ...columns),
    )
    if (changes === 0) return false
    this.#stagedCount += 1
    return true
  }

  /** Where the staged row with this code is from, and its title. There must be one. */
  findOrigin(code: string): RowOrigin & { readonly title: string } {
    const [sourceIndex, line, title] = this.#selectOrigin.get(foldCode(code)) as unknown as [number, number, string]
    return { sourceIndex, line, title }
  }

  /** Puts the row in place of the staged row with its code. */
  replace(row: NormalisedRow): void {
    explainFullDisk(() => this.#updateStaged.run(...this.#toStagedColumns(row), foldCode(row.record.code)))
  }

  /** Keeps a row with the code of a staged one for `mergeLater`. */
  addLater(row: NormalisedRow): void {
    explainFullDisk(() => this.#insertLater.run(foldCode(row.record.code), ...this.#toColumns(row)))
  }

  /**
   * Replaces each staged row for which `addLater` has kept others by the row that `merge` makes of them. The others are
   * read one at a time, in the order in which they were added, because together they may not fit in memory.
   */
  mergeLater(merge: (first: StagedRow, others: Iterable<StagedRow>) => NormalisedRow): void {
    explainFullDisk(() => this.#database.exec('CREATE INDEX later_code ON later (folded_code)'))
    const codes = this.#select<[foldedCode: string]>('SELECT DISTINCT folded_code FROM later')
    for (const [code] of codes) {
      const [first] = this.#selectRows(`SELECT ${rowColumns} FROM staged WHERE folded_code = ?`, code)
      const others = this.#selectRows(`SELECT ${rowColumns} FROM later WHERE folded_code = ? ORDER BY rowid`, code)
      if (first !== undefined) this.replace(merge(first, others))
    }
  }

  addRejected({ sourceIndex, line, reason, cells, code = '' }: RejectedRow): void {
    this.#rejectedCount += 1
    explainFullDisk(() =>
      this.#insertRejected.run(sourceIndex, line, reason, JSON.stringify(cells), code === '' ? null : foldCode(code)),
    )
  }

  /** Returns the folded codes of the rejected rows that no staged row has, in the order of the codes. */
  rejectedCodes(): string[] {
    const codes = this.#select<[foldedCode: string]>(
      `SELECT DISTINCT folded_code FROM rejected WHERE folded_code NOT IN (SELECT folded_code FROM staged)
       ORDER BY folded_code`,
    )
    return Array.from(codes, ([code]) => code)
  }

  /** Adds a record of the registry in service. No staged row may have its code. */
  addKept({ record, content }: RegistryEntry): void {
    const { code, checkinDate, title, area, municipality, wire, fields } = record
    const columns = [code, checkinDate, title, area, municipality, wire, fields, '', null, JSON.stringify(content)]
    explainFullDisk(() => this.#insertStaged.run(foldCode(code), null, null, ...columns, null, null))
    this.#stagedCount += 1
    this.#hasKept = true
  }

  /**
   * Yields the rows, newest first, and the rows of one day by code. SQLite compares codes by UTF-8 bytes, and
   * `compareCanonically` (domain/record.ts) by UTF-16 units. The two orders differ only for characters outside the
   * basic multilingual plane, which a code cannot contain (domain/inscription-code.ts).
   */
  *inCanonicalOrder(): Generator<StagedRow, void, undefined> {
    yield* this.#selectRows(this.#inOrder(rowColumns))
  }

  /** Yields the keys of the records without their documents, in the order of `inCanonicalOrder` (`hasKeys`). */
  *keysInCanonicalOrder(): Generator<RecordKey, void, undefined> {
    for (const columns of this.#select<KeyColumns>(this.#inOrder(keyColumns))) {
      const [code, checkinDate, municipality, wire, digest, hasText] = columns
      yield {
        code,
        checkinDate,
        municipality,
        wire,
        digest,
        publishedNames: '',
        hasText: hasText === 1,
        hasDocumentText: false,
      }
    }
  }

  #inOrder(columns: string): string {
    // Only the keys are sorted, and only once: to sort the texts with them would take longer than to look each row up.
    explainFullDisk(() =>
      this.#database.exec('CREATE INDEX IF NOT EXISTS canonical ON staged (checkin_date DESC, code)'),
    )
    return `SELECT ${columns} FROM staged INDEXED BY canonical ORDER BY checkin_date DESC, code`
  }

  /** Yields the rejected rows of one source by line, and the rows of one line in the order in which they were added. */
  *rejectedRows(sourceIndex: number): Generator<RejectedRow, void, undefined> {
    const ordered = this.#select<[line: number, reason: string, cellsJson: string]>(
      'SELECT line, reason, cells FROM rejected WHERE source_index = ? ORDER BY line, rowid',
      sourceIndex,
    )
    for (const [line, reason, cellsJson] of ordered)
      yield { sourceIndex, line, reason, cells: JSON.parse(cellsJson) as RawCells }
  }

  close(): void {
    this.#database.close()
  }

  /** Also updates `#hasDocumentNames` and `#hasLinks`. */
  #toColumns({ record, content, documents }: NormalisedRow): RowColumns {
    const { code, checkinDate, title, area, municipality, wire, fields } = toStoredRecord(record)
    if (documents.length > 0) this.#hasDocumentNames = true
    if (record.links !== '' || record.agreementLink !== null) this.#hasLinks = true
    const documentsJson = documents.length === 0 ? null : JSON.stringify(documents)
    return [code, checkinDate, title, area, municipality, wire, fields, content, documentsJson, null]
  }

  #toStagedColumns(row: NormalisedRow): [...RowColumns, digest: Uint8Array | null, hasText: number | null] {
    const columns = this.#toColumns(row)
    if (!this.#withKeys) return [...columns, null, null]
    const [code, checkinDate, title, area, municipality, wire, fields, content] = columns
    const stored = { code, checkinDate, title, area, municipality, wire, fields }
    const { digest, hasText } = toRecordKey(stored, toRecordContent(content))
    return [...columns, digest, hasText ? 1 : 0]
  }

  *#selectRows(sql: string, ...parameters: string[]): Generator<StagedRow, void, undefined> {
    for (const columns of this.#select<RowColumns>(sql, ...parameters)) {
      const [code, checkinDate, title, area, municipality, wire, fields, content, documentsJson, keptJson] = columns
      const record = { code, checkinDate, title, area, municipality, wire, fields }
      const documents = documentsJson === null ? [] : (JSON.parse(documentsJson) as string[])
      const kept = keptJson === null ? {} : { kept: JSON.parse(keptJson) as RecordContent }
      yield { record, content, documents, ...kept }
    }
  }

  /** Yields the rows of a query, each as an array. Reading may fill the disk too: sorting writes temporary files. */
  *#select<Columns>(sql: string, ...parameters: (number | string)[]): Generator<Columns, void, undefined> {
    const rows = explainFullDisk(() => this.#database.prepare(sql).iterate(...parameters))
    try {
      for (;;) {
        const next = explainFullDisk(() => rows.next())
        if (next.done) return
        yield next.value as unknown as Columns
      }
    } finally {
      rows.return?.()
    }
  }
}

/** Returns the result of `work`. Turns the error of a full disk into one that says what to do. */
function explainFullDisk<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw isFullDisk(error) ? toTemporaryFolderFault(error) : error
  }
}
