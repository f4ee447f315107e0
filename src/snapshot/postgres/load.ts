// Loads a snapshot file (a SQLite database with all tables of a snapshot) into PostgreSQL and puts it in service, in
// one transaction: a crash before the commit leaves the registry unchanged and nothing behind on the server. An import
// (writer.ts) calls `loadSnapshotFile` with the file that it has built. `copyFileToPostgres` loads the file of a
// registry on SQLite.
import { setTimeout } from 'node:timers/promises'
import type { TransactionSql } from 'postgres'
import { t, toQuantity } from '../../language.ts'
import { toNotContinuedWarning } from '../change-log.ts'
import { toNotComparedWarning } from '../comparison.ts'
import { type Publication, type PublishOptions, StoreFault } from '../contract.ts'
import { FileStorage } from '../file/file-storage.ts'
import { verifySnapshot } from '../file/verify.ts'
import { toCreateIndexes } from '../schema.ts'
import { type PostgresAddress, parseAddress } from './address.ts'
import type { Connection } from './connection.ts'
import { continueLog } from './continue-log.ts'
import { copySnapshot } from './copy.ts'
import {
  hasEndedSession,
  isConnectionKept,
  isDamage,
  isLocked,
  reasonOf,
  toDependentsReason,
  writeReasonOf,
} from './errors.ts'
import { connectPrimary } from './primary.ts'
import { compareWithPrevious, findViewDependents, putInService, toAnalyseStatements, verifyCopy } from './publish.ts'
import { createSnapshotList, toCreateSnapshot } from './schema.ts'
import { inSavepoint, inTransaction } from './transaction.ts'

/** An import drops snapshots that were replaced longer ago than this. Until then requests can finish reading them. */
const retention = '1 hour'

/** Key of the advisory lock that imports take on the server: "PReg" in ASCII. */
const lockKey = 0x50526567

/** An import waits this long for the lock: the server releases the lock of a killed import only after a moment. */
const lockTimeoutMs = 2000
const lockRetryPauseMs = 200

/** The options of a publication that apply to a file that is already built. */
export type LoadOptions = Pick<PublishOptions, 'dryRun' | 'accepts' | 'onProgress' | 'onWarning'>

/** Loads the file of a registry on SQLite. Throws `StoreFault` if the file is damaged or the load fails. */
export async function copyFileToPostgres(path: string, url: string, options: LoadOptions): Promise<Publication> {
  const address = parseAddress(url)
  // On PostgreSQL the checksums of rows are not verified when they are read, so a damaged row must not be copied.
  await verifySnapshot(path, { verifyRows: true })
  const connection = await connectPrimary(address)
  try {
    await takeServerLock(connection, address)
    return await loadSnapshotFile(connection, address, path, options)
  } finally {
    await connection.close()
  }
}

/**
 * Takes the lock of an import, which the session keeps. Throws `StoreFault` if another import holds it, or if the
 * server cannot be reached.
 */
export async function takeServerLock(connection: Connection, address: PostgresAddress): Promise<void> {
  // PgBouncer, a connection pooler, gives the session to another client after each transaction, and its lock with it.
  // Behind PgBouncer only `takeTransactionLock` protects the registry.
  if (address.pgbouncer) return
  // With this setting the server notices a killed import sooner. Servers on some platforms refuse it.
  const checkInterval = { text: `SET client_connection_check_interval = '500ms'` }
  await connection.query(checkInterval, address.connectTimeoutMs).catch(() => undefined)
  const deadlineAt = performance.now() + lockTimeoutMs
  const takeLock = { text: `SELECT pg_try_advisory_lock(${lockKey})` }
  for (;;) {
    const [row] = await connection.query(takeLock, address.connectTimeoutMs).catch((error: unknown) => {
      throw toImportFault(address, error)
    })
    if (row?.[0] === true) return
    if (performance.now() > deadlineAt) throw toBusyFault(address)
    await setTimeout(lockRetryPauseMs)
  }
}

