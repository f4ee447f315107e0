// Inverts consecutive records into one sorted run of postings. It lists every occurrence of a word, in the order of the
// records, and a stable counting sort orders the occurrences by term. Each run covers later records than the run
// before it, so merge.ts only concatenates the posting lists of a term.
import assert from 'node:assert/strict'
import { type AnalysedText, analyseText, analyseTitle, type Word } from '../analysis/analyser.ts'
import type { Spans } from '../analysis/placed-words.ts'
import { hasPositions, segmentStem, type TermKind, termKinds } from './posting-list.ts'
import { TermDictionary } from './term-dictionary.ts'
import { at, increment } from './typed-array.ts'
import { ByteWriter, putVarint, varintBytes, varintBytesMax } from './varint.ts'

/** Unused word positions after the title and after the area, so that no phrase spans title, area and segments. */
const gapWords = 64

/** A run is written in portions of about this size. */
const flushBytes = 1 << 20

/** A word position is stored as twice its number, plus one for a joined form or a synonym (posting-list.ts). */
const writtenFlag = 0
const addedFlag = 1

/**
 * An entry whose positions are the starts of the segments of a record. It has the flag of a synonym, because it is not
 * in the text.
 */
const segmentMark: Word = { form: '', stem: segmentStem }

/**
 * An occurrence is the number of its word, shifted by `flagBits`, and a flag in the low bits. The flags mark a synonym,
 * which is not in the text as written, so prefix searches do not find it, and an entry of neighbours.
 */
const flagBits = 2
const flagMask = 3
const noFlag = 0
const synonymFlag = 1
const neighboursFlag = 2

/** The texts of a record. Segments are analysed one by one, but the word positions go on, so phrases span them. */
export interface RecordTexts {
  readonly title: string
  readonly area: string
  /** The text of the documents, in parts that are shown as passages (snapshot/segments.ts). */
  readonly segments: readonly string[]
}

/** The two parts of a run: first the posting lists of forms, then those of stems. */
export interface RunLayout {
  readonly formBytes: number
  readonly stemBytes: number
  /** No record has content, so the posting lists of whole records are left out: they would equal those of titles. */
  readonly hasTitlesOnly: boolean
}

/** A kind of posting list in a run. `flags` are those of the occurrences that it is made of. */
interface RunSection {
  readonly kind: TermKind
  readonly part: 'form' | 'stem'
  readonly field: 'title' | 'record'
  readonly flags: readonly number[]
}

/** Sorted by the letter of the kind: that is the order of the keys. */
const runSections: readonly RunSection[] = [
  { kind: termKinds.form, part: 'form', field: 'record', flags: [noFlag] },
  { kind: termKinds.titleForm, part: 'form', field: 'title', flags: [noFlag] },
  { kind: termKinds.neighbours, part: 'stem', field: 'title', flags: [neighboursFlag] },
  { kind: termKinds.titleStem, part: 'stem', field: 'title', flags: [noFlag, synonymFlag] },
  { kind: termKinds.stem, part: 'stem', field: 'record', flags: [noFlag, synonymFlag] },
]

export class Inverter {
  /** Numbers the words of the run in the order of their first occurrence. */
  readonly #wordNumbers = new Map<Word, number>()
  readonly #dictionaries = { stem: new TermDictionary(), form: new TermDictionary() }
  /** The occurrences of all records, and the word position of each. */
  #occurrences = new Uint32Array(1 << 16)
  #positions = new Uint32Array(1 << 16)
  #occurrenceCount = 0
  #hasContent = false
  /** The position of the first record of the run. */
  #firstRecord = 0
  #recordCount = 0
  /** For each record of the run, where the occurrences of its title end, and where all its occurrences end. */
  #titleEnds = new Uint32Array(1 << 12)
  #recordEnds = new Uint32Array(1 << 12)
  /** Buffers of the counting sort: the record and the word position of each occurrence, sorted by term. */
  #sortedRecords = new Uint32Array(1 << 16)
  #sortedPositions = new Uint32Array(1 << 16)

