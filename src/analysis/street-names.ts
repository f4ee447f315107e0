// Street names in titles. A title may leave out the kind of street (`Infantas, 5`). The analyser then adds to the title
// that the kind before the name is missing, so that `calle infantas` finds it and `calle mayor` does not find
// `Plaza Mayor`.
import { labelAcronyms } from './abbreviations.ts'
import { stemWord } from './stemmer.ts'
import type { Word } from './word.ts'

const toStems = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).map(stemWord))

const streetKinds = toStems(
  `alameda avenida bulevar calle calleja callejon camino carrera carretera corredera costanilla cuesta glorieta paseo
  pasadizo pasaje plaza plazuela rambla ronda senda travesia vereda`,
)

/** Other things that have a name. Their name is not that of a street: `Colegio Mayor, 5`. */
const namedThings = toStems(
  `area barriada barrio casa castillo centro cerro cementerio cine ciudad colegio colonia convento edificio ermita
  estacion estadio fabrica finca hospital hotel iglesia instituto jardin manzana mercado monasterio museo palacio parcela
  parque parroquia poblado poligono puente puerta residencia sector teatro torre unidad universidad urbanizacion zona`,
)

/** Words that are never part of a street name: those between two streets, and those of a plan or of a part of it. */
const nonNameWords: ReadonlySet<string> = new Set([
  ...['y', 'e', 'con', 'esquina', 'esq', 'cv', 'entre'],
  ...toStems(
    `ambito aprobacion correccion definitivo delimitacion detalle edificabilidad ejecucion especial estudio expediente
    anexo fase homologacion innovacion modificacion ordenacion parcial plan proyecto puntual reforma rehabilitacion
    reparcelacion uso vivienda`,
  ),
])

/** Labels that an address follows: `ED Infantas, 5`. After the label of an area comes the name of the area. */
const addressLabels: ReadonlySet<string> = new Set(['ed', 'pe'])

const numberStem = stemWord('numero')

/** Words of a street name, without stop words. */
const nameWordsMax = 6

/** A word of a text as these rules need it. */
export interface TitleWord extends Word {
  readonly isStopWord: boolean
  /** The stem of the full word of an abbreviation. */
  readonly queryStem: string
}

export function isStreetKind({ stem }: Word): boolean {
  return streetKinds.has(stem)
}

/** The stem that says that the kind of street before a name is missing. No stem of a word starts with a space. */
export function unnamedKindStem(nameStem: string): string {
  return ` ${nameStem}`
}

export function isUnnamedKind(stem: string): boolean {
  return stem.startsWith(' ')
}

/**
 * Calls `visit` with the position of each word that may be the start of a street name without its kind: the first word
 * of the title, or the first after `ED.16.202`; and the words before a house number, back to the kind of street, the
 * named thing or the other word before them. `isInCode` says that the word is part of a code, so that a number in it is
 * not a house number.
 */
export function visitUnnamedKinds(
  words: readonly TitleWord[],
  isInCode: (position: number) => boolean,
  visit: (position: number) => void,
): void {
  let namePositions: number[] = []
  let hasKind = false
  let isAtStart = true
  for (const [position, { form, queryStem, isStopWord }] of words.entries()) {
    const isNumber = /^\d/.test(form)
    const isCode = isInCode(position) || labelAcronyms.has(form)
    if (isNumber && !hasKind && !isCode) for (const each of namePositions.slice(-nameWordsMax)) visit(each)
    if (isNumber || isCode || nonNameWords.has(form) || nonNameWords.has(queryStem)) {
      namePositions = []
      hasKind = false
      isAtStart &&= isNumber || addressLabels.has(form)
    } else if (streetKinds.has(queryStem) || namedThings.has(queryStem)) {
      hasKind = true
      isAtStart = false
    } else if (!isStopWord && queryStem !== numberStem) {
      namePositions.push(position)
      if (isAtStart) visit(position)
      isAtStart = false
    }
  }
}
