// An analysed token: its words in order, the groups of subtokens that become clauses of a term, and the joined forms
// and synonyms that are indexed with it. Texts and terms share this analysis, so they cannot differ.
import { symbols } from './abbreviations.ts'
import {
  createWord,
  expansionsByAcronym,
  type LexiconWord,
  numberSymbol,
  numberWord,
  ordinalsByDigits,
  otherNumerals,
  withQueryStem,
  wordOf,
} from './lexicon.ts'
import { type Subtoken, signLetters, toSubtokens } from './subtokens.ts'
import type { Tokenizer } from './tokenizer.ts'
import type { Word } from './word.ts'
import { WordCache } from './word-cache.ts'

export interface Token {
  readonly words: readonly LexiconWord[]
  /** The added words of the token, as in `AddedWords`. */
  readonly joinedForms: readonly Word[]
  readonly synonyms: readonly Word[]
  readonly groups: readonly SubtokenGroup[]
  /** The first group, when a number after the token may belong to it (`SUNC-R 3`). */
  readonly codeStart: SubtokenGroup | undefined
  /** The abbreviation of "number" that the token is if a dot follows: `No.`, `N.` */
  readonly dottedAbbreviation: DottedAbbreviation | undefined
}

/** Words that are indexed without a position: word and prefix clauses see them, phrases do not. */
export interface AddedWords {
  /** Joined and split forms of what is written: `SUNC-R-3` adds `suncr3`. */
  readonly joinedForms: Word[]
  /** Other words with the same meaning. Prefix clauses do not match them. */
  readonly synonyms: Word[]
}

/** Subtokens that belong together: the parts of a code, or a single word. */
export interface SubtokenGroup {
  readonly words: readonly LexiconWord[]
  /** The group as one word (`suncr3`). Undefined for a single word, a date, a range and a fraction. */
  readonly joinedCode: Word | undefined
  /** For letters before a number (`SUNCR 3`): the acronym and the other letters. */
  readonly acronymParts: AcronymParts | undefined
  /** An upper-case group may be the start of a code that continues after a space: `SUNC-R 3`. */
  readonly isUpperCase: boolean
  /** An elided article (`l'Alcúdia`), which a term does not require. */
  readonly isOptional: boolean
}

export type AcronymParts = readonly [head: string, tail: string]

const cache = new WordCache<Token>()

/** The current token of the tokenizer. */
export function tokenAt(tokenizer: Tokenizer): Token {
  const { spelling } = tokenizer
  const cached = cache.get(spelling)
  if (cached !== undefined) return cached
  const copy = copyString(spelling)
  const token = createToken(copy)
  cache.set(copy, token)
  return token
}

/**
 * A copy that does not refer to the document. V8 copies short substrings itself, but represents a longer one as a slice
 * of its document, which would stay in memory as long as the slice is in the cache.
 */
function copyString(text: string): string {
  return text.length <= copiedByV8CharactersMax ? text : text.split('').join('')
}

const copiedByV8CharactersMax = 12

function createToken(spelling: string): Token {
  const added: AddedWords = { joinedForms: [], synonyms: [] }
  const groups = groupSubtokens(toSubtokens(spelling)).map((subtokens, index, all) =>
    createGroup(subtokens, all[index + 1]?.[0], added),
  )
  const [first] = groups
  const codeStart = first?.joinedCode === undefined && first?.acronymParts === undefined ? undefined : first
  const words = first !== undefined && groups.length === 1 ? first.words : groups.flatMap((group) => group.words)
  const dottedAbbreviation = words.length === 1 ? dottedAbbreviations.get(words[0]?.form ?? '') : undefined
  return { words, ...added, groups, codeStart, dottedAbbreviation }
}

/** With a dot, `No. 5` and `N. 5` abbreviate "number". Without it, `no` is a word and `N` is a letter, as in `N-5`. */
export function findDottedAbbreviation(
  { text, end }: Tokenizer,
  { dottedAbbreviation }: Token,
): DottedAbbreviation | undefined {
  return dottedAbbreviation !== undefined && text.charCodeAt(end) === dot ? dottedAbbreviation : undefined
}

export interface DottedAbbreviation {
  /** The word `no` or the letter N. */
  readonly plain: LexiconWord
  /** What the abbreviation means before a number: "number". */
  readonly beforeNumber: LexiconWord
}

const dottedAbbreviations: ReadonlyMap<string, DottedAbbreviation> = new Map(
  [wordOf('no'), wordOf('n')].map((plain) => [
    plain.form,
    { plain, beforeNumber: withQueryStem(plain, numberWord.stem, { mayHaveNumeral: true }) },
  ]),
)

const dot = 0x2e

/** Splits between subtokens that are separate words: `y/o`, `Alicante/Alacant`, `fin.Plan`, `nº5`. */
function groupSubtokens(subtokens: readonly Subtoken[]): (readonly Subtoken[])[] {
  if (subtokens.length === 1) return [subtokens]
  const groups: Subtoken[][] = []
  for (const [index, subtoken] of subtokens.entries()) {
    const previous = subtokens[index - 1]
    const group = groups.at(-1)
    if (previous === undefined || group === undefined || !belongTogether(previous, subtoken)) groups.push([subtoken])
    else group.push(subtoken)
  }
  return groups
}