/** Loads a verified file. The caller has called `takeServerLock`. Throws `StoreFault` if the load fails. */
export async function loadSnapshotFile(
  connection: Connection,
  address: PostgresAddress,
  path: string,
  options: LoadOptions,
): Promise<Publication> {
  const storage = new FileStorage(path)
  try {
    if (!options.dryRun) await dropRetired(connection, options.onWarning)
    return await commitIfPublished(connection, (transaction, signal) =>
      publishInTransaction(transaction, signal, address, storage, options),
    )
  } catch (error) {
    throw error instanceof StoreFault ? error : toImportFault(address, error)
  } finally {
    storage.closeWhenUnused()
  }
}

/**
 * Runs `publish` in a transaction. Commits if the snapshot was put in service; otherwise (after a dry run, or if the
 * changes were not accepted) rolls back. The signal is aborted when the transaction has ended. If the connection was
 * lost, `publish` may still be running then, and the signal keeps it from sending a statement (copy.ts).
 */
async function commitIfPublished(
  connection: Connection,
  publish: (transaction: TransactionSql, signal: AbortSignal) => Promise<Publication>,
): Promise<Publication> {
  const transactionEnd = new AbortController()
  try {
    return await inTransaction(connection, async (transaction) => {
      const publication = await publish(transaction, transactionEnd.signal)
      // The driver rolls back when an error is thrown.
      if (!publication.isPublished) throw new NotPublished(publication)
      return publication
    })
  } catch (error) {
    if (error instanceof NotPublished) return error.publication
    throw error
  } finally {
    transactionEnd.abort()
  }
}

/** Thrown inside the transaction, so that it is rolled back. Carries the result to the caller. */
class NotPublished extends Error {
  readonly publication: Publication

  constructor(publication: Publication) {
    super('the transaction is rolled back')
    this.publication = publication
  }
}

/**
 * Copies the file to a new schema, verifies the copy, continues the change log (the list of new, changed and removed
 * records) and puts the snapshot in service.
 */
async function publishInTransaction(
  transaction: TransactionSql,
  signal: AbortSignal,
  address: PostgresAddress,
  { database: file, metadata }: FileStorage,
  options: LoadOptions,
): Promise<Publication> {
  // The copy may take longer than a timeout of the role, and the indexes are created faster with more memory.
  await transaction.unsafe(`SET LOCAL statement_timeout = 0; SET LOCAL maintenance_work_mem = '256MB'`)
  await takeTransactionLock(transaction, address)
  await transaction.unsafe(createSnapshotList)
  const [last] = await transaction.unsafe('SELECT max(number) AS number FROM registry.snapshot')
  const number = Number(last?.number ?? 0) + 1
  const schema = `registry_${number}_${metadata.id.slice(0, 8)}`
  await transaction.unsafe(toCreateSnapshot(schema))
  await copySnapshot(file, transaction, schema, (done, total) => options.onProgress?.('load', done, total), signal)
  await transaction.unsafe(`${toCreateIndexes(`${schema}.`)} ${toAnalyseStatements(schema)}`)
  await verifyCopy(transaction, schema)
  // These two steps read the snapshot in service. If it is damaged, the step that fails is undone: if `continueLog`
  // fails, the new snapshot keeps the change log of its file; if `compareWithPrevious` fails, `difference` is null.
  await undoIfDamaged(
    transaction,
    (savepoint) => continueLog(savepoint, schema),
    (reason) => options.onWarning?.(toNotContinuedWarning(reason)),
  )
  const difference = await undoIfDamaged(
    transaction,
    (savepoint) => compareWithPrevious(savepoint, schema),
    (reason) => options.onWarning?.(toNotComparedWarning(reason)),
  )
  const isAccepted = difference === null || options.accepts === undefined || options.accepts(difference)
  if (isAccepted && options.dryRun) await requireReplaceableView(transaction, schema, address)
  const isPublished = isAccepted && !options.dryRun
  const publishedAt = isPublished ? await putInService(transaction, number, schema, metadata) : metadata.publishedAt
  // `names`, the report on names of municipalities, is known only to an import, which adds it (writer.ts).
  return { metadata: { ...metadata, publishedAt }, isPublished, difference, names: null }
}

