// Turns a stretch of records into one sorted run of postings: one entry a word, from which a stable counting sort
// makes each kind of list. Runs cover consecutive stretches of the registry, so merging them (merge.ts) is mere
// concatenation.
import { analyseText, type Word } from '../analysis/analyser.ts'
import { hasPositions, type ListKind, listKinds } from './posting-list.ts'
import { at, ByteWriter, increment, putVarint, varintBytes, varintBytesMax } from './varint.ts'

/** Between the last word of the title and the first of the content, so that no phrase spans the two. */
const titleGapWords = 64

/** A run is written in pieces of about this size. */
const writeBytes = 1 << 20

/** Marks an entry without a word position: what stands beside the text. */
const nowhere = 0xffffffff

/** The low bit of an entry: no beginning finds a synonym, it is not written there. */
const isSynonym = 1
const markBits = 1

/** How many bytes of a run hold the lists of forms, which come first, and those of stems. */
export interface RunSizes {
  readonly form: number
  readonly stem: number
  /** No record has a text: lists of whole records are those of titles, and left out. */
  readonly hasTitlesAlone: boolean
}

/** In the order of the letters of their kinds, which is the order of the keys. */
const lists: readonly { kind: ListKind; key: 'form' | 'stem'; from: 'title' | 'record' }[] = [
  { kind: listKinds.form, key: 'form', from: 'record' },
  { kind: listKinds.titleForm, key: 'form', from: 'title' },
  { kind: listKinds.titleStem, key: 'stem', from: 'title' },
  { kind: listKinds.stem, key: 'stem', from: 'record' },
]

/** Of all inverters: words are theirs in common. */
let runs = 0

export class Inverter {
  /** The words of a run are numbered in the order in which they come, and bear their number themselves. */
  #run = ++runs
  #words = 0
  readonly #keys = { stem: new Dictionary(), form: new Dictionary() }
  /** For each entry the number of its word and its marks, and its word position. */
  #entries = new Uint32Array(1 << 16)
  #positions = new Uint32Array(1 << 16)
  #length = 0
  #hasContent = false
  /** The position of the first record, and how many follow each other from there. */
  #first = 0
  #records = 0
  /** Where the entries of the title of each end, and where all its entries do. */
  #titleEnds = new Uint32Array(1 << 12)
  #ends = new Uint32Array(1 << 12)
  #sortedRecords = new Uint32Array(1 << 16)
  #sortedPositions = new Uint32Array(1 << 16)

  /** The records of a run follow each other. */
  add(record: number, title: string, content: string): void {
    if (this.#records === 0) this.#first = record
    if (this.#records === this.#ends.length) {
      this.#titleEnds = copied(this.#titleEnds, this.#records * 2)
      this.#ends = copied(this.#ends, this.#records * 2)
    }
    const analysed = analyseText(title)
    this.#addWords(analysed.words, 0, 0)
    this.#addWords(analysed.joined, nowhere, 0)
    this.#addWords(analysed.extras, nowhere, isSynonym)
    this.#titleEnds[this.#records] = this.#length
    if (content !== '') {
      this.#hasContent = true
      const { words, joined, extras } = analyseText(content)
      this.#addWords(words, analysed.words.length + titleGapWords, 0)
      this.#addWords(joined, nowhere, 0)
      this.#addWords(extras, nowhere, isSynonym)
    }
    this.#ends[this.#records++] = this.#length
  }

  #addWords(words: readonly Word[], firstPosition: number, marks: number): void {
    const length = this.#length
    if (length + words.length > this.#entries.length) this.#grow(length + words.length)
    const entries = this.#entries
    const positions = this.#positions
    for (let i = 0; i < words.length; i++) {
      const word = words[i] as Word
      const number = word.run === this.#run ? word.number : this.#number(word)
      entries[length + i] = (number << markBits) | marks
      positions[length + i] = firstPosition === nowhere ? nowhere : firstPosition + i
    }
    this.#length = length + words.length
  }

  #number(word: Word): number {
    const number = this.#words++
    word.number = number
    word.run = this.#run
    this.#keys.stem.add(word.stem)
    this.#keys.form.add(word.form)
    return number
  }

  #grow(least: number): void {
    const length = Math.max(least, this.#entries.length * 2)
    this.#entries = copied(this.#entries, length)
    this.#positions = copied(this.#positions, length)
  }

