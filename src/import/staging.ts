// Staging of an import: a temporary SQLite database that holds the rows between reading and writing. SQLite finds
// duplicate codes and sorts the rows into canonical order (newest first, then by code), both in bounded memory.
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { toRecordContent } from '../domain/document.ts'
import { foldCode } from '../domain/inscription-code.ts'
import { type StoredRecord, toStoredRecord } from '../domain/record.ts'
import { type RecordKey, toRecordKey } from '../registry/compare.ts'
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
}

/**
 * The cells of a row as the source has them, by index of heading. A cell that the row does not have is undefined, or
 * null when it is read back, because the cells are stored as JSON.
 */
export type RawCells = readonly (string | null | undefined)[]

/** A row that is removed, because another row has the same code. */
export interface DuplicateRow extends RowOrigin {
  readonly row: StagedRow
  readonly cells: RawCells
  /** The other row, which is kept. */
  readonly kept: RowOrigin & { readonly title: string }
}

export interface RejectedRow extends RowOrigin {
  readonly reason: string
  readonly cells: RawCells
}

/** Size of a database page. With 1 KB of text per row, 16 KB take a quarter less CPU time than the default of 4 KB. */
const pageBytes = 16 * 1024
/** Size of the page cache. SQLite's sorter uses the same amount before it writes a run to disk. */
const cacheKilobytes = 16 * 1024

/**
 * SQLite numbers the rows in `arrival`, from 1, in the order in which they are added. `folded_code` is the code without
 * differences of case; rows with the same one are duplicates. The table `duplicate` has the arrival of each row that is
 * removed, and the arrival of the row that is kept instead. `wire` is the record as the JSON that clients receive.
 */
const tables = `
  CREATE TABLE staged (
    arrival INTEGER PRIMARY KEY,
    source_index INTEGER, line INTEGER,
    folded_code TEXT, code TEXT, checkin_date TEXT, title TEXT, area TEXT, municipality TEXT, wire TEXT,
    digest BLOB, has_text INTEGER, -- those of the record without its documents
    content TEXT,
    documents TEXT, -- a JSON array, or null
    cells TEXT -- a JSON array, for the rejects file; 0 stands for the text of the column content
  ) STRICT;
  CREATE TABLE duplicate (kept_arrival INTEGER, arrival INTEGER, PRIMARY KEY (kept_arrival, arrival))
    STRICT, WITHOUT ROWID;
  CREATE TABLE rejected (source_index INTEGER, line INTEGER, reason TEXT, cells TEXT) STRICT;
`

/** The columns of table `staged` that make a `StagedRow`. */
const rowColumns = 'code, checkin_date, title, area, municipality, wire, content, documents'
/** The columns that make a `RecordKey`. */
const keyColumns = 'code, checkin_date, municipality, wire, digest, has_text'
/** All columns that are made of a row. */
const stagedColumns = `${rowColumns}, digest, has_text`

