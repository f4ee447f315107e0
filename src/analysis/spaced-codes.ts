// Codes that a text writes with spaces. A code is letters and a number that name a plan or an area. `addSpacedCodes`
// adds its joined form, which is the code as one word: `suncr3` for `SUNC-R 3`, as for `SUNC-R-3`. `markCodeLetters`
// gives the A of `A 6` a stem that is not that of the stop word `a`. analyser.ts calls `markCodeLetters`, then
// `addSpacedCodes`, for each text. Which file joins which code:
//
// text                             | what it is                          | joined by
// `SUNC-R-3`                       | one token                           | token.ts
// `SUNC 3`, `SUNC nº 3`            | a known acronym and a number        | numbered-codes.ts
// `SUNC-R 3`, `SUNCR 3`            | other letters in capitals, a number | this file, by `codesByPosition`
// `SUNC R 3`, `UBZ R5`, `S SUNC 3` | a single letter is a word           | this file, by `words`
//
// `codesByPosition` has the groups of letters and digits that may be part of a code (text-analysis.ts).
import { expansionsByAcronym } from './acronym-expansions.ts'
import type { AddedWords } from './added-words.ts'
import { codeLetters } from './code-letters.ts'
import { addAcronymParts } from './codes.ts'
import { type LexiconWord, wordOf } from './lexicon.ts'
import type { SubtokenGroup } from './subtoken-groups.ts'
import type { TextAnalysis } from './text-analysis.ts'
import { isDigits, type Word } from './word.ts'

/**
 * Replaces stop words of one letter in `words` by letters of codes, which have a stem of their own: `A` instead of `a`
 * for `A 6`. A one-letter stop word is the letter of a code if it is in upper case, a number follows, and no number
 * precedes, unless punctuation separates it.
 *
 * text       | stem of the letter | joined form added
 * `A 6`      | `A`                | `a`
 * `SUNC-A 6` | `A`                | `a`
 * `a 6`      | `a`                | none: lower case
 * `1 A 6`    | `a`                | none: between two numbers it is a preposition, "1 to 6"
 * `1, A 6`   | `A`                | `a`
 */
export function markCodeLetters({
  words,
  codesByPosition,
  separatedPositions,
  added,
}: TextAnalysis & { readonly words: LexiconWord[] }): void {
  for (const [firstPosition, code] of codesByPosition) {
    // The letter is the last word of the group: of `A` in `A 6`, of `SUNC-A` in `SUNC-A 6`.
    const position = firstPosition + code.words.length - 1
    const lastWord = words[position] as LexiconWord
    const codeLetter = code.isUpperCase ? codeLetters.get(lastWord.form) : undefined
    if (codeLetter === undefined || !existsAsDigits(words[position + 1])) continue
    if (existsAsDigits(words[position - 1]) && !separatedPositions.has(position)) continue
    words[position] = codeLetter
    // The term `SECTOR A 6` must find the text too. Its A may be a preposition, so it searches for the stem `a`
    // (`readCapitalLetter` in term-labels.ts). So the stop word, which has this stem, becomes a joined form.
    added.add({ joinedForms: [lastWord] }, { first: position, last: position })
  }
}

/**
 * Adds the joined forms of codes that continue after a space: `suncr3` for `SUNC-R 3`.
 *
 * text        | joined forms added          | what is joined
 * `SUNC-R 3`  | `suncr3`                    | an upper-case group of `codesByPosition` and a number
 * `SUNCR 3`   | `suncr3`, `sunc`, `r`, `r3` | the same; the letters are also the acronym `SUNC` and an R
 * `UE-1 3`    | none                        | two numbers are not joined
 * `O Donnell` | `odonnell`                  | the O, a stop word of one letter in capitals, and a name
 * `UBZ R5`    | `ubzr`, `ubzr5`             | a word, a single letter and a number (`addLetterAfterCode`)
 * `S SUNC 1`  | `ssunc`, `ssunc1`           | the S of "sector", an acronym and a number (`addLetterBeforeCode`)
 */
export function addSpacedCodes(text: TextAnalysis, hasLetters: boolean): void {
  const { words, codesByPosition, added } = text
  for (const [position, code] of codesByPosition) {
    const next = words[position + code.words.length]
    if (next === undefined || !code.isUpperCase) continue
    // A group of a single word (`SUNCR`) has no joined code, so its word is joined. A range (`23-25`), which counts as
    // upper case, has none either. Its first word is a number, which `joinWithNumber` does not join to another.
    const joinedCode = code.joinedCode ?? (words[position] as LexiconWord)
    // From the first word of the code to the word after it.
    const span = { first: position, last: position + code.words.length }
    if (isDigits(next)) {
      // The A of `A 6` is no stop word here, because `markCodeLetters` has replaced it. That of `1 A 6` still is one.
      const isPreposition = code.words.length === 1 && words[position]?.isStopWord
      if (!isPreposition) added.add(joinWithNumber(code, joinedCode, next), span)
    } else if (joinedCode.form === 'o') {
      // `O Donnell` is also `Odonnell`.
      added.add({ joinedForms: [wordOf(joinedCode.form + next.form)] }, span)
    }
  }
  if (!hasLetters) return
  for (let position = 0; position + 1 < words.length; position++) {
    const word = words[position] as LexiconWord
    const isSingleLetter = word.form.length === 1 && !isDigits(word)
    if (!isSingleLetter) continue
    addLetterAfterCode(position, text)
    addLetterBeforeCode(position, text)
  }
}

