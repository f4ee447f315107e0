// Adds to a text the number of a modification that is given by an ordinal. The text `2ª Modificación` gets the words
// `2` and `numero 2` as synonyms, so that the terms `modificación 2` and `modificación nº 2` find it. For the other
// numbers after a modification see numeral-synonyms.ts. synonyms.ts calls `addModificationSynonyms` for each word.
import { type LexiconWord, wordOf } from './lexicon.ts'
import { findOrdinals, type LocatedOrdinal } from './located-ordinals.ts'
import { numberWord } from './number-words.ts'
import { toNumberedStem } from './numerals.ts'
import type { TextAnalysis } from './text-analysis.ts'

/**
 * Adds the numbers of the ordinals beside the modification at `position`. Adds nothing if the word is no modification,
 * or if the ordinals may belong to other words:
 *
 * text                               | numbers | why
 * `2ª Modificación`                  | 2       |
 * `2ª y 3ª modificación`             | 2, 3    |
 * `PGOU. Segunda modificación`       | 2       |
 * `2ª. Modificación del PGOU`        | 2       | at the start of a text it can belong to nothing else
 * `Nave 2ª, modificación de uso`     | none    | a comma or a full stop separates them
 * `Edificio 2º modificación`         | none    | a masculine ordinal: `modificación` is feminine
 * `Planta 2ª modificación de uso`    | none    | a floor may have an ordinal after it, as a phase may
 * `Casa 2ª y modificación`           | none    | the ordinal is not just before the modification
 * `Modificación 3ª del PGOU`         | 3       | a stop word follows
 * `Modificación 3ª`                  | 3       | nothing follows
 * `Modificación 3ª planta`           | none    | another word follows, which may have the ordinal before it
 * `la modificación. Segunda. El`     | none    | punctuation separates them
 */
export function addModificationSynonyms(position: number, text: TextAnalysis): void {
  if (!isModification(text.words[position])) return
  for (const { digits, first, last } of [...findOrdinalsBefore(position, text), ...findOrdinalsAfter(position, text)]) {
    const synonyms = [wordOf(digits), wordOf(toNumberedStem(numberWord, digits))]
    text.added.add({ synonyms }, { first: Math.min(first, position), last: Math.max(last, position) })
  }
}

/** The ordinals before a modification that are its numbers. */
function findOrdinalsBefore(position: number, text: TextAnalysis): LocatedOrdinal[] {
  const { words, separatedPositions } = text
  const ordinals = findFeminineOrdinals(position, -1, text)
  // The list begins with the nearest ordinal, so the text has its last element first.
  const start = ordinals.at(-1)?.first
  if (start === undefined || ordinals[0]?.last !== position - 1) return []
  const isSeparated = start > 0 && separatedPositions.has(position)
  return isSeparated || mayHaveOrdinalAfter(words[start - 1]) ? [] : ordinals
}

/** The ordinals after a modification that are its numbers. */
function findOrdinalsAfter(position: number, text: TextAnalysis): LocatedOrdinal[] {
  if (text.separatedPositions.has(position + 1)) return []
  const ordinals = findFeminineOrdinals(position, 1, text)
  const end = ordinals.at(-1)?.last
  const following = end === undefined ? undefined : text.words[end + 1]
  return following === undefined || following.isStopWord ? ordinals : []
}

/** The ordinals before the position (`step` -1) or after it (1), the nearest first, up to the first masculine one. */
function findFeminineOrdinals(position: number, step: -1 | 1, text: TextAnalysis): LocatedOrdinal[] {
  const ordinals = findOrdinals(position, step, text)
  const masculine = ordinals.findIndex(({ isFeminine }) => !isFeminine)
  return masculine === -1 ? ordinals : ordinals.slice(0, masculine)
}

/** The query stem is compared, because the abbreviation `Mod.` has it too. */
export function isModification(word: LexiconWord | undefined): boolean {
  return word?.queryStem === modificationStem
}

const modificationStem = wordOf('modificacion').stem

/** Whether an ordinal after the word is its own: that of `Fase 2ª`, `Planta 2ª` or `Disposición adicional segunda`. */
function mayHaveOrdinalAfter(word: LexiconWord | undefined): boolean {
  if (word === undefined) return false
  return (word.mayHaveNumeral && !word.impliesNumber) || stemsWithOrdinal.has(word.queryStem)
}

/** Query stems of feminine nouns. The words with `mayHaveNumeral`, such as `fase`, are not repeated here. */
const stemsWithOrdinal: ReadonlySet<string> = new Set(
  `planta puerta escalera vivienda nave zona seccion categoria clase disposicion adicional transitoria`
    .split(' ')
    .map((form) => wordOf(form).queryStem),
)
