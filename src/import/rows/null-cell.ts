// What database exports write for a null value. It counts as an empty cell.

/** Whether a cell is `NULL` or `\N`, with white space around it or without. */
export function isNull(cell: string): boolean {
  const text = cell.trim()
  return text === 'NULL' || text === '\\N'
}
