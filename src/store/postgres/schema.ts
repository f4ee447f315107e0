// The tables on PostgreSQL: `registry.snapshot` lists the snapshots there are, and each has a schema of its own with
// what a snapshot file holds, its strips as tables like the others. All statements read by primary key, which is what a
// distributed table needs.
import { formatVersion } from '../sqlite/schema.ts'
import type { StripName } from '../sqlite/strip.ts'
import type { Question } from './link.ts'

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

/** A column of a table, and how `COPY` is given it. */
export type ColumnKind = 'integer' | 'text' | 'bytea' | 'integer[]'

export interface SnapshotTable {
  readonly name: string
  readonly columns: Readonly<Record<string, ColumnKind>>
  readonly key: string
  /** The strip of a snapshot file that it is made of, else the table of the same name. */
  readonly strip?: StripName
}

/** The tables of a snapshot, in the order in which they are loaded. Texts compare by byte, as in a snapshot file. */
export const snapshotTables: readonly SnapshotTable[] = [
  { name: 'year', columns: { year: 'integer', first: 'integer', records: 'integer' }, key: 'year' },
  {
    name: 'municipality',
    columns: {
      number: 'integer',
      name: 'text',
      ine_code: 'text',
      other_names: 'text',
      keys: 'text',
      records: 'integer',
      first_year: 'integer',
      last_year: 'integer',
    },
    key: 'number',
  },
  { name: 'municipality_records', columns: { one: 'integer', numbers: 'bytea', records: 'bytea' }, key: 'one' },
  {
    name: 'record',
    columns: {
      position: 'integer',
      code: 'text',
      folded_code: 'text',
      checkin_date: 'text',
      digest: 'bytea',
      has_text: 'integer',
      wire: 'text',
    },
    key: 'position',
    strip: 'record',
  },
  {
    name: 'list',
    columns: {
      key: 'text',
      records: 'integer',
      // As an array, so that the server can find the block of a record itself.
      lasts: 'integer[]',
      first_block: 'integer',
      first_place: 'integer',
      inline: 'bytea',
    },
    key: 'key',
    strip: 'head',
  },
  { name: 'block', columns: { number: 'integer', bytes: 'bytea' }, key: 'number', strip: 'block' },
  { name: 'place', columns: { number: 'integer', bytes: 'bytea' }, key: 'number', strip: 'place' },
]

/** Rows never change and are loaded frozen, so there is nothing to vacuum. */
export function createTables(schema: string): string {
  const tables = snapshotTables.map(({ name, columns }) => {
    const list = Object.entries(columns).map(([column, kind]) => `${column} ${kind === 'text' ? textType : kind}`)
    // Posting lists are packed already: to try and compress them would only cost time.
    const packed = Object.entries(columns).filter(([, kind]) => kind === 'bytea')
    const storage = packed.map(([column]) => `ALTER TABLE ${schema}.${name} ALTER ${column} SET STORAGE EXTERNAL;`)
    return `CREATE TABLE ${schema}.${name} (${list.join(', ')}) WITH (autovacuum_enabled = off); ${storage.join(' ')}`
  })
  return `CREATE SCHEMA ${schema}; ${tables.join(' ')}`
}

const textType = 'text COLLATE "C"'

/** Built once the rows are there. The last finds the place of a cursor in the canonical order. */
export function createIndexes(schema: string): string {
  const keys = snapshotTables.map(({ name, key }) => `ALTER TABLE ${schema}.${name} ADD PRIMARY KEY (${key});`)
  return `${keys.join(' ')}
    CREATE UNIQUE INDEX record_code ON ${schema}.record (folded_code);
    CREATE INDEX record_order ON ${schema}.record (checkin_date DESC, code);`
}
