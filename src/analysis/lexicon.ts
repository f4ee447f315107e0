// The words of the analyser as objects: each folded form with its stem, the full word it is short for and the
// abbreviations that may begin with it. Filled from abbreviations.ts; texts and terms are not its business.
import { initials, ligatureWords, ordinals, romanFigures, shortWords } from './abbreviations.ts'
import { stemWord } from './stemmer.ts'
import { stopWords } from './stop-words.ts'
import type { Word } from './word.ts'
import { WordCache } from './word-cache.ts'

export interface KnownWord extends Word {
  /** The stem a term looks for: that of the full word where this is short for one, else its own. */
  readonly meaning: string
  /** What is indexed beside it: the full word; beside an ordinal, its figure. */
  readonly beside: readonly Word[]
  readonly isStopWord: boolean
  /** A figure may follow it: `nº 5`, `fase II`, `UE 12`. */
  readonly isNumbered: boolean
  /** A figure that follows it is its number though it does not say so: `UE-12`, `Modificación 4`. */
  readonly isCounted: boolean
  /** Where it is what a PDF left behind a ligature, the whole word by what stands before: `modi cación`. */
  readonly remainders: ReadonlyMap<string, Word> | undefined
  /** What several words may be short for together when they begin with this one. */
  readonly opens: Pattern | undefined
}

/** A step on the way through words that together have an abbreviation. */
export interface Pattern {
  readonly next: Map<string, Pattern>
  /** Indexed beside the text where the words so far stand in it; `joined` where they are its letters, apart. */
  readonly extras: Word[]
  readonly joined: Word[]
  /** The letters they are abbreviated to, which may be followed by a number: `Unidad de Ejecución 1` is also `UE1`. */
  letters: string | undefined
}

const cache = new WordCache<KnownWord>()

/** The word of a folded form. */
export function wordOf(form: string): KnownWord {
  const cached = cache.get(form)
  if (cached !== undefined) return cached
  const word = form < 'a' ? plainWord(form) : makeWord(form, stemWord(form))
  cache.set(form, word)
  return word
}

/** What the tables know of a word. */
type Known = Omit<KnownWord, keyof Word | 'meaning'>

const nothingKnown: Known = {
  beside: [],
  isStopWord: false,
  isNumbered: false,
  isCounted: false,
  remainders: undefined,
  opens: undefined,
}

/** Every word comes from here: where all are of one shape the compiler need not ask which it has. */
function toKnownWord(form: string, stem: string, meaning: string, known: Known): KnownWord {
  const { beside, isStopWord, isNumbered, isCounted, remainders, opens } = known
  return { form, stem, meaning, beside, isStopWord, isNumbered, isCounted, remainders, opens }
}

/** As the tables have nothing to say of it. */
function plainWord(form: string): KnownWord {
  const stem = stemWord(form)
  return toKnownWord(form, stem, stem, nothingKnown)
}

/** The same word, meant otherwise. */
export function withMeaning(word: KnownWord, meaning: string, isNumbered: boolean = word.isNumbered): KnownWord {
  return toKnownWord(word.form, word.stem, meaning, { ...word, isNumbered })
}

/** A word whose stem is not that of its letters: a sign, an ordinal. */
export function makeWord(form: string, stem: string): KnownWord {
  const full = fullWords.get(stem)
  const isCounted = countedStems.has(full?.stem ?? stem)
  return toKnownWord(form, stem, full?.stem ?? stem, {
    beside: full === undefined ? (figures.get(stem) ?? []) : [full],
    isStopWord: stopWords.has(form),
    isNumbered: numberedStems.has(stem) || isCounted,
    isCounted,
    remainders: remainders.get(stem),
    opens: patterns.next.get(full?.stem ?? stem),
  })
}

/** By the stem of the abbreviation, so that whatever has the same stem is the same to texts, terms and phrases. */
const fullWords = new Map<string, Word>()
const numberedStems: ReadonlySet<string> = new Set(
  'numero fase etapa poligono sector tomo volumen anexo anejo titulo capitulo parcela parc'.split(' ').map(stemWord),
)
const countedStems: ReadonlySet<string> = new Set(
  ['modificacion', 'innovacion', 'puntual', ...initials.map(({ letters }) => letters)].map(stemWord),
)
const remainders = new Map<string, Map<string, Word>>()
const patterns: Pattern = { next: new Map(), extras: [], joined: [], letters: undefined }

