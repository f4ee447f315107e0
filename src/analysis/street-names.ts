// Streets. A kind of street belongs to the name after it: every text is indexed with the stem `calle mayor` for
// `C/ Mayor`, and the term `calle mayor` searches for it, so it does not find `Obra mayor en C/ Sol`. A title may leave
// out the kind before a house number: `Infantas, 5`. Then it is indexed with a stem which says that the kind is missing
// (`missingKindStem`), for which the term `calle infantas` searches too.
import { labelAcronyms } from './abbreviations.ts'
import { isCornerWord } from './corners.ts'
import { type LexiconWord, wordOf } from './lexicon.ts'
import { steps } from './lexicon-word.ts'
import { isInNoNumberMark } from './no-number-mark.ts'
import { isBasqueStreet } from './other-languages.ts'
import { stemWord } from './stemmer.ts'
import type { TextAnalysis } from './text-analysis.ts'
import { isDigits, isOrdinalInDigits } from './word.ts'
import { isOfClass } from './word-classes.ts'

const toStems = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).map(stemWord))

/** Other things that have a name: in `Colegio Mayor, 5`, `Mayor` is the name of a school, not of a street. */
const namedThings = toStems(
  `area barriada barrio cal can casa castillo centro cerro cementerio cine ciudad colegio colonia convento edificio ermita
  estacion estadio fabrica finca hospital hotel iglesia instituto jardin manzana mas masia mercado monasterio museo palacio
  parcela parque parroquia poblado poligono puente puerta residencia sector teatro torre unidad universidad
  urbanizacion zona`,
)

/** Words that are never part of a street name: those between two streets (`Infantas con Clavel`) and those of plans. */
const nonNameWords = toStems(
  `con entre
  ambito aprobacion correccion definitivo delimitacion detalle edificabilidad ejecucion especial estudio expediente
  anexo fase homologacion innovacion modificacion ordenacion parcial plan proyecto puntual reforma rehabilitacion
  reparcelacion uso vivienda`,
)

/**
 * Labels, which are acronyms for a plan or an area, that an address may follow: those of an "estudio de detalle" and of
 * a "plan especial" (`ED Infantas, 5`). After other labels comes the name of an area (`UE Molinos`).
 */
const addressLabels: ReadonlySet<string> = new Set(['ed', 'pe'])

const numberStem = stemWord('numero')

/**
 * "And". It starts a street without its kind after a street with its kind (`Plaza Mayor y Sol, 5`) and after a named
 * thing (`Hotel Palace y Sol, 5`). Otherwise it is inside a name: `Ortega y Gasset`. `Calle Ortega y Gasset, 5` is read
 * as two streets too, which only adds a synonym.
 */
const conjunctions: ReadonlySet<string> = new Set(['y', 'e'])

/** How many words before a house number may be the street name, not counting stop words. */
const nameWordsMax = 6

/**
 * Whether the word is a kind of street: true for `calle`, `C/` and `avda`. The abbreviations have the query stem of the
 * full word.
 */
export function isStreetKind(word: Pick<LexiconWord, 'steps' | 'wordClass'>): boolean {
  // The bits are faster to compare, and most words have none.
  return (word.steps & steps.streets) !== 0 && isOfClass(word.wordClass, 'STREET')
}

/**
 * The stem that says that the kind of street before a name is missing: a space and the stem of the name, such as
 * ` serrano` for `Serrano, 5`. No other stem starts with a space.
 */
export function missingKindStem(nameStem: string): string {
  return ` ${nameStem}`
}

/** Whether the stem is a result of `missingKindStem`. */
export function isMissingKind(stem: string): boolean {
  return stem.startsWith(' ')
}

/** The stem of a kind of street and its name or its number: `calle mayor`, `calle 5`. */
export function toStreetStem(kindStem: string, nameStem: string): string {
  return `${kindStem} ${nameStem}`
}

/**
 * Adds the stem of each kind of street with each of the words after it that may be its name: `calle ortega` and
 * `calle gasset` for `C/ Ortega y Gasset, 5`; and with each house number: `calle 5`.
 */
export function addStreets({ words, codesByPosition, added }: TextAnalysis): void {
  for (let kindPosition = 0; kindPosition < words.length; kindPosition++) {
    const kind = words[kindPosition] as LexiconWord
    if ((kind.steps & steps.streets) === 0) continue
    if (isBasqueStreet(kind.form)) addBasqueStreet(kind, kindPosition, { words, added })
    // The term `plaza de aparcamiento` finds `dos plazas de aparcamiento`, which are counted.
    const isKind = isStreetKind(kind) || kind.queryStem === squareStem
    if (!isKind) continue
    // The stem of `plaça` is that of `placa`, as sources write it that lose the ç.
    const kindStems = kind.stem === kind.queryStem ? [kind.stem] : [kind.queryStem, kind.stem]
    const toSynonyms = (stems: readonly string[]): LexiconWord[] =>
      kindStems.flatMap((kindStem) => stems.map((stem) => wordOf(toStreetStem(kindStem, stem))))
    const { names, numbers } = findStreetWords(words, kindPosition)
    for (const position of names) {
      const { queryStem } = words[position] as LexiconWord
      const joinedName = codesByPosition.get(position - 1)?.joinedCode ?? codesByPosition.get(position)?.joinedCode
      const synonyms = toSynonyms(joinedName === undefined ? [queryStem] : [queryStem, joinedName.stem])
      added.add({ synonyms }, { first: kindPosition, last: position })
    }
    for (const position of numbers) {
      const synonyms = toSynonyms([(words[position] as LexiconWord).stem])
      added.add({ synonyms }, { first: kindPosition, last: position })
    }
    const numberBefore = findNumberBefore(words, kindPosition)
    if (numberBefore !== undefined) {
      const synonyms = toSynonyms([(words[numberBefore] as LexiconWord).stem])
      added.add({ synonyms }, { first: numberBefore, last: kindPosition })
    }
  }
}

