// Merges sorted runs into posting lists: the second half of the external merge sort of index-builder.ts. A run has the
// posting lists of some consecutive records, sorted by key (`Inverter.writeRun` in inverter.ts describes the format).
// It is read through a small buffer, so the runs need not fit in memory. The records of a run come before those of the
// next run, so the posting list of a term is the concatenation of its lists in the runs.
import { closeSync, openSync } from 'node:fs'
import { BufferedFileReader } from './buffered-file-reader.ts'
import { MergeHeap } from './merge-heap.ts'
import { hasPositions, type TermKind, termKinds } from './posting-list.ts'
import type { PostingWriter } from './posting-writer.ts'
import { PrefixUnions } from './prefix-unions.ts'
import { ByteReader, varintBytesMax } from './varint.ts'

/** The size of all read buffers together. It is divided among the runs, within the limits for a single buffer. */
const allBuffersBytes = 16 * 1024 * 1024
const bufferBytesMin = 16 * 1024
const bufferBytesMax = 128 * 1024

/** A sorted run: a byte range of a file. */
export interface Run {
  /** The path of the file, which several runs may share. */
  readonly path: string
  /** Where the run starts in the file, and its size, in bytes. */
  readonly start: number
  readonly size: number
  /**
   * Whether the posting lists of titles are read as posting lists of whole records. If no record of the run has
   * content, both are the same, and the run has only those of titles (`toRunsOfPart` in index-builder.ts).
   */
  readonly asWholeRecords?: boolean
}

/**
 * Maps a kind of posting list of titles to the kind for whole records. The keys of a run stay sorted, because the
 * letters of the kinds have the same order: `gplan` before `tplan`, and `fplan` before `wplan`.
 */
const titleToRecordKinds: Partial<Record<string, TermKind>> = {
  [termKinds.titleForm]: termKinds.form,
  [termKinds.titleStem]: termKinds.stem,
}

/**
 * Writes the posting lists of all runs in the order of their keys. A prefix union is written when the last word with
 * the prefix is done, between the posting lists of two words. `runs` are in the order of the records; `recordCount` is
 * the number of records in the whole registry. Calls `onProgress` after each term with the bytes of all postings merged
 * so far.
 */
export function mergeRuns(
  runs: readonly Run[],
  recordCount: number,
  writer: PostingWriter,
  onProgress: (mergedBytes: number) => void,
): void {
  const paths = new Set(runs.map(({ path }) => path))
  /** The descriptors of the open files, by path. */
  const descriptors = new Map(Array.from(paths, (path) => [path, openSync(path, 'r')]))
  try {
    const bufferBytes = Math.min(bufferBytesMax, Math.max(bufferBytesMin, Math.floor(allBuffersBytes / runs.length)))
    const readers = runs.map(
      (run, runNumber) => new RunReader(descriptors.get(run.path) as number, run, runNumber, bufferBytes),
    )
    mergeReaders(readers, new PrefixUnions(recordCount, writer), writer, onProgress)
  } finally {
    for (const descriptor of descriptors.values()) closeSync(descriptor)
  }
}

function mergeReaders(
  readers: readonly RunReader[],
  prefixUnions: PrefixUnions,
  writer: PostingWriter,
  onProgress: (mergedBytes: number) => void,
): void {
  const nonEmptyReaders = readers.filter((reader) => reader.next())
  const heap = new MergeHeap(nonEmptyReaders, isBefore)
  let mergedBytes = 0
  for (let first = heap.top(); first !== undefined; first = heap.top()) {
    const { key } = first
    // Prefix unions ignore the keys of other kinds than forms (folded words).
    prefixUnions.startTerm(key)
    const withPositions = hasPositions(key.charAt(0))
    writer.begin({ withPositions })
    // Every run that has the key comes to the top once, in the order of the records.
    for (let top = heap.top(); top?.key === key; top = heap.top()) {
      if (withPositions) copyPostings(top.body, writer)
      else copyRecords(top.body, writer, prefixUnions)
      mergedBytes += top.body.length
      if (top.next()) heap.updateTop()
      else heap.pop()
    }
    writer.end(key)
    onProgress(mergedBytes)
  }
  prefixUnions.finish()
}

/** Copies the records of a term with their encoded word positions. */
function copyPostings(body: Uint8Array, writer: PostingWriter): void {
  const reader = new ByteReader(body)
  let record = 0
  while (reader.offset < body.length) {
    record += reader.varint()
    const positionsBytes = reader.varint()
    writer.add(record, body, reader.offset, reader.offset + positionsBytes)
    reader.offset += positionsBytes
  }
}

/** Copies the records of a term without word positions, and passes them to the prefix unions. */
function copyRecords(body: Uint8Array, writer: PostingWriter, prefixUnions: PrefixUnions): void {
  const reader = new ByteReader(body)
  let record = 0
  while (reader.offset < body.length) {
    record += reader.varint()
    writer.add(record)
    prefixUnions.addRecord(record)
  }
}

/** Reads the keys of a run one by one, each with its encoded postings. */
class RunReader {
  /** The current key: the letter of the kind, then the word. Empty before the first `next`. */
  key = ''
  /** The encoded postings of the key (`Inverter.writeRun`). A view, valid until `next` is called again. */
  body: Uint8Array = new Uint8Array(0)
  /** The place of the run in the order of the records. */
  readonly runNumber: number
  readonly #asWholeRecords: boolean
  readonly #reader: BufferedFileReader

  /** `descriptor` is the descriptor of the open file of the run. */
  constructor(
    descriptor: number,
    { start, size, asWholeRecords = false }: Run,
    runNumber: number,
    bufferBytes: number,
  ) {
    this.runNumber = runNumber
    this.#asWholeRecords = asWholeRecords
    this.#reader = new BufferedFileReader(descriptor, start, size, Buffer.alloc(bufferBytes))
  }

  /** Advances to the next key. Returns false at the end. */
  next(): boolean {
    while (this.#reader.fill(1)) {
      const key = this.#take(this.#varint()).toString('utf8')
      this.body = this.#take(this.#varint())
      const kind = this.#asWholeRecords ? titleToRecordKinds[key.charAt(0)] : key.charAt(0)
      // Read as whole records, a run gives the posting lists of title forms and title stems. The lists of neighbours
      // (pairs of words side by side) exist for titles only and are skipped.
      if (kind === undefined) continue
      this.key = kind + key.slice(1)
      return true
    }
    return false
  }

  /** Reads the next `length` bytes. A view; valid until the next read. */
  #take(length: number): Buffer {
    const reader = this.#reader
    // The buffer grows if a posting list is longer.
    reader.fill(length)
    reader.offset += length
    return reader.buffer.subarray(reader.offset - length, reader.offset)
  }

  #varint(): number {
    const reader = this.#reader
    // Near the end of the run, fewer bytes are left, but always a whole varint.
    reader.fill(varintBytesMax)
    const bytes = new ByteReader(reader.buffer, reader.offset)
    const value = bytes.varint()
    reader.offset = bytes.offset
    return value
  }
}

/** Compares by key, and equal keys by run, so that the records of a term ascend. */
function isBefore(a: RunReader, b: RunReader): boolean {
  return a.key === b.key ? a.runNumber < b.runNumber : a.key < b.key
}
