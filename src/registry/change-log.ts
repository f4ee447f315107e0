// The change log of a registry: which records became new, changed or gone with each publication. A new file continues
// the log of the file that it replaces: it copies the changes and appends the difference between both. It also lists
// the files that it has withdrawn.
import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { changesMax } from '../domain/change.ts'
import { t } from '../language.ts'
import type { Comparison } from './compare.ts'
import { isSqliteDamage, sqliteReasonOf } from './sqlite-reason.ts'

/**
 * Writes the log of the new file at `path`. It continues that of the file in service at `previousPath`, of which
 * `comparison` has the differences; null if there is no such file, or it cannot be compared. A new log begins if only
 * one of the two files is fictional: the records of a real registry are not changes of invented ones. It also begins if
 * the log in service is damaged; then `onDamage` is called with the reason.
 */
export function writeLog(
  path: string,
  previousPath: string,
  comparison: Comparison | null,
  onDamage: (reason: string) => void,
): void {
  const database = new DatabaseSync(path, { returnArrays: true })
  try {
    // If the import is killed, the new file is discarded, so nothing needs to be durable yet.
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF')
    const isContinued = comparison !== null && continueLog(database, previousPath, comparison, onDamage)
    if (!isContinued) setProperties(database, toNewLineage())
  } finally {
    database.close()
  }
}

function toNewLineage(): Record<string, string> {
  return { lineage: randomBytes(8).toString('hex'), log_started_at: new Date().toISOString() }
}

/** Returns whether the log is continued. The schema `main` is the new file, the schema `previous` that in service. */
function continueLog(
  database: DatabaseSync,
  previousPath: string,
  comparison: Comparison,
  onDamage: (reason: string) => void,
): boolean {
  database.prepare('ATTACH ? AS previous').run(previousPath)
  try {
    withdrawFiles(database)
    const properties = readProperties(database, 'main')
    const previous = readProperties(database, 'previous')
    const lineage = previous.get('lineage')
    if (lineage === undefined || properties.get('fictional') !== previous.get('fictional')) return false
    database.exec(`
      BEGIN;
      DELETE FROM main.change; -- a copy of a registry has a log of its own
      INSERT INTO main.change SELECT number, kind, code, at FROM previous.change ORDER BY number`)
    const last = appendChanges(database, comparison)
    database.exec(`DELETE FROM main.change WHERE number <= ${last - changesMax}`)
    setProperties(database, {
      lineage,
      log_started_at: previous.get('log_started_at') ?? '',
      published_at: toPublicationTime(properties.get('published_at') ?? '', previous.get('published_at') ?? ''),
    })
    database.exec('COMMIT')
    return true
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    if (!isSqliteDamage(error)) throw error
    onDamage(t`The registry in service is damaged, and its change log is not continued: ${sqliteReasonOf(error)}`)
    return false
  }
}

/** Lists the published files that the new registry does not have any more, so that a later import deletes them. */
function withdrawFiles(database: DatabaseSync): void {
  if (database.prepare(`SELECT 1 FROM previous.sqlite_schema WHERE name = 'published'`).get() === undefined) return
  database.exec(`
    INSERT OR IGNORE INTO main.published
    SELECT sha256, name, bytes, is_pdf, 1 FROM previous.published WHERE NOT withdrawn`)
}

function readProperties(database: DatabaseSync, schema: string): Map<string, string> {
  return new Map(database.prepare(`SELECT name, value FROM ${schema}.property`).all() as unknown as [string, string][])
}

function setProperties(database: DatabaseSync, properties: Readonly<Record<string, string>>): void {
  const set = database.prepare('INSERT OR REPLACE INTO main.property VALUES (?, ?)')
  for (const [name, value] of Object.entries(properties)) set.run(name, value)
}

/** Appends a change for each record that differs, numbered after the last one. Returns the new last number. */
function appendChanges(database: DatabaseSync, comparison: Comparison): number {
  let [number] = database.prepare('SELECT coalesce(max(number), 0) FROM main.change').get() as unknown as [number]
  const insert = database.prepare('INSERT INTO main.change VALUES (?, ?, ?, ?)')
  const at = new Date().toISOString()
  for (const [kind, code] of comparison.changes()) insert.run(++number, kind, code, at)
  return number
}

/** If the last publication is further ahead of the clock than this, a wrong clock has set its time. */
const aheadMsMax = 60_000

/**
 * When the new file is published, in a later second than the file in service: `Last-Modified` has whole seconds, and a
 * client that keeps a copy tells by it which of two responses is from the newer registry (docs/api.md). If the clock
 * says 10:00:05.200, and the file in service was published at
 * - 09:30:00.000, the time is that of the clock;
 * - 10:00:05.100, the time is 10:00:06.000. So publications in quick succession run ahead of the clock;
 * - 11:30:00.000, the time is that of the clock (`aheadMsMax`).
 */
function toPublicationTime(publishedAt: string, previouslyPublishedAt: string): string {
  const time = Date.parse(publishedAt)
  const previousTime = Date.parse(previouslyPublishedAt)
  const nextSecond = (Math.floor(previousTime / 1000) + 1) * 1000
  const aheadMs = nextSecond - time
  const isTooEarly = aheadMs > 0 && aheadMs <= aheadMsMax
  return new Date(isTooEarly ? nextSecond : time).toISOString()
}

/**
 * The files that the registry in service at `path` has withdrawn. Nobody reads them any more: only the registry before
 * it had them. Empty if there is no registry, or none that can be read.
 */
export function readWithdrawn(path: string): string[] {
  try {
    using database = new DatabaseSync(path, { readOnly: true })
    const rows = database.prepare('SELECT sha256 FROM published WHERE withdrawn').all() as { sha256: string }[]
    return rows.map(({ sha256 }) => sha256)
  } catch {
    return []
  }
}
