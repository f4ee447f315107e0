// Stores and reads which links to documents were dead at the last `check --links`, for a registry that is a file. The
// outcome is a second SQLite file, `PATH.links` next to the registry `PATH`, because a registry in service never
// changes. Each check replaces that file as a whole.
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import type { LinkCheck } from './contract.ts'

const toLinksPath = (path: string): string => `${path}.links`

/** `path` is the path of the registry, here and in `readLinkCheckFile`. Throws if the file cannot be written. */
export async function writeLinkCheckFile(path: string, check: LinkCheck): Promise<void> {
  // Each process builds a file of its own. If two checks run at the same time, the later outcome replaces the earlier.
  const buildPath = `${toLinksPath(path)}.${process.pid}`
  await rm(buildPath, { force: true })
  try {
    buildFile(buildPath, check)
    await rename(buildPath, toLinksPath(path))
  } catch (error) {
    await rm(buildPath, { force: true })
    throw error
  }
}

function buildFile(path: string, { checkedAt, dead }: LinkCheck): void {
  const database = new DatabaseSync(path)
  try {
    database.exec(`
      PRAGMA journal_mode = MEMORY; BEGIN;
      CREATE TABLE link_check (checked_at TEXT NOT NULL) STRICT;
      CREATE TABLE dead_link (address TEXT PRIMARY KEY) STRICT, WITHOUT ROWID`)
    database.prepare('INSERT INTO link_check VALUES (?)').run(checkedAt.toISOString())
    // Several records may link to the same document.
    const insert = database.prepare('INSERT OR IGNORE INTO dead_link VALUES (?)')
    for (const address of dead) insert.run(address)
    // SQLite flushes the file to disk with the commit, before it is renamed.
    database.exec('COMMIT')
  } finally {
    database.close()
  }
}

/** Which of these addresses were dead at the last check. Null if there was none, or its file cannot be read. */
export function readLinkCheckFile(path: string, addresses: readonly string[]): LinkCheck | null {
  if (!existsSync(toLinksPath(path))) return null
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(toLinksPath(path), { readOnly: true, returnArrays: true })
    const [checkedAt] = database.prepare('SELECT checked_at FROM link_check').get() as unknown as [string]
    const find = database.prepare('SELECT address FROM dead_link WHERE address = ?')
    const dead = addresses.filter((address) => find.get(address) !== undefined)
    const date = new Date(checkedAt)
    return Number.isNaN(date.getTime()) ? null : { checkedAt: date, dead }
  } catch {
    // The file is damaged, or this process has no permission to read it. The web page then shows no outcome.
    return null
  } finally {
    database?.close()
  }
}
