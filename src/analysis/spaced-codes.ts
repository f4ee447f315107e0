// Token filter for codes that are written with spaces in a text: `SUNC-R 3` is also `SUNC-R-3`. synonyms.ts adds what
// the words of a phrase mean.
import { codeLetters, expansionsByAcronym, type LexiconWord, wordOf } from './lexicon.ts'
import type { PlacedWords } from './placed-words.ts'
import { type Codes, isDigits } from './synonyms.ts'
import { addAcronymParts } from './token.ts'

/** In upper case before a number, but not between two numbers, a stop word of one letter is that of a code: `A 6`. */
export function markCodeLetters(words: LexiconWord[], codes: Codes, added: PlacedWords): void {
  for (const [position, group] of codes) {
    const last = position + group.words.length - 1
    const word = words[last] as LexiconWord
    const codeLetter = group.isUpperCase ? codeLetters.get(word.form) : undefined
    const number = words[last + 1]
    if (codeLetter === undefined || number === undefined || !isDigits(number)) continue
    const before = words[last - 1]
    if (before !== undefined && isDigits(before)) continue
    words[last] = codeLetter
    added.joinedForms.push(word)
    added.place(last, last)
  }
}

/** Joins codes that continue after a space, with a number (`SUNC-R 3`) or with a letter and a number (`UBZ R5`). */
export function addSpacedCodes(words: readonly LexiconWord[], codes: Codes, added: PlacedWords): void {
  addCodesBeforeNumbers(words, codes, added)
  addCodesWithSingleLetters(words, codes, added)
}

/** `SUNC-R 3` is also `SUNC-R-3`, and `O Donnell` is also `Odonnell`. */
function addCodesBeforeNumbers(words: readonly LexiconWord[], codes: Codes, added: PlacedWords): void {
  for (const [position, group] of codes) {
    const next = words[position + group.words.length]
    if (next === undefined || !group.isUpperCase) continue
    const code = group.joinedCode ?? (words[position] as LexiconWord)
    if (isDigits(next)) {
      // The `A` of `1 A 6` is a preposition.
      if (group.words.length === 1 && words[position]?.isStopWord) continue
      if (group.acronymParts !== undefined) addAcronymParts(group.acronymParts, next, added)
      if (/[a-z]$/.test(code.form)) added.joinedForms.push(wordOf(code.form + next.stem))
    } else if (code.form === 'o') added.joinedForms.push(wordOf(code.form + next.form))
    added.place(position, position + group.words.length)
  }
}

/** `UBZ R 5` and `UBZ R5` are also `UBZR5`; `S SUNC 1` is also `SSUNC1`. */
function addCodesWithSingleLetters(words: readonly LexiconWord[], codes: Codes, added: PlacedWords): void {
  for (let position = 0; position + 1 < words.length; position++) {
    const letter = words[position] as LexiconWord
    if (letter.form.length !== 1 || isDigits(letter)) continue
    const before = words[position - 1]
    const after = words[position + 1] as LexiconWord
    const secondAfter = words[position + 2]
    if (isDigits(after) && before !== undefined && continuesCode(before, letter, codes.has(position))) {
      const letters = before.form + letter.form
      added.joinedForms.push(wordOf(letters), wordOf(letters + after.stem))
      added.place(position - 1, position + 1)
    } else if (letter.form === 's' && expansionsByAcronym.has(after.form)) {
      const letters = letter.form + after.form
      if (secondAfter !== undefined && isDigits(secondAfter)) {
        added.joinedForms.push(wordOf(letters), wordOf(letters + secondAfter.stem))
        added.place(position, position + 2)
      }
    }
  }
}

/**
 * Whether a letter before a number continues the code `before`. `isJoinedToNumber` says that the letter and the number
 * are one code: `a 3` is rarely a code; `A-3` always is.
 */
function continuesCode(before: LexiconWord, letter: LexiconWord, isJoinedToNumber: boolean): boolean {
  if (expansionsByAcronym.has(before.form)) return true
  return (isJoinedToNumber || !letter.isStopWord) && !before.isStopWord && /^[a-z]{2,5}$/.test(before.form)
}
