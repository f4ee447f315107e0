// The tables of a snapshot, written once for both engines. SQLite keeps them in a file of their own, PostgreSQL in a
// schema of their own; names, columns and contents are the same (docs/schema.md).

/** Changes with the tables, the format of posting lists or the analyser. A snapshot of another format is not served. */
export const formatVersion = 8

export type ColumnType = 'integer' | 'text' | 'bytes'

export interface Table {
  readonly name: string
  /** In this order. A question mark behind the type allows null. */
  readonly columns: Readonly<Record<string, ColumnType | `${ColumnType}?`>>
  /** The column of the primary key; rows are read, digested and copied in its order. */
  readonly key: string
  /** Columns that `checksum` covers, in order. Tables that are read whole when a snapshot is opened have none. */
  readonly checksummed?: readonly string[]
}

/** In the order in which they are written and copied. */
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
      checksum: 'integer',
    },
    key: 'position',
    checksummed: ['folded_code', 'wire'],
  },
  {
    name: 'municipality_chunk',
    columns: { number: 'integer', bytes: 'bytes', checksum: 'integer' },
    key: 'number',
    checksummed: ['number', 'bytes'],
  },
  {
    name: 'term_entry',
    columns: {
      term: 'text',
      records: 'integer',
      skip_table: 'bytes',
      first_block: 'integer',
      first_chunk: 'integer?',
      inline_block: 'bytes?',
      checksum: 'integer',
    },
    key: 'term',
    checksummed: ['term', 'records', 'skip_table', 'first_block', 'first_chunk', 'inline_block'],
  },
  {
    name: 'posting_block',
    columns: { number: 'integer', bytes: 'bytes', checksum: 'integer' },
    key: 'number',
    checksummed: ['number', 'bytes'],
  },
  {
    name: 'position_chunk',
    columns: { number: 'integer', bytes: 'bytes', checksum: 'integer' },
    key: 'number',
    checksummed: ['number', 'bytes'],
  },
]

/** Not among `tables`: it holds their digests. */
export const digestTable: Table = {
  name: 'table_digest',
  columns: { name: 'text', rows: 'integer', sha256: 'text' },
  key: 'name',
}

/** To find a record by its code, and the position behind a cursor. Built once the rows are there. */
export const indexes: readonly { readonly name: string; readonly on: string; readonly isUnique: boolean }[] = [
  { name: 'record_code', on: 'record (folded_code)', isUnique: true },
  { name: 'record_order', on: 'record (checkin_date DESC, code)', isUnique: false },
]

/** The words in which the engines differ. */
export interface Dialect {
  readonly types: Readonly<Record<ColumnType, string>>
  /** Behind the columns of a table. */
  tableOptions(table: Table): string
  /** A field of the wire form, which is JSON. */
  field(name: string): string
}

export function toCreateTable(table: Table, dialect: Dialect, prefix = ''): string {
  const columns = Object.entries(table.columns).map(([column, type]) => {
    const notNull = type.endsWith('?') ? '' : ' NOT NULL'
    const key = column === table.key ? ' PRIMARY KEY' : ''
    return `${column} ${dialect.types[type.replace('?', '') as ColumnType]}${notNull}${key}`
  })
  return `CREATE TABLE ${prefix}${table.name} (${columns.join(', ')})${dialect.tableOptions(table)};`
}

export function toCreateIndexes(prefix = ''): string {
  return indexes
    .map(({ name, on, isUnique }) => `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX ${name} ON ${prefix}${on};`)
    .join('\n')
}

const wireFields = [
  'id',
  'registration_number',
  'title',
  'area',
  'inscription_date',
  'municipality',
  'links',
  'agreement_link',
]

/** A view for people with an SQL tool: every record with its fields by name. */
export function toCreateView(dialect: Dialect, prefix = ''): string {
  const fields = wireFields.map((name) => `${dialect.field(name)} AS ${name}`)
  return `CREATE VIEW ${prefix}expediente AS
    SELECT position, code AS cod_archivo, checkin_date, ine_code, ${fields.join(', ')} FROM ${prefix}record;`
}
