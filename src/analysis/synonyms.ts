// What is indexed beside the words of a text, seen from one word to the next: the abbreviation of what stands in full,
// the other kind of figure, a code that goes on after a space. What a single token brings along is token.ts.
import {
  dottedNo,
  type KnownWord,
  meanings,
  numberWord,
  ordinalWords,
  otherFigure,
  type Pattern,
  wordOf,
} from './lexicon.ts'
import { addHalves, type Unit } from './token.ts'
import type { Word } from './word.ts'

/** Codes by the position of their first piece. */
export type Codes = ReadonlyMap<number, Unit>

/** Beside the words: the abbreviations of what stands there in full, and both kinds of figure after "number". */
export function addMeanings(words: readonly KnownWord[], codes: Codes, joined: Word[], extras: Word[]): void {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as KnownWord
    if (word.remainders !== undefined) {
      const whole = word.remainders.get(words[at - 1]?.form ?? '')
      if (whole !== undefined) joined.push(whole)
    }
    if (word.opens !== undefined) follow(word.opens, at, words, codes, joined, extras)
    if (word.isNumbered) {
      addFigures(words, at, codes, extras)
      if (phaseStems.has(word.stem)) addPhase(words[at - 1], words[at + 1], extras)
    }
  }
}

/** `3ª fase`, `tercera fase`, `fase 3` and `fase III` are one. */
function addPhase(before: KnownWord | undefined, after: KnownWord | undefined, extras: Word[]): void {
  const ordinal = [before, ...(before?.beside ?? [])].find((word) => word?.stem.endsWith('º'))
  const roman = ordinal === undefined ? undefined : otherFigure.get(ordinal.form)
  if (ordinal !== undefined && roman !== undefined) extras.push(wordOf(ordinal.form), roman)
  const number = after === undefined || isDigits(after) ? after : otherFigure.get(after.form)
  const full = number === undefined ? undefined : ordinalWords.get(number.stem)?.full
  if (full !== undefined) extras.push(full)
}

const phaseStems: ReadonlySet<string> = new Set(['fase', 'etapa'].map((form) => wordOf(form).stem))

function addFigures(words: readonly KnownWord[], at: number, codes: Codes, extras: Word[]): void {
  const numbered = words[at] as KnownWord
  const figure = words[at + 1]
  const plot = plots.get(numbered.stem)
  if (plot !== undefined) {
    if (figure !== undefined && (isFigure(figure) || codes.has(at + 1))) extras.push(plot)
    return
  }
  if (figure === undefined || !isFigure(figure)) return
  if (numbered.meaning === numberWord.stem) {
    extras.push(dottedNo)
    if (numbered.stem !== numberWord.stem) extras.push(numberWord)
    // `UE nº 3` is also `UE3`.
    const before = words[at - 1]
    if (before !== undefined && meanings.has(before.form)) {
      extras.push(wordOf(before.form + (codes.get(at + 1)?.joined?.form ?? figure.stem)))
      addListed(before.form, words, at + 1, codes, extras)
    }
  } else if (numbered.isCounted) {
    if (!isDigits(figure)) return
    extras.push(numberWord, dottedNo)
    const isWhole = (codes.get(at)?.words.length ?? 2) === 2
    if (isWhole && meanings.has(numbered.form)) addListed(numbered.form, words, at + 1, codes, extras)
    return
  }
  // `Sector V` may well be the one before `Sector W`.
  if (numbered.form === 'sector' && /^[a-z]$/.test(figure.form)) return
  const other = otherFigure.get(figure.stem)
  if (other !== undefined) extras.push(other)
}

/** Before a figure or a code `parc.` is a plot of land; elsewhere it may be a Catalan park. */
const plots: ReadonlyMap<string, Word> = new Map([
  [wordOf('parc').stem, wordOf('parcela')],
  [wordOf('parcela').stem, wordOf('parc')],
])

