// Text that was UTF-8, was read as Windows-1252 by some program, and was written as UTF-8 again: `OrdenaciÃ³n`. The
// letters of Spain, quotes and dashes come out as pairs and triples that no language writes, so they can be told.

/** What the bytes 0x80 to 0x9f are in Windows-1252; the others are what they are in Latin 1. */
const upperHalf = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const continuation = `[\\u0080-\\u00bf${upperHalf}]`
/** Letters of the upper half of Latin 1; quotes, dashes, dots and the euro. */
const readTwice = new RegExp(`[\\u00c2\\u00c3]${continuation}|\\u00e2${continuation}{2}`, 'g')

/** As it was before it was read twice; the text itself where it was not. */
export function mendReadTwice(text: string): string {
  return text.replace(readTwice, mend)
}

function mend(written: string): string {
  const read = decoder.decode(Uint8Array.from(written, toByte))
  // A control character, or nothing that UTF-8 knows: it was written so.
  return /[\p{Cc}\ufffd]/u.test(read) ? written : read
}

const decoder = new TextDecoder()

function toByte(character: string): number {
  const place = upperHalf.indexOf(character)
  return place === -1 ? character.charCodeAt(0) : 0x80 + place
}
