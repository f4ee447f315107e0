// Token filter that adds synonyms found across several words of a text: the acronym of a phrase, the other kind of
// numeral, and the number of a label. token.ts adds those of a single token, spaced-codes.ts those of spaced codes.
import {
  dottedNumberSign,
  expansionsByAcronym,
  type LexiconWord,
  numberWord,
  numeralCounterparts,
  ordinalsByDigits,
  type PhraseNode,
  toNumberedStem,
  wordOf,
} from './lexicon.ts'
import type { AddedWordsWithSpans } from './added-words.ts'
import { findPlanYear } from './plan-years.ts'
import type { SubtokenGroup } from './token.ts'
import type { Word } from './word.ts'
import { findChild } from './contextual-abbreviations.ts'

/** The codes of a text (`firstCode` and `lastCode` of its tokens) by the position of their first word. */
export type CodesByPosition = ReadonlyMap<number, SubtokenGroup>

/** What the steps of the analyser know about a text so far. */
export interface TextAnalysis {
  /** The words of the text. The index of a word is its position. */
  readonly words: readonly LexiconWord[]
  readonly codesByPosition: CodesByPosition
  /** The joined forms and synonyms. Each step adds to them. */
  readonly added: AddedWordsWithSpans
}

/** Adds the synonyms of each word that depend on the words before and after it. */
export function addSynonyms(text: TextAnalysis): void {
  const { words, added } = text
  for (let position = 0; position < words.length; position++) {
    const word = words[position] as LexiconWord
    if (word.ligatureWordsByHead !== undefined) {
      // `modi cación` has lost its ligature and is also `modificación`.
      const wholeWord = word.ligatureWordsByHead.get(words[position - 1]?.form ?? '')
      if (wholeWord !== undefined) added.add({ joinedForms: [wholeWord] }, { first: position - 1, last: position })
    }
    if (word.phrases !== undefined) addPhraseSynonyms(word.phrases, position, text)
    if (word.mayHaveNumeral) {
      addNumeralSynonyms(position, text)
      if (phaseStems.has(word.stem)) addPhaseSynonyms(position, text)
    }
    // `Benavente III` is also `Benavente 3`, but `Carlos III` is not `Carlos 3`.
    if (word.arabicNumeral !== undefined && !regnalNames.has(words[position - 1]?.form ?? '')) {
      added.add({ synonyms: [word.arabicNumeral] }, { first: position, last: position })
    }
  }
}

/** `3ª fase`, `tercera fase`, `fase 3` and `fase III` are synonyms. */
function addPhaseSynonyms(position: number, { words, added }: TextAnalysis): void {
  const before = words[position - 1]
  const after = words[position + 1]
  // `3ª`, or the synonym of `tercera`, has the form `3` and the stem `3º`.
  const ordinal = [before, ...(before?.synonyms ?? [])].find((word) => word?.stem.endsWith('º'))
  const roman = ordinal === undefined ? undefined : numeralCounterparts.get(ordinal.form)
  if (ordinal !== undefined && roman !== undefined) {
    const phase = words[position] as LexiconWord
    const digits = ordinal.form
    const synonyms = [wordOf(digits), roman, wordOf(toNumberedStem(phase, digits))]
    added.add({ synonyms }, { first: position - 1, last: position })
  }
  const number = after === undefined || isDigits(after) ? after : numeralCounterparts.get(after.form)
  const spelledOutOrdinal = number === undefined ? undefined : ordinalsByDigits.get(number.stem)?.spelledOut
  if (spelledOutOrdinal === undefined) return
  added.add({ synonyms: [spelledOutOrdinal] }, { first: position, last: position + 1 })
}

/** Names of kings and popes, and `siglo`. After them a Roman numeral is not the number of a plan. */
const regnalNames: ReadonlySet<string> = new Set(
  `alfonso benedicto carlos clemente enrique felipe fernando gregorio isabel jaime juan leon luis pablo pedro pio sancho
  siglo siglos`.split(/\s+/),
)

const phaseStems: ReadonlySet<string> = new Set(['fase', 'etapa'].map((form) => wordOf(form).stem))

/** Adds the synonyms of the word at `position` with the numeral after it: `fase II` is `fase 2`, `UE nº 3` is `UE3`. */
function addNumeralSynonyms(position: number, text: TextAnalysis): void {
  const { words, codesByPosition, added } = text
  const word = words[position] as LexiconWord
  const after = words[position + 1]
  if (after === undefined) return
  if (!word.impliesNumber) addNumberedStems(word, position + 1, text)
  const plotSynonym = plotSynonyms.get(word.stem)
  if (plotSynonym !== undefined) {
    const isNumbered = isNumeral(after) || codesByPosition.has(position + 1)
    if (isNumbered) added.add({ synonyms: [plotSynonym] }, { first: position, last: position + 1 })
    // The numeral of a plot gets no synonym: the V of `parcela V` may be a letter.
    return
  }
  if (!isNumeral(after) && !isLabelNumber(codesByPosition.get(position + 1))) return
  const isNumberWord = word.queryStem === numberWord.stem
  if (!isNumberWord && word.impliesNumber) {
    if (isDigits(after)) addImpliedNumberSynonyms(position, text)
    return
  }
  if (isNumberWord) addNumberWordSynonyms(position, text)
  // The V of `Sector V` may be a letter: the sector before `Sector W`.
  if (word.form === 'sector' && /^[a-z]$/.test(after.form)) return
  const otherNumeral = numeralCounterparts.get(after.stem)
  if (otherNumeral !== undefined) added.add({ synonyms: [otherNumeral] }, { first: position, last: position + 1 })
}

