// Turns a stretch of records into one sorted run of postings: one entry a word, from which a stable counting sort
// makes each kind of list. Runs cover consecutive stretches of the registry, so merging them (merge.ts) is mere
// concatenation.
import { analyseText, type Word } from '../text/analyse.ts'
import { at, ByteWriter, increment, putVarint, varintBytes, varintBytesMax } from './bytes.ts'
import { hasPositions, type ListKind, listKinds } from './lists.ts'

/** Between the last word of the title and the first of the content, so that no phrase spans the two. */
const titleGapWords = 64

/** A run is written in pieces of about this size. */
const writeBytes = 1 << 20

/** Marks an entry without a word position: what stands beside the text. */
const nowhere = 0xffffffff

/** Marks of an entry, its low bits. */
const inTitle = 1
/** No beginning finds a synonym: it is not written there. */
const isSynonym = 2
const markBits = 2

/** How many bytes of a run hold the lists of forms, which come first, and those of stems. */
export interface RunSizes {
  readonly form: number
  readonly stem: number
}

/** In the order of the letters of their kinds, which is the order of the keys; the marks that an entry must bear. */
const lists: readonly { kind: ListKind; key: 'form' | 'stem'; must: number; mustNot: number }[] = [
  { kind: listKinds.form, key: 'form', must: 0, mustNot: isSynonym },
  { kind: listKinds.titleForm, key: 'form', must: inTitle, mustNot: isSynonym },
  { kind: listKinds.titleStem, key: 'stem', must: inTitle, mustNot: 0 },
  { kind: listKinds.stem, key: 'stem', must: 0, mustNot: 0 },
]

export class Inverter {
  readonly #numbers = new Map<Word, number>()
  readonly #keys = { stem: new Dictionary(), form: new Dictionary() }
  /** For each entry the number of its word and its marks, and its word position. */
  #entries = new Uint32Array(1 << 16)
  #positions = new Uint32Array(1 << 16)
  #length = 0
  /** The records, and behind the last entry of each. */
  readonly #records: number[] = []
  readonly #ends: number[] = []
  #sortedRecords = new Uint32Array(1 << 16)
  #sortedPositions = new Uint32Array(1 << 16)

  add(record: number, title: string, content: string): void {
    const analysed = analyseText(title)
    this.#addWords(analysed.words, 0, inTitle)
    this.#addWords(analysed.joined, nowhere, inTitle)
    this.#addWords(analysed.extras, nowhere, inTitle | isSynonym)
    if (content !== '') {
      const { words, joined, extras } = analyseText(content)
      this.#addWords(words, analysed.words.length + titleGapWords, 0)
      this.#addWords(joined, nowhere, 0)
      this.#addWords(extras, nowhere, isSynonym)
    }
    this.#records.push(record)
    this.#ends.push(this.#length)
  }

  #addWords(words: readonly Word[], firstPosition: number, marks: number): void {
    const length = this.#length
    if (length + words.length > this.#entries.length) this.#grow(length + words.length)
    const entries = this.#entries
    const positions = this.#positions
    for (let i = 0; i < words.length; i++) {
      const word = words[i] as Word
      const number = this.#numbers.get(word) ?? this.#number(word)
      entries[length + i] = (number << markBits) | marks
      positions[length + i] = firstPosition === nowhere ? nowhere : firstPosition + i
    }
    this.#length = length + words.length
  }

  #number(word: Word): number {
    const number = this.#numbers.size
    this.#numbers.set(word, number)
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
    for (const { kind, key: name, must, mustNot } of lists) {
      const starts = this.#sort(this.#keys[name], must, mustNot)
      for (const [key, term] of ordered[name]) {
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
    this.#records.length = 0
    this.#ends.length = 0
    this.#numbers.clear()
    this.#keys.stem.clear()
    this.#keys.form.clear()
    return sizes
  }

  /** Puts the entries with the marks in the order of their terms: a stable counting sort. Where each term begins. */
  #sort({ terms, size }: Dictionary, must: number, mustNot: number): Uint32Array {
    const termOf = Uint32Array.from(terms)
    const starts = new Uint32Array(size + 1)
    const entries = this.#entries
    const positions = this.#positions
    const relevant = must | mustNot
    for (let i = 0; i < this.#length; i++) {
      const entry = at(entries, i)
      if ((entry & relevant) === must) increment(starts, at(termOf, entry >>> markBits))
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
    const sortedRecords = this.#sortedRecords
    const sortedPositions = this.#sortedPositions
    const next = starts.slice()
    let i = 0
    for (let nth = 0; nth < this.#records.length; nth++) {
      const record = this.#records[nth] as number
      for (const end = this.#ends[nth] as number; i < end; i++) {
        const entry = at(entries, i)
        if ((entry & relevant) !== must) continue
        const to = increment(next, at(termOf, entry >>> markBits))
        sortedRecords[to] = record
        sortedPositions[to] = at(positions, i)
      }
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
  inOrder(): [string, number][] {
    return [...this.#numbers.keys()].sort().map((key) => [key, this.#numbers.get(key) as number])
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
