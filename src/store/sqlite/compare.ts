// What a new snapshot changes against the one in service, for the report of an import.
import type { Publication } from '../store.ts'
import { SnapshotFile } from './file.ts'
import { isChanged } from './schema.ts'

/** Null when the previous file is no snapshot of this format. */
export function compareSnapshots(previous: string, next: string): Publication['changes'] {
  let file: SnapshotFile
  try {
    new SnapshotFile(previous).close()
    file = new SnapshotFile(next)
  } catch {
    return null
  }
  try {
    const { database } = file
    database.exec('COMMIT')
    database.prepare('ATTACH ? AS previous').run(previous)
    const row = database
      .prepare(
        `SELECT count(*) AS both, coalesce(sum(${isChanged}), 0) AS changed,
           (SELECT count(*) FROM main.record) AS now, (SELECT count(*) FROM previous.record) AS before
         FROM main.record AS new JOIN previous.record AS old ON old.folded_code = new.folded_code`,
      )
      .get() as { both: number; changed: number; now: number; before: number }
    return { added: row.now - row.both, changed: row.changed, gone: row.before - row.both }
  } finally {
    file.close()
  }
}
