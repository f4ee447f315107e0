// Suggests search terms for an empty result: whole terms that find something under the same filters. It corrects the
// words that no record contains by the vocabulary (the most frequent words of the records), splits and joins words, and
// leaves words out. Each term made in this way is searched, and suggested if it finds a record.
import { analyseTerm } from '../analysis/analyser.ts'
import { quotationMark } from '../analysis/term-parser.ts'
import { type Deadline, SearchCancelled } from '../domain/deadline.ts'
import { type Filters, termCharactersMax, termWordsMax } from '../domain/query.ts'
import type { Snapshot } from '../registry/contract.ts'
import { TimeSlice } from '../registry/time-slice.ts'
import type { Vocabulary } from '../registry/vocabulary.ts'
import { countWords } from './count-words.ts'
import { isStopWord, isWord, type Part, saysEnough, toParts, toTerm, trimPunctuation } from './term-parts.ts'

const suggestionsMax = 5

/** The most terms that are searched for one empty result. Few more would be found, and each costs a page of results. */
const searchedTermsMax = 16

/** If more words are missing, none is corrected: each costs a scan of the vocabulary, which takes milliseconds. */
const missingWordsMax = 4

/** The most corrections of each missing word, by the number of missing words: 16 combinations at most. */
const correctionsMaxByMissing = [0, 8, 4, 2]

/** Of the words that are not missing, only this many of the rarest are corrected: each costs a scan too. */
const correctedKnownWordsMax = 3

/** The most words of one term that are left out in turn, the rarest first. */
const omittedWordsMax = 12

/** A shorter word is not corrected, because it is similar to too many others. */
const correctedLettersMin = 3

/** The correction of a shorter word is too uncertain to leave out another word for it. */
const certainLettersMin = 5

/**
 * Up to five terms that find a record under the same filters, the likeliest first. `missingWords` are the words of the
 * term, and the pieces of its words (`sur` and `norte` of `sur/norte`), that no record contains. Rejects with
 * `SearchCancelled` when the deadline expires.
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
  const found: string[] = []
  const skipped = new Set(['', search])
  let searchesLeft = searchedTermsMax
  for (const text of toCandidates(parts, quotationMark.test(search), vocabulary, found)) {
    // A correction may be longer than the word, or be two words, so that the service would refuse the term.
    if (skipped.has(text) || text.length > termCharactersMax || countWords(text) > termWordsMax) continue
    skipped.add(text)
    if (deadline?.isExpired) throw new SearchCancelled('the suggestions are no longer needed')
    // `filters` may be a whole query. Its cursor and `include` do not apply to a suggestion.
    const query = { ...filters, after: undefined, include: undefined, term: analyseTerm(text), limit: 1 }
    if ((await snapshot.page(query, deadline)) !== null) found.push(text)
    searchesLeft -= 1
    if (found.length === suggestionsMax || searchesLeft === 0) break
  }
  return found
}

/**
 * Yields the terms to search, the likeliest first. `found` grows meanwhile: some terms are tried only while it is
 * empty. An empty text stands for a term that says too little.
 */
function* toCandidates(
  parts: readonly Part[],
  hasPhrase: boolean,
  vocabulary: Vocabulary,
  found: readonly string[],
): Generator<string, void, undefined> {
  const known = parts.filter(({ wasMissing }) => !wasMissing)
  const hasMissing = known.length < parts.length
  yield* joinNeighbours(parts, vocabulary)
  const corrected = hasMissing ? correctMissingWords(parts, vocabulary) : correctKnownWord(parts, vocabulary)
  // A word that is left out may take a quotation mark with it, so a term with fewer words loses all quotation marks.
  yield* corrected.map((each) => (each.length === parts.length ? toTerm(each) : toShorterTerm(each)))
  // A phrase may be too strict, so its words are tried without quotation marks. Also if words are missing: alone, `Pl.`
  // is `plaza`, which may be missing, but `Pl. Parcial` is `plan parcial`.
  if (hasPhrase) yield toTerm(parts, { keepQuotationMarks: false })
  if (hasMissing) {
    // Perhaps no record has the corrected word and all others: `serano 69 madrid` may become `serrano 69`.
    if (found.length === 0) yield* leaveOneOutOfCorrected(corrected)
    // Codes and numbers say less than the corrected words, other words more.
    const restHasWords = known.some((part) => isWord(part) && !isStopWord(part))
    if (restHasWords) yield toShorterTerm(known)
    if (found.length === 0) {
      yield* corrected.slice(0, 3).map((each) => toShorterTerm(each.filter(({ wasMissing }) => wasMissing)))
    }
    if (found.length === 0) yield toShorterTerm(known)
  }
  // Each word that is not missing occurs in some record, but perhaps no record has all of them.
  if (found.length === 0) yield* leaveOneOut(known)
}

/** The term of some of the parts, without quotation marks; empty if none says enough: of `goya 24` never `24`. */
function toShorterTerm(parts: readonly Part[]): string {
  return parts.some(saysEnough) ? toTerm(parts, { keepQuotationMarks: false }) : ''
}

