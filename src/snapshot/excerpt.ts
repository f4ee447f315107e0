// An excerpt: the part of a segment that a passage is cut from, with its words as the analyser finds them. A short
// segment is analysed as a whole; of a long one, only the words of the window and around it. A window is the words that
// passage-windows.ts has chosen.
import { LRUCache } from 'lru-cache'
import { type AnalysedText, analyseTextWithOffsets, type WordOffsets } from '../analysis/analyser.ts'
import { findWords, type TextRange } from '../analysis/word-finder.ts'
import type { Segment } from './segments.ts'

/** Consecutive words, such as a window or a match of a clause: indexes of the first and of the last, both included. */
export interface WordRange {
  readonly first: number
  readonly last: number
}

/** An analysed part of the text of a segment. Offsets and indexes of words count from the start of the part. */
export interface Excerpt extends AnalysedText {
  readonly text: string
  readonly offsets: WordOffsets
  /** Whether the excerpt starts where the segment starts, and ends where it ends. */
  readonly isSegmentStart: boolean
  readonly isSegmentEnd: boolean
  /** Whether a word may be broken: at the end of a line, or after a ligature by the PDF reader (`ﬁ nca`). */
  readonly mayHaveBrokenWords: boolean
}

/** A segment of up to this length is analysed whole and cached, because the windows of a record often share it. */
const wholeCharactersMax = 2_000

/**
 * Cache of the excerpts of short segments. The storage returns the same object for a segment while it has it in its own
 * cache, so the records that many searches find are analysed once.
 */
const wholeExcerpts = new LRUCache<Segment, Excerpt>({
  // In words. Each excerpt counts one more than it has, because lru-cache takes no size of 0.
  maxSize: 1_000_000,
  sizeCalculation: ({ words }) => words.length + 1,
})

/** Words before and after a window that are analysed in a long segment: more than a passage shows. */
const contextWords = 40

/** A hyphen, a soft hyphen or a ligature (`ﬀ` to `ﬆ`) before white space. */
const brokenWord = /[-\u2010\u00ad\ufb00-\ufb06]\s/

/**
 * Returns an excerpt that contains the window, and the window in it: the words of `window` are counted in the segment,
 * those of `windowInExcerpt` in the excerpt.
 */
export function toExcerpt(segment: Segment, window: WordRange): { excerpt: Excerpt; windowInExcerpt: WordRange } {
  const { text } = segment
  const { first, last } = window
  if (text.length <= wholeCharactersMax) return { excerpt: toWholeExcerpt(segment), windowInExcerpt: window }
  const range = findWords(text, first - contextWords, last + contextWords)
  return {
    excerpt: analyseExcerpt(text, range),
    windowInExcerpt: { first: first - range.firstPosition, last: last - range.firstPosition },
  }
}

function toWholeExcerpt(segment: Segment): Excerpt {
  const cached = wholeExcerpts.get(segment)
  if (cached !== undefined) return cached
  const excerpt = analyseExcerpt(segment.text, { start: 0, end: segment.text.length })
  wholeExcerpts.set(segment, excerpt)
  return excerpt
}

function analyseExcerpt(segmentText: string, { start, end }: Pick<TextRange, 'start' | 'end'>): Excerpt {
  const text = segmentText.slice(start, end)
  return {
    text,
    ...analyseTextWithOffsets(text),
    isSegmentStart: start === 0,
    isSegmentEnd: end === segmentText.length,
    mayHaveBrokenWords: brokenWord.test(text),
  }
}
