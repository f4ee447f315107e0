// Staging table of an import: a temporary SQLite database that holds the rows between reading and writing. SQLite finds
// duplicate codes and sorts the rows into canonical order, both in bounded memory.
import { DatabaseSync } from 'node:sqlite'
import { foldCode } from '../domain/inscription-code.ts'
import { type StoredRecord, toStoredRecord } from '../domain/record.ts'
import { StoreFault } from '../snapshot/contract.ts'
import type { NormalisedRow } from './rows/normalise.ts'

export interface RowOrigin {
  /** Index of the source on the command line. */
  readonly sourceIndex: number
  readonly line: number
}

export interface StagedRow {
  readonly record: StoredRecord
  /** Searchable text from the column `content`. */
  readonly content: string
  /** File names under the documents folder. */
  readonly documents: readonly string[]
}

/** The cells of a row as the source has them, by index of heading; null for a cell that the row does not have. */
export type RawCells = readonly (string | null)[]

/** A row whose code occurs in an earlier row, `first`. */
export interface DuplicateRow extends RowOrigin {
  readonly row: StagedRow
  readonly cells: RawCells
  readonly first: RowOrigin
}

export interface RejectedRow extends RowOrigin {
  readonly reason: string
  readonly cells: RawCells
}

/** With 1 KB of text per row, staging takes a quarter less CPU time than with SQLite's default of 4 KB. */
const pageBytes = 16 * 1024
/** Size of the page cache. SQLite's sorter uses the same amount before it writes a run to disk. */
const cacheKilobytes = 16 * 1024

/** SQLite numbers the rows in `arrival`, from 1. `duplicate` has the arrival of a row and that of the first one. */
const tables = `
  CREATE TABLE staged (
    arrival INTEGER PRIMARY KEY,
    source_index INTEGER, line INTEGER,
    folded_code TEXT, code TEXT, checkin_date TEXT, title TEXT, municipality TEXT, wire TEXT, content TEXT,
    documents TEXT, -- a JSON array, or null
    cells TEXT -- a JSON array, for the rejects file
  ) STRICT;
  CREATE TABLE duplicate (arrival INTEGER PRIMARY KEY, first_arrival INTEGER) STRICT;
  CREATE TABLE rejected (source_index INTEGER, line INTEGER, reason TEXT, cells TEXT) STRICT;
`

/** The columns that make a `StagedRow`, in the order of `StagedColumns`. */
const stagedColumns = 'code, checkin_date, title, municipality, wire, content, documents'

export class Staging {
  /** An unnamed database: SQLite writes it to a temporary file when it outgrows the cache, and deletes it on close. */
  readonly #database = new DatabaseSync('', { returnArrays: true })
  readonly #insertStaged
  readonly #insertRejected
  #rowCount = 0
  #rejectedCount = 0
  #hasDocumentNames = false
  #hasLinks = false

