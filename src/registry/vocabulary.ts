// The vocabulary of a snapshot: its most frequent words with their spelling, in memory, for suggesting search terms. A
// misspelt word is compared with every word of similar length and letters. Such a scan of 200,000 words takes up to two
// milliseconds, finds errors at the start, in the middle and at the end of a word, and needs no index. Words are
// compared in their folded form: in lower case without accents (analysis/fold.ts).
import { countBits, editCost, toLetterSet } from '../domain/edit-cost.ts'
import { lowerBound } from '../lower-bound.ts'
import { at } from './typed-array.ts'

/** Maximum number of words in a vocabulary. It bounds memory to about 20 MB and a scan to a few milliseconds. */
export const vocabularyWordsMax = 200_000

/** Shorter and longer words are in no vocabulary. */
const wordLettersMin = 2
const wordLettersMax = 30

export interface VocabularyWord {
  /** In lower case with accents, as in `ordenación`. */
  readonly spelling: string
  /**
   * How frequent the word is: its occurrences in titles or, if no title has it, the number of its records. Of similar
   * words, the most frequent is the likeliest correction.
   */
  readonly weight: number
}

/** A word that may be meant instead of a misspelt one. */
export interface Correction extends VocabularyWord {
  /** Weighted edit distance (domain/edit-cost.ts) minus the bonus for a frequent word (`toBonus`). Lower is better. */
  readonly cost: number
}

/** Whether a folded word can be in a vocabulary: it consists of letters and is neither too short nor too long. */
export function isVocabularyWord(folded: string): boolean {
  return folded.length >= wordLettersMin && folded.length <= wordLettersMax && letters.test(folded)
}

/** Without those outside the basic multilingual plane, which SQLite and JavaScript count and sort in different ways. */
const letters = /^[\p{L}--[\u{10000}-\u{10ffff}]]+$/v

export class Vocabulary {
  /** Parallel arrays, sorted by the length of the folded word, then by the folded word. */
  readonly #spellings: string[] = []
  readonly #folded: string[] = []
  readonly #weights: number[] = []
  /** Bit set of the letters of each word (`toLetterSet`), for a quick comparison. */
  #letterSets = new Uint32Array(0)

  /** Words must come sorted by the length of the folded word, then by the folded word, for the binary searches. */
  add(folded: string, { spelling, weight }: VocabularyWord): void {
    this.#spellings.push(spelling)
    this.#folded.push(folded)
    this.#weights.push(weight)
  }

  /** Must be called after the last `add`. */
  finish(): this {
    this.#letterSets = Uint32Array.from(this.#folded, toLetterSet)
    return this
  }

  /** The word with this folded form; undefined if the vocabulary does not have it. */
  find(folded: string): VocabularyWord | undefined {
    const index = this.#firstFrom(folded.length, folded)
    return this.#folded[index] === folded ? this.#toWord(index) : undefined
  }

  /** The words most similar to a folded word, at most `count`, best first. The word itself is not among them. */
  findNearest(folded: string, count: number): Correction[] {
    if (!isVocabularyWord(folded)) return []
    let nearest = this.#findWithin(folded, 1)
    // Words with two errors are looked for only if needed: they are rarely meant, and take longer to find. In a short
    // word, too few letters would be left to compare.
    const needsTwoErrors = nearest.length < oneErrorWordsMin && folded.length >= twoErrorsLettersMin
    if (needsTwoErrors) {
      const all = [...nearest, ...this.#findWithin(folded, 2)]
      nearest = [...new Map(all.map((each) => [each.spelling, each])).values()]
    }
    return nearest.sort((a, b) => a.cost - b.cost).slice(0, count)
  }

  /**
   * The words whose edit cost is at most `errorsMax`, except the word itself. Some errors cost less than 1, so a word
   * with more errors than `errorsMax` may have a low enough cost. It may be missed, because the limits on its length,
   * its letters and their shift count errors and not their cost.
   */
  #findWithin(folded: string, errorsMax: 1 | 2): Correction[] {
    const letters = toLetterSet(folded)
    const found: Correction[] = []
    // Two errors are looked for only in words with the same first letter, which people rarely get wrong: with all words,
    // a scan of 200,000 took 2 to 6 ms instead of 1 to 3.
    const first = errorsMax === 2 ? folded.charAt(0) : ''
    const letterSets = this.#letterSets
    // An error changes the length by one at most.
    for (let length = folded.length - errorsMax; length <= folded.length + errorsMax; length++) {
      const end = first === '' ? this.#firstFrom(length + 1, '') : this.#firstFrom(length, `${first}\u{ffff}`)
      for (let index = this.#firstFrom(length, first); index < end; index++) {
        // Quick comparison: an error removes at most one letter from the set and adds at most one.
        const others = at(letterSets, index)
        if (countBits(letters & ~others) > errorsMax || countBits(others & ~letters) > errorsMax) continue
        const word = this.#folded[index] as string
        // An error costs at most 1.
        const distance = word === folded ? 0 : editCost(folded, word, errorsMax)
        const isSameWord = distance === 0
        if (isSameWord || distance > errorsMax) continue
        found.push({ ...this.#toWord(index), cost: distance - toBonus(this.#weights[index] as number) })
      }
    }
    return found
  }

  /** Index of the first word of this length from `folded` on, in alphabetical order, or of a longer word. */
  #firstFrom(length: number, folded: string): number {
    return lowerBound(0, this.#folded.length, (index) => {
      const word = this.#folded[index] as string
      return word.length === length ? word < folded : word.length < length
    })
  }

  #toWord(index: number): VocabularyWord {
    return { spelling: this.#spellings[index] as string, weight: this.#weights[index] as number }
  }
}

/** If at least this many words differ by one error, they suffice, and words with two errors are not looked for. */
const oneErrorWordsMin = 3
/** Words with two errors are looked for only if the word has at least this many letters. */
const twoErrorsLettersMin = 5

/**
 * How much cheaper a frequent word is than a rare one: 0.03 for each doubling of its weight, up to 0.4, which it
 * reaches at a weight of about ten thousand. That is less than the cheapest error costs (0.5, domain/edit-cost.ts), so
 * no error is free.
 */
function toBonus(weight: number): number {
  return Math.min(0.4, 0.03 * Math.log2(weight + 1))
}
