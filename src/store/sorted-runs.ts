// Staged rows in canonical order: as many as fit into memory at once are sorted and written to a file, and all such
// runs are read back side by side. An external merge sort; what a row is made of is staged-row.ts.
import { writeSync } from 'node:fs'
import { FileWindow } from '../search/file-window.ts'
import { MergeHeap } from '../search/heap.ts'
import { inCanonicalOrder } from './row-order.ts'
import {
  compareCodes,
  dateOf,
  headBytes,
  MunicipalityNumbers,
  type NewRow,
  RowMemory,
  type RowPlace,
  StagedRow,
  sizeOf,
  toParts,
  writeRow,
} from './staged-row.ts'

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
  /** The names that its rows have numbers of, and those of other runs of the file. */
  readonly municipalities: readonly string[]
}

export class RunWriter {
  readonly #file: number
  readonly #runs: SortedRun[] = []
  #fileBytes = 0
  /** The rows that are not sorted yet. */
  #rest = new RowMemory(Buffer.allocUnsafeSlow(runBytes))
  #restBytes = 0
  #starts: number[] = []
  readonly #municipalities: string[] = []
  readonly #numberOfMunicipality = new Map<string, number>()
  readonly #gathered = Buffer.allocUnsafeSlow(gatheredBytes)

  /** Appends to an open file that nobody else writes to. */
  constructor(file: number) {
    this.#file = file
  }

  /** `number` tells which of equal rows came first. */
  add(row: NewRow, place: RowPlace, number: number, codeHash: number): void {
    const parts = toParts(row)
    if (this.#restBytes + parts.bytesMax > this.#rest.bytes.length) {
      this.#writeRun()
      // A row that is larger than all others together takes a run of its own.
      const { bytesMax } = parts
      if (bytesMax > this.#rest.bytes.length) this.#rest = new RowMemory(Buffer.allocUnsafeSlow(bytesMax))
    }
    this.#starts.push(this.#restBytes)
    const municipality = this.#numberOf(row.record.municipality)
    this.#restBytes = writeRow(this.#rest, this.#restBytes, parts, place, { municipality, codeHash, number })
  }

  #numberOf(municipality: string): number {
    let number = this.#numberOfMunicipality.get(municipality)
    if (number === undefined) {
      number = this.#municipalities.push(municipality) - 1
      this.#numberOfMunicipality.set(municipality, number)
    }
    return number
  }

  /** All that was added; nothing can be added afterwards. */
  finish(): readonly SortedRun[] {
    this.#writeRun()
    this.#rest = new RowMemory(Buffer.alloc(0))
    return this.#runs
  }

  #writeRun(): void {
    if (this.#restBytes === 0) return
    const rest = this.#rest
    const { bytes } = rest
    const gathered = this.#gathered
    let end = 0
    for (const start of inCanonicalOrder(rest, this.#starts)) {
      const size = sizeOf(rest, start)
      if (end + size > gathered.length) {
        this.#write(gathered.subarray(0, end))
        end = 0
      }
      if (size > gathered.length) this.#write(bytes.subarray(start, start + size))
      else end += bytes.copy(gathered, end, start, start + size)
    }
    this.#write(gathered.subarray(0, end))
    const municipalities = this.#municipalities
    this.#runs.push({ file: this.#file, start: this.#fileBytes, size: this.#restBytes, municipalities })
    this.#fileBytes += this.#restBytes
    this.#restBytes = 0
    this.#starts = []
  }

  #write(bytes: Uint8Array): void {
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written)
  }
}

/** Every row in canonical order; of equal ones the earlier first. A row holds until the next one is asked for. */
export function* mergeSorted(runs: readonly SortedRun[]): Generator<StagedRow, void, undefined> {
  const windowBytes = Math.min(windowBytesMax, Math.ceil(windowsBytes / Math.max(1, runs.length)))
  const municipalities = new MunicipalityNumbers()
  const heap = new MergeHeap(
    runs.map((run) => new RunReader(run, windowBytes, municipalities)).filter((run) => run.next()),
    (a, b) => a.comesBefore(b),
  )
  for (let top = heap.top(); top !== undefined; top = heap.top()) {
    yield top
    if (top.next()) heap.settle()
    else heap.pop()
  }
}

class RunReader extends StagedRow {
  #date = 0
  readonly #window: FileWindow

  constructor({ file, start, size, municipalities }: SortedRun, windowBytes: number, all: MunicipalityNumbers) {
    const window = new FileWindow(file, start, size, Buffer.allocUnsafeSlow(windowBytes))
    super(new RowMemory(window.bytes), municipalities, all)
    this.#window = window
  }

  /** Moves to the next row; false at the end. */
  next(): boolean {
    const window = this.#window
    if (!window.fill(headBytes)) return false
    const size = sizeOf(this.memory, window.from)
    window.fill(size)
    // Where the row is larger than the window, there is a larger one now.
    if (window.bytes !== this.bytes) this.memory = new RowMemory(window.bytes)
    this.row = window.from
    this.#date = dateOf(this.memory, this.row)
    window.from += size
    return true
  }

  comesBefore(other: RunReader): boolean {
    if (this.#date !== other.#date) return this.#date > other.#date
    return compareCodes(this.memory, this.row, other.memory, other.row) < 0
  }
}