/** The values of `rowColumns` in one row, in the same order. */
type RowColumns = [
  code: string,
  checkinDate: string,
  title: string,
  area: string,
  municipality: string,
  wire: StoredRecord['wire'],
  content: string,
  documentsJson: string | null,
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
  readonly #insertRejected
  /** Prepared when first used, because most imports have no duplicates. */
  #selectRow: StatementSync | undefined
  #stagedCount = 0
  #rejectedCount = 0
  #hasDocumentNames = false
  #hasLinks = false

  constructor() {
    // Nothing has to survive a crash: there is no journal, and the transaction is never committed.
    this.#database.exec(`
      PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE;
      PRAGMA cache_size = -${cacheKilobytes}; BEGIN; ${tables}`)
    this.#insertStaged = this.#database.prepare(
      `INSERT INTO staged (source_index, line, cells, folded_code, ${stagedColumns})
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#insertRejected = this.#database.prepare('INSERT INTO rejected VALUES (?, ?, ?, ?)')
  }

  /** Number of staged rows, which are the accepted ones. Includes duplicates until they are removed or merged. */
  get stagedCount(): number {
    return this.#stagedCount
  }

  get rejectedCount(): number {
    return this.#rejectedCount
  }

  /** Whether any row names a file in the documents folder. */
  get hasDocumentNames(): boolean {
    return this.#hasDocumentNames
  }

  /** Whether any row has an address in `links` or `agreement_link`. */
  get hasLinks(): boolean {
    return this.#hasLinks
  }

  /** `cells` are stored for the rejects file, in case the row turns out to be a duplicate. */
  add(row: NormalisedRow, { sourceIndex, line }: RowOrigin, cells: RawCells = []): void {
    this.#stagedCount += 1
    const staged = this.#toColumns(row)
    const foldedCode = foldCode(row.record.code)
    const cellsJson = toCellsJson(cells, row.content)
    explainFullDisk(() => this.#insertStaged.run(sourceIndex, line, cellsJson, foldedCode, ...staged))
  }

  /** Also updates `#hasDocumentNames` and `#hasLinks`. */
  #toColumns({ record, content, documents }: NormalisedRow): [...RowColumns, digest: Uint8Array, hasText: number] {
    const stored = toStoredRecord(record)
    const { code, checkinDate, title, area, municipality, wire } = stored
    if (documents.length > 0) this.#hasDocumentNames = true
    if (record.links !== '' || record.agreementLink !== null) this.#hasLinks = true
    const documentsJson = documents.length === 0 ? null : JSON.stringify(documents)
    const { digest, hasText } = toRecordKey(stored, toRecordContent(content))
    return [code, checkinDate, title, area, municipality, wire, content, documentsJson, digest, hasText ? 1 : 0]
  }

  addRejected({ sourceIndex, line, reason, cells }: RejectedRow): void {
    this.#rejectedCount += 1
    explainFullDisk(() => this.#insertRejected.run(sourceIndex, line, reason, JSON.stringify(cells)))
  }

  /** Keeps the first or the last row of each code. Removes the other rows and passes each of them to `onDuplicate`. */
  removeDuplicates(keep: 'first' | 'last', onDuplicate: (duplicate: DuplicateRow) => void): void {
    this.#findDuplicates(keep)
    const duplicates = this.#select<[arrival: number, keptArrival: number]>(
      'SELECT arrival, kept_arrival FROM duplicate ORDER BY arrival',
    )
    const selectOrigin = this.#database.prepare('SELECT source_index, line, title, cells FROM staged WHERE arrival = ?')
    const originOf = (arrival: number): [sourceIndex: number, line: number, title: string, cellsJson: string] =>
      selectOrigin.get(arrival) as unknown as [number, number, string, string]
    for (const [arrival, keptArrival] of duplicates) {
      const [sourceIndex, line, , cellsJson] = originOf(arrival)
      const [keptSourceIndex, keptLine, keptTitle] = originOf(keptArrival)
      const kept = { sourceIndex: keptSourceIndex, line: keptLine, title: keptTitle }
      const row = this.#rowAt(arrival)
      onDuplicate({ sourceIndex, line, row, cells: parseCells(cellsJson, row.content), kept })
    }
    this.#deleteDuplicates()
  }

  /**
   * Replaces the rows of each code that occurs more than once by the row that `merge` makes of them. `merge` gets the
   * first row and the others, in the order in which they were added. The others are read one at a time, because
   * together they may not fit in memory.
   */
  mergeDuplicates(merge: (first: StagedRow, others: Iterable<StagedRow>) => NormalisedRow): void {
    this.#findDuplicates('first')
    const update = this.#database.prepare(
      // `code = ?, checkin_date = ?, …`
      `UPDATE staged SET ${stagedColumns.replaceAll(/\w+/g, '$& = ?')} WHERE arrival = ?`,
    )
    const keptArrivals = this.#select<[arrival: number]>('SELECT DISTINCT kept_arrival FROM duplicate')
    for (const [keptArrival] of keptArrivals) {
      const merged = this.#toColumns(merge(this.#rowAt(keptArrival), this.#duplicatesOf(keptArrival)))
      explainFullDisk(() => update.run(...merged, keptArrival))
    }
    this.#deleteDuplicates()
  }

  /** Fills the table `duplicate`. `stagedCount` excludes its rows from here on; `#deleteDuplicates` deletes them. */
  #findDuplicates(keep: 'first' | 'last'): void {
    const minOrMax = keep === 'first' ? 'min' : 'max'
    const insert = this.#database.prepare(`
      INSERT INTO duplicate SELECT kept_arrival, arrival FROM (
        SELECT arrival, ${minOrMax}(arrival) OVER (PARTITION BY folded_code) AS kept_arrival FROM staged
      ) WHERE arrival <> kept_arrival`)
    this.#stagedCount -= Number(explainFullDisk(() => insert.run()).changes)
  }

  #deleteDuplicates(): void {
    explainFullDisk(() => this.#database.exec('DELETE FROM staged WHERE arrival IN (SELECT arrival FROM duplicate)'))
  }

  *#duplicatesOf(keptArrival: number): Generator<StagedRow, void, undefined> {
    const duplicates = this.#select<[arrival: number]>(
      'SELECT arrival FROM duplicate WHERE kept_arrival = ? ORDER BY arrival',
      keptArrival,
    )
    for (const [arrival] of duplicates) yield this.#rowAt(arrival)
  }

  /** There must be a staged row with this `arrival`. */
  #rowAt(arrival: number): StagedRow {
    this.#selectRow ??= this.#database.prepare(`SELECT ${rowColumns} FROM staged WHERE arrival = ?`)
    return toStagedRow(this.#selectRow.get(arrival) as unknown as RowColumns)
  }

  /**
   * Yields the rows, newest first, and the rows of one day by code. SQLite compares codes by UTF-8 bytes, and
   * `compareCanonically` (domain/record.ts) by UTF-16 units. The two orders differ only for characters outside the
   * basic multilingual plane, which a code cannot contain (domain/inscription-code.ts).
   */
  *inCanonicalOrder(): Generator<StagedRow, void, undefined> {
    for (const columns of this.#selectInOrder<RowColumns>(rowColumns)) yield toStagedRow(columns)
  }

  /** Yields the keys of the records without their documents, in the order of `inCanonicalOrder`. */
  *keysInCanonicalOrder(): Generator<RecordKey, void, undefined> {
    for (const columns of this.#selectInOrder<KeyColumns>(keyColumns)) {
      const [code, checkinDate, municipality, wire, digest, hasText] = columns
      yield { code, checkinDate, municipality, wire, digest, hasText: hasText === 1, hasDocumentText: false }
    }
  }

  #selectInOrder<Columns>(columns: string): Generator<Columns, void, undefined> {
    // Only the keys are sorted: to sort the texts with them would take longer than to look each row up.
    explainFullDisk(() =>
      this.#database.exec('CREATE INDEX IF NOT EXISTS canonical ON staged (checkin_date DESC, code)'),
    )
    return this.#select(`SELECT ${columns} FROM staged INDEXED BY canonical ORDER BY checkin_date DESC, code`)
  }

  /** Yields the rejected rows of one source by line, and the rows of one line in the order in which they were added. */
  *rejectedRows(sourceIndex: number): Generator<RejectedRow, void, undefined> {
    const ordered = this.#select<[line: number, reason: string, cellsJson: string]>(
      'SELECT line, reason, cells FROM rejected WHERE source_index = ? ORDER BY line, rowid',
      sourceIndex,
    )
    for (const [line, reason, cellsJson] of ordered) {
      yield { sourceIndex, line, reason, cells: JSON.parse(cellsJson) as RawCells }
    }
  }

  close(): void {
    this.#database.close()
  }

  /** Yields the rows of a query, each as an array. Reading may fill the disk too: sorting writes temporary files. */
  *#select<Columns>(sql: string, ...parameters: number[]): Generator<Columns, void, undefined> {
    const rows = explainFullDisk(() => this.#database.prepare(sql).iterate(...parameters))
    for (;;) {
      const next = explainFullDisk(() => rows.next())
      if (next.done) return
      yield next.value as unknown as Columns
    }
  }
}

/** The content is most of a row, so it is not stored twice. */
function toCellsJson(cells: RawCells, content: string): string {
  const index = content === '' ? -1 : cells.indexOf(content)
  return JSON.stringify(index === -1 ? cells : (cells as readonly unknown[]).with(index, 0))
}

function parseCells(cellsJson: string, content: string): RawCells {
  return (JSON.parse(cellsJson) as (string | null | 0)[]).map((cell) => (cell === 0 ? content : cell))
}

function toStagedRow(columns: RowColumns): StagedRow {
  const [code, checkinDate, title, area, municipality, wire, content, documentsJson] = columns
  const record = { code, checkinDate, title, area, municipality, wire }
  return { record, content, documents: documentsJson === null ? [] : (JSON.parse(documentsJson) as string[]) }
}

/** Returns the result of `work`. Turns the error of a full disk into one that says what to do. */
function explainFullDisk<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw isFullDisk(error) ? toTemporaryFolderFault(error) : error
  }
}
