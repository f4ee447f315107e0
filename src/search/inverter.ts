// Turns a stretch of records into one sorted run of postings: analysis, a dictionary of keys, a stable counting sort.
// Runs cover consecutive stretches of the registry, so merging them (merge.ts) is mere concatenation.
import { analyseText, type Word } from '../text/analyse.ts'
import { at, ByteWriter, increment } from './bytes.ts'
import { type ListKind, listKinds } from './lists.ts'

/** Between the last word of the title and the first of the content, so that no phrase spans the two. */
const titleGapWords = 64

/** A run is written in pieces of about this size. */
const writeBytes = 1 << 20

/** Marks a posting without a word position: what stands beside the text, or a list that keeps none. */
const nowhere = 0xffffffff

export class Inverter {
  readonly #ids = new Map<ListKind, Map<string, number>>(Object.values(listKinds).map((kind) => [kind, new Map()]))
  readonly #keys: string[] = []
  #terms = new Uint32Array(1 << 20)
  #records = new Uint32Array(1 << 20)
  #positions = new Uint32Array(1 << 20)
  #length = 0
  readonly #scratch = new ByteWriter(1024)

  add(record: number, title: string, content: string): void {
    const inTitle = analyseText(title)
    this.#addWords(record, inTitle.words, 0, true)
    this.#addWords(record, inTitle.joined, nowhere, true)
    this.#addSynonyms(record, inTitle.extras, true)
    if (content === '') return
    const inContent = analyseText(content)
    this.#addWords(record, inContent.words, inTitle.words.length + titleGapWords, false)
    this.#addWords(record, inContent.joined, nowhere, false)
    this.#addSynonyms(record, inContent.extras, false)
  }

  /** No beginning finds a synonym: it is not written there. */
  #addSynonyms(record: number, words: readonly Word[], isTitle: boolean): void {
    for (const { stem } of words) {
      this.#add(listKinds.stem, stem, record, nowhere)
      if (isTitle) this.#add(listKinds.titleStem, stem, record, nowhere)
    }
  }

  #addWords(record: number, words: readonly Word[], firstPosition: number, isTitle: boolean): void {
    let position = firstPosition
    for (const word of words) {
      this.#add(listKinds.stem, word.stem, record, position)
      this.#add(listKinds.form, word.form, record, nowhere)
      if (isTitle) {
        this.#add(listKinds.titleStem, word.stem, record, position)
        this.#add(listKinds.titleForm, word.form, record, nowhere)
      }
      if (position !== nowhere) position++
    }
  }

  #add(kind: ListKind, word: string, record: number, position: number): void {
    const ids = this.#ids.get(kind) as Map<string, number>
    let term = ids.get(word)
    if (term === undefined) {
      term = this.#keys.length
      ids.set(word, term)
      this.#keys.push(kind + word)
    }
    if (this.#length === this.#terms.length) this.#grow()
    this.#terms[this.#length] = term
    this.#records[this.#length] = record
    this.#positions[this.#length] = position
    this.#length++
  }

  #grow(): void {
    this.#terms = doubled(this.#terms)
    this.#records = doubled(this.#records)
    this.#positions = doubled(this.#positions)
  }

  /**
   * Writes the run and returns its size: entries in ascending order of keys, each `key length, key, body length,
   * body`, the body a sequence of `record delta, length of positions, positions`. The inverter is empty afterwards.
   */
  writeRun(write: (bytes: Uint8Array) => void): number {
    const keys = this.#keys
    // A stable counting sort: within a term, postings keep the order in which the records came.
    const starts = new Uint32Array(keys.length + 1)
    for (let i = 0; i < this.#length; i++) increment(starts, at(this.#terms, i) + 1)
    for (let term = 0; term < keys.length; term++) starts[term + 1] = at(starts, term + 1) + at(starts, term)
    const next = starts.slice()
    const order = new Uint32Array(this.#length)
    for (let i = 0; i < this.#length; i++) order[increment(next, at(this.#terms, i))] = i

    let size = 0
    const run = new ByteWriter(writeBytes * 2)
    const flush = (): void => {
      write(run.bytes.subarray(0, run.length))
      size += run.length
      run.length = 0
    }
    const body = new ByteWriter(1 << 16)
    const encoder = new TextEncoder()
    for (const [key, term] of keys.map((key, term) => [key, term] as const).sort((a, b) => compareKeys(a[0], b[0]))) {
      this.#encodePostings(order.subarray(at(starts, term), at(starts, term + 1)), body)
      const name = encoder.encode(key)
      run.varint(name.length)
      run.append(name, 0, name.length)
      run.varint(body.length)
      run.append(body.bytes, 0, body.length)
      body.length = 0
      if (run.length >= writeBytes) flush()
    }
    flush()
    this.#length = 0
    this.#keys.length = 0
    for (const ids of this.#ids.values()) ids.clear()
    return size
  }

  #encodePostings(order: Uint32Array, body: ByteWriter): void {
    const positions = this.#scratch
    let lastRecord = 0
    let i = 0
    while (i < order.length) {
      const record = at(this.#records, at(order, i))
      positions.length = 0
      let lastPosition = 0
      for (; i < order.length && at(this.#records, at(order, i)) === record; i++) {
        const position = at(this.#positions, at(order, i))
        if (position === nowhere) continue
        positions.varint(position - lastPosition)
        lastPosition = position
      }
      body.varint(record - lastRecord)
      body.varint(positions.length)
      body.append(positions.bytes, 0, positions.length)
      lastRecord = record
    }
  }
}

/** The order of keys in runs and in their merge: by code unit. */
export function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function doubled(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(array.length * 2)
  grown.set(array)
  return grown
}
