// Where an import keeps its rows between reading and writing: it takes them in any order and in flat memory, finds
// the codes that come twice, and gives them back in canonical order. A temporary database without a name, which the
// system removes whatever happens to this process.
import { DatabaseSync } from 'node:sqlite'
import { foldCode } from '../record/code.ts'
import type { RegistryRecord } from '../record/record.ts'

export interface StagedRow {
  readonly record: RegistryRecord
  readonly content: string
  readonly documents: readonly string[]
}

/** Where a row came from. */
export interface RowPlace {
  /** Number of the source, in the order given. */
  readonly source: number
  readonly line: number
}

/** A row that another one before it shares its code with. */
export interface DuplicateRow extends RowPlace {
  readonly code: string
  readonly first: RowPlace
}

/** A row that was refused, with what the source says in it. */
export interface RefusedRow extends RowPlace {
  readonly reason: string
  readonly cells: readonly (string | null)[]
}

export class Staging {
  readonly #database: DatabaseSync
  readonly #insert
  readonly #insertRefused
  #rows = 0
  #refused = 0
  #namesDocuments = false
  #hasAddresses = false

  constructor() {
    this.#database = new DatabaseSync('')
    this.#database.exec(schema)
    this.#insert = this.#database.prepare('INSERT INTO staged VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
    this.#insertRefused = this.#database.prepare('INSERT INTO refused VALUES (?, ?, ?, ?)')
    this.#database.exec('BEGIN')
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

  add(row: StagedRow, place: RowPlace): void {
    const { record } = row
    if (row.documents.length > 0) this.#namesDocuments = true
    if (record.links !== '' || record.agreementLink !== null) this.#hasAddresses = true
    const fields: Fields = [
      record.code,
      record.id,
      record.registrationNumber,
      record.title,
      record.area,
      record.checkinDate,
      record.inscriptionDate,
      record.municipality,
      record.links,
      record.agreementLink,
      ...row.documents,
    ]
    this.#insert.run(
      this.#rows++,
      place.source,
      place.line,
      foldCode(record.code),
      record.checkinDate,
      toOrderKey(record.code),
      JSON.stringify(fields),
      row.content,
    )
  }

  refuse(row: RefusedRow): void {
    this.#refused += 1
    this.#insertRefused.run(row.source, row.line, row.reason, JSON.stringify(row.cells))
  }

  /** Takes out every row whose code an earlier row bears, and shows it to `refuse` by the order of the sources. */
  refuseDuplicates(refuse: (duplicate: DuplicateRow, row: StagedRow) => void): void {
    this.#database.exec(findCodesTwice)
    for (const found of this.#database.prepare(laterRows).iterate()) {
      const row = toStagedRow(found.fields, found.content)
      const first = { source: Number(found.firstSource), line: Number(found.firstLine) }
      refuse({ source: Number(found.source), line: Number(found.line), code: row.record.code, first }, row)
    }
    this.#rows -= Number(this.#database.prepare(deleteLaterRows).run().changes)
  }

  /** Content is the bulk of a row: whoever does not need it saves the sorting of it. */
  *inCanonicalOrder(content: 'with content' | 'without content'): Generator<StagedRow, void, undefined> {
    const ordered = this.#database.prepare(`
      SELECT fields, ${content === 'with content' ? 'content' : "''"} FROM staged ORDER BY checkin_date DESC, order_key
    `)
    // An object for each of a million rows would take as long as the sorting.
    ordered.setReturnArrays(true)
    for (const [fields, text] of ordered.iterate() as Iterable<unknown[]>) yield toStagedRow(fields, text)
  }

  /** By source and line. */
  *refusedRows(source: number): Generator<RefusedRow, void, undefined> {
    const ordered = this.#database.prepare(
      'SELECT source, line, reason, cells FROM refused WHERE source = ? ORDER BY line, rowid',
    )
    for (const found of ordered.iterate(source)) {
      yield {
        source: Number(found.source),
        line: Number(found.line),
        reason: String(found.reason),
        cells: JSON.parse(String(found.cells)) as (string | null)[],
      }
    }
  }

  close(): void {
    this.#database.close()
  }
}

// Temporary databases are never synchronised; pages large enough for texts and a cache small enough for any machine.
const schema = `
  PRAGMA page_size = 16384;
  PRAGMA cache_size = -16384;
  PRAGMA journal_mode = OFF;
  PRAGMA temp_store = FILE;
  CREATE TABLE staged (
    number INTEGER PRIMARY KEY, source INTEGER, line INTEGER,
    folded_code TEXT, checkin_date TEXT, order_key BLOB, fields TEXT, content TEXT
  ) STRICT;
  CREATE TABLE twice (folded_code TEXT PRIMARY KEY, first INTEGER) STRICT, WITHOUT ROWID;
  CREATE TABLE refused (source INTEGER, line INTEGER, reason TEXT, cells TEXT) STRICT;
`

const findCodesTwice = `
  INSERT INTO twice
  SELECT folded_code, min(number) FROM staged GROUP BY folded_code HAVING count(*) > 1
`

/** The first row of each code stays: the one with the lowest number. */
const laterRows = `
  SELECT later.source, later.line, later.fields, later.content,
         earlier.source AS firstSource, earlier.line AS firstLine
  FROM staged AS later
  JOIN twice ON twice.folded_code = later.folded_code AND twice.first < later.number
  JOIN staged AS earlier ON earlier.number = twice.first
  WHERE EXISTS (SELECT 1 FROM twice)
  ORDER BY later.number
`

const deleteLaterRows = `
  DELETE FROM staged WHERE EXISTS (SELECT 1 FROM twice) AND number IN (
    SELECT later.number FROM staged AS later
    JOIN twice ON twice.folded_code = later.folded_code AND twice.first < later.number
  )
`

/** UTF-16 in network order: its bytes compare as `compareCanonically` compares strings, which UTF-8 would not. */
function toOrderKey(code: string): Uint8Array {
  return Buffer.from(code, 'utf16le').swap16()
}

type Fields = [
  code: string,
  id: string,
  registrationNumber: string,
  title: string,
  area: string,
  checkinDate: string,
  inscriptionDate: string | null,
  municipality: string,
  links: string,
  agreementLink: string | null,
  ...documents: string[],
]

function toStagedRow(json: unknown, content: unknown): StagedRow {
  const [code, id, registrationNumber, title, area, checkinDate, inscriptionDate, municipality, ...rest] = JSON.parse(
    String(json),
  ) as Fields
  const [links, agreementLink, ...documents] = rest
  const record: RegistryRecord = {
    code,
    id,
    registrationNumber,
    title,
    area,
    checkinDate,
    inscriptionDate,
    municipality,
    links,
    agreementLink,
  }
  return { record, content: String(content), documents }
}
