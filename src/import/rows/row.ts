// One row as a source delivers it, before its cells are interpreted.

export interface Row {
  /** Line, sheet row or record of the source, counted from 1. */
  readonly line: number
  /** By index of `Layout.headings`. */
  readonly cells: readonly (string | undefined)[]
  /** Set when the row cannot be split into cells reliably; such a row is rejected. */
  readonly broken?: { readonly expected: string; readonly value: string }
}