/** The terms with two neighbouring words joined, such as `rehabilitación` for `reha bilitación`. */
function* joinNeighbours(parts: readonly Part[], vocabulary: Vocabulary): Generator<string, void, undefined> {
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1]
    if (next === undefined || !isWord(part) || !isWord(next)) continue
    // The term finds nothing while any other word is missing.
    if (parts.some((each) => each.wasMissing && each !== part && each !== next)) continue
    const joined = vocabulary.find(part.folded + next.folded)
    if (joined === undefined) continue
    // The punctuation around the two words stays, so that a phrase keeps both of its quotation marks.
    const text =
      part.text.split(trimPunctuation(part.text))[0] + joined.spelling + next.text.split(trimPunctuation(next.text))[1]
    yield toTerm([...parts.slice(0, index), { ...part, text }, ...parts.slice(index + 2)])
  }
}

/** A term with corrections, in the order of their cost. A corrected part keeps `folded` and `wasMissing` as typed. */
interface Correction {
  readonly parts: readonly Part[]
  readonly cost: number
}

/** The terms in which every missing word is corrected or, if nothing is similar, left out: `velazqeuz 94 zzzz`. */
function correctMissingWords(parts: readonly Part[], vocabulary: Vocabulary): (readonly Part[])[] {
  const missingCount = parts.filter(({ wasMissing }) => wasMissing).length
  if (missingCount > missingWordsMax) return []
  let corrections: Correction[] = [{ parts: [], cost: 0 }]
  for (const part of parts) {
    const choices = part.wasMissing
      ? findCorrections(part, vocabulary).slice(0, correctionsMaxByMissing[missingCount] ?? 1)
      : [{ part, cost: 0 }]
    if (choices.length === 0) continue
    corrections = corrections.flatMap((each) =>
      choices.map((choice) => ({ parts: [...each.parts, choice.part], cost: each.cost + choice.cost })),
    )
  }
  return byCost(corrections)
}

/**
 * The terms with one word corrected, although every word exists: it may be misspelt if a word with one wrong letter, or
 * with a missing space, is more than four times as frequent.
 */
function correctKnownWord(parts: readonly Part[], vocabulary: Vocabulary): (readonly Part[])[] {
  const correctable = parts.filter(({ folded }) => folded.length >= correctedLettersMin)
  const corrections = byRarity(correctable, correctedKnownWordsMax).flatMap((part) =>
    findCorrections(part, vocabulary)
      .filter((choice) => choice.cost < 1 && choice.part.weight > part.weight * 4)
      .slice(0, 2)
      .map((choice) => ({ parts: parts.with(parts.indexOf(part), choice.part), cost: choice.cost })),
  )
  return byCost(corrections)
}

function byCost(corrections: readonly Correction[]): (readonly Part[])[] {
  return corrections.toSorted((a, b) => a.cost - b.cost).map(({ parts }) => parts)
}

/** The part as a similar word, or as two words if the space between them may be missing; the lowest cost first. */
function findCorrections(part: Part, vocabulary: Vocabulary): { readonly part: Part; readonly cost: number }[] {
  const { text, folded } = part
  if (folded.length < correctedLettersMin) return []
  const core = trimPunctuation(text)
  return [...vocabulary.findNearest(folded, 8), ...findSplits(folded, vocabulary)]
    .sort((a, b) => a.cost - b.cost)
    .map(({ spelling, weight, cost }) => ({ part: { ...part, text: text.replace(core, spelling), weight }, cost }))
}

/** Two words for one: `plan parcial` for `planparcial`. A missing space costs 1, less if both words are frequent. */
function findSplits(folded: string, vocabulary: Vocabulary): ReturnType<Vocabulary['findNearest']> {
  const splits: ReturnType<Vocabulary['findNearest']> = []
  for (let end = 2; end <= folded.length - 2; end++) {
    const first = vocabulary.find(folded.slice(0, end))
    const second = first && vocabulary.find(folded.slice(end))
    if (first === undefined || second === undefined) continue
    const weight = Math.min(first.weight, second.weight)
    const cost = 1 - Math.min(0.6, 0.05 * Math.log2(weight + 1))
    splits.push({ spelling: `${first.spelling} ${second.spelling}`, cost, weight })
  }
  return splits
}

/** The terms without one of their rarest words. A search ignores most stop words, so they are not left out. */
function leaveOneOut(parts: readonly Part[]): string[] {
  const omittable = parts.filter((part) => !isStopWord(part))
  return byRarity(omittable, omittedWordsMax).map((part) => toShorterTerm(parts.filter((each) => each !== part)))
}

/** Corrected terms without one of their words, so that two words at least are left. */
function leaveOneOutOfCorrected(corrected: readonly (readonly Part[])[]): string[] {
  return corrected
    .filter((parts) => parts.every(({ wasMissing, folded }) => !wasMissing || folded.length >= certainLettersMin))
    .filter((parts) => parts.filter((part) => !isStopWord(part)).length >= 3)
    .flatMap(leaveOneOut)
    .slice(0, 6)
}

/** The rarest parts first. Numbers and codes have the weight 0, so they come first of all. */
function byRarity(parts: readonly Part[], max: number): Part[] {
  return parts.toSorted((a, b) => a.weight - b.weight).slice(0, max)
}