/**
 * Adds `word` with each of the numbers from the position `firstNumber` on: `Sectores II y III` are `sector 2` and
 * `sector 3`. If `word` is "number", which the word just before the numbers is (`Sector nº 3`) or implies
 * (`Sector PP-3`), the word before that has these numbers too.
 */
function addNumberedStems(word: LexiconWord, firstNumber: number, { words, added }: TextAnalysis): void {
  const before = word.queryStem === numberWord.stem ? words[firstNumber - 2] : undefined
  const numberedWords = before?.mayHaveNumeral && !before.impliesNumber ? [word, before] : [word]
  let numberCount = 0
  for (let position = firstNumber; position < words.length && numberCount < enumeratedMax; position++) {
    const numeral = words[position] as LexiconWord
    if (numberCount > 0 && isAnd(numeral)) continue
    const digits = isDigits(numeral) ? numeral.stem : numeralCounterparts.get(numeral.form)?.form
    if (digits === undefined) return
    const synonyms = numberedWords.map((numbered) => wordOf(toNumberedStem(numbered, digits)))
    added.add({ synonyms }, { first: firstNumber - 1, last: position })
    numberCount++
  }
}

/** "And" in Spanish (`y`, and `e` before an i) and in Catalan (`i`). */
function isAnd({ form }: Word): boolean {
  return form === 'y' || form === 'i' || form === 'e'
}

/** For the word "number", or an abbreviation of it, at `position` before a numeral: `UE nº 3` is also `UE3`. */
function addNumberWordSynonyms(position: number, text: TextAnalysis): void {
  const { words, added } = text
  // `No.` and `N.`, but not `nº`, which has the stem of `número`.
  const isAbbreviation = words[position]?.stem !== numberWord.stem
  const synonyms = isAbbreviation ? [dottedNumberSign, numberWord] : [dottedNumberSign]
  added.add({ synonyms }, { first: position, last: position + 1 })
  const acronym = findAcronym(words[position - 1])
  if (acronym === undefined) return
  const code = wordOf(acronym + numberAt(position + 1, text))
  added.add({ synonyms: [code] }, { first: position - 1, last: position + 1 })
  addEnumeratedCodes({ acronym, first: position - 1 }, position + 1, text)
}

/** For a word at `position` that implies "number" before digits: `UE 3` and `UE-3` are also `UE nº 3`. */
function addImpliedNumberSynonyms(position: number, text: TextAnalysis): void {
  const { words, codesByPosition, added } = text
  const year = findPlanYear(words[position] as LexiconWord, words[position + 1] as LexiconWord)
  const synonyms = [numberWord, dottedNumberSign, ...(year === undefined ? [] : [year])]
  added.add({ synonyms }, { first: position, last: position + 1 })
  // `UE-1`, a code of two words, and `UE 1` may start an enumeration. `UE-1-A` may not: it continues after its number.
  const wordsInCode = codesByPosition.get(position)?.words.length
  const endsWithNumber = wordsInCode === undefined || wordsInCode === 2
  if (endsWithNumber) addNumberedStems(numberWord, position + 1, text)
  const acronym = findAcronym(words[position])
  if (endsWithNumber && acronym !== undefined) {
    // `ED 16.202` is also `ED.16.202`: its number is a code itself. `UUEE 3` is also `UE 3`.
    if (codesByPosition.has(position + 1) || acronym !== words[position]?.form) {
      const code = wordOf(acronym + numberAt(position + 1, text))
      added.add({ synonyms: [code] }, { first: position, last: position + 1 })
    }
    addEnumeratedCodes({ acronym, first: position }, position + 1, text)
  }
}

/** The acronym of a word that is one or a variant of one: `ue` for `UUEE`. Undefined for other words. */
function findAcronym(word: LexiconWord | undefined): string | undefined {
  if (word === undefined || !expansionsByAcronym.has(word.form)) return undefined
  return expansionsByAcronym.has(word.queryStem) ? word.queryStem : word.form
}

/** Before a numeral or a code, `parc.` is a plot of land; elsewhere it may be a Catalan park. */
const plotSynonyms: ReadonlyMap<string, Word> = new Map([
  [wordOf('parc').stem, wordOf('parcela')],
  [wordOf('parcela').stem, wordOf('parc')],
])

