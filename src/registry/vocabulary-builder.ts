// Collects the vocabulary of an import: the most frequent words with their accents, from which the service corrects
// misspelt search terms (vocabulary.ts). All words of titles are counted. Contents are too long for that: their words
// come from the full-text index, which has them without accents, and a sample of the contents shows their accents.
import { foldWord } from '../analysis/fold.ts'
import { isVocabularyWord, type VocabularyWord, vocabularyWordsMax } from './vocabulary.ts'

/** One in this many contents is in the sample. */
const contentSampleInterval = 16
/** Of a content in the sample, at most this many characters are read, from its start. */
const sampledCharactersMax = 4000

/** A word that only contents have is left out if fewer records than this have it: it may be an error of OCR. */
const contentRecordsMin = 3

/** A row of the table `spelling`. */
export interface SpeltWord extends VocabularyWord {
  readonly folded: string
}

export class VocabularyBuilder {
  /** Occurrences in titles, by spelling: the word in lower case with its accents. */
  readonly #titleSpellings = new WordCounts()
  /** Occurrences in the sample of contents, only of spellings with accents: the index has all others. */
  readonly #contentSpellings = new WordCounts()
  /** Number of records by folded word (without accents), from the full-text index. */
  readonly #indexedWords = new WordCounts()
  /** Number of records added so far. */
  #records = 0

  /** Adds a record. `content` is the beginning of its content. */
  add(title: string, content: string): void {
    for (const word of title.match(wordPattern) ?? []) this.#titleSpellings.add(word.toLowerCase(), 1)
    const isSampled = this.#records % contentSampleInterval === 0
    this.#records++
    if (!isSampled) return
    for (const word of content.slice(0, sampledCharactersMax).match(wordPattern) ?? []) {
      if (accentPattern.test(word)) this.#contentSpellings.add(word.toLowerCase(), 1)
    }
  }

  /** Called with every folded word of the index and the number of its records. Ignores rare ones. */
  addWord(word: string, records: number): void {
    if (records >= contentRecordsMin) this.#indexedWords.add(word, records)
  }

  finish(): SpeltWord[] {
    return Array.from(this.#chooseWords(), ([folded, word]) => ({ folded, ...word }))
  }

  /**
   * Returns up to `vocabularyWordsMax` words, by folded word: the most frequent words of titles and, if these are
   * fewer, the most frequent words that only contents have. The weight of a word of titles is the number of its
   * occurrences in titles; that of a word of contents is the number of its records, which is a similar measure.
   */
  #chooseWords(): Map<string, VocabularyWord> {
    const chosen = chooseSpellings(this.#titleSpellings.counts)
    const contentSpellings = chooseSpellings(this.#contentSpellings.counts)
    const contentWords = [...this.#indexedWords.counts]
      .filter(([folded]) => !chosen.has(folded))
      .sort(([a, recordsOfA], [b, recordsOfB]) => recordsOfB - recordsOfA || compareTexts(a, b))
    for (const [folded, records] of contentWords) {
      if (chosen.size >= vocabularyWordsMax) break
      if (!isVocabularyWord(folded)) continue
      const spelling = contentSpellings.get(folded)?.spelling ?? folded
      chosen.set(folded, { spelling, weight: records })
    }
    return chosen
  }
}

/** A run of letters. The ordinal indicators `ª` and `º` count as letters in Unicode, but belong to no word (`nº`). */
const wordPattern = /[\p{L}--[ªº]]+/gv
/** A character outside ASCII. In a word, which has letters only, it is a letter with an accent, or one like `ñ`. */
const accentPattern = /[^ -~]/

/** A spelling with an accent is chosen even if one without is almost this many times as frequent. */
const accentWeight = 10

/**
 * Returns the most frequent words, up to `vocabularyWordsMax`, by folded word, each in its most likely spelling.
 * `counts` has the occurrences of each spelling. All occurrences of a word add up to its weight
 * (`VocabularyWord`): `ordenación 3` and `ordenacion 20` become `ordenación` of weight 23.
 */
function chooseSpellings(counts: ReadonlyMap<string, number>): Map<string, VocabularyWord> {
  /** By folded word: its best spelling so far, the occurrences of this one (`count`) and of all (`weight`). */
  const words = new Map<string, { spelling: string; count: number; weight: number }>()
  for (const [spelling, count] of counts) {
    const folded = foldWord(spelling)
    if (!isVocabularyWord(folded)) continue
    const word = words.get(folded)
    if (word === undefined) {
      words.set(folded, { spelling, count, weight: count })
      continue
    }
    word.weight += count
    if (toLikelihood(spelling, count) > toLikelihood(word.spelling, word.count)) {
      word.spelling = spelling
      word.count = count
    }
  }
  const mostFrequent = [...words]
    .sort(([a, wordA], [b, wordB]) => wordB.weight - wordA.weight || compareTexts(a, b))
    .slice(0, vocabularyWordsMax)
  return new Map(mostFrequent.map(([folded, { spelling, weight }]) => [folded, { spelling, weight }]))
}

/** How likely a spelling is the right one. Titles in capital letters often omit accents, so an accent counts more. */
function toLikelihood(spelling: string, count: number): number {
  return accentPattern.test(spelling) ? count * accentWeight : count
}

/** Order by character codes. It also orders equally frequent words, so that the vocabulary is reproducible. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : 1
}

/** Counts words in bounded memory: when there are too many words, the rarest are removed. */
class WordCounts {
  readonly counts = new Map<string, number>()
  /** When there are too many words, this number doubles, and the words with a lower count are removed. */
  #countMin = 1

  add(word: string, count: number): void {
    this.counts.set(word, (this.counts.get(word) ?? 0) + count)
    while (this.counts.size > vocabularyWordsMax * 2) {
      this.#countMin *= 2
      for (const [counted, total] of this.counts) if (total < this.#countMin) this.counts.delete(counted)
    }
  }
}
