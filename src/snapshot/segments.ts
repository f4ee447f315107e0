// Segments: the text of a record in parts. A result shows passages, short pieces of text around the matches. A passage
// is cut from one segment: a page of a document, or a part of a longer page or of the column `content`. So a passage
// does not need the text of a whole document. Consecutive segments, also of several records, are compressed together in
// a row of the table `text_chunk`. Segments are numbered from 0 through the whole snapshot.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { RecordContent } from '../domain/document.ts'
import { ByteReader, ByteWriter } from '../index/varint.ts'

export interface Segment {
  /** Number of the document in its record, from 1; null for the column `content`. */
  readonly document: number | null
  /** Page of the file of the document, from 1; null for text without pages. */
  readonly page: number | null
  /** Whether the text was recognised from an image (OCR). */
  readonly recognised: boolean
  readonly text: string
}

/** A longer page is cut into several segments, which bounds the cost of a passage. */
const segmentCharactersMax = 16_000

/**
 * The cut is at the last white space between this length and `segmentCharactersMax`. If there is none, it is at
 * `segmentCharactersMax`, inside a word.
 */
const segmentCharactersMin = segmentCharactersMax / 2

/**
 * A row of `text_chunk` is full when its text has at least this length before compression. A passage decompresses the
 * row of its segment. Rows of 16 KB would make a file an eighth smaller, but a search with passages would take an
 * eighth more time if the words of its term are rare.
 */
const chunkCharacters = 4 * 1024

/** Size of the buffer that a row is decompressed into. Only a row with a segment of a long page needs more. */
const chunkBufferBytes = 8 * 1024

/** Level of zstd. Level 3 takes twice the time and gives 1 per cent less size. */
const compressionLevel = 1

/** The segments of a record in reading order: the column `content`, then the pages. Empty ones are left out. */
export function toSegments({ text, documents }: RecordContent): Segment[] {
  const segments: Segment[] = []
  addParts(segments, { document: null, page: null, recognised: false, text })
  for (const [index, { texts }] of documents.entries()) {
    for (const page of texts) addParts(segments, { document: index + 1, ...page })
  }
  return segments
}

/** Adds the text of one page, or of the column `content`, as one or more segments; as none if it is empty. */
function addParts(segments: Segment[], { document, page, recognised, text }: Segment): void {
  // A lone surrogate cannot be stored as UTF-8. Invisible characters are removed: a run of them could fill a passage.
  let rest = text.toWellFormed().replace(invisibleCharacters, '').trim()
  while (rest !== '') {
    const end = findCut(rest)
    segments.push({ document, page, recognised, text: rest.slice(0, end).trimEnd() })
    rest = rest.slice(end).trimStart()
  }
}

/** The offset at which the first part of a text ends. */
function findCut(text: string): number {
  if (text.length <= segmentCharactersMax) return text.length
  for (let end = segmentCharactersMax; end >= segmentCharactersMin; end--) {
    if (whiteSpace.test(text.charAt(end))) return end
  }
  // If the cut would split a surrogate pair, it is one character earlier.
  return text.slice(0, segmentCharactersMax).isWellFormed() ? segmentCharactersMax : segmentCharactersMax - 1
}

const whiteSpace = /\s/
/** The zero-width space, the word joiner, the byte order mark, and the control characters for the writing direction. */
const invisibleCharacters = /[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+/g

/** A row of `text_chunk`. */
export interface TextChunk {
  /** Number of the first segment in the chunk; the others follow it. */
  readonly firstSegment: number
  /** Compressed. */
  readonly bytes: Uint8Array
}

/**
 * Packs segments into chunks. Before compression a chunk has:
 * - how many segments it has;
 * - for each segment: document and page (0 for null), 1 if it was recognised or else 0, size of its text in bytes;
 * - the texts of all segments in UTF-8.
 *
 * All numbers are varints.
 */
export class TextChunkWriter {
  /** The segments of the current chunk. */
  #segments: Segment[] = []
  /** Length of the text of `#segments`. */
  #characters = 0
  /** Number of the first segment of the current chunk. */
  #firstSegment = 0

  /** Number of segments added so far, in all chunks. */
  get segmentCount(): number {
    return this.#firstSegment + this.#segments.length
  }

  /** Adds a segment to the current chunk. Returns the chunk if it is full now, and starts the next one. */
  add(segment: Segment): TextChunk | undefined {
    this.#segments.push(segment)
    this.#characters += segment.text.length
    return this.#characters >= chunkCharacters ? this.finish() : undefined
  }

  /** Ends the current chunk and returns it; undefined if it has no segments. */
  finish(): TextChunk | undefined {
    if (this.#segments.length === 0) return undefined
    const header = new ByteWriter()
    const texts = this.#segments.map(({ text }) => Buffer.from(text))
    header.varint(texts.length)
    for (const [index, { document, page, recognised }] of this.#segments.entries()) {
      header.varint(document ?? 0)
      header.varint(page ?? 0)
      header.varint(recognised ? 1 : 0)
      header.varint(texts[index]?.length ?? 0)
    }
    const bytes = Buffer.concat([header.bytes.subarray(0, header.length), ...texts])
    const chunk = { firstSegment: this.#firstSegment, bytes: compress(bytes) }
    this.#firstSegment = this.segmentCount
    this.#segments = []
    this.#characters = 0
    return chunk
  }
}

/** Returns the segments of the chunks with these numbers, by number. Numbers that no chunk has are ignored. */
export function readSegments(chunks: readonly TextChunk[], numbers: readonly number[]): Map<number, Segment> {
  const wanted = new Set(numbers)
  const found = new Map<number, Segment>()
  if (chunks.length === 0) return found
  // Compressed chunks can be concatenated (RFC 8878, 3). To decompress 20 at once takes a third to a half less time.
  const compressed = Buffer.concat(chunks.map(({ bytes }) => bytes))
  const { buffer, byteOffset, length } = decompress(compressed, chunks.length * chunkBufferBytes)
  // A `Buffer` over the same memory, because its `toString` can decode a part.
  const reader = new ByteReader(Buffer.from(buffer, byteOffset, length))
  for (const { firstSegment } of chunks) readChunk(reader, firstSegment, wanted, found)
  return found
}

/** Reads one chunk and adds those of its segments that are wanted to `found`. */
function readChunk(
  reader: ByteReader<Buffer>,
  firstSegment: number,
  wanted: ReadonlySet<number>,
  found: Map<number, Segment>,
): void {
  const headers = Array.from({ length: reader.varint() }, () => ({
    document: reader.varint(),
    page: reader.varint(),
    recognised: reader.varint() === 1,
    size: reader.varint(),
  }))
  for (const [index, { document, page, recognised, size }] of headers.entries()) {
    const number = firstSegment + index
    const end = reader.offset + size
    if (wanted.has(number)) {
      const text = reader.bytes.toString('utf8', reader.offset, end)
      // Zero stands for null: documents and pages are numbered from 1.
      found.set(number, { document: document || null, page: page || null, recognised, text })
    }
    reader.offset = end
  }
}

/** Compresses with zstd. It takes almost half the time for a chunk of 4 KB if it knows the size beforehand. */
export function compress(bytes: Uint8Array): Uint8Array {
  const params = { [constants.ZSTD_c_compressionLevel]: compressionLevel }
  return zstdCompressSync(bytes, { params, pledgedSrcSize: bytes.length })
}

/** `bufferBytes` is the size of each buffer that the result is assembled from. */
export function decompress(bytes: Uint8Array, bufferBytes: number = 64 * 1024): Uint8Array {
  return zstdDecompressSync(bytes, { chunkSize: bufferBytes })
}
