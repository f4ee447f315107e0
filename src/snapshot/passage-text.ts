// Cuts a passage out of the text of a segment: about 200 characters around a window (the words that passage-windows.ts
// has chosen), and the places of all words in it that match the term. The passage is cut between words. The steps:
// 1. find the characters of the words of the window (word-scanner.ts);
// 2. widen them to the length of a passage;
// 3. tidy the white space of that text;
// 4. find the places of the matches in the tidied text.
import { LRUCache } from 'lru-cache'
import { analyseTextWithOffsets } from '../analysis/analyser.ts'
import { WordScanner } from '../analysis/word-scanner.ts'
import { lowerBound } from '../lower-bound.ts'
import type { Segment } from './segments.ts'

export interface PassageText {
  readonly text: string
  /** Start and end (excluded) of each match in UTF-16 code units, ascending, without overlaps. */
  readonly marks: readonly (readonly [start: number, end: number])[]
}

/** Consecutive words of a segment, such as a window or a match: indexes of the first and of the last, both included. */
export interface WordRange {
  /** Negative if a match starts in the segment before. */
  readonly first: number
  /** May be after the last word of the segment, if a phrase goes on in the next segment. */
  readonly last: number
}

/** What a passage shows and marks. */
export interface PassageRequest {
  readonly window: WordRange
  /** Returns the matches of words and phrases that have words in the range, in any order. */
  readonly findMatches: (range: WordRange) => readonly WordRange[]
  /** The prefixes of the term. `findMatches` does not return words that start with one; they are found in the text. */
  readonly prefixes: readonly string[]
}

/** Length of a passage, unless its matches alone are longer. Then it has up to `charactersMax`. */
const charactersWanted = 200
const charactersMax = 400

/** A part of the text of a segment: offsets of its first character, and after its last. */
interface CharacterRange {
  readonly start: number
  readonly end: number
}

/**
 * Returns undefined if nothing matches in the window. That happens with a prefix only: windows are chosen by stem, and
 * a word that begins with the prefix may share its stem with a word that does not.
 */
export function cutPassage(
  segment: Segment,
  { window, findMatches, prefixes }: PassageRequest,
): PassageText | undefined {
  const inWindow = findMatches(window)
  const scanner = toScanner(segment)
  // The passage may go on for `charactersWanted` after the window, or after a match that ends later than the window.
  scanner.scan(Math.max(window.last, ...inWindow.map(({ last }) => last)), charactersWanted)
  const windowRange = toCharacterRange(scanner, window)
  const prefixMatches = prefixes.length === 0 ? [] : findPrefixes(scanner, windowRange, prefixes)
  /** From the first match in the window to the last. */
  const matched = unite([
    ...inWindow.map((match) => toCharacterRange(scanner, match)),
    ...prefixMatches.filter(({ start, end }) => start < windowRange.end && end > windowRange.start),
  ])
  if (matched === undefined) return undefined
  const shown = widen(scanner, matched)
  const matches = findMatches(toWordRange(scanner, shown)).map((match) => toCharacterRange(scanner, match))
  return toPassageText(scanner, shown, [...matches, ...prefixMatches])
}

/** From the first start to the last end of the ranges; undefined if there are none. */
function unite(ranges: readonly CharacterRange[]): CharacterRange | undefined {
  if (ranges.length === 0) return undefined
  const start = Math.min(...ranges.map((range) => range.start))
  return { start, end: Math.max(...ranges.map((range) => range.end)) }
}

/**
 * Cache of scanners, for segments with several windows and for segments that many searches find. Its keys are objects:
 * the storage returns the same object for a segment while it has the segment in its own cache.
 */
const scanners = new LRUCache<Segment, WordScanner>({
  // In characters. A segment counts one more than it has, because lru-cache takes no size of 0.
  maxSize: 4_000_000,
  sizeCalculation: ({ text }) => text.length + 1,
})

