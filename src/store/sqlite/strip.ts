// Byte strings one behind the other, found by number: the records as they go over the wire, what else is known of them,
// the blocks and places of posting lists. They lie behind the last page of the database, where SQLite does not look. To
// read one is one call of the system for its very bytes; out of a table it takes the way down a tree, whole pages and
// copies of both.
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { at } from '../../search/bytes.ts'
import { NumberList } from './number-list.ts'

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

/** Of what stays in memory, so much is read at once. */
const keptAtOnce = 64 * 1024

/** For a page of many scattered records no more than these: who reads them all at once holds up everybody. */
const piecesAtOnce = 32

/** Most records are no longer, and what is takes care of itself: the processor sees that it is read in order. */
const lookedAt = 320

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
  /** Means nothing: what nobody could read would not be looked at. */
  seen = 0
  #scratch: Buffer = Buffer.allocUnsafeSlow(4096)
  /** Its beginning, as far as it was read: which pieces of it were. The system gives memory as it is written to. */
  #kept: Buffer = noBytes
  #hasPiece: Uint8Array = noBytes
  #piecesLeft: number = Number.POSITIVE_INFINITY

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
    this.#kept = Buffer.allocUnsafeSlow(bytes)
    this.#hasPiece = new Uint8Array(Math.ceil(bytes / keptAtOnce))
    return bytes
  }

  /** Without so many bytes at its beginning and at its end; in latin1 one character a byte. */
  text(number: number, encoding: 'latin1' | 'utf8', before = 0, behind = 0): string {
    const from = this.#start(number) + before
    const end = this.#start(number + 1) - behind
    if (this.#isKept(from, end)) return this.#kept.toString(encoding, from, end)
    return this.#readScratch(from, end - from).toString(encoding, 0, end - from)
  }

  /** Those numbered `first` to `end` (excluded), as they lie; until the next is read. */
  lend(first: number, end: number): Buffer {
    const from = this.#start(first)
    const to = this.#start(end)
    if (this.#isKept(from, to)) return this.#kept.subarray(from, to)
    return this.#readScratch(from, to - from).subarray(0, to - from)
  }

  /** In memory of its own. */
  whole(number: number): Buffer {
    const from = this.#start(number)
    const bytes = Buffer.allocUnsafeSlow(this.#start(number + 1) - from)
    this.#read(bytes, 0, bytes.length, from)
    return bytes
  }

  /** Whether these bytes are of those that stay in memory, or may be read to stay; they are there then. */
  #isKept(from: number, end: number): boolean {
    if (end > this.#kept.length) return false
    for (let piece = Math.floor(from / keptAtOnce); piece * keptAtOnce < end; piece++) {
      if (this.#hasPiece[piece] !== 0) continue
      if (this.#piecesLeft <= 0) return false
      this.#piecesLeft--
      this.#keepPiece(piece)
    }
    return true
  }

  #keepPiece(piece: number): void {
    const from = piece * keptAtOnce
    this.#read(this.#kept, from, Math.min(keptAtOnce, this.#kept.length - from), from)
    this.#hasPiece[piece] = 1
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
    this.#prefetch(numbers, starts)
    this.#piecesLeft = piecesAtOnce
    let to = 0
    for (const number of numbers) {
      const from = startAt(starts, number)
      const end = startAt(starts, number + 1)
      if (this.#isKept(from, end)) this.#kept.copy(bytes, to, from, end)
      else this.#read(bytes, to, end - from, from)
      to += end - from
    }
    this.#piecesLeft = Number.POSITIVE_INFINITY
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

  /**
   * Looks at strings that are about to be read, wherever they lie in memory: so all of them are fetched into the cache
   * of the processor side by side, where to copy one after the other waits for each (110 instead of 380 ns a record).
   */
  #prefetch(numbers: readonly number[], starts: Float64Array): void {
    const kept = this.#kept
    let seen = 0
    for (const number of numbers) {
      const from = startAt(starts, number)
      if (from + lookedAt > kept.length) continue
      // Written out, since a loop would wait at its end for what it looked at.
      seen += lookAt(kept, from) + lookAt(kept, from + 64) + lookAt(kept, from + 128)
      seen += lookAt(kept, from + 192) + lookAt(kept, from + 256)
    }
    this.seen = seen
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

  #read(into: Buffer, at: number, size: number, from: number): void {
    for (let done = 0; done < size; ) {
      const read = readSync(this.#file, into, at + done, size - done, this.#from + from + done)
      if (read === 0) throw new Error('the snapshot file was cut short while it was being read')
      done += read
    }
  }
}

const noBytes: Buffer = Buffer.alloc(0)

/** Where a string begins that is known to be there. */
function startAt(starts: Float64Array, number: number): number {
  return starts[number] as number
}

/** Not the function of all bytes: one that meets nothing but Buffers need not ask what it has. */
function lookAt(bytes: Buffer, at: number): number {
  return bytes[at] as number
}

function toRoom(size: number, lent: ArrayBufferLike | undefined): Buffer {
  const room = lent === undefined || lent.byteLength < size ? Buffer.allocUnsafeSlow(toRoomBytes(size)).buffer : lent
  return Buffer.from(room, 0, size)
}

/** With room for most others, to which it is lent next. */
function toRoomBytes(size: number): number {
  return Math.max(size, 16 * 1024)
}

const bufferBytes = 1 << 18

/** Writes a strip to a file of its own, from which it is carried over behind the pages (seal.ts). */
export class StripWriter {
  readonly path: string
  readonly #file: number
  readonly #buffer: Buffer = Buffer.allocUnsafeSlow(bufferBytes)
  #filled = 0
  #written = 0
  readonly #sizes = new NumberList()

  constructor(path: string) {
    this.path = path
    this.#file = openSync(path, 'w')
  }

  get count(): number {
    return this.#sizes.count
  }

  /** The bytes, and what follows them. */
  add(bytes: Uint8Array, suffix: Uint8Array = noBytes): void {
    const size = bytes.length + suffix.length
    if (this.#filled + size > bufferBytes) this.#flush()
    if (size > bufferBytes) {
      this.#write(bytes)
      this.#write(suffix)
      this.#sizes.push(size)
      return
    }
    this.#buffer.set(bytes, this.#filled)
    this.#buffer.set(suffix, this.#filled + bytes.length)
    this.#end(size)
  }

  /** The bytes, and a text behind them in UTF-8. */
  addText(bytes: Uint8Array, text: string): void {
    const sizeMax = bytes.length + text.length * utf8BytesMax
    if (sizeMax > bufferBytes) {
      this.add(bytes, Buffer.from(text))
      return
    }
    if (this.#filled + sizeMax > bufferBytes) this.#flush()
    this.#buffer.set(bytes, this.#filled)
    this.#end(bytes.length + this.#buffer.write(text, this.#filled + bytes.length))
  }

  /** Nothing can be added afterwards. */
  finish(): StripSize {
    this.#flush()
    const bytes = this.#written
    let start = 0
    this.#write(new Uint8Array(Float64Array.of(start).buffer))
    for (const sizes of this.#sizes.pieces()) {
      const starts = new Float64Array(sizes.length)
      for (let index = 0; index < sizes.length; index++) {
        start += at(sizes, index)
        starts[index] = start
      }
      this.#write(new Uint8Array(starts.buffer))
    }
    return { count: this.count, bytes }
  }

  close(): void {
    closeSync(this.#file)
  }

  #end(bytes: number): void {
    this.#filled += bytes
    this.#sizes.push(bytes)
  }

  #flush(): void {
    this.#write(this.#buffer.subarray(0, this.#filled))
    this.#filled = 0
  }

  #write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done)
    this.#written += bytes.length
  }
}

/** Of a UTF-16 unit. */
const utf8BytesMax = 3
