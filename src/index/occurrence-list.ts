// The occurrences of words in consecutive records, in the order of the records, and a stable counting sort that orders
// them by term (the stem or the form of a word). inverter.ts fills it and sorts it for each kind of posting list.
import assert from 'node:assert/strict'
import { at, increment } from './typed-array.ts'

/**
 * An occurrence is stored as the number of its word, shifted by `flagBits`, and a flag in the low bits. The flag marks
 * a synonym, which prefix searches must not find, or an entry of neighbours, which is no word at all.
 */
const flagBits = 2
const flagMask = (1 << flagBits) - 1
export const noFlag = 0
export const synonymFlag = 1
export const neighboursFlag = 2

/** The title of a record, or the whole record, of which the title is the first part. */
export type Field = 'title' | 'record'

/** Which occurrences are sorted: those in the field that have one of the flags. */
export interface SortOptions {
  readonly field: Field
  /** Of `noFlag`, `synonymFlag` and `neighboursFlag`. */
  readonly flags: readonly number[]
  /** By number of a word: the number of its term, below `termCount`. */
  readonly termOfWord: Uint32Array
  readonly termCount: number
  /** Whether the positions are wanted too. */
  readonly withPositions: boolean
}

/** Occurrences sorted by term, as parallel arrays. Valid until the next sort. */
export interface SortedOccurrences {
  readonly records: Uint32Array
  /** Not filled in a sort without positions. */
  readonly positions: Uint32Array
  /** By term: the index of its first occurrence. One more element is the end of the last term. */
  readonly starts: Uint32Array
}

/** The arrays start small and grow. */
export class OccurrenceList {
  #occurrences = new Uint32Array(1 << 16)
  #positions = new Uint32Array(1 << 16)
  #count = 0
  #firstRecord = 0
  #recordCount = 0
  /** For each record, where the occurrences of its title end, and where all its occurrences end. */
  #ends = { title: new Uint32Array(1 << 12), record: new Uint32Array(1 << 12) }
  /** Buffers of the sort. */
  #sortedRecords = new Uint32Array(1 << 16)
  #sortedPositions = new Uint32Array(1 << 16)

  /**
   * Adds an occurrence to the current record. The title comes first, then `endTitle`, the rest, and `endRecord`.
   * `position` may be any 32-bit number; the sort returns it as it is.
   */
  add(wordNumber: number, flag: number, position: number): void {
    const index = this.#count++
    if (index === this.#occurrences.length) {
      this.#occurrences = toGrown(this.#occurrences)
      this.#positions = toGrown(this.#positions)
    }
    this.#occurrences[index] = (wordNumber << flagBits) | flag
    this.#positions[index] = position
  }

  /** Ends the title of the current record. */
  endTitle(): void {
    if (this.#recordCount === this.#ends.title.length) {
      this.#ends = { title: toGrown(this.#ends.title), record: toGrown(this.#ends.record) }
    }
    this.#ends.title[this.#recordCount] = this.#count
  }

  /** Ends the current record. The records must be consecutive. */
  endRecord(record: number): void {
    if (this.#recordCount === 0) this.#firstRecord = record
    assert.equal(record, this.#firstRecord + this.#recordCount, 'the records of a run are consecutive')
    this.#ends.record[this.#recordCount++] = this.#count
  }

  clear(): void {
    this.#count = 0
    this.#recordCount = 0
  }

  /** A stable counting sort by term: the occurrences of a term stay in the order of the records. */
  sort(options: SortOptions): SortedOccurrences {
    const { field, flags, termOfWord, withPositions } = options
    const starts = this.#countTerms(options)
    /** By term: the index that its next occurrence gets. */
    const nextSlots = starts.slice()
    const isWanted = toFlagSet(flags)
    const ends = this.#ends[field]
    const occurrences = this.#occurrences
    const positions = this.#positions
    const sortedRecords = this.#sortedRecords
    const sortedPositions = this.#sortedPositions
    let index = 0
    for (let recordIndex = 0; recordIndex < this.#recordCount; recordIndex++) {
      for (const end = at(ends, recordIndex); index < end; index++) {
        const occurrence = at(occurrences, index)
        if (isWanted[occurrence & flagMask] === 0) continue
        const slot = increment(nextSlots, at(termOfWord, occurrence >>> flagBits))
        sortedRecords[slot] = this.#firstRecord + recordIndex
        if (withPositions) sortedPositions[slot] = at(positions, index)
      }
      // If only the title is sorted, this skips the rest of the record.
      index = at(this.#ends.record, recordIndex)
    }
    return { records: sortedRecords, positions: sortedPositions, starts }
  }

  /** Counts the occurrences of each term, and makes the buffers large enough. Returns `starts`. */
  #countTerms({ field, flags, termOfWord, termCount }: SortOptions): Uint32Array {
    const starts = new Uint32Array(termCount + 1)
    const isWanted = toFlagSet(flags)
    const ends = this.#ends[field]
    const occurrences = this.#occurrences
    let index = 0
    for (let recordIndex = 0; recordIndex < this.#recordCount; recordIndex++) {
      for (const end = at(ends, recordIndex); index < end; index++) {
        const occurrence = at(occurrences, index)
        if (isWanted[occurrence & flagMask] !== 0) increment(starts, at(termOfWord, occurrence >>> flagBits))
      }
      index = at(this.#ends.record, recordIndex)
    }
    // Each count becomes the sum of the counts before it.
    let sum = 0
    for (let term = 0; term <= termCount; term++) {
      const count = at(starts, term)
      starts[term] = sum
      sum += count
    }
    if (sum > this.#sortedRecords.length) {
      this.#sortedRecords = new Uint32Array(sum)
      this.#sortedPositions = new Uint32Array(sum)
    }
    return starts
  }
}

/** By flag: one if it is wanted. */
function toFlagSet(flags: readonly number[]): Uint8Array {
  const isWanted = new Uint8Array(flagMask + 1)
  for (const flag of flags) isWanted[flag] = 1
  return isWanted
}

/** A copy with twice the length. */
function toGrown(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(array.length * 2)
  grown.set(array)
  return grown
}
