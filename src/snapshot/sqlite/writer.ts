// Publishes a snapshot as a file: builds it next to the file in service, verifies it, makes it durable and renames it
// to the path of the file in service. A failure before the rename leaves the registry unchanged.
import { closeSync, existsSync, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { RecordContent } from '../../domain/document.ts'
import type { StoredRecord } from '../../domain/record.ts'
import { t } from '../../language.ts'
import { toNotContinuedWarning } from '../change-log.ts'
import { comparedColumns, compareSnapshots, toNotComparedWarning } from '../comparison.ts'
import {
  type Publication,
  type PublishOptions,
  type SnapshotDifference,
  type SnapshotOptions,
  type SnapshotWriter,
  StoreFault,
} from '../contract.ts'
import { SnapshotFileBuilder } from '../file/builder.ts'
import { continueLog } from '../file/continue-log.ts'
import { applicationId } from '../file/dialect.ts'
import { takeImportLock } from '../file/import-lock.ts'
import { prepareReturningArrays } from '../file/open-file.ts'
import { isSqliteDamage, sqliteReasonOf } from '../file/sqlite-reason.ts'
import { verifySnapshot } from '../file/verify.ts'
import { formatVersion } from '../schema.ts'

/** ../contract.ts documents the methods of a `SnapshotWriter`. */
export class SqliteWriter implements SnapshotWriter {
  /** The file of the registry. */
  readonly #path: string
  /** The new file, until it is renamed to `#path`. */
  readonly #buildPath: string
  readonly #releaseLock: () => void
  readonly #builder: SnapshotFileBuilder
  #isClosed = false

  /** Throws `StoreFault` if another import writes to the path, or if the file there is neither empty nor a registry. */
  constructor(path: string, options: SnapshotOptions = {}) {
    refuseForeignFile(path)
    mkdirSync(dirname(path), { recursive: true })
    this.#path = path
    this.#buildPath = `${path}.building`
    this.#releaseLock = takeImportLock(path)
    try {
      // The lock is held, so a file at the build path was left by an import that was killed. The builder replaces it.
      this.#builder = new SnapshotFileBuilder(this.#buildPath, options)
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
      // The change log (the list of new, changed and removed records) of the registry in service goes on in the new
      // file.
      if (existsSync(this.#path)) {
        continueLog(this.#buildPath, this.#path, (reason) => options.onWarning?.(toNotContinuedWarning(reason)))
      }
      // The builder has just computed the checksums and digests of all rows, so they are not verified again.
      const metadata = await verifySnapshot(this.#buildPath, { verifyRows: false })
      await makeDurable(this.#buildPath)
      const difference = existsSync(this.#path)
        ? await compareFiles({
            previous: this.#path,
            next: this.#buildPath,
            onDamage: (reason) => options.onWarning?.(toNotComparedWarning(reason)),
          })
        : null
      const isAccepted = difference === null || options.accepts === undefined || options.accepts(difference)
      const isPublished = isAccepted && !options.dryRun
      if (isPublished) await this.#putInPlace()
      return { metadata, isPublished, difference, names }
    } finally {
      // After a publication this removes only temporary files and releases the lock: the file has been renamed.
      await this.discard()
    }
  }

  async discard(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    try {
      await this.#builder.discard()
    } finally {
      this.#releaseLock()
    }
  }

  /** The rename replaces the file in service atomically. Syncing the folder makes the rename durable. */
  async #putInPlace(): Promise<void> {
    await rename(this.#buildPath, this.#path)
    await makeDurable(dirname(this.#path))
  }
}

/**
 * Compares a new file with the one in service. Returns null if the previous file has a format that lacks a column of
 * the comparison. If the previous file is damaged, calls `onDamage` with the reason and returns null.
 */
async function compareFiles({
  previous,
  next,
  onDamage,
}: {
  readonly previous: string
  readonly next: string
  readonly onDamage: (reason: string) => void
}): Promise<SnapshotDifference | null> {
  const database = new DatabaseSync(next, { readOnly: true })
  try {
    database.prepare('ATTACH ? AS previous').run(previous)
    const [format] = prepareReturningArrays(database, 'PRAGMA previous.user_version').get() as unknown as [number]
    const isSameFormat = format === formatVersion
    if (!isSameFormat && !hasComparedColumns(database)) return null
    return await compareSnapshots({
      select: (sql) => prepareReturningArrays(database, sql).all() as unknown as unknown[][],
      next: 'main.',
      previous: 'previous.',
      isSameFormat,
    })
  } catch (error) {
    // Another error, such as a full disk, says nothing about the previous file. The import then fails: without the
    // comparison a file that lost most of its records could be published.
    if (!isSqliteDamage(error)) throw error
    onDamage(sqliteReasonOf(error))
    return null
  } finally {
    database.close()
  }
}

/** Whether the table `record` of the schema `previous` has all columns that are compared. */
function hasComparedColumns(database: DatabaseSync): boolean {
  const rows = prepareReturningArrays(database, `SELECT name FROM pragma_table_info('record', 'previous')`).all()
  const names = new Set((rows as unknown as [string][]).map(([name]) => name))
  return comparedColumns.every((column) => names.has(column))
}

/** Flushes a file, or the entries of a folder, to disk. */
async function makeDurable(path: string): Promise<void> {
  const file = await open(path)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Throws `StoreFault` if there is a file that is no registry. An empty file may be replaced, and so may a registry of
 * any version, even a damaged one.
 */
function refuseForeignFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  const isReplaceable = stats === undefined || stats.size === 0 || isRegistryFile(path)
  if (isReplaceable) return
  throw new StoreFault(t`Cannot import into ${path}: that file is not a planning registry; name another one`)
}

/** Whether the file has the header of a registry, of any version. */
function isRegistryFile(path: string): boolean {
  const header = Buffer.alloc(headerBytes)
  const file = openSync(path, 'r')
  try {
    readSync(file, header, 0, headerBytes, 0)
  } finally {
    closeSync(file)
  }
  const isSqliteFile = header.toString('latin1', 0, magicText.length) === magicText
  return isSqliteFile && header.readUInt32BE(applicationIdOffset) === applicationId
}

/** Layout of the header of a SQLite file: https://www.sqlite.org/fileformat.html */
const headerBytes = 100
const magicText = 'SQLite format 3'
const applicationIdOffset = 68
