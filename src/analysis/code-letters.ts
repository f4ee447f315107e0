// Letters of codes that are another word elsewhere: the A of `A-6` is not the stop word `a`, and the PCA of `PCA-3` is
// not the abbreviation of `plaza`.
import { nameStems } from './full-words.ts'
import { createPlainWord, type LexiconWord } from './lexicon-word.ts'
import { stemWord } from './stemmer.ts'
import { oneLetterStopWords } from './stop-words.ts'
import { isOfClass } from './word-classes.ts'

/**
 * The stop words of one letter as letters of a code. Their stem is in upper case, so that it differs from that of the
 * stop word: `A-6` is not the `a 6` of `Manzanas 1 a 6`.
 */
export const codeLetters: ReadonlyMap<string, LexiconWord> = new Map(
  Array.from(oneLetterStopWords, (letter) => [letter, createPlainWord(letter, letter.toUpperCase())]),
)

/**
 * Whether the word is an abbreviation of `nameAbbreviations` that may also be the letters of a code: `pca` is `plaza`
 * in `Pca. Mayor`, but not in `PCA-3`. Words of more than four letters are no letters of a code. Nor are those that a
 * numeral may follow: `POL-3` is `polígono 3`.
 */
export function mayBeLettersOfCode({ form, wordClass }: LexiconWord): boolean {
  return form.length <= codeLettersMax && !isOfClass(wordClass, 'THING') && nameStems.has(stemWord(form))
}

const codeLettersMax = 4

/** The word of letters in capitals before a number of the same code: `pca`, and not `plaza`, for the PCA of `PCA-3`. */
export function toCodePart(word: LexiconWord): LexiconWord {
  return mayBeLettersOfCode(word) ? createPlainWord(word.form) : word
}
