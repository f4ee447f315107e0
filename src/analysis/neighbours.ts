// Neighbours: which words of a title stand side by side, for the order of results. A title has an entry for each pair
// of neighbouring words (a shingle, or bigram): `Paseo de la Castellana` has the entry `paseo castellano`, two stems. A
// term has a condition for each two consecutive clauses: a list of entries, of which a title must have at least one.
// Titles that meet all conditions come first. A clause is a part of a term, such as a word or a code. What counts as
// side by side is in docs/decisions/README.md.
import { expansionsByAcronym } from './acronym-expansions.ts'
import type { AddedWordsWithSpans, Spans } from './added-words.ts'
import { isCornerWord } from './corners.ts'
import type { LexiconWord } from './lexicon.ts'
import { isInNoNumberMark } from './no-number-mark.ts'
import { numberWord } from './number-words.ts'
import { isMissingKind, missingKindStem } from './street-names.ts'
import type { Word } from './word.ts'

/**
 * A title as a token graph, like those of search engines. Each word that is not skipped (`isSkipped`) has a slot,
 * numbered from 0. A reading is an edge from the slot of its first word to the slot after its last: `Plan Parcial` has
 * the edges `plan` from 0 to 1, `parcial` from 1 to 2, and `pp` from 0 to 2.
 */
interface TitleGraph {
  /**
   * By position: the slot of the word, or of the next word that has one. The last element is the number of slots.
   * `Paseo de la Castellana` has 0, 1, 1, 1 and 2.
   */
  readonly slotsByPosition: number[]
  /** The readings by the slot where they start. */
  readonly readingsBySlot: Reading[][]
}

/** One of the ways to read some consecutive words of a title: as written, as an acronym, as a code or in full. */
interface Reading {
  /** The stems of the reading, in order. */
  readonly stems: readonly string[]
  /** The slot after the last word. */
  readonly endSlot: number
}

/**
 * The two ends of a clause: the stems that are paired with the clauses before and after it. A title meets the condition
 * of a pair if it has both stems side by side.
 */
export interface ClauseEnds {
  /** The stem at the start of the clause, which the clause before is paired with: `ue` for `UE-4`. */
  readonly first: string
  /** The stem at the end of the clause, which the clause after is paired with: `4` for `UE-4`. */
  readonly last: string
  /**
   * Another stem that the clause before may be paired with: in `SECTOR A 6`, `sector` is paired with the 6 (`first`) if
   * the A is a stop word, and with `a` (`otherFirst`) if it is a letter of a code. For such a letter a title also has
   * the joined form `a` (`markCodeLetters` in spaced-codes.ts).
   */
  readonly otherFirst?: string
  /** Another stem that the clause after may be paired with: `NUM` for a `NUM` that may be "number" or the acronym. */
  readonly otherLast?: string
  /** The clause is a kind of street (`calle`), which the title may leave out. */
  readonly isStreetKind?: boolean
}

/**
 * The entry of two neighbouring words: their stems with a space between them. Entries have tokens of their own kind,
 * so the entry `fase 2` is not mistaken for the synonym `fase 2`, which is one stem with a space.
 */
function toPairEntry(first: string, second: string): string {
  return `${first} ${second}`
}

/**
 * The conditions of a term, given the ends of its clauses in order: `[['plan parcial']]` for `plan parcial`. A
 * condition is a list of entries of which a title must have at least one.
 *
 * term                      | conditions
 * `plan parcial norte`      | `plan parcial`; `parcial norte`
 * `calle serrano`           | `calle serrano` or ` serrano` (the kind of street is missing)
 * `edificio calle serrano`  | `edificio calle` or `edificio serrano`; `calle serrano` or ` serrano`
 * `plan* parcial`           | none: the ends of a prefix are undefined
 */
export function toNeighbourConditions(clauseEnds: readonly (ClauseEnds | undefined)[]): string[][] {
  const conditions: string[][] = []
  for (const [index, ends] of clauseEnds.entries()) {
    const next = clauseEnds[index + 1]
    if (ends === undefined || next === undefined) continue
    const lasts = toStems(ends.last, ends.otherLast)
    const firsts = toStems(next.first, next.otherFirst)
    const condition = lasts.flatMap((last) => firsts.map((first) => toPairEntry(last, first)))
    const secondNext = clauseEnds[index + 2]
    if (ends.isStreetKind) {
      // `calle serrano`: the title `Serrano, 5` has the entry ` serrano`, which says that the kind is missing.
      condition.push(missingKindStem(next.first))
    } else if (next.isStreetKind && secondNext !== undefined) {
      // `edificio calle infantas`: a title without the kind has `Edificio Infantas`.
      condition.push(toPairEntry(ends.last, secondNext.first))
    }
    conditions.push(condition)
  }
  return conditions
}

