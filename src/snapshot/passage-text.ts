// Cuts a passage out of the text of a segment: about 200 characters around a window (the words that passage-windows.ts
// has chosen), and the places of all words in it that match the term. The passage is cut between words. The steps:
// 1. find the characters of the matches in the window;
// 2. widen them to the length of a passage;
// 3. tidy the white space of that text (shown-text.ts);
// 4. mark the matches in the tidied text, also those that are in the passage but not in the window.
import { LRUCache } from 'lru-cache'
import { analyseTextWithOffsets } from '../analysis/analyser.ts'
import { WordScanner } from '../analysis/word-scanner.ts'
import type { Segment } from './segments.ts'
import { toShownText } from './shown-text.ts'
import {
  type CharacterRange,
  countWordsUpTo,
  findWordFrom,
  mergeOverlaps,
  toCharacterRange,
  toWordRange,
  unite,
  type WordRange,
} from './text-ranges.ts'

export interface PassageText {
  readonly text: string
  /** Start and end (excluded) of each match in UTF-16 code units, ascending, without overlaps. */
  readonly marks: readonly (readonly [start: number, end: number])[]
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

/**
 * Returns undefined if nothing matches in the window. That happens with a prefix only: windows are chosen by stem, and
 * a word that begins with the prefix may share its stem with a word that does not.
 */
export function cutPassage(
  segment: Segment,
  { window, findMatches, prefixes }: PassageRequest,
): PassageText | undefined {
  const scanner = toScanner(segment)
  const toRange = (words: WordRange): CharacterRange => toCharacterRange(scanner, words)
  const windowMatches = findMatches(window)
  // The passage may go on for `charactersWanted` after the window, or after a match that ends later than the window.
  scanner.scan(Math.max(window.last, ...windowMatches.map(({ last }) => last)), charactersWanted)
  const { start, end } = toRange(window)
  const prefixMatches = prefixes.length === 0 ? [] : findPrefixes(scanner, { start, end }, prefixes)
  const prefixMatchesInWindow = prefixMatches.filter((match) => match.start < end && match.end > start)
  const matched = unite([...windowMatches.map(toRange), ...prefixMatchesInWindow])
  if (matched === undefined) return undefined
  const passage = widen(scanner, matched)
  const passageMatches = findMatches(toWordRange(scanner, passage)).map(toRange)
  return toPassageText(scanner, passage, [...passageMatches, ...prefixMatches])
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
  const textBefore = start
  const textAfter = text.length - end
  // One half goes before the matches, the other after. If the text is too short on one side, the other side gets more:
  // of 100 characters, 50 and 50, but 80 and 20 if the text ends 20 characters after the matches.
  const before = Math.max(half, spare - textAfter)
  const after = Math.max(spare - half, spare - textBefore)
  const firstWord = findWordFrom(starts, start - before)
  const lastWord = countWordsUpTo(ends, end + after) - 1
  const wideStart = Math.min(start, starts[firstWord] ?? start)
  const wideEnd = Math.max(end, ends[lastWord] ?? end)
  const reachesStart = firstWord === 0 && wideStart <= wordlessCharactersMax
  const reachesEnd = isAtEnd && lastWord === ends.length - 1 && text.length - wideEnd <= wordlessCharactersMax
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
  const lastEnd = ends[countWordsUpTo(ends, endMax) - 1] ?? 0
  return lastEnd > start ? lastEnd : endMax
}

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

/** A match with its final dot, if the dot belongs to it: in `P.G.O.U.` it does, in `plan.` it does not. */
function withFinalDot(text: string, range: CharacterRange, { start, end }: CharacterRange): CharacterRange {
  const hasDot = text.charAt(end) === '.' && initials.test(text.slice(start, end))
  if (!hasDot) return { start, end }
  // A match inside the range stays inside, although its final dot may be outside.
  return { start, end: end === range.end ? end : end + 1 }
}

/** Groups of one to three letters with dots between them: `P.G.O.U` and `NN.SS`, but not `plan` or `art.12`. */
const initials = /^(?:\p{L}{1,3}\.)+\p{L}{1,3}$/u
