// The prepared statements with which FileStorage (file-storage.ts) reads a snapshot file. The functions of
// stored-rows.ts turn their rows into values and rely on the order of the columns here. The functions at the end of
// this file run a statement and check that no row is missing.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { longPrefixWordsMax } from '../../index/posting-list.ts'
import { t } from '../../language.ts'
import { ChecksumMismatch, toMissingRow, verifyChecksum } from '../checksum.ts'
import { includedColumns } from '../schema.ts'
import type { TextChunk } from '../segments.ts'
import { prepareReturningArrays } from './open-file.ts'
import { changeColumns } from './stored-rows.ts'

/** The columns for `toTermEntry` in stored-rows.ts, then the rank for ranks.ts. */
const entryColumns = 'term, records, skip_table, first_block, first_chunk, inline_block, checksum, rank'
/** The columns for `toWire`. */
const wireColumns = 'wire, folded_code, checksum'
/** The columns for ranks.ts. */
const codeColumns = 'position, folded_code, wire, checksum'
/** The columns for `toRecordRow`. */
const recordRowColumns = `${wireColumns}, ${includedColumns.join(', ')}, include_checksum`

/** Two statements that read the same columns of `record`. */
export interface RecordStatements {
  /** The record at a position. */
  readonly byPosition: StatementSync
  /** The records from one position to another, both included, in order. */
  readonly byRange: StatementSync
}

/** The statements, by what they read. */
export interface Statements {
  /** The entry of a term. */
  readonly entry: StatementSync
  /**
   * A page of entries: those from one term to another, both included, at most `longPrefixWordsMax`. After a full page
   * there may be more: the caller then reads the page that starts with the last term of this one.
   */
  readonly entriesBetween: StatementSync
  /**
   * The last entry before a term, and the first one after it. By the ranks of these neighbours, ranks.ts verifies that
   * damage hides no entry between them.
   */
  readonly entryBefore: StatementSync
  readonly entryAfter: StatementSync
  /** A posting block, by number, and a position chunk. Their names are the two `ChunkKind`s: `statements[kind]`. */
  readonly block: StatementSync
  readonly positions: StatementSync
  /** The text chunk that contains a segment, by the number of the segment. */
  readonly textChunk: StatementSync
  /** A row of `document_chunk` and of `municipality_chunk`, by number. */
  readonly documentChunk: StatementSync
  readonly municipalityChunk: StatementSync
  /** All chunks of the vocabulary. */
  readonly vocabularyChunks: StatementSync
  /** The wire format of records. */
  readonly wires: RecordStatements
  /** The wire format of records and the columns for the parameter `include`. */
  readonly recordRows: RecordStatements
  /** The record with a folded code. */
  readonly recordOfCode: StatementSync
  /** Like `entryBefore` and `entryAfter`, for a folded code: the neighbouring records in the order of codes. */
  readonly codeBefore: StatementSync
  readonly codeAfter: StatementSync
  /** A row of `code_rank_chunk`, by number. */
  readonly codeRankChunk: StatementSync
  /** The position of the first record after a date and a code in canonical order; null if there is none. */
  readonly firstAfter: StatementSync
  /** The changes from one number to another, both included. */
  readonly changes: StatementSync
  /** How many changes of each kind come after a number. */
  readonly changeCounts: StatementSync
}

