// Which encoding a file of text is in, found out by reading it once: a byte order mark, else UTF-8 where every byte
// fits, else Windows-1252, which old systems and Excel write. Then the file as text, a chunk at a time.
import { isUtf8 } from 'node:buffer'
import type { Row } from './source.ts'
import type { SourceFile } from './source-file.ts'

export interface Encoding {
  readonly label: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'
  /** Mostly UTF-8 with bytes that are not: the rows that hold them are refused, since nobody can know what they say. */
  readonly mixed: boolean
}

const chunkBytes = 256 * 1024
const dosEnd = 0x1a
/** Decoded at once: what is made of it fits into the young generation of the heap several times over. */
const decodedBytes = 16 * 1024

export async function findEncoding(file: SourceFile): Promise<Encoding> {
  const head = await file.readHead()
  if (head[0] === 0xff && head[1] === 0xfe) return { label: 'utf-16le', mixed: false }
  if (head[0] === 0xfe && head[1] === 0xff) return { label: 'utf-16be', mixed: false }
  const marked = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf
  // Text in Latin letters without a mark: every other byte of UTF-16 is zero, no byte of anything else is.
  if (head.length >= 4 && head[0] !== 0 && head[1] === 0 && head[3] === 0) return { label: 'utf-16le', mixed: false }
  if (head.length >= 4 && head[0] === 0 && head[1] !== 0 && head[2] === 0) return { label: 'utf-16be', mixed: false }

  const count = { sequences: 0, strangers: 0 }
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of file.read(chunkBytes)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = lastWholeCharacter(bytes)
    countSequences(bytes.subarray(0, end), count)
    rest = Buffer.from(bytes.subarray(end))
  }
  countSequences(rest, count)
  if (count.strangers === 0) return { label: 'utf-8', mixed: false }
  if (marked || count.sequences > count.strangers) return { label: 'utf-8', mixed: true }
  return { label: 'windows-1252', mixed: false }
}

/** Whether a byte below 0x80 is an ASCII character wherever it stands. */
function isAsciiBased({ label }: Encoding): boolean {
  return label === 'utf-8' || label === 'windows-1252'
}

/** Refuses a row of JSON with bytes that are not UTF-8 in its keys or cells, where the rest of the file is. */
export function requireUtf8(row: Row, members: readonly (readonly [string, unknown])[], { mixed }: Encoding): Row {
  if (!mixed || row.broken !== undefined) return row
  const texts = [...members.map(([key]) => key), ...row.cells]
  const strange = texts.find((text) => text?.includes('\uFFFD'))
  if (strange === undefined) return row
  return { ...row, broken: { expected: 'text in UTF-8, like the rest of the file', value: strange } }
}

/** The whole file, without its byte order mark and the mark that programs of DOS end it with. */
export async function* readText(file: SourceFile, encoding: Encoding): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder(encoding.label)
  for await (const read of file.read(chunkBytes)) {
    const isLast = file.bytesRead === file.size && isAsciiBased(encoding)
    const chunk = isLast && read.at(-1) === dosEnd ? read.subarray(0, -1) : read
    for (let at = 0; at < chunk.length; at += decodedBytes) {
      yield decoder.decode(chunk.subarray(at, at + decodedBytes), { stream: true })
    }
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

/** Where the last character that is whole ends: a chunk may cut one in two. */
function lastWholeCharacter(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) break
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? bytes.length - back : bytes.length
    }
  }
  return bytes.length
}

/** Counts characters of several bytes, and bytes that belong to none. */
function countSequences(bytes: Buffer, count: { sequences: number; strangers: number }): void {
  const valid = isUtf8(bytes)
  // Enough is known of a file that has shown itself to be UTF-8 once; what remains to be found is what does not fit.
  if (valid && count.sequences > sequencesEnough) return
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    if (byte < 0x80) continue
    const length = byte >= 0xf0 && byte < 0xf5 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1
    if (byte < 0xf5 && length > 1 && isUtf8(bytes.subarray(index, index + length)) && index + length <= bytes.length) {
      count.sequences += 1
      index += length - 1
    } else {
      count.strangers += 1
    }
  }
}

const sequencesEnough = 1000
