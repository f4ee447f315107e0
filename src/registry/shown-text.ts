// The text of a passage as it is shown: runs of white space are one space, invisible characters are left out, and
// broken words are joined: `urba-` and `nístico` in two lines are shown as `urbanístico`.
import type { AnalysedPage } from './page-matches.ts'
import { type CharacterRange, countWordsUpTo } from './text-ranges.ts'

export interface ShownText {
  readonly text: string
  /** Converts the offset of a character on the page, or of the end of the range, to its offset in `text`. */
  readonly toShownOffset: (offset: number) => number
}

/** The text of a range as it is shown. */
export function toShownText(page: AnalysedPage, range: CharacterRange): ShownText {
  const text = page.text.slice(range.start, range.end)
  const mayHaveBrokenWords = brokenWord.test(text)
  const isTidy = !mayHaveBrokenWords && alreadyTidy.test(text)
  if (isTidy) return { text, toShownOffset: (offset) => offset - range.start }
  return tidyText(page, range, { mayHaveBrokenWords })
}

/**
 * A word that may be broken: a hyphen, a soft hyphen or a ligature (`ﬀ` to `ﬆ`) before white space. PDFs may have a
 * space after a ligature inside a word: `modiﬁ cación`.
 */
const brokenWord = /[-\u2010\u00ad\ufb00-\ufb06]\s/

/** Runs of plain characters (`isPlain`) and hyphens, with one space between two runs. */
const alreadyTidy = /^[!-~\u00ae-\u0fff]+(?: [!-~\u00ae-\u0fff]+)*$/

/** Tidies the text of a range. Runs of plain characters are copied at once. */
function tidyText(
  { text, starts, ends }: AnalysedPage,
  { start, end }: CharacterRange,
  { mayHaveBrokenWords }: { readonly mayHaveBrokenWords: boolean },
): ShownText {
  /** By the offset from `start`: the offset in the shown text. The last one is the length of that text. */
  const shownOffsets = new Uint32Array(end - start + 1)
  let shown = ''
  /** The start of the run of characters before `offset` that are shown as they are and not yet in `shown`. */
  let runStart = start
  /** All words before this one end at or before `offset`. */
  let word = countWordsUpTo(ends, start)
  for (let offset = start; offset < end; offset++) {
    shownOffsets[offset - start] = shown.length + (offset - runStart)
    const unit = text.charCodeAt(offset)
    if (isPlain(unit)) continue
    // Fast path: a space (0x20) after a plain character is shown as it is, unless a word may be broken there.
    if (unit === 0x20 && !mayHaveBrokenWords && offset > start && isPlain(text.charCodeAt(offset - 1))) continue
    shown += text.slice(runStart, offset)
    runStart = offset + 1
    // Advances to the first word that ends after `offset`.
    while (word < ends.length && (ends[word] ?? 0) <= offset) word++
    const isInsideWord = (starts[word] ?? end) < offset
    shown += toShownCharacter(text, offset, isInsideWord, shown)
  }
  // A cut at `charactersMax` may leave half of a character of two UTF-16 units, which JSON in UTF-8 cannot contain.
  shown = (shown + text.slice(runStart, end)).trimEnd().toWellFormed()
  shownOffsets[end - start] = shown.length
  return { text: shown, toShownOffset: (offset) => shownOffsets[offset - start] ?? 0 }
}

/**
 * What is shown for the character at the offset: the character, a space, or nothing. `isInsideWord` is true if the
 * analyser has joined the characters before and after it to one word: `urba-` and `nístico` in two lines are one.
 * `shownBefore` is the shown text before the character.
 */
function toShownCharacter(text: string, offset: number, isInsideWord: boolean, shownBefore: string): string {
  const character = text.charAt(offset)
  if (invisible.test(character)) return ''
  if (space.test(character)) {
    // White space inside a word is where it was broken.
    const isLeftOut = isInsideWord || shownBefore === '' || shownBefore.endsWith(' ')
    return isLeftOut ? '' : ' '
  }
  const isHyphenOfBrokenWord = isInsideWord && hyphen.test(character) && space.test(text.charAt(offset + 1))
  return isHyphenOfBrokenWord ? '' : character
}

/**
 * Whether a UTF-16 unit is certainly shown as it is: letters of Latin and similar scripts, digits, most punctuation.
 * Not plain are control characters, the space (0x20), the hyphen (0x2d), the units from 0x7f to 0xad (the soft hyphen),
 * and those from 0x1000 on.
 */
function isPlain(unit: number): boolean {
  return (unit > 0x20 && unit < 0x7f && unit !== 0x2d) || (unit > 0xad && unit < 0x1000)
}

/** White space and control characters. */
const space = /[\s\p{Cc}]/u
const hyphen = /[-\u2010]/
/** Soft hyphens, and the control characters for the direction of writing. */
const invisible = /[\u00ad\u200e\u200f\u202a-\u202e\u2066-\u2069]/
