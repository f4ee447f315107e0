// PostgreSQL dialect of the shared schema (../schema.ts). Each snapshot has its own schema; the table
// `registry.snapshot` lists them.
import { type Dialect, digestTable, formatVersion, tables, toCreateTable, toCreateView } from '../schema.ts'
import type { Statement } from './connection.ts'

/** A row of `registry.snapshot`. */
export interface SnapshotEntry {
  /** Counts the publications. The newest snapshot has the highest number. */
  readonly number: number
  /**
   * Name of its schema: `registry_`, the number and the start of the id. The number alone would not do, because it may
   * be reused after a failover that lost a snapshot.
   */
  readonly name: string
  /** As in `SnapshotMetadata`. */
  readonly id: string
  /** The `formatVersion` of the program that has published it. */
  readonly format: number
  readonly records: number
  readonly fictional: boolean
  readonly publishedAt: Date
}

/** Creates the list of snapshots. The only row without `retired_at` is the snapshot in service. */
export const createSnapshotList = `
  CREATE SCHEMA IF NOT EXISTS registry;
  CREATE TABLE IF NOT EXISTS registry.snapshot (
    number integer PRIMARY KEY, name text NOT NULL, id text NOT NULL,
    format integer NOT NULL, records integer NOT NULL, fictional boolean NOT NULL,
    published_at timestamptz NOT NULL, retired_at timestamptz
  );
  CREATE UNIQUE INDEX IF NOT EXISTS one_in_service ON registry.snapshot ((true)) WHERE retired_at IS NULL;
`

/** Returns one row: whether the host is a standby, and its snapshots as JSON (null if there are none) for `toSnapshotEntry`. */
export const statusStatement: Statement = {
  text: `
    SELECT pg_is_in_recovery(), (
      SELECT json_agg(json_build_array(
        number, name, id, format, records, fictional, extract(epoch FROM published_at)))::text
      FROM registry.snapshot)`,
}

/** Turns the row of a snapshot in the JSON of `statusStatement` into an entry. */
export function toSnapshotEntry(row: readonly unknown[]): SnapshotEntry {
  const [number, name, id, format, records, fictional, publishedAt] = row
  return {
    number: Number(number),
    name: String(name),
    id: String(id),
    format: Number(format),
    records: Number(records),
    fictional: fictional === true,
    publishedAt: new Date(Number(publishedAt) * 1000),
  }
}

/**
 * The newest snapshot of this format; undefined if there is none. During an upgrade the one in service may have another
 * format.
 */
export function findNewest(entries: readonly SnapshotEntry[]): SnapshotEntry | undefined {
  return entries.filter(({ format }) => format === formatVersion).sort((a, b) => b.number - a.number)[0]
}

export const postgresDialect: Dialect = {
  // Collation "C" compares texts by byte, like SQLite.
  types: { integer: 'integer', text: 'text COLLATE "C"', bytes: 'bytea' },
  // Rows never change and are loaded frozen, so vacuum has nothing to do.
  tableOptions: () => ' WITH (autovacuum_enabled = off)',
  field: (name) => `(wire::json ->> '${name}')`,
}

/** Statements that create the schema of a snapshot with its tables. Indexes are created after the rows are loaded. */
export function toCreateSnapshot(schema: string): string {
  const all = [...tables, digestTable]
  const created = all.map((table) => toCreateTable(table, postgresDialect, `${schema}.`))
  // Posting lists are already compressed, so PostgreSQL stores binary columns without compressing them again.
  const uncompressed = all.flatMap(({ name, columns }) =>
    Object.entries(columns)
      .filter(([, type]) => type.startsWith('bytes'))
      .map(([column]) => `ALTER TABLE ${schema}.${name} ALTER ${column} SET STORAGE EXTERNAL;`),
  )
  return [`CREATE SCHEMA ${schema};`, ...created, ...uncompressed, toCreateView(postgresDialect, `${schema}.`)].join(
    '\n',
  )
}
