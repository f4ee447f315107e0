// Abbreviations that are a word only before another word: `Cap. Haya` is Capitán Haya, but `Cap. 3` is a chapter.
// token.ts looks them up for each token; analyser.ts and term-parser.ts ask what follows the token.
import { contextualAbbreviations } from './abbreviations.ts'
import { type LexiconWord, withForm, withQueryStem, wordOf } from './lexicon.ts'
import type { Tokenizer } from './tokenizer.ts'

export interface ContextualAbbreviation {
  /**
   * The word in a text and in a term, where the abbreviation is one. The `Pl` of `Pl. Parcial` certainly is the word
   * `plan`. The S of `S. Bernardo` may still be a letter; it has its own stem, and only terms search for `san`.
   */
  readonly word: LexiconWord
  readonly fullWord: LexiconWord
  /** Matches the text after the abbreviation if it is the word there. */
  readonly context: RegExp
}

/** By the form of the abbreviation: `cap`, `s`. */
export const contextualAbbreviationsByForm: ReadonlyMap<string, ContextualAbbreviation> = new Map(
  contextualAbbreviations.map((line) => {
    const [fullForm = '', form = '', ...following] = line.split(' ')
    const fullWord = wordOf(fullForm)
    const isCertain = following.length > 0
    const word = isCertain ? withForm(fullWord, form) : withQueryStem(wordOf(form), fullWord.queryStem)
    return [form, { word, fullWord, context: toContext(form, following) }]
  }),
)

/** A dot, which only a single letter must have, white space, and one of the words `following` or any word. */
function toContext(form: string, following: readonly string[]): RegExp {
  const dot = form.length === 1 ? String.raw`\.` : String.raw`\.?`
  // Two letters or more that are not a Roman numeral.
  const anyWord = String.raw`(?![ivx]+(?!\p{L}))\p{L}{2}`
  const word = following.length === 0 ? anyWord : `(?:${following.join('|')})`
  return new RegExp(String.raw`${dot}\s{0,2}${word}`, 'iuy')
}

/** Whether the current token of the tokenizer, which has the form of the abbreviation, is the word in the text. */
export function isInContext({ context }: ContextualAbbreviation, { text, end }: Tokenizer): boolean {
  context.lastIndex = end
  return context.test(text)
}
