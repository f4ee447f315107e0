// Merges sorted runs into finished posting lists. Runs lie in files and are read through small windows, so memory
// depends on their number and not on their size; the records of a run come before those of the next.
import { closeSync, openSync } from 'node:fs'
import { FileWindow } from './buffered-file-reader.ts'
import { MergeHeap } from './merge-heap.ts'
import { hasPositions, type ListKind, listKinds } from './posting-list.ts'
import type { BlockWriter } from './posting-writer.ts'
import { PrefixLists } from './prefix-unions.ts'
import { ByteReader } from './varint.ts'

/** All windows together, and the least that one may be. */
const windowsBytes = 16 * 1024 * 1024
const windowBytesMin = 16 * 1024
const windowBytesMax = 128 * 1024

/** A run in a file. */
export interface Run {
  readonly file: string
  readonly start: number
  readonly size: number
  /** Its lists of titles are read as what they are too: the lists of whole records that have nothing but a title. */
  readonly isForWholeRecords?: boolean
}

const wholeKinds: Partial<Record<string, ListKind>> = {
  [listKinds.titleForm]: listKinds.form,
  [listKinds.titleStem]: listKinds.stem,
}

/** Writes every list of the runs through the writer; calls back with the bytes done. */
export function mergeRuns(
  allRuns: readonly Run[],
  recordCount: number,
  writer: BlockWriter,
  onProgress: (done: number) => void,
): void {
  const names = new Set(allRuns.map(({ file }) => file))
  const files = new Map(Array.from(names, (file) => [file, openSync(file, 'r')]))
  const windowBytes = Math.min(windowBytesMax, Math.max(windowBytesMin, Math.floor(windowsBytes / allRuns.length)))
  const runs = allRuns.map((run, order) => new RunReader(files.get(run.file) ?? -1, run, order, windowBytes))
  const prefixes = new PrefixLists(recordCount, writer)
  try {
    let done = 0
    // Of equal keys the earlier run is on top, so records come in ascending order.
    const heap = new MergeHeap(
      runs.filter((run) => run.next()),
      comesBefore,
    )
    for (let top = heap.top(); top !== undefined; ) {
      const key = top.key
      prefixes.enter(key)
      const withPositions = hasPositions(key.charAt(0))
      writer.begin(withPositions)
      while (top !== undefined && top.key === key) {
        if (withPositions) copyPostings(top.body, writer)
        else copyRecords(top.body, writer, prefixes)
        done += top.body.length
        if (top.next()) heap.settle()
        else heap.pop()
        top = heap.top()
      }
      writer.end(key)
      onProgress(done)
    }
    prefixes.leaveAll()
  } finally {
    for (const file of files.values()) closeSync(file)
  }
}

function copyPostings(body: Uint8Array, writer: BlockWriter): void {
  const reader = new ByteReader(body)
  let record = 0
  while (reader.at < body.length) {
    record += reader.varint()
    const size = reader.varint()
    writer.add(record, body, reader.at, reader.at + size)
    reader.at += size
  }
}

function copyRecords(body: Uint8Array, writer: BlockWriter, prefixes: PrefixLists): void {
  const reader = new ByteReader(body)
  let record = 0
  while (reader.at < body.length) {
    record += reader.varint()
    writer.add(record, body, 0, 0)
    prefixes.addRecord(record)
  }
}

class RunReader {
  key = ''
  body: Uint8Array = new Uint8Array(0)
  readonly order: number
  readonly #isForWholeRecords: boolean
  readonly #window: FileWindow

  constructor(file: number, { start, size, isForWholeRecords = false }: Run, order: number, windowBytes: number) {
    this.order = order
    this.#isForWholeRecords = isForWholeRecords
    this.#window = new FileWindow(file, start, size, Buffer.alloc(windowBytes))
  }

  /** Moves to the next key; false at the end. */
  next(): boolean {
    if (!this.#window.fill(1)) return false
    const key = this.#take(this.#varint()).toString('utf8')
    this.key = this.#isForWholeRecords ? wholeKinds[key.charAt(0)] + key.slice(1) : key
    this.body = this.#take(this.#varint())
    return true
  }

  #take(length: number): Buffer {
    const window = this.#window
    window.fill(length)
    window.from += length
    return window.bytes.subarray(window.from - length, window.from)
  }

  #varint(): number {
    const window = this.#window
    window.fill(5)
    const reader = new ByteReader(window.bytes, window.from)
    const value = reader.varint()
    window.from = reader.at
    return value
  }
}

function comesBefore(a: RunReader, b: RunReader): boolean {
  return a.key === b.key ? a.order < b.order : a.key < b.key
}
