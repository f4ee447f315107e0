// The columns that an import reads, and how a heading of a source is compared with them.
import { type WireRecord, wireFields } from '../../domain/record.ts'

/** What a record is made of: the fields of the JSON that clients receive, and columns that only the import knows. */
export type Column = 'code' | 'prefix' | keyof WireRecord | 'content' | 'document'

export const columns: readonly Column[] = [
  'code',
  // A source without `code` has its parts instead: the code is `prefix`, `-` and `registration_number`.
  'prefix',
  ...wireFields,
  'content',
  'document',
]

/**
 * Columns whose values identify a record. Excel damages such values: it reads `1/3/2001` as a date, and shows a long
 * number as `1,23457E+12`.
 */
export const identifierColumns: readonly Column[] = ['code', 'prefix', 'id', 'registration_number']

/**
 * The columns that every source must have, with two exceptions:
 * - `prefix` and `registration_number` may stand for `code` (`ColumnForms.missing`).
 * - A source without `id` is accepted if its codes have another heading than `code`, such as `Expediente`: the codes
 *   are then the ids too (`#assignCodeToId` in column-forms.ts). A source with the heading `code` was made for this
 *   import, so it must have `id`.
 */
export const requiredColumns: readonly Column[] = ['code', 'id', 'title', 'municipality', 'checkin_date']

/**
 * Returns the form in which headings are compared: `checkin_date` for `Checkin-Date ` and `CHECKIN DATE`. Invisible
 * characters are removed, and accents are kept.
 */
export function foldHeading(heading: string): string {
  return heading
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '_')
}
