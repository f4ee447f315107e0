// Byte strings one behind the other, found by number: the records as they go over the wire, what else is known of them,
// the blocks and places of posting lists. They lie behind the last page of the database, where SQLite does not look. To
// read one is one call of the system for its very bytes; out of a table it takes the way down a tree, whole pages and
// copies of both.
import { readSync } from 'node:fs'
import { KeptBytes } from './kept-bytes.ts'

/** In the order in which they follow the pages. */
export const stripNames = ['record', 'entry', 'code', 'head', 'key', 'milestone', 'block', 'place'] as const

export type StripName = (typeof stripNames)[number]

export interface StripSize {
  readonly count: number
  /** Of the strings; where each of them begins, and the last one ends, follows them. */
  readonly bytes: number
}

export function sizeOnDisk({ count, bytes }: StripSize): number {
  return bytes + (count + 1) * Float64Array.BYTES_PER_ELEMENT
}

/** Of what stays in memory, no more for a page of many that lie apart: to read it all at once holds up everybody. */
const piecesAtOnce = 32

/** A stretch is read whole and picked from where that is at most so many times what is wanted of it. */
const worthReading = 4

/** Where all are read: each by itself would cost a call of the system. */
const stringsAtOnce = 256

export class Strip {
  readonly count: number
  readonly #file: number
  readonly #from: number
  readonly #bytes: number
  #starts: Float64Array | undefined
  #scratch: Buffer = Buffer.allocUnsafeSlow(4096)
  /** Its beginning. */
  #kept = new KeptBytes(0)

  /** In an open file, from a byte on. */
  constructor(file: number, from: number, { count, bytes }: StripSize) {
    this.#file = file
    this.#from = from
    this.#bytes = bytes
    this.count = count
  }

