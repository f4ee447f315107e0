// One row as a source delivers it, before its cells are interpreted.

/** `expected` says how the row should be written, and `value` what it has instead. */
export interface ParseFault {
  readonly expected: string
  readonly value: string
}

export interface Row {
  /**
   * Where the row begins, counted from 1: a line of a text file, a row of a sheet or of a query result, or, in a JSON
   * file whose records are not on lines of their own, the number of the record (`Layout.countsRecords`).
   */
  readonly line: number
  /**
   * Each cell has the index of its heading in `Layout.headings`. Undefined for a cell that the row does not have. A row
   * that could not be split into cells may have its whole text as the only cell.
   */
  readonly cells: readonly (string | undefined)[]
  /** Set if the row could not be read reliably, for example because of an unclosed quote. Such a row is rejected. */
  readonly parseFault?: ParseFault
}

/**
 * Limit of a record as its source writes it, and of its content: the column `content` and the text of its documents,
 * about 4,000 pages together. Both limits are one number, because nearly all of a record may be its content. A longer
 * record in a source is probably an unclosed quote. A longer content could fill the memory: indexing a text in which
 * every word is different takes a hundred times its size.
 */
export const recordCharactersMax: number = 8 * 1024 * 1024
