// Splits a token, which is a piece of text between white space and plain punctuation, into subtokens, which are runs of
// letters or of digits with the delimiter before them. The token `U.E.-21b` has the subtokens `ue` (initials, joined),
// `21` (after a hyphen) and `b` (after no delimiter). tokenizer.ts finds the tokens. subtoken-groups.ts decides which
// subtokens form a code.
import { foldWord } from './fold.ts'
import { stopWords } from './stop-words.ts'

export interface Subtoken {
  /** `ordinal` is digits with an ordinal sign: `2ª`. `numberAbbreviation` is `nº`, `n.º`, or the `no` of `no.5`. */
  readonly kind: 'letters' | 'digits' | 'ordinal' | 'numberAbbreviation'
  /** The folded letters, or the digits, without the trailing sign. */
  readonly form: string
  /** Digits count as upper case. */
  readonly isUpperCase: boolean
  /** Whether it is written with a ç, which is a c in `form`: true for `plaça`. */
  readonly hasCedilla: boolean
  /**
   * The parts between dots, which are indexed too: p, g, o and u for `P.G.O.U.`; 1 and 250 for `1.250`; n and o for
   * `n.º`. Only o for `2.º`, because its 2 is indexed anyway (subtoken-words.ts). Empty without a dot.
   */
  readonly dottedParts: readonly string[]
  /**
   * The delimiter before it: a hyphen for the 1 of `UE-1`. Empty if there is none, as for the b of `21b`. A space at
   * the start of the token, and if two delimiters stand in a row (`extendDelimiter` has the exceptions).
   */
  readonly delimiterBefore: string
  /** The sign after it: an ordinal sign, the slash of `C/`, or empty. */
  readonly trailingSign: TrailingSign
}

export type TrailingSign = keyof typeof signLetters

/** The letter that each trailing sign stands for: `Mª` is read as `ma`. The slash stands for none. */
export const signLetters = { º: 'o', ª: 'a', '/': '', '': '' } as const

/**
 * Splits a token into subtokens: `ue` and `1` for `UE-1`. The token is as `Tokenizer.spelling` returns it: without
 * trailing delimiters, except the slash of `C/`. A token without letters or digits, such as an emoji or a soft hyphen,
 * has no subtokens.
 */
export function toSubtokens(token: string): Subtoken[] {
  // Most tokens are one word or one number.
  if (letters.test(token)) return [toSubtoken('letters', token, ' ')]
  if (digits.test(token)) return [toSubtoken('digits', token, ' ')]
  const subtokens: Subtoken[] = []
  let delimiter = ' '
  for (const [text, letterRun, digitRun, sign] of normaliseCharacters(token).matchAll(subtokenPattern)) {
    if (letterRun !== undefined) {
      subtokens.push(toSubtoken('letters', letterRun, delimiter))
    } else if (digitRun !== undefined) {
      subtokens.push(toSubtoken('digits', digitRun, delimiter))
    } else if (sign !== undefined) {
      addOrdinalSign(sign as 'º' | 'ª', delimiter, subtokens)
    } else {
      delimiter = extendDelimiter(delimiter, text)
      continue
    }
    delimiter = ''
  }
  const trailingDelimiter = delimiter
  // Folding may remove all characters of a run.
  const nonEmpty = subtokens.filter((subtoken) => subtoken.form !== '')
  return joinDigitGroups(joinInitials(nonEmpty)).map((subtoken, index, all) =>
    recogniseAbbreviation(subtoken, all[index + 1], all[index + 2], trailingDelimiter),
  )
}

/** ASCII and Latin-1 letters, without `×` and `÷`, which are between them. */
const letters = /^[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff]+$/
const digits = /^[0-9]+$/

function toSubtoken(kind: 'letters' | 'digits', text: string, delimiterBefore: string): Subtoken {
  const folded = foldWord(text)
  // The cut may split a surrogate pair. Half of a pair cannot be stored as UTF-8, so U+FFFD replaces it.
  const form =
    folded.length > formCharactersMax
      ? folded.slice(0, formCharactersMax).replace(/[\ud800-\udbff]$/, '\ufffd')
      : folded
  const isUpperCase = text === text.toUpperCase()
  const hasCedilla = /[çÇ]/.test(text)
  return { kind, form, isUpperCase, hasCedilla, dottedParts: [], delimiterBefore, trailingSign: '' }
}

/** A longer run of letters or digits is truncated, in texts and in terms alike, so that they still match. */
const formCharactersMax = 64

/** A copy with these changes. It lists all fields in order, so that V8 gives all subtokens one hidden class. */
function withChanges(subtoken: Subtoken, changes: Partial<Subtoken>): Subtoken {
  const { kind, form, isUpperCase, hasCedilla, dottedParts, delimiterBefore, trailingSign } = {
    ...subtoken,
    ...changes,
  }
  return { kind, form, isUpperCase, hasCedilla, dottedParts, delimiterBefore, trailingSign }
}

