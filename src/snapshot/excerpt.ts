// An excerpt: the part of a segment that a passage is cut from, with its words as the analyser finds them. That is the
// words of a window and around it, or the whole segment if it is short and often used. A window is the words that
// passage-windows.ts has chosen. The passage is the same in both cases (passage-text.ts).
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

/** A segment of up to this length is analysed whole, and then cached, when it is used more often than `usesMax`. */
const wholeCharactersMax = 2_000

/** Analysing a whole segment takes about as long as analysing parts of it this often. */
const usesMax = 3

/**
 * How often short segments were used. The storage returns the same object for a segment while it has it in its own
 * cache.
 */
const useCounts = new WeakMap<Segment, number>()

/** Cache of the excerpts of whole short segments: those with several windows, and those that many searches find. */
const wholeExcerpts = new LRUCache<Segment, Excerpt>({
  // In words. Each excerpt counts one more than it has, because lru-cache takes no size of 0.
  maxSize: 1_000_000,
  sizeCalculation: ({ words }) => words.length + 1,
})

/** A hyphen, a soft hyphen or a ligature (`ﬀ` to `ﬆ`) before white space. */
const brokenWord = /[-\u2010\u00ad\ufb00-\ufb06]\s/

/** An excerpt and a window in it, whose words are counted in the excerpt. */
export interface ExcerptWithWindow {
  readonly excerpt: Excerpt
  readonly window: WordRange
}

/**
 * Returns an excerpt with the words of the window, which are counted in the segment, and with `contextWords` before and
 * after them, or with the whole segment if it is short and often used.
 */
export function toExcerpt(segment: Segment, window: WordRange, contextWords: number): ExcerptWithWindow {
  if (segment.text.length <= wholeCharactersMax) {
    const uses = useCounts.get(segment) ?? 0
    if (uses >= usesMax) return { excerpt: toWholeExcerpt(segment), window }
    useCounts.set(segment, uses + 1)
  }
  const { first, last } = window
  const range = findWords(segment.text, first - contextWords, last + contextWords)
  return {
    excerpt: analyseExcerpt(segment.text, range),
    window: { first: first - range.firstPosition, last: last - range.firstPosition },
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