  /**
   * From now on its first so many bytes stay in memory once they are read, but for what is read on the way through all
   * of it. Returns how many there are.
   */
  keep(bytesMax: number): number {
    const bytes = Math.max(0, Math.min(this.#bytes, Math.floor(bytesMax)))
    this.#kept = new KeptBytes(bytes)
    return bytes
  }

  /** Gives back what stayed in memory: the collector may not come for it for long. */
  forget(): void {
    this.#kept.release()
  }

  /** Without so many bytes at its beginning and at its end; in latin1 one character a byte. */
  text(number: number, encoding: 'latin1' | 'utf8', before = 0, behind = 0): string {
    const from = this.#start(number) + before
    const end = this.#start(number + 1) - behind
    if (this.#isKept(from, end)) return this.#kept.bytes.toString(encoding, from, end)
    return this.#readScratch(from, end - from).toString(encoding, 0, end - from)
  }

  /** Those numbered `first` to `end` (excluded), as they lie; until the next is read. */
  lend(first: number, end: number): Buffer {
    const from = this.#start(first)
    const to = this.#start(end)
    if (this.#isKept(from, to)) return this.#kept.bytes.subarray(from, to)
    return this.#readScratch(from, to - from).subarray(0, to - from)
  }

  /** In memory of its own. */
  whole(number: number): Buffer {
    const from = this.#start(number)
    const bytes = Buffer.allocUnsafeSlow(this.#start(number + 1) - from)
    this.#read(bytes, 0, bytes.length, from)
    return bytes
  }

  /** Whether these bytes are of those that stay in memory; they are there then. */
  #isKept(from: number, end: number): boolean {
    const lacking = this.#kept.lacks(from, end)
    if (lacking > 0 && lacking < Number.POSITIVE_INFINITY) this.#kept.fill(from, end, this.#read)
    return lacking < Number.POSITIVE_INFINITY
  }

  /** Those numbered `first` to `end` (excluded), as they lie. */
  #stretch(first: number, end: number, lent: ArrayBufferLike | undefined): Buffer {
    const from = this.#start(first)
    const bytes = toRoom(this.#start(end) - from, lent)
    this.#read(bytes, 0, bytes.length, from)
    return bytes
  }

  /** Those numbered from `first` on, each by itself, in the memory that is lent where it suffices, else in new. */
  several(first: number, count: number, lent?: ArrayBufferLike): { strings: Buffer[]; room: ArrayBufferLike } {
    const end = Math.min(first + count, this.count)
    const from = this.#start(first)
    const bytes = this.#stretch(first, end, lent)
    const strings: Buffer[] = []
    for (let number = first; number < end; number++) {
      strings.push(bytes.subarray(this.#start(number) - from, this.#start(number + 1) - from))
    }
    return { strings, room: bytes.buffer }
  }

  /** All, in order, each until the next is asked for. */
  *strings(): Generator<Buffer, void, undefined> {
    let lent: ArrayBufferLike | undefined
    for (let first = 0; first < this.count; first += stringsAtOnce) {
      const { strings, room } = this.several(first, stringsAtOnce, lent)
      lent = room
      yield* strings
    }
  }

  /** Some of them, one behind the other, in the memory that is lent where it suffices, else in new. */
  gather(numbers: readonly number[], lent?: ArrayBufferLike): Buffer {
    const starts = this.#opened()
    let size = 0
    for (const number of numbers) size += startAt(starts, number + 1) - startAt(starts, number)
    const bytes = toRoom(size, lent)
    // All before any is copied, so that they come side by side.
    for (const number of numbers) this.#kept.prefetch(startAt(starts, number))
    let fillable = piecesAtOnce
    let to = 0
    for (const number of numbers) {
      const from = startAt(starts, number)
      const end = startAt(starts, number + 1)
      const lacking = this.#kept.lacks(from, end)
      if (lacking <= fillable) {
        fillable -= lacking
        if (lacking > 0) this.#kept.fill(from, end, this.#read)
        this.#kept.bytes.copy(bytes, to, from, end)
      } else this.#read(bytes, to, end - from, from)
      to += end - from
    }
    return bytes
  }

  /** The same for many on the way through all of them: a stretch that is worth it is read whole, and does not stay. */
  gatherMany(numbers: readonly number[], lent?: ArrayBufferLike): Buffer {
    const first = numbers[0] ?? 0
    let last = first - 1
    let size = 0
    for (const number of numbers) {
      // Out of order, and no stretch.
      if (number <= last) return this.gather(numbers, lent)
      size += this.#start(number + 1) - this.#start(number)
      last = number
    }
    if (this.#start(last + 1) - this.#start(first) > size * worthReading) return this.gather(numbers, lent)
    const bytes = this.#stretch(first, last + 1, lent)
    let to = 0
    for (const number of numbers) {
      const from = this.#start(number) - this.#start(first)
      const end = this.#start(number + 1) - this.#start(first)
      if (from > to) bytes.copyWithin(to, from, end)
      to += end - from
    }
    return bytes.subarray(0, to)
  }

  /** Reads where its strings begin, which else the first who asks for one waits for. */
  open(): void {
    this.#opened()
  }

  #opened(): Float64Array {
    this.#starts ??= this.#readStarts()
    return this.#starts
  }

  #start(number: number): number {
    const start = this.#opened()[number]
    if (start === undefined) throw new RangeError(`there is no string ${number} among ${this.count}`)
    return start
  }

  /** Kept from then on: 8 bytes for each. */
  #readStarts(): Float64Array {
    const starts = new Float64Array(this.count + 1)
    this.#read(Buffer.from(starts.buffer), 0, starts.byteLength, this.#bytes)
    return starts
  }

  #readScratch(from: number, size: number): Buffer {
    if (size > this.#scratch.length) this.#scratch = Buffer.allocUnsafeSlow(size * 2)
    this.#read(this.#scratch, 0, size, from)
    return this.#scratch
  }

  readonly #read = (into: Buffer, at: number, size: number, from: number): void => {
    for (let done = 0; done < size; ) {
      const read = readSync(this.#file, into, at + done, size - done, this.#from + from + done)
      if (read === 0) throw new Error('the snapshot file was cut short while it was being read')
      done += read
    }
  }
}

/** Where a string begins that is known to be there. */
function startAt(starts: Float64Array, number: number): number {
  return starts[number] as number
}

function toRoom(size: number, lent: ArrayBufferLike | undefined): Buffer {
  const room = lent === undefined || lent.byteLength < size ? Buffer.allocUnsafeSlow(toRoomBytes(size)).buffer : lent
  return Buffer.from(room, 0, size)
}

/** With room for most others, to which it is lent next. */
function toRoomBytes(size: number): number {
  return Math.max(size, 16 * 1024)
}
