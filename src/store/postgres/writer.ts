// Publishes a snapshot on PostgreSQL. It is built and verified as a snapshot file, exactly as for SQLite, then carried
// over; tables, rows, verification and the switch are one transaction, so a crash at any moment leaves the registry as
// it was, and nothing to sweep up on the server.
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { TransactionSql } from 'postgres'
import type { RegistryRecord } from '../../record/record.ts'
import { openSnapshotFile } from '../sqlite/storage.ts'
import { SqliteWriter } from '../sqlite/writer.ts'
import { type Publication, type PublishOptions, type SnapshotFacts, type SnapshotWriter, StoreFault } from '../store.ts'
import { type PostgresAddress, parseAddress } from './address.ts'
import { copySnapshot } from './copy.ts'
import { reasonOf } from './faults.ts'
import type { Link } from './link.ts'
import { connectPrimary } from './primary.ts'
import { analyse, compare, putInService, verifyCopy } from './publish.ts'
import { bookkeeping, createIndexes, createTables } from './schema.ts'

/** Readers of a snapshot that was replaced have so long to finish; the next import after that drops it. */
const grace = '1 hour'

/** Any number will do as long as every import uses the same: "PReg" in ASCII. */
const lockKey = 0x50526567

export class PostgresWriter implements SnapshotWriter {
  readonly #address: PostgresAddress
  readonly #link: Link
  readonly #folder: string
  readonly #file: string
  readonly #builder: SqliteWriter

  /** Throws `StoreFault` when there is no primary to write to or another import is at it. */
  static async create(url: string): Promise<PostgresWriter> {
    const address = parseAddress(url)
    const link = await connectPrimary(address)
    try {
      // Behind PgBouncer a lock of the session would stay with a stranger; there the one of the transaction must do.
      if (!address.pgbouncer) await takeLock(link, address)
      return new PostgresWriter(address, link, makeFolder(url))
    } catch (error) {
      await link.close()
      throw error
    }
  }

  private constructor(address: PostgresAddress, link: Link, folder: string) {
    this.#address = address
    this.#link = link
    this.#folder = folder
    this.#file = join(folder, 'registry.db')
    this.#builder = new SqliteWriter(this.#file)
    // Left by an import that was killed while it carried the file over.
    rmSync(this.#file, { force: true })
  }

  add(record: RegistryRecord, content: string): Promise<void> | undefined {
    return this.#builder.add(record, content)
  }

  async publish(options: PublishOptions): Promise<Publication> {
    try {
      const { facts } = await this.#builder.publish({ ...options, dryRun: false })
      const file = openSnapshotFile(this.#file)
      try {
        await this.#dropRetired()
        return await this.#carryOver(file, facts, options)
      } finally {
        file.close()
      }
    } catch (error) {
      if (error instanceof StoreFault) throw error
      throw new StoreFault(`Cannot import into ${this.#address.display}: ${reasonOf(error)}`, { cause: error })
    } finally {
      await this.discard()
    }
  }

  async discard(): Promise<void> {
    await this.#builder.discard()
    await this.#link.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #carryOver(file: DatabaseSync, facts: SnapshotFacts, options: PublishOptions): Promise<Publication> {
    let publication: Publication | undefined
    const load = async (transaction: TransactionSql): Promise<void> => {
      await transaction.unsafe(`SET LOCAL statement_timeout = 0; SET LOCAL maintenance_work_mem = '256MB'`)
      await this.#refuseSecondImport(transaction)
      await transaction.unsafe(bookkeeping)
      const [last] = await transaction.unsafe('SELECT max(number) AS number FROM registry.snapshot')
      const number = Number(last?.number ?? 0) + 1
      const schema = `registry_${number}_${facts.id.slice(0, 8)}`
      await transaction.unsafe(createTables(schema))
      await copySnapshot(file, transaction, schema, (done, total) => options.onProgress?.('load', done, total))
      await transaction.unsafe(`${createIndexes(schema)} ${analyse(schema)}`)
      await verifyCopy(file, transaction, schema)
      const changes = await compare(transaction, schema)
      const publishedAt = await putInService(transaction, number, schema, facts)
      publication = { facts: { ...facts, publishedAt }, changes }
      if (options.dryRun) throw new DryRun()
    }
    await this.#link.sql.begin(load).catch((error: unknown) => {
      if (!(error instanceof DryRun)) throw error
    })
    if (publication === undefined) throw new Error('the transaction ended without a publication')
    return publication
  }

  async #refuseSecondImport(transaction: TransactionSql): Promise<void> {
    const [row] = await transaction.unsafe(`SELECT pg_try_advisory_xact_lock(${lockKey}) AS taken`)
    if (row?.taken !== true) throw anotherImport(this.#address)
  }

  /** Best effort: where a reader holds one up for long, the next import tries again. */
  async #dropRetired(): Promise<void> {
    await this.#link.sql
      .begin(async (transaction) => {
        const [known] = await transaction.unsafe(`SELECT to_regclass('registry.snapshot') IS NOT NULL AS known`)
        if (known?.known !== true) return
        await transaction.unsafe(`SET LOCAL lock_timeout = '5s'`)
        const dropped = await transaction.unsafe(
          `DELETE FROM registry.snapshot WHERE retired_at < clock_timestamp() - interval '${grace}' RETURNING name`,
        )
        for (const { name } of dropped) await transaction.unsafe(`DROP SCHEMA IF EXISTS ${name} CASCADE`)
      })
      .catch(() => undefined)
  }
}

class DryRun extends Error {}

async function takeLock(link: Link, address: PostgresAddress): Promise<void> {
  const [row] = await link.ask({ text: `SELECT pg_try_advisory_lock(${lockKey})` }, address.connectMs)
  if (row?.[0] !== true) throw anotherImport(address)
}

function anotherImport(address: PostgresAddress): StoreFault {
  return new StoreFault(
    `Cannot import into ${address.display}: another import is writing to it; wait until it has finished`,
  )
}

/** One folder for each address, so that what a killed import left is found and swept by the next. */
function makeFolder(url: string): string {
  const folder = join(tmpdir(), `planning-registry-${createHash('sha256').update(url).digest('hex').slice(0, 16)}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid } = lstatSync(folder)
  // The name can be guessed: what somebody else has put there is not to be trusted with the registry.
  if (process.getuid !== undefined && uid !== process.getuid()) {
    throw new StoreFault(`Cannot build in ${folder}: it belongs to another user; remove it or set TMPDIR`)
  }
  return folder
}
