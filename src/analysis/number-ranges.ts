// Ranges of house numbers. A title has two of them as `23 y 25`, `23 a 25` or `23-25`, and a term may have another of
// these spellings. analyser.ts adds the range to titles, and term-item.ts searches for it.
import { wordOf } from './lexicon.ts'
import type { AddedWordsWithSpans } from './added-words.ts'
import { isDigits, type Word } from './word.ts'

/**
 * Adds `23-25` to `Goya, 23 y 25` and to `Goya, 23 a 25`. The numbers of a range ascend: `Goya, 25 y 3` has none.
 * Numbers with a hyphen in the title need no synonym, because they are side by side.
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

/** The stem of the range from one number to a greater one: `23-25`. Undefined for other words. */
export function toRangeStem(first: Word | undefined, second: Word | undefined): string | undefined {
  if (first === undefined || second === undefined || !isDigits(first) || !isDigits(second)) return undefined
  return Number(first.stem) < Number(second.stem) ? `${first.stem}-${second.stem}` : undefined
}
