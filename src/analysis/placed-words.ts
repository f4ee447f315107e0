// Joined forms and synonyms of a text with the words that each of them stands for. analyser.ts and synonyms.ts fill it;
// passages mark those words.
import type { AddedWords } from './token.ts'
import type { Word } from './word.ts'

/** For each added word, the positions of the first and of the last word of the text that it stands for. */
export interface Spans {
  readonly firsts: readonly number[]
  readonly lasts: readonly number[]
}

export class PlacedWords implements AddedWords {
  readonly joinedForms: Word[] = []
  readonly synonyms: Word[] = []
  readonly #joinedFormSpans = { firsts: [] as number[], lasts: [] as number[] }
  readonly #synonymSpans = { firsts: [] as number[], lasts: [] as number[] }

  get joinedFormSpans(): Spans {
    return this.#joinedFormSpans
  }

  get synonymSpans(): Spans {
    return this.#synonymSpans
  }

  /** Says that the words added since the last call stand for the words from `first` to `last`, both included. */
  place(first: number, last: number): void {
    fillTo(this.#joinedFormSpans, this.joinedForms.length, first, last)
    fillTo(this.#synonymSpans, this.synonyms.length, first, last)
  }
}

function fillTo({ firsts, lasts }: { firsts: number[]; lasts: number[] }, length: number, first: number, last: number) {
  while (firsts.length < length) {
    firsts.push(first)
    lasts.push(last)
  }
}
