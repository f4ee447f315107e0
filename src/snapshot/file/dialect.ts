// SQLite dialect of the tables that SQLite and PostgreSQL share (../schema.ts), and the application id that identifies
// a snapshot file.
import type { Dialect } from '../schema.ts'

/** "PReg" in ASCII. SQLite stores it in the header of the file. */
export const applicationId = 0x50526567

export const sqliteDialect: Dialect = {
  types: { integer: 'INTEGER', text: 'TEXT', bytes: 'BLOB' },
  // A table WITHOUT ROWID is a B-tree of its primary key, so all terms with one prefix are next to each other. A table
  // with an integer key is such a B-tree anyway, because the key is the rowid.
  tableOptions: ({ columns, key }) => (columns[key] === 'text' ? ' STRICT, WITHOUT ROWID' : ' STRICT'),
  // SQL expression for a field of the wire format, which is JSON.
  field: (name) => `json_extract(wire, '$.${name}')`,
}