function toScanner(segment: Segment): WordScanner {
  const cached = scanners.get(segment)
  if (cached !== undefined) return cached
  const scanner = new WordScanner(segment.text)
  scanners.set(segment, scanner)
  return scanner
}

/**
 * From the start of the first word to the end of the last. Words may be missing in `starts` and `ends`, because the
 * scanner stops soon after the window, and because a phrase may go on in the next segment:
 *
 * missing word  | scanner       | range
 * the first     |               | not in the passage: empty, at the end of the text
 * only the last | has stopped   | up to the end of the text
 * only the last | is at the end | up to the last word of the text: the missing word is in the next segment
 */
function toCharacterRange({ text, starts, ends, isAtEnd }: WordScanner, { first, last }: WordRange): CharacterRange {
  // A phrase may start in the segment before and end in the next one. Only its words in this segment count.
  const start = starts[Math.max(0, first)] ?? text.length
  const end = ends[last] ?? (isAtEnd ? (ends.at(-1) ?? start) : text.length)
  return { start, end: Math.max(start, end) }
}

/** The words from the first that starts in the range to the last that ends in it. */
function toWordRange({ starts, ends }: WordScanner, { start, end }: CharacterRange): WordRange {
  const first = lowerBound(0, starts.length, (word) => (starts[word] ?? 0) < start)
  return { first, last: lowerBound(first, ends.length, (word) => (ends[word] ?? 0) <= end) - 1 }
}

/**
 * What a word means may depend on this many words before and after it: `A 6` is a code, but the A of `1 A 6` is a
 * preposition.
 */
const neighbourWords = 8

/** The words and joined forms that start with a prefix, in the window and in any passage around it; no synonyms. */
function findPrefixes(scanner: WordScanner, window: CharacterRange, prefixes: readonly string[]): CharacterRange[] {
  const { text, starts, ends } = scanner
  const around = toWordRange(scanner, { start: window.start - charactersWanted, end: window.end + charactersWanted })
  const textStart = starts[Math.max(0, around.first - neighbourWords)] ?? 0
  const textEnd = ends[Math.min(ends.length - 1, around.last + neighbourWords)] ?? text.length
  const { words, joinedForms, joinedFormSpans, offsets } = analyseTextWithOffsets(text.slice(textStart, textEnd))
  const toRange = (first: number, last: number): CharacterRange => ({
    start: textStart + (offsets.starts[first] ?? 0),
    end: textStart + (offsets.ends[last] ?? 0),
  })
  const hasPrefix = ({ form }: { readonly form: string }): boolean => prefixes.some((prefix) => form.startsWith(prefix))
  const ranges: CharacterRange[] = []
  for (const [index, word] of words.entries()) if (hasPrefix(word)) ranges.push(toRange(index, index))
  for (const [index, joinedForm] of joinedForms.entries()) {
    const first = joinedFormSpans.firsts[index] ?? 0
    if (hasPrefix(joinedForm)) ranges.push(toRange(first, joinedFormSpans.lasts[index] ?? first))
  }
  return ranges
}

/**
 * Text without words, such as a full stop, at the start or the end of the segment is part of the passage if it is not
 * longer than this. Longer text is left out, and an ellipsis stands for it.
 */
const wordlessCharactersMax = 12

/** Widens the range of the matches to the length of a passage, without cutting words. */
function widen({ text, starts, ends, isAtEnd }: WordScanner, { start, end }: CharacterRange): CharacterRange {
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
  const reachesStart = firstWord === 0 && wideStart <= wordlessCharactersMax
  const reachesEnd = isAtEnd && wordAfter === ends.length && text.length - wideEnd <= wordlessCharactersMax
  return { start: reachesStart ? 0 : wideStart, end: reachesEnd ? text.length : wideEnd }
}

const ellipsis = '…'

