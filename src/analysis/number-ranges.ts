// Ranges of house numbers. A title writes a range as `23 y 25`, `23 a 25` or `23-25`, and a search term may write it in
// another of these ways. The title `Goya, 23 y 25` gets the synonym `23-25`, which is indexed with it, and the term
// `goya 23-25` searches for that synonym (parsed-clause.ts). analyser.ts calls `addNumberRanges` for each title.
import type { AddedWordsWithSpans } from './added-words.ts'
import { wordOf } from './lexicon.ts'
import { isDigits, type Word } from './word.ts'

/**
 * Adds `23-25` to `Goya, 23 y 25` and to `Goya, 23 a 25`. The numbers of a range ascend: `Goya, 25 y 3` has none.
 * `Goya, 23-25` needs no synonym: a term with a range also searches for the phrase `23 25`, which finds the title.
 */
export function addNumberRanges(words: readonly Word[], added: AddedWordsWithSpans): void {
  for (let position = 1; position + 1 < words.length; position++) {
    if (!rangeWords.has(words[position]?.form ?? '')) continue
    const stem = toRangeStem(words[position - 1], words[position + 1])
    if (stem === undefined) continue
    added.add({ synonyms: [wordOf(stem)] }, { first: position - 1, last: position + 1 })
  }
}

/** "And" and "to" between the numbers of a range. */
const rangeWords: ReadonlySet<string> = new Set(['y', 'e', 'a', 'al'])

/** The stem of a range: `23-25` for 23 and 25. Undefined unless both words are numbers and the second is greater. */
export function toRangeStem(first: Word | undefined, second: Word | undefined): string | undefined {
  if (first === undefined || second === undefined || !isDigits(first) || !isDigits(second)) return undefined
  return Number(first.stem) < Number(second.stem) ? `${first.stem}-${second.stem}` : undefined
}
