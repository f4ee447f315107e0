// Finds where the words of a text stand by counting them, so that a passage of a long page analyses only the words
// around a match. Most tokens are plain words, which count as one without a look at the lexicon.
import { joinBrokenWord } from './analyser.ts'
import { AddedWordsWithSpans } from './added-words.ts'
import { findDottedAbbreviation, analyseToken } from './token.ts'
import { Tokenizer } from './tokenizer.ts'

/** A part of a text that consists of whole tokens. */
export interface TextRange {
  /** UTF-16 offsets in the text: of the first character, and after the last. */
  readonly start: number
  readonly end: number
  /** The index that the first word of the part has in the text. */
  readonly firstWord: number
}

/**
 * The part of the text with the words from index `first` to `last`, both included, as `analyseText` counts them. If it
 * has the first word of the text, it also has what precedes the word; if it has the last, also what follows.
 */
export function findWords(text: string, first: number, last: number): TextRange {
  const tokenizer = new Tokenizer(text)
  let start = 0
  let firstWord = 0
  let wordCount = 0
  while (wordCount <= last) {
    if (!tokenizer.advance()) return { start, end: text.length, firstWord }
    // The part starts with the token of the word `first`: the last whose first word is not after it.
    if (wordCount > 0 && wordCount <= first) {
      start = tokenizer.start
      firstWord = wordCount
    }
    wordCount += countWords(tokenizer)
  }
  const end = tokenizer.nextOffset
  // A token without words, such as an emoji, does not count as a following word.
  while (tokenizer.advance()) if (countWords(tokenizer) > 0) return { start, end, firstWord }
  return { start, end: text.length, firstWord }
}

/** The number of words of the current token. Advances over the next token if a broken word ends in it. */
function countWords(tokenizer: Tokenizer): number {
  if (isPlainWord(tokenizer)) return 1
  const token = analyseToken(tokenizer)
  if (findDottedAbbreviation(tokenizer, token) !== undefined) return 1
  if (tokenizer.mayBeBroken && joinBrokenWord(tokenizer, token, [], new AddedWordsWithSpans())) return 1
  return token.words.length
}

/** Whether the token is certainly one word of `plainLetters`, neither broken at the end of a line nor `No.` */
function isPlainWord(tokenizer: Tokenizer): boolean {
  const { text, start, end } = tokenizer
  const endsSentence = end - start > abbreviationLettersMax && /[.,]/.test(text.charAt(end))
  if (!endsSentence && tokenizer.mayBeBroken) return false
  for (let offset = start; offset < end; offset++) {
    if (plainLetters[text.charCodeAt(offset)] !== 1) return false
  }
  return true
}

/** `No.` abbreviates "number"; a longer word before a dot or a comma ends a sentence or a part of it. */
const abbreviationLettersMax = 2

/** By code unit: 1 for the letters of Spanish and of the other languages of Spain. */
const plainLetters = Uint8Array.from({ length: 0x100 }, (_, unit) =>
  /[a-zà-öø-ÿ]/i.test(String.fromCharCode(unit)) ? 1 : 0,
)
