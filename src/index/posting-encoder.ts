// Encodes the posting list of one term in a run: the index of some consecutive records, which merge.ts merges with the
// others. `Inverter.writeRun` (inverter.ts) describes the format: the records in ascending order as deltas, with or
// without the word positions in each record. All numbers are varints. A packed position is a word position and a
// `kindAndSpan` in one number. The latter tells a word as written from an added word: a joined form (`ue1` for `UE-1`)
// or a synonym (packed-position.ts).
import { kindAndSpanOf, positionOf, writtenWord } from './packed-position.ts'
import { at } from './typed-array.ts'
import { type ByteWriter, putVarint, varintBytes, varintBytesMax } from './varint.ts'

/** The occurrences of one term: the elements from `from` to `to` (excluded) of two parallel arrays. */
export interface OccurrenceRange {
  /** The record of each occurrence, ascending. */
  readonly records: Uint32Array
  /** The packed position of each occurrence (packed-position.ts), in any order inside a record. */
  readonly positions: Uint32Array
  readonly from: number
  readonly to: number
}

/** Replaces the contents of `body` by the records, each once: 5, 5, 9 gives the deltas 5, 4. */
export function encodeRecords(body: ByteWriter, { records, from, to }: OccurrenceRange): void {
  body.length = 0
  const bytes = body.reserve((to - from) * varintBytesMax)
  body.length = putDeltas(bytes, 0, records, from, to)
}

/**
 * Replaces the contents of `body` by the records, each with the size of its word positions in bytes and the word
 * positions (`putPositions`). Sorts the positions of each record in place.
 */
export function encodePostings(body: ByteWriter, { records, positions, from, to }: OccurrenceRange): void {
  body.length = 0
  // An occurrence takes at most four varints: record delta, size of positions, position delta, `kindAndSpan`.
  const bytes = body.reserve((to - from) * varintBytesMax * 4)
  let end = 0
  let lastRecord = -1
  for (let recordStart = from; recordStart < to; ) {
    const record = at(records, recordStart)
    let recordEnd = recordStart + 1
    while (recordEnd < to && at(records, recordEnd) === record) recordEnd++
    sortPositions(positions, recordStart, recordEnd)
    end = putVarint(bytes, end, toDelta(record, lastRecord))
    // The size of the positions comes before them, so it is added up first.
    end = putVarint(bytes, end, positionsSize(positions, recordStart, recordEnd))
    end = putPositions(bytes, end, positions, recordStart, recordEnd)
    lastRecord = record
    recordStart = recordEnd
  }
  body.length = end
}

/** The difference from the value before, which is `last`. The first value, whose `last` is -1, is stored as it is. */
function toDelta(value: number, last: number): number {
  return last === -1 ? value : value - last
}

/**
 * Sorts the elements from `from` to `to` (excluded), unless they are sorted. They may be unsorted, because the inverter
 * adds the joined forms and the synonyms of a text after its words.
 */
function sortPositions(positions: Uint32Array, from: number, to: number): void {
  for (let index = from + 1; index < to; index++) {
    if (at(positions, index) > at(positions, index - 1)) continue
    positions.subarray(from, to).sort()
    return
  }
}

/** The number of bytes that `putPositions` writes for these positions. */
function positionsSize(positions: Uint32Array, from: number, to: number): number {
  let size = 0
  let lastPacked = -1
  let lastStored = -1
  for (let index = from; index < to; index++) {
    const packed = at(positions, index)
    if (packed === lastPacked) continue
    const stored = toStoredPosition(packed)
    size += varintBytes(toDelta(stored, lastStored))
    if (kindAndSpanOf(packed) !== writtenWord) size += varintBytes(kindAndSpanOf(packed))
    lastPacked = packed
    lastStored = stored
  }
  return size
}

/**
 * Writes the packed positions from `from` to `to` (excluded), which ascend, at `start`. Each is written as the delta of
 * its stored position (posting-list.ts) and, for an added word, its `kindAndSpan`. Two added words with one span may
 * have the same stem: equal positions are written once. Returns the offset after the last one.
 */
function putPositions(bytes: Uint8Array, start: number, positions: Uint32Array, from: number, to: number): number {
  let end = start
  let lastPacked = -1
  let lastStored = -1
  for (let index = from; index < to; index++) {
    const packed = at(positions, index)
    if (packed === lastPacked) continue
    const stored = toStoredPosition(packed)
    end = putVarint(bytes, end, toDelta(stored, lastStored))
    if (kindAndSpanOf(packed) !== writtenWord) end = putVarint(bytes, end, kindAndSpanOf(packed))
    lastPacked = packed
    lastStored = stored
  }
  return end
}

/** The position as posting lists store it: twice the word position, plus one for an added word. */
function toStoredPosition(packed: number): number {
  return positionOf(packed) * 2 + (kindAndSpanOf(packed) === writtenWord ? 0 : 1)
}

/**
 * Writes the deltas of `values[from]` to `values[to - 1]`, which ascend, at `start`. A repeated value is written once.
 * Returns the offset after the deltas.
 */
function putDeltas(bytes: Uint8Array, start: number, values: Uint32Array, from: number, to: number): number {
  let end = start
  // -1 before the first value, so that a 0 is not taken for a repetition.
  let lastValue = -1
  for (let index = from; index < to; index++) {
    const value = at(values, index)
    if (value === lastValue) continue
    end = putVarint(bytes, end, toDelta(value, lastValue))
    lastValue = value
  }
  return end
}
