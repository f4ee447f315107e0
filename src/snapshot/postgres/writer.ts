// Publishes a snapshot on PostgreSQL: it is built and verified as a snapshot file in the temporary folder, exactly as
// for SQLite, then carried over (carry-over.ts).
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoredRecord } from '../../domain/record.ts'
import { type Publication, type PublishOptions, type SnapshotWriter, StoreFault } from '../contract.ts'
import { SqliteWriter } from '../sqlite/writer.ts'
import { type PostgresAddress, parseAddress } from './address.ts'
import type { Link } from './connection.ts'
import { carryOver, takeLock } from './load.ts'
import { connectPrimary } from './primary.ts'

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
      await takeLock(link, address)
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

  add(record: StoredRecord, content: string): Promise<void> | undefined {
    return this.#builder.add(record, content)
  }

  async publish(options: PublishOptions): Promise<Publication> {
    try {
      const { names } = await this.#builder.publish({ ...options, dryRun: false })
      return { ...(await carryOver(this.#link, this.#address, this.#file, options)), names }
    } finally {
      await this.discard()
    }
  }

  async discard(): Promise<void> {
    await this.#builder.discard()
    await this.#link.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
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
