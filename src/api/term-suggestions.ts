// Suggests search terms for an empty result: whole terms that find something under the same filters. It corrects the
// words that no record contains by the vocabulary (the most frequent words of the records), splits and joins words, and
// leaves words out. Each term made in this way is searched, and suggested if it finds a record. term-parts.ts splits
// the term into its parts: words, and pieces of words.
import { analyseTerm } from '../analysis/analyser.ts'
import { quotationMark } from '../analysis/term-parser.ts'
import { type Deadline, SearchCancelled } from '../domain/deadline.ts'
import type { Filters } from '../domain/query.ts'
import { termCharactersMax, termWordsMax } from '../domain/query-limits.ts'
import type { Snapshot } from '../registry/contract.ts'
import { TimeSlice } from '../registry/time-slice.ts'
import type { Vocabulary } from '../registry/vocabulary.ts'
import { countWords } from './count-words.ts'
import { isStopWord, isWord, type Part, saysEnough, toParts, toTerm, trimPunctuation } from './term-parts.ts'

/**
 * The parts of a term with corrections. A part that was corrected has the text and the weight of the correction, but
 * `folded` and `wasMissing` of the word as typed.
 */
type CorrectedTerm = readonly Part[]

/**
 * Up to `suggestionsMax` terms that find a record under the same filters. `missingWords` are the words of the term, and
 * the pieces of its words (`sur` and `norte` of `sur/norte`), that no record contains. Rejects with `SearchCancelled`
 * when the deadline expires. Tries in this order:
 * 1. the term with two neighbouring words joined;
 * 2. if words are missing, the term with each of them corrected, or left out if it has no correction; if none is
 *    missing, the term with one word corrected;
 * 3. the term without its quotation marks, if it has any;
 * 4. if words are missing, terms with fewer words (`tryFewerWords`);
 * 5. if nothing was found before, the words that are not missing, without one of them.
 */
export async function suggestTerms(
  search: string,
  missingWords: readonly string[],
  filters: Filters,
  snapshot: Snapshot,
  deadline: Deadline | undefined,
): Promise<string[]> {
  const vocabulary = await snapshot.readVocabulary()
  // All requests that waited for the vocabulary continue at the same moment. Each waits once more here, so that other
  // requests are handled between them.
  await new TimeSlice(deadline).yield()
  const parts = toParts(search, missingWords, vocabulary)
  const knownParts = parts.filter(({ wasMissing }) => !wasMissing)
  const hasMissing = knownParts.length < parts.length
  const candidates = new CandidateSearch(search, filters, snapshot, deadline)
  await candidates.tryAll(joinNeighbours(parts, vocabulary))
  const corrected = hasMissing ? correctMissingWords(parts, vocabulary) : correctKnownWord(parts, vocabulary)
  // A word that is left out may take a quotation mark with it, so a term with fewer words loses all quotation marks.
  await candidates.tryAll(corrected.map((each) => (each.length === parts.length ? toTerm(each) : toShorterTerm(each))))
  // A phrase may be too strict, so its words are tried without quotation marks. Also if words are missing: alone, `Pl.`
  // is `plaza`, which may be missing, but `Pl. Parcial` is `plan parcial`.
  const hasPhrase = quotationMark.test(search)
  if (hasPhrase) await candidates.tryAll([toTerm(parts, { keepQuotationMarks: false })])
  if (hasMissing) await tryFewerWords(candidates, knownParts, corrected)
  // Each word that is not missing occurs in some record, but perhaps no record has all of them.
  await candidates.tryAllIfNoneFound(leaveOneOut(knownParts))
  return candidates.found
}

/**
 * Tries terms with fewer words: the corrected terms without one of their words, only the words that are not missing,
 * and only the corrected words.
 */
async function tryFewerWords(
  candidates: CandidateSearch,
  knownParts: readonly Part[],
  corrected: readonly CorrectedTerm[],
): Promise<void> {
  // Perhaps no record has the corrected word and all others. Then `serano 69 madrid`, where `serrano` is misspelt, may
  // become `serrano 69`.
  await candidates.tryAllIfNoneFound(leaveOneOutOfCorrected(corrected))
  // The rest of the term may find something without the missing words.
  const rest = toShorterTerm(knownParts)
  // All words that were missing are corrected: those without a correction have been left out.
  const correctedWords = corrected
    .slice(0, loneCorrectionsMax)
    .map((each) => toShorterTerm(each.filter(({ wasMissing }) => wasMissing)))
  const restHasWords = knownParts.some((part) => isWord(part) && !isStopWord(part))
  if (restHasWords) {
    await candidates.tryAll([rest])
    await candidates.tryAllIfNoneFound(correctedWords)
  } else {
    // Codes and numbers say less than the corrected words.
    await candidates.tryAllIfNoneFound(correctedWords)
    await candidates.tryAllIfNoneFound([rest])
  }
}

/** The most corrections that are tried without the other words of the term. */
const loneCorrectionsMax = 3

/**
 * The term of these parts, which are not all parts of the term that was typed, without quotation marks. Empty, so that
 * it is not tried, if no part says enough: of `goya 24` the suggestion may be `goya`, but never `24`.
 */