/** The figure with its sign, by the stem of the ordinal: `segunda` is also `2ª`. */
const figures: ReadonlyMap<string, readonly Word[]> = new Map(
  ordinals.map((ordinal, index) => [
    stemWord(ordinal),
    [toKnownWord(String(index + 1), `${index + 1}º`, `${index + 1}º`, nothingKnown)],
  ]),
)

for (const line of [...shortWords, ...initials.map(({ letters, others }) => [letters, ...others].join(' '))]) {
  const [full = '', ...abbreviations] = line.split(' ')
  for (const abbreviation of abbreviations) {
    fullWords.set(stemWord(abbreviation), plainWord(full))
  }
}

for (const [before, behind] of ligatureWords) {
  const whole = plainWord(`${before}fi${behind}`)
  fullWords.set(stemWord(before + behind), whole)
  const stem = stemWord(behind)
  remainders.set(stem, (remainders.get(stem) ?? new Map()).set(before, whole))
}

/** What letters stand for, as words to index beside them. */
export interface Meaning {
  readonly extras: readonly Word[]
  readonly inCapitals: boolean
}

export const meanings: ReadonlyMap<string, Meaning> = new Map(
  initials.flatMap(({ letters, others, apart, meanings, translations, inCapitals }) => {
    // Written apart (`P. G. O. U.`) the letters are words; those that are stop words no term insists on.
    const inFull = meanings.map((meaning) => meaning.split(' ').filter((form) => !stopWords.has(form)))
    const insistedOn = apart.filter((form) => !stopWords.has(form))
    const extras = [...new Set([...inFull.flat(), ...insistedOn])].map(plainWord)
    const abbreviation = plainWord(letters)
    if (apart.length > 0) addPattern(apart, letters, extras).joined.push(abbreviation)
    for (const forms of inFull) {
      addPattern(forms, letters, [abbreviation, ...insistedOn.map(plainWord)])
      // `P. Parcial` leaves the second word whole.
      const [first, second] = forms
      const isPair = forms.length === 2 && first !== undefined && second !== undefined
      // But `a definitiva` is no approval.
      if (isPair && apart[0] !== undefined && apart[0] !== 'a')
        addPattern([apart[0], second], letters, [abbreviation, plainWord(first)])
    }
    for (const forms of translations) addPattern(forms.split(' '), letters, [abbreviation, ...extras])
    return [letters, ...others].map((spelling): [string, Meaning] => [spelling, { extras, inCapitals }])
  }),
)

/** The word for "number", however it is abbreviated. */
export const numberWord: KnownWord = wordOf('numero')

/** Its sign, `nº`: the same word to a term, and no beginning of it. */
export const numberSign: KnownWord = makeWord('nº', numberWord.stem)

/** What a term means by `no.`, with its dot: beside every number, and beside every `no.`; `no` itself means no. */
export const dottedNo: KnownWord = makeWord('no', 'no.')

/** The Roman figure of an Arabic one, and the Arabic one of a Roman. */
export const otherFigure: ReadonlyMap<string, Word> = new Map(
  romanFigures.flatMap((roman, index): [string, Word][] => [
    [roman, wordOf(String(index + 1))],
    [String(index + 1), wordOf(roman)],
  ]),
)

/** The ordinal of a figure written with a sign (`2ª`) and what is indexed beside it. */
export const ordinalWords: ReadonlyMap<string, { readonly sign: KnownWord; readonly full: KnownWord }> = new Map(
  ordinals.map((full, index) => {
    const figure = String(index + 1)
    const word = wordOf(full)
    return [figure, { sign: withMeaning(makeWord(figure, `${figure}º`), word.stem), full: word }]
  }),
)

function addPattern(forms: readonly string[], letters: string, extras: readonly Word[]): Pattern {
  let pattern = patterns
  for (const form of forms) {
    const stem = fullWords.get(stemWord(form))?.stem ?? stemWord(form)
    let next = pattern.next.get(stem)
    if (next === undefined) {
      next = { next: new Map(), extras: [], joined: [], letters: undefined }
      pattern.next.set(stem, next)
    }
    pattern = next
  }
  pattern.letters ??= letters
  pattern.extras.push(...extras.filter((extra) => !pattern.extras.some(({ stem }) => stem === extra.stem)))
  return pattern
}
