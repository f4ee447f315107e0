// Street names in titles. A title may leave out the kind of street (`Infantas, 5`). The analyser then adds a synonym
// that says that the kind before `Infantas` is missing. The term `calle infantas` searches for `calle`, or for that
// synonym; so it finds `Infantas, 5`, but `calle mayor` does not find `Plaza Mayor`.
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

/** Other things that have a name, which is not that of a street: `Colegio Mayor, 5`. */
const namedThings = toStems(
  `area barriada barrio casa castillo centro cerro cementerio cine ciudad colegio colonia convento edificio ermita
  estacion estadio fabrica finca hospital hotel iglesia instituto jardin manzana mercado monasterio museo palacio
  parcela parque parroquia poblado poligono puente puerta residencia sector teatro torre unidad universidad
  urbanizacion zona`,
)

/**
 * Words that are never part of a street name. `con` and `entre` are between two streets (`Infantas con Clavel`) and are
 * compared by form. The others name a plan and are compared by stem.
 */
const nonNameWords: ReadonlySet<string> = new Set([
  ...['con', 'entre'],
  ...toStems(
    `ambito aprobacion correccion definitivo delimitacion detalle edificabilidad ejecucion especial estudio expediente
    anexo fase homologacion innovacion modificacion ordenacion parcial plan proyecto puntual reforma rehabilitacion
    reparcelacion uso vivienda`,
  ),
])

/**
 * Labels that an address may follow, those of an "estudio de detalle" and of a "plan especial": `ED Infantas, 5`. After
 * other labels (`UE Molinos`) comes the name of an area.
 */
const addressLabels: ReadonlySet<string> = new Set(['ed', 'pe'])

const numberStem = stemWord('numero')

/** Inside a name (`Ortega y Gasset`), or between two streets if the first has its kind: `Plaza Mayor y Sol, 5`. */
const conjunctions: ReadonlySet<string> = new Set(['y', 'e'])

/** How many words before a house number may be the street name, not counting stop words. */
const nameWordsMax = 6

/** What these rules need to know of a word of a title. */
export interface TitleWord extends Word {
  readonly isStopWord: boolean
  /** The stem; for an abbreviation, that of its full word. */
  readonly queryStem: string
}

/** `calle`, `C/` or `avda`: the abbreviations of kinds of street have the stem of their full word as their own. */
export function isStreetKind({ stem }: Word): boolean {
  return streetKinds.has(stem)
}

/** The stem that says that the kind of street before a name is missing. No other stem starts with a space. */
export function missingKindStem(nameStem: string): string {
  return ` ${nameStem}`
}

/** Whether the stem is one of `missingKindStem`. */
export function isMissingKind(stem: string): boolean {
  return stem.startsWith(' ')
}

/**
 * Calls `visit` with the position of each word that may be the start of a street name without its kind:
 * - the first word of the title, or the first after `ED.16.202` or after the word for a corner (`c/v Goya`);
 * - the words between a house number, or `s/n`, and the last number, code or word of `nonNameWords` before it, unless
 *   a kind of street or a named thing is among them. After one of these, a conjunction starts a new street name.
 *
 * `isInCode` says that the word at a position is part of a code, whose number is not a house number. A word may be
 * visited twice.
 */
export function visitMissingKinds(
  words: readonly TitleWord[],
  isInCode: (position: number) => boolean,
  visit: (position: number) => void,
): void {
  /** The positions of the words that may be a name, since the last number, code or word of `nonNameWords`. */
  let namePositions: number[] = []
  /** Whether a kind of street or a named thing was among the words since then. */
  let hasKind = false
  /** Whether only numbers and address labels came before, in the title or since the last corner. */
  let isAtStart = true
  for (const [position, word] of words.entries()) {
    const { form, queryStem, isStopWord } = word
    if (isCornerWord(word, words[position - 1], words[position + 1])) {
      namePositions = []
      hasKind = false
      isAtStart = true
      continue
    }
    const isNumber = /^\d/.test(form) || isInNoNumberMark(words, position)
    const isCode = isInCode(position) || labelAcronyms.has(form)
    const isHouseNumber = isNumber && !isCode
    if (isHouseNumber && !hasKind) for (const namePosition of namePositions.slice(-nameWordsMax)) visit(namePosition)
    const isBeforeOtherStreet = hasKind && conjunctions.has(form)
    if (isNumber || isCode || isBeforeOtherStreet || nonNameWords.has(form) || nonNameWords.has(queryStem)) {
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
