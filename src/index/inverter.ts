// Inverts a batch of consecutive records into one sorted run of postings. Each occurrence of a word is one entry; a
// stable counting sort orders the entries by term. Runs cover consecutive records, so merge.ts only concatenates them.
import assert from 'node:assert/strict'
import { analyseText, type Word } from '../analysis/analyser.ts'
import { hasPositions, type TermKind, termKinds } from './posting-list.ts'
import { at, increment } from './typed-array.ts'
import { ByteWriter, putVarint, varintBytes, varintBytesMax } from './varint.ts'

/** Word positions between title and content, so that no phrase spans both. */
const titleGapWords = 64

/** A run is written in portions of about this size. */
const flushBytes = 1 << 20

/** Position of an entry that is not a word of the text itself: a joined code or a synonym. */
const noPosition = 0xffffffff

/** Low bit of an entry: the word is a synonym. It is not in the text as written, so prefix searches do not find it. */
const synonymFlag = 1
const flagBits = 1

/** Sizes of the two parts of a run in bytes: first the posting lists of forms, then those of stems. */
export interface RunSizes {
  readonly form: number
  readonly stem: number
  /** No record has a text, so the posting lists of whole records are left out: they would equal those of titles. */
  readonly hasTitlesOnly: boolean
}

/** Sorted by the letters of the kinds, which is the order of the keys. */
const outputs: readonly { kind: TermKind; part: 'form' | 'stem'; field: 'title' | 'record' }[] = [
  { kind: termKinds.form, part: 'form', field: 'record' },
  { kind: termKinds.titleForm, part: 'form', field: 'title' },
  { kind: termKinds.titleStem, part: 'stem', field: 'title' },
  { kind: termKinds.stem, part: 'stem', field: 'record' },
]

export class Inverter {
  /** The words of the run, numbered in the order of their first occurrence. */
  readonly #wordNumbers = new Map<Word, number>()
  readonly #dictionaries = { stem: new TermDictionary(), form: new TermDictionary() }
  /** For each entry the number of its word and its flag, and its word position. */
  #entries = new Uint32Array(1 << 16)
  #positions = new Uint32Array(1 << 16)
  #length = 0
  #hasContent = false
  /** The position of the first record, and the number of records. */
  #first = 0
  #records = 0
  /** For each record the end of the entries of its title, and the end of all its entries. */
  #titleEnds = new Uint32Array(1 << 12)
  #recordEnds = new Uint32Array(1 << 12)
  #sortedRecords = new Uint32Array(1 << 16)
  #sortedPositions = new Uint32Array(1 << 16)

