// Staged rows in canonical order: as many as fit into memory at once are sorted and written to a file, and all such
// runs are read back side by side. An external merge sort; what a row is made of is staged-row.ts.
import { writeSync } from 'node:fs'
import { FileWindow } from '../search/file-window.ts'
import { MergeHeap } from '../search/heap.ts'
import { inCanonicalOrder } from './row-order.ts'
import { compareCodes, dateOf, headBytes, type NewRow, type RowPlace, sizeOf, toParts, writeRow } from './staged-row.ts'

/** Rows are sorted in memory so many bytes at a time; so many are read back at once, of all such runs together. */
const runBytes = 4 * 1024 * 1024
const windowsBytes = 4 * 1024 * 1024
const windowBytesMax = 64 * 1024
/** Sorted rows are gathered and written so many bytes at a time. */
const gatheredBytes = 256 * 1024

/** A stretch of a file in which rows lie in order. */
export interface SortedRun {
  readonly file: number
  readonly start: number
  readonly size: number
}

export class RunWriter {
  readonly #file: number
  readonly #runs: SortedRun[] = []
  #fileBytes = 0
  /** The rows that are not sorted yet. */
  #rest = Buffer.allocUnsafeSlow(runBytes)
  #restBytes = 0
  #starts: number[] = []
  readonly #gathered = Buffer.allocUnsafeSlow(gatheredBytes)

  /** Appends to an open file that nobody else writes to. */
  constructor(file: number) {
    this.#file = file
  }

  /** `number` tells which of equal rows came first. */
  add(row: NewRow, place: RowPlace, number: number): void {
    const parts = toParts(row)
    if (this.#restBytes + parts.bytesMax > this.#rest.length) {
      this.#writeRun()
      // A row that is larger than all others together takes a run of its own.
      if (parts.bytesMax > this.#rest.length) this.#rest = Buffer.allocUnsafeSlow(parts.bytesMax)
    }
    this.#starts.push(this.#restBytes)
    this.#restBytes = writeRow(this.#rest, this.#restBytes, parts, place, number)
  }

  /** All that was added; nothing can be added afterwards. */
  finish(): readonly SortedRun[] {
    this.#writeRun()
    this.#rest = nothing
    return this.#runs
  }

  #writeRun(): void {
    if (this.#restBytes === 0) return
    const rest = this.#rest
    const gathered = this.#gathered
    let end = 0
    for (const start of inCanonicalOrder(rest, this.#starts)) {
      const size = sizeOf(rest, start)
      if (end + size > gathered.length) {
        this.#write(gathered.subarray(0, end))
        end = 0
      }
      if (size > gathered.length) this.#write(rest.subarray(start, start + size))
      else end += rest.copy(gathered, end, start, start + size)
    }
    this.#write(gathered.subarray(0, end))
    this.#runs.push({ file: this.#file, start: this.#fileBytes, size: this.#restBytes })
    this.#fileBytes += this.#restBytes
    this.#restBytes = 0
    this.#starts = []
  }

  #write(bytes: Uint8Array): void {
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written)
  }
}

const nothing = Buffer.alloc(0)

/** A row among its run. It stays where it is until the next one is asked for. */
export interface RowCursor {
  readonly bytes: Buffer
  /** Where it begins. */
  readonly row: number
}

/** Every row in canonical order; of equal ones the earlier first. What is yielded moves on with the next. */
export function* mergeSorted(runs: readonly SortedRun[]): Generator<RowCursor, void, undefined> {
  const windowBytes = Math.min(windowBytesMax, Math.ceil(windowsBytes / Math.max(1, runs.length)))
  const heap = new MergeHeap(
    runs.map((run) => new RunReader(run, windowBytes)).filter((run) => run.next()),
    comesBefore,
  )
  for (let top = heap.top(); top !== undefined; top = heap.top()) {
    yield top
    if (top.next()) heap.settle()
    else heap.pop()
  }
}

class RunReader implements RowCursor {
  bytes: Buffer
  row = 0
  date = 0
  readonly #window: FileWindow

  constructor({ file, start, size }: SortedRun, windowBytes: number) {
    this.#window = new FileWindow(file, start, size, Buffer.allocUnsafeSlow(windowBytes))
    this.bytes = this.#window.bytes
  }

  /** Moves to the next row; false at the end. */
  next(): boolean {
    const window = this.#window
    if (!window.fill(headBytes)) return false
    const size = sizeOf(window.bytes, window.from)
    window.fill(size)
    this.bytes = window.bytes
    this.row = window.from
    this.date = dateOf(this.bytes, this.row)
    window.from += size
    return true
  }
}

function comesBefore(a: RunReader, b: RunReader): boolean {
  return a.date === b.date ? compareCodes(a.bytes, a.row, b.bytes, b.row) < 0 : a.date > b.date
}
