// Continues the change log (change-log.ts) in a new snapshot file: copies the log of the file in service and appends
// the records that are new, changed or gone. A step of publication (sqlite/writer.ts).
import { DatabaseSync } from 'node:sqlite'
import type { ChangeKind } from '../../domain/change.ts'
import {
  continuesLog,
  logProperties,
  toChangeRow,
  toCopyStatement,
  toDifferenceQuery,
  toTrimStatement,
} from '../change-log.ts'
import { ChecksumMismatch, computeDigest } from '../checksum.ts'
import { formatVersion, tables } from '../schema.ts'
import { iterateRows, prepareReturningArrays } from './open-file.ts'
import { isSqliteDamage } from './sqlite-reason.ts'

/**
 * `path` is the new file, `previousPath` the file in service. If that has another format, is damaged, or is a fictional
 * sample that real records replace (`continuesLog`), the new file keeps the empty log that it was built with.
 */
export function continueLog(path: string, previousPath: string): void {
  const database = new DatabaseSync(path)
  try {
    // A file that is not complete is discarded, so nothing needs to be durable yet.
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF')
    database.prepare('ATTACH ? AS previous').run(previousPath)
    database.exec('BEGIN')
    appendDifference(database)
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    if (!isDamage(error)) throw error
  } finally {
    database.close()
  }
}

/** Whether SQLite or a checksum says that the file in service is damaged or is no snapshot. */
function isDamage(error: unknown): boolean {
  return error instanceof ChecksumMismatch || isSqliteDamage(error)
}

/** The new file is the schema `main`, the file in service `previous`. */
function appendDifference(database: DatabaseSync): void {
  const [format] = prepareReturningArrays(database, 'PRAGMA previous.user_version').get() as unknown as [number]
  if (format !== formatVersion) return
  const previous = readLogProperties(database, 'previous')
  if (!continuesLog(readLogProperties(database, 'main'), previous)) return
  database.exec(toCopyStatement('main.', 'previous.'))
  const [last] = prepareReturningArrays(
    database,
    'SELECT coalesce(max(number), 0) FROM main.change',
  ).get() as unknown as [number]
  const insert = database.prepare('INSERT INTO main.change VALUES (?, ?, ?, ?, ?)')
  const at = new Date().toISOString()
  const difference = prepareReturningArrays(database, toDifferenceQuery('main.', 'previous.')).iterate()
  let number = last
  for (const [kind, code] of difference as unknown as Iterable<[ChangeKind, string]>) {
    number++
    insert.run(...toChangeRow({ number, kind, code, at }))
  }
  database.exec(toTrimStatement('main.', number))
  // The new file takes over the identity and the start of the log.
  const update = database.prepare('UPDATE main.property SET value = ? WHERE name = ?')
  for (const [name, value] of previous) update.run(value, name)
  updateDigests(database)
}

/** The properties of `logProperties` that the snapshot has, by name. */
function readLogProperties(database: DatabaseSync, schema: string): Map<string, string> {
  const names = logProperties.map((name) => `'${name}'`).join(', ')
  const rows = prepareReturningArrays(
    database,
    `SELECT name, value FROM ${schema}.property WHERE name IN (${names})`,
  ).all()
  return new Map(rows as unknown as [string, string][])
}

/** Computes the digests of the two tables that have changed. */
function updateDigests(database: DatabaseSync): void {
  const update = database.prepare('UPDATE main.table_digest SET rows = ?, sha256 = ? WHERE name = ?')
  for (const table of tables.filter(({ name }) => name === 'change' || name === 'property')) {
    const { rows, sha256 } = computeDigest(iterateRows(database, table), table)
    update.run(rows, sha256, table.name)
  }
}
