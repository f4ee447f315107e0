// Joined forms (`ue1` for `UE-1`) and synonyms of a text, each with the span of the words that it stands for. The
// analyser and its steps add them; a passage highlights the words of the span.
import type { Word } from './word.ts'

/** Consecutive words of a text: the positions of the first and of the last, both included. */
export interface Span {
  readonly first: number
  readonly last: number
}

/** The spans of a list of added words. The elements at an index are the span of the added word at that index. */
export interface Spans {
  readonly firsts: readonly number[]
  readonly lasts: readonly number[]
}

/** `Spans` that can grow. */
interface SpanLists extends Spans {
  readonly firsts: number[]
  readonly lasts: number[]
}

/** Words that are indexed without a position: word clauses match them, phrases do not. */
export interface AddedWords {
  /** Joined and split forms of what is written: `SUNC-R-3` adds `suncr3`. Prefix clauses match them too. */
  readonly joinedForms: Word[]
  /** Other words with the same meaning. */
  readonly synonyms: Word[]
}

/** Added words with the same span. Either list may be left out. */
type WordsOfSpan = { readonly [List in keyof AddedWords]?: readonly Word[] }

/** Added words with their spans: the words of the text that each stands for, which passages mark. */
export class AddedWordsWithSpans {
  readonly #joinedForms: Word[] = []
  readonly #synonyms: Word[] = []
  readonly #joinedFormSpans: SpanLists = { firsts: [], lasts: [] }
  readonly #synonymSpans: SpanLists = { firsts: [], lasts: [] }

  get joinedForms(): readonly Word[] {
    return this.#joinedForms
  }

  get synonyms(): readonly Word[] {
    return this.#synonyms
  }

  get joinedFormSpans(): Spans {
    return this.#joinedFormSpans
  }

  get synonymSpans(): Spans {
    return this.#synonymSpans
  }

  /** Adds words that stand for the words of the text from `first` to `last`. */
  add({ joinedForms = noWords, synonyms = noWords }: WordsOfSpan, { first, last }: Span): void {
    append(joinedForms, this.#joinedForms, this.#joinedFormSpans, first, last)
    append(synonyms, this.#synonyms, this.#synonymSpans, first, last)
  }
}

function append(words: readonly Word[], to: Word[], { firsts, lasts }: SpanLists, first: number, last: number): void {
  for (const word of words) {
    to.push(word)
    firsts.push(first)
    lasts.push(last)
  }
}

const noWords: readonly Word[] = []
