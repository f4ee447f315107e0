// Applies the rules of rules.ts to the words of a text or of a term: finds the entities, such as `fase 2` for `Fase II`.
// A text is indexed with them (synonyms.ts); a term searches for them in place of its words (term-clauses.ts).
import type { Span } from './added-words.ts'
import { type LexiconWord, wordOf } from './lexicon.ts'
import { toRangeStem } from './number-ranges.ts'
import { numberWord } from './number-words.ts'
import { findNumberStem, findOrdinalDigits, toNumberedStem } from './numerals.ts'
import { type Rule, rules } from './rules.ts'
import type { TextAnalysis } from './text-analysis.ts'
import { isOrdinalInDigits } from './word.ts'
import { type ClassName, classNames, isOfClass } from './word-classes.ts'

/** The words that a rule has read, and what they are. */
export interface Reading extends Span {
  readonly rule: Rule
  /** One for each number: `sector 2` and `sector 3` for `Sectores II y III`. */
  readonly entities: readonly Entity[]
  /** The words that a term searches for besides the entities: the position of `modificación`. */
  readonly keptPositions: readonly number[]
  /** Whether the word "number" is among them. */
  readonly hasNumberWord: boolean
}

export interface Entity extends Span {
  readonly stem: string
  /** The number, letter or ordinal in digits. */
  readonly number: string
  /** That of the number, or of the thing if that comes after it. */
  readonly position: number
}

type Text = Pick<TextAnalysis, 'words' | 'codesByPosition' | 'separatedPositions'>

const restOfOrdinal = classNames.REST_OF_ORDINAL
/** Before each word: whether punctuation stands there. */
const beside = '.'
const separated = ','
/** Between the numbers of a range. */
const inRange = '-'
const separator = `[${beside}${separated}${inRange}]`
const toOrdinal = (classes: string): string => `[${classes}](?:${separator}${restOfOrdinal})?`
const toList = (each: string): string => `${each}(?:(?:${separator}[${classNames.LINK}])*${separator}${each})*`

const { NUMERAL: numeral } = classNames

/** What a name of a pattern stands for, without the separator before it. */
const expressions: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(classNames).map(([name, classes]) => [name, `[${classes}]`])),
  NOT_COUNTED: `(?![${beside}][${classNames.COUNTED}](?!(?:${separator}[${classNames.NUMBER}])?${separator}[${numeral}]))`,
  LIST: `(?:(?:${separator}[${numeral}])*(?:${separator}[${classNames.AND}]${separator}|${inRange})[${numeral}](?![${beside}][${classNames.COUNTED}]))?`,
  ORDINAL: toOrdinal(classNames.ORDINAL_WORD),
  ORDINAL_F: toOrdinal(classNames.FEMININE),
  ORDINAL_M: toOrdinal(classNames.MASCULINE),
  FEMININES: toList(toOrdinal(classNames.FEMININE)),
  MASCULINES: toList(toOrdinal(classNames.MASCULINE)),
}

/** Those that begin with a separator of their own. */
const hasSeparators: ReadonlySet<string> = new Set(['LIST', 'NOT_COUNTED'])

