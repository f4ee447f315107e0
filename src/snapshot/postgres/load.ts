// Carries a snapshot file over to PostgreSQL and puts it in service: tables, rows, verification and the switch are one
// transaction, so a crash at any moment leaves the registry as it was, and nothing to sweep up on the server.
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import type { TransactionSql } from 'postgres'
import { type Publication, type PublishOptions, type SnapshotFacts, StoreFault } from '../contract.ts'
import { SqliteStorage } from '../file/file-storage.ts'
import { openSnapshotFile } from '../file/open-file.ts'
import { verifySnapshot } from '../file/verify.ts'
import { toCreateIndexes } from '../schema.ts'
import { type PostgresAddress, parseAddress } from './address.ts'
import type { Link } from './connection.ts'
import { copySnapshot } from './copy.ts'
import { reasonOf } from './errors.ts'
import { connectPrimary } from './primary.ts'
import { analyse, compare, putInService, verifyCopy } from './publish.ts'
import { bookkeeping, createTables } from './schema.ts'

/** Readers of a snapshot that was replaced have so long to finish; the next import after that drops it. */
const grace = '1 hour'

/** Any number will do as long as every import uses the same: "PReg" in ASCII. */
const lockKey = 0x50526567

/** How long the lock is waited for: an import that was killed a moment ago may still hold it. */
const lockMs = 2000
const lockPauseMs = 200

export type CarryOptions = Pick<PublishOptions, 'dryRun' | 'onProgress'>

/** Puts the registry of a file in service on PostgreSQL as it is: what to do when one outgrows the file. */
export async function moveFile(path: string, url: string, options: CarryOptions): Promise<Publication> {
  const address = parseAddress(url)
  await verifySnapshot(path)
  const link = await connectPrimary(address)
  try {
    await takeLock(link, address)
    return await carryOver(link, address, path, options)
  } finally {
    await link.close()
  }
}

/** Throws `StoreFault` while another import holds the lock. */
export async function takeLock(link: Link, address: PostgresAddress): Promise<void> {
  // Behind PgBouncer a lock of the session would stay with a stranger; there the one of the transaction must do.
  if (address.pgbouncer) return
  // The server notices that an import has died only when it next looks; not every platform lets it look by itself.
  await link.ask({ text: `SET client_connection_check_interval = '500ms'` }, address.connectMs).catch(() => undefined)
  for (const deadline = performance.now() + lockMs; ; await setTimeout(lockPauseMs)) {
    const [row] = await link.ask({ text: `SELECT pg_try_advisory_lock(${lockKey})` }, address.connectMs)
    if (row?.[0] === true) return
    if (performance.now() > deadline) throw anotherImport(address)
  }
}

export async function carryOver(
  link: Link,
  address: PostgresAddress,
  path: string,
  options: CarryOptions,
): Promise<Publication> {
  const storage = new SqliteStorage(path)
  storage.retire()
  const file = openSnapshotFile(path)
  try {
    await dropRetired(link)
    return await load(link, address, file, storage.facts, options)
  } catch (error) {
    if (error instanceof StoreFault) throw error
    throw new StoreFault(`Cannot import into ${address.display}: ${reasonOf(error)}`, { cause: error })
  } finally {
    file.close()
  }
}

async function load(
  link: Link,
  address: PostgresAddress,
  file: DatabaseSync,
  facts: SnapshotFacts,
  options: CarryOptions,
): Promise<Publication> {
  let publication: Publication | undefined
  const inTransaction = async (transaction: TransactionSql): Promise<void> => {
    await transaction.unsafe(`SET LOCAL statement_timeout = 0; SET LOCAL maintenance_work_mem = '256MB'`)
    const [row] = await transaction.unsafe(`SELECT pg_try_advisory_xact_lock(${lockKey}) AS taken`)
    if (row?.taken !== true) throw anotherImport(address)
    await transaction.unsafe(bookkeeping)
    const [last] = await transaction.unsafe('SELECT max(number) AS number FROM registry.snapshot')
    const number = Number(last?.number ?? 0) + 1
    const schema = `registry_${number}_${facts.id.slice(0, 8)}`
    await transaction.unsafe(createTables(schema))
    await copySnapshot(file, transaction, schema, (done, total) => options.onProgress?.('load', done, total))
    await transaction.unsafe(`${toCreateIndexes(`${schema}.`)} ${analyse(schema)}`)
    await verifyCopy(transaction, schema)
    const changes = await compare(transaction, schema)
    const publishedAt = await putInService(transaction, number, schema, facts)
    publication = { facts: { ...facts, publishedAt }, changes, names: null }
    if (options.dryRun) throw new DryRun()
  }
  await link.sql.begin(inTransaction).catch((error: unknown) => {
    if (!(error instanceof DryRun)) throw error
  })
  if (publication === undefined) throw new Error('the transaction ended without a publication')
  return publication
}

/** Ends the transaction without a trace. */
class DryRun extends Error {}

/** Best effort: where a reader holds one up for long, the next import tries again. */
async function dropRetired(link: Link): Promise<void> {
  const drop = async (transaction: TransactionSql): Promise<void> => {
    const [known] = await transaction.unsafe(`SELECT to_regclass('registry.snapshot') IS NOT NULL AS known`)
    if (known?.known !== true) return
    await transaction.unsafe(`SET LOCAL lock_timeout = '5s'`)
    const dropped = await transaction.unsafe(
      `DELETE FROM registry.snapshot WHERE retired_at < clock_timestamp() - interval '${grace}' RETURNING name`,
    )
    for (const { name } of dropped) await transaction.unsafe(`DROP SCHEMA IF EXISTS ${name} CASCADE`)
  }
  await link.sql.begin(drop).catch(() => undefined)
}

function anotherImport(address: PostgresAddress): StoreFault {
  return new StoreFault(
    `Cannot import into ${address.display}: another import is writing to it; wait until it has finished`,
  )
}
