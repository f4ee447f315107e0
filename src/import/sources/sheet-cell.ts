// Converts the references, dates and texts in the cells of a sheet (ECMA-376 part 1), for sheet-reader.ts.

/**
 * Returns the column of a cell reference, counted from 0: 27 for `AB12`. Its letters are a number in base 26 with the
 * digits `A` for 1 to `Z` for 26. Returns undefined if the reference is absent or has no letters.
 */
export function parseColumn(reference: string | undefined): number | undefined {
  if (reference === undefined) return undefined
  let column = 0
  for (let position = 0; position < reference.length; position++) {
    const digit = reference.charCodeAt(position) - 'A'.charCodeAt(0) + 1
    if (digit < 1 || digit > 26) break
    column = column * 26 + digit
  }
  return column === 0 ? undefined : column - 1
}

const dayMs = 86_400_000
/** The serial number of Excel's last day, 9999-12-31, if days are counted from 1900. */
const serialMaxFrom1900 = 2_958_465
/** The serial number of the same day if days are counted from 1904. */
const serialMaxFrom1904 = 2_957_003
/** The number of 29 February 1900 in Excel's calendar. It did not exist, so later days have a number one too high. */
const nonexistentDay = 60

/**
 * Returns the day as `YYYY-MM-DD`, or undefined if the number is no day. A serial number counts days, with the time of
 * day as a fraction. 1 January is day 1 if the count is from 1900, and day 0 if it is from 1904.
 */
export function toDate(serial: number, countsFrom1904: boolean): string | undefined {
  const day = Math.floor(serial)
  if (day > (countsFrom1904 ? serialMaxFrom1904 : serialMaxFrom1900)) return undefined
  if (countsFrom1904) return day < 0 ? undefined : addDays(Date.UTC(1904, 0, 1), day)
  if (day < 1 || day === nonexistentDay) return undefined
  // The day with the number 0 is 31 December 1899. The nonexistent day makes later numbers one too high, so for them it
  // is 30 December. Months are counted from 0 (11 is December).
  const dayZero = day < nonexistentDay ? Date.UTC(1899, 11, 31) : Date.UTC(1899, 11, 30)
  return addDays(dayZero, day)
}

/** `startAt` is in milliseconds since 1970. Returns the day as `YYYY-MM-DD`. */
function addDays(startAt: number, days: number): string {
  return new Date(startAt + days * dayMs).toISOString().slice(0, 'YYYY-MM-DD'.length)
}

/** Decodes characters that XML does not allow, which are written like `_x000D_` (ECMA-376 part 1, 22.9.2.19). */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([\dA-Fa-f]{4})_/g, (_escape, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}
