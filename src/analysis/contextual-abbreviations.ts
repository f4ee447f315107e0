// Abbreviations that stand for a word only if another word follows: the text `Cap. Haya` gets the synonym `capitan`,
// but `Cap. 3` is a chapter and gets none. token.ts looks up each token here. If the whole token is the abbreviation,
// analyser.ts (for a text) and term-tokens.ts (for a term) check what follows the token. If the space is missing
// (`Cap.Haya`), the token only starts with the abbreviation, and token.ts itself checks what follows.
import { contextualAbbreviations } from './abbreviations.ts'
import { foldWord } from './fold.ts'
import { type LexiconWord, wordOf } from './lexicon.ts'
import { withForm, withOwnStem } from './lexicon-word.ts'
import type { Tokenizer } from './tokenizer.ts'
import { isOfClass } from './word-classes.ts'

export interface ContextualAbbreviation {
  /**
   * The word of the token if it is the abbreviation. A text is indexed by its stem, and by `fullWord` as a synonym;
   * quoted phrases match only the stem. A term searches for the query stem, which is that of the full word. The stem is
   * usually that of the abbreviation itself, because it may mean something else even in this context. Only if that is
   * the stem of another word, as `plaza` is for `pl`, the stem is also that of the full word.
   *
   * text              | stem   | query stem | why
   * `Pl. Parcial`     | `plan` | `plan`     | without its context `pl` is `plaza`
   * `Cap. Haya`       | `cap`  | `capitan`  | a word may follow a chapter too: `Cap. Segundo`
   * `P. Urbanización` | `p`    | `proyecto` | a letter may be a name, as in `Manzana P. Urbanización Sur`
   * `Est. de Detalle` | `est`  | `estudio`  | the term `est` alone finds it too
   */
  readonly word: LexiconWord
  /** The word that it abbreviates, such as `capitan` for `Cap.` It is a synonym of the text. */
  readonly fullWord: LexiconWord
  /** The beginnings of the words that may follow, such as `parcial` after `Pl.` Empty: any word may follow. */
  readonly following: readonly string[]
  /** As in the table (`ContextualEntry`). */
  readonly notAfterDot: readonly string[] | undefined
  readonly needsDot: boolean
}

/** By the form (folded spelling) of the abbreviation: `cap` for `Cap.`, `s` for `S.` */
export const contextualAbbreviationsByForm: ReadonlyMap<string, ContextualAbbreviation> = new Map(
  contextualAbbreviations.map(
    ({ word: fullForm, abbreviation: form, following = [], notAfterDot, needsDot = form.length === 1 }) => {
      const fullWord = wordOf(fullForm)
      const plainWord = wordOf(form)
      // True for `pl`, which is `plaza` without its context.
      const isOtherWord = plainWord.stem !== form
      // `Est. de Detalle` starts a phrase that has the acronym `ED`, as `Estudio de Detalle` does. The letter P has
      // phrases of its own, such as `P. P.`, and keeps them.
      const phrases = plainWord.phrases ?? fullWord.phrases
      const wordClass = isOfClass(fullWord.wordClass, 'STREET') ? fullWord.wordClass : plainWord.wordClass
      const word = isOtherWord
        ? withForm(fullWord, form)
        : withOwnStem(plainWord, fullWord.queryStem, { phrases, wordClass })
      return [form, { word, fullWord, following, notAfterDot, needsDot }]
    },
  ),
)

/**
 * Whether what follows the offset `end` of the text makes the letters before `end` the abbreviation: true for `Cap` in
 * `Cap. Haya`. The caller has checked that they have the form of the abbreviation. A single letter must have its dot.
 *
 * text                  | is the abbreviation | why
 * `Cap. Haya`           | yes                 | any word may follow
 * `Cap. IV`             | no                  | a Roman numeral
 * `Pl. Parcial`         | yes                 | one of the words that may follow
 * `Pl. Mayor`           | no                  | another word
 * `EST. DE DETALLE`     | yes                 | one of the words, after a preposition
 * `Est. "Detalle"`      | yes                 | punctuation may stand between
 * `Sector Est, Detalle` | no                  | a comma
 * `Est. de Mercado`     | yes                 | another word, but `Est.` has a dot
 * `Façana Est Mercat`   | no                  | another word, and no dot
 * `Est. de Servicio`    | no                  | one of the words that may not follow the dot
 */
export function isInContext(
  { word, following, notAfterDot, needsDot }: ContextualAbbreviation,
  { text, end }: Pick<Tokenizer, 'text' | 'end'>,
): boolean {
  const isLetter = word.form.length === 1
  const hasDot = text.charAt(end) === '.'
  if (needsDot && !hasDot) return false
  if (following.length === 0) {
    anyWord.lastIndex = end
    return anyWord.test(text)
  }
  const next = findNextWord(text, end, { mayHaveLinks: !isLetter })
  if (next === undefined) return false
  const startsNext = (beginning: string): boolean => next.startsWith(beginning)
  if (following.some(startsNext)) return true
  const mayBeOtherWord = hasDot && notAfterDot !== undefined && longWord.test(next)
  return mayBeOtherWord && !notAfterDot.some(startsNext)
}

/**
 * A dot, up to two white-space characters and the first two letters of a word, unless it is a Roman numeral of the
 * letters i, v and x: `Cap. IV` is a chapter.
 */
const anyWord = /\.?\s{0,2}(?![ivx]+(?!\p{L}))\p{L}{2}/iuy

/** Folded. A shorter run of letters may be part of a code (`EST.UE-3`), and one of i, v and x is a Roman numeral. */
const longWord = /^(?![ivx]+$)\p{L}{4}/u

/**
 * The first word after the offset, folded: `detalle` after the `Est` of `Est. "Detalle"`. With `mayHaveLinks`, articles
 * and prepositions are skipped: `impacte` after the `Est` of `Est. de l'Impacte`. Undefined if there is none near.
 */
function findNextWord(
  text: string,
  offset: number,
  { mayHaveLinks }: { readonly mayHaveLinks: boolean },
): string | undefined {
  nextWord.lastIndex = offset
  for (let linkCount = 0; linkCount <= linksMax; linkCount++) {
    const [, letters] = nextWord.exec(text) ?? []
    if (letters === undefined) return undefined
    const word = foldWord(letters)
    if (!mayHaveLinks || !linkWords.has(word)) return word
  }
  return undefined
}

/** Up to eight separators, and the letters of a word. After a comma or a semicolon comes another part of the text. */
const nextWord = /[^\p{L}\p{N},;]{0,8}(\p{L}[\p{L}\p{M}\p{Cf}]*)/uy

/** `de la` and `de l'` are two. */
const linksMax = 2

/** What may stand between an abbreviation and the word that tells its meaning, in Spanish and in Catalan. */
export const linkWords: ReadonlySet<string> = new Set('de del d dels la el los las l els les'.split(' '))
