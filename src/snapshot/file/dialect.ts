// SQLite dialect of the shared schema, and the application id that identifies a snapshot file.
import type { Dialect } from '../schema.ts'

/** "PReg" in ASCII, in the header of every snapshot file. */
export const applicationId = 0x50526567

export const sqliteDialect: Dialect = {
  types: { integer: 'INTEGER', text: 'TEXT', bytes: 'BLOB' },
  // Without a rowid, rows with a text key are stored in the order of the key: the terms of a prefix are adjacent.
  tableOptions: ({ columns, key }) => (columns[key] === 'text' ? ' STRICT, WITHOUT ROWID' : ' STRICT'),
  field: (name) => `json_extract(wire, '$.${name}')`,
}
