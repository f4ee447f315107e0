// Suggests search terms for an empty result: whole terms that find something under the same filters. It corrects the
// words that no record contains by the vocabulary (the most frequent words of the records), splits and joins words, and
// leaves words out. Each term made in this way is searched, and suggested if it finds a record.
import { analyseTerm } from '../analysis/analyser.ts'
import { quotationMark } from '../analysis/term-parser.ts'
import { type Deadline, SearchCancelled } from '../domain/deadline.ts'
import { findInNationalList } from '../domain/municipality.ts'
import type { Filters } from '../domain/query.ts'
import { termCharactersMax, termWordsMax } from '../domain/query-limits.ts'
import type { Snapshot } from '../registry/contract.ts'
import type { Correction, Vocabulary } from '../registry/vocabulary.ts'
import { countWords } from './count-words.ts'
import { isStopWord, isWord, type Part, saysEnough, toTerm, trimPunctuation } from './term-parts.ts'

const suggestionsMax = 5

/** The most terms that are searched for one empty result, so that it costs a few pages of results at most. */
const searchedTermsMax = 12

/** If more words are missing, none is corrected: each costs a scan of the vocabulary, which takes up to a millisecond. */
const missingWordsMax = 4

/** The most corrections of each missing word, by the number of missing words. */
const correctionsMaxByMissing = [0, 4, 3, 2, 1]

/** A correction that costs more than this above the best one is hardly meant: `parcela` beside `parcial` for `parcal`. */
const worseCostMax = 0.5

/** A shorter word is not corrected, because it is similar to too many others. */
const correctedLettersMin = 4

/** The most words of one term that are left out in turn, the rarest first. */
const omittedWordsMax = 12

/** What the suggestions are made from. */
export interface EmptySearch {
  /** The term of the request. */
  readonly asked: string
  /** The same without the words of a question (question-words.ts), from which the suggestions are made. */
  readonly term: string
  readonly parts: readonly Part[]
  readonly filters: Filters
  readonly vocabulary: Vocabulary
}

/**
 * Up to five terms that find a record under the same filters, the likeliest first. Rejects with `SearchCancelled` when
 * the deadline expires.
 */
