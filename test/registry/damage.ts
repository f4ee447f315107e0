// Damages registry files for tests.
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Changes one letter of a field name in the wire format (JSON) of every record. SQLite does not notice that; `check`
 * finds it by the digests of the records.
 */
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

/** Fills all pages of the database but the first with zeros. SQLite notices that as soon as it reads one of them. */
export function damagePages(path: string): void {
  const bytes = readFileSync(path)
  // The header has the size of a page at offset 16.
  writeFileSync(path, bytes.fill(0, bytes.readUInt16BE(16)))
}
