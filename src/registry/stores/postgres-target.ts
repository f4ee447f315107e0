// Publishes a registry in a PostgreSQL database, in one transaction: the file in pieces, its manifest, and the records
// behind the view `registry.expediente`, which is for the office's own SQL. Also stores the outcome of `check --links`.
// docs/stores.md describes the tables.
import { type FileHandle, open } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { wireFields } from '../../domain/record.ts'
import { t } from '../../language.ts'
import { systemReasonOf } from '../../system-reason.ts'
import { type LinkCheck, StoreFault, StoreUnreachable } from '../contract.ts'
import { takeImportLock } from '../import-lock.ts'
import { Follower } from './follower.ts'
import type { LocalCopy } from './local-copy.ts'
import { PostgresStore, pieceBytes, selectNewest, toManifest } from './postgres.ts'
import { type PostgresAddress, parseAddress } from './postgres-address.ts'
import { openSession, reasonOf, type Session, toPostgresFault } from './postgres-session.ts'
import { describeFile } from './registry-file.ts'
import type { LastImport, Manifest } from './remote.ts'
import type { RegistryTarget, TargetPublication } from './target.ts'

/** Key of the advisory lock of an import: "PReg" in ASCII. Versions before this one have the same. */
const lockKey = 0x50526567
/** The server may notice only after a moment that the session of a killed import has ended. */
const lockTimeoutMs = 3_000
const lockRetryPauseMs = 200
/** How many versions of the file are kept: nobody fetches what is being deleted. */
const keptVersions = 2
/** How many records are sent with one statement. */
const batchRecords = 1000

/** The columns of `registry.record` and of the view, in order. The key is the first one. */
const columns = [
  'cod_archivo',
  'checkin_date',
  'ine_code',
  ...wireFields.filter((field) => field !== 'checkin_date'),
] as const

/** Columns with collation "C", which compares by byte. The others have the collation of the database. */
const columnsByByte: readonly string[] = ['cod_archivo', 'checkin_date', 'ine_code']

const createTables = `
  CREATE SCHEMA IF NOT EXISTS registry;
  CREATE TABLE IF NOT EXISTS registry.manifest (
    sha256 text PRIMARY KEY, version text NOT NULL, format integer NOT NULL, bytes bigint NOT NULL,
    number integer NOT NULL UNIQUE, published_at timestamptz NOT NULL, last_import jsonb
  );
  CREATE TABLE IF NOT EXISTS registry.piece (
    sha256 text REFERENCES registry.manifest ON DELETE CASCADE, number integer, bytes bytea NOT NULL,
    PRIMARY KEY (sha256, number)
  );
  ALTER TABLE registry.piece ALTER bytes SET STORAGE EXTERNAL;
  CREATE TABLE IF NOT EXISTS registry.record (${columns
    .map((name, index) => {
      const type = columnsByByte.includes(name) ? 'text COLLATE "C"' : 'text'
      return `${name} ${type}${index === 0 ? ' PRIMARY KEY' : ''}`
    })
    .join(', ')});
`

/**
 * Takes the lock of the database and fetches the file in service, with which the import compares. Throws `StoreFault`
 * if another import is running, or the database cannot be written to.
 */
export async function openPostgresTarget(url: string, copy: LocalCopy): Promise<RegistryTarget> {
  const address = parseAddress(url)
  const session = await openSession(address, 'write')
  let releaseLock: (() => void) | undefined
  try {
    await takeSessionLock(session, address)
    // This lock protects the new file on this machine, also behind PgBouncer.
    copy.create()
    releaseLock = takeImportLock(copy.path)
    const base = await fetchBase(url, copy)
    return new PostgresTarget(address, copy, session, base, releaseLock)
  } catch (error) {
    releaseLock?.()
    await session.close()
    throw toPostgresFault(error, t`Cannot import into ${address.display}: ${reasonOf(error, address)}`)
  }
}

