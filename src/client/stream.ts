// Streaming parser of a search response, `{"resultadoBusqueda":[…]}`, in constant memory. The elements of the array are
// records. The parser finds their ends by counting braces outside strings, and parses the complete elements of each
// chunk with one JSON.parse.
import type { WireRecord } from '../domain/record.ts'

/** The body ends too early (`incomplete`), or it is not the body of a search (`malformed`). */
export class BodyError extends Error {
  override readonly name = 'BodyError'
  readonly kind: 'incomplete' | 'malformed'
  constructor(kind: 'incomplete' | 'malformed', message: string) {
    super(message)
    this.kind = kind
  }
}

/**
 * The most bytes that wait for the rest of their record. No record of a registry is longer. The limit bounds the memory
 * for a response that is not from a registry.
 */
const restBytesMax = 16 * 1024 * 1024
/** The body before the `[` of the array of records, without white space. After the array there is only `}`. */
const prefix = '{"resultadoBusqueda":'

/** Yields the records that each chunk completes. Throws `BodyError`. */
export async function* readRecords(body: ReadableStream<Uint8Array>): AsyncGenerator<WireRecord[], void, undefined> {
  const reader = body.getReader()
  try {
    // The bytes that have arrived and are not parsed: the beginning of an element, of the prefix or of the suffix.
    let rest: Uint8Array = new Uint8Array(0)
    // The part of the body that `rest` belongs to.
    let state: 'prefix' | 'elements' | 'suffix' = 'prefix'
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      let bytes = concatenate(rest, value)
      if (state === 'prefix') {
        const bracket = findArrayBracket(bytes)
        if (bracket !== -1) {
          bytes = bytes.subarray(bracket + 1)
          state = 'elements'
        }
      }
      if (state === 'elements') {
        const { start, end, restStart, isArrayEnd } = findElements(bytes)
        if (end > start) yield parseElements(bytes.subarray(start, end))
        if (isArrayEnd) state = 'suffix'
        bytes = bytes.subarray(restStart)
      }
      if (bytes.length > restBytesMax) throw new BodyError('malformed', 'a record is too long')
      rest = bytes
    }
    if (state !== 'suffix' || decode(rest).trim() !== '}') throw new BodyError('incomplete', 'it ends too early')
  } finally {
    // A caller may stop early. Cancelling closes the connection instead of reading the rest.
    await reader.cancel().catch(() => {})
  }
}

// Bytes of the characters of JSON that matter here.
const quote = 0x22
const backslash = 0x5c
const bracketOpen = 0x5b
const bracketClose = 0x5d
const braceOpen = 0x7b
const braceClose = 0x7d

/** The comma, and the white space of JSON: space, tab, line feed, carriage return. */
const betweenElements: ReadonlySet<number | undefined> = new Set([0x2c, 0x20, 0x09, 0x0a, 0x0d])

/** Returns the offset of the `[` of the array, or -1 if it has not arrived. Throws if the text before it is wrong. */
function findArrayBracket(bytes: Uint8Array): number {
  const bracket = bytes.indexOf(bracketOpen)
  const isPrefix =
    bracket === -1 ? prefix.startsWith(decodeCompact(bytes)) : decodeCompact(bytes.subarray(0, bracket)) === prefix
  if (!isPrefix) throw new BodyError('malformed', 'it is not the result of a search')
  return bracket
}

/** Where the complete elements are, as offsets in the bytes that were searched. */
interface ElementRange {
  /** Range of the complete elements; empty if `start` equals `end`. */
  readonly start: number
  readonly end: number
  /** Offset of the bytes to keep for the next chunk: an incomplete element, or what follows the `]` of the array. */
  readonly restStart: number
  /** Whether the array ends after these elements. */
  readonly isArrayEnd: boolean
}

/**
 * Finds the elements that have arrived completely. Skips commas and white space between them. Throws if there is
 * anything else, because the elements are objects.
 */
function findElements(bytes: Uint8Array): ElementRange {
  // -1 before the first complete element.
  let start = -1
  let end = 0
  let offset = 0
  for (; offset < bytes.length; offset++) {
    const byte = bytes[offset]
    if (byte === bracketClose) return { start: Math.max(start, 0), end, restStart: offset + 1, isArrayEnd: true }
    if (byte !== braceOpen) {
      if (betweenElements.has(byte)) continue
      throw new BodyError('malformed', 'it contains something other than records')
    }
    const elementEnd = findElementEnd(bytes, offset)
    if (elementEnd === -1) break
    if (start === -1) start = offset
    end = elementEnd
    // The loop adds 1.
    offset = elementEnd - 1
  }
  return { start: Math.max(start, 0), end, restStart: offset, isArrayEnd: false }
}

/** Returns the offset after the brace that closes the one at `start`, or -1 if it has not arrived. */
function findElementEnd(bytes: Uint8Array, start: number): number {
  let depth = 0
  for (let offset = start; offset < bytes.length; offset++) {
    const byte = bytes[offset]
    if (byte === quote) {
      offset = findStringEnd(bytes, offset)
      if (offset === -1) return -1
    } else if (byte === braceOpen) {
      depth += 1
    } else if (byte === braceClose) {
      depth -= 1
      if (depth === 0) return offset + 1
    }
  }
  return -1
}

/**
 * Returns the offset of the quote that closes the one at `start`, which is the next one after an even number of
 * backslashes; -1 if it has not arrived.
 */
function findStringEnd(bytes: Uint8Array, start: number): number {
  for (let offset = bytes.indexOf(quote, start + 1); offset !== -1; offset = bytes.indexOf(quote, offset + 1)) {
    let backslashes = 0
    while (bytes[offset - 1 - backslashes] === backslash) backslashes += 1
    if (backslashes % 2 === 0) return offset
  }
  return -1
}

function parseElements(bytes: Uint8Array): WireRecord[] {
  try {
    return JSON.parse(`[${decode(bytes)}]`) as WireRecord[]
  } catch {
    throw new BodyError('malformed', 'it is not JSON')
  }
}

/** Decodes text without its white space. */
function decodeCompact(bytes: Uint8Array): string {
  return decode(bytes).replace(/\s/g, '')
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

const decoder = new TextDecoder()

function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}
