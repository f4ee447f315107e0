// Finds a CSV record that contains another row, because a quote was not closed. Here the quote of the first line is
// closed by the one of the third line, so the parser makes one record of three cells, and the second cell has a row:
//
//   05019-1,"Plan A,Ávila
//   05019-2,Plan B,Ávila
//   05019-3,Plan C",Ávila
import type { Layout } from '../rows/layout.ts'
import type { Dialect } from './csv-records.ts'

/** A shorter form is not compared: `a`, for the prefix of `A-1`, would match ordinary text too. */
const formCharactersMin = 3

/**
 * Whether one of the cells contains another row, so that `parseRecords` rejects the first line of the record and parses
 * the next lines again. The later lines of each cell are looked at, except in `content`, which may quote tables.
 */
export function containsRow(cells: readonly string[], layout: Layout, { delimiter, newline }: Dialect): boolean {
  const codeIndex = layout.indexOf('code') ?? layout.indexOf('prefix')
  if (codeIndex === undefined || layout.headings.length === 0) return false
  const isRowStart = toRowTest(cells[codeIndex] ?? '', layout)
  const contentIndex = layout.indexOf('content')
  return cells.some((cell, index) => {
    if (index === contentIndex || !cell.includes(newline)) return false
    const areFieldsOfRow = cell.split(delimiter).length >= layout.headings.length
    const [, ...laterLines] = cell.split(newline)
    return laterLines.some((line) => {
      const fields = line.split(delimiter)
      const hasFieldAfterCode = fields.length > codeIndex + 1
      return hasFieldAfterCode && isRowStart(fields[codeIndex]?.trim() ?? '', areFieldsOfRow)
    })
  })
}

/**
 * Returns a test of whether a field is the code of a row. It is if it has the same form as `ownCode`, the code of the
 * record: `05019-2` for `05019-1`. Any other code counts only if `areFieldsOfRow` is true: the cell with the field has
 * at least as many fields as there are headings. In a source without `code`, `ownCode` and the field are prefixes, of
 * which only the form can be compared.
 */
function toRowTest(ownCode: string, layout: Layout): (field: string, areFieldsOfRow: boolean) => boolean {
  const hasCodeColumn = layout.indexOf('code') !== undefined
  const toForm = (code: string): string => (hasCodeColumn ? toCodeForm(code, layout) : toPrefixForm(code))
  const ownForm = toForm(ownCode)
  return (field, areFieldsOfRow) =>
    (ownForm.length >= formCharactersMin && toForm(field) === ownForm) ||
    (areFieldsOfRow && hasCodeColumn && layout.isCode(field))
}

/** Returns the form of the prefix of a code: `00000-aa` for `05019-PU-1101`. Empty if the text is not a code. */
function toCodeForm(text: string, { isCode }: Layout): string {
  const code = text.trim()
  // A code of `--code-pattern` may have no hyphen; then the form of the whole code is compared.
  const hyphen = code.lastIndexOf('-')
  return isCode(code) ? toPrefixForm(hyphen === -1 ? code : code.slice(0, hyphen)) : ''
}

/** Returns the prefix with `0` for every digit and `a` for every letter: `00000-aa` for `05019-PU`. */
function toPrefixForm(prefix: string): string {
  return prefix.trim().replace(/\p{N}/gu, '0').replace(/\p{L}/gu, 'a')
}
