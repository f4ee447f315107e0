// Cuts a passage out of the text of a segment: about 200 characters around a window (the words that passage-windows.ts
// has chosen), cut at word ends, and the places of all words in it that match the term. The analyser that indexed the
// text decides what matches. Of a long segment only the words of the window and around it are analysed.
import { LRUCache } from 'lru-cache'
import { type AnalysedText, analyseTextWithOffsets, type WordOffsets } from '../analysis/analyser.ts'
import type { Clause, PhraseClause, Term } from '../analysis/term.ts'
import { findWords, type TextRange } from '../analysis/word-finder.ts'
import { lowerBound } from '../lower-bound.ts'
import type { Window } from './passage-windows.ts'
import type { Segment } from './segments.ts'

/** Consecutive words, such as a window or a match of a clause: indexes of the first and of the last, both included. */
type WordRange = Pick<Window, 'first' | 'last'>

/** An analysed part of the text of a segment. Offsets and indexes of words count from the start of the part. */
interface Excerpt extends AnalysedText {
  readonly text: string
  readonly offsets: WordOffsets
  readonly isSegmentStart: boolean
  readonly isSegmentEnd: boolean
  /** Whether a word may be broken: at the end of a line, or after a ligature by the PDF reader (`ﬁ nca`). */
  readonly mayHaveBrokenWords: boolean
}

/** A segment of up to this length is analysed whole and cached, because the windows of a record often share it. */
const wholeCharactersMax = 2_000

/**
 * The short segments that were shown last. The storage returns the same object for a segment while it is cached, so
 * the records that many searches find are analysed once.
 */
const wholeExcerpts = new LRUCache<Segment, Excerpt>({
  // In words. An excerpt without words counts as one, because lru-cache takes no size of 0.
  maxSize: 1_000_000,
  sizeCalculation: ({ words }) => words.length + 1,
})

/** Words before and after a window that are analysed: more than a passage shows. */
const contextWords = 40

/** A hyphen, a soft hyphen or a ligature (`ﬀ` to `ﬆ`) before white space. */
const brokenWord = /[-\u2010\u00ad\ufb00-\ufb06]\s/

