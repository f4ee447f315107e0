// One row as a source delivers it, before its cells are interpreted.

/** `expected` says how the row should be written, and `value` is the part of it that is written otherwise. */
export interface ParseFault {
  readonly expected: string
  readonly value: string
}

export interface Row {
  /**
   * Where the row begins, counted from 1: a line of a text file, a row of a sheet, a row of a query result, or a record
   * of a JSON file without line breaks (`Layout.countsRecords`).
   */
  readonly line: number
  /** Each cell has the index of its heading in `Layout.headings`. Undefined for a cell that the row does not have. */
  readonly cells: readonly (string | undefined)[]
  /** Set if the row cannot be split into cells reliably; such a row is rejected. */
  readonly parseFault?: ParseFault
}
