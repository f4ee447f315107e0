// Publishes a snapshot as a file: builds it next to the file in service, verifies it, compares it with the one in
// service, and hands it to the target (registry/stores/target.ts), which makes it durable and puts it in service. A
// failure before that leaves the registry unchanged.
import { existsSync } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import type { RecordContent } from '../../domain/document.ts'
import type { StoredRecord } from '../../domain/record.ts'
import type { RegistryTarget } from '../../registry/stores/target.ts'
import { toNotContinuedWarning } from '../change-log.ts'
import { comparedColumns, compareSnapshots, toNotComparedWarning } from '../comparison.ts'
import type { Publication, PublishOptions, SnapshotDifference, SnapshotOptions, SnapshotWriter } from '../contract.ts'
import { SnapshotFileBuilder } from '../file/builder.ts'
import { continueLog } from '../file/continue-log.ts'
import { prepareReturningArrays } from '../file/open-file.ts'
import { isSqliteDamage, sqliteReasonOf } from '../file/sqlite-reason.ts'
import { verifySnapshot } from '../file/verify.ts'
import { formatVersion } from '../schema.ts'

/** ../contract.ts documents the methods of a `SnapshotWriter`. */
export class SqliteWriter implements SnapshotWriter {
  readonly #target: RegistryTarget
  /** The new file, until it is published. */
  readonly #buildPath: string
  readonly #builder: SnapshotFileBuilder
  #isClosed = false

  /** `discard` releases the target. */
  constructor(target: RegistryTarget, options: SnapshotOptions = {}) {
    this.#target = target
    this.#buildPath = toBuildPath(target)
    // The target is locked, so a file at the build path was left by an import that was killed. The builder replaces it.
    this.#builder = new SnapshotFileBuilder(this.#buildPath, options)
  }

  add(record: StoredRecord, content: RecordContent): Promise<void> | undefined {
    return this.#builder.add(record, content)
  }

  async publish(options: PublishOptions): Promise<Publication> {
    try {
      /** Which names of municipalities are known, for the report of the import. */
      const names = await this.#builder.finish(options)
      // The builder has just computed the checksums and digests of all rows, so they are not verified again.
      return { ...(await publishFile(this.#target, { verifyRows: false }, options)), names }
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
      await this.#target.release()
    }
  }
}

/** Publishes a copy of a registry file. Releases the target. Throws `StoreFault` if the file is damaged. */
export async function publishCopy(path: string, target: RegistryTarget, options: CopyOptions): Promise<Publication> {
  const buildPath = toBuildPath(target)
  try {
    await copyFile(path, buildPath)
    return { ...(await publishFile(target, { verifyRows: true }, options)), names: null }
  } finally {
    await rm(buildPath, { force: true })
    await target.release()
  }
}

/** The options that a registry can be copied with: everything else is fixed in the file. */
export type CopyOptions = Pick<PublishOptions, 'dryRun' | 'accepts' | 'onProgress' | 'onWarning'>

function toBuildPath({ path }: RegistryTarget): string {
  return `${path}.building`
}

/** Publishes the file at the build path, unless the options prevent that. */
async function publishFile(
  target: RegistryTarget,
  verification: { readonly verifyRows: boolean },
  options: CopyOptions,
): Promise<Omit<Publication, 'names'>> {
  const buildPath = toBuildPath(target)
  // The change log (the list of new, changed and removed records) of the registry in service goes on in the new file.
  if (existsSync(target.path)) {
    continueLog(buildPath, target.path, (reason) => options.onWarning?.(toNotContinuedWarning(reason)))
  }
  const metadata = await verifySnapshot(buildPath, verification)
  const difference = existsSync(target.path)
    ? await compareFiles({
        previous: target.path,
        next: buildPath,
        onDamage: (reason) => options.onWarning?.(toNotComparedWarning(reason)),
      })
    : null
  const isAccepted = difference === null || options.accepts === undefined || options.accepts(difference)
  const isPublished = isAccepted && !options.dryRun
  if (isPublished) {
    await target.publish(buildPath, {
      version: metadata.id,
      onProgress: (done, total) => options.onProgress?.('load', done, total),
      onWarning: options.onWarning,
    })
  }
  return { metadata, isPublished, difference }
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
