// Abbreviations that stand for a word only if another word follows: the text `Cap. Haya` gets the synonym `capitan`,
// but `Cap. 3` is a chapter and gets none. token.ts looks up each token here. Then analyser.ts and term-parser.ts check
// what follows the token. For a token such as `Cap.Haya`, token.ts does both.
import { contextualAbbreviations } from './abbreviations.ts'
import { type LexiconWord, withForm, withQueryStem, wordOf } from './lexicon.ts'
import type { Tokenizer } from './tokenizer.ts'

export interface ContextualAbbreviation {
  /**
   * The word of the token if it is the abbreviation.
   *
   * text              | stem   | query stem | certain
   * `Pl. Parcial`     | `plan` | `plan`     | yes: only a few words may follow
   * `Cap. Haya`       | `cap`  | `capitan`  | no: any word may follow
   * `P. Urbanización` | `p`    | `proyecto` | no: a single letter
   */
  readonly word: LexiconWord
  /** The word that it abbreviates, `san`, which is its synonym in a text. */
  readonly fullWord: LexiconWord
  /** Sticky; matches at the end of the token if what follows makes it the abbreviation. */
  readonly context: RegExp
}

/** By the form of the abbreviation: `cap`, `s`. */
export const contextualAbbreviationsByForm: ReadonlyMap<string, ContextualAbbreviation> = new Map(
  contextualAbbreviations.map((line) => {
    const [fullForm = '', form = '', ...following] = line.split(' ')
    const fullWord = wordOf(fullForm)
    const isCertain = following.length > 0 && form.length > 1
    const word = isCertain ? withForm(fullWord, form) : withQueryStem(wordOf(form), fullWord.queryStem)
    return [form, { word, fullWord, context: toContext(form, following) }]
  }),
)

/**
 * Matches a dot, which only a single letter must have, up to two white-space characters, and the beginning of a word:
 * one of `following` or, if it is empty, that of any word. After `Cap` it matches `. Haya` but not ` 3`; after `Pl`,
 * ` Parcial` but not ` Mayor`.
 */
function toContext(form: string, following: readonly string[]): RegExp {
  const dot = form.length === 1 ? String.raw`\.` : String.raw`\.?`
  // Two letters or more that are not a Roman numeral.
  const anyWord = String.raw`(?![ivx]+(?!\p{L}))\p{L}{2}`
  const word = following.length === 0 ? anyWord : `(?:${following.join('|')})`
  return new RegExp(String.raw`${dot}\s{0,2}${word}`, 'iuy')
}

/** Whether what follows the current token makes it the abbreviation. The token has the form of the abbreviation. */
export function isInContext(
  { context }: ContextualAbbreviation,
  { text, end }: Pick<Tokenizer, 'text' | 'end'>,
): boolean {
  context.lastIndex = end
  return context.test(text)
}
