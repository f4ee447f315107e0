// What is SQLite's own about a snapshot: the words of the shared schema, and the header that tells a snapshot file from
// any other database.
import type { Dialect } from '../schema.ts'

/** "PReg" in ASCII, in the header of every snapshot file. */
export const applicationId = 0x50526567

export const sqliteDialect: Dialect = {
  types: { integer: 'INTEGER', text: 'TEXT', bytes: 'BLOB' },
  // Rows found by a text are stored in its order, so that those of a prefix lie next to each other.
  tableOptions: ({ columns, key }) => (columns[key] === 'text' ? ' STRICT, WITHOUT ROWID' : ' STRICT'),
  field: (name) => `json_extract(wire, '$.${name}')`,
}
