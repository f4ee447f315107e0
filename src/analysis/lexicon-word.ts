// A word of the lexicon: a word with what the tables of the analyser say about it. lexicon.ts creates one for each form
// that it is asked for. The functions here create words without the tables, and changed copies of words.

import { isBasqueStreet } from './other-languages.ts'
import type { PhraseNode } from './phrase-trie.ts'
import { stemWord } from './stemmer.ts'
import type { Word } from './word.ts'
import { classOf, isOfClass } from './word-classes.ts'

export interface LexiconWord extends Word {
  /**
   * The stem that a search term with this word searches for. For an abbreviation it is the stem of the full word: the
   * term `ayto` searches for `ayuntamiento`, which texts with `Ayto.` have as a synonym. The ordinal `2ª` searches for
   * `segundo`, which subtoken-words.ts adds to a text with `2ª`. For most words it is equal to `stem`.
   */
  readonly queryStem: string
  /** Further stems that a term searches for: that of `cruce` for `cruces`, which is the plural of both. Mostly empty. */
  readonly otherQueryStems: readonly string[]
  /**
   * The words that are indexed with this word of a text. One of: the full word of an abbreviation (`edificio` for
   * `edif`), an ordinal in digits (`2º` for `segunda`), another singular (`cruce` for `cruces`). Empty for most words.
   */
  readonly synonyms: readonly Word[]
  readonly isStopWord: boolean
  /** What the rules for numbers see of the word (word-classes.ts). */
  readonly wordClass: string
  /** Which steps of the analysis may apply to the word (`steps`). 0 for most words, which no step looks at. */
  readonly steps: number
  /**
   * For `cacion`, which may be the rest of a word that has lost its ligature in a PDF (`modi cación`): the whole words
   * by the letters before the ligature, such as `modificacion` by `modi`.
   */
  readonly ligatureWordsByHead: ReadonlyMap<string, Word> | undefined
  /** If phrases with an acronym start with this word: their node in the trie. */
  readonly phrases: PhraseNode | undefined
}

/** What the tables say about a word. */
export type LexiconEntry = Omit<LexiconWord, keyof Word | 'queryStem' | 'steps'>

const emptyEntry: LexiconEntry = {
  synonyms: [],
  otherQueryStems: [],
  isStopWord: false,
  wordClass: 'w',
  ligatureWordsByHead: undefined,
  phrases: undefined,
}

/** The steps of the analysis of a text that look at some words only, as bits of `LexiconWord.steps`. */
export const steps = { ligatures: 1, noNumberMarks: 2, phrases: 4, rules: 8, streets: 16, letters: 32 } as const

function toSteps(form: string, { ligatureWordsByHead, phrases, wordClass }: LexiconEntry): number {
  return (
    (ligatureWordsByHead === undefined ? 0 : steps.ligatures) |
    (form === 's' || form === 'sin' ? steps.noNumberMarks : 0) |
    (phrases === undefined ? 0 : steps.phrases) |
    (isOfClass(wordClass, 'RULE_WORD') ? steps.rules : 0) |
    (isOfClass(wordClass, 'STREET') || isOfClass(wordClass, 'COUNTED') || isBasqueStreet(form) ? steps.streets : 0) |
    (form.length === 1 && !/\d/.test(form) ? steps.letters : 0)
  )
}

let nextId = 0

/** All words are created here, so that V8 gives them one hidden class. */
export function toLexiconWord(form: string, stem: string, queryStem: string, entry: LexiconEntry): LexiconWord {
  const { synonyms, otherQueryStems, isStopWord, wordClass, ligatureWordsByHead, phrases } = entry
  return {
    id: nextId++,
    form,
    stem,
    queryStem,
    otherQueryStems,
    synonyms,
    isStopWord,
    wordClass,
    steps: toSteps(form, entry),
    ligatureWordsByHead,
    phrases,
  }
}

/** A word without an entry: a number, or a synonym, of which only the form and the stem are used. */
export function createPlainWord(form: string, stem: string = stemWord(form)): LexiconWord {
  return toLexiconWord(form, stem, stem, { ...emptyEntry, wordClass: classOf(form, stem, false) })
}

/** A copy of the word with another query stem. The fields of `changes` are those of the word unless given. */
export function withQueryStem(
  word: LexiconWord,
  queryStem: string,
  changes: Partial<Pick<LexiconWord, 'wordClass' | 'phrases' | 'otherQueryStems'>> = {},
): LexiconWord {
  return toLexiconWord(word.form, word.stem, queryStem, { ...word, ...changes })
}

/** A copy of the word with another query stem, with which a term searches for the word's own stem as well. */
export function withOwnStem(
  word: LexiconWord,
  queryStem: string,
  changes: Partial<Pick<LexiconWord, 'wordClass' | 'phrases'>> = {},
): LexiconWord {
  return withQueryStem(word, queryStem, { ...changes, otherQueryStems: word.stem === queryStem ? [] : [word.stem] })
}

/** A copy of the word that is a stop word: the D of `edifici d'habitatges`. */
export function asStopWord(word: LexiconWord): LexiconWord {
  return toLexiconWord(word.form, word.stem, word.queryStem, { ...word, isStopWord: true, wordClass: 's' })
}

/** A copy of the word with another form: `withForm(calle, 'c')` is the `c` of `C/`, with the stem of `calle`. */
export function withForm(word: LexiconWord, form: string): LexiconWord {
  return toLexiconWord(form, word.stem, word.queryStem, word)
}
