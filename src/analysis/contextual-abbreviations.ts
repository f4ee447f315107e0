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
   * quoted phrases match only the stem. A term searches for the query stem. An abbreviation keeps its own stem, because
   * it may mean something else even in this context. Only if its own stem is that of another word, as that of `pl` is
   * `plaza`, it gets the stem of the full word.
   *
   * text              | stem   | query stem | why
   * `Pl. Parcial`     | `plan` | `plan`     | without its context `pl` is `plaza`
   * `Cap. Haya`       | `cap`  | `capitan`  | any word may follow
   * `P. Urbanización` | `p`    | `proyecto` | a letter may be a name, as in `Manzana P. Urbanización Sur`
   * `Est. de Detalle` | `est`  | `estudio`  | the term `est` alone finds it too
   */
  readonly word: LexiconWord
  /** The word that it abbreviates, such as `capitan` for `Cap.` It is a synonym of the text. */
  readonly fullWord: LexiconWord
  /** Whether only certain words may follow, such as `Parcial` after `Pl.` */
  readonly isCertain: boolean
  /** Sticky. Matches what follows the abbreviation if it is a suitable word: `. Haya` after `Cap`. */
  readonly context: RegExp
}

/** By the form (folded spelling) of the abbreviation: `cap` for `Cap.`, `s` for `S.` */
export const contextualAbbreviationsByForm: ReadonlyMap<string, ContextualAbbreviation> = new Map(
  contextualAbbreviations.map((line) => {
    // `plan pl parcial especial`: the full word, the abbreviation, and the words that may follow (none: any word).
    const [fullForm = '', form = '', ...following] = line.split(' ')
    const fullWord = wordOf(fullForm)
    const plainWord = wordOf(form)
    const isOtherWord = plainWord.stem !== form
    // `Est. de Detalle` starts the phrase of `ED`, as `Estudio de Detalle` does. The P of `P. P.` starts phrases of its
    // own.
    const phrases = plainWord.phrases ?? fullWord.phrases
    const word = isOtherWord ? withForm(fullWord, form) : withQueryStem(plainWord, fullWord.queryStem, { phrases })
    return [form, { word, fullWord, isCertain: following.length > 0, context: toContext(form, following) }]
  }),
)

/**
 * Returns an expression for what follows the abbreviation: a dot, up to two white-space characters, and the beginning
 * of a word. Only a single letter must have the dot. The word must start with one of `following`; after more than a
 * letter, `de` may stand before it. If there are none, it may be any word but a Roman numeral. After `Cap` the
 * expression matches `. Haya`, but not ` 3`; after `Pl`, ` Parcial`, but not ` Mayor`; after `Est`, `. de Detalle`.
 */
function toContext(form: string, following: readonly string[]): RegExp {
  const isLetter = form.length === 1
  const dot = isLetter ? String.raw`\.` : String.raw`\.?`
  const preposition = isLetter ? '' : String.raw`(?:de\s{1,2})?`
  // The first two letters of a word, unless it is a Roman numeral of the letters i, v and x: `Cap. IV` is a chapter.
  const anyWord = String.raw`(?![ivx]+(?!\p{L}))\p{L}{2}`
  const word = following.length === 0 ? anyWord : `${preposition}(?:${following.join('|')})`
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