class PostgresTarget implements RegistryTarget {
  readonly path: string
  readonly #address: PostgresAddress
  readonly #copy: LocalCopy
  #session: Session
  /** SHA-256 of the file that the import compares with; null if there was none. */
  readonly #base: string | null
  readonly #releaseLock: () => void

  constructor(
    address: PostgresAddress,
    copy: LocalCopy,
    session: Session,
    base: string | null,
    releaseLock: () => void,
  ) {
    this.path = copy.path
    this.#address = address
    this.#copy = copy
    this.#session = session
    this.#base = base
    this.#releaseLock = releaseLock
  }

  async publish(newFile: string, publication: TargetPublication): Promise<void> {
    const manifest: Manifest = { ...(await describeFile(newFile)), lastImport: null }
    await this.#inTransaction(async (session) => {
      await requireBase(session, this.#base)
      await insertManifest(session, manifest)
      await insertPieces(session, newFile, manifest, publication.onProgress)
      await replaceRecords(session, newFile)
      await replaceView(session)
      await dropOldKind(session, publication.onWarning)
      await session.query(`
        DELETE FROM registry.manifest WHERE number NOT IN (
          SELECT number FROM registry.manifest ORDER BY number DESC LIMIT ${keptVersions})`)
    })
    try {
      await this.#copy.putInService(newFile, manifest)
    } catch (error) {
      // The registry is published. Who follows it on this machine fetches the file.
      publication.onWarning?.(t`The local copy was not renewed: ${systemReasonOf(error)}`)
    }
  }

  async release(): Promise<void> {
    this.#releaseLock()
    await this.#session.close()
  }

  /** Throws `StoreFault`; then nothing has changed. Connects again if the session was lost meanwhile. */
  async #inTransaction(work: (session: Session) => Promise<unknown>): Promise<void> {
    if (!this.#session.isOpen) this.#session = await openSession(this.#address, 'write')
    const session = this.#session
    try {
      // A lock that another session holds for long is that of a tool on the view, or of pg_dump.
      await session.query(`BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '5min'`)
      const [row] = await session.query(`SELECT pg_try_advisory_xact_lock(${lockKey}) AS taken`)
      if (row?.taken !== true) throw toBusyFault(this.#address)
      await session.query(createTables)
      await work(session)
      await session.query('COMMIT')
    } catch (error) {
      session.destroy()
      const reason = reasonOf(error, this.#address)
      const fault = toPostgresFault(error, t`Cannot import into ${this.#address.display}: ${reason}`)
      if (!(fault instanceof StoreUnreachable)) throw fault
      throw new StoreFault(t`Cannot import into ${this.#address.display}: ${reason}; import again`, { cause: error })
    }
  }
}

/** Takes the lock of an import, which the session keeps. Throws `StoreFault` if another import holds it. */
async function takeSessionLock(session: Session, address: PostgresAddress): Promise<void> {
  // PgBouncer gives the session to another client after each transaction. There only the transaction is locked.
  if (address.pgbouncer) return
  // With this setting the server notices a killed import sooner. Servers on some platforms refuse it.
  await session.query(`SET client_connection_check_interval = '500ms'`).catch(() => undefined)
  const deadlineAt = performance.now() + lockTimeoutMs
  for (;;) {
    const [row] = await session.query(`SELECT pg_try_advisory_lock(${lockKey}) AS taken`, [], address.connectTimeoutMs)
    if (row?.taken === true) return
    if (performance.now() > deadlineAt) throw toBusyFault(address)
    await pause(lockRetryPauseMs)
  }
}

function toBusyFault({ display }: PostgresAddress): StoreFault {
  return new StoreFault(t`Cannot import into ${display}: another import is writing to it; wait until it has finished`)
}

/**
 * Renews the local copy. Returns the SHA-256 of the file in service; null if there is none. A file that cannot be
 * fetched, because a piece is missing for example, must not prevent its replacement: the import then compares with the
 * copy of this machine, if there is one.
 */
async function fetchBase(url: string, copy: LocalCopy): Promise<string | null> {
  const store = new PostgresStore(url)
  try {
    const manifest = await store.readManifest().catch(ignoreFault)
    if (manifest === null || manifest === 'unchanged') return null
    await new Follower(store, copy).fetchNewest({ acceptsOtherFormats: true }).catch(ignoreFault)
    return manifest.sha256
  } finally {
    await store.close()
  }
}

/** For a registry that must not prevent its replacement. Throws the error again if the database is gone. */
function ignoreFault(error: unknown): null {
  if (error instanceof StoreUnreachable || !(error instanceof StoreFault)) throw error
  return null
}

/** Throws `StoreFault` if another import has published since the target was opened, as may happen behind PgBouncer. */
async function requireBase(session: Session, base: string | null): Promise<void> {
  const [row] = await session.query(selectNewest)
  if ((row === undefined ? null : toManifest(row).sha256) === base) return
  throw new StoreFault(t`Cannot publish: another import has published meanwhile; import again`)
}

/** The file may be one that is kept already: an older version that is published again. */
async function insertManifest(
  session: Session,
  { sha256, version, format, bytes, lastImport }: Manifest,
): Promise<void> {
  await session.query(
    `INSERT INTO registry.manifest (sha256, version, format, bytes, last_import, number, published_at)
     VALUES ($1, $2, $3, $4, $5::text::jsonb, (SELECT coalesce(max(number), 0) + 1 FROM registry.manifest),
       clock_timestamp())
     ON CONFLICT (sha256) DO UPDATE
       SET number = excluded.number, published_at = excluded.published_at, last_import = excluded.last_import`,
    [sha256, version, format, bytes, lastImport === null ? null : JSON.stringify(lastImport)],
  )
  // All pieces are sent again: some of those that are kept may be damaged.
  await session.query('DELETE FROM registry.piece WHERE sha256 = $1', [sha256])
}

async function insertPieces(
  session: Session,
  path: string,
  { sha256, bytes }: Manifest,
  onProgress: TargetPublication['onProgress'],
): Promise<void> {
  const file = await open(path)
  try {
    for (let number = 0; number * pieceBytes < bytes; number++) {
      const piece = await readPiece(file, number)
      await session.query('INSERT INTO registry.piece VALUES ($1, $2, $3)', [sha256, number, piece])
      onProgress?.(number * pieceBytes + piece.length, bytes)
    }
  } finally {
    await file.close()
  }
}

async function readPiece(file: FileHandle, number: number): Promise<Buffer> {
  const piece = Buffer.alloc(pieceBytes)
  let length = 0
  for (;;) {
    const { bytesRead } = await file.read(piece, length, pieceBytes - length, number * pieceBytes + length)
    length += bytesRead
    if (bytesRead === 0 || length === pieceBytes) return piece.subarray(0, length)
  }
}

/** Makes `registry.record` equal to the records of the file. Rows that are the same stay as they are. */
async function replaceRecords(session: Session, path: string): Promise<void> {
  const names = columns.join(', ')
  const toTuple = (table: string): string => `(${columns.map((name) => `${table}.${name}`).join(', ')})`
  await session.query('CREATE TEMPORARY TABLE incoming (LIKE registry.record INCLUDING INDEXES) ON COMMIT DROP')
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    let batch: unknown[] = []
    const send = async (): Promise<void> => {
      await session.query(
        'INSERT INTO incoming SELECT * FROM json_populate_recordset(NULL::registry.record, $1::text::json)',
        [JSON.stringify(batch)],
      )
      batch = []
    }
    for (const row of database.prepare(`SELECT ${names} FROM expediente`).iterate()) {
      batch.push(row)
      if (batch.length === batchRecords) await send()
    }
    await send()
  } finally {
    database.close()
  }
  await session.query(`
    ANALYZE incoming;
    DELETE FROM registry.record
      WHERE NOT EXISTS (SELECT FROM incoming WHERE incoming.cod_archivo = record.cod_archivo);
    UPDATE registry.record SET (${names}) = ${toTuple('incoming')} FROM incoming
      WHERE incoming.cod_archivo = record.cod_archivo AND ${toTuple('incoming')} IS DISTINCT FROM ${toTuple('record')};
    INSERT INTO registry.record SELECT ${names} FROM incoming
      WHERE NOT EXISTS (SELECT FROM registry.record WHERE record.cod_archivo = incoming.cod_archivo)`)
}

