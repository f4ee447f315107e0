// Abbreviations that stand for a word only if another word follows: the text `Cap. Haya` gets the synonym `capitan`,
// but `Cap. 3` is a chapter and gets none. token.ts looks up each token here. If the whole token is the abbreviation,
// analyser.ts (for a text) and term-parser.ts (for a term) check what follows the token. If the space is missing
// (`Cap.Haya`), the token only starts with the abbreviation, and token.ts itself checks the rest of the token.
import { contextualAbbreviations } from './abbreviations.ts'
import { type LexiconWord, withForm, withQueryStem, wordOf } from './lexicon.ts'
import type { Tokenizer } from './tokenizer.ts'

export interface ContextualAbbreviation {
  /**
   * The word of the token if it is the abbreviation. A text is indexed by its stem, and by `fullWord` as a synonym;
   * quoted phrases match only the stem. A term searches for the query stem. An ambiguous abbreviation keeps its own
   * stem, because it may mean something else even in this context.
   *
   * text              | stem   | query stem | ambiguous
   * `Pl. Parcial`     | `plan` | `plan`     | no: only `Parcial` or `Especial` may follow
   * `Cap. Haya`       | `cap`  | `capitan`  | yes: any word may follow
   * `P. Urbanización` | `p`    | `proyecto` | yes: a letter may be a name, as in `Manzana P. Urbanización Sur`
   */
  readonly word: LexiconWord
  /** The word that it abbreviates, such as `capitan` for `Cap.` It is a synonym of the text, ambiguous or not. */
  readonly fullWord: LexiconWord
  /** Sticky. Matches what follows the abbreviation if it is a suitable word: `. Haya` after `Cap`. */
  readonly context: RegExp
}

/** By the form (folded spelling) of the abbreviation: `cap` for `Cap.`, `s` for `S.` */
export const contextualAbbreviationsByForm: ReadonlyMap<string, ContextualAbbreviation> = new Map(
  contextualAbbreviations.map((line) => {
    // `plan pl parcial especial`: the full word, the abbreviation, and the words that may follow (none: any word).
    const [fullForm = '', form = '', ...following] = line.split(' ')
    const fullWord = wordOf(fullForm)
    const isAmbiguous = following.length === 0 || form.length === 1
    const word = isAmbiguous ? withQueryStem(wordOf(form), fullWord.queryStem) : withForm(fullWord, form)
    return [form, { word, fullWord, context: toContext(form, following) }]
  }),
)

/**
 * Returns an expression for what follows the abbreviation: a dot, up to two white-space characters, and the beginning
 * of a word. Only a single letter must have the dot. The word must start with one of `following`; if there are none, it
 * may be any word but a Roman numeral. After `Cap` the expression matches `. Haya`, but not ` 3`; after `Pl` it matches
 * ` Parcial`, but not ` Mayor`.
 */
function toContext(form: string, following: readonly string[]): RegExp {
  const dot = form.length === 1 ? String.raw`\.` : String.raw`\.?`
  // The first two letters of a word, unless it is a Roman numeral of the letters i, v and x: `Cap. IV` is a chapter.
  const anyWord = String.raw`(?![ivx]+(?!\p{L}))\p{L}{2}`
  const word = following.length === 0 ? anyWord : `(?:${following.join('|')})`
  return new RegExp(String.raw`${dot}\s{0,2}${word}`, 'iuy')
}

/**
 * Whether what follows the offset `end` of the text makes the letters before `end` the abbreviation: true for `Cap` in
 * `Cap. Haya`. The caller has checked that they have the form of the abbreviation.
 */
export function isInContext(
  { context }: ContextualAbbreviation,
  { text, end }: Pick<Tokenizer, 'text' | 'end'>,
): boolean {
  context.lastIndex = end
  return context.test(text)
}