/** Whether two adjacent subtokens are parts of one code. */
function belongTogether(previous: Subtoken, subtoken: Subtoken): boolean {
  if (previous.kind === 'numberAbbreviation' || previous.trailingSign === '/') return false
  const bothHaveDigits = previous.kind !== 'letters' && subtoken.kind !== 'letters'
  const oneHasDigits = previous.kind !== 'letters' || subtoken.kind !== 'letters'
  switch (subtoken.delimiter) {
    case '':
    case '-':
    case '_':
      return true
    case '/':
      return oneHasDigits || haveLettersAtMost(slashedLettersMax, previous, subtoken)
    case '.':
      return bothHaveDigits || haveLettersAtMost(dottedLettersMax, previous, subtoken)
    case ',':
      return bothHaveDigits
    case "'":
      return !elidedWords.has(previous.form)
    default:
      return false
  }
}

/** Articles and prepositions before an apostrophe. Any other letter is part of a name (O'Donnell). */
const elidedWords: ReadonlySet<string> = new Set(['l', 'd'])

/** Longer letters beside a slash or a dot are words, not parts of a code: `Alicante/Alacant`, `fin.Plan`. */
const slashedLettersMax = 4
const dottedLettersMax = 3

function haveLettersAtMost(lettersMax: number, ...subtokens: readonly Subtoken[]): boolean {
  return subtokens.every(({ kind, form }) => kind !== 'letters' || form.length <= lettersMax)
}

/** `following` is the first subtoken after the group. */
function createGroup(
  subtokens: readonly Subtoken[],
  following: Subtoken | undefined,
  added: AddedWords,
): SubtokenGroup {
  const [first] = subtokens
  if (first !== undefined && subtokens.length === 1) return createSingleGroup(first, following, added)
  const words = subtokens.map((subtoken, index) => toWord(subtoken, subtokens[index + 1], added))
  const ordinal = findOrdinal(subtokens)
  const joinedCode = ordinal?.symbol ?? joinSubtokens(subtokens)
  if (joinedCode !== undefined) {
    added.joinedForms.push(joinedCode, ...joinSlashParts(subtokens), ...joinLeadingLetters(subtokens))
  }
  for (const [index, subtoken] of subtokens.entries()) {
    const parts = subtokens[index + 1]?.kind === 'digits' ? splitAcronym(subtoken) : undefined
    if (parts !== undefined) addAcronymParts(parts, words[index + 1] as LexiconWord, added)
  }
  if (ordinal !== undefined) added.synonyms.push(ordinal.full)
  const isUpperCase = subtokens.every((subtoken) => subtoken.isUpperCase)
  return { words, joinedCode, acronymParts: undefined, isUpperCase, isOptional: false }
}

function createSingleGroup(subtoken: Subtoken, following: Subtoken | undefined, added: AddedWords): SubtokenGroup {
  const words = [toWord(subtoken, undefined, added)]
  const isOptional = following?.delimiter === "'" && elidedWords.has(subtoken.form)
  const { isUpperCase } = subtoken
  const acronymParts = isUpperCase ? splitAcronym(subtoken) : undefined
  return { words, joinedCode: undefined, acronymParts, isUpperCase, isOptional }
}

/** Returns the word at the position of the subtoken, and adds its other forms and synonyms. `next` is in its group. */
function toWord(subtoken: Subtoken, next: Subtoken | undefined, added: AddedWords): LexiconWord {
  const { joinedForms, synonyms } = added
  joinedForms.push(...subtoken.dottedParts.map(wordOf))
  switch (subtoken.kind) {
    case 'numberAbbreviation':
      // `no.5` contains the word `no`; `nº` does not.
      if (subtoken.form === 'no') joinedForms.push(wordOf('no'))
      return numberSymbol
    case 'digits':
      return wordOf(subtoken.form)
    case 'ordinal': {
      const ordinal = ordinalsByDigits.get(subtoken.form)
      if (ordinal === undefined) {
        joinedForms.push(wordOf(lettersOf(subtoken)))
        return wordOf(subtoken.form)
      }
      synonyms.push(ordinal.full, wordOf(subtoken.form))
      return ordinal.symbol
    }
    case 'letters':
      return toLetterWord(subtoken, next, synonyms)
  }
}

