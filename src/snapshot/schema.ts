// The tables of a snapshot, for both engines. On SQLite each snapshot has a file of its own, on PostgreSQL a schema of
// its own. The names, columns and contents of the tables are the same (docs/schema.md).
import { wireFields } from '../domain/record.ts'

/**
 * Increased when the tables, the posting lists or the analyser (which turns texts into words) change. A snapshot of
 * another format is not served.
 */
export const formatVersion = 19

/** Types of columns on both engines (`Dialect.types`). A boolean is the integer 0 or 1. */
export type ColumnType = 'integer' | 'text' | 'bytes'

export interface Table {
  readonly name: string
  /** The type of each column by its name, in the order of the columns. A question mark after the type allows null. */
  readonly columns: Readonly<Record<string, ColumnType | `${ColumnType}?`>>
  /** The column that is the primary key. Rows are digested and copied in its order. */
  readonly key: string
  /**
   * Columns that the column `checksum` covers, in order. Absent if the table has no column `checksum`. A table without
   * it is small and is read as a whole when a snapshot is opened; in a file it is then verified by its digest
   * (`digestTable`).
   */
  readonly checksummed?: readonly string[]
}

/**
 * Columns of `record`. The column `include_checksum` covers the position and then these, in order. They are read for a
 * request with the parameter `include`, for the codes and texts of records, and to find the first record after a
 * cursor.
 */
export const includedColumns = ['code', 'checkin_date', 'ine_code', 'documents', 'first_segment'] as const

/** The tables in the order in which they are created and copied. docs/schema.md explains their contents. */
export const tables: readonly Table[] = [
  { name: 'property', columns: { name: 'text', value: 'text' }, key: 'name' },
  { name: 'year', columns: { year: 'integer', first: 'integer', records: 'integer' }, key: 'year' },
  {
    name: 'municipality',
    columns: {
      number: 'integer',
      name: 'text',
      ine_code: 'text?',
      other_names: 'text',
      keys: 'text',
      records: 'integer',
      first_year: 'integer',
      last_year: 'integer',
    },
    key: 'number',
  },
  {
    name: 'record',
    columns: {
      position: 'integer',
      code: 'text',
      folded_code: 'text',
      checkin_date: 'text',
      ine_code: 'text?',
      has_text: 'integer',
      digest: 'bytes',
      wire: 'text',
      documents: 'text',
      first_segment: 'integer',
      include_checksum: 'integer',
      checksum: 'integer',
    },
    key: 'position',
    checksummed: ['position', 'folded_code', 'wire'],
  },
  {
    name: 'text_chunk',
    columns: { first_segment: 'integer', bytes: 'bytes', checksum: 'integer' },
    key: 'first_segment',
    checksummed: ['first_segment', 'bytes'],
  },
  toNumberedTable('document_chunk'),
  {
    name: 'change',
    columns: { number: 'integer', kind: 'text', code: 'text', at: 'text', checksum: 'integer' },
    key: 'number',
    checksummed: ['number', 'kind', 'code', 'at'],
  },
  toNumberedTable('municipality_chunk'),
  toNumberedTable('code_rank_chunk'),
  {
    name: 'term_entry',
    columns: {
      term: 'text',
      rank: 'integer',
      records: 'integer',
      skip_table: 'bytes',
      first_block: 'integer',
      first_chunk: 'integer?',
      inline_block: 'bytes?',
      checksum: 'integer',
    },
    key: 'term',
    // `rank`, the place of the term in the order of all terms, is left out: a wrong rank is found when it is
    // compared with the ranks of the terms before and after it (file/ranks.ts).
    checksummed: ['term', 'records', 'skip_table', 'first_block', 'first_chunk', 'inline_block'],
  },
  toNumberedTable('vocabulary_chunk'),
  toNumberedTable('posting_block'),
  toNumberedTable('position_chunk'),
]

/** A table of numbered binary rows. */
function toNumberedTable(name: string): Table {
  return {
    name,
    columns: { number: 'integer', bytes: 'bytes', checksum: 'integer' },
    key: 'number',
    checksummed: ['number', 'bytes'],
  }
}

/** The table that contains a digest (SHA-256 of all rows, checksum.ts) of each of the `tables`. */
export const digestTable: Table = {
  name: 'table_digest',
  columns: { name: 'text', rows: 'integer', sha256: 'text' },
  key: 'name',
}

/** Find a record by its code, and the first record after a cursor or a day. They are created after all rows. */
export const indexes: readonly { readonly name: string; readonly on: string; readonly isUnique: boolean }[] = [
  { name: 'record_code', on: 'record (folded_code)', isUnique: true },
  { name: 'record_order', on: 'record (checkin_date DESC, code)', isUnique: false },
]

/** SQL that differs between the engines. */
export interface Dialect {
  readonly types: Readonly<Record<ColumnType, string>>
  /** SQL after the columns of `CREATE TABLE`. */
  tableOptions(table: Table): string
  /** SQL expression for a field of the column `wire`, which is JSON. */
  field(name: string): string
}

/**
 * The statement that creates a table. `prefix` is the name of the schema with its dot, such as `registry_1_0a1b2c3d.`;
 * SQLite needs none.
 */
export function toCreateTable(table: Table, dialect: Dialect, prefix = ''): string {
  const columns = Object.entries(table.columns).map(([column, type]) => {
    const notNull = type.endsWith('?') ? '' : ' NOT NULL'
    const key = column === table.key ? ' PRIMARY KEY' : ''
    return `${column} ${dialect.types[type.replace('?', '') as ColumnType]}${notNull}${key}`
  })
  return `CREATE TABLE ${prefix}${table.name} (${columns.join(', ')})${dialect.tableOptions(table)};`
}

/** The statements that create the `indexes`. `prefix` as in `toCreateTable`. */
export function toCreateIndexes(prefix = ''): string {
  return indexes
    .map(({ name, on, isUnique }) => `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX ${name} ON ${prefix}${on};`)
    .join('\n')
}

/**
 * The statement that creates the view `expediente`: the records with their fields as columns, for people who use SQL.
 * `prefix` as in `toCreateTable`.
 */
export function toCreateView(dialect: Dialect, prefix = ''): string {
  // `checkin_date` is left out, because the table has it as a column.
  const fields = wireFields.filter((name) => name !== 'checkin_date').map((name) => `${dialect.field(name)} AS ${name}`)
  return `CREATE VIEW ${prefix}expediente AS
    SELECT position, code AS cod_archivo, checkin_date, ine_code, ${fields.join(', ')} FROM ${prefix}record;`
}
