// Collects the vocabulary of an import: the words from which the service suggests search terms (../vocabulary.ts).
// All words of titles are counted. Contents are too long for that: their words come from the inverted index, which has
// them without accents, and a sample of the contents tells with which accents they are written.
import { foldWord } from '../../analysis/fold.ts'
import { termKinds } from '../../index/posting-list.ts'
import { isVocabularyWord, toVocabularyText, type VocabularyWord, vocabularyWordsMax } from '../vocabulary.ts'

/** Only one in this many contents is read for spellings, and of that only its first characters. */
const readContentsEvery = 16
const readContentCharacters = 4000

/** A word of the contents in fewer records is more often an error of OCR than a word. */
const contentRecordsMin = 3

/** Words in a row of the table. */
const chunkWords = 4096

export class VocabularyBuilder {
  /** Occurrences in titles, by word in lower case with its accents. */
  readonly #titles = new WordCounts()
  /** The same in the sample of contents, but only of words with accents: the index has the others as written. */
  readonly #contents = new WordCounts()
  /** Number of records by folded word, from the inverted index. */
  readonly #indexed = new WordCounts()
  #records = 0

  /** Adds a record. `content` is the beginning of its content. */
  add(title: string, content: string): void {
    for (const [word] of title.matchAll(wordPattern)) this.#titles.add(word.toLowerCase(), 1)
    if (this.#records++ % readContentsEvery !== 0) return
    for (const [word] of content.slice(0, readContentCharacters).matchAll(wordPattern)) {
      if (hasAccent.test(word)) this.#contents.add(word.toLowerCase(), 1)
    }
  }

  /** Called with every term of the index and its number of records. Ignores all but whole words (`form`). */
  addEntry(key: string, records: number): void {
    // A term is a letter for its kind, then a word.
    if (key.startsWith(termKinds.form) && records >= contentRecordsMin) this.#indexed.add(key.slice(1), records)
  }

  /**
   * The rows of `vocabulary_chunk`: up to `vocabularyWordsMax` words, sorted by length and alphabet. The words of
   * titles are chosen first, then those of contents, the most frequent of each.
   */
  finish(): Uint8Array[] {
    const found = new Map<string, VocabularyWord>()
    addSpellings(found, this.#titles.counts)
    const contentSpellings = new Map<string, VocabularyWord>()
    addSpellings(contentSpellings, this.#contents.counts)
    const contentWords = [...this.#indexed.counts].filter(([folded]) => !found.has(folded)).sort(byCount)
    for (const [folded, weight] of contentWords) {
      if (found.size >= vocabularyWordsMax) break
      if (!isVocabularyWord(folded)) continue
      found.set(folded, { spelling: contentSpellings.get(folded)?.spelling ?? folded, weight })
    }
    const sorted = [...found].sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1)).map(([, word]) => word)
    const chunks: Uint8Array[] = []
    for (let from = 0; from < sorted.length; from += chunkWords) {
      chunks.push(Buffer.from(toVocabularyText(sorted.slice(from, from + chunkWords))))
    }
    return chunks
  }
}

/** The ordinal indicators in `nº` and `1ª` are letters, but belong to no word. */
const wordPattern = /[\p{L}--[ªº]]+/gv
/** A character outside ASCII: words have letters only, so it is one with an accent or `ñ`. */
const hasAccent = /[^ -~]/

/** Adds up to `vocabularyWordsMax` of the most frequent words, by folded word, each in its most likely spelling. */
function addSpellings(found: Map<string, VocabularyWord>, counts: ReadonlyMap<string, number>): void {
  /** By folded word: the best spelling so far, how often it occurs, and how often all spellings do (`weight`). */
  const best = new Map<string, { spelling: string; count: number; weight: number }>()
  for (const [spelling, count] of counts) {
    const folded = foldWord(spelling)
    if (!isVocabularyWord(folded)) continue
    const known = best.get(folded)
    if (known === undefined) best.set(folded, { spelling, count, weight: count })
    else {
      known.weight += count
      // Titles in capital letters often omit accents, so a spelling with accents counts more.
      if (count * accentWeight(spelling) > known.count * accentWeight(known.spelling)) {
        known.spelling = spelling
        known.count = count
      }
    }
  }
  const sorted = [...best].sort(([a, one], [b, other]) => other.weight - one.weight || (a < b ? -1 : 1))
  for (const [folded, { spelling, weight }] of sorted.slice(0, vocabularyWordsMax)) {
    found.set(folded, { spelling, weight })
  }
}

/** A spelling with accents is preferred even if it is up to ten times rarer. */
function accentWeight(spelling: string): number {
  return hasAccent.test(spelling) ? 10 : 1
}

/** Highest count first, then by alphabet, so that the same records always give the same vocabulary. */
function byCount([a, countOfA]: [string, number], [b, countOfB]: [string, number]): number {
  return countOfB - countOfA || (a < b ? -1 : 1)
}

/** Counts of words in bounded memory: when there are too many, the rarest are forgotten. */
class WordCounts {
  readonly counts = new Map<string, number>()
  /** Words with a lower count have been forgotten. It doubles each time there are too many words. */
  #countMin = 1

  add(word: string, count: number): void {
    this.counts.set(word, (this.counts.get(word) ?? 0) + count)
    while (this.counts.size > vocabularyWordsMax * 2) {
      this.#countMin *= 2
      for (const [each, eachCount] of this.counts) if (eachCount < this.#countMin) this.counts.delete(each)
    }
  }
}