/**
 * Takes the lock of an import until the end of the transaction. Except behind PgBouncer, the session already holds the
 * same lock (`takeServerLock`), and PostgreSQL lets it take the lock again.
 */
async function takeTransactionLock(transaction: TransactionSql, address: PostgresAddress): Promise<void> {
  const [row] = await transaction.unsafe(`SELECT pg_try_advisory_xact_lock(${lockKey}) AS taken`)
  if (row?.taken !== true) throw toBusyFault(address)
}

/**
 * For a dry run, which does not call `putInService`: throws the `StoreFault` with which that would fail if the columns
 * of the view registry.expediente change and other views depend on it.
 */
async function requireReplaceableView(
  transaction: TransactionSql,
  schema: string,
  address: PostgresAddress,
): Promise<void> {
  const dependents = await findViewDependents(transaction, schema)
  if (dependents.length === 0) return
  throw new StoreFault(t`Cannot import into ${address.display}: ${toDependentsReason(dependents)}`)
}

/**
 * Runs `step`, which reads the snapshot in service. If that is damaged, undoes what the step has done, calls `onDamage`
 * with the reason, and returns null: a damaged snapshot must not prevent its replacement.
 */
async function undoIfDamaged<T>(
  transaction: TransactionSql,
  step: (savepoint: TransactionSql) => Promise<T>,
  onDamage: (reason: string) => void,
): Promise<T | null> {
  try {
    return await inSavepoint(transaction, step)
  } catch (error) {
    if (!isDamage(error)) throw error
    onDamage(reasonOf(error))
    return null
  }
}

/**
 * Drops the snapshots that were replaced longer ago than `retention`. Warns of snapshots that cannot be dropped, for
 * example because pg_dump reads them: the next import tries again. Throws if the connection is lost.
 */
async function dropRetired(connection: Connection, onWarning: PublishOptions['onWarning']): Promise<void> {
  const [row] = await connection.sql.unsafe(`SELECT to_regclass('registry.snapshot') IS NOT NULL AS "hasList"`)
  if (row?.hasList !== true) return
  const retired = await connection.sql.unsafe(
    `SELECT name FROM registry.snapshot WHERE retired_at < clock_timestamp() - interval '${retention}' ORDER BY number`,
  )
  const reasons: string[] = []
  for (const { name } of retired) {
    try {
      // Each snapshot is dropped in a transaction of its own, so that a failure does not keep the others from it.
      await inTransaction(connection, (transaction) => dropSnapshot(transaction, String(name)))
    } catch (error) {
      if (!isConnectionKept(error)) throw error
      reasons.push(isLocked(error) ? t`in use by another session` : reasonOf(error))
    }
  }
  if (reasons.length === 0) return
  const snapshots = toQuantity(reasons.length, 'replaced snapshot')
  onWarning?.(t`${snapshots} not dropped: ${[...new Set(reasons)].join('; ')}; the next import tries again`)
}

async function dropSnapshot(transaction: TransactionSql, name: string): Promise<void> {
  // Requests have long finished reading the snapshot, so what reads it now takes longer than an import should wait.
  await transaction.unsafe(`SET LOCAL lock_timeout = '1s'`)
  await transaction.unsafe('DELETE FROM registry.snapshot WHERE name = $1', [name])
  await transaction.unsafe(`DROP SCHEMA IF EXISTS ${name} CASCADE`)
}

/** The fault of an import that an error of the driver, or a timeout, has ended. */
function toImportFault(address: PostgresAddress, error: unknown): StoreFault {
  const reason = writeReasonOf(error, address.pgbouncer)
  const message = hasEndedSession(error)
    ? t`Cannot import into ${address.display}: ${reason}; import again`
    : t`Cannot import into ${address.display}: ${reason}`
  return new StoreFault(message, { cause: error })
}

/** The fault of an import that cannot take the lock. */
function toBusyFault(address: PostgresAddress): StoreFault {
  return new StoreFault(
    t`Cannot import into ${address.display}: another import is writing to it; wait until it has finished`,
  )
}
