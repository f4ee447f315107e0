// Shows an integer as its cell format does: 3065 as `03065` with the format `00000`, and 12 as `EXP-0012` with
// `"EXP-"0000`. A code that is stored as a number has its leading zeros and its texts only in the format. workbook.ts
// parses the formats of the cells, and sheet-reader.ts shows the numbers.

/** A number format (ECMA-376 part 1, 18.8.31) of digits, which are zeros, and of texts. */
export interface DigitFormat {
  /** The text before the first digit, and the text after each digit; most are empty. */
  readonly texts: readonly string[]
}

/** The limit of Excel for a cell format. A longer one is taken for no format of digits. */
const formatCharactersMax = 255

/** A quoted text, an escaped character, a space (`_-` is as wide as `-`), a fill (`*-`), brackets, or any other. */
const token = /"(?<quoted>[^"]*)"|\\(?<escaped>.)|[_*].|\[(?<bracket>[^\]]*)\]|(?<character>.)/gs
/** Characters that stand for themselves without quotes. A slash does not, because it makes a fraction. */
const plainCharacter = /[$\-+():!^&'~{}<>= ]/
/** A currency (`$€-C0A`) or a condition (`>0`). Other brackets have a language (`$-C0A`) or a colour. */
const meaningfulBracket = /^(?:\$[^-]|[<>=])/

/**
 * Parses the first section of a format, up to a semicolon, which is for positive numbers. Returns undefined if it has
 * anything but digits and texts, such as a decimal point, or fewer than two zeros: a format with one zero, such as
 * `0 "m²"`, adds a unit and no zeros of a code.
 */
export function parseDigitFormat(format: string): DigitFormat | undefined {
  if (format.length > formatCharactersMax) return undefined
  const texts = ['']
  for (const { groups = {} } of format.matchAll(token)) {
    const { quoted, escaped, bracket, character } = groups
    if (character === ';') break
    if (character === '0') {
      texts.push('')
      continue
    }
    if (bracket !== undefined) {
      if (meaningfulBracket.test(bracket)) return undefined
      continue
    }
    if (character !== undefined && !plainCharacter.test(character)) return undefined
    texts.push((texts.pop() ?? '') + (quoted ?? escaped ?? character ?? ''))
  }
  const hasDigits = texts.length > 1
  const zeroAsShown = texts.join('0')
  return hasDigits && /0.*0/s.test(zeroAsShown) ? { texts } : undefined
}

/**
 * Returns the number as the format shows it. A number that is negative or not an integer is returned as it is
 * stored.
 */
export function showDigits(number: number, format: DigitFormat | undefined): string {
  const isStored = format === undefined || !Number.isSafeInteger(number) || number < 0
  if (isStored) return String(number)
  const [textBefore = '', ...textsAfter] = format.texts
  const digits = String(number).padStart(textsAfter.length, '0')
  // The digits for which the format has no zero stand before the others.
  const surplus = digits.length - textsAfter.length
  const shown = textsAfter.map((text, index) => `${digits[surplus + index]}${text}`)
  return textBefore + digits.slice(0, surplus) + shown.join('')
}