  constructor() {
    // Nothing has to survive a crash: there is no journal, and the transaction is never committed.
    this.#database.exec(`
      PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE;
      PRAGMA cache_size = -${cacheKilobytes}; BEGIN; ${tables}`)
    this.#insertStaged = this.#database.prepare(
      `INSERT INTO staged (source_index, line, cells, folded_code, ${stagedColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#insertRejected = this.#database.prepare('INSERT INTO rejected VALUES (?, ?, ?, ?)')
  }

  /** Includes duplicates until `removeDuplicates` is called. */
  get rowCount(): number {
    return this.#rowCount
  }

  get rejectedCount(): number {
    return this.#rejectedCount
  }

  /** Whether any row names a file in the documents folder. */
  get hasDocumentNames(): boolean {
    return this.#hasDocumentNames
  }

  /** Whether any row has the address of a document. */
  get hasLinks(): boolean {
    return this.#hasLinks
  }

  /** `cells` are needed if the row turns out to be a duplicate. */
  add({ record, content, documents }: NormalisedRow, { sourceIndex, line }: RowOrigin, cells: RawCells = []): void {
    const { code, checkinDate, title, municipality, wire } = toStoredRecord(record)
    const documentsJson = documents.length === 0 ? null : JSON.stringify(documents)
    if (documents.length > 0) this.#hasDocumentNames = true
    if (record.links !== '' || record.agreementLink !== null) this.#hasLinks = true
    this.#rowCount += 1
    const staged: StagedColumns = [code, checkinDate, title, municipality, wire, content, documentsJson]
    explainFullDisk(() => this.#insertStaged.run(sourceIndex, line, JSON.stringify(cells), foldCode(code), ...staged))
  }

  addRejected({ sourceIndex, line, reason, cells }: RejectedRow): void {
    this.#rejectedCount += 1
    explainFullDisk(() => this.#insertRejected.run(sourceIndex, line, reason, JSON.stringify(cells)))
  }

  /** Removes every row whose code occurs in an earlier row, and passes it to `onDuplicate`. */
  removeDuplicates(onDuplicate: (duplicate: DuplicateRow) => void): void {
    this.#execute(`
      INSERT INTO duplicate SELECT arrival, first_arrival FROM (
        SELECT arrival, min(arrival) OVER (PARTITION BY folded_code) AS first_arrival FROM staged
      ) WHERE arrival <> first_arrival`)
    const duplicates = this.#select<
      [sourceIndex: number, line: number, cells: string, firstSourceIndex: number, firstLine: number, ...StagedColumns]
    >(`
      SELECT source_index, line, cells, first_source_index, first_line, ${stagedColumns} FROM duplicate
        JOIN staged USING (arrival)
        JOIN (
          SELECT arrival AS first_arrival, source_index AS first_source_index, line AS first_line FROM staged
        ) USING (first_arrival)
        ORDER BY arrival`)
    for (const [sourceIndex, line, cells, firstSourceIndex, firstLine, ...staged] of duplicates) {
      this.#rowCount -= 1
      const first = { sourceIndex: firstSourceIndex, line: firstLine }
      onDuplicate({ sourceIndex, line, row: toStagedRow(staged), cells: JSON.parse(cells) as RawCells, first })
    }
    this.#execute('DELETE FROM staged WHERE arrival IN (SELECT arrival FROM duplicate)')
  }

  /**
   * SQLite compares codes by UTF-8 bytes, `compareCanonically` by UTF-16 units. The two orders differ only for
   * characters outside the basic multilingual plane, which a code cannot contain (domain/inscription-code.ts).
   */
  *inCanonicalOrder(): Generator<StagedRow, void, undefined> {
    const ordered = this.#select<StagedColumns>(`SELECT ${stagedColumns} FROM staged ORDER BY checkin_date DESC, code`)
    for (const staged of ordered) yield toStagedRow(staged)
  }

  /** Yields the rejected rows of one source in order of lines. */
  *rejectedRows(sourceIndex: number): Generator<RejectedRow, void, undefined> {
    const ordered = this.#select<[line: number, reason: string, cells: string]>(
      'SELECT line, reason, cells FROM rejected WHERE source_index = ? ORDER BY line, rowid',
      sourceIndex,
    )
    for (const [line, reason, cells] of ordered) {
      yield { sourceIndex, line, reason, cells: JSON.parse(cells) as RawCells }
    }
  }

  close(): void {
    this.#database.close()
  }

  #execute(sql: string): void {
    explainFullDisk(() => this.#database.exec(sql))
  }

  /** Reading may fill the disk too: sorting writes temporary files. */
  *#select<Columns>(sql: string, ...parameters: number[]): Generator<Columns, void, undefined> {
    const rows = explainFullDisk(() => this.#database.prepare(sql).iterate(...parameters))
    for (;;) {
      const next = explainFullDisk(() => rows.next())
      if (next.done) return
      yield next.value as unknown as Columns
    }
  }
}

type StagedColumns = [
  code: string,
  checkinDate: string,
  title: string,
  municipality: string,
  wire: StoredRecord['wire'],
  content: string,
  documentsJson: string | null,
]

function toStagedRow([code, checkinDate, title, municipality, wire, content, documentsJson]: StagedColumns): StagedRow {
  const record = { code, checkinDate, title, municipality, wire }
  return { record, content, documents: documentsJson === null ? [] : (JSON.parse(documentsJson) as string[]) }
}

/** SQLITE_FULL, https://sqlite.org/rescode.html#full */
const fullErrorCode = 13

/** Turns the error of a full disk into one that says what to do. */
function explainFullDisk<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Error) || !('errcode' in error) || error.errcode !== fullErrorCode) throw error
    throw new StoreFault(
      'Cannot import: the temporary folder is full; free some space, or set TMPDIR to another folder',
      { cause: error },
    )
  }
}
