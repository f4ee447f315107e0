// What is known of a record beside its wire form: the string of its position in a strip of its own. Its digest, whether
// it has a text to search, its date and its code, one behind the other.
import { foldCode } from '../../record/code.ts'
import type { OrderKey } from '../../record/record.ts'
import { digestBytes } from '../digest.ts'
import type { Strip } from './strip.ts'

export interface Entry extends OrderKey {
  readonly digest: Uint8Array
  readonly hasText: boolean
}

const dateCharacters = '2004-05-18'.length
const dateStart = digestBytes + 1
/** Where the code begins, which ends with the entry. */
export const codeStart: number = dateStart + dateCharacters

/** Writes an entry, but for its digest, where there is room for it, and returns where it ends. */
export function putEntry(bytes: Buffer, start: number, { hasText, checkinDate, code }: Omit<Entry, 'digest'>): number {
  const textStart = start + digestBytes
  return textStart + bytes.write(`${hasText ? 1 : 0}${checkinDate}${code}`, textStart)
}

/** Of the entry that begins there. */
export function readYear(bytes: Buffer, start: number): number {
  let year = 0
  for (let nth = 0; nth < yearCharacters; nth++) year = year * 10 + (bytes[start + dateStart + nth] as number) - zero
  return year
}

const yearCharacters = 4
const zero = 0x30

/** The place of a record in the canonical order. */
export function readOrderKey(strip: Strip, position: number): OrderKey {
  const text = strip.text(position, 'utf8', digestBytes + 1)
  return { checkinDate: text.slice(0, dateCharacters), code: text.slice(dateCharacters) }
}

/** As codes are compared. */
export function readFoldedCode(strip: Strip, position: number): string {
  return foldCode(readOrderKey(strip, position).code)
}

/** All, in order. A digest holds until the next entry is asked for. */
export function* readEntries(strip: Strip): Generator<Entry, void, undefined> {
  for (const bytes of strip.strings()) {
    const text = bytes.toString('utf8', digestBytes)
    yield {
      digest: bytes.subarray(0, digestBytes),
      hasText: text.startsWith('1'),
      checkinDate: text.slice(1, 1 + dateCharacters),
      code: text.slice(1 + dateCharacters),
    }
  }
}

/** The digests alone, one behind the other. */
export function readDigests(strip: Strip): Buffer {
  const digests = Buffer.allocUnsafeSlow(strip.count * digestBytes)
  let at = 0
  for (const bytes of strip.strings()) at += bytes.copy(digests, at, 0, digestBytes)
  return digests
}
