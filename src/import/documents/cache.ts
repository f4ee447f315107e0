// The cache of documents, one SQLite file: an entry for every reference (a file name or an address) of a registry, and
// the extracted text of every content by its hash. Everything in it can be read again from the documents, so nothing is
// synced to disk, and a damaged file is replaced by an empty one.
import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { PublishedFile } from '../../domain/document.ts'
import type { Reason } from '../../domain/document-reason.ts'
import { isSqliteDamage } from '../../registry/sqlite-reason.ts'
import type { DocumentOutcome, DocumentProblem, DocumentReference } from './reference.ts'
import type { ExtractedText, Refusal } from './text-extractor.ts'

/** Must be incremented when the same content would give another text; a cache of another version is emptied. */
const extractorVersion = 19
/** How long an import waits for another one that writes to the cache. */
const busyTimeoutMs = 60_000

/** What a reference led to when it was last resolved. */
export interface ReferenceEntry {
  readonly outcome: DocumentOutcome
  /** Undefined if there is no text: the document is missing, was not opened, or was refused by a worker. */
  readonly textKey?: TextKey | undefined
  /** Why there is no text, in words that clients may see. */
  readonly unreadReason?: Reason | undefined
  /** Hash of the content; undefined if it is not known, because the document is missing or was not opened. */
  readonly sha256?: string | undefined
  /** Number of pages; 0 or undefined if it is not known. */
  readonly pageCount?: number | undefined
  /** For a file: what is published of it. */
  readonly published?: PublishedFile | undefined
  /** For a file: its identity, size and times. If they are the same, it has not changed. */
  readonly fileState?: string | undefined
  /** For an address: the validators of a conditional request. */
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

/** What an import counts and reports of a document. */
export interface FoundDocument {
  /** Number of its reference, from 1, in the order of the records. */
  readonly number: number
  /** The reasons for the report; null if there is no problem. */
  readonly problem: string | null
}

/**
 * `text` is the text layer, `ocr-spa` includes scanned pages recognised in Spanish, `partial` lacks pages that the next
 * import tries again.
 */
export type TextVariant = 'text' | `ocr-${string}` | 'partial'

/** Identifies a text: the hash of the content of its document, and the variant. */
export interface TextKey {
  readonly sha256: string
  readonly variant: TextVariant
}

/** In place of the text of a document that cannot be read, the refusal is stored if the content is the cause. */
type CachedText = ExtractedText | Refusal

export class DocumentCache {
  /** The path of the file. */
  readonly path: string
  /** Whether the file was damaged, and an empty one has replaced it. */
  readonly wasDamaged: boolean
  readonly #database: DatabaseSync
  /** The registry of the entries: several registries may share a cache. */
  readonly #registry: string
  /** Marks the entries of this import. */
  readonly #importId = randomUUID()

  private constructor(path: string, registry: string, database: DatabaseSync, wasDamaged: boolean) {
    this.path = path
    this.wasDamaged = wasDamaged
    this.#database = database
    this.#registry = registry
  }

  /** `registry` is a name that no other registry has. */
  static open(folder: string, registry: string): DocumentCache {
    const path = join(folder, 'texts.db')
    mkdirSync(folder, { recursive: true })
    try {
      return new DocumentCache(path, registry, openDatabase(path), false)
    } catch (error) {
      if (!isSqliteDamage(error)) throw error
      for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
      return new DocumentCache(path, registry, openDatabase(path), true)
    }
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close()
  }

  /** Returns the entry of the last import that wrote one; undefined if none has. */
  readLastEntry(reference: DocumentReference): ReferenceEntry | undefined {
    return this.#readEntry(reference)?.entry
  }

  /** Returns the entry that this import has written; undefined if it has not resolved the reference. */
  readEntryOfThisImport(reference: DocumentReference): ReferenceEntry | undefined {
    const row = this.#readEntry(reference)
    return row?.importId === this.#importId ? row.entry : undefined
  }

  #readEntry(reference: DocumentReference): { entry: ReferenceEntry; importId: unknown } | undefined {
    const row = this.#database
      .prepare('SELECT entry, import_id FROM entry WHERE registry = :registry AND kind = :kind AND name = :name')
      .get(this.#toKey(reference))
    return row && { entry: JSON.parse(String(row.entry)), importId: row.import_id }
  }

  /** `found` is undefined for a further spelling of a name, which does not count. */
  writeEntry(reference: DocumentReference, entry: ReferenceEntry, found?: FoundDocument): void {
    this.#run(
      `INSERT OR REPLACE INTO entry (registry, kind, name, import_id, sha256, entry, outcome, number, problem)
       VALUES (:registry, :kind, :name, :import, :sha256, :entry, :outcome, :number, :problem)`,
      {
        ...this.#toKey(reference),
        import: this.#importId,
        sha256: entry.sha256 ?? null,
        entry: JSON.stringify(entry),
        outcome: entry.outcome,
        number: found?.number ?? null,
        problem: found?.problem ?? null,
      },
    )
  }

