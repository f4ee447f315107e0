// Publishes a snapshot on PostgreSQL: builds and verifies a snapshot file (a SQLite database) in a temporary folder of
// this machine, then copies its tables to the server (load.ts).
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RecordContent } from '../../domain/document.ts'
import type { StoredRecord } from '../../domain/record.ts'
import { t } from '../../language.ts'
import {
  type Publication,
  type PublishOptions,
  type SnapshotOptions,
  type SnapshotWriter,
  StoreFault,
} from '../contract.ts'
import { SnapshotFileBuilder } from '../file/builder.ts'
import { takeImportLock } from '../file/import-lock.ts'
import { verifySnapshot } from '../file/verify.ts'
import { type PostgresAddress, parseAddress } from './address.ts'
import type { Connection } from './connection.ts'
import { loadSnapshotFile, takeServerLock } from './load.ts'
import { connectPrimary } from './primary.ts'

/** ../contract.ts documents the methods of a `SnapshotWriter`. */
export class PostgresWriter implements SnapshotWriter {
  readonly #address: PostgresAddress
  readonly #connection: Connection
  /** The temporary folder, and the path of the snapshot file in it. */
  readonly #folder: string
  readonly #filePath: string
  readonly #releaseLock: () => void
  readonly #builder: SnapshotFileBuilder
  #isClosed = false

  /**
   * Throws `StoreFault` if there is no primary, if another import is running, or if the temporary folder belongs to
   * another user.
   */
  static async create(url: string, options: SnapshotOptions = {}): Promise<PostgresWriter> {
    const address = parseAddress(url)
    const connection = await connectPrimary(address)
    try {
      // Behind PgBouncer (a connection pooler) this does nothing, and load.ts takes a lock at the end of the import.
      await takeServerLock(connection, address)
      return new PostgresWriter(address, connection, makeFolder(url), options)
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  private constructor(address: PostgresAddress, connection: Connection, folder: string, options: SnapshotOptions) {
    this.#address = address
    this.#connection = connection
    this.#folder = folder
    this.#filePath = join(folder, 'registry.db')
    // This lock protects the folder from another import on this machine, also behind PgBouncer.
    this.#releaseLock = takeImportLock(this.#filePath)
    try {
      this.#builder = new SnapshotFileBuilder(this.#filePath, options)
    } catch (error) {
      this.#releaseLock()
      throw error
    }
  }

  add(record: StoredRecord, content: RecordContent): Promise<void> | undefined {
    return this.#builder.add(record, content)
  }

  async publish(options: PublishOptions): Promise<Publication> {
    try {
      /** Which names of municipalities are known, for the report of the import. */
      const names = await this.#builder.finish(options)
      // The builder has just computed the checksums and digests of all rows, so they are not verified again.
      await verifySnapshot(this.#filePath, { verifyRows: false })
      return { ...(await loadSnapshotFile(this.#connection, this.#address, this.#filePath, options)), names }
    } finally {
      await this.discard()
    }
  }

  async discard(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    try {
      await this.#builder.discard()
      // The next import uses the same folder, and may begin when the locks are released.
      rmSync(this.#folder, { recursive: true, force: true })
    } finally {
      this.#releaseLock()
      await this.#connection.close()
    }
  }
}

/**
 * Makes the temporary folder and returns its path. It is always the same for an address, so that the next import
 * removes what a killed import has left. Throws `StoreFault` if the folder belongs to another user.
 */
function makeFolder(url: string): string {
  const addressHash = createHash('sha256').update(url).digest('hex').slice(0, 16)
  const folder = join(tmpdir(), `planning-registry-${addressHash}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid } = lstatSync(folder)
  // The name can be guessed, so another user may have created the folder in order to read or replace the file.
  if (process.getuid !== undefined && uid !== process.getuid()) {
    throw new StoreFault(t`Cannot build in ${folder}: it belongs to another user; remove it or set TMPDIR`)
  }
  return folder
}
