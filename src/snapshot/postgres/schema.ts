// What is PostgreSQL's own about snapshots: `registry.snapshot` lists them, and each has a schema of its own with the
// tables that both engines share (../schema.ts).
import { type Dialect, digestTable, formatVersion, tables, toCreateTable, toCreateView } from '../schema.ts'
import type { Question } from './connection.ts'

/** A snapshot that a host holds. */
export interface SnapshotEntry {
  readonly number: number
  /** Its schema. Holds the content's id beside the number: after a fail-over that lost one, a number may come twice. */
  readonly name: string
  readonly id: string
  readonly format: number
  readonly records: number
  readonly fictional: boolean
  readonly publishedAt: Date
}

export const bookkeeping = `
  CREATE SCHEMA IF NOT EXISTS registry;
  CREATE TABLE IF NOT EXISTS registry.snapshot (
    number integer PRIMARY KEY, name text NOT NULL, id text NOT NULL,
    format integer NOT NULL, records integer NOT NULL, fictional boolean NOT NULL,
    published_at timestamptz NOT NULL, retired_at timestamptz
  );
  CREATE UNIQUE INDEX IF NOT EXISTS one_in_service ON registry.snapshot ((true)) WHERE retired_at IS NULL;
`

/** One row: whether the host is a standby, and its snapshots. */
export const statusQuestion: Question = {
  text: `
    SELECT pg_is_in_recovery(), (
      SELECT json_agg(json_build_array(
        number, name, id, format, records, fictional, extract(epoch FROM published_at)))::text
      FROM registry.snapshot)`,
}

export function toEntry(row: readonly unknown[]): SnapshotEntry {
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

/** The newest that this version can read. One of another version is in service while servers are being upgraded. */
export function newestOf(entries: readonly SnapshotEntry[]): SnapshotEntry | undefined {
  return entries.filter(({ format }) => format === formatVersion).sort((a, b) => b.number - a.number)[0]
}

export const postgresDialect: Dialect = {
  // Texts compare by byte, as in SQLite.
  types: { integer: 'integer', text: 'text COLLATE "C"', bytes: 'bytea' },
  // Rows never change and are loaded frozen, so there is nothing to vacuum.
  tableOptions: () => ' WITH (autovacuum_enabled = off)',
  field: (name) => `(wire::json ->> '${name}')`,
}

/** Makes the schema of a snapshot with its tables, which are loaded before anything is indexed. */
export function createTables(schema: string): string {
  const all = [...tables, digestTable]
  const created = all.map((table) => toCreateTable(table, postgresDialect, `${schema}.`))
  // Posting lists are packed already: trying to compress them would only cost time.
  const packed = all.flatMap(({ name, columns }) =>
    Object.entries(columns)
      .filter(([, type]) => type.startsWith('bytes'))
      .map(([column]) => `ALTER TABLE ${schema}.${name} ALTER ${column} SET STORAGE EXTERNAL;`),
  )
  return [`CREATE SCHEMA ${schema};`, ...created, ...packed, toCreateView(postgresDialect, `${schema}.`)].join('\n')
}