/** The passage as it is shown, with an ellipsis on each side where the segment has more text. */
function toPassageText(
  scanner: WordScanner,
  wideRange: CharacterRange,
  matchRanges: readonly CharacterRange[],
): PassageText {
  const { start } = wideRange
  const end = limitEnd(scanner, wideRange)
  const range = { start, end }
  const leading = start === 0 ? '' : `${ellipsis} `
  const trailing = end === scanner.text.length ? '' : ` ${ellipsis}`
  const { text, toShownOffset } = toShownText(scanner, range)
  const marks = toMarkedRanges(scanner.text, range, matchRanges).flatMap((marked) => {
    const markStart = leading.length + toShownOffset(marked.start)
    const markEnd = leading.length + toShownOffset(marked.end)
    // A match without visible characters has nothing to mark.
    return markStart < markEnd ? [[markStart, markEnd] as const] : []
  })
  return { text: leading + text + trailing, marks }
}

/**
 * The end of the range. If the matches alone, such as those of a long phrase, have more than `charactersMax`, it is the
 * last end of a word within that length; only a single word that is even longer is cut.
 */
function limitEnd({ ends }: WordScanner, { start, end }: CharacterRange): number {
  const endMax = start + charactersMax
  if (end <= endMax) return end
  const wordAfter = lowerBound(0, ends.length, (word) => (ends[word] ?? 0) <= endMax)
  const lastEnd = ends[wordAfter - 1] ?? 0
  return lastEnd > start ? lastEnd : endMax
}

interface ShownText {
  /** Runs of white space are one space, invisible characters are left out, and broken words are joined. */
  readonly text: string
  /** Converts the offset of a character in the segment, or of the end of the range, to its offset in `text`. */
  readonly toShownOffset: (offset: number) => number
}

/** The text of a range as it is shown. */
function toShownText(scanner: WordScanner, { start, end }: CharacterRange): ShownText {
  const text = scanner.text.slice(start, end)
  const mayHaveBrokenWords = brokenWord.test(text)
  const isTidy = !mayHaveBrokenWords && alreadyTidy.test(text)
  return isTidy
    ? { text, toShownOffset: (offset) => offset - start }
    : tidyText(scanner, { start, end }, { mayHaveBrokenWords })
}

/**
 * A word that may be broken: a hyphen, a soft hyphen or a ligature (`ﬀ` to `ﬆ`) before white space. PDFs may have a
 * space after a ligature inside a word: `modiﬁ cación`.
 */
const brokenWord = /[-\u2010\u00ad\ufb00-\ufb06]\s/

/** Tidies the text of a range. Runs of plain characters are copied at once. */
function tidyText(
  { text, starts, ends }: WordScanner,
  { start, end }: CharacterRange,
  { mayHaveBrokenWords }: { readonly mayHaveBrokenWords: boolean },
): ShownText {
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

/** Runs of plain characters (`isPlain`) and hyphens, with one space between two runs. */
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
function toMarkedRanges(text: string, range: CharacterRange, matches: readonly CharacterRange[]): CharacterRange[] {
  const ranges = matches.map((match) => withFinalDot(text, range, match)).sort((a, b) => a.start - b.start)
  const inside = ranges.filter(({ start, end }) => start >= range.start && end <= range.end)
  if (inside.length > 0) return mergeOverlaps(inside)
  const clipped = ranges.map(({ start, end }) => ({
    start: Math.max(start, range.start),
    end: Math.min(end, range.end),
  }))
  return mergeOverlaps(clipped.filter(({ start, end }) => start < end))
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

/** A match with its final dot, if the dot belongs to it: in `P.G.O.U.` it does, in `plan.` it does not. */
function withFinalDot(text: string, range: CharacterRange, { start, end }: CharacterRange): CharacterRange {
  const hasDot = text.charAt(end) === '.' && initials.test(text.slice(start, end))
  if (!hasDot) return { start, end }
  // A match inside the range stays inside, although its final dot may be outside.
  return { start, end: end === range.end ? end : end + 1 }
}

/** Groups of one to three letters with dots between them: `P.G.O.U` and `NN.SS`, but not `plan` or `art.12`. */
const initials = /^(?:\p{L}{1,3}\.)+\p{L}{1,3}$/u