export async function suggestTerms(
  search: EmptySearch,
  snapshot: Snapshot,
  deadline: Deadline | undefined,
): Promise<string[]> {
  const found: string[] = []
  const skipped = new Set(['', search.asked])
  let searchesLeft = searchedTermsMax
  for (const text of toCandidates(search, found)) {
    // A correction may be longer than the word, or be two words, so that the service would refuse the term.
    if (skipped.has(text) || text.length > termCharactersMax || countWords(text) > termWordsMax) continue
    skipped.add(text)
    if (deadline?.isExpired) throw new SearchCancelled('the suggestions are no longer needed')
    if (await snapshot.hasMatch({ ...search.filters, search: analyseTerm(text) }, deadline)) found.push(text)
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
  { term, parts, vocabulary }: EmptySearch,
  found: readonly string[],
): Generator<string, void, undefined> {
  const known = parts.filter(({ wasMissing }) => !wasMissing)
  const missing = parts.filter(({ wasMissing }) => wasMissing)
  yield term
  yield* joinNeighbours(parts, vocabulary)
  const corrected = missing.length > 0 ? correctMissingWords(parts, vocabulary) : correctRarestWord(parts, vocabulary)
  // A word that is left out may take a quotation mark with it, so a term with fewer words loses all quotation marks.
  yield* corrected.map((each) => (each.length === parts.length ? toTerm(each) : toShorterTerm(each)))
  // A phrase may be too strict, so its words are tried without quotation marks. Also if words are missing: alone, `Pl.`
  // is `plaza`, which may be missing, but `Pl. Parcial` is `plan parcial`.
  if (quotationMark.test(term)) yield toTerm(parts, { keepQuotationMarks: false })
  const [best] = corrected
  if (missing.length > 0 && best !== undefined) {
    // Perhaps no record has the corrected word and all others: `serano 69 madrid` may become `serrano 69`.
    const words = best.filter((part) => !isStopWord(part))
    if (found.length === 0 && words.length >= 3) yield* leaveOneOut(best).slice(0, 3)
  }
  // Codes and numbers say less than the corrected words, other words more.
  const restHasWords = known.some((part) => isWord(part) && !isStopWord(part))
  if (missing.length > 0 && (restHasWords || found.length === 0)) yield toShorterTerm(known)
  if (found.length === 0 && missing.length > 0) {
    yield* corrected.slice(0, 2).map((each) => toShorterTerm(each.filter(({ wasMissing }) => wasMissing)))
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
    const [before = ''] = part.text.split(trimPunctuation(part.text))
    const [, after = ''] = next.text.split(trimPunctuation(next.text))
    const text = before + joined.spelling + after
    yield toTerm([...parts.slice(0, index), { ...part, text }, ...parts.slice(index + 2)])
  }
}

/** A term with corrections. A corrected part keeps `folded` and `wasMissing` as typed. */
interface CorrectedTerm {
  readonly parts: readonly Part[]
  readonly cost: number
}

/** The terms in which every missing word is corrected or, if nothing is similar, left out; the lowest cost first. */
function correctMissingWords(parts: readonly Part[], vocabulary: Vocabulary): (readonly Part[])[] {
  const missingCount = parts.filter(({ wasMissing }) => wasMissing).length
  if (missingCount > missingWordsMax) return []
  let terms: CorrectedTerm[] = [{ parts: [], cost: 0 }]
  for (const part of parts) {
    // The name of a place is left out and not corrected: `Madrid` is no `Madriz`.
    const isPlace = part.wasMissing && findInNationalList(trimPunctuation(part.text)).length > 0
    const choices = part.wasMissing
      ? (isPlace ? [] : findCorrections(part, vocabulary)).slice(0, correctionsMaxByMissing[missingCount])
      : [{ part, cost: 0 }]
    if (choices.length === 0) continue
    terms = terms.flatMap((each) =>
      choices.map((choice) => ({ parts: [...each.parts, choice.part], cost: each.cost + choice.cost })),
    )
  }
  return terms.sort((a, b) => a.cost - b.cost).map((each) => each.parts)
}

/**
 * The terms with the rarest word corrected, although every word exists: it may be misspelt if a word with one wrong
 * letter, or with a missing space, is more than four times as frequent.
 */
function correctRarestWord(parts: readonly Part[], vocabulary: Vocabulary): (readonly Part[])[] {
  const [rarest] = byRarity(parts.filter(({ folded }) => folded.length >= correctedLettersMin))
  if (rarest === undefined) return []
  return findCorrections(rarest, vocabulary)
    .filter(({ part, cost }) => cost < 1 && part.weight > rarest.weight * 4)
    .slice(0, 2)
    .map(({ part }) => parts.with(parts.indexOf(rarest), part))
}

/** The part as a similar word, or as two words if the space between them may be missing; the lowest cost first. */
function findCorrections(part: Part, vocabulary: Vocabulary): { readonly part: Part; readonly cost: number }[] {
  const { text, folded } = part
  if (folded.length < correctedLettersMin) return []
  const core = trimPunctuation(text)
  const corrections = [...vocabulary.findNearest(folded, 8), ...findSplits(folded, vocabulary)]
    .filter(({ spelling }) => !isStopWord({ folded: spelling }))
    .sort((a, b) => a.cost - b.cost)
  const costMax = (corrections[0]?.cost ?? 0) + worseCostMax
  return corrections
    .filter(({ cost }) => cost <= costMax)
    .map(({ spelling, weight, cost }) => ({ part: { ...part, text: text.replace(core, spelling), weight }, cost }))
}

/** Two words for one: `plan parcial` for `planparcial`. A missing space costs 1, less if both words are frequent. */
function findSplits(folded: string, vocabulary: Vocabulary): Correction[] {
  const splits: Correction[] = []
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
  const omittable = byRarity(parts.filter((part) => !isStopWord(part))).slice(0, omittedWordsMax)
  return omittable.map((part) => toShorterTerm(parts.filter((each) => each !== part)))
}

/** The rarest parts first. Numbers and codes have the weight 0, so they come first of all. */
function byRarity(parts: readonly Part[]): Part[] {
  return parts.toSorted((a, b) => a.weight - b.weight)
}
