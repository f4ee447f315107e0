// The change log of a registry: which records became new, changed or gone with each publication. A new snapshot that
// may continue the log (`mayContinueLog`) copies it from the one it replaces and appends the difference between both.
// SQLite and PostgreSQL run these steps in file/continue-log.ts and postgres/continue-log.ts. This file has the rules
// and the SQL that both share.
import { randomBytes } from 'node:crypto'
import type { Change } from '../domain/change.ts'
import { t } from '../language.ts'
import { toChecksum, type Value } from './checksum.ts'

/** The log of a snapshot has at most this many changes. The oldest are removed. */
const changesMax = 10_000_000

/**
 * What a snapshot says about its change log. A lineage is the sequence of snapshots that continue one log. The log of
 * the first snapshot of a lineage is empty: its records are not listed as new.
 */
export interface ChangeLogFacts {
  /** Random id of the lineage, made when the lineage begins. Change numbers of two lineages cannot be compared. */
  readonly lineage: string
  /** When the lineage began, in ISO format. */
  readonly startedAt: string
  /** The number of the last change; 0 if there is none. */
  readonly last: number
}

/** Returns the properties (rows of the table `property`) of a snapshot that starts a lineage, by name. */
export function toNewLineage(): Record<'lineage' | 'log_started_at', string> {
  return { lineage: randomBytes(8).toString('hex'), log_started_at: new Date().toISOString() }
}

/**
 * The properties that continuing a log needs. `fictional` and `lineage` decide whether the log is continued
 * (`mayContinueLog`). If it is, all three are copied to the new snapshot.
 */
export const logProperties = ['fictional', 'lineage', 'log_started_at'] as const

/**
 * Whether a new snapshot may continue the log of the snapshot in service. It may not if only one of the two is
 * fictional, because the records of a real registry are not changes of invented ones. It may not either if the snapshot
 * in service has no lineage, and so no log. The arguments are the properties of both snapshots.
 */
export function mayContinueLog(next: ReadonlyMap<string, string>, previous: ReadonlyMap<string, string>): boolean {
  return next.get('fictional') === previous.get('fictional') && previous.has('lineage')
}

/** The warning of an import that starts a new log because the snapshot in service is damaged. */
export function toNotContinuedWarning(reason: string): string {
  return t`The registry in service is damaged, and its change log is not continued: ${reason}`
}

/**
 * Selects kind and code of every record that differs, in the order of folded codes.
 *
 * Codes are compared with their case, because a client may store its copy of the records by code. A code that is
 * corrected from `a-1` to `A-1` gives two rows: `a-1` is gone, then `A-1` is new. The order by kind puts `gone` first.
 * The join compares folded codes (`foldCode`: upper case) too, because it can use their index.
 *
 * In this function and in those below, `next` and `previous` are schema names with their dot, such as `main.`.
 */
export function toDifferenceQuery(next: string, previous: string): string {
  return `
    SELECT
      CASE WHEN new.code IS NULL THEN 'gone' WHEN old.code IS NULL THEN 'new' ELSE 'changed' END AS kind,
      coalesce(new.code, old.code) AS code
    FROM ${next}record AS new
      FULL JOIN ${previous}record AS old ON new.folded_code = old.folded_code AND new.code = old.code
    WHERE new.code IS NULL OR old.code IS NULL OR new.digest <> old.digest
    ORDER BY coalesce(new.folded_code, old.folded_code), kind`
}

/** Copies all changes of the previous log. */
export function toCopyStatement(next: string, previous: string): string {
  return `INSERT INTO ${next}change SELECT * FROM ${previous}change`
}

/** Removes all but the newest `changesMax` changes. `last` is the number of the newest. */
export function toTrimStatement(next: string, last: number): string {
  return `DELETE FROM ${next}change WHERE number <= ${last - changesMax}`
}

/** The row of a change in the table `change`, with its checksum. */
export function toChangeRow({ number, kind, code, at }: Change): Value[] {
  const row = [number, kind, code, at]
  return [...row, toChecksum(row)]
}