  /** The records of a run must be consecutive. */
  add(record: number, title: string, content: string): void {
    if (this.#records === 0) this.#first = record
    assert.ok(record === this.#first + this.#records, 'the records of a run are consecutive')
    if (this.#records === this.#recordEnds.length) {
      this.#titleEnds = toGrown(this.#titleEnds, this.#records * 2)
      this.#recordEnds = toGrown(this.#recordEnds, this.#records * 2)
    }
    const analysed = analyseText(title)
    this.#addWords(analysed.words, 0, 0)
    this.#addWords(analysed.joined, noPosition, 0)
    this.#addWords(analysed.synonyms, noPosition, synonymFlag)
    this.#titleEnds[this.#records] = this.#length
    if (content !== '') {
      this.#hasContent = true
      const { words, joined, synonyms } = analyseText(content)
      this.#addWords(words, analysed.words.length + titleGapWords, 0)
      this.#addWords(joined, noPosition, 0)
      this.#addWords(synonyms, noPosition, synonymFlag)
    }
    this.#recordEnds[this.#records++] = this.#length
  }

  #addWords(words: readonly Word[], firstPosition: number, flag: number): void {
    const length = this.#length
    if (length + words.length > this.#entries.length) this.#grow(length + words.length)
    const entries = this.#entries
    const positions = this.#positions
    for (let i = 0; i < words.length; i++) {
      const word = words[i] as Word
      const number = this.#wordNumbers.get(word) ?? this.#addWord(word)
      entries[length + i] = (number << flagBits) | flag
      positions[length + i] = firstPosition === noPosition ? noPosition : firstPosition + i
    }
    this.#length = length + words.length
  }

  #addWord(word: Word): number {
    const number = this.#wordNumbers.size
    this.#wordNumbers.set(word, number)
    this.#dictionaries.stem.add(word.stem)
    this.#dictionaries.form.add(word.form)
    return number
  }

  #grow(lengthMin: number): void {
    const length = Math.max(lengthMin, this.#entries.length * 2)
    this.#entries = toGrown(this.#entries, length)
    this.#positions = toGrown(this.#positions, length)
  }

  /**
   * Writes the run, returns its sizes and empties the inverter. A run is a sequence of `key size, key, body size,
   * body` in ascending order of keys. The body is a sequence of `record delta` or, for kinds with positions, of
   * `record delta, size of positions, positions`.
   */
  writeRun(write: (bytes: Uint8Array) => void): RunSizes {
    const sizes = { form: 0, stem: 0 }
    const run = new ByteWriter(flushBytes * 2)
    const body = new ByteWriter(1 << 16)
    const flush = (part: 'form' | 'stem'): void => {
      write(run.bytes.subarray(0, run.length))
      sizes[part] += run.length
      run.length = 0
    }
    const sorted = { stem: this.#dictionaries.stem.toSorted(), form: this.#dictionaries.form.toSorted() }
    const hasTitlesOnly = !this.#hasContent
    for (const { kind, part, field } of outputs) {
      if (hasTitlesOnly && field === 'record') continue
      const ends = field === 'title' ? this.#titleEnds : this.#recordEnds
      const dictionary = this.#dictionaries[part]
      const starts = hasPositions(kind) ? this.#sortPostings(dictionary, ends) : this.#sortRecords(dictionary, ends)
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
    return { ...sizes, hasTitlesOnly }
  }

  #clear(): void {
    this.#length = 0
    this.#hasContent = false
    this.#records = 0
    this.#wordNumbers.clear()
    this.#dictionaries.stem.clear()
    this.#dictionaries.form.clear()
  }

  /**
   * Sorts the records of all entries but synonyms by term: a stable counting sort. `ends` limits the entries of each
   * record. Returns where each term starts in the result.
   */
  #sortRecords(dictionary: TermDictionary, ends: Uint32Array): Uint32Array {
    const termOfWord = new Uint32Array(dictionary.termOfWord)
    const starts = this.#countTerms(termOfWord, dictionary.size, ends, synonymFlag)
    const next = starts.slice()
    const entries = this.#entries
    const sortedRecords = this.#sortedRecords
    for (let nth = 0, i = 0; nth < this.#records; nth++) {
      const record = this.#first + nth
      for (const end = at(ends, nth); i < end; i++) {
        const entry = at(entries, i)
        if ((entry & synonymFlag) === 0) sortedRecords[increment(next, at(termOfWord, entry >>> flagBits))] = record
      }
      i = at(this.#recordEnds, nth)
    }
    return starts
  }

  /** Like `#sortRecords`, for all entries, with their word positions. */
  #sortPostings(dictionary: TermDictionary, ends: Uint32Array): Uint32Array {
    const termOfWord = new Uint32Array(dictionary.termOfWord)
    const starts = this.#countTerms(termOfWord, dictionary.size, ends, 0)
    const next = starts.slice()
    const entries = this.#entries
    const positions = this.#positions
    const sortedRecords = this.#sortedRecords
    const sortedPositions = this.#sortedPositions
    for (let nth = 0, i = 0; nth < this.#records; nth++) {
      const record = this.#first + nth
      for (const end = at(ends, nth); i < end; i++) {
        const to = increment(next, at(termOfWord, at(entries, i) >>> flagBits))
        sortedRecords[to] = record
        sortedPositions[to] = at(positions, i)
      }
      i = at(this.#recordEnds, nth)
    }
    return starts
  }

  /** Counts the entries without `excludedFlag` and returns where each term starts. Enlarges the sort buffers. */
  #countTerms(termOfWord: Uint32Array, terms: number, ends: Uint32Array, excludedFlag: number): Uint32Array {
    const starts = new Uint32Array(terms + 1)
    const entries = this.#entries
    for (let nth = 0, i = 0; nth < this.#records; nth++) {
      for (const end = at(ends, nth); i < end; i++) {
        const entry = at(entries, i)
        if ((entry & excludedFlag) === 0) increment(starts, at(termOfWord, entry >>> flagBits))
      }
      i = at(this.#recordEnds, nth)
    }
    let length = 0
    for (let term = 0; term <= terms; term++) {
      const count = at(starts, term)
      starts[term] = length
      length += count
    }
    if (length > this.#sortedRecords.length) {
      this.#sortedRecords = new Uint32Array(length)
      this.#sortedPositions = new Uint32Array(length)
    }
    return starts
  }

  /** Encodes the sorted records from `from` to `to`, each once. */
  #encodeRecords(body: ByteWriter, from: number, to: number): void {
    const records = this.#sortedRecords
    body.length = 0
    const bytes = body.reserve((to - from) * varintBytesMax)
    let end = 0
    let last = -1
    for (let i = from; i < to; i++) {
      const record = at(records, i)
      if (record === last) continue
      end = putVarint(bytes, end, last === -1 ? record : record - last)
      last = record
    }
    body.length = end
  }

  #encodePostings(body: ByteWriter, from: number, to: number): void {
    const records = this.#sortedRecords
    const positions = this.#sortedPositions
    body.length = 0
    const bytes = body.reserve((to - from) * varintBytesMax * 3)
    let end = 0
    let lastRecord = 0
    for (let i = from; i < to; ) {
      const record = at(records, i)
      const first = i
      let size = 0
      let last = 0
      for (; i < to && at(records, i) === record; i++) {
        const position = at(positions, i)
        if (position === noPosition) continue
        size += varintBytes(position - last)
        last = position
      }
      end = putVarint(bytes, end, record - lastRecord)
      end = putVarint(bytes, end, size)
      lastRecord = record
      last = 0
      for (let j = first; j < i; j++) {
        const position = at(positions, j)
        if (position === noPosition) continue
        end = putVarint(bytes, end, position - last)
        last = position
      }
    }
    body.length = end
  }
}

/** Numbers the stems, or the forms, of the words of a run. Several words may share one. */
class TermDictionary {
  /** For each word, in the order of `add`, the number of its term. */
  readonly termOfWord: number[] = []
  readonly #numbers = new Map<string, number>()

  get size(): number {
    return this.#numbers.size
  }

  add(key: string): void {
    let number = this.#numbers.get(key)
    if (number === undefined) {
      number = this.#numbers.size
      this.#numbers.set(key, number)
    }
    this.termOfWord.push(number)
  }

  /** The keys sorted by code unit, which is the order of the merge, and the number of each. */
  toSorted(): { keys: readonly string[]; terms: Uint32Array } {
    const keys = [...this.#numbers.keys()].sort()
    const terms = new Uint32Array(keys.length)
    for (const [index, key] of keys.entries()) terms[index] = this.#numbers.get(key) as number
    return { keys, terms }
  }

  clear(): void {
    this.termOfWord.length = 0
    this.#numbers.clear()
  }
}

function toGrown(array: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(length)
  grown.set(array)
  return grown
}