function follow(
  opened: Pattern,
  from: number,
  words: readonly KnownWord[],
  codes: Codes,
  joined: Word[],
  extras: Word[],
): void {
  let pattern = opened
  let skipped = 0
  let isDated = false
  for (let at = from + 1; at < words.length; at++) {
    const word = words[at] as KnownWord
    const next = pattern.next.get(word.meaning)
    if (next === undefined) {
      if (word.isStopWord) {
        if (++skipped > skippedMax) return
        continue
      }
      // `Ley 7/2002, de 17 de diciembre, de Ordenación Urbanística`.
      if (isDigits(word)) isDated = true
      else if (!isDated || !months.has(word.form)) return
      continue
    }
    pattern = next
    skipped = 0
    if (pattern.letters !== undefined) {
      joined.push(...pattern.joined)
      extras.push(...pattern.extras)
      const number = words[at + 1]?.meaning === numberWord.stem ? at + 2 : at + 1
      const figure = words[number]
      // `Unidad de Ejecución A` is `UE-A`; `Plan General a` is nothing of the kind.
      const isNumber = figure !== undefined && isFigure(figure) && (pattern.letters.length < 3 || !figure.isStopWord)
      if (isNumber) {
        extras.push(wordOf(pattern.letters + (codes.get(number)?.joined?.form ?? figure.stem)), numberWord, dottedNo)
        addListed(pattern.letters, words, number, codes, extras)
      }
    }
    if (pattern.next.size === 0) return
  }
}

/** `UE-1, 2 y 4` is also `UE-2` and `UE-4`: small numbers that ascend to the one behind the "and". */
function addListed(letters: string, words: readonly KnownWord[], first: number, codes: Codes, extras: Word[]): void {
  if (codes.has(first)) return
  const listed: Word[] = []
  let last = Number(words[first]?.form)
  for (let at = first + 1; at < words.length && listed.length < listedMax; at++) {
    const word = words[at] as KnownWord
    const isLast = word.form === 'y' || word.form === 'i' || word.form === 'e'
    const number = isLast ? words[at + 1] : word
    if (number === undefined || !isDigits(number) || number.form.length > 3 || Number(number.form) <= last) return
    listed.push(wordOf(letters + number.stem))
    if (isLast) {
      extras.push(...listed)
      return
    }
    last = Number(number.form)
  }
}

const listedMax = 12

/** A code may go on after a space, with its number (`SUNC-R 3`) or with a letter and its number (`UBZ R5`). */
export function addNumbers(words: readonly KnownWord[], codes: Codes, joined: Word[], extras: Word[]): void {
  for (const [at, unit] of codes) {
    const figure = words[at + unit.words.length]
    if (figure === undefined || !unit.isCapitals || !isDigits(figure)) continue
    if (unit.halves !== undefined) addHalves(unit.halves, figure, joined, extras)
    const code = unit.joined ?? words[at]
    if (code !== undefined && /[a-z]$/.test(code.form)) joined.push(wordOf(code.form + figure.stem))
  }
  for (let at = 0; at + 1 < words.length; at++) {
    const letter = words[at] as KnownWord
    if (letter.form.length !== 1 || isDigits(letter)) continue
    const before = words[at - 1]
    const after = words[at + 1] as KnownWord
    const last = words[at + 2]
    if (isDigits(after) && before !== undefined && mayBeLetters(before, letter, codes.has(at))) {
      joined.push(wordOf(before.form + letter.form), wordOf(before.form + letter.form + after.stem))
    } else if (letter.form === 's' && last !== undefined && isDigits(last) && meanings.has(after.form)) {
      joined.push(wordOf(letter.form + after.form), wordOf(letter.form + after.form + last.stem))
    }
  }
}

/** `a 3` is seldom a code; `A-3` always is, and so is what goes on with it after letters that the table knows. */
function mayBeLetters(before: KnownWord, letter: KnownWord, isCode: boolean): boolean {
  if (meanings.has(before.form)) return true
  return (isCode || !letter.isStopWord) && !before.isStopWord && /^[a-z]{2,5}$/.test(before.form)
}

/** A word is all digits or none. */
function isDigits(word: Word): boolean {
  const first = word.form.charCodeAt(0)
  return first >= zero && first <= nine
}

const zero = 0x30
const nine = 0x39

/** Between two words of an abbreviation stand few others: `Plan General de la Ordenación`. */
const skippedMax = 3
const months: ReadonlySet<string> = new Set(
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' '),
)

function isFigure(word: Word): boolean {
  return word.stem.length <= figureCharactersMax && /^(?:\d+|[a-z]|[ivx]+)$/.test(word.stem)
}

const figureCharactersMax = 4
