// Numbers of the terms of one run of the inverter: its counting sort (occurrence-list.ts) needs numbers, not strings.

/** Numbers the terms of a run: the stems of its words, or their forms. Several words may share a term. */
export class TermNumbers {
  /** For each word, by its number, the number of its term. */
  readonly termOfWord: number[] = []
  readonly #numbers = new Map<string, number>()

  get size(): number {
    return this.#numbers.size
  }

  /** Adds the term of the next word. Must be called once for each word, in the order of their numbers. */
  add(term: string): void {
    let number = this.#numbers.get(term)
    if (number === undefined) {
      number = this.#numbers.size
      this.#numbers.set(term, number)
    }
    this.termOfWord.push(number)
  }

  /** The terms sorted by code unit, which is the order of the merge, and in parallel the number of each. */
  toSorted(): { terms: readonly string[]; numbers: Uint32Array } {
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
