// Words that continue in the next token, which is the next piece of text after white space. A hyphen breaks them at the
// end of a line (`urbani-` and `zable`), or the text of a PDF has a space inside them (`modiﬁ cación`). analyser.ts
// indexes the whole word, `urbanizable`.
import { type LexiconWord, wordOf } from './lexicon.ts'
import { type AnalysedToken, analyseToken } from './token.ts'
import { Tokenizer } from './tokenizer.ts'

/** The last word of a token (the head), the first word of the next token (the tail), and the two as one word. */
export interface BrokenWord {
  readonly head: LexiconWord
  readonly tail: LexiconWord
  readonly wholeWord: LexiconWord
  /**
   * Whether the whole word takes the place of both tokens. False if the break is not certain, or if the tokens have
   * other words too (`PP-urbani-`, `zable/rústico`). Then the tokens keep their words, and the whole word is indexed
   * besides them, as a joined form.
   */
  readonly replacesTokens: boolean
  /** UTF-16 offset after the token of the tail. */
  readonly end: number
}

/**
 * A fast check before `findBrokenWord`. False if the last word of the token certainly ends with the token, which is so
 * for most tokens. True does not mean that the word is broken.
 */
export function mayBeBroken(tokenizer: Tokenizer): boolean {
  // The delimiter may be a hyphen.
  if (tokenizer.hasTrailingDelimiter) return true
  const { text, end } = tokenizer
  const last = text.charCodeAt(end - 1)
  // `firstLigature` is followed by the other ligatures and a few rare characters, which `findWordBreak` excludes. The
  // second-to-last letter is the f of a token that ends in `fi` or `fl`: `modifi cación`.
  if (last === softHyphen || last >= firstLigature || text.charCodeAt(end - 2) === letterF) return true
  // The next token may be an ending such as `ón`, or start with an accent.
  const afterSpace = text.charCodeAt(end + 1)
  return afterSpace >= firstAccentedLetter && afterSpace <= lastCombiningMark
}

/**
 * Finds the broken word that starts in the current token: `urbanizable` for `urbani-` and, on the next line, `zable`.
 * Undefined if the last word of the token is not broken.
 */
export function findBrokenWord(tokenizer: Tokenizer, token: AnalysedToken): BrokenWord | undefined {
  const wordBreak = findWordBreak(tokenizer)
  const head = token.words.at(-1)
  if (wordBreak === undefined || head === undefined || !lettersOnly.test(head.form)) return undefined
  // A single letter before a hyphen is a code (`A-`); before an accent it is the start of a word (`a ́mbito`).
  if (wordBreak !== 'accent' && head.form.length < 2) return undefined
  const lookahead = new Tokenizer(tokenizer.text)
  lookahead.nextOffset = tokenizer.nextOffset
  if (!lookahead.advance()) return undefined
  const nextToken = analyseToken(lookahead)
  const [tail] = nextToken.words
  // A stop word is a word of its own: the `y` of `pre- y posoperatorio`.
  if (tail === undefined || tail.isStopWord) return undefined
  const haveOtherWords = token.words.length > 1 || nextToken.words.length > 1
  return {
    head,
    tail,
    wholeWord: wordOf(head.form + tail.form),
    replacesTokens: wordBreak === 'certain' && !haveOtherWords,
    end: lookahead.end,
  }
}

const lettersOnly = /^\p{L}+$/u

/**
 * How the last word of a token continues in the next token. `↵` is the end of a line.
 *
 * text             | break     | case
 * `urbani-↵zable`  | `certain` | a hyphen at the end of a line
 * `modiﬁ cación`   | `certain` | a space after a ligature, in a PDF
 * `urbani- zable`  | `likely`  | a hyphen and a space
 * `URBANI-↵ZABLE`  | `likely`  | a hyphen at the end of a line, between capital letters
 * `modifi cación`  | `likely`  | a space inside a word
 * `a ́mbito`        | `accent`  | a space between a letter and its accent, in a PDF
 */
type WordBreak = 'certain' | 'likely' | 'accent'

/** How the last word of the current token continues. Returns undefined when the word ends with the token. */
function findWordBreak({ text, end, nextOffset, hasTrailingDelimiter }: Tokenizer): WordBreak | undefined {
  if (hasTrailingDelimiter) {
    const isOneHyphen = nextOffset === end + 1 && hyphen.test(text.charAt(end))
    return isOneHyphen ? findHyphenBreak(text, { start: end, end: nextOffset }) : undefined
  }
  const last = text.charCodeAt(end - 1)
  // A soft hyphen is a word character, so the token ends after it.
  if (last === softHyphen) return findHyphenBreak(text, { start: end - 1, end })
  const isBeforeSpaceAndLetter = text.charAt(end) === ' ' && lowerCase.test(text.charAt(end + 1))
  const isLigature = last >= firstLigature && last <= lastLigature
  if (isLigature) return isBeforeSpaceAndLetter ? 'certain' : undefined
  // Some PDF readers expand the ligature and keep the space: `modifi cación`. Few words end in `fi` or `fl`.
  const isExpandedLigature = text.charCodeAt(end - 2) === letterF && (last === letterI || last === letterL)
  if (isExpandedLigature && isBeforeSpaceAndLetter) return 'likely'
  // In some PDFs the accented letters have a separate font: `rehabilitaci ón`.
  separateEnding.lastIndex = end
  if (separateEnding.test(text)) return 'likely'
  separateAccent.lastIndex = end
  return separateAccent.test(text) ? 'accent' : undefined
}

/**
 * How a word continues after the hyphen at these offsets: `certain` for `urbani-` at the end of a line. Undefined if it
 * does not.
 */
function findHyphenBreak(text: string, hyphenOffsets: { start: number; end: number }): WordBreak | undefined {
  const { start, end } = hyphenOffsets
  let offset = end
  let hasLineEnd = false
  while (offset < end + gapCharactersMax && whiteSpace.test(text.charAt(offset))) {
    hasLineEnd ||= lineEnd.test(text.charAt(offset))
    offset++
  }
  const hasGap = offset > end
  if (!hasGap) return undefined
  if (lowerCase.test(text.charAt(offset))) return hasLineEnd ? 'certain' : 'likely'
  // Between capital letters the hyphen may be that of a code: `UE-` and `A`.
  const isUpperCase = upperCase.test(text.charAt(start - 1)) && upperCase.test(text.charAt(offset))
  return hasLineEnd && isUpperCase ? 'likely' : undefined
}

/** The Latin ligatures `ﬀ` to `ﬆ`. */
const firstLigature = 0xfb00
const lastLigature = 0xfb06
/** A range with the accented lower-case letters of Spanish and the combining marks: `à` to U+036F. */
const firstAccentedLetter = 0xe0
const lastCombiningMark = 0x36f
/** A space and an ending that is not a word, so it continues the word before: the ` ón` of `rehabilitaci ón`. */
const separateEnding = /(?<=\p{Ll}) (?:ón|ía|ías|ás)(?!\p{L})/uy
/** A space, a combining accent and the next letter, in the middle of a word: `a ́mbito`. */
const separateAccent = /(?<=\p{L}) \p{M}\p{Ll}/uy
const softHyphen = 0xad
const letterF = 0x66
const letterI = 0x69
const letterL = 0x6c
const hyphen = /[-\u2010]/
const whiteSpace = /\s/
const lineEnd = /[\n\r\f\u2028]/
const lowerCase = /\p{Ll}/u
const upperCase = /\p{Lu}/u

/** The limit of the white space between the parts of a word: the end of a line and the indentation of the next. */
const gapCharactersMax = 64
