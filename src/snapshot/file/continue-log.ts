// Continues the change log in a new snapshot file: copies the log of the file in service, appends the difference
// between both files, and removes the oldest changes if there are too many. The log lists the records that each
// publication has added, changed or removed. This is a step of publication (../sqlite/writer.ts). ../change-log.ts has
// the rules and the SQL that SQLite and PostgreSQL share.
import { DatabaseSync } from 'node:sqlite'
import type { ChangeKind } from '../../domain/change.ts'
import {
  logProperties,
  mayContinueLog,
  toChangeRow,
  toCopyStatement,
  toDifferenceQuery,
  toTrimStatement,
} from '../change-log.ts'
import { ChecksumMismatch, computeDigest } from '../checksum.ts'
import { formatVersion, tables } from '../schema.ts'
import { iterateRows, prepareReturningArrays } from './open-file.ts'
import { isSqliteDamage, sqliteReasonOf } from './sqlite-reason.ts'

/**
 * `path` is the new file, `previousPath` the file in service. The new file keeps the empty log that it was built with
 * if the file in service has another format, has no log or is damaged, or if only one of the two files is fictional. If
 * the file in service is damaged, `onDamage` is called with the reason.
 */
export function continueLog(path: string, previousPath: string, onDamage: (reason: string) => void): void {
  const database = new DatabaseSync(path)
  try {
    // If the import is killed, the new file is discarded, so nothing needs to be durable yet.
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF')
    database.prepare('ATTACH ? AS previous').run(previousPath)
    database.exec('BEGIN')
    copyAndExtendLog(database)
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    if (!isDamage(error)) throw error
    onDamage(sqliteReasonOf(error))
  } finally {
    database.close()
  }
}

/**
 * Whether the error means damage. `computeDigest` throws `ChecksumMismatch` for a damaged change that was copied from
 * the file in service. SQLite reports a file that is damaged or is no snapshot. It does not say which of the two files,
 * but the new one has just been built.
 */
function isDamage(error: unknown): boolean {
  return error instanceof ChecksumMismatch || isSqliteDamage(error)
}

/** The schema `main` is the new file, the schema `previous` the file in service. */
function copyAndExtendLog(database: DatabaseSync): void {
  const [format] = prepareReturningArrays(database, 'PRAGMA previous.user_version').get() as unknown as [number]
  if (format !== formatVersion) return
  const previousProperties = readLogProperties(database, 'previous')
  if (!mayContinueLog(readLogProperties(database, 'main'), previousProperties)) return
  database.exec(toCopyStatement('main.', 'previous.'))
  const last = appendDifference(database)
  database.exec(toTrimStatement('main.', last))
  // The new file takes over the id of the log and the time when the log began. `fictional` is equal in both files.
  const update = database.prepare('UPDATE main.property SET value = ? WHERE name = ?')
  for (const [name, value] of previousProperties) update.run(value, name)
  update.run(toPublicationTime(database), 'published_at')
  updateDigests(database)
}

/** If the last publication is further ahead of the clock than this, a wrong clock has set its time. */
const aheadMsMax = 60_000

/**
 * When the new file is published, in a later second than the file in service: `Last-Modified` has whole seconds, and a
 * client that keeps a copy tells by it which of two responses is from the newer snapshot (docs/api.md). If the clock
 * says 10:00:05.200, and the file in service was published at
 * - 09:30:00.000, the time is that of the clock;
 * - 10:00:05.100, the time is 10:00:06.000. So publications in quick succession run ahead of the clock;
 * - 11:30:00.000, the time is that of the clock (`aheadMsMax`).
 */
function toPublicationTime(database: DatabaseSync): string {
  const times = prepareReturningArrays(
    database,
    `SELECT (SELECT value FROM main.property WHERE name = 'published_at'),
            (SELECT value FROM previous.property WHERE name = 'published_at')`,
  ).get() as unknown as [time: string, previousTime: string | null]
  const [time, previousTime] = times.map((each) => Date.parse(each ?? '')) as [number, number]
  if (Number.isNaN(previousTime)) return new Date(time).toISOString()
  const nextSecond = (Math.floor(previousTime / 1000) + 1) * 1000
  const aheadMs = nextSecond - time
  const isTooEarly = aheadMs > 0 && aheadMs <= aheadMsMax
  return new Date(isTooEarly ? nextSecond : time).toISOString()
}

/** Appends a change for each record that differs, numbered after the last one. Returns the new last number. */
function appendDifference(database: DatabaseSync): number {
  const selectLast = prepareReturningArrays(database, 'SELECT coalesce(max(number), 0) FROM main.change')
  let [number] = selectLast.get() as unknown as [number]
  const insert = database.prepare('INSERT INTO main.change VALUES (?, ?, ?, ?, ?)')
  const at = new Date().toISOString()
  const difference = prepareReturningArrays(database, toDifferenceQuery('main.', 'previous.')).iterate()
  for (const [kind, code] of difference as unknown as Iterable<[ChangeKind, string]>) {
    number++
    insert.run(...toChangeRow({ number, kind, code, at }))
  }
  return number
}

/** The properties of a snapshot that concern its log (`logProperties`), by name. Absent ones are left out. */
function readLogProperties(database: DatabaseSync, schema: string): Map<string, string> {
  const names = logProperties.map((name) => `'${name}'`).join(', ')
  const rows = prepareReturningArrays(
    database,
    `SELECT name, value FROM ${schema}.property WHERE name IN (${names})`,
  ).all()
  return new Map(rows as unknown as [string, string][])
}

/** Computes and stores the digests (SHA-256 of all rows, ../checksum.ts) of the two tables that have changed. */
function updateDigests(database: DatabaseSync): void {
  const update = database.prepare('UPDATE main.table_digest SET rows = ?, sha256 = ? WHERE name = ?')
  for (const table of tables.filter(({ name }) => name === 'change' || name === 'property')) {
    const { rows, sha256 } = computeDigest(iterateRows(database, table), table)
    update.run(rows, sha256, table.name)
  }
}
