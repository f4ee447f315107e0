// Cuts a passage out of the text of a segment: about 200 characters around a window (the words that passage-windows.ts
// has chosen), and the places of all words in it that match the term. It is cut between words, unless its matches alone
// are longer than a passage may be. The steps:
// 1. analyse the words around the window (excerpt.ts) and find all matches of the term there (excerpt-matches.ts);
// 2. widen the matches of the window to the length of a passage;
// 3. tidy the white space of that text;
// 4. find the places of the matches in the tidied text.
import type { Term } from '../analysis/term.ts'
import { lowerBound } from '../lower-bound.ts'
import { type Excerpt, type ExcerptWithWindow, toExcerpt, type WordRange } from './excerpt.ts'
import { countWords, findMatches } from './excerpt-matches.ts'
import type { Segment } from './segments.ts'

export interface PassageText {
  readonly text: string
  /** Start and end (excluded) of each match in UTF-16 code units, ascending, without overlaps. */
  readonly marks: readonly (readonly [start: number, end: number])[]
}

/** Length of a passage. It is longer if its matches are, up to `charactersMax`. */
const charactersWanted = 200
const charactersMax = 400

/** A part of the text of an excerpt: offsets of its first character, and after its last. */
interface CharacterRange {
  readonly start: number
  readonly end: number
}

/**
 * The words of `window` are counted in the segment. Returns undefined if no clause matches in the window. That happens
 * with a prefix only: windows are chosen by stem, and a word that begins with the prefix may share its stem with a word
 * that does not.
 */
export function cutPassage(segment: Segment, term: Term, window: WordRange): PassageText | undefined {
  const contextWords = Math.max(contextWordsMin, ...term.clauses.map(countWords))
  let located = locatePassage(toExcerpt(segment, window, contextWords), term)
  if (located !== undefined && !isAmongNeighbours(located)) {
    located = locatePassage(toExcerpt(segment, window, Math.max(contextWords, widerContextWords)), term)
  }
  return located && toPassageText(located)
}

/**
 * The words before and after a window that are analysed: about twice as many as a passage shows. An added word stands
 * for fewer words (`spanWordsMax` in analysis/added-words.ts), so those that match in the window are found.
 */
const contextWordsMin = 32

/** For a text of very short words: a passage shows at most 200 characters on one side, which are 100 words at most. */
const widerContextWords = 128

interface LocatedPassage {
  readonly excerpt: Excerpt
  /** The part of the excerpt that the passage shows. */
  readonly range: CharacterRange
  /** All matches in the excerpt. */
  readonly matches: readonly WordRange[]
}

/** Finds the matches in the excerpt and the part of it that is shown. Returns undefined if the window has no match. */
function locatePassage(
  { excerpt, window: { first, last } }: ExcerptWithWindow,
  term: Term,
): LocatedPassage | undefined {
  // If a phrase goes on in the next segment, the last word of the window is after the last word of this segment.
  const isPhraseCut = excerpt.isSegmentEnd && last >= excerpt.words.length
  const matches = findMatches(excerpt, term, { isPhraseCut })
  const matchesInWindow = matches.filter((match) => match.first <= last && match.last >= first)
  if (matchesInWindow.length === 0) return undefined
  // A match, such as a synonym of several words, may start before the window. With a prefix all matches may start after
  // the first word of the window, and the passage contains that word as well.
  const firstWord = Math.min(first, ...matchesInWindow.map((match) => match.first))
  const lastWord = Math.max(...matchesInWindow.map((match) => match.last))
  return { excerpt, range: widen(excerpt, toCharacterRange(excerpt, firstWord, lastWord)), matches }
}

/**
 * What a passage shows and marks may depend on this many words before and after it: `A 6` is a code, but the A of
 * `1 A 6` is a preposition.
 */
const neighbourWords = 8

/** Whether the excerpt has `neighbourWords` on each side of the passage, or all that the segment has. */
function isAmongNeighbours({ excerpt, range }: LocatedPassage): boolean {
  const { starts, ends } = excerpt.offsets
  // All words of a token have its offsets, so whole tokens are compared.
  const hasWordsBefore = excerpt.isSegmentStart || range.start >= (ends[neighbourWords - 1] ?? Number.POSITIVE_INFINITY)
  const hasWordsAfter = excerpt.isSegmentEnd || range.end <= (starts.at(-neighbourWords) ?? -1)
  return hasWordsBefore && hasWordsAfter
}

