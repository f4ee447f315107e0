// Detects the character encoding of a text file by reading it once, and decodes it in chunks. A byte order mark
// decides; without one, a file of valid UTF-8 is UTF-8 and any other is Windows-1252, which older systems and Excel
// write.
import { isUtf8 } from 'node:buffer'
import type { Row } from '../rows/row.ts'
import type { SourceFile } from './source-file.ts'

export interface Encoding {
  readonly label: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'
  /** Mostly UTF-8, with some invalid bytes. Rows with such bytes are rejected. */
  readonly isMixed: boolean
}

const chunkBytes = 256 * 1024
/** Ctrl-Z, which DOS programs write at the end of a text file. */
const dosEndOfFile = 0x1a
/** Small pieces keep the strings made of them within the young generation of the heap. */
const decodedBytes = 16 * 1024

export async function detectEncoding(file: SourceFile): Promise<Encoding> {
  const head = await file.readHead()
  if (head[0] === 0xff && head[1] === 0xfe) return { label: 'utf-16le', isMixed: false }
  if (head[0] === 0xfe && head[1] === 0xff) return { label: 'utf-16be', isMixed: false }
  const hasUtf8Mark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf
  // UTF-16 without a mark: in Latin text every second byte is zero, which no other encoding produces.
  if (head.length >= 4 && head[0] !== 0 && head[1] === 0 && head[3] === 0) return { label: 'utf-16le', isMixed: false }
  if (head.length >= 4 && head[0] === 0 && head[1] !== 0 && head[2] === 0) return { label: 'utf-16be', isMixed: false }

  const count = { sequences: 0, invalid: 0 }
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of file.read(chunkBytes)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = endOfLastCharacter(bytes)
    countSequences(bytes.subarray(0, end), count)
    rest = Buffer.from(bytes.subarray(end))
  }
  countSequences(rest, count)
  if (count.invalid === 0) return { label: 'utf-8', isMixed: false }
  if (hasUtf8Mark || count.sequences > count.invalid) return { label: 'utf-8', isMixed: true }
  return { label: 'windows-1252', isMixed: false }
}

function isAsciiBased({ label }: Encoding): boolean {
  return label === 'utf-8' || label === 'windows-1252'
}

/** Marks a JSON row as broken if a key or cell has invalid bytes in a file that is otherwise UTF-8. */
export function requireUtf8(row: Row, members: readonly (readonly [string, unknown])[], { isMixed }: Encoding): Row {
  if (!isMixed || row.broken !== undefined) return row
  const texts = [...members.map(([key]) => key), ...row.cells]
  const invalid = texts.find((text) => text?.includes('\uFFFD'))
  if (invalid === undefined) return row
  return { ...row, broken: { expected: 'text in UTF-8, like the rest of the file', value: invalid } }
}

/** Decodes the whole file, without its byte order mark and a final Ctrl-Z. */
export async function* readText(file: SourceFile, encoding: Encoding): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder(encoding.label)
  for await (const read of file.read(chunkBytes)) {
    const isLast = file.bytesRead === file.size && isAsciiBased(encoding)
    const chunk = isLast && read.at(-1) === dosEndOfFile ? read.subarray(0, -1) : read
    for (let start = 0; start < chunk.length; start += decodedBytes) {
      yield decoder.decode(chunk.subarray(start, start + decodedBytes), { stream: true })
    }
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

/** Returns where the last complete UTF-8 character ends: a chunk may end inside one. */
function endOfLastCharacter(bytes: Buffer): number {
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

/** Counts multi-byte characters and invalid bytes. */
function countSequences(bytes: Buffer, count: { sequences: number; invalid: number }): void {
  const isValid = isUtf8(bytes)
  // After enough valid characters only chunks with invalid bytes need counting.
  if (isValid && count.sequences > sequencesEnough) return
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    if (byte < 0x80) continue
    const length = byte >= 0xf0 && byte < 0xf5 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1
    if (byte < 0xf5 && length > 1 && isUtf8(bytes.subarray(index, index + length)) && index + length <= bytes.length) {
      count.sequences += 1
      index += length - 1
    } else {
      count.invalid += 1
    }
  }
}

const sequencesEnough = 1000