/** An excerpt that contains the window. `first` and `last` are the words of the window, counted in the excerpt. */
function toExcerpt(segment: Segment, { first, last }: WordRange): { excerpt: Excerpt; first: number; last: number } {
  const { text } = segment
  if (text.length <= wholeCharactersMax) return { excerpt: toWholeExcerpt(segment), first, last }
  const range = findWords(text, first - contextWords, last + contextWords)
  return { excerpt: analyseExcerpt(text, range), first: first - range.firstWord, last: last - range.firstWord }
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

export interface PassageText {
  readonly text: string
  /** Start and end (excluded) of each match in UTF-16 code units, ascending, without overlaps. */
  readonly marks: readonly (readonly [start: number, end: number])[]
}

/** Length of a passage. It is longer if its matches are, up to `charactersMax`. */
const charactersWanted = 200
const charactersMax = 400

/**
 * Text without words, such as a full stop, at the start or the end of the segment is shown, and no ellipsis, if it is
 * not longer than this.
 */
const wordlessCharactersMax = 12

const ellipsis = '…'

/** Returns undefined if no clause matches in the window, which may happen with a prefix (passages.ts). */
export function cutPassage(segment: Segment, term: Term, window: WordRange): PassageText | undefined {
  const { excerpt, first, last } = toExcerpt(segment, window)
  const { starts, ends } = excerpt.offsets
  // The last word of a window is in the next segment if a phrase goes on there. This segment has its first words.
  const isPhraseCut = excerpt.isSegmentEnd && last >= excerpt.words.length
  const matches: WordRange[] = []
  for (const clause of term.clauses) addMatches(matches, excerpt, clause, isPhraseCut)
  const inWindow = matches.filter((match) => match.first <= last && match.last >= first)
  if (inWindow.length === 0) return undefined
  // The window starts with a match, but a longer one, such as a synonym of several words, may start before it.
  const from = starts[Math.min(first, ...inWindow.map((match) => match.first))] ?? 0
  const to = ends[Math.min(ends.length - 1, Math.max(...inWindow.map((match) => match.last)))] ?? from
  return toPassageText(excerpt, widen(excerpt, from, to), matches)
}

/** Adds all matches of the clause in the excerpt. With `isPhraseCut`, the first words of a phrase match at its end. */
function addMatches(matches: WordRange[], excerpt: Excerpt, clause: Clause, isPhraseCut: boolean): void {
  switch (clause.kind) {
    case 'word':
      for (const stem of [clause.stem, ...(clause.orStems ?? [])]) addMatchesOfStem(matches, excerpt, stem)
      break
    case 'phrase':
      addMatchesOfPhrase(matches, excerpt, clause, isPhraseCut)
      break
    case 'prefix':
      addMatchesOfPrefix(matches, excerpt, clause.prefix)
      if (clause.orPhrase !== undefined) addMatchesOfPhrase(matches, excerpt, clause.orPhrase, isPhraseCut)
  }
}

function addMatchesOfStem(matches: WordRange[], excerpt: Excerpt, stem: string): void {
  const { words, joinedForms, joinedFormSpans, synonyms, synonymSpans } = excerpt
  for (let index = 0; index < words.length; index++) {
    if (words[index]?.stem === stem) matches.push({ first: index, last: index })
  }
  // A joined form (`ue1` for `UE-1`) or a synonym (`pgou`) is no word of the text. Its span has the words it is for.
  for (const [added, { firsts, lasts }] of [
    [joinedForms, joinedFormSpans],
    [synonyms, synonymSpans],
  ] as const) {
    for (let index = 0; index < added.length; index++) {
      const first = firsts[index] ?? 0
      if (added[index]?.stem === stem) matches.push({ first, last: lasts[index] ?? first })
    }
  }
}

function addMatchesOfPhrase(
  matches: WordRange[],
  excerpt: Excerpt,
  { stems, joinedCode, orPhrase }: PhraseClause,
  isPhraseCut: boolean,
): void {
  const { words } = excerpt
  for (let index = 0; index < words.length; index++) {
    const length = isPhraseCut ? Math.min(stems.length, words.length - index) : stems.length
    let matching = 0
    while (matching < length && words[index + matching]?.stem === stems[matching]) matching++
    if (matching === length) matches.push({ first: index, last: index + length - 1 })
  }
  if (joinedCode !== undefined) addMatchesOfStem(matches, excerpt, joinedCode)
  if (orPhrase !== undefined) addMatchesOfPhrase(matches, excerpt, orPhrase, isPhraseCut)
}

function addMatchesOfPrefix(
  matches: WordRange[],
  { words, joinedForms, joinedFormSpans: { firsts, lasts } }: Excerpt,
  prefix: string,
): void {
  for (let index = 0; index < words.length; index++) {
    if (words[index]?.form.startsWith(prefix)) matches.push({ first: index, last: index })
  }
  for (let index = 0; index < joinedForms.length; index++) {
    const first = firsts[index] ?? 0
    if (joinedForms[index]?.form.startsWith(prefix)) matches.push({ first, last: lasts[index] ?? first })
  }
}

/** A part of the text of the excerpt: offsets of its start and of its end (excluded). */
interface Range {
  readonly from: number
  readonly to: number
}

/** Widens the range of the matches to the length of a passage, without cutting words. */
function widen(excerpt: Excerpt, from: number, to: number): Range {
  const { text, isSegmentStart, isSegmentEnd } = excerpt
  const { starts, ends } = excerpt.offsets
  /** Characters to add around the matches. */
  const spare = Math.max(0, charactersWanted - (to - from))
  const half = Math.floor(spare / 2)
  // One half goes before the matches, the other after. What the text is too short for on one side goes to the other.
  const before = Math.max(half, spare - (text.length - to))
  const after = Math.max(spare - half, spare - from)
  const firstWord = lowerBound(0, starts.length, (word) => (starts[word] ?? 0) < from - before)
  const wordAfter = lowerBound(0, ends.length, (word) => (ends[word] ?? 0) <= to + after)
  const wideFrom = Math.min(from, starts[firstWord] ?? from)
  const wideTo = Math.max(to, wordAfter === 0 ? to : (ends[wordAfter - 1] ?? to))
  const isAtStart = isSegmentStart && firstWord === 0 && wideFrom <= wordlessCharactersMax
  const isAtEnd = isSegmentEnd && wordAfter === ends.length && text.length - wideTo <= wordlessCharactersMax
  return { from: isAtStart ? 0 : wideFrom, to: isAtEnd ? text.length : wideTo }
}

/** The passage as it is shown: white space is one space, words broken at the end of a line are joined. */
function toPassageText(excerpt: Excerpt, range: Range, matches: readonly WordRange[]): PassageText {
  const { from } = range
  const to = Math.min(range.to, from + charactersMax)
  // An ellipsis says that the segment goes on.
  const lead = from === 0 && excerpt.isSegmentStart ? '' : `${ellipsis} `
  const trail = to === excerpt.text.length && excerpt.isSegmentEnd ? '' : ` ${ellipsis}`
  const { shown, offsets } = toShown(excerpt, { from, to })
  const marks = toMarks(excerpt, { from, to }, matches).flatMap(([start, end]) => {
    const shownStart = lead.length + (offsets[start - from] ?? 0)
    const shownEnd = lead.length + Math.min(shown.length, offsets[end - from] ?? 0)
    // A match without visible characters has nothing to mark.
    return shownStart < shownEnd ? [[shownStart, shownEnd] as const] : []
  })
  return { text: lead + shown + trail, marks }
}

/**
 * The text of a range as it is shown, and where each of its characters is there: `offsets[i]` is the offset in `shown`
 * of the character at `from + i`.
 */
function toShown(excerpt: Excerpt, { from, to }: Range): { shown: string; offsets: Uint32Array } {
  const { text, mayHaveBrokenWords } = excerpt
  const { starts, ends } = excerpt.offsets
  const offsets = new Uint32Array(to - from + 1)
  let shown = ''
  /** Index of the first word that ends after the current character. */
  let word = lowerBound(0, ends.length, (index) => (ends[index] ?? 0) <= from)
  /** The start of the characters that are shown as they are and not yet in `shown`. */
  let pendingStart = from
  for (let offset = from; offset < to; offset++) {
    offsets[offset - from] = shown.length + offset - pendingStart
    const unit = text.charCodeAt(offset)
    if (isPlain(unit)) continue
    // Fast path: a space (0x20) after a plain character is shown as it is, unless a word may be broken there.
    if (unit === 0x20 && !mayHaveBrokenWords && offset > from && isPlain(text.charCodeAt(offset - 1))) continue
    shown += text.slice(pendingStart, offset)
    pendingStart = offset + 1
    while (word < ends.length && (ends[word] ?? 0) <= offset) word++
    /** Whether the character is inside a word, as the analyser has joined it. */
    const isInsideWord = (starts[word] ?? to) < offset
    const character = text.charAt(offset)
    if (invisible.test(character)) continue
    if (space.test(character)) {
      // White space inside a word is where it was broken, so it is left out.
      if (!isInsideWord && shown !== '' && !shown.endsWith(' ')) shown += ' '
      continue
    }
    // A word was broken here: its hyphen is left out too.
    const isWordBreak = isInsideWord && hyphen.test(character) && space.test(text.charAt(offset + 1))
    if (!isWordBreak) shown += character
  }
  shown = (shown + text.slice(pendingStart, to)).trimEnd().toWellFormed()
  offsets[to - from] = shown.length
  return { shown, offsets }
}

/**
 * Whether a UTF-16 unit is shown as it is: letters of Latin and similar scripts, digits and most punctuation. Spaces
 * (0x20), the hyphen (0x2d), control characters, the soft hyphen (0xad) and units from 0x1000 on are looked at closer.
 */
function isPlain(unit: number): boolean {
  return (unit > 0x20 && unit < 0x7f && unit !== 0x2d) || (unit > 0xad && unit < 0x1000)
}

/** White space and control characters. */
const space = /[\s\p{Cc}]/u
const hyphen = /[-\u2010]/
/** Soft hyphens and the characters that change the direction of what follows. */
const invisible = /[\u00ad\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/**
 * The offsets of the matches that are inside the range, ascending and without overlaps. If none is, a match is longer
 * than the range, and the matches are clipped to it.
 */
function toMarks({ text, offsets: { starts, ends } }: Excerpt, { from, to }: Range, matches: readonly WordRange[]) {
  const all = matches
    .map(({ first, last }): [number, number] => {
      const start = starts[first] ?? to
      const end = ends[Math.min(last, ends.length - 1)] ?? start
      const dottedEnd = withFinalDot(text, start, end)
      // A match inside the range stays inside, although its final dot may be outside.
      return [start, end <= to ? Math.min(dottedEnd, to) : dottedEnd]
    })
    .sort(([a], [b]) => a - b)
  const inside = all.filter(([start, end]) => start >= from && end <= to)
  const clipped = all.map(([start, end]): [number, number] => [Math.max(start, from), Math.min(end, to)])
  const marks = inside.length > 0 ? inside : clipped.filter(([start, end]) => start < end)
  const merged: [number, number][] = []
  for (const [start, end] of marks) {
    const previous = merged.at(-1)
    if (previous !== undefined && start < previous[1]) previous[1] = Math.max(previous[1], end)
    else merged.push([start, end])
  }
  return merged
}

/** The end of a match with its final dot, if the dot belongs to it: in `P.G.O.U.` it does, in `plan.` it does not. */
function withFinalDot(text: string, start: number, end: number): number {
  return text.charAt(end) === '.' && initials.test(text.slice(start, end)) ? end + 1 : end
}

/** `P.G.O.U` and `NN.SS`, without the final dot. */
const initials = /^(?:\p{L}{1,3}\.)+\p{L}{1,3}$/u
