// Turns a stretch of records into one sorted run of postings: one entry a word, from which a stable counting sort
// makes each kind of list. Runs cover consecutive stretches of the registry, so merging them (merge.ts) is mere
// concatenation.
import { analyseText, type Word } from '../text/analyse.ts'
import { at, ByteWriter, increment } from './bytes.ts'
import { type ListKind, listKinds } from './lists.ts'

/** Between the last word of the title and the first of the content, so that no phrase spans the two. */
const titleGapWords = 64

/** A run is written in pieces of about this size. */
const writeBytes = 1 << 20

/** Marks an entry without a word position: what stands beside the text. */
const nowhere = 0xffffffff

/** Marks of an entry. */
const inTitle = 1
/** No beginning finds a synonym: it is not written there. */
const isSynonym = 2

export class Inverter {
  readonly #numbers = new Map<Word, number>()
  /** For each word the numbers of its stem and of its form. */
  readonly #stems = new Dictionary()
  readonly #forms = new Dictionary()
  #words = new Uint32Array(1 << 19)
  #records = new Uint32Array(1 << 19)
  #positions = new Uint32Array(1 << 19)
  #marks = new Uint8Array(1 << 19)
  #length = 0
  readonly #body = new ByteWriter(1 << 16)
  readonly #scratch = new ByteWriter(1024)

  add(record: number, title: string, content: string): void {
    const analysed = analyseText(title)
    this.#addWords(record, analysed.words, 0, inTitle)
    this.#addWords(record, analysed.joined, nowhere, inTitle)
    this.#addWords(record, analysed.extras, nowhere, inTitle | isSynonym)
    if (content === '') return
    const { words, joined, extras } = analyseText(content)
    this.#addWords(record, words, analysed.words.length + titleGapWords, 0)
    this.#addWords(record, joined, nowhere, 0)
    this.#addWords(record, extras, nowhere, isSynonym)
  }

  #addWords(record: number, words: readonly Word[], firstPosition: number, marks: number): void {
    let position = firstPosition
    for (const word of words) {
      let number = this.#numbers.get(word)
      if (number === undefined) {
        number = this.#numbers.size
        this.#numbers.set(word, number)
        this.#stems.add(word.stem)
        this.#forms.add(word.form)
      }
      if (this.#length === this.#words.length) this.#grow()
      this.#words[this.#length] = number
      this.#records[this.#length] = record
      this.#positions[this.#length] = position
      this.#marks[this.#length] = marks
      this.#length++
      if (position !== nowhere) position++
    }
  }

  #grow(): void {
    const length = this.#length * 2
    this.#words = copied(this.#words, new Uint32Array(length))
    this.#records = copied(this.#records, new Uint32Array(length))
    this.#positions = copied(this.#positions, new Uint32Array(length))
    this.#marks = copied(this.#marks, new Uint8Array(length))
  }

  /**
   * Writes the run and returns its size: entries in ascending order of keys, each `key length, key, body length,
   * body`, the body a sequence of `record delta, length of positions, positions`. The inverter is empty afterwards.
   */
  writeRun(write: (bytes: Uint8Array) => void): number {
    let size = 0
    const run = new ByteWriter(writeBytes * 2)
    const flush = (): void => {
      write(run.bytes.subarray(0, run.length))
      size += run.length
      run.length = 0
    }
    const all = { must: 0, mustNot: 0 }
    const title = { must: inTitle, mustNot: 0 }
    // In the order of the letters of their kinds, which is the order of the keys.
    const lists: [ListKind, Dictionary, Marked][] = [
      [listKinds.form, this.#forms, { ...all, mustNot: isSynonym }],
      [listKinds.titleForm, this.#forms, { ...title, mustNot: isSynonym }],
      [listKinds.titleStem, this.#stems, title],
      [listKinds.stem, this.#stems, all],
    ]
    for (const [kind, dictionary, marked] of lists) {
      const withPositions = dictionary === this.#stems
      const { starts, order } = this.#sort(dictionary, marked)
      for (const [key, term] of dictionary.inOrder()) {
        const postings = order.subarray(at(starts, term), at(starts, term + 1))
        if (postings.length === 0) continue
        this.#encodePostings(postings, withPositions)
        run.text(kind + key)
        run.varint(this.#body.length)
        run.append(this.#body.bytes, 0, this.#body.length)
        if (run.length >= writeBytes) flush()
      }
    }
    flush()
    this.#length = 0
    this.#numbers.clear()
    this.#stems.clear()
    this.#forms.clear()
    return size
  }

  /** The entries of each term in the order in which they came: a stable counting sort. */
  #sort({ terms, size }: Dictionary, { must, mustNot }: Marked): { starts: Uint32Array; order: Uint32Array } {
    const termOf = Uint32Array.from(terms)
    const starts = new Uint32Array(size + 1)
    const words = this.#words
    const allMarks = this.#marks
    const entries = this.#length
    const relevant = must | mustNot
    let length = 0
    for (let i = 0; i < entries; i++) {
      if ((at(allMarks, i) & relevant) !== must) continue
      increment(starts, at(termOf, at(words, i)) + 1)
      length++
    }
    for (let term = 0; term < size; term++) starts[term + 1] = at(starts, term + 1) + at(starts, term)
    const next = starts.slice()
    const order = new Uint32Array(length)
    for (let i = 0; i < entries; i++) {
      if ((at(allMarks, i) & relevant) === must) order[increment(next, at(termOf, at(words, i)))] = i
    }
    return { starts, order }
  }

  #encodePostings(order: Uint32Array, withPositions: boolean): void {
    const body = this.#body
    const positions = this.#scratch
    const records = this.#records
    const allPositions = this.#positions
    body.length = 0
    let lastRecord = 0
    let i = 0
    while (i < order.length) {
      const record = at(records, at(order, i))
      positions.length = 0
      let lastPosition = 0
      for (; i < order.length && at(records, at(order, i)) === record; i++) {
        const position = at(allPositions, at(order, i))
        if (!withPositions || position === nowhere) continue
        positions.varint(position - lastPosition)
        lastPosition = position
      }
      body.varint(record - lastRecord)
      body.varint(positions.length)
      if (positions.length > 0) body.append(positions.bytes, 0, positions.length)
      lastRecord = record
    }
  }
}

/** Which marks an entry must bear to count, and which it must not. */
interface Marked {
  readonly must: number
  readonly mustNot: number
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

  inOrder(): [string, number][] {
    return [...this.#numbers].sort(([a], [b]) => compareKeys(a, b))
  }

  clear(): void {
    this.terms.length = 0
    this.#numbers.clear()
  }
}

/** The order of keys in runs and in their merge: by code unit. */
export function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function copied<T extends Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from)
  return to
}
