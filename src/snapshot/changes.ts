// Difference between a new snapshot and the one in service, for the report of an import. The digest of a record covers
// its code, its wire form and its text.
import type { Publication } from './contract.ts'

/**
 * Query over the tables with the two prefixes. Its row has the number of records in both snapshots, of changed ones,
 * and of all records in the next and in the previous snapshot.
 */
export function toChangesQuery(next: string, previous: string): string {
  return `
    SELECT count(*), count(CASE WHEN old.digest <> new.digest THEN 1 END),
      (SELECT count(*) FROM ${next}record), (SELECT count(*) FROM ${previous}record)
    FROM ${next}record AS new JOIN ${previous}record AS old USING (folded_code)`
}

export function toChanges(row: readonly unknown[]): NonNullable<Publication['changes']> {
  const [both = 0, changed = 0, next = 0, previous = 0] = row.map(Number)
  return { added: next - both, changed, gone: previous - both }
}
