// Finds the part of a text that has the words with given positions, by counting words. To cut a passage from a long
// page, only the words around a match are then analysed. Most tokens are plain words, which count as one without
// analysis.
import { findBrokenWord, mayBeBroken } from './broken-words.ts'
import { analyseToken, findDottedAbbreviation } from './token.ts'
import { Tokenizer } from './tokenizer.ts'

/** A part of a text that consists of whole tokens. */
export interface TextRange {
  /** UTF-16 offsets in the text: of the first character, and after the last. */
  readonly start: number
  readonly end: number
  /** The position in the text of the first word of the part. */
  readonly firstPosition: number
}

/**
 * The part of the text with the words at the positions `first` to `last`, both included, as `analyseText` counts them.
 * `first` may be negative and `last` may be after the last word. If the part has the first word of the text, it also
 * has what precedes the word; if it has the last, also what follows.
 */
export function findWords(text: string, first: number, last: number): TextRange {
  const tokenizer = new Tokenizer(text)
  let start = 0
  let firstPosition = 0
  let wordCount = 0
  while (wordCount <= last) {
    if (!tokenizer.advance()) return { start, end: text.length, firstPosition }
    // The part starts with the token of the word `first`. Each token that starts at or before this word replaces the
    // start found so far, and the last one to do so is its token.
    if (wordCount > 0 && wordCount <= first) {
      start = tokenizer.start
      firstPosition = wordCount
    }
    wordCount += countWords(tokenizer)
  }
  const end = tokenizer.nextOffset
  // A token without words, such as an emoji, does not count as a following word.
  while (tokenizer.advance()) if (countWords(tokenizer) > 0) return { start, end, firstPosition }
  return { start, end: text.length, firstPosition }
}

/** The number of words of the current token. Advances over the next token if a broken word ends in it. */
function countWords(tokenizer: Tokenizer): number {
  if (isPlainWord(tokenizer)) return 1
  const token = analyseToken(tokenizer)
  if (findDottedAbbreviation(tokenizer, token) !== undefined) return 1
  const brokenWord = mayBeBroken(tokenizer) ? findBrokenWord(tokenizer, token) : undefined
  if (brokenWord === undefined || !brokenWord.replacesTokens) return token.words.length
  tokenizer.nextOffset = brokenWord.end
  return 1
}

/** Whether the token is certainly one word: plain letters or digits only, not broken, and not `No.` or `N.` */
function isPlainWord(tokenizer: Tokenizer): boolean {
  const { text, start, end } = tokenizer
  // `mayBeBroken` is true before any delimiter, but a word that a dot or a comma follows is not broken.
  const isBeforePunctuation = end - start > abbreviationLettersMax && /[.,]/.test(text.charAt(end))
  if (!isBeforePunctuation && mayBeBroken(tokenizer)) return false
  const kind = plainKinds[text.charCodeAt(start)] ?? 0
  if (kind === 0) return false
  for (let offset = start + 1; offset < end; offset++) {
    if (plainKinds[text.charCodeAt(offset)] !== kind) return false
  }
  return true
}

/** `No.` and `N.` abbreviate "number". The dot or comma after a longer word is plain punctuation. */
const abbreviationLettersMax = 2

/** By code unit: 1 for the letters of ASCII and from `À` to `ÿ` without `ß`, 2 for digits, 0 for others. */
const plainKinds = Uint8Array.from({ length: 0x100 }, (_, unit) => {
  const character = String.fromCharCode(unit)
  if (/[a-zà-öø-ÿ]/i.test(character)) return 1
  return /\d/.test(character) ? 2 : 0
})
