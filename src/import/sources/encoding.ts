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
  // Most files are valid, and to see that takes a tenth of the time of counting.
  if (await isUtf8File(file)) return { label: 'utf-8', isMixed: false }
  const counts = await countUtf8(file)
  const isMostlyValid = counts.multiByte > counts.invalid
  if (hasUtf8Mark || isMostlyValid) return { label: 'utf-8', isMixed: true }
  return { label: 'windows-1252', isMixed: false }
}

/** Reads the whole file as if it were UTF-8. Each chunk ends with a character and is valid until the next one. */
async function* readCharacters(file: SourceFile): AsyncGenerator<Buffer, void, undefined> {
  /** The incomplete character at the end of the last chunk. */
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of file.read(chunkBytes)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = endOfLastCharacter(bytes)
    yield bytes.subarray(0, end)
    // A copy, because the next chunk overwrites this one.
    rest = Buffer.from(bytes.subarray(end))
  }
  yield rest
}

async function isUtf8File(file: SourceFile): Promise<boolean> {
  for await (const bytes of readCharacters(file)) if (!isUtf8(bytes)) return false
  return true
}

/** Counts the valid characters of several bytes and the invalid bytes of the whole file. */
async function countUtf8(file: SourceFile): Promise<Utf8Counts> {
  const counts: Utf8Counts = { multiByte: 0, invalid: 0 }
  for await (const bytes of readCharacters(file)) countCharacters(bytes, counts)
  return counts
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
 * A word from DOS or the old Macintosh with an accented letter that became another character, because it was decoded as
 * Windows-1252. At most 30 letters on each side of that character are matched, because the text may have very long
 * words.
 *
 * character         | where it counts                         | example, and what it should be
 * `¢£¤¡‚‡`          | between letters in lower case           | `Ordenaci¢n`: Ordenación; `J‡vea`: Jávea
 * `¥µ`              | between letters in upper case           | `ESPA¥A`: ESPAÑA
 * `—`               | in `ci—n`, because it may join words    | `Ordenaci—n`: Ordenación
 * `à`, `î`          | in `CIàN`, because they are letters too | `ORDENACIàN`: ORDENACIÓN
 */
const foreignWord = /\p{L}{0,30}(?:\p{Ll}[¢£¤¡‚‡](?=\p{Ll})|ci—(?=n)|\p{Lu}[¥µ](?=\p{Lu})|CI[àî](?=N))\p{L}{0,30}/u

/** Part of every `foreignWord`. Most texts have none, which is found out a hundred times faster. */
const foreignCharacters = /[¢£¤¡‚‡¥µ]|ci—n|CI[àî]N/

/** Returns the first `foreignWord` of a text in Windows-1252; undefined if there is none. */
export function findForeignWord(text: string): string | undefined {
  return foreignCharacters.test(text) ? foreignWord.exec(text)?.[0] : undefined
}

interface Utf8Counts {
  /** Valid characters of several bytes. */
  multiByte: number
  /** Bytes that are not part of a valid character. */
  invalid: number
}

/** Returns the index after the last complete UTF-8 character: a chunk may end inside one. */
function endOfLastCharacter(bytes: Buffer): number {
  // The first byte of the last character is looked for from the end. A character has at most four bytes, so an
  // incomplete one has at most three.
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    const isContinuation = byte >= 0x80 && byte < 0xc0
    if (isContinuation) continue
    const isIncomplete = toCharacterBytes(byte) > back
    return isIncomplete ? bytes.length - back : bytes.length
  }
  return bytes.length
}

/** Adds the characters of `bytes` to `counts`. `bytes` must not begin inside a character. */
function countCharacters(bytes: Buffer, counts: Utf8Counts): void {
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    if (byte < 0x80) continue
    const length = toCharacterBytes(byte)
    const end = index + length
    const isCharacter = length > 0 && end <= bytes.length && isUtf8(bytes.subarray(index, end))
    if (isCharacter) {
      counts.multiByte += 1
      index = end - 1
    } else {
      counts.invalid += 1
    }
  }
}

/** The lowest byte that a UTF-8 character of several bytes begins with (RFC 3629, 4). */
const firstLeadByte = 0xc2

/** Returns the length in bytes of the UTF-8 character that begins with this byte; 0 if none does (RFC 3629, 4). */
function toCharacterBytes(leadByte: number): number {
  if (leadByte < 0x80) return 1
  if (leadByte < firstLeadByte) return 0
  if (leadByte < 0xe0) return 2
  if (leadByte < 0xf0) return 3
  return leadByte < 0xf5 ? 4 : 0
}
