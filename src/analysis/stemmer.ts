// The stem of a Spanish word: what a word of a term and a word of a text have in common. It brings together number
// and gender (`rústica`, `rústicos`) and the forms of a verb that plans are full of (`aprobado`, `aprobación`,
// `urbanizable`, `urbanizar`), and nothing else: the Snowball stemmer, which libraries offer, also makes one of plan
// and plano, plaza and plazo, orden, ordenación and ordenanza, and two of unidad and unidades, uso and usos.
// Stems are words themselves (a singular, a masculine, an infinitive), so that an index can be read.
import { irregularStems, keptFeminines, keptPlurals, keptWords } from './stem-exceptions.ts'

/** The stem of a folded word. Whatever is not made of plain letters is its own stem; numbers lose leading zeros. */
export function stemWord(form: string): string {
  if (!letters.test(form)) return digits.test(form) ? form.replace(/^0+(?=\d)/, '') : form
  const irregular = irregularStems.get(form)
  if (irregular !== undefined) return irregular
  if (form.length < stemmedLettersMin) return form
  if (keptWords.has(form)) return form
  const singular = toSingular(form)
  return singular === form ? toLemma(form) : (irregularStems.get(singular) ?? toLemma(singular))
}

const letters = /^[a-z]+$/
const digits = /^\d+$/

/** Shorter words are too few letters to tell an ending from a root. */
const stemmedLettersMin = 4

/** A verb's root that short is no root: `estación` and `estado` share nothing. */
const rootLettersMin = 4

function toSingular(word: string): string {
  if (!word.endsWith('s') || keptPlurals.has(word)) return word
  if (word.endsWith('as') || word.endsWith('os')) return word.slice(0, -1)
  // Words from other languages (`chalets`, `parkings`) and Catalan plurals (`unitats`).
  if (/[^aeious]s$/.test(word)) return word.length > stemmedLettersMin ? word.slice(0, -1) : word
  if (!word.endsWith('es')) return word
  // `-es` is the plural of a word in -e (`calles`, `fases`, `puentes`) or of one in a consonant (`planes`, `redes`).
  const root = word.slice(0, -2)
  if (/(?:[aeiou][lnry]|[aeiu]d)$/.test(root)) return root
  return word.slice(0, -1)
}

function toLemma(word: string): string {
  if (word.length < stemmedLettersMin || keptWords.has(word)) return word
  if (word.endsWith('mente') && word.length >= 10) return toLemma(word.slice(0, -5))
  const verb = toInfinitive(word)
  if (verb !== undefined) return verb
  if (/(?:[dts]or)a$/.test(word)) return word.slice(0, -1)
  // `cauces` and `cauce`, `directrices` and `directriz` meet in the c.
  if (word.endsWith('ce')) return word.slice(0, -1)
  if (word.endsWith('z')) return `${word.slice(0, -1)}c`
  if (word.endsWith('a') && !keptFeminines.has(word)) return `${word.slice(0, -1)}o`
  return word
}

/** Of Catalan words too: `homologació`, `urbanitzable`. */
const verbEndings: readonly (readonly [RegExp, string])[] = [
  [/(?:acion?|ad[oa]|able|ar|ando)$/, 'ar'],
  [/(?:icion|id[oa]|ible|[ei]r|iendo|yendo)$/, 'ir'],
]

function toInfinitive(word: string): string | undefined {
  if (keptFeminines.has(word)) return undefined
  for (const [ending, infinitive] of verbEndings) {
    const match = ending.exec(word)
    if (match !== null && match.index >= rootLettersMin) {
      return word.slice(0, match.index).replace(/itz$/, 'iz') + infinitive
    }
  }
  return undefined
}
