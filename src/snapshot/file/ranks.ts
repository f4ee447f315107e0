// Verifies that a snapshot file really lacks what a read has not found. A checksum shows that a row which was found is
// correct, but damage to a B-tree of the file can hide rows. So terms and codes have ranks: their places in the order
// of all terms or of all codes, from 0. If the ranks of two neighbours follow each other, nothing is hidden between
// them.
import { toMissingRow, type Value, verifyChecksum } from '../checksum.ts'
import { readNumberedRow, type Statements } from './statements.ts'
import { toTermEntry, toUint32Array } from './stored-rows.ts'

/** How many records have their ranks in one row of `code_rank_chunk`. */
export const codeRankChunkRecords = 4096

/** A term or a folded code with its rank. */
interface Ranked {
  readonly key: string
  readonly rank: number
}

/** What a read has found, with its neighbours. */
interface Found {
  /** The table, for the message. */
  readonly table: string
  /** The last row before the range that was read, and the first one after it; undefined at an end of the table. */
  readonly before: Ranked | undefined
  readonly after: Ranked | undefined
  /** The ranks of the rows that were found, in order. */
  readonly ranks: readonly number[]
  /** The number of rows in the whole table. */
  readonly total: number
}

/** The bounds of a read, both included: terms or folded codes, which need not exist. */
interface KeyRange {
  readonly first: string
  readonly last: string
}

/**
 * The index of the rank in a row of `entriesBetween`, `entryBefore` and `entryAfter` (statements.ts). The checksum
 * need not cover it, because a wrong rank does not fit the ranks of the rows before and after it.
 */
const rankColumn = 7

/**
 * `rows` are the rows of `term_entry` in the range that were found. Throws `ChecksumMismatch` if the table has more.
 * `total` is the number of all terms.
 */
export function verifyTermsFound(
  statements: Statements,
  range: KeyRange,
  rows: readonly Value[][],
  total: number,
): void {
  const before = toRankedTerm(statements.entryBefore.get(range.first))
  const after = toRankedTerm(statements.entryAfter.get(range.last))
  const ranks = rows.map((row) => row[rankColumn] as number)
  if (!areOutside(before, range, after)) throw toMissingRow('term_entry')
  verifyConsecutive({ table: 'term_entry', before, ranks, after, total })
}

/** Throws `ChecksumMismatch` if a record has the folded code after all. `total` is the number of all records. */
export function verifyCodeAbsent(statements: Statements, foldedCode: string, total: number): void {
  const before = toRankedCode(statements, statements.codeBefore.get(foldedCode))
  const after = toRankedCode(statements, statements.codeAfter.get(foldedCode))
  if (!areOutside(before, { first: foldedCode, last: foldedCode }, after)) throw toMissingRow('record')
  verifyConsecutive({ table: 'record', before, ranks: [], after, total })
}

/** Whether the neighbours of a range are outside it. They may be inside if damage to the B-tree has misled the read. */
function areOutside(before: Ranked | undefined, { first, last }: KeyRange, after: Ranked | undefined): boolean {
  if (before !== undefined && compareBytes(before.key, first) >= 0) return false
  return after === undefined || compareBytes(after.key, last) > 0
}

/** Throws `ChecksumMismatch` unless the ranks are consecutive. The first in the table is 0, the last `total - 1`. */
function verifyConsecutive({ table, before, ranks, after, total }: Found): void {
  let previous = before?.rank ?? -1
  for (const rank of [...ranks, after?.rank ?? total]) {
    if (rank !== previous + 1) throw toMissingRow(table)
    previous = rank
  }
}

/** Throws `ChecksumMismatch` if the row is damaged. */
function toRankedTerm(row: unknown): Ranked | undefined {
  if (row === undefined) return undefined
  const values = row as Value[]
  return { key: toTermEntry(values).key, rank: values[rankColumn] as number }
}

/** Throws `ChecksumMismatch` if the row, or the chunk that contains its rank, is damaged. */
function toRankedCode(statements: Statements, row: unknown): Ranked | undefined {
  if (row === undefined) return undefined
  const [position, foldedCode, wire, checksum] = row as [number, string, string, number]
  verifyChecksum('record', [position, foldedCode, wire], checksum)
  const chunkNumber = Math.floor(position / codeRankChunkRecords)
  const chunk = toUint32Array(readNumberedRow(statements.codeRankChunk, 'code_rank_chunk', chunkNumber))
  // If the chunk has too few ranks, the rank is NaN, so that `verifyConsecutive` throws. It would take undefined for
  // the end of the table.
  return { key: foldedCode, rank: chunk[position % codeRankChunkRecords] ?? Number.NaN }
}

/** Compares UTF-8 bytes, as SQLite does; `<` would compare UTF-16 units and order some characters differently. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
