// Difference between a new snapshot and the one in service, for the report of an import. The digest of a record covers
// its code, its wire form and its text.
import type { Publication } from './contract.ts'

/**
 * The arguments are schema names with their dot, such as `main.`. The row of the query has four counts: records in
 * both snapshots, those of them that have changed, all records of the next, and all records of the previous snapshot.
 */
export function toChangesQuery(next: string, previous: string): string {
  return `
    SELECT count(*), count(CASE WHEN old.digest <> new.digest THEN 1 END),
      (SELECT count(*) FROM ${next}record), (SELECT count(*) FROM ${previous}record)
    FROM ${next}record AS new JOIN ${previous}record AS old USING (folded_code)`
}

/** `row` is that of `toChangesQuery`. */
export function toChanges(row: readonly unknown[]): NonNullable<Publication['changes']> {
  const [inBoth = 0, changed = 0, inNext = 0, inPrevious = 0] = row.map(Number)
  return { added: inNext - inBoth, changed, gone: inPrevious - inBoth }
}
