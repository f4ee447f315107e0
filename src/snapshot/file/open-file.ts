// Opens snapshot files, which are SQLite databases, for reading, and reads whole tables from them. A file never
// changes, so one read transaction lasts as long as the connection. It saves locking the file for each statement.
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { t } from '../../language.ts'
import type { TableDigest, Value } from '../checksum.ts'
import { StoreFault } from '../contract.ts'
import { formatVersion, type Table } from '../schema.ts'
import { applicationId } from './dialect.ts'
import { isFailureWithoutDamage, sqliteReasonOf } from './sqlite-reason.ts'

/** Size of SQLite's page cache: enough for the upper levels of all B-trees, which every read goes through. */
const pageCacheKb = 8 * 1024

/** Throws `StoreFault` if the file cannot be read or is not a snapshot of this format. */
export function openSnapshotFile(path: string): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { readOnly: true })
    // SQLite takes a negative cache size as KiB. With `cell_size_check` it finds damaged pages when it reads them.
    database.exec(`PRAGMA cache_size = -${pageCacheKb}; PRAGMA cell_size_check = ON; BEGIN`)
    refuseOtherFormats(path, database)
    return database
  } catch (error) {
    database?.close()
    throw error instanceof StoreFault ? error : toOpenFault(path, error)
  }
}

/** Returns the values of the table `property`, by name. */
export function readProperties(database: DatabaseSync): Map<string, string> {
  return new Map(
    prepareReturningArrays(database, 'SELECT name, value FROM property').all() as unknown as [string, string][],
  )
}

/** Returns the stored digests of all tables, by name. */
export function readDigests(database: DatabaseSync): Map<string, TableDigest> {
  const digests = prepareReturningArrays(database, 'SELECT name, rows, sha256 FROM table_digest').all()
  return new Map(
    (digests as unknown as [string, number, string][]).map(([name, rows, sha256]) => [name, { rows, sha256 }]),
  )
}

/** A statement that returns rows as arrays of values, which are faster to create than objects. */
export function prepareReturningArrays(database: DatabaseSync, text: string): StatementSync {
  const statement = database.prepare(text)
  statement.setReturnArrays(true)
  return statement
}

/** All rows of a table in the order of its key. */
export function iterateRows(database: DatabaseSync, table: Table): Iterable<Value[]> {
  return prepareSelectAll(database, table).iterate() as unknown as Iterable<Value[]>
}

/** All rows of a small table at once, in the order of its key. */
export function readRows(database: DatabaseSync, table: Table): Value[][] {
  return prepareSelectAll(database, table).all() as unknown as Value[][]
}

function prepareSelectAll(database: DatabaseSync, { name, columns, key }: Table): StatementSync {
  return prepareReturningArrays(database, `SELECT ${Object.keys(columns).join(', ')} FROM ${name} ORDER BY ${key}`)
}

/** The fault of a file that cannot be opened because of `error`. Transient if SQLite failed without signs of damage. */
export function toOpenFault(path: string, error: unknown): StoreFault {
  const reason = sqliteReasonOf(error)
  if (isFailureWithoutDamage(error)) {
    return new StoreFault(t`Cannot open ${path}: ${reason}; check its permissions, the disk and the memory`, {
      cause: error,
      isTransient: true,
    })
  }
  return new StoreFault(t`Cannot open ${path}: ${reason}; restore it from a backup or import it again`, {
    cause: error,
  })
}

function refuseOtherFormats(path: string, database: DatabaseSync): void {
  const { application_id: id } = database.prepare('PRAGMA application_id').get() as { application_id: number }
  if (id !== applicationId) {
    throw new StoreFault(
      t`Cannot open ${path}: it is not a planning registry; choose another file, or create one with planning-registry import`,
    )
  }
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number }
  if (version !== formatVersion) {
    throw new StoreFault(
      t`Cannot open ${path}: another version wrote it (format ${version}, this one reads ${formatVersion}); import it again`,
    )
  }
}
