// What the tests look at and do to a snapshot file from outside.
import { readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** The digest of every table, without that of the properties: one of them is the time of publication. */
export function readDigests(path: string): unknown[] {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return database.prepare(`SELECT name, rows, sha256 FROM table_digest WHERE name <> 'property'`).all()
  } finally {
    database.close()
  }
}

/** Misspells a name that every record has, wherever it stands in the file. */
export function damageRecords(path: string): void {
  const bytes = readFileSync(path)
  for (let at = bytes.indexOf(field); at >= 0; at = bytes.indexOf(field, at + 1)) bytes.write('"municipalitx":"', at)
  writeFileSync(path, bytes)
}

const field = '"municipality":"'
