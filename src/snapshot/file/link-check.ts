// Stores which document links were dead at the last `check --links` of a registry in a file. The outcome is a second
// file beside the registry, `PATH.links`, because a snapshot in service never changes. Each check replaces it as a
// whole; the page of a record reads it.
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import type { LinkCheck } from '../contract.ts'
import { prepareReturningArrays } from './open-file.ts'

const toLinksPath = (path: string): string => `${path}.links`

/** `path` is that of the registry, here and in `readLinkCheckFile`. Throws if the file cannot be written. */
export async function writeLinkCheckFile(path: string, { checkedAt, dead }: LinkCheck): Promise<void> {
  // Two checks at the same time write files of their own; the last one stays.
  const buildPath = `${toLinksPath(path)}.${process.pid}`
  await rm(buildPath, { force: true })
  try {
    const database = new DatabaseSync(buildPath)
    try {
      // SQLite syncs the file at the end of the transaction.
      database.exec(`
        PRAGMA journal_mode = MEMORY; BEGIN;
        CREATE TABLE link_check (checked_at TEXT NOT NULL) STRICT;
        CREATE TABLE dead_link (address TEXT PRIMARY KEY) STRICT, WITHOUT ROWID`)
      database.prepare('INSERT INTO link_check VALUES (?)').run(checkedAt.toISOString())
      const insert = database.prepare('INSERT OR IGNORE INTO dead_link VALUES (?)')
      for (const address of dead) insert.run(address)
      database.exec('COMMIT')
    } finally {
      database.close()
    }
    await rename(buildPath, toLinksPath(path))
  } catch (error) {
    await rm(buildPath, { force: true })
    throw error
  }
}

/** The outcome for the given addresses of documents. Null if there was no check, or its file cannot be read. */
export function readLinkCheckFile(path: string, addresses: readonly string[]): LinkCheck | null {
  if (!existsSync(toLinksPath(path))) return null
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(toLinksPath(path), { readOnly: true })
    const [checkedAt] = prepareReturningArrays(database, 'SELECT checked_at FROM link_check').get() as unknown as [
      string,
    ]
    const find = prepareReturningArrays(database, 'SELECT address FROM dead_link WHERE address = ?')
    const dead = addresses.filter((address) => find.get(address) !== undefined)
    const date = new Date(checkedAt)
    return Number.isNaN(date.getTime()) ? null : { checkedAt: date, dead }
  } catch {
    // The file is damaged or may not be read. The pages do without it.
    return null
  } finally {
    database?.close()
  }
}