function toLetterWord(subtoken: Subtoken, next: Subtoken | undefined, synonyms: Word[]): LexiconWord {
  const { form, trailingSign } = subtoken
  const symbolWord = trailingSign === '' ? undefined : symbolWords.get(form + trailingSign)
  if (symbolWord !== undefined) {
    synonyms.push(...symbolWord.synonyms)
    return symbolWord.word
  }
  const word = wordOf(lettersOf(subtoken))
  synonyms.push(...word.synonyms)
  const expansion = expansionsByAcronym.get(word.form)
  const isAcronym = subtoken.isUpperCase || next?.kind === 'digits'
  if (expansion !== undefined && (isAcronym || !expansion.isUpperCaseOnly)) synonyms.push(...expansion.synonyms)
  // `Benavente III` is also `Benavente 3`. A single letter is rarely a numeral.
  const numeral = subtoken.isUpperCase && word.form.length > 1 ? otherNumerals.get(word.form) : undefined
  if (numeral !== undefined) synonyms.push(numeral)
  return word
}

/** The words of `C/`, `Pº` and the like. Their stem is the symbol itself, so that a quoted phrase stays literal. */
const symbolWords = new Map(
  symbols.map(({ symbol, word, letters }) => {
    const full = wordOf(word)
    return [symbol, { word: withQueryStem(createWord(letters, symbol), full.stem), synonyms: [full, wordOf(letters)] }]
  }),
)

/** The form with its ordinal sign as a letter: `ma` for `Mª`. */
function lettersOf({ form, trailingSign }: Subtoken): string {
  return form + signLetters[trailingSign]
}

/** A code as one word: `SUNC-R-3` is `suncr3`, `UE-2.1` is `ue2.1`. Dates, ranges and fractions are not joined. */
function joinSubtokens(subtokens: readonly Subtoken[]): LexiconWord | undefined {
  const rest = subtokens.slice(1)
  if (rest.length === 0 || rest.some((subtoken) => subtoken.delimiter === ',')) return undefined
  if (subtokens.every((subtoken) => subtoken.kind === 'digits')) {
    const isFraction = subtokens[0]?.form.startsWith('0')
    if (rest.length > 1 || rest[0]?.delimiter !== '.' || isFraction) return undefined
  }
  let code = ''
  for (const [index, subtoken] of subtokens.entries()) {
    // Two numbers are not joined into one: `UE-2.1` is not `UE-21`, and `20.07` is not `2.007`.
    if (subtoken.kind === 'digits' && subtokens[index - 1]?.kind === 'digits') code += '.'
    // The stem of a number has no leading zeros: `UE-01` is also `ue1`.
    code += subtoken.kind === 'digits' ? wordOf(subtoken.form).stem : lettersOf(subtoken)
  }
  return code.length <= codeCharactersMax ? wordOf(code) : undefined
}

/** Real codes are shorter. */
const codeCharactersMax = 32

/** The codes between slashes: `SUNC-R-3/SUNC-R-4` has two. */
function joinSlashParts(subtokens: readonly Subtoken[]): LexiconWord[] {
  const partStarts = subtokens.flatMap((subtoken, index) => (subtoken.delimiter === '/' && index > 0 ? [index] : []))
  if (partStarts.length === 0) return []
  return [0, ...partStarts].flatMap((start, part) => joinSubtokens(subtokens.slice(start, partStarts[part])) ?? [])
}

/** The letters before the number, so that `SUNCR 3` finds `SUNC-R-3`. */
function joinLeadingLetters(subtokens: readonly Subtoken[]): LexiconWord[] {
  const numberIndex = subtokens.findIndex((subtoken) => subtoken.kind === 'digits')
  const letters = joinSubtokens(subtokens.slice(0, Math.max(numberIndex, 0)))
  return letters === undefined ? [] : [letters]
}

/** Splits a known acronym from one or two letters after it, or from the S of a sector before it: `SUNCR`, `SSUNC`. */
function splitAcronym({ kind, form }: Subtoken): AcronymParts | undefined {
  if (kind !== 'letters' || expansionsByAcronym.has(form)) return undefined
  for (const tailLetters of [1, 2]) {
    const head = form.slice(0, -tailLetters)
    if (expansionsByAcronym.has(head)) return [head, form.slice(-tailLetters)]
  }
  const afterS = form.slice(1)
  return form.startsWith('s') && expansionsByAcronym.has(afterS) ? ['s', afterS] : undefined
}

/** Adds to `SUNCR3` the forms that `SUNC R 3` and `SUNC R-3` search for. */
export function addAcronymParts([head, tail]: AcronymParts, number: Word, added: AddedWords): void {
  const { joinedForms, synonyms } = added
  joinedForms.push(wordOf(tail + number.stem))
  for (const word of [wordOf(head), wordOf(tail)]) {
    joinedForms.push(word)
    synonyms.push(...word.synonyms, ...(expansionsByAcronym.get(word.form)?.synonyms ?? []))
  }
}

/** The ordinal that is typed with a letter: `2a` for `2ª`. */
function findOrdinal(subtokens: readonly Subtoken[]): { symbol: LexiconWord; full: LexiconWord } | undefined {
  const [number, letter] = subtokens
  if (subtokens.length !== 2 || number?.kind !== 'digits' || letter?.delimiter !== '') return undefined
  return letter.form === 'a' || letter.form === 'o' ? ordinalsByDigits.get(number.form) : undefined
}
