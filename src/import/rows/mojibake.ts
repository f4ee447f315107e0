// Text that some program has read in the wrong encoding before it came here. UTF-8 read as Windows-1252, `OrdenaciÃ³n`:
// the letters of Spain, quotes and dashes come out as pairs and triples that no language writes, so they can be told.
// Windows-1252 read as Latin 1: its quotes and dashes come out as control characters that nobody writes.

/** What the bytes 0x80 to 0x9f are in Windows-1252; the others are what they are in Latin 1. */
const upperHalf = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const continuation = `[\\u0080-\\u00bf${upperHalf}]`
/** Letters of the upper half of Latin 1; quotes, dashes, dots and the euro. */
const readTwice = new RegExp(`[\\u00c2\\u00c3]${continuation}|\\u00e2${continuation}{2}`, 'g')

/** As it was before it was read so, be it more than once; the text itself where it was not. */
export function mendReadTwice(text: string): string {
  let mended = text
  for (let time = 0; time < timesMax; time++) {
    const before = mended
    mended = before.replace(readTwice, mend)
    if (mended === before) break
  }
  return mended.replace(control, (character) => upperHalf.charAt(character.charCodeAt(0) - 0x80))
}

const timesMax = 3
/** Without U+0085, which is also the end of a line. */
const control = /[\u0080-\u0084\u0086-\u009f]/g

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
