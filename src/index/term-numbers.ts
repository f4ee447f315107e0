// Numbers the terms of one run (the index of some consecutive records), because the counting sort of the inverter
// (occurrence-list.ts) needs numbers, not strings. The terms are the stems of the words of the run, or their forms (the
// folded words), without the letter of their kind. The words have numbers of their own, which the inverter gives:
// several words may share a stem.

/** All terms, sorted by UTF-16 code unit, which is the order of the merge. */
export interface SortedTerms {
  readonly terms: readonly string[]
  /** The number of each term, in the order of `terms`. */
  readonly numbers: Uint32Array
}

/** Terms are numbered from 0 in the order in which they are first added. */
export class TermNumbers {
  /** Maps the number of a word to the number of its term. */
  readonly termOfWord: number[] = []
  /** Maps a term to its number. */
  readonly #numbers = new Map<string, number>()

  /** Number of different terms. */
  get size(): number {
    return this.#numbers.size
  }

  /** Adds the term of the next word. Must be called once for each different word, in the order of their numbers. */
  add(term: string): void {
    let number = this.#numbers.get(term)
    if (number === undefined) {
      number = this.#numbers.size
      this.#numbers.set(term, number)
    }
    this.termOfWord.push(number)
  }

  toSorted(): SortedTerms {
    const terms = [...this.#numbers.keys()].sort()
    const numbers = new Uint32Array(terms.length)
    for (const [index, term] of terms.entries()) numbers[index] = this.#numbers.get(term) as number
    return { terms, numbers }
  }

  clear(): void {
    this.termOfWord.length = 0
    this.#numbers.clear()
  }
}
