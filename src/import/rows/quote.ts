// Texts of a source as messages and reports show them.

/** A longer text is cut and ends with `…`. */
const quotedCharactersMax = 60

/**
 * Quotes a value or a heading for a message: shortened, on one line, with invisible characters escaped. Returns for
 * example `"03065-2\u200b"`: the escape shows why a value that looks right is rejected.
 */
export function toQuoted(value: string): string {
  const shown = value.length > quotedCharactersMax ? `${value.slice(0, quotedCharactersMax)}…` : value
  return JSON.stringify(shown).replace(invisibleOrControl, toEscape)
}

/** A longer heading is cut and ends with `…`: a file that only looks like a table may have headings of any length. */
const headingCharactersMax = 200

/**
 * For the headings that `--inspect` and the line "not imported" of a report list. Users copy them into a mapping, so
 * they have no quotes and no escapes.
 */
export function shortenHeading(heading: string): string {
  return heading.length > headingCharactersMax ? `${heading.slice(0, headingCharactersMax)}…` : heading
}

/** `JSON.stringify` leaves these as they are: invisible characters, and control characters that a terminal executes. */
const invisibleOrControl = /[\p{Cf}\p{Cc}\p{Zl}\p{Zp}\u00a0]/gu

/** For example the text `\u200b` for U+200B. Returns two such escapes for a character of two UTF-16 units. */
function toEscape(character: string): string {
  const units = character.split('')
  return units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
}
