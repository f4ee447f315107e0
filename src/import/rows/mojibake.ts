// Repairs mojibake, that is text decoded with the wrong character encoding before it reached the source. Two kinds can
// be recognised: UTF-8 decoded as Windows-1252 (`OrdenaciÃ³n`), which leaves pairs and triples of characters that
// hardly any other text has, and Windows-1252 decoded as Latin-1, which leaves control characters in place of quotes
// and dashes.

/**
 * The characters of the bytes 0x80 to 0x9f in Windows-1252. The five bytes that it leaves undefined, and all other
 * bytes, are the same as in Latin-1.
 */
const windowsCharacters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Pattern of a continuation byte of UTF-8 (0x80 to 0xbf) that was decoded as Latin-1 or Windows-1252. */
const continuation = `[\\u0080-\\u00bf${windowsCharacters}]`
/**
 * The bytes of a UTF-8 character that were decoded one by one. 0xc2 or 0xc3 with one continuation byte is a character
 * of Latin-1; 0xe2 with two is a sign such as a quote, a dash, a bullet or the euro.
 */
const misreadUtf8 = new RegExp(`[\\u00c2\\u00c3]${continuation}|\\u00e2${continuation}{2}`, 'g')
/**
 * Control characters that Latin-1 has where Windows-1252 has quotes, dashes and letters. U+0085 is left out: it is also
 * a line break.
 */
const misreadWindows = /[\u0080-\u0084\u0086-\u009f]/g
/** Text may have been decoded wrongly several times, one after the other. At most so many of them are undone. */
const roundsMax = 3

const decoder = new TextDecoder()

/** Returns the text unchanged if it contains no mojibake. */
export function repairMojibake(text: string): string {
  let repaired = text
  for (let round = 0; round < roundsMax; round++) {
    const before = repaired
    repaired = before.replace(misreadUtf8, decodeAsUtf8)
    if (repaired === before) break
  }
  return repaired.replace(misreadWindows, (character) => windowsCharacters.charAt(character.charCodeAt(0) - 0x80))
}

/** Returns `ó` for `Ã³`, and the sequence itself if it is no mojibake. */
function decodeAsUtf8(sequence: string): string {
  const decoded = decoder.decode(Uint8Array.from(sequence, toByte))
  // If it decodes to a control character or is not valid UTF-8, the sequence is taken to be meant as it stands.
  return /[\p{Cc}\ufffd]/u.test(decoded) ? sequence : decoded
}

/** Returns the byte that was decoded to this character. */
function toByte(character: string): number {
  const index = windowsCharacters.indexOf(character)
  return index === -1 ? character.charCodeAt(0) : 0x80 + index
}
