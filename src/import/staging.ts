// Holds the rows of an import between reading and writing, in a temporary SQLite database that vanishes with the
// process. SQLite finds the codes that occur twice and sorts the rows into canonical order, both in bounded memory.
import { DatabaseSync } from 'node:sqlite'
import { foldCode } from '../domain/inscription-code.ts'
import { type StoredRecord, toStored } from '../domain/record.ts'
import { StoreFault } from '../snapshot/contract.ts'
import type { NormalisedRow } from './rows/normalise.ts'

/** Where a row came from. */
export interface RowPlace {
  /** Number of the source, in the order given. */
  readonly source: number
  readonly line: number
}

export interface StagedRow {
  readonly record: StoredRecord
  /** The text to search that the source itself gives. */
  readonly content: string
  /** File names under the documents folder. */
  readonly documents: readonly string[]
}

/** A row whose code an earlier row has. */
export interface DuplicateRow extends RowPlace {
  readonly row: StagedRow
  readonly first: RowPlace
}

/** A row that was refused, with what the source says in it. */
export interface RefusedRow extends RowPlace {
  readonly reason: string
  readonly cells: readonly (string | null)[]
}

/** With 1 KB of text a row, staging takes a quarter less processor time than with SQLite's default of 4 KB. */
const pageBytes = 16 * 1024
/** The page cache; SQLite's sorter takes as much again before it writes a run to disk. */
const cacheKilobytes = 16 * 1024

const tables = `
  CREATE TABLE staged (
    number INTEGER PRIMARY KEY, -- in the order of arrival
    source INTEGER, line INTEGER,
    folded_code TEXT, code TEXT, checkin_date TEXT, title TEXT, municipality TEXT, wire TEXT, content TEXT,
    documents TEXT -- a JSON array; null where there is none
  ) STRICT;
  CREATE TABLE duplicate (number INTEGER PRIMARY KEY, first INTEGER) STRICT;
  CREATE TABLE refused (source INTEGER, line INTEGER, reason TEXT, cells TEXT) STRICT;
`

const columns = 'code, checkin_date, title, municipality, wire, content, documents'

export class Staging {
  /** Without a name: SQLite puts it in the temporary folder once it outgrows its cache, and deletes it when closed. */
  readonly #database = new DatabaseSync('', { returnArrays: true })
  readonly #insertStaged
  readonly #insertRefused
  #rows = 0
  #refused = 0
  #namesDocuments = false
  #hasAddresses = false

  constructor() {
    this.#database.exec(`
      PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE;
      PRAGMA cache_size = -${cacheKilobytes}; BEGIN; ${tables}`)
    this.#insertStaged = this.#database.prepare(
      `INSERT INTO staged (source, line, folded_code, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#insertRefused = this.#database.prepare('INSERT INTO refused VALUES (?, ?, ?, ?)')
  }

  /** Rows staged, duplicates included until they are refused. */
  get rows(): number {
    return this.#rows
  }

  get refused(): number {
    return this.#refused
  }

  /** Whether any row names a document in the folder. */
  get namesDocuments(): boolean {
    return this.#namesDocuments
  }

  /** Whether any row has the address of a document. */
  get hasAddresses(): boolean {
    return this.#hasAddresses
  }

  add({ record, content, documents }: NormalisedRow, { source, line }: RowPlace): void {
    const { code, checkinDate, title, municipality, wire } = toStored(record)
    const names = documents.length === 0 ? null : JSON.stringify(documents)
    if (names !== null) this.#namesDocuments = true
    if (record.links !== '' || record.agreementLink !== null) this.#hasAddresses = true
    this.#rows += 1
    const columns = [code, checkinDate, title, municipality, wire, content, names]
    nameFullDisk(() => this.#insertStaged.run(source, line, foldCode(code), ...columns))
  }

  refuse({ source, line, reason, cells }: RefusedRow): void {
    this.#refused += 1
    nameFullDisk(() => this.#insertRefused.run(source, line, reason, JSON.stringify(cells)))
  }

  /** Takes out every row whose code an earlier row has, and shows it to `refuse`. */
  refuseDuplicates(refuse: (duplicate: DuplicateRow) => void): void {
    this.#execute(`
      INSERT INTO duplicate SELECT number, first FROM (
        SELECT number, min(number) OVER (PARTITION BY folded_code) AS first FROM staged
      ) WHERE number <> first`)
    const duplicates = this.#read<[source: number, line: number, firstSource: number, firstLine: number, ...Columns]>(`
      SELECT source, line, first_source, first_line, ${columns} FROM duplicate
        JOIN staged USING (number)
        JOIN (SELECT number AS first, source AS first_source, line AS first_line FROM staged) USING (first)
        ORDER BY number`)
    for (const [source, line, firstSource, firstLine, ...found] of duplicates) {
      this.#rows -= 1
      refuse({ source, line, row: toStagedRow(found), first: { source: firstSource, line: firstLine } })
    }
    this.#execute('DELETE FROM staged WHERE number IN (SELECT number FROM duplicate)')
  }

  /**
   * SQLite compares the UTF-8 bytes of codes, `compareCanonically` their UTF-16 units. The two orders differ only for
   * characters beyond the basic plane, and a code has none of them (record/code.ts).
   */
  *inCanonicalOrder(): Generator<StagedRow, void, undefined> {
    const ordered = this.#read<Columns>(`SELECT ${columns} FROM staged ORDER BY checkin_date DESC, code`)
    for (const found of ordered) yield toStagedRow(found)
  }

  /** In the order of their lines. */
  *refusedRows(source: number): Generator<RefusedRow, void, undefined> {
    const ordered = this.#read<[line: number, reason: string, cells: string]>(
      'SELECT line, reason, cells FROM refused WHERE source = ? ORDER BY line, rowid',
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
    nameFullDisk(() => this.#database.exec(sql))
  }

  *#read<Found>(sql: string, ...values: number[]): Generator<Found, void, undefined> {
    const rows = nameFullDisk(() => this.#database.prepare(sql).iterate(...values))
    for (;;) {
      const next = nameFullDisk(() => rows.next())
      if (next.done) return
      yield next.value as unknown as Found
    }
  }
}

/** The values of `columns`. */
type Columns = [
  code: string,
  checkinDate: string,
  title: string,
  municipality: string,
  wire: StoredRecord['wire'],
  content: string,
  documents: string | null,
]

function toStagedRow([code, checkinDate, title, municipality, wire, content, documents]: Columns): StagedRow {
  const record = { code, checkinDate, title, municipality, wire }
  return { record, content, documents: documents === null ? [] : (JSON.parse(documents) as string[]) }
}

/** SQLITE_FULL, https://sqlite.org/rescode.html#full */
const fullErrorCode = 13

/** Says what to do where the temporary folder is full. */
function nameFullDisk<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Error) || !('errcode' in error) || error.errcode !== fullErrorCode) throw error
    throw new StoreFault(
      'Cannot import: the temporary folder is full; make room in it, or name another folder in TMPDIR',
      { cause: error },
    )
  }
}
