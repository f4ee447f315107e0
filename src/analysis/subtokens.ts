// Splits a token into subtokens, runs of letters or of digits, with the delimiter before each: `U.E.-21b` has the
// subtokens `ue` (one acronym), `21` and `b`. token.ts decides which subtokens form a code.
import { foldWord } from './fold.ts'

export interface Subtoken {
  /** `number` is an abbreviation of that word: nº, n.º, no.5. */
  readonly kind: 'letters' | 'digits' | 'ordinal' | 'number'
  /** The folded letters, or the digits. */
  readonly form: string
  readonly isUpperCase: boolean
  /** The parts between dots: the letters of an acronym (p, g, o, u), or the digit groups of a number (1, 250). */
  readonly dottedParts: readonly string[]
  /** The delimiter before it: a space at the start of the token, empty between a letter and a digit. */
  readonly delimiter: string
  /** The symbol after it: `º`, `ª`, the slash of `C/`, or empty. */
  readonly symbol: string
}

export function toSubtokens(token: string): Subtoken[] {
  // Most tokens are one word or one number.
  if (letters.test(token)) return [toLetters(token, ' ')]
  if (digits.test(token)) return [withChanges(toLetters(token, ' '), { kind: 'digits' })]
  const subtokens: Subtoken[] = []
  let delimiter = ' '
  for (const [text, letterRun, digitRun, symbol] of normaliseCharacters(token).matchAll(subtokenPattern)) {
    const last = subtokens.at(-1)
    if (symbol !== undefined && last !== undefined && last.symbol === '' && (delimiter === '' || delimiter === '.')) {
      subtokens[subtokens.length - 1] = withSymbol(last, symbol, delimiter)
    } else if (letterRun !== undefined || digitRun !== undefined) {
      const subtoken = toLetters(text, delimiter)
      subtokens.push(digitRun === undefined ? subtoken : withChanges(subtoken, { kind: 'digits' }))
    } else if (symbol !== undefined) {
      const form = symbol === 'ª' ? 'a' : 'o'
      subtokens.push({ kind: 'letters', form, isUpperCase: false, dottedParts: [], delimiter, symbol: '' })
    } else {
      // The dot of an abbreviation is not a delimiter: `U.E.-1` has a hyphen, `C/.Mayor` has a slash.
      delimiter = delimiter === '' || delimiter === '.' ? text : delimiter === '/' && text === '.' ? delimiter : ' '
      continue
    }
    delimiter = ''
  }
  const nonEmpty = subtokens.filter((subtoken) => subtoken.form !== '')
  return joinDigitGroups(joinInitials(nonEmpty)).map((subtoken, index, all) =>
    recogniseAbbreviation(subtoken, all[index + 1], delimiter),
  )
}

const letters = /^[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff]+$/
const digits = /^[0-9]+$/

function toLetters(text: string, delimiter: string): Subtoken {
  const form = foldWord(text).slice(0, formCharactersMax)
  return { kind: 'letters', form, isUpperCase: text === text.toUpperCase(), dottedParts: [], delimiter, symbol: '' }
}

/** Lists all fields, so that V8 gives all subtokens one hidden class. */
function withChanges(subtoken: Subtoken, changes: Partial<Subtoken>): Subtoken {
  const { kind, form, isUpperCase, dottedParts, delimiter, symbol } = { ...subtoken, ...changes }
  return { kind, form, isUpperCase, dottedParts, delimiter, symbol }
}

/** Longer forms are truncated, in texts and in terms. */
const formCharactersMax = 64

/** Groups: letters (without the ordinal signs, which are letters in Unicode), digits, an ordinal sign. */
const subtokenPattern = /((?!\p{M})[[\p{L}\p{M}]--[ºª]]+|[\p{Nl}\p{No}]+)|(\p{Nd}+)|([ºª])|./gsv

/** ASCII and the Latin letters that are not compatibility forms. */
const normalised =
  /^[\x20-\x7f\u00c0-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e\u0180-\u01c3\u01cd-\u01f0\u01f4-\u024f]*$/