/**
 * The positions of the words after a kind of street that may be its name, and of its house numbers. The name ends at a
 * number or at another kind.
 */
export function findStreetWords(
  words: readonly LexiconWord[],
  kindPosition: number,
): { readonly names: readonly number[]; readonly numbers: readonly number[] } {
  const names: number[] = []
  const numbers: number[] = []
  const isBasqueKind = isBasqueStreet(words[kindPosition]?.form ?? '')
  let isAfterNumber = false
  for (let position = kindPosition + 1; position <= kindPosition + streetWordsMax; position++) {
    const word = words[position]
    if (word === undefined || isStreetKind(word) || endsOfName.has(word.form)) break
    if (isDigits(word)) {
      if (isNumberOfThing(words, position, names.length)) break
      // The 12 of `calle 12 de Octubre` is part of the name, the 5 of `Eder kalea 5` is not.
      isAfterNumber = names.length > 0
      if (isAfterNumber || isBasqueKind) numbers.push(position)
    } else if (!word.isStopWord && !isOfClass(word.wordClass, 'LINK')) {
      if (isAfterNumber) break
      if (names.length < streetNamesMax) names.push(position)
    }
  }
  return { names, numbers }
}

/** Whether the number at the position is that of another thing: the 5 of `calle Mayor, parcela 5` or of `5 viviendas`. */
function isNumberOfThing(words: readonly LexiconWord[], position: number, nameCount: number): boolean {
  const word = words[position] as LexiconWord
  const next = words[position + 1]
  const before = words[position - 1] as LexiconWord
  if (isOrdinalInDigits(word) || (next !== undefined && isOfClass(next.wordClass, 'COUNTED'))) return true
  return nameCount > 1 && isOfClass(before.wordClass, 'THING')
}

/** The position of the 5 of `nº 5 de la calle Mayor`. */
function findNumberBefore(words: readonly LexiconWord[], kindPosition: number): number | undefined {
  let position = kindPosition - 1
  while (words[position]?.isStopWord) position--
  const word = words[position]
  return word !== undefined && isDigits(word) && position < kindPosition - 1 ? position : undefined
}

/** Adds the stems of a Basque street, whose name stands before the kind: `calle eder` for `Bista Eder kalea`. */
function addBasqueStreet(
  kind: LexiconWord,
  kindPosition: number,
  { words, added }: Pick<TextAnalysis, 'words' | 'added'>,
): void {
  for (let position = kindPosition - 1; position >= Math.max(0, kindPosition - basqueNamesMax); position--) {
    const word = words[position] as LexiconWord
    if (word.isStopWord || isDigits(word) || isOfClass(word.wordClass, 'STREET')) return
    const synonyms = [wordOf(toStreetStem(kind.queryStem, word.queryStem))]
    added.add({ synonyms }, { first: position, last: kindPosition })
  }
}

const basqueNamesMax = 3
const workStem = stemWord('obra')
const squareStem = stemWord('plaza')

/** Prepositions that no street name contains: `avenida de nuevo trazado en Carmona`. */
const endsOfName: ReadonlySet<string> = new Set('en para por entre desde hasta sobre'.split(' '))

/** The most words after a kind of street that are read, and the most that may be its name. */
const streetWordsMax = 10
const streetNamesMax = 4

/**
 * Finds the words at which a street name without its kind may start, and returns their positions: 0 for `Infantas, 5`.
 * Before a house number nothing tells where the name starts, so several words may be found:
 * - up to `nameWordsMax` words before a house number, `s/n` or the word for a corner, back to the last number, corner,
 *   code or word of `nonNameWords`. If a kind of street or a named thing is among these words, there is no such name;
 * - the first word after the word for a corner, or after the number of a label that an address follows (`ED.16.202`).
 *
 * title                          | words found        | why
 * `Infantas, 5`                  | `infantas`         | before a house number
 * `Infantas`                     | none               | no number follows: it may be a town
 * `Serrano c/v Goya`             | `serrano`, `goya`  | before a corner, and first word after it
 * `Proyecto en Ortega Gasset, 5` | `ortega`, `gasset` | before a house number, back to `proyecto`
 * `Plaza Mayor, 5`               | none               | a kind of street
 * `Plaza Mayor y Sol, 5`         | `sol`              | "and" after a kind of street or a named thing starts a name
 * `Hotel en Infantas, 5`         | `infantas`         | `en` after a named thing starts a name too
 *
 * `codePositions` are positions of words of codes such as `UE-1`, whose numbers are not house numbers. A position may
 * occur twice in the result.
 */
