// Cuts a passage out of the text of a segment: about 200 characters around the words of a window, cut at word ends, and
// the places of all words in it that match the term. The analyser that indexed the text decides what matches.
import { type AnalysedText, analyseTextWithOffsets, type WordOffsets } from '../analysis/analyser.ts'
import type { Clause, PhraseClause, Term } from '../analysis/term.ts'
import { lowerBound } from '../lower-bound.ts'

/** A text with its words and where they stand in it. */
export interface AnalysedSegment extends AnalysedText {
  readonly text: string
  readonly offsets: WordOffsets
  /** Whether a word of the text may be broken, at the end of a line or after a ligature. */
  readonly mayHaveBrokenWords: boolean
}

export function analyseSegment(text: string): AnalysedSegment {
  return { text, ...analyseTextWithOffsets(text), mayHaveBrokenWords: brokenWord.test(text) }
}

const brokenWord = /[-\u2010\u00ad\ufb00-\ufb06]\s/

export interface PassageText {
  readonly text: string
  /** Start and end (excluded) of each match in UTF-16 code units, ascending, without overlaps. */
  readonly marks: readonly (readonly [start: number, end: number])[]
}

/** Length of a passage. One with a long match has up to `charactersMax`. */
const charactersWanted = 200
const charactersMax = 400

/** Text of at most this length without words, such as a full stop, is shown instead of an ellipsis. */
const wordlessCharactersMax = 12

/** Words around a window in which matches are looked for: more than a passage shows. */
const contextWords = 100

const ellipsis = '…'

/** A match of a clause: indexes of its first and last word. */
interface Match {
  readonly first: number
  readonly last: number
}

/** Returns undefined if no clause matches in the words from `first` to `last`, both included. */
export function cutPassage(
  segment: AnalysedSegment,
  term: Term,
  { first, last }: { readonly first: number; readonly last: number },
): PassageText | undefined {
  const { starts, ends } = segment.offsets
  const matches = findMatches(segment, term, first - contextWords, last + contextWords)
  const shown = matches.filter((match) => match.first <= last && match.last >= first)
  if (shown.length === 0) return undefined
  const from = starts[Math.max(0, Math.min(first, ...shown.map((match) => match.first)))] ?? 0
  const to = ends[Math.min(ends.length - 1, Math.max(...shown.map((match) => match.last)))] ?? from
  const range = widen(segment, from, to)
  return toPassageText(segment, range, matches)
}

/** All matches of all clauses whose first word is in the range. */
function findMatches(segment: AnalysedSegment, { clauses }: Term, from: number, to: number): Match[] {
  const matches: Match[] = []
  for (const clause of clauses) addMatches(matches, segment, clause, Math.max(0, from), to)
  return matches
}

function addMatches(matches: Match[], segment: AnalysedSegment, clause: Clause, from: number, to: number): void {
  switch (clause.kind) {
    case 'word':
      addMatchesOfStem(matches, segment, clause.stem, from, to)
      break
    case 'phrase':
      addMatchesOfPhrase(matches, segment, clause, from, to)
      break
    case 'prefix':
      addMatchesOfPrefix(matches, segment, clause.prefix, from, to)
      if (clause.orPhrase !== undefined) addMatchesOfPhrase(matches, segment, clause.orPhrase, from, to)
  }
}

function addMatchesOfStem(matches: Match[], segment: AnalysedSegment, stem: string, from: number, to: number): void {
  const { words, joinedForms, joinedFormSpans, synonyms, synonymSpans } = segment
  for (let index = from; index < words.length && index <= to; index++) {
    if (words[index]?.stem === stem) matches.push({ first: index, last: index })
  }
  for (const [added, { firsts, lasts }] of [
    [joinedForms, joinedFormSpans],
    [synonyms, synonymSpans],
  ] as const) {
    for (let index = 0; index < added.length; index++) {
      const first = firsts[index] ?? 0
      if (added[index]?.stem === stem && first >= from && first <= to) {
        matches.push({ first, last: lasts[index] ?? first })
      }
    }
  }
}

function addMatchesOfPhrase(
  matches: Match[],
  segment: AnalysedSegment,
  { stems, joinedCode }: PhraseClause,
  from: number,
  to: number,
): void {
  const { words } = segment
  for (let index = from; index < words.length && index <= to; index++) {
    // A phrase may go on in the next segment; the window then ends after the last word of this one.
    const isCut = to - contextWords >= words.length
    const length = isCut ? Math.min(stems.length, words.length - index) : stems.length
    let matching = 0
    while (matching < length && words[index + matching]?.stem === stems[matching]) matching++
    if (matching === length) matches.push({ first: index, last: index + length - 1 })
  }
  if (joinedCode !== undefined) addMatchesOfStem(matches, segment, joinedCode, from, to)
}

function addMatchesOfPrefix(
  matches: Match[],
  { words, joinedForms, joinedFormSpans: { firsts, lasts } }: AnalysedSegment,
  prefix: string,
  from: number,
  to: number,
): void {
  for (let index = from; index < words.length && index <= to; index++) {
    if (words[index]?.form.startsWith(prefix)) matches.push({ first: index, last: index })
  }
  for (let index = 0; index < joinedForms.length; index++) {
    const first = firsts[index] ?? 0
    if (joinedForms[index]?.form.startsWith(prefix) && first >= from && first <= to) {
      matches.push({ first, last: lasts[index] ?? first })
    }
  }
}