  /**
   * Writes the run and returns its sizes: entries in ascending order of keys, each `key length, key, body length,
   * body`, the body a sequence of `record delta` or, where the list has positions, of `record delta, length of
   * positions, positions`. The inverter is empty afterwards.
   */
  writeRun(write: (bytes: Uint8Array) => void): RunSizes {
    const sizes = { form: 0, stem: 0 }
    const run = new ByteWriter(writeBytes * 2)
    const body = new ByteWriter(1 << 16)
    const flush = (name: 'form' | 'stem'): void => {
      write(run.bytes.subarray(0, run.length))
      sizes[name] += run.length
      run.length = 0
    }
    const ordered = { stem: this.#keys.stem.inOrder(), form: this.#keys.form.inOrder() }
    const hasTitlesAlone = !this.#hasContent
    for (const { kind, key: name, from: part } of lists) {
      if (hasTitlesAlone && part === 'record') continue
      const ends = part === 'title' ? this.#titleEnds : this.#ends
      const dictionary = this.#keys[name]
      const starts = hasPositions(kind) ? this.#sortPostings(dictionary, ends) : this.#sortRecords(dictionary, ends)
      const { keys, terms } = ordered[name]
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
        if (run.length >= writeBytes) flush(name)
      }
      flush(name)
    }
    this.#length = 0
    this.#hasContent = false
    this.#records = 0
    this.#run = ++runs
    this.#words = 0
    this.#keys.stem.clear()
    this.#keys.form.clear()
    return { ...sizes, hasTitlesAlone }
  }

  /** Puts the records in the order of their terms, synonyms left out: a stable counting sort. Where each begins. */
  #sortRecords(dictionary: Dictionary, ends: Uint32Array): Uint32Array {
    const termOf = new Uint32Array(dictionary.terms)
    const starts = this.#countTerms(termOf, dictionary.size, ends, isSynonym)
    const next = starts.slice()
    const entries = this.#entries
    const sortedRecords = this.#sortedRecords
    for (let nth = 0, i = 0; nth < this.#records; nth++) {
      const record = this.#first + nth
      for (const end = at(ends, nth); i < end; i++) {
        const entry = at(entries, i)
        if ((entry & isSynonym) === 0) sortedRecords[increment(next, at(termOf, entry >>> markBits))] = record
      }
      i = at(this.#ends, nth)
    }
    return starts
  }

  /** The same, synonyms and word positions included. */
  #sortPostings(dictionary: Dictionary, ends: Uint32Array): Uint32Array {
    const termOf = new Uint32Array(dictionary.terms)
    const starts = this.#countTerms(termOf, dictionary.size, ends, 0)
    const next = starts.slice()
    const entries = this.#entries
    const positions = this.#positions
    const sortedRecords = this.#sortedRecords
    const sortedPositions = this.#sortedPositions
    for (let nth = 0, i = 0; nth < this.#records; nth++) {
      const record = this.#first + nth
      for (const end = at(ends, nth); i < end; i++) {
        const to = increment(next, at(termOf, at(entries, i) >>> markBits))
        sortedRecords[to] = record
        sortedPositions[to] = at(positions, i)
      }
      i = at(this.#ends, nth)
    }
    return starts
  }

  /** Where the entries of each term will begin, those with a mark of `leftOut` not counted; makes room for them. */
  #countTerms(termOf: Uint32Array, size: number, ends: Uint32Array, leftOut: number): Uint32Array {
    const starts = new Uint32Array(size + 1)
    const entries = this.#entries
    for (let nth = 0, i = 0; nth < this.#records; nth++) {
      for (const end = at(ends, nth); i < end; i++) {
        const entry = at(entries, i)
        if ((entry & leftOut) === 0) increment(starts, at(termOf, entry >>> markBits))
      }
      i = at(this.#ends, nth)
    }
    let length = 0
    for (let term = 0; term <= size; term++) {
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

  #encodeRecords(body: ByteWriter, from: number, to: number): void {
    const records = this.#sortedRecords
    body.length = 0
    const bytes = body.room((to - from) * varintBytesMax)
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
    const bytes = body.room((to - from) * varintBytesMax * 3)
    let end = 0
    let lastRecord = 0
    for (let i = from; i < to; ) {
      const record = at(records, i)
      const first = i
      let size = 0
      let last = 0
      for (; i < to && at(records, i) === record; i++) {
        const position = at(positions, i)
        if (position === nowhere) continue
        size += varintBytes(position - last)
        last = position
      }
      end = putVarint(bytes, end, record - lastRecord)
      end = putVarint(bytes, end, size)
      lastRecord = record
      last = 0
      for (let j = first; j < i; j++) {
        const position = at(positions, j)
        if (position === nowhere) continue
        end = putVarint(bytes, end, position - last)
        last = position
      }
    }
    body.length = end
  }
}

/** Numbers the stems, or the forms, of words that are added one after the other. */
class Dictionary {
  /** For each word that was added, the number of its key. */
  readonly terms: number[] = []
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
    this.terms.push(number)
  }

  /** Keys with their numbers, by code unit: the order in which runs are merged. */
  inOrder(): { keys: readonly string[]; terms: Uint32Array } {
    const keys = [...this.#numbers.keys()].sort()
    const terms = new Uint32Array(keys.length)
    for (const [index, key] of keys.entries()) terms[index] = this.#numbers.get(key) as number
    return { keys, terms }
  }

  clear(): void {
    this.terms.length = 0
    this.#numbers.clear()
  }
}

function copied(from: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(length)
  to.set(from)
  return to
}