/** Unifies hyphens, apostrophes and ordinal signs, resolves compatibility forms (`ﬁ`, `²`, `Ａ`), drops invisibles. */
function normaliseCharacters(token: string): string {
  if (normalised.test(token)) return token
  const text = token
    .normalize('NFD')
    .replaceAll('№', 'nº')
    .replaceAll('°', 'º')
    .replace(/[^ºª´¨˜`]+/g, (run) => run.normalize('NFKC'))
    .replace(/\p{Cf}|(?<![\p{L}\p{M}])\p{M}+/gu, '')
    .replace(/(l)[·•‧∙⋅](?=l)/giu, '$1')
    .replace(/[\u2018\u2019\u2032\u02bc]/g, "'")
    .replace(/[\u2010-\u2013\u2212]/g, '-')
  if (!spacingAccent.test(text)) return text
  return (
    text
      // An accent after an article is an apostrophe, except before a dotless i, whose accent it is: `l´ınea`.
      .replace(/(?<!\p{L})([dlmnst])[´`](?=(?!ı)\p{L})/giu, "$1'")
      .replace(/(?<=\p{L})[´¨˜`]+|[´¨˜`]+(?=\p{L})/gu, '')
  )
}

const spacingAccent = /[´¨˜`]/

function withSymbol(subtoken: Subtoken, symbol: string, delimiter: string): Subtoken {
  const isDotted = delimiter !== ''
  if (subtoken.kind === 'digits') {
    return withChanges(subtoken, { kind: 'ordinal', symbol, dottedParts: isDotted ? [symbol] : [] })
  }
  return withChanges(subtoken, { symbol, dottedParts: isDotted ? [subtoken.form, symbol === 'ª' ? 'a' : 'o'] : [] })
}

/** `P.G.O.U.` and `NN.SS.` are one subtoken each. */
function joinInitials(subtokens: readonly Subtoken[]): Subtoken[] {
  const joined: Subtoken[] = []
  for (let start = 0; start < subtokens.length; ) {
    let end = start
    while (isInitial(subtokens[end]) && (end === start || subtokens[end]?.delimiter === '.')) end++
    const run = subtokens.slice(start, Math.max(end, start + 1))
    const [first, second] = run
    if (first === undefined) break
    if (second === undefined) joined.push(first)
    else {
      const forms = run.map((subtoken) => subtoken.form)
      const isUpperCase = run.every((subtoken) => subtoken.isUpperCase)
      joined.push(withChanges(first, { form: forms.join(''), isUpperCase, dottedParts: forms }))
    }
    start += run.length
  }
  return joined
}

/** A single letter, or a double letter that marks a plural (`NN.SS.`). */
function isInitial(subtoken: Subtoken | undefined): boolean {
  return subtoken?.kind === 'letters' && subtoken.symbol === '' && /^(?:\p{L}|(\p{L})\1)$/u.test(subtoken.form)
}

/** `1.250` is one number; `20.07`, `I-2.345` and `25.05.2018` are codes and dates. */
function joinDigitGroups(subtokens: readonly Subtoken[]): Subtoken[] {
  if (!subtokens.some(isDigitsAfterDot)) return [...subtokens]
  const joined: Subtoken[] = []
  for (let start = 0; start < subtokens.length; ) {
    let end = start + 1
    while (isDigitsAfterDot(subtokens[end])) end++
    const run = subtokens.slice(start, end)
    const [first] = run
    if (first === undefined) break
    const isNumber =
      run.length > 1 &&
      /^[1-9]\d{0,2}$/.test(first.form) &&
      run.every(({ form }, index) => index === 0 || /^\d{3}$/.test(form)) &&
      joined.at(-1)?.kind !== 'letters'
    const dottedParts = run.map((subtoken) => subtoken.form)
    joined.push(...(isNumber ? [withChanges(first, { form: dottedParts.join(''), dottedParts })] : run))
    start = end
  }
  return joined
}

function isDigitsAfterDot(subtoken: Subtoken | undefined): boolean {
  return subtoken?.kind === 'digits' && subtoken.delimiter === '.'
}

/** `nº`, and `no.` before digits, abbreviate "number". `C/` before a word or at the end of the token is a street. */
function recogniseAbbreviation(subtoken: Subtoken, next: Subtoken | undefined, trailingDelimiter: string): Subtoken {
  if (subtoken.kind !== 'letters') return subtoken
  const { form, symbol, delimiter } = subtoken
  const delimiterAfter = next?.delimiter ?? trailingDelimiter
  if (form === 'n' && symbol === 'º') return withChanges(subtoken, { kind: 'number' })
  if (form === 'no' && delimiter === ' ' && delimiterAfter === '.' && next?.kind === 'digits')
    return withChanges(subtoken, { kind: 'number' })
  const isStreet = form === 'c' && delimiterAfter === '/' && (next === undefined || next.form.length > 2)
  return isStreet && next?.kind !== 'digits' ? withChanges(subtoken, { symbol: '/' }) : subtoken
}