/** Follows the phrase trie from the word at `start` and adds the synonyms of each phrase found. */
function addPhraseSynonyms(startNode: PhraseNode, start: number, text: TextAnalysis): void {
  const { words, added } = text
  let node = startNode
  /** Since the last word of the phrase. */
  let skippedStopWords = 0
  /** Whether a number has interrupted the phrase, so that the name of a month may follow. */
  let hasNumber = false
  for (let position = start + 1; position < words.length; position++) {
    const word = words[position] as LexiconWord
    const child = findChild(node, word)
    if (child === undefined) {
      if (word.isStopWord) {
        if (++skippedStopWords > skippedStopWordsMax) return
        continue
      }
      // A date may interrupt the phrase: `Ley 7/2002, de 17 de diciembre, de Ordenación Urbanística`.
      if (isDigits(word)) hasNumber = true
      else if (!hasNumber || !months.has(word.form)) return
      continue
    }
    node = child
    skippedStopWords = 0
    if (node.acronym !== undefined) {
      added.add({ synonyms: node.synonyms, joinedForms: node.joinedForms }, { first: start, last: position })
      addNumberedAcronym({ acronym: node.acronym, first: start }, position + 1, text)
    }
    if (node.children.size === 0) return
  }
}

/** `Unidad de Ejecución nº 1` is also `UE1`. `position` is that of the word after the phrase. */
function addNumberedAcronym(locatedAcronym: LocatedAcronym, position: number, text: TextAnalysis): void {
  const { words, codesByPosition, added } = text
  const { acronym, first } = locatedAcronym
  const numeralPosition = words[position]?.queryStem === numberWord.stem ? position + 1 : position
  const numeral = words[numeralPosition]
  if (numeral === undefined) return
  if (!isNumeral(numeral) && !isLabelNumber(codesByPosition.get(numeralPosition))) return
  // `Unidad de Ejecución A` is `UE-A`, but after a longer acronym it is a preposition: `Plan General a largo plazo`.
  const isPreposition = acronym.length >= 3 && numeral.isStopWord
  if (isPreposition) return
  const code = wordOf(acronym + numberAt(numeralPosition, text))
  added.add({ synonyms: [code, numberWord, dottedNumberSign] }, { first, last: numeralPosition })
  addNumberedStems(numberWord, numeralPosition, text)
  addEnumeratedCodes(locatedAcronym, numeralPosition, text)
}

/** An acronym and the position of the first word that it stands for. */
interface LocatedAcronym {
  readonly acronym: string
  readonly first: number
}

/** A number of several parts (`16.202`, `4-A`), which after the letters of a label is part of the label. */
function isLabelNumber(group: SubtokenGroup | undefined): boolean {
  return group?.labelNumber !== undefined
}

/** The stem of the number at the position as part of a code: `2.1`, and `16.202` rather than 16,202. */
function numberAt(position: number, { words, codesByPosition }: TextAnalysis): string {
  const code = codesByPosition.get(position)
  return code?.labelNumber?.code ?? code?.joinedCode?.stem ?? words[position]?.stem ?? ''
}

/** `UE-1, 2 y 4` is also `UE-2` and `UE-4`: numbers that ascend from position `firstNumber`, the last after "and". */
function addEnumeratedCodes({ acronym, first }: LocatedAcronym, firstNumber: number, text: TextAnalysis): void {
  const { words, codesByPosition, added } = text
  // A number of several parts, such as `16.202`, starts no enumeration.
  if (codesByPosition.has(firstNumber)) return
  const enumerated: Word[] = []
  // NaN for a letter or a Roman numeral, after which any number is accepted.
  let previous = Number(words[firstNumber]?.form)
  for (let position = firstNumber + 1; position < words.length && enumerated.length < enumeratedMax; position++) {
    const word = words[position] as LexiconWord
    const isLast = isAnd(word)
    const number = isLast ? words[position + 1] : word
    if (number === undefined || !isDigits(number) || number.form.length > enumeratedDigitsMax) return
    if (Number(number.form) <= previous) return
    enumerated.push(wordOf(acronym + number.stem))
    if (isLast) {
      added.add({ synonyms: enumerated }, { first, last: position + 1 })
      return
    }
    previous = Number(number.form)
  }
}

/** Longer lists, and numbers with more digits, such as years, are not enumerations of codes. */
const enumeratedMax = 12
const enumeratedDigitsMax = 3

/** Whether a word of a text, which has either digits only or none, is digits. So the first character decides. */
export function isDigits(word: Word): boolean {
  const first = word.form.charCodeAt(0)
  return first >= zero && first <= nine
}

const zero = 0x30
const nine = 0x39

/** More stop words between two words end a phrase: `Plan General de la Ordenación` has two. */
const skippedStopWordsMax = 3

const months: ReadonlySet<string> = new Set(
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' '),
)

/** Up to four digits, a single letter, or a Roman numeral of up to four of the letters i, v and x. */
function isNumeral(word: Word): boolean {
  return /^(?:\d{1,4}|[a-z]|[ivx]{1,4})$/.test(word.stem)
}
