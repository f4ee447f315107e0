// Reads and damages snapshot files for tests.
import { readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** The stored digests (SHA-256) of all tables but `property` and `change`, which contain times of publication. */
export function readDigests(path: string): unknown[] {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return database
      .prepare(`SELECT name, rows, sha256 FROM table_digest WHERE name NOT IN ('property', 'change')`)
      .all()
  } finally {
    database.close()
  }
}

/** Changes one letter of a field name in the wire format (JSON) of every record. */
export function damageRecords(path: string): void {
  const bytes = readFileSync(path)
  let offset = bytes.indexOf(fieldName)
  while (offset >= 0) {
    bytes.write(damagedFieldName, offset)
    offset = bytes.indexOf(fieldName, offset + 1)
  }
  writeFileSync(path, bytes)
}

// Both names have the same length, so that the file keeps its size.
const fieldName = '"municipality":"'
const damagedFieldName = '"municipalitx":"'
