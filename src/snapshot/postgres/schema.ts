// What is specific to PostgreSQL in the schema of the database: the dialect of the tables that it shares with SQLite
// (../schema.ts), and the list of snapshots. A snapshot is a complete copy of the registry. Each has a schema of its
// own, such as `registry_12_8f0c41d2`; the table `registry.snapshot` lists them.
import { type Dialect, digestTable, formatVersion, tables, toCreateTable, toCreateView } from '../schema.ts'
import type { Statement } from './connection.ts'

/** A row of `registry.snapshot`. */
export interface SnapshotEntry {
  /** The number of the publication, from 1. The newest snapshot has the highest. */
  readonly number: number
  /**
   * The name of its schema: `registry_`, the number and the start of the id. The number alone would not be unique:
   * after a failover to a standby that lacks the last snapshot, the next publication has the same number.
   */
  readonly name: string
  /** Hash of the records, as in `SnapshotMetadata`. */
  readonly id: string
  /** The `formatVersion` of the program that has published it. */
  readonly format: number
  readonly records: number
  readonly fictional: boolean
  readonly publishedAt: Date
}

/**
 * Creates the list of snapshots. The snapshot in service is the row without `retired_at`. The index allows only one
 * such row, because all of them have the same key, `true`.
 */
export const createSnapshotList = `
  CREATE SCHEMA IF NOT EXISTS registry;
  CREATE TABLE IF NOT EXISTS registry.snapshot (
    number integer PRIMARY KEY, name text NOT NULL, id text NOT NULL,
    format integer NOT NULL, records integer NOT NULL, fictional boolean NOT NULL,
    published_at timestamptz NOT NULL, retired_at timestamptz
  );
  CREATE UNIQUE INDEX IF NOT EXISTS one_in_service ON registry.snapshot ((true)) WHERE retired_at IS NULL;
`

/**
 * Returns one row: whether the host is a standby, and its snapshots as a JSON array, whose elements are rows for
 * `toSnapshotEntry`; null if there are none.
 */
export const statusStatement: Statement = {
  text: `
    SELECT pg_is_in_recovery(), (
      SELECT json_agg(json_build_array(
        number, name, id, format, records, fictional, extract(epoch FROM published_at)))::text
      FROM registry.snapshot)`,
}

/** `row` is an element of the JSON array of `statusStatement`. */
export function toSnapshotEntry(row: readonly unknown[]): SnapshotEntry {
  const [number, name, id, format, records, fictional, publishedAtSeconds] = row
  return {
    number: Number(number),
    name: String(name),
    id: String(id),
    format: Number(format),
    records: Number(records),
    fictional: fictional === true,
    publishedAt: new Date(Number(publishedAtSeconds) * 1000),
  }
}

/** The newest snapshot that this version of the program can read; undefined if there is none. */
export function findNewest(entries: readonly SnapshotEntry[]): SnapshotEntry | undefined {
  return findReadable(entries)[0]
}

/**
 * The snapshots that this version of the program can read, newest first. During an upgrade the snapshot in service may
 * have another format; then the first one is the newest retired snapshot of this format. After a failover two hosts may
 * have snapshots of the same number (`SnapshotEntry.name`); then the one that was published later comes first.
 */
export function findReadable(entries: readonly SnapshotEntry[]): SnapshotEntry[] {
  return entries
    .filter(({ format }) => format === formatVersion)
    .sort((a, b) => b.number - a.number || b.publishedAt.getTime() - a.publishedAt.getTime())
}

export const postgresDialect: Dialect = {
  // Collation "C" compares texts by byte, like SQLite.
  types: { integer: 'integer', text: 'text COLLATE "C"', bytes: 'bytea' },
  // Rows never change after publication, and nearly all are loaded by COPY with FREEZE, so vacuum has almost no work.
  tableOptions: () => ' WITH (autovacuum_enabled = off)',
  field: (name) => `(wire::json ->> '${name}')`,
}

/** Statements that create the schema of a snapshot with its tables. Indexes are created after the rows are loaded. */
export function toCreateSnapshot(schema: string): string {
  const allTables = [...tables, digestTable]
  const createTables = allTables.map((table) => toCreateTable(table, postgresDialect, `${schema}.`))
  // The binary columns are already compressed or compact, so PostgreSQL stores them without compressing them again.
  const disableCompression = allTables.flatMap(({ name, columns }) =>
    Object.entries(columns)
      .filter(([, type]) => type.startsWith('bytes'))
      .map(([column]) => `ALTER TABLE ${schema}.${name} ALTER ${column} SET STORAGE EXTERNAL;`),
  )
  return [
    `CREATE SCHEMA ${schema};`,
    ...createTables,
    ...disableCompression,
    toCreateView(postgresDialect, `${schema}.`),
  ].join('\n')
}
