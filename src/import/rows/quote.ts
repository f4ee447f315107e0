// Quotes a value of a source for a message: shortened, on one line, with invisible characters escaped. Headings, which
// the user copies into a mapping, are shown as they are unless they are very long.

/** A longer value is cut and ends with `…`. */
const quotedCharactersMax = 60

/** Returns for example `"03065-2\u200b"`: the escape shows why a value that looks right is rejected. */
export function toQuoted(value: string): string {
  const shown = value.length > quotedCharactersMax ? `${value.slice(0, quotedCharactersMax)}…` : value
  return JSON.stringify(shown).replace(invisibleOrControl, toEscape)
}

/** A longer heading is cut and ends with `…`: a file that only looks like a table may have headings of any length. */
const headingCharactersMax = 200

export function shortenHeading(heading: string): string {
  return heading.length > headingCharactersMax ? `${heading.slice(0, headingCharactersMax)}…` : heading
}

/** What `JSON.stringify` leaves as it is: invisible characters, and control characters that a terminal executes. */
const invisibleOrControl = /[\p{Cf}\p{Cc}\p{Zl}\p{Zp}\u00a0]/gu

/** For example the text `\u200b` for U+200B. Returns two such escapes for a character of two UTF-16 units. */
function toEscape(character: string): string {
  const units = character.split('')
  return units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
}
