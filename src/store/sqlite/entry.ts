// What is known of a record beside its wire form: the string of its position in a strip of its own. Its digest, whether
// it has a text to search, its date and its code, one behind the other.
import { foldCode } from '../../record/code.ts'
import type { OrderKey } from '../../record/record.ts'
import { digestBytes } from '../digest.ts'
import type { Strip, StripWriter } from './strip.ts'

export interface Entry extends OrderKey {
  readonly digest: Uint8Array
  readonly hasText: boolean
}

const dateCharacters = '2004-05-18'.length

export function addEntry(strip: StripWriter, { digest, hasText, checkinDate, code }: Entry): void {
  strip.addText(digest, `${hasText ? 1 : 0}${checkinDate}${code}`)
}

/** The place of a record in the canonical order. */
export function readOrderKey(strip: Strip, position: number): OrderKey {
  const text = strip.text(position, 'utf8', digestBytes + 1)
  return { checkinDate: text.slice(0, dateCharacters), code: text.slice(dateCharacters) }
}

/** As codes are compared. */
export function readFoldedCode(strip: Strip, position: number): string {
  return foldCode(readOrderKey(strip, position).code)
}

/** A few at a time: each by itself would cost a call of the system. */
const entriesAtOnce = 1024

/** All, in order. A digest holds until the next entry is asked for. */
export function* readEntries(strip: Strip): Generator<Entry, void, undefined> {
  let lent: ArrayBufferLike | undefined
  for (let first = 0; first < strip.count; first += entriesAtOnce) {
    const { strings, room } = strip.several(first, entriesAtOnce, lent)
    lent = room
    for (const bytes of strings) {
      const text = bytes.toString('utf8', digestBytes)
      yield {
        digest: bytes.subarray(0, digestBytes),
        hasText: text.startsWith('1'),
        checkinDate: text.slice(1, 1 + dateCharacters),
        code: text.slice(1 + dateCharacters),
      }
    }
  }
}
