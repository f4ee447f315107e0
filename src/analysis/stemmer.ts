// Light stemmer for Spanish: `aprobado` and `aprobación` both become `aprobar`. It conflates number and gender
// (`rústica`, `rústicos`) and verb forms (`urbanizable`, `urbanizar`). The Snowball stemmer conflates too much for
// planning texts (plan and plano, plaza and plazo, orden and ordenanza) and separates unidad from unidades and uso from
// usos. Most stems are words (a singular, a masculine or an infinitive), so a reader of the index understands them.
import { toSingularOfOtherLanguage } from './other-languages.ts'
import { irregularStems, nounsInA, singularsInS, unstemmedWords } from './stem-exceptions.ts'

/**
 * The stem of a folded word: `plan` for `planes`. A number loses its leading zeros: `3` for `03`. Any other form that
 * has not only the letters a to z is its own stem: `ue1`.
 */
export function stemWord(form: string): string {
  if (!letters.test(form)) return digits.test(form) ? form.replace(/^0+(?=\d)/, '') : form
  const irregular = irregularStems.get(form)
  if (irregular !== undefined) return irregular
  if (form.length < stemmedLettersMin) return form
  if (unstemmedWords.has(form)) return form
  const foreign = toSingularOfOtherLanguage(form)
  if (foreign !== form) return irregularStems.get(foreign) ?? toLemma(foreign)
  const singular = toSingular(form)
  return singular === form ? toLemma(form) : (irregularStems.get(singular) ?? toLemma(singular))
}

const letters = /^[a-z]+$/
const digits = /^\d+$/

/** In a shorter word, an ending cannot be told from the root. */
const stemmedLettersMin = 4

/** A shorter root is not taken for that of a verb, because `estación` and `estado` (`est-`) are unrelated. */
const rootLettersMin = 4

/** A shorter word in -mente is not taken for an adverb, because `clemente` and `vehemente` are adjectives. */
const adverbLettersMin = 10

/** The singular of a word: `calle` for `calles`, `plan` for `planes`. A word that is no plural stays as it is. */
function toSingular(word: string): string {
  if (!word.endsWith('s') || singularsInS.has(word)) return word
  if (word.endsWith('as') || word.endsWith('os')) return word.slice(0, -1)
  // Loanwords (`chalets`, `parkings`) and Catalan plurals (`unitats`). A word whose singular would have fewer than
  // `stemmedLettersMin` letters stays as it is.
  if (/[^aeious]s$/.test(word)) return word.length > stemmedLettersMin ? word.slice(0, -1) : word
  if (!word.endsWith('es')) return word
  // `marqueses` is the plural of `marqués`. The rules for -s apply to the singular too, so both get the same stem.
  if (word.endsWith('eses')) return toSingular(word.slice(0, -2))
  // `-es` is the plural of a word in -e (`calles`, `fases`) or in a consonant (`planes`, `redes`).
  const root = word.slice(0, -2)
  return rootBeforeE.test(root) ? root : word.slice(0, -1)
}

/**
 * The end of a root after which -es may be the plural of a word in a consonant (`planes`: plan) or in -e (`cines`:
 * cine). The two cannot be told apart, so both lose -es, and the stem of `cine` has no -e either (`cin`). Matches the
 * end of `plan`, `calidad` and `taller`, but not of `calle` without its -e (`call`) or `fase` (`fas`).
 */
const rootBeforeE = /(?:[aeiou][lnry]|[aeiu]d)$/

/** The stem of a singular word: an infinitive, a masculine, or the word itself with small changes at its end. */
function toLemma(word: string): string {
  if (word.length < stemmedLettersMin || unstemmedWords.has(word)) return word
  if (word.endsWith('mente') && word.length >= adverbLettersMin) return toLemma(word.slice(0, -'mente'.length))
  const verb = findInfinitive(word)
  if (verb !== undefined) return verb
  // `promotora` is the feminine of `promotor`.
  if (/[dts]ora$/.test(word)) return word.slice(0, -1)
  // The Galician `unidade` and `cidade` keep their -e: this rule is for Spanish words.
  if (word.endsWith('e') && !word.endsWith('dade') && rootBeforeE.test(word.slice(0, -1))) return word.slice(0, -1)
  // `cauce` and `cauces`, `directriz` and `directrices` all get a stem in -c.
  if (word.endsWith('ce')) return word.slice(0, -1)
  if (word.endsWith('z')) return `${word.slice(0, -1)}c`
  if (word.endsWith('a') && !nounsInA.has(word)) return `${word.slice(0, -1)}o`
  return word
}

/**
 * The endings of participles (`aprobado`), verbal nouns (`aprobación`), adjectives (`urbanizable`), infinitives and
 * gerunds, each list with the ending of the infinitive that replaces them. They also cover Catalan words:
 * `homologació`, `urbanitzable`. Verbs in -er get -ir, because most of their forms have the endings of verbs in -ir.
 */
const verbEndings: readonly (readonly [RegExp, string])[] = [
  [/(?:acion?|ad[oa]|able|ar|ando)$/, 'ar'],
  [/(?:icion|id[oa]|ible|[ei]r|iendo|yendo)$/, 'ir'],
]

/**
 * The infinitive of a form of a verb: `aprobar` for `aprobado`. Undefined if the word has no ending of a verb, if its
 * root is too short, or if it is one of `nounsInA` (`calzada`).
 */
function findInfinitive(word: string): string | undefined {
  if (nounsInA.has(word)) return undefined
  for (const [ending, infinitiveEnding] of verbEndings) {
    const match = ending.exec(word)
    // The index of the ending is the number of letters before it.
    if (match !== null && match.index >= rootLettersMin) {
      // The Catalan `urbanitzar` is `urbanizar`.
      return word.slice(0, match.index).replace(/itz$/, 'iz') + infinitiveEnding
    }
  }
  return undefined
}
