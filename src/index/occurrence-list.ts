// The occurrences of words in consecutive records, in the order of the records, and a stable counting sort of them by
// term (the stem or the form of a word). inverter.ts adds the occurrences of a run, then sorts them once for each kind
// of posting list.
import assert from 'node:assert/strict'
import { at, increment, toGrown } from './typed-array.ts'

/** A flagged word is one number: its low bits are the flag of an occurrence, the other bits the number of the word. */
const flagBits = 2
const flagMask = (1 << flagBits) - 1
/** Indexed by its form, for prefix searches, and by its stem: a word of the text, or a joined form. */
export const formAndStemFlag = 0
/** Indexed by its stem only, so that no prefix search finds it: a synonym, or the mark where a segment starts. */
export const stemFlag = 1
/** Indexed as neighbours only: a pair of words of a title, such as `plan parcial`. */
export const neighboursFlag = 2

/** The title of a record, or the whole record, of which the title is the first part. */
export type FieldName = 'title' | 'record'

/** Sorts the occurrences in `field` that have one of `flags`, by the terms that `termOfWord` gives. */
export interface SortOptions {
  readonly field: FieldName
  /** Some of `formAndStemFlag`, `stemFlag` and `neighboursFlag`. */
  readonly flags: readonly number[]
  /** Maps the number of a word to the number of its term, which is less than `termCount`. */
  readonly termOfWord: Uint32Array
  readonly termCount: number
  /** Whether the word positions are sorted too. */
  readonly withPositions: boolean
}

/**
 * Occurrences sorted by term number. `records` and `positions` are parallel arrays: the record of each occurrence, and
 * the position that `add` was given. The occurrences of a term are at the indexes from `starts[term]` to
 * `starts[term + 1]` (excluded). Valid until the next sort.
 */
export interface SortedOccurrences {
  readonly records: Uint32Array
  /** Without meaning after a sort without positions. */
  readonly positions: Uint32Array
  /** Has `termCount + 1` elements. */
  readonly starts: Uint32Array
}

/** The arrays start small and grow. `clear` keeps them for the next run. */
export class OccurrenceList {
  /** Parallel arrays: the flagged word and the position of each occurrence. The first `#count` elements are used. */
  #flaggedWords = new Uint32Array(1 << 16)
  #positions = new Uint32Array(1 << 16)
  #count = 0
  #firstRecord = 0
  #recordCount = 0
  /** For each record, the index after the last occurrence of its title, and after its last occurrence. */
  #ends = { title: new Uint32Array(1 << 12), record: new Uint32Array(1 << 12) }
  /** The results of the last sort. */
  #sortedRecords = new Uint32Array(1 << 16)
  #sortedPositions = new Uint32Array(1 << 16)

  /**
   * Adds an occurrence to the current record. For each record, the caller adds the occurrences of the title, calls
   * `endTitle`, adds the occurrences of the other texts, and calls `endRecord`. `position` may be any 32-bit number,
   * such as a packed position (packed-position.ts); the sort returns it as it is.
   */
  add(wordNumber: number, flag: number, position: number): void {
    const index = this.#count++
    if (index === this.#flaggedWords.length) {
      this.#flaggedWords = toGrown(this.#flaggedWords)
      this.#positions = toGrown(this.#positions)
    }
    this.#flaggedWords[index] = (wordNumber << flagBits) | flag
    this.#positions[index] = position
  }

  /** Ends the title of the current record. */
  endTitle(): void {
    if (this.#recordCount === this.#ends.title.length) {
      this.#ends = { title: toGrown(this.#ends.title), record: toGrown(this.#ends.record) }
    }
    this.#ends.title[this.#recordCount] = this.#count
  }

  /** Ends the current record. `record` is its number in canonical order; the numbers must be consecutive. */
  endRecord(record: number): void {
    if (this.#recordCount === 0) this.#firstRecord = record
    assert.equal(record, this.#firstRecord + this.#recordCount, 'the records of a run are consecutive')
    this.#ends.record[this.#recordCount++] = this.#count
  }

  clear(): void {
    this.#count = 0
    this.#recordCount = 0
  }

  /**
   * A stable counting sort by term: the occurrences of a term stay in the order of the records. A first pass counts the
   * occurrences of each term, which gives the index where each term starts; a second pass copies them there.
   */
  sort(options: SortOptions): SortedOccurrences {
    const { field, flags, termOfWord, withPositions } = options
    const starts = this.#findStarts(options)
    /** For each term, the index that its next occurrence gets. */
    const nextSlots = starts.slice()
    const wantedFlags = toFlagSet(flags)
    const ends = this.#ends[field]
    const flaggedWords = this.#flaggedWords
    const positions = this.#positions
    const sortedRecords = this.#sortedRecords
    const sortedPositions = this.#sortedPositions
    let index = 0
    for (let recordIndex = 0; recordIndex < this.#recordCount; recordIndex++) {
      for (const end = at(ends, recordIndex); index < end; index++) {
        const flaggedWord = at(flaggedWords, index)
        if (wantedFlags[flaggedWord & flagMask] === 0) continue
        // `increment` returns the slot as it was before.
        const slot = increment(nextSlots, at(termOfWord, flaggedWord >>> flagBits))
        sortedRecords[slot] = this.#firstRecord + recordIndex
        if (withPositions) sortedPositions[slot] = at(positions, index)
      }
      // If the field is the title, this skips the other texts of the record.
      index = at(this.#ends.record, recordIndex)
    }
    return { records: sortedRecords, positions: sortedPositions, starts }
  }

  /** The first pass: returns `SortedOccurrences.starts`, and makes the arrays of the results large enough. */
  #findStarts({ field, flags, termOfWord, termCount }: SortOptions): Uint32Array {
    const starts = new Uint32Array(termCount + 1)
    const wantedFlags = toFlagSet(flags)
    const ends = this.#ends[field]
    const flaggedWords = this.#flaggedWords
    let index = 0
    for (let recordIndex = 0; recordIndex < this.#recordCount; recordIndex++) {
      for (const end = at(ends, recordIndex); index < end; index++) {
        const flaggedWord = at(flaggedWords, index)
        if (wantedFlags[flaggedWord & flagMask] === 0) continue
        increment(starts, at(termOfWord, flaggedWord >>> flagBits))
      }
      index = at(this.#ends.record, recordIndex)
    }
    // Up to here the elements are counts. Each becomes the sum of the counts before it: 2, 0, 3, 0 becomes 0, 2, 2, 5.
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

/** An array with a one at the index of each of the flags, and zeros elsewhere. */
function toFlagSet(flags: readonly number[]): Uint8Array {
  const flagSet = new Uint8Array(flagMask + 1)
  for (const flag of flags) flagSet[flag] = 1
  return flagSet
}