  /** The records of a run must be consecutive. */
  add(record: number, { title, area, segments }: RecordTexts): void {
    const recordIndex = this.#recordCount++
    if (recordIndex === 0) this.#firstRecord = record
    assert.ok(record === this.#firstRecord + recordIndex, 'the records of a run are consecutive')
    if (recordIndex === this.#recordEnds.length) {
      this.#titleEnds = toGrown(this.#titleEnds, recordIndex * 2)
      this.#recordEnds = toGrown(this.#recordEnds, recordIndex * 2)
    }
    const analysedTitle = analyseTitle(title)
    let position = this.#addText(analysedTitle, 0)
    for (const entry of analysedTitle.neighbours) this.#addOccurrence(entry, neighboursFlag, 0, addedFlag)
    this.#titleEnds[recordIndex] = this.#occurrenceCount
    this.#hasContent ||= area !== '' || segments.length > 0
    if (area !== '') position = this.#addText(analyseText(area), position + gapWords)
    position += gapWords
    for (const segment of segments) {
      this.#addOccurrence(segmentMark, synonymFlag, position, writtenFlag)
      // A segment without words takes a position too, so that every segment has its own.
      position = Math.max(this.#addText(analyseText(segment), position), position + 1)
    }
    this.#recordEnds[recordIndex] = this.#occurrenceCount
  }

  /** Returns the position after the last word. */
  #addText(text: AnalysedText, firstPosition: number): number {
    const { words, joinedForms, joinedFormSpans, synonyms, synonymSpans } = text
    for (let index = 0; index < words.length; index++) {
      this.#addOccurrence(words[index] as Word, noFlag, firstPosition + index, writtenFlag)
    }
    this.#addWords(joinedForms, noFlag, joinedFormSpans, firstPosition)
    this.#addWords(synonyms, synonymFlag, synonymSpans, firstPosition)
    return firstPosition + words.length
  }

  /** Adds joined forms or synonyms at the first of the words that they stand for. */
  #addWords(words: readonly Word[], flag: number, { firsts }: Spans, firstPosition: number): void {
    for (let index = 0; index < words.length; index++) {
      this.#addOccurrence(words[index] as Word, flag, firstPosition + (firsts[index] as number), addedFlag)
    }
  }

  #addOccurrence(word: Word, flag: number, position: number, positionFlag: number): void {
    const index = this.#occurrenceCount++
    if (index === this.#occurrences.length) this.#grow()
    const wordNumber = this.#wordNumbers.get(word) ?? this.#addWord(word)
    this.#occurrences[index] = (wordNumber << flagBits) | flag
    this.#positions[index] = (position << 1) | positionFlag
  }

