// Builds prefix unions: for each prefix, the records of all words that start with it. A union is stored if more words
// share the prefix than a search unites itself (`unitedWordsMax`), and the prefix has from `prefixLettersMin` to
// `prefixLettersMax` letters.
//
// merge.ts passes the words in ascending order, so the words with a prefix follow each other. There is one bitmap of
// records per prefix length, for the prefix of the current word with that length. A word is added to the bitmap of its
// longest prefix only, which is the word itself or its first `prefixLettersMax` letters. When a word arrives that does
// not start with a prefix, the union of this prefix is finished: it is written if it has enough words, and added to the
// bitmap of the next shorter prefix. For example, at `plaza` after `planta`, the prefixes `planta`, `plant` and `plan`
// are finished, and `pla` has the records of all of them.
import { prefixLettersMin } from '../analysis/term.ts'
import { type TermKind, termKinds, unitedWordsMax } from './posting-list.ts'
import type { PostingWriter } from './posting-writer.ts'
import { at } from './typed-array.ts'

/** Longer prefixes have no stored union, because few words share one. */
const prefixLettersMax = 16

/** Maps a kind of posting list of forms (folded words) to the kind of its prefix unions. Other kinds have none. */
const unionKinds: Partial<Record<string, TermKind>> = {
  [termKinds.form]: termKinds.prefixUnion,
  [termKinds.titleForm]: termKinds.titlePrefixUnion,
}

export class PrefixUnions {
  readonly #writer: PostingWriter
  /** The element at the index n is the union of the prefix that is the first n letters of the current word. */
  readonly #unions: readonly PrefixUnion[]
  /** Key of the current term: the letter of its kind, then the word. */
  #key = ''
  /** Length of the longest prefix of the current word; zero if its kind has no prefix unions. */
  #prefixLetters = 0

  constructor(recordCount: number, writer: PostingWriter) {
    this.#writer = writer
    this.#unions = Array.from({ length: prefixLettersMax + 1 }, () => new PrefixUnion(recordCount))
  }

  /**
   * Starts the next term. Keys must ascend. Writes the unions that are finished, so the writer must not be between
   * `begin` and `end` of a posting list. The keys of the unions do not ascend: `plan` is written before `pla`. The
   * writer accepts any order, and snapshot/file/builder.ts sorts the entries at the end.
   */
  startTerm(key: string): void {
    // How many first letters the words have in common: one less than the keys, which begin with the letter of the kind.
    // If the kinds differ, this is -1, and all prefixes are finished.
    const commonLetters = commonLength(this.#key, key) - 1
    this.#finishLongerThan(commonLetters)
    this.#key = key
    this.#prefixLetters = unionKinds[key.charAt(0)] === undefined ? 0 : Math.min(key.length - 1, prefixLettersMax)
    if (this.#prefixLetters >= prefixLettersMin) this.#union(this.#prefixLetters).wordCount++
  }

  /** Adds a record of the current term. Does nothing if its kind has no prefix unions or its word is too short. */
  addRecord(record: number): void {
    if (this.#prefixLetters >= prefixLettersMin) this.#union(this.#prefixLetters).add(record)
  }

  /** Writes the remaining unions, after the last term. */
  finish(): void {
    this.#finishLongerThan(0)
  }

  /** Finishes the prefixes of the current word with more than `letters` letters, which no later word has. */
  #finishLongerThan(letters: number): void {
    for (let length = this.#prefixLetters; length > letters && length >= prefixLettersMin; length--) {
      const union = this.#union(length)
      const prefix = this.#key.slice(1, length + 1)
      // No search has a prefix that ends in half of a surrogate pair.
      if (union.wordCount > unitedWordsMax && prefix.isWellFormed()) this.#write(union, prefix)
      if (length > prefixLettersMin) union.moveTo(this.#union(length - 1))
      else union.clear()
    }
  }

  /** Writes the union of a prefix of the current word. */
  #write(union: PrefixUnion, prefix: string): void {
    const kind = unionKinds[this.#key.charAt(0)]
    this.#writer.begin({ withPositions: false })
    union.writeTo(this.#writer)
    this.#writer.end(`${kind}${prefix}`)
  }

  #union(letters: number): PrefixUnion {
    return this.#unions[letters] as PrefixUnion
  }
}

/**
 * Bitmap of the records of all words with a prefix. It remembers which elements are not zero, because every word needs
 * `moveTo` and `clear`, which must not walk the whole bitmap. `writeTo` walks it: few prefixes have a stored union.
 */
class PrefixUnion {
  /** Number of words with the prefix. */
  wordCount = 0
  /** A record is bit `record % 32` of the element `record / 32`, rounded down. */
  readonly #bits: Uint32Array
  /** Indexes of the elements that are not zero. */
  readonly #nonZero: number[] = []

  constructor(recordCount: number) {
    this.#bits = new Uint32Array((recordCount >>> 5) + 1)
  }

  add(record: number): void {
    this.#or(record >>> 5, 1 << (record & 31))
  }

  /** Adds the words and records to the union of a shorter prefix, and clears this one. */
  moveTo(shorter: PrefixUnion): void {
    shorter.wordCount += this.wordCount
    for (const index of this.#nonZero) shorter.#or(index, at(this.#bits, index))
    this.clear()
  }

  clear(): void {
    for (const index of this.#nonZero) this.#bits[index] = 0
    this.#nonZero.length = 0
    this.wordCount = 0
  }

  /** Adds the records to the open posting list of the writer, ascending. */
  writeTo(writer: PostingWriter): void {
    for (let index = 0; index < this.#bits.length; index++) {
      // `bits & -bits` keeps only the lowest bit that is set; `31 - clz32` is its index. `bits & (bits - 1)` clears it.
      for (let bits = at(this.#bits, index); bits !== 0; bits &= bits - 1) {
        const lowestSetBit = 31 - Math.clz32(bits & -bits)
        writer.add(index * 32 + lowestSetBit)
      }
    }
  }

  /** Sets bits of an element. */
  #or(index: number, bits: number): void {
    const before = at(this.#bits, index)
    if (before === 0) this.#nonZero.push(index)
    this.#bits[index] = before | bits
  }
}

/** How many characters at their start the two strings have in common. */
function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return length
}
