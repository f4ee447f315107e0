// The added words of a text, which are its joined forms (`ue1` for `UE-1`) and its synonyms (`edificio` for `Edif.`).
// Each has a span: the words of the text that it stands for. The analyser and its steps add them. A passage, the piece
// of a document that a result shows, highlights the words of the span, and neighbours.ts takes the added word as
// another way to read them.
import type { Word } from './word.ts'

/** Consecutive words of a text: the positions of the first and of the last, both included. */
export interface Span {
  readonly first: number
  readonly last: number
}

/** The spans of a list of words. The span of the word at index i is from `firsts[i]` to `lasts[i]`, both included. */
export interface Spans {
  readonly firsts: number[]
  readonly lasts: number[]
}

/**
 * Words that are not written in a text in this form, but are indexed with it. A word of a search term matches them, a
 * quoted phrase does not. The steps of the analysis append to the lists.
 */
export interface AddedWords {
  /**
   * Other spellings of what is written, in contrast to synonyms: a code as one word (`suncr3` for `SUNC-R-3`), the
   * parts of a code that is written as one word (`sunc`, `r` and `r3` for `SUNCR3`), and `a` for the A of `A-6`, whose
   * own stem is `A`. Prefixes such as `suncr*` match them too.
   */
  readonly joinedForms: Word[]
  /** Other words with the same meaning: `edificio` for `Edif.` */
  readonly synonyms: Word[]
}

/** Words to add with the same span. Either list may be left out. */
interface WordsOfSpan {
  readonly joinedForms?: readonly Word[]
  readonly synonyms?: readonly Word[]
}

/**
 * The longest span that `add` accepts, in words. No real acronym, list or heading is longer. The span of a single token
 * may be longer (`addOfToken`), and index/packed-position.ts shortens it to this many words.
 */
export const spanWordsMax = 24

/** The added words of a text with their spans: the words of the text that each stands for. */
export class AddedWordsWithSpans {
  readonly joinedForms: Word[] = []
  readonly synonyms: Word[] = []
  readonly joinedFormSpans: Spans = { firsts: [], lasts: [] }
  readonly synonymSpans: Spans = { firsts: [], lasts: [] }

  /** Adds words that stand for the words of `span`, unless these are more than `spanWordsMax`. */
  add(words: WordsOfSpan, span: Span): void {
    if (span.last - span.first < spanWordsMax) this.addOfToken(words, span)
  }

  /** Like `add`, for the span of one token, which may have any length: `UE-1,UE-2,UE-3` without spaces is one token. */
  addOfToken({ joinedForms = noWords, synonyms = noWords }: WordsOfSpan, { first, last }: Span): void {
    appendWithSpan(joinedForms, this.joinedForms, this.joinedFormSpans, first, last)
    appendWithSpan(synonyms, this.synonyms, this.synonymSpans, first, last)
  }
}

/** Appends `words` to `list`, and `first` and `last` to the spans once for each word. */
function appendWithSpan(
  words: readonly Word[],
  list: Word[],
  { firsts, lasts }: Spans,
  first: number,
  last: number,
): void {
  for (const word of words) {
    list.push(word)
    firsts.push(first)
    lasts.push(last)
  }
}

const noWords: readonly Word[] = []
