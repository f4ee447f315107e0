// Reads the tables of a registry file, to compare two files with the same records.
import { hash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

/** A hash of the rows of each table, those of the full-text indexes included, by the name of the table. */
export function readTables(path: string): Record<string, string> {
  using database = new DatabaseSync(path, { readOnly: true, returnArrays: true })
  // `property` and `change` contain times of publication. A full-text index is stored in other tables.
  const names = database
    .prepare(
      `SELECT name FROM sqlite_schema
       WHERE type = 'table' AND name NOT IN ('property', 'change') AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name`,
    )
    .all() as unknown as [string][]
  const toHash = (name: string): string => {
    const rows = database.prepare(`SELECT * FROM ${name}`).all() as unknown as unknown[][]
    return hash(
      'sha256',
      JSON.stringify(rows, (_, value) => (value instanceof Uint8Array ? value.toBase64() : value)),
    )
  }
  return Object.fromEntries(names.map(([name]) => [name, toHash(name)]))
}