/** A pattern as a regular expression. In the string that it reads, each word is a separator and its class. */
function compile(pattern: string): string {
  return pattern
    .replace(/\((?!\?)/g, '(?:')
    .replace(
      /(~?)([A-Z_]{2,})/g,
      (_, isBeside, name) =>
        `(?:${hasSeparators.has(name) ? '' : isBeside ? `[${beside}]` : separator}${expressions[name]})`,
    )
    .replaceAll(' ', '')
}

/** At most words it ends at once, because no rule begins with them. */
const rulesPattern = new RegExp(
  `(?=.[${classNames.FIRST}])(?:${rules.map(({ pattern }) => `(${compile(pattern)})`).join('|')})`,
  'g',
)

/** Whether a rule may begin at the word, or end with it. If no word of a text is such a word, no rule applies. */
export function mayBeRead({ wordClass }: LexiconWord): boolean {
  return isOfClass(wordClass, 'RULE_WORD')
}

/** Reads the words of the text from left to right. */
export function readEntities(text: Text): Reading[] {
  const classes = toClasses(text)
  const readings: Reading[] = []
  // `matchAll` would make a copy of the expression for each text.
  rulesPattern.lastIndex = 0
  for (let match = rulesPattern.exec(classes); match !== null; match = rulesPattern.exec(classes)) {
    const rule = rules[match.indexOf(match[0], 1) - 1] as Rule
    const first = match.index / 2
    readings.push(toReading(rule, { first, last: first + match[0].length / 2 - 1 }, text, classes))
  }
  return readings
}

function toClasses({ words, codesByPosition, separatedPositions }: Text): string {
  const classes = words.map(({ wordClass }) => wordClass)
  const ranges = new Set<number>()
  for (const [position, { words: parts, joinedCode, isUpperCase, mayBeRange, labelNumber }] of codesByPosition) {
    // `3-5`, but not `3/2004`.
    if (mayBeRange && labelNumber !== undefined && toRangeStem(parts[0], parts[1]) !== undefined)
      ranges.add(position + 1)
    const wordClass = classes[position] ?? ''
    if (joinedCode !== undefined && isOrdinalInDigits(joinedCode)) {
      classes[position] = parts[1]?.form.endsWith('a') ? 'q' : 'O'
      classes[position + 1] = restOfOrdinal
    } else if (joinedCode !== undefined && 'wxAU&eao'.includes(wordClass)) {
      classes[position] = 'C'
    } else if (parts.length === 1 && isUpperCase && '&eao'.includes(wordClass) && !isNumeral(classes[position + 1])) {
      classes[position] = 'X'
    }
  }
  let string = ''
  for (let position = 0; position < classes.length; position++) {
    if (ranges.has(position)) string += inRange
    else string += separatedPositions.has(position) ? separated : beside
    string += classes[position]
  }
  return string
}

function isNumeral(wordClass = ''): boolean {
  return isOfClass(wordClass, 'SHORT_NUMERAL') || isOfClass(wordClass, 'ORDINAL_WORD')
}

function toReading(rule: Rule, span: Span, text: Text, classes: string): Reading {
  const { words } = text
  const isClassAt = (position: number, name: ClassName): boolean => isOfClass(classes.charAt(position * 2 + 1), name)
  const numbers: { readonly number: string; readonly last: number }[] = []
  const keptPositions: number[] = []
  let thingPosition = span.first
  let hasNumberWord = false
  for (let position = span.first; position <= span.last; position++) {
    const isAfterThing = isClassAt(position - 1, 'THING') || isClassAt(position - 1, 'NUMBER')
    const isNumeralHere = isClassAt(position, 'NUMERAL') || (isAfterThing && isClassAt(position, 'SHORT_NUMERAL'))
    const isLetter = position === span.last || (position > thingPosition && isClassAt(position, 'LETTER'))
    if (rule.entity === 'letter' && isLetter) {
      numbers.push({ number: words[position]?.form ?? '', last: position })
    } else if (isNumeralHere || isClassAt(position, 'ORDINAL_WORD')) {
      const last = isClassAt(position + 1, 'REST_OF_ORDINAL') ? position + 1 : position
      numbers.push({ number: numberAt(position, text), last })
    } else if (isClassAt(position, 'THING')) {
      thingPosition = position
    } else if (isClassAt(position, 'NUMBER')) {
      hasNumberWord = true
    } else if (!isClassAt(position, 'LINK') && !isClassAt(position, 'REST_OF_ORDINAL')) {
      keptPositions.push(position)
    }
  }
  const thing = words[thingPosition]?.queryStem ?? ''
  const entities = numbers.map(({ number, last }): Entity => {
    const stem = toStem(rule, thing, number)
    if (rule.entity === 'year') return { stem, number, position: last, first: last, last }
    // Only the whole list says that its later numbers belong to the thing.
    const isFirst = last === numbers[0]?.last
    const position = Math.max(last, thingPosition)
    return { stem, number, position, first: span.first, last: isFirst ? position : span.last }
  })
  if (rule.entity === 'plot') entities.push({ stem: plotStem, number: '', position: span.last, ...span })
  return { rule, ...span, entities, keptPositions, hasNumberWord }
}

function toStem({ entity }: Rule, thing: string, number: string): string {
  if (entity === 'count') return toNumberedStem(number, thing)
  if (entity === 'year') return number.length === 2 ? `19${number}` : number
  if (entity === 'arabic') return number
  const name = entity === 'number' ? numberWord.stem : (nameByAbbreviation.get(thing) ?? thing)
  return toNumberedStem(name, number)
}

/** The number in digits: 3 for `03`, `III`, `3ª`, `3a` and `tercera`. */
function numberAt(position: number, { words, codesByPosition }: Text): string {
  const word = words[position] as LexiconWord
  const joinedCode = codesByPosition.get(position)?.joinedCode
  const ordinalOfTwoWords = joinedCode !== undefined && isOrdinalInDigits(joinedCode) ? joinedCode.form : undefined
  return ordinalOfTwoWords ?? findOrdinalDigits(word) ?? findNumberStem(word) ?? word.stem
}

/** `parc` is a plot only before a number or a code; elsewhere it may be the Catalan word for a park. */
const plotStem = wordOf('parcela').stem
const nameByAbbreviation: ReadonlyMap<string, string> = new Map([[wordOf('parc').stem, plotStem]])