  #toKey(reference: DocumentReference) {
    const { kind } = reference
    return { registry: this.#registry, kind, name: kind === 'file' ? reference.name : reference.url }
  }

  /** The number of documents of this import with each outcome. */
  countOutcomes(): Readonly<Record<DocumentOutcome, number>> {
    const rows = this.#all('SELECT outcome, count(*) AS count FROM found GROUP BY outcome')
    const counts = Object.fromEntries(rows.map(({ outcome, count }) => [String(outcome), Number(count)]))
    return { text: 0, scan: 0, unreadable: 0, missing: 0, ...counts }
  }

  countProblems(): number {
    return Number(this.#all('SELECT count(problem) AS count FROM found')[0]?.count)
  }

  /** The problems of this import in the order of the references, at most so many for each outcome. */
  readProblems(perOutcomeMax: number): DocumentProblem[] {
    return this.#all(
      `SELECT outcome, name AS document, problem AS reason FROM (
         SELECT *, row_number() OVER (PARTITION BY outcome ORDER BY number) AS place FROM found WHERE problem IS NOT NULL)
       WHERE place <= ${perOutcomeMax} ORDER BY number`,
    ) as unknown as DocumentProblem[]
  }

  /** The rows of a query that reads `found`: the entries of the documents of this import, each once. */
  #all(sql: string): Record<string, SQLOutputValue>[] {
    const found = `WITH found AS (
      SELECT * FROM entry WHERE registry = :registry AND import_id = :import AND number IS NOT NULL)`
    return this.#database.prepare(`${found} ${sql}`).all({ registry: this.#registry, import: this.#importId })
  }

  /** Returns undefined if the text is not in the cache, or is damaged: gzip has a checksum. */
  readText({ sha256, variant }: TextKey): CachedText | undefined {
    const row = this.#database.prepare('SELECT text FROM text WHERE sha256 = ? AND variant = ?').get(sha256, variant)
    try {
      return row === undefined ? undefined : JSON.parse(gunzipSync(row.text as Uint8Array).toString())
    } catch {
      return undefined
    }
  }

  writeText({ sha256, variant }: TextKey, text: CachedText): void {
    const compressed = gzipSync(JSON.stringify(text), { level: 1 })
    this.#run('INSERT OR REPLACE INTO text VALUES (:sha256, :variant, :compressed)', { sha256, variant, compressed })
  }

  /** Forgets the references of this kind that this import has not resolved, and the texts that no reference has. */
  forgetUnused(kind: DocumentReference['kind']): void {
    const values = { registry: this.#registry, kind, import: this.#importId }
    this.#run('DELETE FROM entry WHERE registry = :registry AND kind = :kind AND import_id <> :import', values)
    this.#run('DELETE FROM text WHERE sha256 NOT IN (SELECT sha256 FROM entry WHERE sha256 IS NOT NULL)', {})
  }

  #run(sql: string, values: Record<string, SQLInputValue>): void {
    this.#database.prepare(sql).run(values)
  }
}

/** Opens the file, or creates it, and checks it. Throws an error for which `isSqliteDamage` holds if it is damaged. */
function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs })
  try {
    // The file gets smaller when texts are forgotten. Must be set before anything is written.
    database.exec('PRAGMA auto_vacuum = FULL; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF')
    const check = database.prepare('PRAGMA quick_check(1)').get()?.quick_check
    if (check !== 'ok')
      throw Object.assign(new Error(String(check)), { code: 'ERR_SQLITE_ERROR', errcode: corruptCode })
    database.exec('BEGIN IMMEDIATE')
    if (database.prepare('PRAGMA user_version').get()?.user_version !== extractorVersion) {
      database.exec(`
        DROP TABLE IF EXISTS entry;
        DROP TABLE IF EXISTS text;
        CREATE TABLE entry (registry TEXT, kind TEXT, name TEXT, import_id TEXT, sha256 TEXT, entry TEXT,
          outcome TEXT, number INTEGER, problem TEXT,
          PRIMARY KEY (registry, kind, name)) WITHOUT ROWID;
        CREATE INDEX entry_sha256 ON entry (sha256);
        CREATE TABLE text (sha256 TEXT, variant TEXT, text BLOB, PRIMARY KEY (sha256, variant));
        PRAGMA user_version = ${extractorVersion}`)
    }
    database.exec('COMMIT')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** SQLITE_CORRUPT, https://sqlite.org/rescode.html#corrupt */
const corruptCode = 11
