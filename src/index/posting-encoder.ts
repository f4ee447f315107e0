// Encodes the posting list of one term for a run (the sorted postings of some consecutive records, inverter.ts): the
// records in ascending order as deltas, with or without the word positions in each.
import { at } from './typed-array.ts'
import { type ByteWriter, putVarint, varintBytes, varintBytesMax } from './varint.ts'

/** The occurrences of one term: the elements from `from` to `to` (excluded) of two parallel arrays. */
export interface OccurrenceRange {
  /** Ascending. A record has an element for each occurrence. */
  readonly records: Uint32Array
  /** The word position of each occurrence as stored (`TermEntry`), in any order inside a record. */
  readonly positions: Uint32Array
  readonly from: number
  readonly to: number
}

/** Replaces the contents of `body` by the records, each once. */
export function encodeRecords(body: ByteWriter, { records, from, to }: OccurrenceRange): void {
  body.length = 0
  const bytes = body.reserve((to - from) * varintBytesMax)
  let end = 0
  let lastRecord = -1
  for (let index = from; index < to; index++) {
    const record = at(records, index)
    if (record === lastRecord) continue
    // The first delta is to zero.
    end = putVarint(bytes, end, lastRecord === -1 ? record : record - lastRecord)
    lastRecord = record
  }
  body.length = end
}

/** Like `encodeRecords`, with the word positions of each record. Sorts the positions of a record in place. */
export function encodePostings(body: ByteWriter, { records, positions, from, to }: OccurrenceRange): void {
  body.length = 0
  // An occurrence takes at most three varints: record delta, size of positions, position delta.
  const bytes = body.reserve((to - from) * varintBytesMax * 3)
  let end = 0
  let lastRecord = 0
  let nextRecordStart = from
  while (nextRecordStart < to) {
    const recordStart = nextRecordStart
    const record = at(records, recordStart)
    let isSorted = true
    while (nextRecordStart < to && at(records, nextRecordStart) === record) {
      const index = nextRecordStart++
      if (index > recordStart && at(positions, index) <= at(positions, index - 1)) isSorted = false
    }
    // The inverter lists joined forms and synonyms after the words of their text.
    if (!isSorted) positions.subarray(recordStart, nextRecordStart).sort()
    // The size of the positions comes before them, so a first pass adds it up. Equal positions are written once.
    let positionsBytes = 0
    let lastPosition = -1
    for (let index = recordStart; index < nextRecordStart; index++) {
      const position = at(positions, index)
      if (position === lastPosition) continue
      // The first delta is to zero.
      positionsBytes += varintBytes(position - Math.max(lastPosition, 0))
      lastPosition = position
    }
    end = putVarint(bytes, end, record - lastRecord)
    end = putVarint(bytes, end, positionsBytes)
    lastRecord = record
    lastPosition = -1
    for (let index = recordStart; index < nextRecordStart; index++) {
      const position = at(positions, index)
      if (position === lastPosition) continue
      end = putVarint(bytes, end, position - Math.max(lastPosition, 0))
      lastPosition = position
    }
  }
  body.length = end
}
