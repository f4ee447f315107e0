// Streaming parser of a search response, `{"resultadoBusqueda":[…]}`, in constant memory. It finds the ends of elements
// by counting braces outside strings, and parses the complete elements of each chunk with one JSON.parse.
import type { WireRecord } from '../domain/record.ts'

/** The body is incomplete, or not that of a search. */
export class BodyError extends Error {
  override readonly name = 'BodyError'
  readonly isIncomplete: boolean
  constructor(message: string, isIncomplete: boolean) {
    super(message)
    this.isIncomplete = isIncomplete
  }
}

/** No record of a registry is longer. */
const elementBytesMax = 16 * 1024 * 1024
const prefix = '{"resultadoBusqueda":'

/** Yields the complete records of each chunk. */
export async function* readRecords(body: ReadableStream<Uint8Array>): AsyncGenerator<WireRecord[], void, undefined> {
  const reader = body.getReader()
  try {
    let rest: Uint8Array = new Uint8Array(0)
    let state: 'prefix' | 'elements' | 'suffix' = 'prefix'
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      let bytes = concatenate(rest, value)
      if (state === 'prefix') {
        const start = bytes.indexOf(bracketOpen)
        checkPrefix(start === -1 ? bytes : bytes.subarray(0, start), start !== -1)
        if (start === -1) {
          rest = bytes
          continue
        }
        bytes = bytes.subarray(start + 1)
        state = 'elements'
      }
      if (state === 'elements') {
        const found = findElements(bytes)
        if (found.end > found.start) yield parseElements(bytes.subarray(found.start, found.end))
        if (found.isLast) state = 'suffix'
        bytes = bytes.subarray(found.rest)
        if (bytes.length > elementBytesMax) throw new BodyError('a record is too long', false)
      }
      rest = bytes
    }
    if (state !== 'suffix' || decode(rest).trim() !== '}') throw new BodyError('it ends too early', true)
  } finally {
    // A caller may stop early. Cancelling closes the connection instead of reading the rest.
    await reader.cancel().catch(() => {})
  }
}

const quote = 0x22
const backslash = 0x5c
const bracketOpen = 0x5b
const bracketClose = 0x5d
const braceOpen = 0x7b
const braceClose = 0x7d

interface Elements {
  /** Range of the complete elements; empty if `start` equals `end`. */
  readonly start: number
  readonly end: number
  /** Offset of the first byte that is not consumed. */
  readonly rest: number
  /** Whether the array ends after these elements. */
  readonly isLast: boolean
}

function findElements(bytes: Uint8Array): Elements {
  let start = -1
  let end = 0
  let offset = 0
  for (; offset < bytes.length; offset++) {
    const byte = bytes[offset]
    if (byte === bracketClose) return { start: Math.max(start, 0), end, rest: offset + 1, isLast: true }
    if (byte !== braceOpen) continue
    const after = findElementEnd(bytes, offset)
    if (after === -1) break
    if (start === -1) start = offset
    end = after
    offset = after - 1
  }
  return { start: Math.max(start, 0), end, rest: offset, isLast: false }
}

/** Returns the offset after the closing brace, or -1 if it has not arrived. */
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

/** Returns the offset of the closing quote, the next one after an even number of backslashes, or -1. */
function findStringEnd(bytes: Uint8Array, start: number): number {
  for (let offset = bytes.indexOf(quote, start + 1); offset !== -1; offset = bytes.indexOf(quote, offset + 1)) {
    let slashes = 0
    while (bytes[offset - 1 - slashes] === backslash) slashes += 1
    if (slashes % 2 === 0) return offset
  }
  return -1
}

function parseElements(bytes: Uint8Array): WireRecord[] {
  try {
    return JSON.parse(`[${decode(bytes)}]`) as WireRecord[]
  } catch {
    throw new BodyError('it is not JSON', false)
  }
}

function checkPrefix(bytes: Uint8Array, isWhole: boolean): void {
  const text = decode(bytes).replace(/\s/g, '')
  const isExpected = isWhole ? text === prefix : prefix.startsWith(text)
  if (!isExpected) throw new BodyError('it is not the result of a search', false)
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
