// The classes of words that the patterns of rules.ts name. A word has one class, which is one character, so that a text
// is a string of classes and a pattern is a regular expression. Most words have the class `w`: no rule begins with it.
import { acronyms, labelAcronyms, romanNumerals } from './abbreviations.ts'
import { stemWord } from './stemmer.ts'

/** By the name in a pattern: the classes that it stands for. */
export const classNames = {
  /** Things that are numbered; phases may have an ordinal or a single letter as their numeral (`fase v`). */
  THING: 'fdkDghHpKB',
  PHASE: 'fd',
  FEMININE_THING: 'fghp',
  MASCULINE_THING: 'dkDHK',
  PLOT: 'p',
  /** Parts of a text: what follows their number is their heading, so it is not counted. */
  PART: 'D',
  /** Things in Basque, whose number stands before them: `8. sektorea`. */
  BASQUE_THING: 'B',
  BASQUE_MODIFICATION: 'b',
  /** Words that are counted: the 5 of `edificio 5 plantas` is not the number of the building. */
  COUNTED: 'hHuK',
  /** Between a thing and its number: `escuela infantil nº 2`. */
  QUALIFIER: 'c',
  /** Words of which it matters whether punctuation stands before them. */
  SEPARABLE: 'mqhHuK',
  /** Kinds of street (street-names.ts). */
  STREET: 'S',
  MODIFICATION: 'mb',
  /** Words after which "number" may be left out: `Modificación 4`, `puntual 4`, `PGOU 4`. */
  IMPLIES_NUMBER: 'mbtPA',
  /** The letters of a plan or an area, which are one code with the number after them (numbered-codes.ts). */
  LABEL: 'U',
  PARTIAL: 't',
  NUMBER: 'n',
  /** Words that a number after them belongs to. */
  NUMBERED: 'fdkDghHpKBnmbtPAU',
  DIGITS: '#98',
  /** Two digits that may be a year, and four. */
  SHORT_YEAR: '9',
  YEAR: '98',
  LONG_YEAR: '8',
  NUMERAL: '#98Rr',
  /** After a phase or the word "number", also a single letter. */
  SHORT_NUMERAL: '#98Rrvi',
  ROMAN: 'Rr',
  /** In capitals and of two letters or more, so that it may be a number by itself. */
  CAPITAL_ROMAN: 'R',
  LETTER: 'xXv',
  /** Also a stop word. */
  ANY_LETTER: 'xXvi&eao',
  FEMININE: 'q',
  MASCULINE: 'O',
  STOP: 's&eaoX',
  /** "And", also in Catalan, where `i` may be the Roman numeral too. */
  AND: '&ei',
  /** Between ordinals: `1ª a 3ª fase`, `2ª y última fase`. */
  LINK: '&eial',
  LAST: 'l',
  WORD: 'wc',
  /** Names of kings and popes, and `siglo`, which keep their Roman numeral. */
  KING: 'j',
  GENERAL_PLAN: 'P',
  PLAN: 'L',
  GENERAL: 'G',
  /** Between a general plan and its year. */
  PLAN_WORD: 'sz',
  /** A code of letters and digits. */
  CODE: 'C',
  /** `2º` and `2ª`. */
  ORDINAL_WORD: 'Oq',
  /** The second word of an ordinal of two words: the `a` of `2a`. */
  REST_OF_ORDINAL: '_',
  /** Every rule begins with such a word. */
  FIRST: 'fdkDghHpKBmbtPAUnLjRrOq#98l',
  /** A text without such a word has nothing that a rule could read. */
  RULE_WORD: 'fdkDghHpKBmbtPAUnGRSu',
} as const

export type ClassName = keyof typeof classNames

/** The words of each class, by their stem. */
const listed: Readonly<Record<string, string>> = {
  f: 'fase etapa',
  d: 'tramo',
  k: `poligono sector subsector volumen portal bloque local lote modulo piso pabellon distrito barrio comuna edificio
    vado colegio instituto deposito pozo garaje trastero nicho grupo puesto`,
  D: 'tomo anexo anejo titulo capitulo articulo apartado',
  K: 'kilometro',
  S: `alameda avenida bulevar calle calleja callejon camino carrera carretera corredera costanilla cuesta glorieta paseo
    pasadizo pasaje plaza plazuela rambla ronda senda travesia vereda`,
  g: `lamina planta vivienda puerta escalera nave manzana torre zona seccion categoria clase disposicion escuela linea
    sala aula`,
  p: 'parcela parc',
  m: 'modificacion',
  t: 'innovacion puntual aislada',
  n: 'numero',
  P: 'pgou pg',
  L: 'plan',
  G: 'general',
  l: 'ultimo',
  c: 'infantil permanente publico primaria industrial comercial',
}
/** The words of each class, by their form. They come before those by stem. */
const listedForms: Readonly<Record<string, string>> = {
  S: 'placa',
  u: `m metros alturas plazas habitaciones hectareas ha anos euros places taules mesas dias meses
    metres`,
  z: 'ordenacion urbana urbanistica municipal',
  j: `alfonso benedicto carlos clemente enrique felipe fernando gregorio isabel jaime juan leon luis pablo pedro pio
    sancho siglo siglos`,
  a: 'a',
  e: 'e',
  '&': 'y',
  o: 'o u',
  i: 'i',
  v: 'v x',
  r: romanNumerals.filter((roman) => roman.length > 1).join(' '),
}

function toEntries(
  lists: Readonly<Record<string, string>>,
  toKey: (word: string) => string,
): [key: string, wordClass: string][] {
  return Object.entries(lists).flatMap(([wordClass, words]) =>
    words.split(/\s+/).map((word): [string, string] => [toKey(word), wordClass]),
  )
}

const classByForm: ReadonlyMap<string, string> = new Map(toEntries(listedForms, (form) => form))
const classByStem: ReadonlyMap<string, string> = new Map([
  ...acronyms
    // `NUM` is also the abbreviation of "number".
    .filter(({ letters }) => letters !== 'num')
    .map(({ letters }): [string, string] => [stemWord(letters), labelAcronyms.has(letters) ? 'U' : 'A']),
  ...toEntries(listed, stemWord),
])

/** The class of a word of the lexicon. */
export function classOf(form: string, queryStem: string, isStopWord: boolean): string {
  const first = form.charCodeAt(0)
  if (first >= 0x30 && first <= 0x39) {
    if (form.length === 2) return form >= '56' ? '9' : '#'
    return /^(?:19|20)\d\d$/.test(form) ? '8' : '#'
  }
  const known = classByForm.get(form) ?? classByStem.get(queryStem)
  // `viviendas` are counted, `vivienda` is not.
  if (form.endsWith('s') && form !== queryStem) {
    if (known === 'g') return 'h'
    if (known === 'k') return 'H'
  }
  if (known !== undefined) return known
  if (isStopWord) return 's'
  return form.length === 1 ? 'x' : 'w'
}

/** Whether the class is among those that the name stands for. */
export function isOfClass(wordClass: string, name: ClassName): boolean {
  return wordClass !== '' && classNames[name].includes(wordClass)
}
