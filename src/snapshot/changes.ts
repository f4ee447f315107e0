// What a new snapshot changes against the one in service, for the report of an import. The digest of a record covers
// its code, its wire form and its text: where two are equal nothing has changed.
import type { Publication } from './contract.ts'

/** Counts of both snapshots, whose tables have these prefixes: in both, changed, in the new one, in the old one. */
export function toChangesQuery(next: string, previous: string): string {
  return `
    SELECT count(*), count(CASE WHEN old.digest <> new.digest THEN 1 END),
      (SELECT count(*) FROM ${next}record), (SELECT count(*) FROM ${previous}record)
    FROM ${next}record AS new JOIN ${previous}record AS old USING (folded_code)`
}

/** The row that the query gives. */
export function toChanges(row: readonly unknown[]): NonNullable<Publication['changes']> {
  const [both = 0, changed = 0, now = 0, before = 0] = row.map(Number)
  return { added: now - both, changed, gone: before - both }
}
