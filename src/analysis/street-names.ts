// Street names in titles. A title may leave out the kind of street: `Infantas, 5`. Then the analyser indexes a synonym
// with it which says that the kind before `Infantas` is missing (`missingKindStem`). The term `calle infantas` searches
// for `calle` or for that synonym, so it finds `Infantas, 5`. `Plaza Mayor` has no such synonym, so `calle mayor` does
// not find it.
import { labelAcronyms } from './abbreviations.ts'
import { isCornerWord } from './corners.ts'
import { isInNoNumberMark } from './no-number-mark.ts'
import { stemWord } from './stemmer.ts'
import type { Word } from './word.ts'

const toStems = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).map(stemWord))

const streetKinds = toStems(
  `alameda avenida bulevar calle calleja callejon camino carrera carretera corredera costanilla cuesta glorieta paseo
  pasadizo pasaje plaza plazuela rambla ronda senda travesia vereda`,
)

/** Other things that have a name: in `Colegio Mayor, 5`, `Mayor` is the name of a school, not of a street. */
const namedThings = toStems(
  `area barriada barrio casa castillo centro cerro cementerio cine ciudad colegio colonia convento edificio ermita
  estacion estadio fabrica finca hospital hotel iglesia instituto jardin manzana mercado monasterio museo palacio
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

/** What these rules need to know of a word of a title. */
export interface TitleWord extends Word {
  readonly isStopWord: boolean
  /** The stem that a term with this word searches for; for an abbreviation, that of its full word. */
  readonly queryStem: string
}

/**
 * Whether the word is a kind of street: true for `calle`, `C/` and `avda`. The abbreviations have the query stem of the
 * full word.
 */
export function isStreetKind({ queryStem }: Pick<TitleWord, 'queryStem'>): boolean {
  return streetKinds.has(queryStem)
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

/**
 * Finds the words at which a street name without its kind may start, and returns their positions: 0 for `Infantas, 5`.
 * Before a house number nothing tells where the name starts, so several words may be found. There are two cases:
 * - the first word of the title, and the first word after the word for a corner, if it may be a name. Stop words,
 *   numbers and address labels (`ED.16.202`) may stand before it;
 * - up to `nameWordsMax` words before a house number or `s/n`, back to the last number, corner, code or word of
 *   `nonNameWords`. If a kind of street or a named thing is among these words, there is no such name.
 *
 * title                          | words found        | why
 * `Infantas, 5`                  | `infantas`         | both cases
 * `Serrano c/v Goya`             | `serrano`, `goya`  | first word, and first word after a corner
 * `Proyecto en Ortega Gasset, 5` | `ortega`, `gasset` | before a house number, back to `proyecto`
 * `Plaza Mayor, 5`               | none               | a kind of street
 * `Plaza Mayor y Sol, 5`         | `sol`              | "and" after a kind of street or a named thing starts a name
 * `Hotel en Infantas, 5`         | `infantas`         | `en` after a named thing starts a name too
 *
 * `codePositions` are positions of words of codes such as `UE-1`, whose numbers are not house numbers. A position may
 * occur twice in the result.
 */
export function findNamesWithoutKind(words: readonly TitleWord[], codePositions: ReadonlySet<number>): number[] {
  const found: number[] = []
  /** The positions of the words that may be a name, since the last number, corner, code or non-name word. */
  let namePositions: number[] = []
  /** What is among the words since then: a kind of street or, if there is none, a named thing (`namedThings`). */
  let kind: 'streetKind' | 'namedThing' | undefined
  /** Whether only numbers, address labels and stop words came before, in the title or since the last corner. */
  let isAtStart = true
  for (const [position, { form }] of words.entries()) {
    const startsOtherStreet = (kind !== undefined && conjunctions.has(form)) || (kind === 'namedThing' && form === 'en')
    const role = startsOtherStreet ? 'boundary' : findRole(words, position, codePositions)
    if (role === 'houseNumber' && kind === undefined) found.push(...namePositions.slice(-nameWordsMax))
    switch (role) {
      case 'corner':
      case 'houseNumber':
      case 'addressLabel':
      case 'codeNumber':
      case 'boundary':
        namePositions = []
        kind = undefined
        if (role === 'corner') isAtStart = true
        if (role === 'boundary') isAtStart = false
        break
      case 'streetKind':
      case 'namedThing':
        // The thing of `Plaza del Mercado` is part of the name of a street.
        if (kind !== 'streetKind') kind = role
        isAtStart = false
        break
      case 'name':
        namePositions.push(position)
        if (isAtStart) found.push(position)
        isAtStart = false
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

function findRole(words: readonly TitleWord[], position: number, codePositions: ReadonlySet<number>): WordRole {
  const word = words[position] as TitleWord
  const { form, queryStem, isStopWord } = word
  if (isCornerWord(word, words[position - 1], words[position + 1])) return 'corner'
  const isNumber = /^\d/.test(form) || isInNoNumberMark(words, position)
  const isCode = codePositions.has(position) || labelAcronyms.has(form)
  if (isNumber) return isCode ? 'codeNumber' : 'houseNumber'
  if (addressLabels.has(form)) return 'addressLabel'
  if (isCode || nonNameWords.has(queryStem)) return 'boundary'
  // Some abbreviations of named things, such as `edif`, have the stem of the full word only as `queryStem`.
  if (streetKinds.has(queryStem)) return 'streetKind'
  if (namedThings.has(queryStem)) return 'namedThing'
  return isStopWord || queryStem === numberStem ? 'ignored' : 'name'
}