/** From the start of the first word to the end of the last, or of the last word of the excerpt if that comes before. */
function toCharacterRange({ offsets: { starts, ends } }: Excerpt, firstWord: number, lastWord: number): CharacterRange {
  const start = starts[firstWord] ?? 0
  return { start, end: ends[Math.min(ends.length - 1, lastWord)] ?? start }
}

/**
 * Text without words, such as a full stop, at the start or the end of the segment is part of the passage if it is not
 * longer than this. Longer text is left out, and an ellipsis stands for it.
 */
const wordlessCharactersMax = 12

/** Widens the range of the matches to the length of a passage, without cutting words. */
function widen(excerpt: Excerpt, { start, end }: CharacterRange): CharacterRange {
  const { text, isSegmentStart, isSegmentEnd } = excerpt
  const { starts, ends } = excerpt.offsets
  /** Characters to add around the matches. */
  const spare = Math.max(0, charactersWanted - (end - start))
  const half = Math.floor(spare / 2)
  // One half goes before the matches, the other after. If the text is too short on one side, the other side gets more.
  const before = Math.max(half, spare - (text.length - end))
  const after = Math.max(spare - half, spare - start)
  // The first word that starts in the widened range, and the first that ends after it.
  const firstWord = lowerBound(0, starts.length, (word) => (starts[word] ?? 0) < start - before)
  const wordAfter = lowerBound(0, ends.length, (word) => (ends[word] ?? 0) <= end + after)
  const wideStart = Math.min(start, starts[firstWord] ?? start)
  const wideEnd = Math.max(end, wordAfter === 0 ? end : (ends[wordAfter - 1] ?? end))
  const reachesStart = isSegmentStart && firstWord === 0 && wideStart <= wordlessCharactersMax
  const reachesEnd = isSegmentEnd && wordAfter === ends.length && text.length - wideEnd <= wordlessCharactersMax
  return { start: reachesStart ? 0 : wideStart, end: reachesEnd ? text.length : wideEnd }
}

const ellipsis = '…'

/** The passage as it is shown, with an ellipsis on each side where the segment has more text. */
function toPassageText({ excerpt, range: wideRange, matches }: LocatedPassage): PassageText {
  const { start } = wideRange
  // This cuts through a word if the matches alone, such as those of a long phrase, have more than `charactersMax`.
  const end = Math.min(wideRange.end, start + charactersMax)
  const range = { start, end }
  const leading = start === 0 && excerpt.isSegmentStart ? '' : `${ellipsis} `
  const trailing = end === excerpt.text.length && excerpt.isSegmentEnd ? '' : ` ${ellipsis}`
  const { text, toShownOffset } = toShownText(excerpt, range)
  const marks = toMarkedRanges(excerpt, range, matches).flatMap((marked) => {
    const markStart = leading.length + toShownOffset(marked.start)
    const markEnd = leading.length + Math.min(text.length, toShownOffset(marked.end))
    // A match without visible characters has nothing to mark.
    return markStart < markEnd ? [[markStart, markEnd] as const] : []
  })
  return { text: leading + text + trailing, marks }
}

interface ShownText {
  /** White space is one space, and words that were broken at the end of a line are joined. */
  readonly text: string
  /** The offset in `text` of a character of the range, or of its end. `offset` is that in the excerpt. */
  readonly toShownOffset: (offset: number) => number
}

/** The text of a range as it is shown. */
function toShownText(excerpt: Excerpt, { start, end }: CharacterRange): ShownText {
  const text = excerpt.text.slice(start, end)
  const isTidy = !excerpt.mayHaveBrokenWords && alreadyTidy.test(text)
  return isTidy ? { text, toShownOffset: (offset) => offset - start } : tidyText(excerpt, { start, end })
}

