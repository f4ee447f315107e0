// Loads a snapshot file into PostgreSQL and puts it in service, in one transaction: a crash at any time leaves the
// registry unchanged and nothing behind on the server. An import calls it with the file it has built (writer.ts); a
// registry in a file is copied to PostgreSQL with `copyFileToPostgres`.
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import type { TransactionSql } from 'postgres'
import { t } from '../../language.ts'
import { type Publication, type PublishOptions, type SnapshotMetadata, StoreFault } from '../contract.ts'
import { FileStorage } from '../file/file-storage.ts'
import { verifySnapshot } from '../file/verify.ts'
import { toCreateIndexes } from '../schema.ts'
import { type PostgresAddress, parseAddress } from './address.ts'
import type { Connection } from './connection.ts'
import { continueLog } from './continue-log.ts'
import { copySnapshot } from './copy.ts'
import { reasonOf } from './errors.ts'
import { connectPrimary } from './primary.ts'
import { compareWithPrevious, putInService, toAnalyseStatements, verifyCopy } from './publish.ts'
import { createSnapshotList, toCreateSnapshot } from './schema.ts'

/** An import drops snapshots that were replaced longer ago than this. Until then requests can finish reading them. */
const retention = '1 hour'

/** Key of the advisory lock: "PReg" in ASCII. */
const lockKey = 0x50526567

/** The server may need this long to notice that an import was killed, and to release its lock. */
const lockTimeoutMs = 2000
const lockRetryPauseMs = 200

/** The options of `publish` that do not depend on the records. */
export type LoadOptions = Pick<PublishOptions, 'dryRun' | 'accepts' | 'onProgress'>

/** Loads an existing registry file, for a registry that has outgrown SQLite. */
export async function copyFileToPostgres(path: string, url: string, options: LoadOptions): Promise<Publication> {
  const address = parseAddress(url)
  await verifySnapshot(path)
  const connection = await connectPrimary(address)
  try {
    await takeServerLock(connection, address)
    return await loadSnapshotFile(connection, address, path, options)
  } finally {
    await connection.close()
  }
}

/** Takes the lock of an import, which the session keeps. Throws `StoreFault` if another import holds it. */
export async function takeServerLock(connection: Connection, address: PostgresAddress): Promise<void> {
  // PgBouncer gives the session to another client after each transaction, and a session lock would stay with it. There
  // only `loadInTransaction` takes a lock, which ends with the transaction.
  if (address.pgbouncer) return
  // With this setting the server notices a killed import sooner. Not every platform supports it.
  const checkInterval = { text: `SET client_connection_check_interval = '500ms'` }
  await connection.query(checkInterval, address.connectTimeoutMs).catch(() => undefined)
  const deadlineAt = performance.now() + lockTimeoutMs
  for (;;) {
    const [row] = await connection.query({ text: `SELECT pg_try_advisory_lock(${lockKey})` }, address.connectTimeoutMs)
    if (row?.[0] === true) return
    if (performance.now() > deadlineAt) throw toBusyFault(address)
    await setTimeout(lockRetryPauseMs)
  }
}

/** Loads a verified file. The caller holds the server lock. Throws `StoreFault` if the load fails. */
export async function loadSnapshotFile(
  connection: Connection,
  address: PostgresAddress,
  path: string,
  options: LoadOptions,
): Promise<Publication> {
  const storage = new FileStorage(path)
  try {
    await dropRetired(connection)
    return await loadInTransaction(connection, address, storage.database, storage.metadata, options)
  } catch (error) {
    if (error instanceof StoreFault) throw error
    throw new StoreFault(t`Cannot import into ${address.display}: ${reasonOf(error)}`, { cause: error })
  } finally {
    storage.closeWhenUnused()
  }
}

/** Copies, verifies and publishes the snapshot. Of a dry run nothing stays on the server. */
async function loadInTransaction(
  connection: Connection,
  address: PostgresAddress,
  file: DatabaseSync,
  metadata: SnapshotMetadata,
  options: LoadOptions,
): Promise<Publication> {
  let publication: Publication | undefined
  const load = async (transaction: TransactionSql): Promise<void> => {
    await transaction.unsafe(`SET LOCAL statement_timeout = 0; SET LOCAL maintenance_work_mem = '256MB'`)
    const [row] = await transaction.unsafe(`SELECT pg_try_advisory_xact_lock(${lockKey}) AS taken`)
    if (row?.taken !== true) throw toBusyFault(address)
    await transaction.unsafe(createSnapshotList)
    const [last] = await transaction.unsafe('SELECT max(number) AS number FROM registry.snapshot')
    const number = Number(last?.number ?? 0) + 1
    const schema = `registry_${number}_${metadata.id.slice(0, 8)}`
    await transaction.unsafe(toCreateSnapshot(schema))
    await copySnapshot(file, transaction, schema, (done, total) => options.onProgress?.('load', done, total))
    await transaction.unsafe(`${toCreateIndexes(`${schema}.`)} ${toAnalyseStatements(schema)}`)
    await verifyCopy(transaction, schema)
    await continueLog(transaction, schema)
    const difference = await compareWithPrevious(transaction, schema)
    const publishedAt = await putInService(transaction, number, schema, metadata)
    // If it is not accepted, or in a dry run, the error below rolls everything back.
    const isAccepted = difference === null || options.accepts === undefined || options.accepts(difference)
    const isPublished = isAccepted && !options.dryRun
    publication = { metadata: { ...metadata, publishedAt }, isPublished, difference, names: null }
    if (!isPublished) throw new NotPublished()
  }
  await connection.sql.begin(load).catch((error: unknown) => {
    if (!(error instanceof NotPublished)) throw error
  })
  if (publication === undefined) throw new Error('the transaction ended without a publication')
  return publication
}

/** Thrown to roll the transaction back. */
class NotPublished extends Error {}

/**
 * Drops the snapshots that were replaced longer ago than `retention`. Ignores failures, for example when a reader
 * blocks it for long: the next import tries again.
 */
async function dropRetired(connection: Connection): Promise<void> {
  const drop = async (transaction: TransactionSql): Promise<void> => {
    const [row] = await transaction.unsafe(`SELECT to_regclass('registry.snapshot') IS NOT NULL AS "hasList"`)
    if (row?.hasList !== true) return
    await transaction.unsafe(`SET LOCAL lock_timeout = '5s'`)
    const dropped = await transaction.unsafe(
      `DELETE FROM registry.snapshot WHERE retired_at < clock_timestamp() - interval '${retention}' RETURNING name`,
    )
    for (const { name } of dropped) await transaction.unsafe(`DROP SCHEMA IF EXISTS ${name} CASCADE`)
  }
  await connection.sql.begin(drop).catch(() => undefined)
}

function toBusyFault(address: PostgresAddress): StoreFault {
  return new StoreFault(
    t`Cannot import into ${address.display}: another import is writing to it; wait until it has finished`,
  )
}
