// External merge of sorted runs (inverter.ts says what they contain) into posting lists. Each run is read through a
// small buffer, so memory depends on the number of runs and not on their size. The records of a run come before those
// of the next run, so the posting list of a term is that of each run, one after the other.
import { closeSync, openSync } from 'node:fs'
import { BufferedFileReader } from './buffered-file-reader.ts'
import { MergeHeap } from './merge-heap.ts'
import { hasPositions, type TermKind, termKinds } from './posting-list.ts'
import type { PostingWriter } from './posting-writer.ts'
import { PrefixUnions } from './prefix-unions.ts'
import { ByteReader, varintBytesMax } from './varint.ts'

/** The size of all read buffers together, unless a limit for a single buffer applies. */
const allBuffersBytes = 16 * 1024 * 1024
const bufferBytesMin = 16 * 1024
const bufferBytesMax = 128 * 1024

/** A sorted run: a byte range of a file. */
export interface Run {
  /** The path of the file. */
  readonly file: string
  /** Where the run starts in the file, and its size, in bytes. */
  readonly start: number
  readonly size: number
  /** Read the posting lists of titles as posting lists of whole records: the records have no other text. */
  readonly asWholeRecords?: boolean
}

/**
 * For a kind of posting list of titles, the kind for whole records. The letters of the latter are in the same order as
 * those of the former, so that the keys of a run stay sorted.
 */
const titleToRecordKinds: Partial<Record<string, TermKind>> = {
  [termKinds.titleForm]: termKinds.form,
  [termKinds.titleStem]: termKinds.stem,
}

/**
 * Writes the posting lists of all runs in the order of their keys, and the prefix unions between them. Calls
 * `onProgress` with the bytes merged so far. `runs` are in the order of the records; `recordCount` is that of the
 * whole registry.
 */
export function mergeRuns(
  runs: readonly Run[],
  recordCount: number,
  writer: PostingWriter,
  onProgress: (mergedBytes: number) => void,
): void {
  const paths = new Set(runs.map(({ file }) => file))
  const files = new Map(Array.from(paths, (path) => [path, openSync(path, 'r')]))
  const bufferBytes = Math.min(bufferBytesMax, Math.max(bufferBytesMin, Math.floor(allBuffersBytes / runs.length)))
  const readers = runs.map(
    (run, runNumber) => new RunReader(files.get(run.file) as number, run, runNumber, bufferBytes),
  )
  const prefixes = new PrefixUnions(recordCount, writer)
  try {
    let mergedBytes = 0
    const heap = new MergeHeap(
      readers.filter((reader) => reader.next()),
      isBefore,
    )
    for (let top = heap.top(); top !== undefined; ) {
      const key = top.key
      prefixes.startTerm(key)
      const withPositions = hasPositions(key.charAt(0))
      writer.begin({ withPositions })
      // Every run that has the key is at the top once, in the order of the records.
      while (top !== undefined && top.key === key) {
        if (withPositions) copyPostings(top.body, writer)
        else copyRecords(top.body, writer, prefixes)
        mergedBytes += top.body.length
        if (top.next()) heap.updateTop()
        else heap.pop()
        top = heap.top()
      }
      writer.end(key)
      onProgress(mergedBytes)
    }
    prefixes.finish()
  } finally {
    for (const file of files.values()) closeSync(file)
  }
}

/** Copies the records of a term with their word positions, as they are. */
function copyPostings(body: Uint8Array, writer: PostingWriter): void {
  const reader = new ByteReader(body)
  let record = 0
  while (reader.offset < body.length) {
    record += reader.varint()
    const size = reader.varint()
    writer.add(record, body, reader.offset, reader.offset + size)
    reader.offset += size
  }
}

/** Copies the records of a term, also to the unions of its prefixes. */
function copyRecords(body: Uint8Array, writer: PostingWriter, prefixes: PrefixUnions): void {
  const reader = new ByteReader(body)
  let record = 0
  while (reader.offset < body.length) {
    record += reader.varint()
    writer.add(record)
    prefixes.addRecord(record)
  }
}

/** Reads the keys of a run one by one, each with its encoded postings. */
class RunReader {
  key = ''
  /** The encoded postings of the key, as `Inverter.writeRun` describes them. A view, valid until the next `next`. */
  body: Uint8Array = new Uint8Array(0)
  readonly runNumber: number
  readonly #asWholeRecords: boolean
  readonly #reader: BufferedFileReader

  /** `file` is the file descriptor. */
  constructor(file: number, { start, size, asWholeRecords = false }: Run, runNumber: number, bufferBytes: number) {
    this.runNumber = runNumber
    this.#asWholeRecords = asWholeRecords
    this.#reader = new BufferedFileReader(file, start, size, Buffer.alloc(bufferBytes))
  }

  /** Advances to the next key. Returns false at the end. */
  next(): boolean {
    while (this.#reader.fill(1)) {
      const key = this.#take(this.#varint()).toString('utf8')
      this.body = this.#take(this.#varint())
      const kind = this.#asWholeRecords ? titleToRecordKinds[key.charAt(0)] : key.charAt(0)
      // Pairs of neighbours exist for titles only, so they have no kind for whole records.
      if (kind === undefined) continue
      this.key = kind + key.slice(1)
      return true
    }
    return false
  }

  /** A view of the next bytes; valid until the next read. */
  #take(length: number): Buffer {
    const reader = this.#reader
    reader.fill(length)
    reader.offset += length
    return reader.buffer.subarray(reader.offset - length, reader.offset)
  }

  #varint(): number {
    const reader = this.#reader
    reader.fill(varintBytesMax)
    const bytes = new ByteReader(reader.buffer, reader.offset)
    const value = bytes.varint()
    reader.offset = bytes.offset
    return value
  }
}

/** For equal keys the earlier run is first, so that records ascend. */
function isBefore(a: RunReader, b: RunReader): boolean {
  return a.key === b.key ? a.runNumber < b.runNumber : a.key < b.key
}
