// Reads the body of a search as it arrives: `{"resultadoBusqueda":[…]}` of any length in flat memory. The elements are
// found by counting braces outside strings, and what is whole of each chunk is parsed at once.
import type { WireRecord } from '../domain/record.ts'

/** The body is not whole, or not that of a search. */
export class BrokenBody extends Error {
  override readonly name = 'BrokenBody'
  readonly isIncomplete: boolean
  constructor(message: string, isIncomplete: boolean) {
    super(message)
    this.isIncomplete = isIncomplete
  }
}

/** No record is near this; a body that passes it is none of a registry. */
const elementBytesMax = 16 * 1024 * 1024
const head = '{"resultadoBusqueda":'

export async function* readRecords(body: ReadableStream<Uint8Array>): AsyncGenerator<WireRecord[], void, undefined> {
  const reader = body.getReader()
  try {
    let rest: Uint8Array = new Uint8Array(0)
    let place: 'head' | 'elements' | 'tail' = 'head'
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      let bytes = concatenate(rest, value)
      if (place === 'head') {
        const start = bytes.indexOf(bracketOpen)
        refuseUnlike(bytes, start)
        if (start === -1) {
          rest = bytes
          continue
        }
        bytes = bytes.subarray(start + 1)
        place = 'elements'
      }
      if (place === 'elements') {
        const found = findElements(bytes)
        if (found.end > found.start) yield parseElements(bytes.subarray(found.start, found.end))
        if (found.isLast) place = 'tail'
        bytes = bytes.subarray(found.rest)
        if (bytes.length > elementBytesMax) throw new BrokenBody('a record is longer than any can be', false)
      }
      rest = bytes
    }
    if (place !== 'tail' || decode(rest).trim() !== '}') throw new BrokenBody('it ends before its end', true)
  } finally {
    // A caller that stops early leaves the rest unread; the connection is given up rather than drained.
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
  /** From the first whole element to the end of the last; equal where there is none. */
  readonly start: number
  readonly end: number
  /** Where the part begins that is still wanted. */
  readonly rest: number
  /** The array has been closed. */
  readonly isLast: boolean
}

function findElements(bytes: Uint8Array): Elements {
  let start = -1
  let end = 0
  let at = 0
  for (; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === bracketClose) return { start: Math.max(start, 0), end, rest: at + 1, isLast: true }
    if (byte !== braceOpen) continue
    const after = endOfElement(bytes, at)
    if (after === -1) break
    if (start === -1) start = at
    end = after
    at = after - 1
  }
  return { start: Math.max(start, 0), end, rest: at, isLast: false }
}

/** The place after the closing brace, or -1 when it has not arrived. */
function endOfElement(bytes: Uint8Array, start: number): number {
  let depth = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) {
      at = endOfString(bytes, at)
      if (at === -1) return -1
    } else if (byte === braceOpen) {
      depth += 1
    } else if (byte === braceClose) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return -1
}

/** The place of the closing quote: the next one with an even number of backslashes before it. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(quote, start + 1); at !== -1; at = bytes.indexOf(quote, at + 1)) {
    let slashes = 0
    while (bytes[at - 1 - slashes] === backslash) slashes += 1
    if (slashes % 2 === 0) return at
  }
  return -1
}

function parseElements(bytes: Uint8Array): WireRecord[] {
  try {
    return JSON.parse(`[${decode(bytes)}]`) as WireRecord[]
  } catch {
    throw new BrokenBody('it is not JSON', false)
  }
}

function refuseUnlike(bytes: Uint8Array, start: number): void {
  const given = decode(start === -1 ? bytes : bytes.subarray(0, start)).replace(/\s/g, '')
  const isLike = start === -1 ? head.startsWith(given) : head === given
  if (!isLike) throw new BrokenBody('it is not the result of a search', false)
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
