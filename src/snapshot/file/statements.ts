// The prepared statements with which FileStorage (file-storage.ts) reads a snapshot file. The functions of
// stored-rows.ts turn the rows into values; they rely on the order of the columns here.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { longPrefixWordsMax } from '../../index/posting-list.ts'
import { t } from '../../language.ts'
import { ChecksumMismatch, verifyChecksum } from '../checksum.ts'
import { includedColumns } from '../schema.ts'
import { prepareReturningArrays } from './open-file.ts'
import { changeColumns } from './stored-rows.ts'

/** Reads the same columns of one record (`at` a position) and of consecutive ones (`between` two, both included). */
export interface RecordStatements {
  readonly at: StatementSync
  readonly between: StatementSync
}

/** The columns of `toTermEntry`, `toWire`, `toIncludedColumns` and `toRecordRow` in stored-rows.ts. */
const entryColumns = 'term, records, skip_table, first_block, first_chunk, inline_block, checksum'
const wireColumns = 'wire, folded_code, checksum'
const includedRowColumns = `${includedColumns.join(', ')}, include_checksum`
const rowColumns = `${wireColumns}, ${includedRowColumns}`

/** The statements that `FileStorage` uses, by what they read. */
export interface Statements {
  readonly entry: StatementSync
  readonly entriesBetween: StatementSync
  readonly block: StatementSync
  readonly positions: StatementSync
  readonly textChunk: StatementSync
  readonly documentChunk: StatementSync
  readonly municipalityChunk: StatementSync
  readonly vocabularyChunks: StatementSync
  readonly wires: RecordStatements
  readonly rows: RecordStatements
  readonly recordOfCode: StatementSync
  readonly positionOfCode: StatementSync
  readonly changes: StatementSync
  readonly changeCounts: StatementSync
  readonly included: StatementSync
  readonly firstAfter: StatementSync
}

export function prepareStatements(database: DatabaseSync): Statements {
  const prepare = (text: string): StatementSync => prepareReturningArrays(database, text)
  const prepareForRecords = (columns: string): RecordStatements => ({
    at: prepare(`SELECT ${columns} FROM record WHERE position = ?`),
    between: prepare(`SELECT ${columns} FROM record WHERE position BETWEEN ? AND ? ORDER BY position`),
  })
  return {
    entry: prepare(`SELECT ${entryColumns} FROM term_entry WHERE term = ?`),
    entriesBetween: prepare(
      `SELECT ${entryColumns} FROM term_entry WHERE term >= ? AND term < ? ORDER BY term LIMIT ${longPrefixWordsMax}`,
    ),
    block: prepare('SELECT bytes, checksum FROM posting_block WHERE number = ?'),
    positions: prepare('SELECT bytes, checksum FROM position_chunk WHERE number = ?'),
    /** The chunk that contains a segment is the last one that starts at or before it. */
    textChunk: prepare(
      `SELECT first_segment, bytes, checksum FROM text_chunk
       WHERE first_segment <= ? ORDER BY first_segment DESC LIMIT 1`,
    ),
    documentChunk: prepare('SELECT bytes, checksum FROM document_chunk WHERE number = ?'),
    municipalityChunk: prepare('SELECT bytes, checksum FROM municipality_chunk WHERE number = ?'),
    vocabularyChunks: prepare('SELECT number, bytes, checksum FROM vocabulary_chunk ORDER BY number'),
    wires: prepareForRecords(wireColumns),
    rows: prepareForRecords(rowColumns),
    recordOfCode: prepare('SELECT position, wire, checksum FROM record WHERE folded_code = ?'),
    positionOfCode: prepare('SELECT position FROM record WHERE folded_code = ?'),
    changes: prepare(`SELECT ${changeColumns} FROM change WHERE number BETWEEN ? AND ? ORDER BY number`),
    changeCounts: prepare('SELECT kind, count(*) FROM change WHERE number > ? GROUP BY kind'),
    included: prepare(`SELECT ${includedRowColumns} FROM record WHERE position = ?`),
    /** In canonical order, newest first: the next code of the same day, else the first code of an earlier day. */
    firstAfter: prepare(`
      SELECT coalesce(
        (SELECT position FROM record WHERE checkin_date = ?1 AND code > ?2 ORDER BY code LIMIT 1),
        (SELECT position FROM record WHERE checkin_date < ?1 ORDER BY checkin_date DESC, code LIMIT 1))`),
  }
}

/** Reads a value from the row of each position, in order; consecutive positions in one query. */
export function readAtPositions<T>(
  { at, between }: RecordStatements,
  positions: readonly number[],
  toValue: (row: unknown) => T,
): T[] {
  const first = positions[0] ?? 0
  const areConsecutive = positions.every((position, index) => position === first + index)
  if (!areConsecutive) return positions.map((position) => toValue(at.get(position)))
  const values = between.all(first, first + positions.length - 1).map(toValue)
  if (values.length < positions.length) throw new ChecksumMismatch(t`a row of the table ${'record'} is missing`)
  return values
}

/** The bytes of a numbered row. Throws `ChecksumMismatch` if the row is missing or damaged. */
export function readNumberedRow(statement: StatementSync, table: string, number: number): Uint8Array {
  const row = statement.get(number) as unknown as [Uint8Array, number] | undefined
  if (row === undefined) throw new ChecksumMismatch(t`row ${number} of the table ${table} is missing`)
  verifyChecksum(table, [number, row[0]], row[1])
  return row[0]
}
