// Token filters for codes that a text writes with spaces. `markCodeLetters` tells the letter of `A 6` from a stop word.
// `addSpacedCodes` adds joined forms: `SUNC-R 3` is also `suncr3`, like `SUNC-R-3`. analyser.ts calls both for each
// text.
import type { AddedWords, AddedWordsWithSpans } from './added-words.ts'
import { addAcronymParts } from './codes.ts'
import { codeLetters, expansionsByAcronym, type LexiconWord, wordOf } from './lexicon.ts'
import type { SubtokenGroup } from './subtoken-groups.ts'
import type { CodesAtTokenEdges, TextAnalysis } from './text-analysis.ts'
import { isDigits, type Word } from './word.ts'

/**
 * Replaces stop words of one letter in `words` by code letters, which have a stem of their own (`A`, not `a`). A
 * one-letter stop word is a code letter if it is in upper case and a number follows but none precedes: `A 6`. Between
 * two numbers it is a preposition: `1 A 6`.
 */
export function markCodeLetters(
  words: LexiconWord[],
  codesAtTokenEdges: CodesAtTokenEdges,
  added: AddedWordsWithSpans,
): void {
  for (const [firstPosition, code] of codesAtTokenEdges) {
    // The last word of the code may be the letter: it is the whole code in `A 6`, the A in `SUNC-A 6`.
    const position = firstPosition + code.words.length - 1
    const lastWord = words[position] as LexiconWord
    const codeLetter = code.isUpperCase ? codeLetters.get(lastWord.form) : undefined
    if (codeLetter === undefined || !existsAsDigits(words[position + 1]) || existsAsDigits(words[position - 1]))
      continue
    words[position] = codeLetter
    // The term `SECTOR A 6` searches for the stop word, because its A may be a preposition (`readCapitalLetter` in
    // term-labels.ts). So the stop word is added as a joined form, which phrases do not match.
    added.add({ joinedForms: [lastWord] }, { first: position, last: position })
  }
}

/**
 * Adds the joined forms of codes that continue after a space, with a number (`SUNC-R 3`), with a letter and a number
 * (`UBZ R5`) or, after the S of "sector", with an acronym and a number (`S SUNC 1`). It also joins the name `O
 * Donnell`, whose O token.ts takes for the letter of a code.
 */
export function addSpacedCodes(text: TextAnalysis): void {
  const { words, codesAtTokenEdges, added } = text
  for (const [position, code] of codesAtTokenEdges) {
    const next = words[position + code.words.length]
    if (next === undefined || !code.isUpperCase) continue
    // If the code has no joined form, its first word is taken. That is the whole code (`SUNCR`), or the 23 of `23-25`,
    // to which `joinWithNumber` adds nothing.
    const joinedCode = code.joinedCode ?? (words[position] as LexiconWord)
    // From the first word of the code to the word after it.
    const span = { first: position, last: position + code.words.length }
    if (isDigits(next)) {
      // True for the A of `1 A 6`, which `markCodeLetters` has not replaced.
      const isPreposition = code.words.length === 1 && words[position]?.isStopWord
      if (!isPreposition) added.add(joinWithNumber(code, joinedCode, next), span)
    } else if (joinedCode.form === 'o') {
      // `O Donnell` is also `Odonnell`.
      added.add({ joinedForms: [wordOf(joinedCode.form + next.form)] }, span)
    }
  }
  addCodesWithSingleLetters(text)
}

/** The forms that a code and the number after it add: `suncr3` for `SUNC-R 3`. */
function joinWithNumber({ acronymParts }: SubtokenGroup, joinedCode: Word, number: LexiconWord): AddedWords {
  const forms: AddedWords = { joinedForms: [], synonyms: [] }
  // `SUNCR` is the acronym `SUNC` and the letter R: `SUNCR 3` adds `sunc`, `r`, `r3` and the full form of `SUNC`.
  if (acronymParts !== undefined) addAcronymParts(acronymParts, number, forms)
  // Two numbers are not joined: `UE-1 3` is not `UE-13`. The stem of a number has no leading zeros: `SUNC-R 03`
  // is `suncr3`.
  const endsWithLetter = /[a-z]$/.test(joinedCode.form)
  if (endsWithLetter) forms.joinedForms.push(wordOf(joinedCode.form + number.stem))
  return forms
}

/** `UBZ R 5` and `UBZ R5` are also `UBZR5`; `S SUNC 1` is also `SSUNC1`. */
function addCodesWithSingleLetters({ words, codesAtTokenEdges, added }: TextAnalysis): void {
  for (let position = 0; position + 1 < words.length; position++) {
    const letter = words[position] as LexiconWord
    const isSingleLetter = letter.form.length === 1 && !isDigits(letter)
    if (!isSingleLetter) continue
    const before = words[position - 1]
    const after = words[position + 1] as LexiconWord
    const secondAfter = words[position + 2]
    const startsCode = codesAtTokenEdges.has(position)
    if (isDigits(after) && before !== undefined && continuesCode(before, letter, startsCode)) {
      const joinedForms = joinLetters(before.form + letter.form, after)
      added.add({ joinedForms }, { first: position - 1, last: position + 1 })
    } else if (letter.form === sectorLetter && expansionsByAcronym.has(after.form) && existsAsDigits(secondAfter)) {
      const joinedForms = joinLetters(letter.form + after.form, secondAfter)
      added.add({ joinedForms }, { first: position, last: position + 2 })
    }
  }
}

/** S abbreviates "sector" and stands before the acronym (`S SUNC 1`). Other letters stand after it (`SUNC R 3`). */
const sectorLetter = 's'

/** The letters of a code alone and with its number: `ubzr` and `ubzr5`. */
function joinLetters(letters: string, number: LexiconWord): LexiconWord[] {
  return [wordOf(letters), wordOf(letters + number.stem)]
}

/**
 * Whether a letter before a number continues the code `before`:
 * - after a known acronym, any letter does: `UBZ R 5`, `UBZ a 3`;
 * - after two to five other letters that are no stop word, a letter that is no stop word does (`UZD R 5`). So does a
 *   stop word with which a code starts (`startsCode`): the A of `UZD A 3` and of `UZD a-3`, but not of `UZD a 3`;
 * - after more letters, which are a word, none does: `Sector R 5`.
 */
function continuesCode(before: LexiconWord, letter: LexiconWord, startsCode: boolean): boolean {
  if (expansionsByAcronym.has(before.form)) return true
  return (startsCode || !letter.isStopWord) && !before.isStopWord && /^[a-z]{2,5}$/.test(before.form)
}

/** Like `isDigits`, for a word that may be missing. */
function existsAsDigits(word: LexiconWord | undefined): word is LexiconWord {
  return word !== undefined && isDigits(word)
}
