// Neighbours: which words of a title stand side by side, for the order of results. A title has an entry for each pair
// of neighbouring words; a term has one condition for each pair of its clauses. What side by side means is in
// docs/decisions/0015-order-by-nearness.md.
import { isCornerWord } from './corners.ts'
import { expansionsByAcronym, type LexiconWord, numberWord } from './lexicon.ts'
import { isInNoNumberMark } from './no-number-mark.ts'
import type { AddedWordsWithSpans, Spans } from './added-words.ts'
import { isMissingKind, missingKindStem } from './street-names.ts'
import type { Word } from './word.ts'
import { WordCache } from './word-cache.ts'

/**
 * One of the ways to read some consecutive words of a title: as written, as an acronym, as a code or in full. The
 * words that count have a slot each, numbered from 0: all but those that `isSkipped` names.
 */
interface Reading {
  /** The stems of the reading, in order. */
  readonly stems: readonly string[]
  /** The slot after the last word. */
  readonly end: number
}

/** What the clauses before and after a clause of a term are paired with. */
export interface ClauseEnds {
  /** The stems at the start and at the end of the clause: `ue` and `4` for `UE-4`. */
  readonly first: string
  readonly last: string
  /** Another stem at the start: `a` for the number of `SECTOR A 6`, whose A may be part of its code or a stop word. */
  readonly otherFirst?: string
  /** The clause is a kind of street (`calle`), which the title may leave out. */
  readonly isStreetKind?: boolean
}

/** The entry for two neighbouring words: their stems with a space, which no stem of a single word has inside it. */
function toPairEntry(first: string, second: string): string {
  return `${first} ${second}`
}

/**
 * The conditions of a term, given the neighbours of its clauses in order. A condition is a list of entries of which a
 * title must have at least one. An undefined neighbour, such as that of a prefix, has no condition.
 */
export function toNeighbourConditions(neighbours: readonly (ClauseEnds | undefined)[]): string[][] {
  const conditions: string[][] = []
  for (const [index, neighbour] of neighbours.entries()) {
    const next = neighbours[index + 1]
    if (neighbour === undefined || next === undefined) continue
    const condition = [toPairEntry(neighbour.last, next.first)]
    if (next.otherFirst !== undefined) condition.push(toPairEntry(neighbour.last, next.otherFirst))
    const secondNext = neighbours[index + 2]
    if (neighbour.isStreetKind) {
      // `calle infantas`: the title says that the kind before `Infantas` is missing.
      condition.push(missingKindStem(next.first))
    } else if (next.isStreetKind && secondNext !== undefined) {
      // `edificio calle infantas`: a title without the kind has `Edificio Infantas`.
      condition.push(toPairEntry(neighbour.last, secondNext.first))
    }
    conditions.push(condition)
  }
  return conditions
}

/** The entries of a title. Words without a slot do not separate neighbours. */
export function toNeighbourEntries(words: readonly LexiconWord[], added: AddedWordsWithSpans): Word[] {
  /** By position: the slot of the word, or of the next word that has one. The last element is the number of slots. */
  const slots: number[] = []
  /** By slot: the readings that start there. */
  const readings: Reading[][] = []
  for (const [position, word] of words.entries()) {
    slots.push(readings.length)
    if (!isSkipped(words, position)) readings.push(toReadings(word.queryStem, readings.length + 1))
  }
  slots.push(readings.length)
  const isAnyStem = () => true
  addReadings(added.joinedForms, added.joinedFormSpans, isAnyStem, slots, readings)
  addReadings(added.synonyms, added.synonymSpans, isAcronymOrNumber, slots, readings)
  return Array.from(collectEntries(readings, added.synonyms), toEntry)
}

/** The pairs inside a reading, the pairs of a reading and the next, and the synonyms for a missing kind of street. */
function collectEntries(readings: readonly Reading[][], synonyms: readonly Word[]): Set<string> {
  const entries = new Set<string>()
  for (const { stems, end } of readings.flat()) {
    const last = stems.at(-1) ?? ''
    for (let index = 1; index < stems.length; index++) entries.add(toPairEntry(stems[index - 1] ?? '', stems[index] ?? ''))
    for (const next of readings[end] ?? []) entries.add(toPairEntry(last, next.stems[0] ?? ''))
  }
  for (const { stem } of synonyms) if (isMissingKind(stem)) entries.add(stem)
  return entries
}

/** The readings of a stem that end before the slot `end`: itself and, for an acronym, its full forms. */
function toReadings(stem: string, end: number): Reading[] {
  const fullForms = expansionsByAcronym.get(stem)?.fullForms ?? []
  return [{ stems: [stem], end }, ...fullForms.map((stems) => ({ stems, end }))]
}

/**
 * Whether the word has no slot: it is a stop word, the word "number" before digits or a Roman numeral, the word for a
 * corner (`c/v`) or part of `s/n`.
 */
function isSkipped(words: readonly LexiconWord[], position: number): boolean {
  const word = words[position] as LexiconWord
  const next = words[position + 1]
  if (word.isStopWord || isCornerWord(word, words[position - 1], next) || isInNoNumberMark(words, position)) return true
  return word.queryStem === numberWord.stem && next !== undefined && /^(?:\d|[ivx]+$)/.test(next.form)
}

/**
 * Adds the added words of a title that are readings as readings of their spans. A span of skipped words only has none.
 * `slots` and `readings` are those of `toNeighbourEntries`.
 */
function addReadings(
  words: readonly Word[],
  { firsts, lasts }: Spans,
  isReading: (stem: string) => boolean,
  slots: readonly number[],
  readings: readonly Reading[][],
): void {
  for (const [index, { stem }] of words.entries()) {
    if (!isReading(stem)) continue
    const start = slots[firsts[index] as number] as number
    const end = slots[(lasts[index] as number) + 1] as number
    if (end > start) readings[start]?.push(...toReadings(stem, end))
  }
}

/**
 * Whether a synonym is a reading: an acronym, or a code or numeral with digits. The words of a full form are not,
 * because synonyms have no order; `toReadings` adds the full form in order. Nor is `numero 5`: the reading is the 5.
 */
function isAcronymOrNumber(stem: string): boolean {
  return expansionsByAcronym.has(stem) || (/\d/.test(stem) && !stem.startsWith(numberWord.stem))
}

const cache = new WordCache<Word>()

/** The entry as the index stores it. It has no form, because it is not a word of the text. */
function toEntry(stem: string): Word {
  const cached = cache.get(stem)
  if (cached !== undefined) return cached
  const entry = { form: '', stem }
  cache.set(stem, entry)
  return entry
}