export function prepareStatements(database: DatabaseSync): Statements {
  const prepare = (text: string): StatementSync => prepareReturningArrays(database, text)
  const prepareForRecords = (columns: string): RecordStatements => ({
    byPosition: prepare(`SELECT ${columns} FROM record WHERE position = ?`),
    byRange: prepare(`SELECT ${columns} FROM record WHERE position BETWEEN ? AND ? ORDER BY position`),
  })
  return {
    entry: prepare(`SELECT ${entryColumns} FROM term_entry WHERE term = ?`),
    entriesBetween: prepare(
      `SELECT ${entryColumns} FROM term_entry WHERE term BETWEEN ? AND ? ORDER BY term LIMIT ${longPrefixWordsMax}`,
    ),
    entryBefore: prepare(`SELECT ${entryColumns} FROM term_entry WHERE term < ? ORDER BY term DESC LIMIT 1`),
    entryAfter: prepare(`SELECT ${entryColumns} FROM term_entry WHERE term > ? ORDER BY term LIMIT 1`),
    block: prepare('SELECT bytes, checksum FROM posting_block WHERE number = ?'),
    positions: prepare('SELECT bytes, checksum FROM position_chunk WHERE number = ?'),
    // The chunk that contains a segment is the last one that starts at or before it.
    textChunk: prepare(
      `SELECT first_segment, bytes, checksum FROM text_chunk
       WHERE first_segment <= ? ORDER BY first_segment DESC LIMIT 1`,
    ),
    documentChunk: prepare('SELECT bytes, checksum FROM document_chunk WHERE number = ?'),
    municipalityChunk: prepare('SELECT bytes, checksum FROM municipality_chunk WHERE number = ?'),
    vocabularyChunks: prepare('SELECT number, bytes, checksum FROM vocabulary_chunk ORDER BY number'),
    wires: prepareForRecords(wireColumns),
    recordRows: prepareForRecords(recordRowColumns),
    recordOfCode: prepare('SELECT position, wire, checksum FROM record WHERE folded_code = ?'),
    codeBefore: prepare(`SELECT ${codeColumns} FROM record WHERE folded_code < ? ORDER BY folded_code DESC LIMIT 1`),
    codeAfter: prepare(`SELECT ${codeColumns} FROM record WHERE folded_code > ? ORDER BY folded_code LIMIT 1`),
    codeRankChunk: prepare('SELECT bytes, checksum FROM code_rank_chunk WHERE number = ?'),
    // In canonical order, newest first: the next code of the same day, else the first code of the latest earlier day.
    firstAfter: prepare(`
      SELECT coalesce(
        (SELECT position FROM record WHERE checkin_date = ?1 AND code > ?2 ORDER BY code LIMIT 1),
        (SELECT position FROM record WHERE checkin_date < ?1 ORDER BY checkin_date DESC, code LIMIT 1))`),
    changes: prepare(`SELECT ${changeColumns} FROM change WHERE number BETWEEN ? AND ? ORDER BY number`),
    changeCounts: prepare('SELECT kind, count(*) FROM change WHERE number > ? GROUP BY kind'),
  }
}

/**
 * Reads the record at each position and returns a value for each, in order. Consecutive positions take one query. If a
 * record is missing, `toValue` gets undefined in its place or, among consecutive positions, the row of the next record.
 * It must throw `ChecksumMismatch` then, and if the row is damaged.
 */
export function readAtPositions<T>(
  { byPosition, byRange }: RecordStatements,
  positions: readonly number[],
  toValue: (row: unknown, position: number) => T,
): T[] {
  const first = positions[0] ?? 0
  const areConsecutive = positions.every((position, index) => position === first + index)
  if (!areConsecutive) return positions.map((position) => toValue(byPosition.get(position), position))
  const rows = byRange.all(first, first + positions.length - 1)
  const values = rows.map((row, index) => toValue(row, first + index))
  // If only the last records are missing, `toValue` has got no wrong row.
  if (values.length < positions.length) throw toMissingRow('record')
  return values
}

/**
 * Returns the bytes of a row of a table with the columns `number`, `bytes` and `checksum`. Throws `ChecksumMismatch` if
 * the row is missing or damaged.
 */
export function readNumberedRow(statement: StatementSync, table: string, number: number): Uint8Array {
  const row = statement.get(number) as unknown as [Uint8Array, number] | undefined
  if (row === undefined) throw new ChecksumMismatch(t`row ${number} of the table ${table} is missing`)
  const [bytes, checksum] = row
  verifyChecksum(table, [number, bytes], checksum)
  return bytes
}

/**
 * Reads the row of `text_chunk` that contains the segment with this number. Throws `ChecksumMismatch` if the row is
 * missing or damaged.
 */
export function readTextChunk({ textChunk }: Statements, segmentNumber: number): TextChunk {
  const row = textChunk.get(segmentNumber) as unknown as
    | [firstSegment: number, bytes: Uint8Array, checksum: number]
    | undefined
  if (row === undefined) throw toMissingRow('text_chunk')
  const [firstSegment, bytes, checksum] = row
  verifyChecksum('text_chunk', [firstSegment, bytes], checksum)
  return { firstSegment, bytes }
}

/**
 * Returns the bytes of all rows of `vocabulary_chunk`, in order. `count` is how many rows there must be. Throws
 * `ChecksumMismatch` if one is missing or damaged.
 */
export function readVocabularyChunks({ vocabularyChunks }: Statements, count: number): Uint8Array[] {
  const rows = vocabularyChunks.all() as unknown as [number: number, bytes: Uint8Array, checksum: number][]
  if (rows.length < count) throw toMissingRow('vocabulary_chunk')
  // The rows are numbered from 0, so each checksum must match the index of its row. The number that was read is not
  // used: it would also match in a row whose predecessor is missing.
  for (const [index, [, bytes, checksum]] of rows.entries()) {
    verifyChecksum('vocabulary_chunk', [index, bytes], checksum)
  }
  return rows.map(([, bytes]) => bytes)
}