/** Tidies the text of a range. Runs of plain characters are copied at once. */
function tidyText(excerpt: Excerpt, { start, end }: CharacterRange): ShownText {
  const { text, mayHaveBrokenWords } = excerpt
  const { starts, ends } = excerpt.offsets
  /** By the offset from `start`: the offset in the shown text. The last one is the length of that text. */
  const shownOffsets = new Uint32Array(end - start + 1)
  let shown = ''
  /** The start of the run of characters before `offset` that are shown as they are and not yet in `shown`. */
  let runStart = start
  /** Index of the first word that ends after `offset`. */
  let word = lowerBound(0, ends.length, (index) => (ends[index] ?? 0) <= start)
  for (let offset = start; offset < end; offset++) {
    shownOffsets[offset - start] = shown.length + (offset - runStart)
    const unit = text.charCodeAt(offset)
    if (isPlain(unit)) continue
    // Fast path: a space (0x20) after a plain character is shown as it is, unless a word may be broken there.
    if (unit === 0x20 && !mayHaveBrokenWords && offset > start && isPlain(text.charCodeAt(offset - 1))) continue
    shown += text.slice(runStart, offset)
    runStart = offset + 1
    while (word < ends.length && (ends[word] ?? 0) <= offset) word++
    const isInsideWord = (starts[word] ?? end) < offset
    shown += toShownCharacter(text, offset, isInsideWord, shown)
  }
  // A cut at `charactersMax` may leave half of a character of two UTF-16 units, which JSON in UTF-8 cannot contain.
  shown = (shown + text.slice(runStart, end)).trimEnd().toWellFormed()
  shownOffsets[end - start] = shown.length
  return { text: shown, toShownOffset: (offset) => shownOffsets[offset - start] ?? 0 }
}

/** Plain characters (`isPlain`) and hyphens with single spaces between them. */
const alreadyTidy = /^[!-~\u00ae-\u0fff]+(?: [!-~\u00ae-\u0fff]+)*$/

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

/**
 * The parts of the range that are marked, ascending and without overlaps: the matches that are inside the range. If
 * none is, a match is longer than the range, and the matches are clipped to it.
 */
function toMarkedRanges(excerpt: Excerpt, range: CharacterRange, matches: readonly WordRange[]): CharacterRange[] {
  const ranges = matches.map((match) => toMatchRange(excerpt, range, match)).sort((a, b) => a.start - b.start)
  const inside = ranges.filter(({ start, end }) => start >= range.start && end <= range.end)
  if (inside.length > 0) return mergeOverlaps(inside)
  const clipped = ranges.map(({ start, end }) => ({
    start: Math.max(start, range.start),
    end: Math.min(end, range.end),
  }))
  return mergeOverlaps(clipped.filter(({ start, end }) => start < end))
}

/** The characters of a match, with the final dot if that belongs to it. */
function toMatchRange(excerpt: Excerpt, range: CharacterRange, { first, last }: WordRange): CharacterRange {
  const { starts, ends } = excerpt.offsets
  const start = starts[first] ?? range.end
  const end = ends[Math.min(last, ends.length - 1)] ?? start
  const dottedEnd = withFinalDot(excerpt.text, start, end)
  // A match inside the range stays inside, although its final dot may be outside.
  return { start, end: end <= range.end ? Math.min(dottedEnd, range.end) : dottedEnd }
}

/** Unites ranges that overlap. They are sorted by their start; ranges that only touch stay apart. */
function mergeOverlaps(sorted: readonly CharacterRange[]): CharacterRange[] {
  const merged: { start: number; end: number }[] = []
  for (const { start, end } of sorted) {
    const previous = merged.at(-1)
    if (previous !== undefined && start < previous.end) previous.end = Math.max(previous.end, end)
    else merged.push({ start, end })
  }
  return merged
}

/** The end of a match with its final dot, if the dot belongs to it: in `P.G.O.U.` it does, in `plan.` it does not. */
function withFinalDot(text: string, start: number, end: number): number {
  return text.charAt(end) === '.' && initials.test(text.slice(start, end)) ? end + 1 : end
}

/** Groups of one to three letters with dots between them: `P.G.O.U` and `NN.SS`, but not `plan` or `art.12`. */
const initials = /^(?:\p{L}{1,3}\.)+\p{L}{1,3}$/u
