// Detects the character encoding of a text file, and decodes it in chunks. UTF-16 is recognised by its byte order mark
// or by zero bytes. Otherwise a file of valid or mostly valid UTF-8, or with the mark of UTF-8, is UTF-8, and any other
// is Windows-1252, which older systems and Excel write.
import { isUtf8 } from 'node:buffer'
import type { SourceFile } from './source-file.ts'

export interface Encoding {
  readonly label: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'
  /** Whether the file is UTF-8 with some invalid bytes. Rows with such bytes are rejected. */
  readonly isMixed: boolean
}

/** Returns the name as users know it, such as `UTF-8`. */
export function toEncodingName({ label }: Encoding): string {
  return label === 'windows-1252' ? 'Windows-1252' : label.toUpperCase()
}

/** Bytes read from the file at a time. */
const chunkBytes = 256 * 1024
/** Bytes decoded at a time. Small strings stay within the young generation of the heap, where freeing them is cheap. */
const decodedBytes = 16 * 1024
/** Ctrl-Z, which DOS programs write at the end of a text file. */
const dosEndOfFile = 0x1a

/** Reads the first bytes and, unless they decide, the whole file. */
export async function detectEncoding(file: SourceFile): Promise<Encoding> {
  const head = await file.readHead()
  const [first, second, third, fourth] = head
  // The byte order marks of UTF-16.
  if (first === 0xff && second === 0xfe) return { label: 'utf-16le', isMixed: false }
  if (first === 0xfe && second === 0xff) return { label: 'utf-16be', isMixed: false }
  const hasUtf8Mark = first === 0xef && second === 0xbb && third === 0xbf
  // UTF-16 without a mark: in Latin text every second byte is zero. Text in UTF-8 or Windows-1252 has no zero bytes.
  if (head.length >= 4) {
    if (first !== 0 && second === 0 && fourth === 0) return { label: 'utf-16le', isMixed: false }
    if (first === 0 && second !== 0 && third === 0) return { label: 'utf-16be', isMixed: false }
  }
  if (await isValidUtf8(file)) return { label: 'utf-8', isMixed: false }
  if (hasUtf8Mark || (await isMostlyUtf8(file))) return { label: 'utf-8', isMixed: true }
  return { label: 'windows-1252', isMixed: false }
}

/** Reads the whole file. */
async function isValidUtf8(file: SourceFile): Promise<boolean> {
  /** The beginning of a character at the end of the last chunk. */
  let rest = Buffer.alloc(0)
  for await (const chunk of file.read(chunkBytes)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    // A character has at most four bytes, and only its first one is no continuation byte.
    const start = bytes.subarray(-4).findLastIndex((byte) => (byte & 0xc0) !== 0x80)
    const end = bytes.length - Math.min(4, bytes.length) + Math.max(start, 0)
    if (!isUtf8(bytes.subarray(0, end))) return false
    rest = Buffer.from(bytes.subarray(end))
  }
  return isUtf8(rest)
}

/** Reads the whole file. Whether more of its characters are valid ones of several bytes than bytes are invalid. */
async function isMostlyUtf8(file: SourceFile): Promise<boolean> {
  let multiByte = 0
  let invalid = 0
  /** Bytes that the current character still needs. */
  let missing = 0
  for await (const chunk of file.read(chunkBytes)) {
    for (const byte of chunk) {
      const isContinuation = byte >= 0x80 && byte < 0xc0
      if (missing > 0 && isContinuation) {
        missing -= 1
        if (missing === 0) multiByte += 1
        continue
      }
      if (missing > 0) invalid += 1
      missing = byte < 0x80 ? 0 : toCharacterBytes(byte) - 1
      if (missing < 0) {
        invalid += 1
        missing = 0
      }
    }
  }
  return multiByte > invalid
}

/** Returns the length in bytes of the UTF-8 character that begins with this byte; 0 if none does (RFC 3629, 4). */
function toCharacterBytes(leadByte: number): number {
  if (leadByte < 0xc2) return 0
  if (leadByte < 0xe0) return 2
  if (leadByte < 0xf0) return 3
  return leadByte < 0xf5 ? 4 : 0
}

/**
 * Decodes the whole file. Leaves out its byte order mark and, except in UTF-16, a final Ctrl-Z. Invalid bytes become
 * U+FFFD.
 */
export async function* readText(file: SourceFile, encoding: Encoding): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder(encoding.label)
  const isAsciiBased = encoding.label === 'utf-8' || encoding.label === 'windows-1252'
  for await (const bytes of file.read(chunkBytes)) {
    const isLast = file.bytesRead === file.size
    const hasCtrlZ = isLast && isAsciiBased && bytes.at(-1) === dosEndOfFile
    const chunk = hasCtrlZ ? bytes.subarray(0, -1) : bytes
    for (let start = 0; start < chunk.length; start += decodedBytes) {
      yield decoder.decode(chunk.subarray(start, start + decodedBytes), { stream: true })
    }
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

/**
 * An accented letter of DOS or of the old Macintosh that became another character, because it was decoded as
 * Windows-1252. The pattern begins with that character, which most texts do not have; looking back comes after it.
 *
 * character         | where it counts                         | example, and what it should be
 * `¢£¤¡‚‡`          | between letters in lower case           | `Ordenaci¢n`: Ordenación; `J‡vea`: Jávea
 * `¥µ`              | between letters in upper case           | `ESPA¥A`: ESPAÑA
 * `—`               | in `ci—n`, because it may join words    | `Ordenaci—n`: Ordenación
 * `à`, `î`          | in `CIàN`, because they are letters too | `ORDENACIàN`: ORDENACIÓN
 */
const foreignLetter = /[¢£¤¡‚‡](?<=\p{Ll}.)(?=\p{Ll})|[¥µ](?<=\p{Lu}.)(?=\p{Lu})|—(?<=ci.)(?=n)|[àî](?<=CI.)(?=N)/u
/** The text may have very long words. */
const lettersAroundMax = 30

/** Returns the first word of a text in Windows-1252 that has such a letter; undefined if there is none. */
export function findForeignWord(text: string): string | undefined {
  const index = text.search(foreignLetter)
  if (index === -1) return undefined
  const [before = ''] = /\p{L}*$/u.exec(text.slice(Math.max(0, index - lettersAroundMax), index)) ?? []
  const [after = ''] = /^\p{L}*/u.exec(text.slice(index + 1, index + 1 + lettersAroundMax)) ?? []
  return `${before}${text.charAt(index)}${after}`
}
