// The columns that an import reads, and how a heading of a source is compared with them.
import { type WireRecord, wireFields } from '../../domain/record.ts'

/** What a record is made of: the fields of the wire format, and columns that only the import knows. */
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
 * Instead of `code`, a source may have `prefix` and `registration_number` (`Layout.missingColumns`). If a source has no
 * `id`, its codes become the ids. Only under the heading `code` they do not: a source with our own names is made for
 * this import, so that a missing `id` is a mistake (`#assignCodeToId` in layout.ts).
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
