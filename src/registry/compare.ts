// Compares the records of an import with the registry in service, before anything is built: what would change, and
// whether anything does. Two records are compared by their digests (digest.ts). A registry of an older format is
// compared by the wire format of its records, which has not changed.
import { hash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { RecordContent } from '../domain/document.ts'
import { foldCode } from '../domain/inscription-code.ts'
import { toMunicipality } from '../domain/municipality.ts'
import type { StoredRecord } from '../domain/record.ts'
import { t } from '../language.ts'
import type { SnapshotDifference } from './contract.ts'
import { toPublishedNames, toRecordDigest } from './digest.ts'
import { toPages } from './pages.ts'
import { formatVersion } from './schema.ts'
import { isSqliteDamage, sqliteReasonOf } from './sqlite-reason.ts'
import { readFormat } from './stores/registry-file.ts'

/** The most codes that are listed for each kind of change. */
const exampleCodesMax = 20

/** What a record is compared by. */
export interface RecordKey extends Pick<StoredRecord, 'code' | 'checkinDate' | 'municipality' | 'wire'> {
  readonly digest: Uint8Array
  /** As `toPublishedNames` returns them. */
  readonly publishedNames: string
  readonly hasText: boolean
  readonly hasDocumentText: boolean
}

export function toRecordKey(
  { code, checkinDate, municipality, wire, fields }: StoredRecord,
  content: RecordContent,
): RecordKey {
  const { ineCode } = toMunicipality(municipality, code)
  const { documents } = content
  const pages = toPages(content)
  const digest = toRecordDigest({ code, wire, fields, ineCode, documents, pages })
  const hasText = pages.length > 0
  const hasDocumentText = documents.some(({ read, recognised }) => read + recognised > 0)
  const publishedNames = toPublishedNames(documents)
  return { code, checkinDate, municipality, wire, digest, publishedNames, hasText, hasDocumentText }
}

/** The records of an import, as far as they are compared. */
export class Candidate {
  /** An unnamed database: SQLite writes it to a temporary file when it outgrows the cache. */
  readonly #database = new DatabaseSync('', { returnArrays: true })
  readonly #insert
  readonly #previousPath: string
  /** The tables of an older format have other digests, so the wire formats are compared. */
  readonly #isOldFormat: boolean
  #records = 0

  /** `previousPath` is the file that the records are compared with. */
  constructor(previousPath: string) {
    this.#previousPath = previousPath
    this.#isOldFormat = readFormat(previousPath) !== formatVersion
    this.#database.exec(`
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE; PRAGMA cache_size = -16384; BEGIN;
      CREATE TABLE new (
        position INTEGER PRIMARY KEY, folded_code TEXT, code TEXT, checkin_date TEXT,
        has_text INTEGER, has_document_text INTEGER, digest BLOB
      ) STRICT`)
    this.#insert = this.#database.prepare('INSERT INTO new VALUES (?, ?, ?, ?, ?, ?, ?)')
  }

  /** Adds the next record in canonical order. */
  add({ code, checkinDate, wire, digest, hasText, hasDocumentText }: RecordKey): void {
    const compared = this.#isOldFormat ? digestWire(wire) : digest
    const flags = [hasText ? 1 : 0, hasDocumentText ? 1 : 0]
    this.#insert.run(this.#records++, foldCode(code), code, checkinDate, ...flags, compared)
  }

  /** Adds the records of a registry file of this format. */
  addFile(path: string): void {
    this.#database.exec('COMMIT')
    this.#database.prepare('ATTACH ? AS source').run(path)
    registerDigest(this.#database)
    this.#database.exec(`
      BEGIN;
      INSERT INTO new SELECT position, folded_code, cod_archivo, checkin_date, page_count > 0,
        ${hasDocumentText('source')}, ${this.#isOldFormat ? 'digest_wire(wire)' : 'digest'} FROM source.expediente;
      COMMIT; DETACH source; BEGIN`)
  }

  /**
   * Compares the records with those in service. Returns null if the file is damaged (`onDamage` gets the reason), or
   * if its format cannot be compared.
   */
  compare(onDamage: (reason: string) => void): Comparison | null {
    try {
      this.#database.exec('CREATE UNIQUE INDEX new_code ON new (folded_code); COMMIT')
      this.#database.prepare('ATTACH ? AS previous').run(this.#previousPath)
      return createOldView(this.#database, this.#isOldFormat) ? new Comparison(this.#database) : null
    } catch (error) {
      // Another error, such as a full disk, says nothing about the previous file. The import then fails: without the
      // comparison a file that lost most of its records could be published.
      if (!isSqliteDamage(error)) throw error
      onDamage(sqliteReasonOf(error))
      return null
    }
  }

  [Symbol.dispose](): void {
    this.#database.close()
  }
}

/** Creates the temporary view `old` of the records in service, if their table has the columns that are compared. */
function createOldView(database: DatabaseSync, isOldFormat: boolean): boolean {
  if (!isOldFormat) {
    database.exec(`CREATE TEMP VIEW old AS
      SELECT position, folded_code, cod_archivo AS code, checkin_date, page_count > 0 AS has_text, digest,
        ${hasDocumentText('previous')} AS has_document_text FROM previous.expediente`)
    return true
  }
  const rows = database.prepare(`SELECT name FROM pragma_table_info('record', 'previous')`).all()
  const columns = new Set((rows as unknown as [string][]).map(([name]) => name))
  if (!oldColumns.every((column) => columns.has(column))) return false
  registerDigest(database)
  database.exec(`CREATE TEMP VIEW old AS
    SELECT position, folded_code, code, checkin_date, has_text, digest_wire(wire) AS digest, 0 AS has_document_text
    FROM previous.record`)
  return true
}

/** The columns of the table `record` of older formats that are compared. */
const oldColumns = ['position', 'folded_code', 'code', 'checkin_date', 'has_text', 'wire']

function registerDigest(database: DatabaseSync): void {
  database.function('digest_wire', { deterministic: true }, (wire) => digestWire(String(wire)))
}

function digestWire(wire: string): Buffer {
  return hash('sha1', wire, 'buffer')
}

/** SQL expression: some page of a document of the record was read, or recognised from its image. */
function hasDocumentText(schema: string): string {
  return `EXISTS (SELECT 1 FROM ${schema}.document
    WHERE document.position = expediente.position AND read + recognised > 0)`
}

/** The records of an import (the table `new`) beside those in service (the view `old`). */
export class Comparison {
  readonly #database: DatabaseSync
  readonly difference: SnapshotDifference

  constructor(database: DatabaseSync) {
    this.#database = database
    this.difference = this.#toDifference()
  }

  /**
   * Yields kind and code of every record that differs, in the order of folded codes. Codes are compared with their
   * case, because a client may store its copy of the records by code. A code that is corrected from `a-1` to `A-1`
   * gives two rows: `a-1` is gone, then `A-1` is new. The order by kind puts `gone` first.
   */
  changes(): Iterable<[kind: 'new' | 'changed' | 'gone', code: string]> {
    return this.#database
      .prepare(
        `SELECT kind, code FROM (
          SELECT 'gone' AS kind, code, folded_code FROM old WHERE NOT EXISTS (
            SELECT 1 FROM new WHERE new.folded_code = old.folded_code AND new.code = old.code)
          UNION ALL
          SELECT CASE WHEN old.code IS NULL THEN 'new' ELSE 'changed' END, new.code, new.folded_code
          FROM new LEFT JOIN old ON old.folded_code = new.folded_code AND old.code = new.code
          WHERE old.code IS NULL OR old.digest <> new.digest
        ) ORDER BY folded_code, kind`,
      )
      .iterate() as unknown as Iterable<['new' | 'changed' | 'gone', string]>
  }

  #toDifference(): SnapshotDifference {
    const counts = this.#selectRow<number>(`
      SELECT count(*), coalesce(sum(old.digest <> new.digest), 0), coalesce(sum(old.has_text > new.has_text), 0),
        coalesce(sum(old.has_document_text > new.has_document_text), 0)
      FROM new JOIN old USING (folded_code)`)
    const [inBoth = 0, changed = 0, textsGone = 0, documentTextsGone = 0] = counts
    const [records = 0, recordsWithText = 0, recordsWithDocumentText = 0, fictional = 0] = this.#selectRow<number>(`
      SELECT count(*), coalesce(sum(has_text), 0), coalesce(sum(has_document_text), 0),
        (SELECT count(*) FROM previous.property WHERE name = 'fictional' AND value = '1')
      FROM old`)
    const [inNext = 0] = this.#selectRow<number>('SELECT count(*) FROM new')
    const [newest = null, newestBefore = null] = this.#selectRow<string | null>(
      'SELECT (SELECT max(checkin_date) FROM new), (SELECT max(checkin_date) FROM old)',
    )
    return {
      added: inNext - inBoth,
      changed,
      gone: records - inBoth,
      textsGone,
      documentTextsGone,
      previous: { records, recordsWithText, recordsWithDocumentText, fictional: fictional > 0, newest: newestBefore },
      newest,
      examples: {
        added:
          inNext === inBoth
            ? []
            : this.#selectCodes(
                'SELECT code, position FROM new WHERE folded_code NOT IN (SELECT folded_code FROM old)',
              ),
        changed:
          changed === 0
            ? []
            : this.#selectCodes(
                'SELECT new.code, new.position FROM new JOIN old USING (folded_code) WHERE new.digest <> old.digest',
              ),
        gone:
          records === inBoth
            ? []
            : this.#selectCodes(
                'SELECT code, position FROM old WHERE folded_code NOT IN (SELECT folded_code FROM new)',
              ),
      },
    }
  }

  #selectRow<Column>(sql: string): Column[] {
    return this.#database.prepare(sql).get() as unknown as Column[]
  }

  /** The first codes that the query selects, in canonical order. */
  #selectCodes(query: string): string[] {
    const rows = this.#database.prepare(`SELECT code FROM (${query}) ORDER BY position LIMIT ${exampleCodesMax}`).all()
    return (rows as unknown as [string][]).map(([code]) => code)
  }
}

/** The warning of an import that is published without a comparison because the registry in service is damaged. */
export function toNotComparedWarning(reason: string): string {
  return t`The registry in service is damaged and was not compared: ${reason}`
}
