// Shows an integer as its cell format does: 3065 as `03065` with the format `00000`, and 12 as `EXP-0012` with
// `"EXP-"0000`. A code that is stored as a number has its leading zeros and its texts only in the format. workbook.ts
// parses the formats of the cells, and sheet-reader.ts shows the numbers.

/** A number format (ECMA-376 part 1, 18.8.31) of digits, which are zeros, and of texts. */
export interface DigitFormat {
  /** The text before the first digit, and the text after each digit; most are empty. */
  readonly texts: readonly string[]
  /** Whether the number meets the condition of the format, such as `[>0]`. */
  readonly isFor: (number: number) => boolean
}

/** The limit of Excel for a cell format. A longer one is taken for no format of digits. */
const formatCharactersMax = 255

/** A quoted text, an escaped character, a space (`_-` is as wide as `-`), a fill (`*-`), brackets, or any other. */
const token = /"(?<quoted>[^"]*)"|\\(?<escaped>.)|[_*].|\[(?<bracket>[^\]]*)\]|(?<character>.)/gs
/** Characters that stand for themselves without quotes. A slash does not, because it makes a fraction. */
const plainCharacter = /[$\-+():!^&'~{}<>= ]/
const condition = /^(?<sign>[<>]=?|=|<>)(?<limit>-?\d+(?:\.\d+)?)$/
/** A currency, such as `$€-C0A`. Other brackets have a language (`$-C0A`) or a colour, and show nothing. */
const currency = /^\$[^-]/

const comparisons: Readonly<Record<string, (number: number, limit: number) => boolean>> = {
  '<': (number, limit) => number < limit,
  '<=': (number, limit) => number <= limit,
  '>': (number, limit) => number > limit,
  '>=': (number, limit) => number >= limit,
  '=': (number, limit) => number === limit,
  '<>': (number, limit) => number !== limit,
}

/**
 * Parses the first section of a format, up to a semicolon, which is for positive numbers. Returns undefined if it has
 * anything but digits and texts, such as a decimal point, or fewer than two zeros: a format with one zero, such as
 * `0 "m²"`, adds a unit and no zeros of a code.
 */
export function parseDigitFormat(format: string): DigitFormat | undefined {
  if (format.length > formatCharactersMax) return undefined
  const texts = ['']
  let isFor: DigitFormat['isFor'] = () => true
  for (const { groups = {} } of format.matchAll(token)) {
    const { quoted, escaped, bracket, character } = groups
    if (character === ';') break
    if (character === '0') {
      texts.push('')
      continue
    }
    if (bracket !== undefined) {
      if (currency.test(bracket)) return undefined
      const { sign = '', limit } = condition.exec(bracket)?.groups ?? {}
      const compare = comparisons[sign]
      if (compare !== undefined) isFor = (number) => compare(number, Number(limit))
      continue
    }
    if (character !== undefined && !plainCharacter.test(character)) return undefined
    texts.push((texts.pop() ?? '') + (quoted ?? escaped ?? character ?? ''))
  }
  const hasDigits = texts.length > 1
  const zeroAsShown = texts.join('0')
  return hasDigits && /0.*0/s.test(zeroAsShown) ? { texts, isFor } : undefined
}

/**
 * Returns the number as the format shows it. A number that is negative or not an integer, or that the format is not
 * for, is returned as it is stored.
 */
export function showDigits(number: number, format: DigitFormat | undefined): string {
  const isStored = format === undefined || !Number.isSafeInteger(number) || number < 0 || !format.isFor(number)
  if (isStored) return String(number)
  const [textBefore = '', ...textsAfter] = format.texts
  const digits = String(number).padStart(textsAfter.length, '0')
  // The digits for which the format has no zero stand before the others.
  const surplus = digits.length - textsAfter.length
  const shown = textsAfter.map((text, index) => `${digits[surplus + index]}${text}`)
  return textBefore + digits.slice(0, surplus) + shown.join('')
}