/**
 * Joins a code and the number after it: `suncr3` for `SUNC-R 3`. For `SUNCR 3`, whose letters are the acronym `SUNC`
 * and an R, also returns these parts and the synonyms of the acronym.
 */
function joinWithNumber({ acronymParts }: SubtokenGroup, joinedCode: Word, number: LexiconWord): AddedWords {
  const forms: AddedWords = { joinedForms: [], synonyms: [] }
  // For `SUNCR 3`: `sunc`, `r`, `r3` and the words of the full form of `SUNC`.
  if (acronymParts !== undefined) addAcronymParts(acronymParts, number, forms)
  // Two numbers are not joined: `UE-1 3` is not `UE-13`. The stem of a number has no leading zeros: `SUNC-R 03`
  // is `suncr3`.
  const endsWithLetter = /[a-z]$/.test(joinedCode.form)
  if (endsWithLetter) forms.joinedForms.push(wordOf(joinedCode.form + number.stem))
  return forms
}

/**
 * Adds the joined forms of a code with a letter before its number: `ubzr` and `ubzr5` for `UBZ R 5` and for `UBZ R5`,
 * whose words are the same. The letter is at the position.
 */
function addLetterAfterCode(position: number, { words, codesByPosition, added }: TextAnalysis): void {
  const letter = words[position] as LexiconWord
  const before = words[position - 1]
  const number = words[position + 1]
  if (before === undefined || !existsAsDigits(number)) return
  if (!continuesCode(before, letter, codesByPosition.has(position))) return
  const joinedForms = joinLetters(before.form + letter.form, number)
  added.add({ joinedForms }, { first: position - 1, last: position + 1 })
}

/**
 * Adds the joined forms of a code with the S of "sector" before its acronym: `ssunc` and `ssunc1` for `S SUNC 1`. The
 * letter is at the position. Other letters stand after the acronym: `SUNC R 3`.
 */
function addLetterBeforeCode(position: number, { words, added }: TextAnalysis): void {
  const letter = words[position] as LexiconWord
  const acronym = words[position + 1] as LexiconWord
  const number = words[position + 2]
  if (letter.form !== 's' || !expansionsByAcronym.has(acronym.form) || !existsAsDigits(number)) return
  const joinedForms = joinLetters(letter.form + acronym.form, number)
  added.add({ joinedForms }, { first: position, last: position + 2 })
}

/** Returns the letters of a code without and with its number: `ubzr` and `ubzr5` for the letters `ubzr` and the 5. */
function joinLetters(letters: string, number: LexiconWord): LexiconWord[] {
  return [wordOf(letters), wordOf(letters + number.stem)]
}

/**
 * Whether a letter before a number continues the code that the word `before` starts: true for the R of `UBZ R 5`.
 * `startsCode` tells whether `codesByPosition` has a group that starts with the letter.
 *
 * text                 | continues | why
 * `UBZ R 5`, `UBZ a 3` | yes       | `UBZ` is a known acronym, which any letter continues
 * `UZD R 5`            | yes       | `UZD` is unknown, but has two to five letters; the R is no stop word
 * `UZD A 3`            | yes       | the A is no stop word: `markCodeLetters` has replaced it
 * `UZD a-3`            | yes       | the same: subtoken-words.ts has replaced it, before digits of the same token
 * `UZD A-2ª`           | yes       | the A is a stop word, as a `2ª` does not replace it, but `startsCode` is true
 * `UZD a 3`            | no        | the `a` is a stop word
 * `de R 5`             | no        | `before` is a stop word
 * `Sector R 5`         | no        | `before` has more than five letters: it is a word, not a code
 */
function continuesCode(before: LexiconWord, letter: LexiconWord, startsCode: boolean): boolean {
  if (expansionsByAcronym.has(before.form)) return true
  return (startsCode || !letter.isStopWord) && !before.isStopWord && /^[a-z]{2,5}$/.test(before.form)
}

/** Like `isDigits`, for a word that may be missing. */
function existsAsDigits(word: LexiconWord | undefined): word is LexiconWord {
  return word !== undefined && isDigits(word)
}
