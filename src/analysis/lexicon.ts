// Lexicon of the analyser. It has for each word, by its folded form (in lower case, without accents), the stem, the
// synonyms, and the phrases that have an acronym and start with the word. `edif` has the stem `edif` and the synonym
// `edificio`; `plan` starts the phrase `plan parcial`, which has the acronym `pp`. It looks words up in full-words.ts,
// acronym-expansions.ts, the stop words and a few lists below. subtoken-words.ts asks it for the words of texts and of
// search terms (`wordOf`).
import { cedillaSpellings, ordinals } from './abbreviations.ts'
import { acronymPhrases } from './acronym-expansions.ts'
import { basqueStems, fullWords, ligatureWordsByTail, nameStems } from './full-words.ts'
import { createPlainWord, type LexiconWord, toLexiconWord, withOwnStem } from './lexicon-word.ts'
import { isBasqueForm } from './other-languages.ts'
import { stemWord } from './stemmer.ts'
import { stopWords } from './stop-words.ts'
import type { Word } from './word.ts'
import { WordCache } from './word-cache.ts'
import { classOf, isOfClass } from './word-classes.ts'

export type { LexiconWord } from './lexicon-word.ts'

/** `cruces` is the plural of both `cruz` and `cruce`: it has the stem of `cruz`, and `cruce` is its synonym. */
const otherSingulars: ReadonlyMap<string, readonly Word[]> = new Map([['cruces', [createPlainWord('cruce')]]])

/** What an acronym says besides its full form: the `PGOUM` is the plan of Madrid. */
const otherWords: ReadonlyMap<string, readonly Word[]> = new Map([
  ...otherSingulars,
  ['pgoum', [createPlainWord('madrid')]],
])

/** The synonym of each ordinal in words, by its stem: for `segunda`, the word with the form `2` and the stem `2º`. */
const ordinalsInDigits: ReadonlyMap<string, readonly Word[]> = new Map(
  ordinals.map((ordinal, index) => [stemWord(ordinal), [createPlainWord(String(index + 1), `${index + 1}º`)]]),
)

const cache = new WordCache<LexiconWord>()

/**
 * The word with this folded form: for `edif`, the word with the synonym `edificio`. For a form that is in no table, a
 * word with only its form and its stem.
 */
export function wordOf(form: string): LexiconWord {
  const cached = cache.get(form)
  if (cached !== undefined) return cached
  // Only words that start with a letter are in the tables. Digits sort before letters, so a number needs no look-up.
  const word = form < 'a' ? createPlainWord(form) : createWord(form, stemWord(form))
  cache.set(form, word)
  return word
}

/**
 * Creates a word with what the tables say about its form and about `ownStem`, its stem before it is looked up.
 *
 * form    | `ownStem` | stem        | query stem  | synonym    | table
 * `suelo` | `suelo`   | `suelo`     | `suelo`     | none       | none
 * `fco`   | `fco`     | `francisco` | `francisco` | none       | `nameAbbreviations`
 * `edif`  | `edif`    | `edif`      | `edificio`  | `edificio` | `abbreviations`
 * `ue01`  | `ue1`     | `ue1`       | `ue1`       | none       | none
 *
 * Only an abbreviation of `nameAbbreviations` has the stem of the full word, so that quoted phrases find it too.
 */
export function createWord(form: string, ownStem: string): LexiconWord {
  const stem = nameStems.get(ownStem) ?? ownStem
  const fullForms = fullWords.get(stem) ?? noWords
  const queryStem = fullForms[0]?.stem ?? stem
  const otherSynonyms = ordinalsInDigits.get(stem) ?? otherWords.get(form) ?? noWords
  return toLexiconWord(form, stem, queryStem, {
    synonyms: fullForms.length === 0 ? otherSynonyms : [...fullForms, ...otherSynonyms],
    otherQueryStems: [...fullForms.slice(1), ...(otherSingulars.get(form) ?? [])].map((word) => word.stem),
    isStopWord: stopWords.has(form),
    wordClass: toClass(form, stem, queryStem),
    ligatureWordsByHead: ligatureWordsByTail.get(stem),
    phrases: acronymPhrases.children.get(queryStem),
  })
}

function toClass(form: string, stem: string, queryStem: string): string {
  if (ordinalsInDigits.has(stem)) return form.endsWith('a') ? 'q' : 'O'
  const wordClass = classOf(form, queryStem, stopWords.has(form))
  const isBasque = isBasqueForm(form) || (stem !== queryStem && basqueStems.has(stem))
  if (isBasque && isOfClass(wordClass, 'MODIFICATION')) return 'b'
  return isBasque && isOfClass(wordClass, 'THING') ? 'B' : wordClass
}

const noWords: readonly Word[] = []

/**
 * The words of `cedillaSpellings` by form: for `placa`, the word of `plaça` and its full word, `plaza`. The word of
 * `plaça` has the stem of `placa` and the query stem of `plaza`. A term with it searches for both stems, because some
 * sources lose the ç.
 */
export const cedillaWords: ReadonlyMap<string, { readonly word: LexiconWord; readonly fullWord: LexiconWord }> =
  new Map(
    cedillaSpellings.map((line) => {
      const [fullForm = '', form = ''] = line.split(' ')
      const fullWord = wordOf(fullForm)
      return [
        form,
        { word: withOwnStem(wordOf(form), fullWord.queryStem, { wordClass: fullWord.wordClass }), fullWord },
      ]
    }),
  )