/** Offsets of a part of the text. */
interface Range {
  readonly from: number
  readonly to: number
}

/** Widens the range of a match to the length of a passage, up to word ends. */
function widen({ text, offsets: { starts, ends } }: AnalysedSegment, from: number, to: number): Range {
  const spare = Math.max(0, charactersWanted - (to - from))
  // What is not used at one end of the text is used at the other.
  const before = Math.max(Math.floor(spare / 2), spare - (text.length - to))
  const after = Math.max(spare - Math.floor(spare / 2), spare - from)
  const firstWord = lowerBound(0, starts.length, (word) => (starts[word] ?? 0) < from - before)
  const wordAfter = lowerBound(0, ends.length, (word) => (ends[word] ?? 0) <= to + after)
  const wideFrom = Math.min(from, starts[firstWord] ?? from)
  const wideTo = Math.max(to, wordAfter === 0 ? to : (ends[wordAfter - 1] ?? to))
  const isAtStart = firstWord === 0 && wideFrom <= wordlessCharactersMax
  const isAtEnd = wordAfter === ends.length && text.length - wideTo <= wordlessCharactersMax
  return { from: isAtStart ? 0 : wideFrom, to: isAtEnd ? text.length : wideTo }
}

/** The passage as it is shown: white space is one space, words broken at the end of a line are joined. */
function toPassageText(segment: AnalysedSegment, range: Range, matches: readonly Match[]): PassageText {
  const { from } = range
  const to = Math.min(range.to, from + charactersMax)
  const lead = from > 0 ? `${ellipsis} ` : ''
  const { shown, offsets } = toShown(segment, { from, to })
  const marks = toMarks(segment, { from, to }, matches).flatMap(([start, end]) => {
    const shownStart = lead.length + (offsets[start - from] ?? 0)
    const shownEnd = lead.length + Math.min(shown.length, offsets[end - from] ?? 0)
    return shownStart < shownEnd ? [[shownStart, shownEnd] as const] : []
  })
  return { text: lead + shown + (to < segment.text.length ? ` ${ellipsis}` : ''), marks }
}

/** The text of a range as it is shown, and for each offset in the range the offset in that text. */
function toShown(segment: AnalysedSegment, { from, to }: Range): { shown: string; offsets: Uint32Array } {
  const { text, mayHaveBrokenWords } = segment
  const { starts, ends } = segment.offsets
  const offsets = new Uint32Array(to - from + 1)
  let shown = ''
  let word = lowerBound(0, ends.length, (index) => (ends[index] ?? 0) <= from)
  /** The start of the characters that are shown as they are and not yet in `shown`. */
  let pendingStart = from
  for (let offset = from; offset < to; offset++) {
    offsets[offset - from] = shown.length + offset - pendingStart
    const unit = text.charCodeAt(offset)
    if (isPlain(unit)) continue
    // Most white space is one space between words.
    if (unit === 0x20 && !mayHaveBrokenWords && offset > from && isPlain(text.charCodeAt(offset - 1))) continue
    shown += text.slice(pendingStart, offset)
    pendingStart = offset + 1
    while (word < ends.length && (ends[word] ?? 0) <= offset) word++
    const isInsideWord = (starts[word] ?? to) < offset
    const character = text.charAt(offset)
    if (invisible.test(character)) continue
    if (space.test(character)) {
      if (!isInsideWord && shown !== '' && !shown.endsWith(' ')) shown += ' '
    } else if (!(isInsideWord && hyphen.test(character) && isBeforeSpace(text, offset))) {
      shown += character
    }
  }
  shown = (shown + text.slice(pendingStart, to)).trimEnd().toWellFormed()
  offsets[to - from] = shown.length
  return { shown, offsets }
}

/** Inside a word there is white space only if the analyser has joined a word that was broken there. */
function isBeforeSpace(text: string, offset: number): boolean {
  return space.test(text.charAt(offset + 1))
}

/** Letters of Latin scripts, digits and most punctuation: shown as they are. Hyphens, spaces and the rest are not. */
function isPlain(unit: number): boolean {
  return (unit > 0x20 && unit < 0x7f && unit !== 0x2d) || (unit > 0xad && unit < 0x1000)
}

/** White space and control characters. */
const space = /[\s\p{Cc}]/u
const hyphen = /[-\u2010]/
/** Soft hyphens and the characters that change the direction of what follows. */
const invisible = /[\u00ad\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/**
 * The offsets of the matches in the range, ascending and without overlaps. A match that is longer than the range is
 * clipped; any other that is partly outside is left out.
 */
function toMarks({ text, offsets: { starts, ends } }: AnalysedSegment, { from, to }: Range, matches: readonly Match[]) {
  const all = matches
    .map(({ first, last }): [number, number] => {
      const start = starts[first] ?? to
      const end = ends[Math.min(last, ends.length - 1)] ?? start
      const dottedEnd = withFinalDot(text, start, end)
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

/** The last dot belongs to `P.G.O.U.`; after `plan.` it ends the sentence. */
function withFinalDot(text: string, start: number, end: number): number {
  return text.charAt(end) === '.' && initials.test(text.slice(start, end)) ? end + 1 : end
}

const initials = /^(?:\p{L}{1,3}\.)+\p{L}{1,3}$/u
