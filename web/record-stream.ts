// Cuts a search answer into the texts of its records while it arrives, so that a download of a million records needs
// the memory of a few. It relies on the envelope of the specification (section 2, rule 1) and on nothing in a record.

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d

/** Records as JSON texts, as many at a time as have arrived; throws when the answer breaks off before its end. */
export async function* readRecordTexts(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string[], void> {
  let text = ''
  let at = 0
  let start = -1
  let depth = 0
  let inString = false
  let phase: 'before' | 'records' | 'after' = 'before'
  // Not every browser can iterate over a stream, so it is read by hand.
  const pieces = body.pipeThrough(new TextDecoderStream()).getReader()
  for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) {
    text += piece.value
    const records: string[] = []
    for (; at < text.length; at++) {
      const character = text.charCodeAt(at)
      if (inString) {
        if (character === backslash) at++
        else if (character === quote) inString = false
      } else if (character === quote) inString = true
      else if (phase === 'before') {
        if (character === openBracket) phase = 'records'
      } else if (character === openBrace) {
        if (depth === 0) start = at
        depth++
      } else if (character === closeBrace && depth > 0) {
        depth--
        if (depth === 0) {
          records.push(text.slice(start, at + 1))
          start = -1
        }
      } else if (character === closeBracket && depth === 0) phase = 'after'
    }
    // Keep what is still open; an escape cut in two leaves `at` one past the end, which stays right.
    const kept = start < 0 ? Math.min(at, text.length) : start
    text = text.slice(kept)
    at -= kept
    if (start >= 0) start = 0
    if (records.length > 0) yield records
  }
  if (phase !== 'after') throw new Error('Cannot read the records: the answer broke off')
}
