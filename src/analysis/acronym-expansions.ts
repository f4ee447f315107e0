// What acronyms stand for: `pp` for `plan parcial`. Made from the table `acronyms` in abbreviations.ts, as a map by
// acronym (`expansionsByAcronym`) and as a trie of the phrases (`acronymPhrases`).
import { type Acronym, acronyms } from './abbreviations.ts'
import { toQueryStem } from './full-words.ts'
import { createPlainWord, type LexiconWord } from './lexicon-word.ts'
import { addNode, createPhraseNode, type PhraseNode } from './phrase-trie.ts'
import { stemWord } from './stemmer.ts'
import { stopWords } from './stop-words.ts'
import type { Word } from './word.ts'

/** What an acronym stands for. */
export interface Expansion {
  /**
   * The words of `Acronym.expansions`, and the letters of `Acronym.initials`, both without stop words: of `P. G. O. U.`
   * p and g. Of `NUM`, also `numAcronym`.
   */
  readonly synonyms: readonly Word[]
  /** The stems of the words of each full form in `Acronym.expansions`, without stop words. */
  readonly fullFormStems: readonly (readonly string[])[]
  /** As in `Acronym`. */
  readonly isUpperCaseOnly: boolean
}

/**
 * The acronym `NUM` (normas urbanísticas municipales). Its stem is in upper case, because that of the word `num` is
 * `numero`. A text with the acronym or its full form has it as a synonym, and the term `NUM` searches for it.
 */
export const numAcronym: LexiconWord = createPlainWord('num', 'NUM')

/** An acronym of the table, with its words. Stop words are left out. */
interface AcronymWords {
  readonly acronym: Acronym
  /** The words of each full form. */
  readonly fullForms: readonly (readonly string[])[]
  readonly initials: readonly Word[]
  /** For `NUM`: `numAcronym`. Otherwise empty. */
  readonly ownSynonyms: readonly Word[]
  /** The words of all of these, without duplicates. */
  readonly synonyms: readonly Word[]
}

const acronymsWithWords: readonly AcronymWords[] = acronyms.map((acronym) => {
  const fullForms = acronym.expansions.map((fullForm) => fullForm.split(' ').filter((form) => !stopWords.has(form)))
  const initials = acronym.initials.filter((form) => !stopWords.has(form)).map((form) => createPlainWord(form))
  const ownSynonyms = acronym.letters === numAcronym.form ? [numAcronym] : []
  const fullFormWords = fullForms.flat().map((form) => createPlainWord(form))
  const synonyms = uniqueByForm([...fullFormWords, ...initials, ...ownSynonyms])
  return { acronym, fullForms, initials, ownSynonyms, synonyms }
})

/**
 * The expansion by acronym and by each of its variants: `ue` and `uuee`. That of the acronym `num` also has the key
 * `NUM`, the stem of `numAcronym`.
 */
export const expansionsByAcronym: ReadonlyMap<string, Expansion> = new Map(
  acronymsWithWords.flatMap(({ acronym, fullForms, ownSynonyms, synonyms }) => {
    const { letters, variants, isUpperCaseOnly } = acronym
    const expansion = { synonyms, fullFormStems: fullForms.map((forms) => forms.map(stemWord)), isUpperCaseOnly }
    const keys = [letters, ...variants, ...ownSynonyms.map(({ stem }) => stem)]
    return keys.map((key): [string, Expansion] => [key, expansion])
  }),
)

/** The root of the trie of all phrases that an acronym stands for. */
export const acronymPhrases: PhraseNode = createPhraseNode()
for (const acronymWords of acronymsWithWords) addPhrasesOf(acronymWords)

/**
 * Adds to the trie the phrases of an acronym:
 *
 * phrase         | from        | has the acronym as | further synonyms
 * `p g o u`      | initials    | joined form        | the words of the full forms and the initials
 * `plan parcial` | full form   | synonym            | the initials
 * `p parcial`    | full form   | synonym            | `plan`
 * `pla parcial`  | translation | synonym            | the words of the full forms and the initials
 */
function addPhrasesOf({ acronym, fullForms, initials, ownSynonyms, synonyms }: AcronymWords): void {
  const { letters } = acronym
  const acronymWord = createPlainWord(letters)
  // A joined form, so that a prefix such as `pgo*` finds `P. G. O. U.`
  if (acronym.initials.length > 0) addPhrase(acronym.initials, letters, synonyms).joinedForms.push(acronymWord)
  for (const fullForm of fullForms) {
    // With the initials, the term `P. G. O. U.` finds the full form.
    addPhrase(fullForm, letters, [acronymWord, ...initials, ...ownSynonyms])
    // `P. Parcial` abbreviates only the first word. `a definitiva` is excluded: its `a` is a preposition.
    const [first, second, third] = fullForm
    const [initial] = acronym.initials
    const hasTwoWords = first !== undefined && second !== undefined && third === undefined
    if (hasTwoWords && initial !== undefined && initial !== 'a') {
      addPhrase([initial, second], letters, [acronymWord, createPlainWord(first)])
    }
  }
  for (const translation of acronym.translations) {
    addPhrase(translation.split(' '), letters, [acronymWord, ...synonyms])
  }
}

/** Adds a phrase to the trie and returns its last node. If two acronyms have the phrase, its acronym is the first. */
function addPhrase(forms: readonly string[], acronym: string, synonyms: readonly Word[]): PhraseNode {
  const queryStems = forms.map((form) => toQueryStem(stemWord(form)))
  const node = addNode(acronymPhrases, queryStems)
  node.acronym ??= acronym
  node.synonyms.push(...synonyms.filter(({ stem }) => !node.synonyms.some((known) => known.stem === stem)))
  return node
}

function uniqueByForm(words: readonly Word[]): Word[] {
  return [...new Map(words.map((word) => [word.form, word])).values()]
}