/**
 * Creates the view, or changes its columns. CREATE OR REPLACE keeps the privileges on it and the views that others have
 * based on it. A view of f7a1196 begins with the column `position`, which must stay then; it is null from now on.
 */
async function replaceView(session: Session): Promise<void> {
  const [row] = await session.query(`
    SELECT string_agg(column_name, ', ' ORDER BY ordinal_position) AS names, to_regclass('registry.snapshot') IS NOT NULL AS "isOld"
    FROM information_schema.columns WHERE table_schema = 'registry' AND table_name = 'expediente'`)
  const wanted = columns.join(', ')
  const hasPosition = String(row?.names).startsWith('position, ')
  if (row?.isOld !== true && String(row?.names).endsWith(wanted)) return
  const position = hasPosition ? 'NULL::integer AS position, ' : ''
  await session.query(`CREATE OR REPLACE VIEW registry.expediente AS SELECT ${position}${wanted} FROM registry.record`)
}

/** Drops the registry of version f7a1196 and before, which had a schema with all tables for every publication. */
async function dropOldKind(session: Session, onWarning: TargetPublication['onWarning']): Promise<void> {
  const [row] = await session.query(`SELECT to_regclass('registry.snapshot') IS NOT NULL AS exists`)
  if (row?.exists !== true) return
  const schemas = await session.query(`
    SELECT nspname AS name FROM pg_namespace JOIN registry.snapshot ON snapshot.name = nspname`)
  for (const { name } of schemas) await session.query(`DROP SCHEMA ${String(name)} CASCADE`)
  await session.query('DROP TABLE registry.snapshot')
  onWarning?.(
    t`The registry of an older version was removed from the database (its schemas registry_NUMBER_ID); the view registry.expediente stays, without values in its column position`,
  )
}

