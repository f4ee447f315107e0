// Neighbours: which words of a title stand side by side, for the order of results. A title has an entry for each pair
// of neighbouring words; a term has one condition for each pair of its clauses. What side by side means is in
// docs/decisions/0015-order-by-nearness.md.
import { expansionsByAcronym, type LexiconWord, numberWord } from './lexicon.ts'
import type { PlacedWords, Spans } from './placed-words.ts'
import { isUnnamedKind, unnamedKindStem } from './street-names.ts'
import type { Word } from './word.ts'
import { WordCache } from './word-cache.ts'

/**
 * A reading of some consecutive words of a title: the word itself, its acronym, its code, or what it abbreviates. Slots
 * number the words of the title from 0, without stop words and without the word "number" before a number.
 */
interface Reading {
  /** The stems of the reading, in order. */
  readonly stems: readonly string[]
  /** The slot after the last word. */
  readonly end: number
}

/** The part of a clause of a term that its neighbours are compared with. */
export interface Neighbour {
  /** The stems at the start and at the end of the clause: `ue` and `4` for `UE-4`. */
  readonly first: string
  readonly last: string
  /** The clause is a kind of street (`calle`), which the title may leave out. */
  readonly isStreetKind?: boolean
}

/** The stems of two words that are neighbours. No stem of a single word has a space inside it. */
function pairStem(first: string, second: string): string {
  return `${first} ${second}`
}

/**
 * For each condition, the entries of which a title must have at least one. An undefined neighbour, such as a prefix,
 * has no condition.
 */
export function toNeighbourConditions(neighbours: readonly (Neighbour | undefined)[]): string[][] {
  const conditions: string[][] = []
  for (const [index, neighbour] of neighbours.entries()) {
    const next = neighbours[index + 1]
    if (neighbour === undefined || next === undefined) continue
    const pair = pairStem(neighbour.last, next.first)
    const secondNext = neighbours[index + 2]
    if (neighbour.isStreetKind) conditions.push([pair, unnamedKindStem(next.first)])
    else if (next.isStreetKind && secondNext !== undefined) {
      conditions.push([pair, pairStem(neighbour.last, secondNext.first)])
    } else conditions.push([pair])
  }
  return conditions
}

/** The entries of a title. Stop words, and the word "number" before a number, do not separate neighbours. */
export function toNeighbourEntries(words: readonly LexiconWord[], added: PlacedWords): Word[] {
  /** For each word, its slot. A word without a slot has that of the next word. */
  const slots: number[] = []
  /** The readings that start at each slot. */
  const readings: Reading[][] = []
  for (const [position, word] of words.entries()) {
    slots.push(readings.length)
    if (!isSkipped(word, words[position + 1])) readings.push(toReadings(word.queryStem, readings.length + 1))
  }
  slots.push(readings.length)
  addReadings(added.joinedForms, added.joinedFormSpans, () => true, slots, readings)
  addReadings(added.synonyms, added.synonymSpans, isAcronymOrNumber, slots, readings)
  return Array.from(collectEntries(readings, added.synonyms), toEntry)
}

function collectEntries(readings: readonly Reading[][], synonyms: readonly Word[]): Set<string> {
  const entries = new Set<string>()
  for (const { stems, end } of readings.flat()) {
    const last = stems.at(-1) ?? ''
    for (let index = 1; index < stems.length; index++) entries.add(pairStem(stems[index - 1] ?? '', stems[index] ?? ''))
    for (const next of readings[end] ?? []) entries.add(pairStem(last, next.stems[0] ?? ''))
  }
  for (const { stem } of synonyms) if (isUnnamedKind(stem)) entries.add(stem)
  return entries
}

/** The stem itself and, for an acronym, its full forms. */
function toReadings(stem: string, end: number): Reading[] {
  const fullForms = expansionsByAcronym.get(stem)?.fullForms ?? []
  return [{ stems: [stem], end }, ...fullForms.map((stems) => ({ stems, end }))]
}

function isSkipped(word: LexiconWord, next: LexiconWord | undefined): boolean {
  return (
    word.isStopWord || (word.queryStem === numberWord.stem && next !== undefined && /^(?:\d|[ivx]+$)/.test(next.form))
  )
}

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
 * The synonyms that are readings. Those that are words of a full form are not: synonyms have no order, and `toReadings`
 * adds the full form in order.
 */
function isAcronymOrNumber(stem: string): boolean {
  return expansionsByAcronym.has(stem) || (/\d/.test(stem) && !stem.startsWith(numberWord.stem))
}

const cache = new WordCache<Word>()

/** An entry has no form, because it is not a word of the text. */
function toEntry(stem: string): Word {
  const cached = cache.get(stem)
  if (cached !== undefined) return cached
  const entry = { form: '', stem }
  cache.set(stem, entry)
  return entry
}