/**
 * Matches the next run of a token. Capturing groups:
 * 1. letters with their combining marks, but not the ordinal signs, which are letters in Unicode; or numerals that are
 *    neither digits nor compatibility forms, such as `〇` (`normaliseCharacters` has replaced `Ⅳ` by `IV`);
 * 2. decimal digits;
 * 3. an ordinal sign.
 * Any other character is a delimiter and in no group. `U.E.-21ª` is matched as U, dot, E, dot, hyphen, 21, ª.
 */
const subtokenPattern = /([^\P{L}ºª](?:[^\P{L}ºª]|\p{M})*|[\p{Nl}\p{No}]+)|(\p{Nd}+)|([ºª])|./gsu

/**
 * Characters that `normaliseCharacters` does not change: ASCII without the backtick, which may be an accent, and the
 * Latin letters up to U+024F that are not compatibility forms.
 */
const unchangedCharacters =
  /^[\x20-\x5f\x61-\x7f\u00c0-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e\u0180-\u01c3\u01cd-\u01f0\u01f4-\u024f]*$/

/**
 * Unifies hyphens, apostrophes and ordinal signs, replaces compatibility forms (`ﬁ`, `²`, `Ａ`) by plain characters, and
 * removes invisible characters.
 */
function normaliseCharacters(token: string): string {
  if (unchangedCharacters.test(token)) return token
  const text = token
    // Decomposition comes first because it can produce an accent that NFKC must not see (U+1FFD is canonically `´`).
    .normalize('NFD')
    .replaceAll('№', 'nº')
    .replaceAll('°', 'º')
    // NFKC would turn an ordinal sign into a letter, and a spacing accent into a space with a combining mark.
    .replace(/[^ºª´¨˜`]+/g, (run) => run.normalize('NFKC'))
    // Format characters (soft hyphen, zero-width space), and combining marks that follow no letter.
    .replace(/\p{Cf}|(?<![\p{L}\p{M}])\p{M}+/gu, '')
    // The plural `nºs` is `nº`.
    .replace(/(n\.?º)s(?![\p{L}\p{N}])/giu, '$1')
    // The middle dot of the Catalan `l·l`.
    .replace(/(l)[·•‧∙⋅](?=l)/giu, '$1')
    // Curly apostrophes, the prime and the modifier letter apostrophe.
    .replace(/[\u2018\u2019\u2032\u02bc]/g, "'")
    // Hyphens, dashes up to the en dash, and the minus sign.
    .replace(/[\u2010-\u2013\u2212]/g, '-')
  return spacingAccent.test(text) ? resolveSpacingAccents(text) : text
}

/** An accent that is a character of its own. */
const spacingAccent = /[´¨˜`]/

/** A spacing accent is an apostrophe (`l´Alcúdia`), or the accent of a letter beside it in a PDF (`ordenaci´on`). */
function resolveSpacingAccents(text: string): string {
  return (
    text
      // Between a single d, l, m, n, s or t and a letter it is the apostrophe of an elided word (`d´Oliva`), except
      // before a dotless i, whose accent it is (`l´ınea`), or an ordinal sign. Between a single o and a d it is the
      // apostrophe of `O´Donnell`.
      .replace(/(?<!\p{L})([dlmnst](?=.(?![ıºª])\p{L})|o(?=.d))[´`]/giu, "$1'")
      // Beside any other letter it is an accent, and folding removes accents anyway.
      .replace(/(?<=\p{L})[´¨˜`]+|[´¨˜`]+(?=\p{L})/gu, '')
  )
}

/**
 * Attaches the sign to the subtoken before it: to the 2 of `2ª`. A sign after another sign or on its own is a letter.
 */
function addOrdinalSign(sign: 'º' | 'ª', delimiterBefore: string, subtokens: Subtoken[]): void {
  const last = subtokens.at(-1)
  const letter = signLetters[sign]
  const isAttached = delimiterBefore === '' || delimiterBefore === '.'
  if (last === undefined || last.trailingSign !== '' || !isAttached) {
    subtokens.push({ ...toSubtoken('letters', letter, delimiterBefore), isUpperCase: false })
    return
  }
  const kind = last.kind === 'digits' ? 'ordinal' : last.kind
  // The parts of `n.º` are `n` and `o`. Of `2.º` only the `o` is listed, because subtoken-words.ts adds the 2 itself.
  const partsAroundDot = last.kind === 'digits' ? [letter] : [last.form, letter]
  const dottedParts = delimiterBefore === '.' ? partsAroundDot : []
  subtokens[subtokens.length - 1] = withChanges(last, { kind, trailingSign: sign, dottedParts })
}

/**
 * Combines delimiters in a row: `delimiter` is the combination so far, `character` comes next.
 *
 * text       | delimiter | why
 * `UE-1`     | hyphen    | only one
 * `U.E.-1`   | hyphen    | the dot ends an abbreviation
 * `C/.Mayor` | slash     | the dot ends an abbreviation
 * `ED..16`   | dot       | two dots are one dot
 * `UE--1`    | space     | any other two delimiters separate words
 */
function extendDelimiter(delimiter: string, character: string): string {
  if (delimiter === '' || delimiter === '.') return character
  return delimiter === '/' && character === '.' ? delimiter : ' '
}

/** Joins initials with dots between them into one subtoken: `P.G.O.U.` is `pgou`, `NN.SS.` is `nnss`. */
function joinInitials(subtokens: readonly Subtoken[]): Subtoken[] {
  const joined: Subtoken[] = []
  for (let start = 0; start < subtokens.length; ) {
    let end = start
    while (isInitial(subtokens[end]) && (end === start || subtokens[end]?.delimiterBefore === '.')) end++
    // The initials or, if there are none, the one subtoken at `start`.
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

/** True for a single letter, and for the same letter twice, which marks a plural: N in `N.S.`, NN in `NN.SS.` */
function isInitial(subtoken: Subtoken | undefined): boolean {
  return subtoken?.kind === 'letters' && subtoken.trailingSign === '' && /^(?:\p{L}|(\p{L})\1)$/u.test(subtoken.form)
}

/**
 * Joins the digit groups of a number with dots for thousands: `1.250` is 1250. The parts of codes and dates stay apart:
 * `20.07`, `25.05.2018`, and `I-2.345`, in which letters precede the number.
 */
function joinDigitGroups(subtokens: readonly Subtoken[]): Subtoken[] {
  if (!subtokens.some(isDigitsAfterDot)) return [...subtokens]
  const joined: Subtoken[] = []
  for (let start = 0; start < subtokens.length; ) {
    let end = start + 1
    while (isDigitsAfterDot(subtokens[end])) end++
    const run = subtokens.slice(start, end)
    const [first, ...rest] = run
    if (first === undefined) break
    const isAfterLetters = joined.at(-1)?.kind === 'letters'
    // One to three digits, then groups of exactly three.
    const isNumber =
      !isAfterLetters &&
      rest.length > 0 &&
      /^[1-9]\d{0,2}$/.test(first.form) &&
      rest.every(({ form }) => /^\d{3}$/.test(form))
    const dottedParts = run.map((subtoken) => subtoken.form)
    joined.push(...(isNumber ? [withChanges(first, { form: dottedParts.join(''), dottedParts })] : run))
    start = end
  }
  return joined
}

function isDigitsAfterDot(subtoken: Subtoken | undefined): boolean {
  return subtoken?.kind === 'digits' && subtoken.delimiterBefore === '.'
}

/**
 * Recognises two abbreviations and returns any other subtoken unchanged:
 * - `nº`, and `no` before a dot and digits (`no.5`), get the kind `numberAbbreviation`;
 * - the `c` of `C/`, alone or before a word, gets the slash as its trailing sign.
 *
 * `trailingDelimiter` is the delimiter after the last subtoken of the token.
 */
function recogniseAbbreviation(
  subtoken: Subtoken,
  next: Subtoken | undefined,
  afterNext: Subtoken | undefined,
  trailingDelimiter: string,
): Subtoken {
  if (subtoken.kind !== 'letters') return subtoken
  const { form, trailingSign, delimiterBefore } = subtoken
  const delimiterAfter = next?.delimiterBefore ?? trailingDelimiter
  const isNumberSymbol = form === 'n' && trailingSign === 'º'
  // A space before it stands for the start of the token or for two delimiters in a row (`delimiterBefore`). So this
  // `no` is not part of a code.
  const isNoBeforeDigits = form === 'no' && delimiterBefore === ' ' && delimiterAfter === '.' && next?.kind === 'digits'
  if (isNumberSymbol || isNoBeforeDigits) return withChanges(subtoken, { kind: 'numberAbbreviation' })
  const isStreetSymbol = form === 'c' && delimiterAfter === '/' && !mayContinueCode(next, afterNext)
  return isStreetSymbol ? withChanges(subtoken, { trailingSign: '/' }) : subtoken
}

/**
 * Whether what follows `C/` may be the rest of a code: `C/12`, `C/UE`. A word of three letters or more cannot be, nor
 * can an article or a preposition (`C/la Palma`) or the start of a name with an apostrophe (`C/O'Donnell`).
 */
function mayContinueCode(next: Subtoken | undefined, afterNext: Subtoken | undefined): boolean {
  if (next === undefined) return false
  if (next.kind === 'digits') return true
  // A single letter may be part of a code even if it is a stop word: `C/A`.
  const isTwoLetterStopWord = next.form.length === 2 && stopWords.has(next.form)
  return next.form.length <= 2 && !isTwoLetterStopWord && afterNext?.delimiterBefore !== "'"
}