function toStems(stem: string, otherStem: string | undefined): string[] {
  return otherStem === undefined ? [stem] : [stem, otherStem]
}

/**
 * The entries of a title, without duplicates: `plan parcial`, `parcial norte` and `pp norte` for `Plan Parcial Norte`.
 * A skipped word (`isSkipped`), such as a stop word, does not separate its neighbours.
 */
export function toNeighbourEntries(words: readonly LexiconWord[], added: AddedWordsWithSpans): string[] {
  const graph = toGraphOfWords(words)
  const isAnyStem = () => true
  addReadings(added.joinedForms, added.joinedFormSpans, isAnyStem, graph)
  addReadings(added.synonyms, added.synonymSpans, isAcronymOrNumber, graph)
  return [...collectEntries(graph, added.synonyms)]
}

/** The graph of a title with the readings of each of its words, but without those of its joined forms and synonyms. */
function toGraphOfWords(words: readonly LexiconWord[]): TitleGraph {
  const slotsByPosition: number[] = []
  const readingsBySlot: Reading[][] = []
  for (const [position, word] of words.entries()) {
    const slot = readingsBySlot.length
    slotsByPosition.push(slot)
    if (!isSkipped(words, position)) readingsBySlot.push(toReadings(word.queryStem, slot + 1))
  }
  slotsByPosition.push(readingsBySlot.length)
  return { slotsByPosition, readingsBySlot }
}

/**
 * The entries of three kinds: the pairs inside a reading, the pairs of the last stem of a reading and the first stem of
 * each reading that starts where it ends, and the stems that say that a kind of street is missing (` serrano` for the
 * title `Serrano, 5`).
 */
function collectEntries({ readingsBySlot }: TitleGraph, synonyms: readonly Word[]): Set<string> {
  const entries = new Set<string>()
  for (const { stems, endSlot } of readingsBySlot.flat()) {
    const last = stems.at(-1) ?? ''
    for (let index = 1; index < stems.length; index++)
      entries.add(toPairEntry(stems[index - 1] ?? '', stems[index] ?? ''))
    for (const next of readingsBySlot[endSlot] ?? []) entries.add(toPairEntry(last, next.stems[0] ?? ''))
  }
  for (const { stem } of synonyms) if (isMissingKind(stem)) entries.add(stem)
  return entries
}

/** The readings of a stem, all up to `endSlot`: `plan` for `plan`; `pp` and its full form for `pp`. */
function toReadings(stem: string, endSlot: number): Reading[] {
  const fullFormStems = expansionsByAcronym.get(stem)?.fullFormStems ?? []
  return [{ stems: [stem], endSlot }, ...fullFormStems.map((stems) => ({ stems, endSlot }))]
}

/**
 * Whether the word has no slot, so that it does not separate its neighbours: a stop word, "number" before digits or a
 * Roman numeral (`nº 5`), the word for a corner (`c/v`), or part of `s/n` or `sin número`.
 */
function isSkipped(words: readonly LexiconWord[], position: number): boolean {
  const word = words[position] as LexiconWord
  const next = words[position + 1]
  if (word.isStopWord || isCornerWord(word, words[position - 1], next) || isInNoNumberMark(words, position)) return true
  return word.queryStem === numberWord.stem && next !== undefined && /^(?:\d|[ivx]+$)/.test(next.form)
}

/**
 * Adds to the graph the readings of `words`, the joined forms (`ue4` for `UE-4`) or the synonyms of a title, for which
 * `isReading` is true. Each is a reading of the words of its span, which are the words of the title that it stands for.
 * A span in which all words are skipped has no slot, so it has no reading.
 */
function addReadings(
  words: readonly Word[],
  { firsts, lasts }: Spans,
  isReading: (stem: string) => boolean,
  { slotsByPosition, readingsBySlot }: TitleGraph,
): void {
  for (const [index, { stem }] of words.entries()) {
    if (!isReading(stem)) continue
    const startSlot = slotsByPosition[firsts[index] as number] as number
    const endSlot = slotsByPosition[(lasts[index] as number) + 1] as number
    if (endSlot > startSlot) readingsBySlot[startSlot]?.push(...toReadings(stem, endSlot))
  }
}

/**
 * Whether a synonym is a reading: an acronym (`pgou`) or a stem with digits (`1997`, `fase 2`).
 *
 * synonym          | reading | why
 * `pgou`           | yes     |
 * `1997`, `fase 2` | yes     |
 * `numero 5`       | no      | the word "number" is skipped, and the 5 is a reading already
 * `unidad`         | no      | one word of a full form: `toReadings` adds the full form, with its words in order
 */
function isAcronymOrNumber(stem: string): boolean {
  return expansionsByAcronym.has(stem) || (/\d/.test(stem) && !stem.startsWith(numberWord.stem))
}