// LOCK TABLE makes a second check wait; readers do not wait. The tables are those of earlier versions.
const createLinkTables = `
  CREATE SCHEMA IF NOT EXISTS registry;
  CREATE TABLE IF NOT EXISTS registry.link_check (checked_at timestamptz NOT NULL);
  LOCK TABLE registry.link_check IN SHARE ROW EXCLUSIVE MODE;
  CREATE TABLE IF NOT EXISTS registry.dead_link (address text COLLATE "C" NOT NULL);
`

/** Stores which links `check --links` has found dead. Throws `StoreFault`. */
export async function writePostgresLinkCheck(url: string, { checkedAt, dead }: LinkCheck): Promise<void> {
  await write(url, async (session) => {
    await session.query(`BEGIN; ${createLinkTables} DELETE FROM registry.dead_link; DELETE FROM registry.link_check`)
    await session.query('INSERT INTO registry.link_check VALUES ($1::text::timestamptz)', [checkedAt.toISOString()])
    await session.query('INSERT INTO registry.dead_link SELECT json_array_elements_text($1::text::json)', [
      JSON.stringify(dead),
    ])
    await session.query('COMMIT')
  })
}

/** Stores the outcome of the last import, where followers see it. Does nothing if there is no registry. */
export async function writePostgresLastImport(url: string, lastImport: LastImport): Promise<void> {
  await write(url, async (session) => {
    await session.query(
      `UPDATE registry.manifest SET last_import = $1::text::jsonb
       WHERE number = (SELECT max(number) FROM registry.manifest)`,
      [JSON.stringify(lastImport)],
    )
  })
}

async function write(url: string, work: (session: Session) => Promise<void>): Promise<void> {
  const address = parseAddress(url)
  const session = await openSession(address, 'write')
  try {
    await work(session)
  } catch (error) {
    throw toPostgresFault(error, t`Cannot write to ${address.display}: ${reasonOf(error, address)}`)
  } finally {
    await session.close()
  }
}