function toShorterTerm(parts: readonly Part[]): string {
  return parts.some(saysEnough) ? toTerm(parts, { keepQuotationMarks: false }) : ''
}

const suggestionsMax = 5
/** The most terms that are searched for one empty result. */
const searchedTermsMax = 32

/** Searches terms until enough of them have found something. */
class CandidateSearch {
  /** The terms that find a record. */
  readonly found: string[] = []
  /** Terms that `tryAll` does not search: the empty term, the original term, and the terms that it has searched. */
  readonly #skipped: Set<string>
  #searchedTerms = 0
  readonly #filters: Filters
  readonly #snapshot: Snapshot
  readonly #deadline: Deadline | undefined

  /** `search` is the term without a result. */
  constructor(search: string, filters: Filters, snapshot: Snapshot, deadline: Deadline | undefined) {
    this.#skipped = new Set(['', search])
    this.#filters = filters
    this.#snapshot = snapshot
    this.#deadline = deadline
  }

  async tryAllIfNoneFound(terms: Iterable<string>): Promise<void> {
    if (this.found.length === 0) await this.tryAll(terms)
  }

  /** Adds the terms that find a record to `found`, until `suggestionsMax` are found or `searchedTermsMax` searched. */
  async tryAll(terms: Iterable<string>): Promise<void> {
    for (const text of terms) {
      if (this.found.length === suggestionsMax || this.#searchedTerms === searchedTermsMax) return
      if (this.#skipped.has(text) || isTooLong(text)) continue
      this.#skipped.add(text)
      this.#searchedTerms += 1
      if (this.#deadline?.isExpired) throw new SearchCancelled('the suggestions are no longer needed')
      // `#filters` may be a whole query. Its cursor and `include` do not apply to a suggestion.
      const query = { ...this.#filters, after: undefined, include: undefined, search: analyseTerm(text), limit: 1 }
      if ((await this.#snapshot.page(query, this.#deadline)) !== null) this.found.push(text)
    }
  }
}

/** Whether the service might refuse the term. A correction may be longer than the word, or be two words. */
function isTooLong(term: string): boolean {
  return term.length > termCharactersMax || countWords(term) > termWordsMax
}

/**
 * Yields the term with two neighbouring words joined, for each pair that is one word in the vocabulary, such as
 * `rehabilitación` for `reha bilitación`.
 */
function* joinNeighbours(parts: readonly Part[], vocabulary: Vocabulary): Generator<string, void, undefined> {
  const missing = parts.filter(({ wasMissing }) => wasMissing)
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1]
    if (next === undefined || !isWord(part) || !isWord(next)) continue
    // The term finds nothing while any other word is missing.
    if (missing.some((each) => each !== part && each !== next)) continue
    const joined = vocabulary.find(part.folded + next.folded)
    if (joined === undefined) continue
    // The punctuation around the two words stays, so that a phrase keeps both of its quotation marks.
    const text = `${punctuationBefore(part.text)}${joined.spelling}${punctuationAfter(next.text)}`
    yield toTerm([...parts.slice(0, index), { ...part, text }, ...parts.slice(index + 2)])
  }
}

/** `"` of `"reha`. */
function punctuationBefore(word: string): string {
  return word.slice(0, word.indexOf(trimPunctuation(word)))
}

/** `",` of `bilitación",`. */
function punctuationAfter(word: string): string {
  const core = trimPunctuation(word)
  return word.slice(word.indexOf(core) + core.length)
}

/**
 * The term with every missing word replaced by a correction or, if it has none, left out: `velazqeuz 94 zzzz` becomes
 * `velázquez 94`. Returns all combinations of the corrections, those with the lowest `cost` (`PartCorrection`) first.
 */
function correctMissingWords(parts: readonly Part[], vocabulary: Vocabulary): CorrectedTerm[] {
  const missingCount = parts.filter(({ wasMissing }) => wasMissing).length
  if (missingCount > missingWordsMax) return []
  const correctionsMax = correctionsMaxByMissing[missingCount] ?? 1
  let combinations: { readonly parts: Part[]; readonly cost: number }[] = [{ parts: [], cost: 0 }]
  for (const part of parts) {
    const choices = part.wasMissing
      ? findCorrections(part, vocabulary).slice(0, correctionsMax)
      : [{ text: part.text, weight: part.weight, cost: 0 }]
    if (choices.length === 0) continue
    combinations = combinations.flatMap((combination) =>
      choices.map(({ text, weight, cost }) => ({
        parts: [...combination.parts, { ...part, text, weight }],
        cost: combination.cost + cost,
      })),
    )
  }
  return combinations.sort((a, b) => a.cost - b.cost).map((combination) => combination.parts)
}

/** If more words are missing, none is corrected: each costs a scan of the vocabulary. */
const missingWordsMax = 12

/**
 * The most corrections of each missing word, by the number of missing words: 8 if one word is missing, 4 if two are, 2
 * if three are. For more it is 1. So there are 16 combinations of corrections at most.
 */
const correctionsMaxByMissing = [0, 8, 4, 2]

/**
 * The term with one word corrected, although every word exists: it may be misspelt if a very similar word is far more
 * frequent. Returns a term for each correction, the lowest cost first. In a long term only the rarest words are tried.
 */
function correctKnownWord(parts: readonly Part[], vocabulary: Vocabulary): CorrectedTerm[] {
  const correctable = parts.filter(({ folded }) => folded.length >= correctedLettersMin)
  const corrected = findRarest(correctable).flatMap((part) =>
    findCorrections(part, vocabulary)
      .filter(({ cost, weight }) => cost < knownWordCostLimit && weight > part.weight * misspeltWeightRatio)
      .slice(0, knownWordCorrectionsMax)
      .map(({ text, cost }) => ({ parts: parts.with(parts.indexOf(part), { ...part, text }), cost })),
  )
  return corrected.sort((a, b) => a.cost - b.cost).map((each) => each.parts)
}

/**
 * A word that exists is corrected only at a lower cost than this. One wrong letter, or a missing space, costs at most
 * 1, and less if the correction is frequent.
 */
const knownWordCostLimit = 1

/** The most corrections of each word if no word is missing. */
const knownWordCorrectionsMax = 2

/** A word that exists may be a misspelling of a word that is more than four times as frequent. */
const misspeltWeightRatio = 4

interface PartCorrection {
  /** The correction with the punctuation of the part. */
  readonly text: string
  /** About the number of wrong letters; less for a frequent word, because it is likelier. */
  readonly cost: number
  /** How frequent the correction is (`VocabularyWord.weight`); for two words, how frequent the rarer one is. */
  readonly weight: number
}

/** Similar words, and two words for one if the space between them may be missing; the lowest cost first. */
function findCorrections({ text, folded }: Part, vocabulary: Vocabulary): PartCorrection[] {
  if (folded.length < correctedLettersMin) return []
  const core = trimPunctuation(text)
  const similar = vocabulary
    .findNearest(folded, similarWordsMax)
    .map(({ spelling, cost, weight }) => ({ text: text.replace(core, spelling), cost, weight }))
  return [...similar, ...findSplits(text, core, folded, vocabulary)].sort((a, b) => a.cost - b.cost)
}

/** How many similar words the vocabulary returns for a word at most. */
const similarWordsMax = 8

/** A shorter word is not corrected, because it is similar to too many others. */
const correctedLettersMin = 3

/** Two words for one: `plan parcial` for `planparcial`. A missing space costs 1, less if both words are frequent. */
function findSplits(text: string, core: string, folded: string, vocabulary: Vocabulary): PartCorrection[] {
  const splits: PartCorrection[] = []
  for (let end = splitLettersMin; end <= folded.length - splitLettersMin; end++) {
    const first = vocabulary.find(folded.slice(0, end))
    const second = first && vocabulary.find(folded.slice(end))
    if (first === undefined || second === undefined) continue
    const weight = Math.min(first.weight, second.weight)
    const cost = 1 - Math.min(splitBonusMax, splitBonusPerDoubling * Math.log2(weight + 1))
    splits.push({ text: text.replace(core, `${first.spelling} ${second.spelling}`), cost, weight })
  }
  return splits
}

/** The fewest letters of each of the two words. */
const splitLettersMin = 2

/** The cost of a split falls by about this much each time the weight of its rarer word doubles. */
const splitBonusPerDoubling = 0.05

/** The most by which the cost of a split falls. */
const splitBonusMax = 0.6

/**
 * Yields the term without one of its rarest words, for each of them. Stop words are not left out, because a search
 * ignores most of them anyway.
 */
function* leaveOneOut(parts: readonly Part[]): Generator<string, void, undefined> {
  for (const part of findRarest(parts.filter((part) => !isStopWord(part)))) {
    yield toShorterTerm(parts.filter((each) => each !== part))
  }
}

/**
 * Corrected terms without one of their words, so that two words at least are left. If a missing word is short as typed,
 * its correction is too uncertain to leave out another word for it.
 */
function leaveOneOutOfCorrected(corrected: readonly CorrectedTerm[]): string[] {
  return corrected
    .filter((parts) => parts.every(({ wasMissing, folded }) => !wasMissing || folded.length >= certainLettersMin))
    .filter((parts) => parts.filter((part) => !isStopWord(part)).length >= 3)
    .flatMap((parts) => [...leaveOneOut(parts)])
    .slice(0, shortenedCorrectionsMax)
}

/** The correction of a shorter word is uncertain, because the word resembles several others. */
const certainLettersMin = 5

/** The most corrected terms without one of their words. */
const shortenedCorrectionsMax = 6

/** The rarest words first, at most `rarestWordsMax`. Numbers and codes have the weight 0, so they come first of all. */
function findRarest(parts: readonly Part[]): Part[] {
  return parts.toSorted((a, b) => a.weight - b.weight).slice(0, rarestWordsMax)
}

/** The most words of one term that are corrected or left out in turn. */
const rarestWordsMax = 12