  #addWord(word: Word): number {
    const number = this.#wordNumbers.size
    this.#wordNumbers.set(word, number)
    this.#dictionaries.stem.add(word.stem)
    this.#dictionaries.form.add(word.form)
    return number
  }

  #grow(): void {
    const length = this.#occurrences.length * 2
    this.#occurrences = toGrown(this.#occurrences, length)
    this.#positions = toGrown(this.#positions, length)
  }

  /**
   * Writes the run, returns its layout and empties the inverter. A run is a sequence of `key size, key, body size,
   * body` in ascending order of keys. The body is a sequence of `record delta` or, for kinds with positions, of
   * `record delta, size of positions, positions`.
   */
  writeRun(write: (bytes: Uint8Array) => void): RunLayout {
    const partBytes = { form: 0, stem: 0 }
    const run = new ByteWriter(flushBytes * 2)
    const body = new ByteWriter(1 << 16)
    const flush = (part: 'form' | 'stem'): void => {
      write(run.bytes.subarray(0, run.length))
      partBytes[part] += run.length
      run.length = 0
    }
    const sorted = { stem: this.#dictionaries.stem.toSorted(), form: this.#dictionaries.form.toSorted() }
    const hasTitlesOnly = !this.#hasContent
    for (const { kind, part, field, flags } of runSections) {
      if (hasTitlesOnly && field === 'record') continue
      const ends = field === 'title' ? this.#titleEnds : this.#recordEnds
      const dictionary = this.#dictionaries[part]
      const isWanted = toFlagSet(flags)
      const starts = hasPositions(kind)
        ? this.#sortPostings(dictionary, ends, isWanted)
        : this.#sortRecords(dictionary, ends, isWanted)
      const { keys, terms } = sorted[part]
      for (const [index, key] of keys.entries()) {
        const term = at(terms, index)
        const from = at(starts, term)
        const to = at(starts, term + 1)
        if (from === to) continue
        if (hasPositions(kind)) this.#encodePostings(body, from, to)
        else this.#encodeRecords(body, from, to)
        run.text(kind + key)
        run.varint(body.length)
        run.append(body.bytes, 0, body.length)
        if (run.length >= flushBytes) flush(part)
      }
      flush(part)
    }
    this.#clear()
    return { formBytes: partBytes.form, stemBytes: partBytes.stem, hasTitlesOnly }
  }

  #clear(): void {
    this.#occurrenceCount = 0
    this.#hasContent = false
    this.#recordCount = 0
    this.#wordNumbers.clear()
    this.#dictionaries.stem.clear()
    this.#dictionaries.form.clear()
  }

  /**
   * Sorts the records of the occurrences with a wanted flag by term: a stable counting sort. Of each record, the
   * occurrences before its element of `ends` take part. Returns where each term starts in the sorted records.
   */
  #sortRecords(dictionary: TermDictionary, ends: Uint32Array, isWanted: Uint8Array): Uint32Array {
    const termOfWord = new Uint32Array(dictionary.termOfWord)
    const starts = this.#countTerms(termOfWord, dictionary.size, ends, isWanted)
    const nextSlots = starts.slice()
    const occurrences = this.#occurrences
    const sortedRecords = this.#sortedRecords
    let index = 0
    for (let recordIndex = 0; recordIndex < this.#recordCount; recordIndex++) {
      const record = this.#firstRecord + recordIndex
      for (const end = at(ends, recordIndex); index < end; index++) {
        const occurrence = at(occurrences, index)
        if (isWanted[occurrence & flagMask] === 0) continue
        const slot = increment(nextSlots, at(termOfWord, occurrence >>> flagBits))
        sortedRecords[slot] = record
      }
      index = at(this.#recordEnds, recordIndex)
    }
    return starts
  }

  /** Like `#sortRecords`, with the word positions. */
  #sortPostings(dictionary: TermDictionary, ends: Uint32Array, isWanted: Uint8Array): Uint32Array {
    const termOfWord = new Uint32Array(dictionary.termOfWord)
    const starts = this.#countTerms(termOfWord, dictionary.size, ends, isWanted)
    const nextSlots = starts.slice()
    const occurrences = this.#occurrences
    const positions = this.#positions
    const sortedRecords = this.#sortedRecords
    const sortedPositions = this.#sortedPositions
    let index = 0
    for (let recordIndex = 0; recordIndex < this.#recordCount; recordIndex++) {
      const record = this.#firstRecord + recordIndex
      for (const end = at(ends, recordIndex); index < end; index++) {
        const occurrence = at(occurrences, index)
        if (isWanted[occurrence & flagMask] === 0) continue
        const slot = increment(nextSlots, at(termOfWord, occurrence >>> flagBits))
        sortedRecords[slot] = record
        sortedPositions[slot] = at(positions, index)
      }
      index = at(this.#recordEnds, recordIndex)
    }
    return starts
  }

  /**
   * Counts the occurrences with a wanted flag, and makes the sort buffers large enough for them. Returns where each
   * term starts; the last element is the end of the last term.
   */
  #countTerms(termOfWord: Uint32Array, termCount: number, ends: Uint32Array, isWanted: Uint8Array): Uint32Array {
    const starts = new Uint32Array(termCount + 1)
    const occurrences = this.#occurrences
    let index = 0
    for (let recordIndex = 0; recordIndex < this.#recordCount; recordIndex++) {
      for (const end = at(ends, recordIndex); index < end; index++) {
        const occurrence = at(occurrences, index)
        if (isWanted[occurrence & flagMask] !== 0) increment(starts, at(termOfWord, occurrence >>> flagBits))
      }
      index = at(this.#recordEnds, recordIndex)
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

  /** Encodes the sorted records from `from` to `to`, each once. */
  #encodeRecords(body: ByteWriter, from: number, to: number): void {
    const records = this.#sortedRecords
    body.length = 0
    const bytes = body.reserve((to - from) * varintBytesMax)
    let end = 0
    let lastRecord = -1
    for (let index = from; index < to; index++) {
      const record = at(records, index)
      if (record === lastRecord) continue
      end = putVarint(bytes, end, lastRecord === -1 ? record : record - lastRecord)
      lastRecord = record
    }
    body.length = end
  }

  /** Encodes the sorted records from `from` to `to`, each once, with its word positions. */
  #encodePostings(body: ByteWriter, from: number, to: number): void {
    const records = this.#sortedRecords
    const positions = this.#sortedPositions
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
      // Joined forms and synonyms come after the words of their text.
      if (!isSorted) positions.subarray(recordStart, nextRecordStart).sort()
      // The size of the positions comes before them, so a first pass adds it up. Equal positions are written once.
      let positionsBytes = 0
      let lastPosition = -1
      for (let index = recordStart; index < nextRecordStart; index++) {
        const position = at(positions, index)
        if (position === lastPosition) continue
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
}

/** For each flag, one if it is wanted. */
function toFlagSet(flags: readonly number[]): Uint8Array {
  const isWanted = new Uint8Array(flagMask + 1)
  for (const flag of flags) isWanted[flag] = 1
  return isWanted
}

/** A longer copy of the array. */
function toGrown(array: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(length)
  grown.set(array)
  return grown
}
