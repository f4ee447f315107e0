// Staging table of an import: a temporary SQLite database that holds the rows between reading and writing. SQLite finds
// duplicate codes and sorts the rows into canonical order, both in bounded memory.
import { DatabaseSync } from 'node:sqlite'
import { foldCode } from '../domain/inscription-code.ts'
import { type StoredRecord, toStoredRecord } from '../domain/record.ts'
import { StoreFault } from '../snapshot/contract.ts'
import type { NormalisedRow } from './rows/normalise.ts'

export interface RowOrigin {
  /** Index of the source on the command line. */
  readonly source: number
  readonly line: number
}

export interface StagedRow {
  readonly record: StoredRecord
  /** Searchable text from the column `content`. */
  readonly content: string
  /** File names under the documents folder. */
  readonly documents: readonly string[]
}

/** A row whose code occurs in an earlier row, `first`. */
export interface DuplicateRow extends RowOrigin {
  readonly row: StagedRow
  readonly first: RowOrigin
}

export interface RejectedRow extends RowOrigin {
  readonly reason: string
  /** As the source has them, by index of heading. */
  readonly cells: readonly (string | null)[]
}

/** With 1 KB of text per row, staging takes a quarter less CPU time than with SQLite's default of 4 KB. */
const pageBytes = 16 * 1024
/** Size of the page cache. SQLite's sorter uses the same amount before it writes a run to disk. */
const cacheKilobytes = 16 * 1024

const tables = `
  CREATE TABLE staged (
    number INTEGER PRIMARY KEY, -- in order of arrival
    source INTEGER, line INTEGER,
    folded_code TEXT, code TEXT, checkin_date TEXT, title TEXT, municipality TEXT, wire TEXT, content TEXT,
    documents TEXT -- a JSON array, or null
  ) STRICT;
  CREATE TABLE duplicate (number INTEGER PRIMARY KEY, first INTEGER) STRICT;
  CREATE TABLE rejected (source INTEGER, line INTEGER, reason TEXT, cells TEXT) STRICT;
`

const columns = 'code, checkin_date, title, municipality, wire, content, documents'

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
    this.#database.exec(`
      PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE;
      PRAGMA cache_size = -${cacheKilobytes}; BEGIN; ${tables}`)
    this.#insertStaged = this.#database.prepare(
      `INSERT INTO staged (source, line, folded_code, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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

  add({ record, content, documents }: NormalisedRow, { source, line }: RowOrigin): void {
    const { code, checkinDate, title, municipality, wire } = toStoredRecord(record)
    const names = documents.length === 0 ? null : JSON.stringify(documents)
    if (names !== null) this.#hasDocumentNames = true
    if (record.links !== '' || record.agreementLink !== null) this.#hasLinks = true
    this.#rowCount += 1
    const columns = [code, checkinDate, title, municipality, wire, content, names]
    explainFullDisk(() => this.#insertStaged.run(source, line, foldCode(code), ...columns))
  }

  addRejected({ source, line, reason, cells }: RejectedRow): void {
    this.#rejectedCount += 1
    explainFullDisk(() => this.#insertRejected.run(source, line, reason, JSON.stringify(cells)))
  }

  /** Removes every row whose code occurs in an earlier row, and passes it to `onDuplicate`. */
  removeDuplicates(onDuplicate: (duplicate: DuplicateRow) => void): void {
    this.#execute(`
      INSERT INTO duplicate SELECT number, first FROM (
        SELECT number, min(number) OVER (PARTITION BY folded_code) AS first FROM staged
      ) WHERE number <> first`)
    const duplicates = this.#read<
      [source: number, line: number, firstSource: number, firstLine: number, ...ColumnValues]
    >(`
      SELECT source, line, first_source, first_line, ${columns} FROM duplicate
        JOIN staged USING (number)
        JOIN (SELECT number AS first, source AS first_source, line AS first_line FROM staged) USING (first)
        ORDER BY number`)
    for (const [source, line, firstSource, firstLine, ...values] of duplicates) {
      this.#rowCount -= 1
      onDuplicate({ source, line, row: toStagedRow(values), first: { source: firstSource, line: firstLine } })
    }
    this.#execute('DELETE FROM staged WHERE number IN (SELECT number FROM duplicate)')
  }

  /**
   * SQLite compares codes by UTF-8 bytes, `compareCanonically` by UTF-16 units. The two orders differ only for
   * characters outside the basic multilingual plane, which a code cannot contain (domain/inscription-code.ts).
   */
  *inCanonicalOrder(): Generator<StagedRow, void, undefined> {
    const ordered = this.#read<ColumnValues>(`SELECT ${columns} FROM staged ORDER BY checkin_date DESC, code`)
    for (const values of ordered) yield toStagedRow(values)
  }

  /** In order of lines. */
  *rejectedRows(source: number): Generator<RejectedRow, void, undefined> {
    const ordered = this.#read<[line: number, reason: string, cells: string]>(
      'SELECT line, reason, cells FROM rejected WHERE source = ? ORDER BY line, rowid',
      source,
    )
    for (const [line, reason, cells] of ordered) {
      yield { source, line, reason, cells: JSON.parse(cells) as (string | null)[] }
    }
  }

  close(): void {
    this.#database.close()
  }

  #execute(sql: string): void {
    explainFullDisk(() => this.#database.exec(sql))
  }

  *#read<Values>(sql: string, ...values: number[]): Generator<Values, void, undefined> {
    const rows = explainFullDisk(() => this.#database.prepare(sql).iterate(...values))
    for (;;) {
      const next = explainFullDisk(() => rows.next())
      if (next.done) return
      yield next.value as unknown as Values
    }
  }
}

type ColumnValues = [
  code: string,
  checkinDate: string,
  title: string,
  municipality: string,
  wire: StoredRecord['wire'],
  content: string,
  documents: string | null,
]

function toStagedRow([code, checkinDate, title, municipality, wire, content, documents]: ColumnValues): StagedRow {
  const record = { code, checkinDate, title, municipality, wire }
  return { record, content, documents: documents === null ? [] : (JSON.parse(documents) as string[]) }
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