export function findNamesWithoutKind(words: readonly LexiconWord[], codePositions: ReadonlySet<number>): number[] {
  const found: number[] = []
  /** The positions of the words that may be a name, since the last number, corner, code or non-name word. */
  let namePositions: number[] = []
  /** What is among the words since then: a kind of street or, if there is none, a named thing (`namedThings`). */
  let kind: 'streetKind' | 'namedThing' | undefined
  /** Whether only stop words came since the last corner, or since the number of a label such as `ED.16.202`. */
  let mayStartName = false
  let isAddressLabel = false
  /** Whether the word before was the number of a street without its kind: `Infantas, 5 y 7`. */
  let isAfterNumber = false
  for (const [position, { form }] of words.entries()) {
    const startsOtherStreet = (kind !== undefined && conjunctions.has(form)) || (kind === 'namedThing' && form === 'en')
    const role = startsOtherStreet ? 'boundary' : findRole(words, position, codePositions)
    const endsName = role === 'houseNumber' || role === 'corner'
    if (endsName && kind === undefined) found.push(...namePositions.slice(-nameWordsMax))
    // The number too: the term `calle infantas 5` searches for ` 5`.
    if (role !== 'ignored') {
      const isAfterName = kind === undefined && namePositions.length > 0
      isAfterNumber =
        role === 'houseNumber' && (isAfterName || isAfterNumber) && isDigits(words[position] as LexiconWord)
      if (isAfterNumber) found.push(position)
    }
    switch (role) {
      case 'corner':
      case 'houseNumber':
      case 'addressLabel':
      case 'codeNumber':
      case 'boundary':
        namePositions = []
        kind = undefined
        if (role !== 'codeNumber') isAddressLabel = role === 'addressLabel'
        mayStartName = role === 'corner' || (role === 'codeNumber' && isAddressLabel)
        break
      case 'streetKind':
      case 'namedThing':
        // The thing of `Plaza del Mercado` is part of the name of a street.
        if (kind !== 'streetKind') kind = role
        mayStartName = false
        break
      case 'name':
        namePositions.push(position)
        if (mayStartName) found.push(position)
        mayStartName = false
        break
      case 'ignored':
        break
    }
  }
  return found
}

/**
 * What a word of a title is in an address:
 * - `corner`: the word for a corner, after which another address follows;
 * - `houseNumber`: a number that is not part of a code, or `s/n`;
 * - `addressLabel`: a label that an address may follow (`ED`);
 * - `codeNumber`: the number of a code. It changes nothing: an address may follow `ED-1`, because it may follow `ED`,
 *   but not `UE-1`, whose `UE` is a boundary;
 * - `boundary`: any other code or label, or a word of `nonNameWords`;
 * - `streetKind`: a kind of street;
 * - `namedThing`: another thing that has a name;
 * - `name`: a word that may be part of a street name;
 * - `ignored`: a stop word or the word "number".
 */
type WordRole =
  | 'corner'
  | 'houseNumber'
  | 'addressLabel'
  | 'codeNumber'
  | 'boundary'
  | 'streetKind'
  | 'namedThing'
  | 'name'
  | 'ignored'

function findRole(words: readonly LexiconWord[], position: number, codePositions: ReadonlySet<number>): WordRole {
  const word = words[position] as LexiconWord
  const { form, queryStem, isStopWord } = word
  if (isCornerWord(word, words[position - 1], words[position + 1])) return 'corner'
  const isNumber = /^\d/.test(form) || isInNoNumberMark(words, position)
  const isCode = codePositions.has(position) || labelAcronyms.has(form)
  // The number of `ED 16.202` or `ED 07.238`, which is one word or two.
  const before = /^\d/.test(words[position - 1]?.form ?? '') ? words[position - 2] : words[position - 1]
  const isAfterLabel = labelAcronyms.has(before?.form ?? '')
  if (isNumber) return isCode || isAfterLabel ? 'codeNumber' : 'houseNumber'
  if (addressLabels.has(form)) return 'addressLabel'
  // `Obra mayor nº 5` is no address.
  const isKindOfWork = before?.queryStem === workStem && (queryStem === 'mayor' || queryStem === 'menor')
  if (isCode || isKindOfWork || nonNameWords.has(queryStem)) return 'boundary'
  // Some abbreviations of named things, such as `edif`, have the stem of the full word only as `queryStem`.
  if (isStreetKind(word)) return 'streetKind'
  const isThing = (word.steps & steps.rules) !== 0 && isOfClass(word.wordClass, 'THING')
  if (isThing || namedThings.has(queryStem)) return 'namedThing'
  return isStopWord || queryStem === numberStem ? 'ignored' : 'name'
}
