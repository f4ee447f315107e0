// Cuts a passage out of the text of a page: about 200 characters around a window (the words that passage-windows.ts has
// chosen), and the places of all words in it that match the term. The passage is cut between words. The steps:
// 1. find the characters of the matches in the window;
// 2. widen them to the length of a passage;
// 3. tidy the white space of that text (shown-text.ts);
// 4. mark the matches in the tidied text, also those that are in the passage but not in the window.
import type { AnalysedPage } from './page-matches.ts'
import { toShownText } from './shown-text.ts'
import {
  type CharacterRange,
  countWordsUpTo,
  findWordFrom,
  mergeOverlaps,
  toCharacterRange,
  unite,
  type WordRange,
} from './text-ranges.ts'

export interface PassageText {
  readonly text: string
  /** Start and end (excluded) of each match in UTF-16 code units, ascending, without overlaps. */
  readonly marks: readonly (readonly [start: number, end: number])[]
}

/** Length of a passage, unless its matches alone are longer. Then it has up to `charactersMax`. */
const charactersWanted = 200
const charactersMax = 400

export function cutPassage(page: AnalysedPage, window: WordRange): PassageText {
  const { matches } = page
  const inWindow = matches.filter(({ first, last }) => first <= window.last && last >= window.first)
  const matched = unite(inWindow.map((match) => toCharacterRange(page, match))) ?? toCharacterRange(page, window)
  const passage = widen(page, matched)
  const ranges = matches.map((match) => toCharacterRange(page, match))
  const inPassage = ranges.filter(({ start, end }) => start < passage.end && end > passage.start)
  return toPassageText(page, passage, inPassage)
}

/**
 * Text without words, such as a full stop, at the start or the end of the segment is part of the passage if it is not
 * longer than this. Longer text is left out, and an ellipsis stands for it.
 */
const wordlessCharactersMax = 12

/** Widens the range of the matches to the length of a passage, without cutting words. */
function widen({ text, starts, ends }: AnalysedPage, { start, end }: CharacterRange): CharacterRange {
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
  const reachesEnd = lastWord === ends.length - 1 && text.length - wideEnd <= wordlessCharactersMax
  return { start: reachesStart ? 0 : wideStart, end: reachesEnd ? text.length : wideEnd }
}

const ellipsis = '…'

/** The passage as it is shown, with an ellipsis on each side where the segment has more text. */
function toPassageText(
  page: AnalysedPage,
  wideRange: CharacterRange,
  matchRanges: readonly CharacterRange[],
): PassageText {
  const { start } = wideRange
  const end = limitEnd(page, wideRange)
  const range = { start, end }
  const leading = start === 0 ? '' : `${ellipsis} `
  const trailing = end === page.text.length ? '' : ` ${ellipsis}`
  const { text, toShownOffset } = toShownText(page, range)
  const marks = toMarkedRanges(page.text, range, matchRanges).flatMap((marked) => {
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
function limitEnd({ ends }: AnalysedPage, { start, end }: CharacterRange): number {
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
