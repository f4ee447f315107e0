// Splits a token, which is a piece of text between white space and plain punctuation, into subtokens, which are runs of
// letters or of digits with the delimiter before them. The token `U.E.-21b` has the subtokens `ue` (initials, joined),
// `21` (after a hyphen) and `b` (after no delimiter). tokenizer.ts finds the tokens. subtoken-groups.ts decides which
// subtokens form a code.
import { foldWord } from './fold.ts'
import { normaliseCharacters } from './normalise-characters.ts'
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
   * The delimiter before it: a hyphen for the 1 of `UE-1`, empty for the b of `21b`. It is `wordBreak` at the start of
   * the token, and if two delimiters stand in a row (`extendDelimiter` has the exceptions).
   */
  readonly delimiterBefore: string
  /** The sign after it: an ordinal sign, the slash of `C/`, or empty. */
  readonly trailingSign: TrailingSign
}

export type TrailingSign = keyof typeof signLetters

/** The letter that each trailing sign stands for: `Mª` is read as `ma`. The slash stands for none. */
export const signLetters = { º: 'o', ª: 'a', '/': '', '': '' } as const

/** The delimiter between separate words, as if white space were there. */
const wordBreak = ' '

/**
 * Splits a token into subtokens: `ue` and `1` for `UE-1`. The token is as `Tokenizer.spelling` returns it: without
 * trailing delimiters, except the slash of `C/`. A token without letters or digits, such as an emoji or a soft hyphen,
 * has no subtokens.
 */
export function toSubtokens(token: string): Subtoken[] {
  // Most tokens are one word or one number.
  if (letters.test(token)) return [toSubtoken('letters', token, wordBreak)]
  if (digits.test(token)) return [toSubtoken('digits', token, wordBreak)]
  const subtokens: Subtoken[] = []
  let delimiter: string = wordBreak
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
 * `UE--1`    | wordBreak | any other two delimiters separate words
 */
function extendDelimiter(delimiter: string, character: string): string {
  if (delimiter === '' || delimiter === '.') return character
  return delimiter === '/' && character === '.' ? delimiter : wordBreak
}

/** Joins initials with dots between them into one subtoken: `P.G.O.U.` is `pgou`, `NN.SS.` is `nnss`. */
function joinInitials(subtokens: readonly Subtoken[]): Subtoken[] {
  const continuesInitials = (previous: Subtoken, subtoken: Subtoken): boolean =>
    subtoken.delimiterBefore === '.' && isInitial(previous) && isInitial(subtoken)
  return splitIntoRuns(subtokens, continuesInitials).map(joinRun)
}

/** True for a single letter, and for the same letter twice, which marks a plural: N in `N.S.`, NN in `NN.SS.` */
function isInitial({ kind, trailingSign, form }: Subtoken): boolean {
  return kind === 'letters' && trailingSign === '' && /^(?:\p{L}|(\p{L})\1)$/u.test(form)
}

/**
 * Joins the digit groups of a number with dots for thousands: `1.250` is 1250. The parts of codes and dates stay apart:
 * `20.07`, `25.05.2018`, and `I-2.345`, in which letters precede the number.
 */
function joinDigitGroups(subtokens: readonly Subtoken[]): Subtoken[] {
  if (!subtokens.some(isDigitsAfterDot)) return [...subtokens]
  const runs = splitIntoRuns(subtokens, (_, subtoken) => isDigitsAfterDot(subtoken))
  return runs.flatMap((run, index) => {
    const isAfterLetters = runs[index - 1]?.at(-1)?.kind === 'letters'
    return isAfterLetters || !areThousands(run) ? run : [joinRun(run)]
  })
}

function isDigitsAfterDot({ kind, delimiterBefore }: Subtoken): boolean {
  return kind === 'digits' && delimiterBefore === '.'
}

/** Whether the subtokens are one to three digits and then groups of exactly three. */
function areThousands([first, ...rest]: Run): boolean {
  return rest.length > 0 && /^[1-9]\d{0,2}$/.test(first.form) && rest.every(({ form }) => /^\d{3}$/.test(form))
}

/** Consecutive subtokens, at least one. */
type Run = [Subtoken, ...Subtoken[]]

/** Splits the subtokens into runs. A subtoken is in the run of the one before it if `continuesRun` says so. */
function splitIntoRuns(
  subtokens: readonly Subtoken[],
  continuesRun: (previous: Subtoken, subtoken: Subtoken) => boolean,
): Run[] {
  const runs: Run[] = []
  for (const [index, subtoken] of subtokens.entries()) {
    const previous = subtokens[index - 1]
    if (previous !== undefined && continuesRun(previous, subtoken)) runs.at(-1)?.push(subtoken)
    else runs.push([subtoken])
  }
  return runs
}

/** Joins the subtokens of a run into one: `pgou` for P, G, O and U. */
function joinRun(run: Run): Subtoken {
  const [first] = run
  if (run.length === 1) return first
  const dottedParts = run.map(({ form }) => form)
  const isUpperCase = run.every((subtoken) => subtoken.isUpperCase)
  return withChanges(first, { form: dottedParts.join(''), isUpperCase, dottedParts })
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
  // After any other delimiter, `no` may be part of a code.
  const isNo = form === 'no' && delimiterBefore === wordBreak
  const isNoBeforeDigits = isNo && delimiterAfter === '.' && next?.kind === 'digits'
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
