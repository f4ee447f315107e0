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
import { type Subtoken, toSubtokens } from './subtokens.ts'
import type { Tokenizer } from './tokenizer.ts'
import type { Word } from './word.ts'
import { WordCache } from './word-cache.ts'

export interface Token {
  readonly words: readonly LexiconWord[]
  /** As in `AddedWords`. */
  readonly joined: readonly Word[]
  readonly synonyms: readonly Word[]
  readonly groups: readonly SubtokenGroup[]
  /** The first group, when a number after the token may belong to it (`SUNC-R 3`). */
  readonly codeStart: SubtokenGroup | undefined
  /** The abbreviation that the token is when a dot follows. */
  readonly dottedAbbreviation: DottedAbbreviation | undefined
}

/** Words that are indexed without a position: word and prefix clauses see them, phrases do not. */
export interface AddedWords {
  /** Joined and split forms of what is written: `SUNC-R-3` adds `suncr3`. */
  readonly joined: Word[]
  /** Other words with the same meaning. Prefix clauses do not match them. */
  readonly synonyms: Word[]
}

/** Subtokens that belong together: the parts of a code, or a single word. */
export interface SubtokenGroup {
  readonly words: readonly LexiconWord[]
  /** The group as one word, if texts are indexed with it. */
  readonly joined: Word | undefined
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

/** V8 represents a longer substring as a slice; in the cache, it would keep the whole document in memory. */
const copiedCharactersMax = 12

function copyString(text: string): string {
  return text.length <= copiedCharactersMax ? text : text.split('').join('')
}

function createToken(spelling: string): Token {
  const added: AddedWords = { joined: [], synonyms: [] }
  const groups = groupSubtokens(toSubtokens(spelling)).map((subtokens, index, all) =>
    createGroup(subtokens, all[index + 1]?.[0], added),
  )
  const [first] = groups
  const codeStart = first?.joined === undefined && first?.acronymParts === undefined ? undefined : first
  const words = first !== undefined && groups.length === 1 ? first.words : groups.flatMap((group) => group.words)
  const dottedAbbreviation = words.length === 1 ? dottedAbbreviations.get(words[0]?.form ?? '') : undefined
  return { words, joined: added.joined, synonyms: added.synonyms, groups, codeStart, dottedAbbreviation }
}

/** With a dot, `No. 5` and `N. 5` abbreviate "number". Without it, `no` is a word and `N` is a letter, as in `N-5`. */
export function findDottedAbbreviation(
  { text, end }: Tokenizer,
  { dottedAbbreviation }: Token,
): DottedAbbreviation | undefined {
  return dottedAbbreviation !== undefined && text.charCodeAt(end) === dot ? dottedAbbreviation : undefined
}

export interface DottedAbbreviation {
  readonly plain: LexiconWord
  /** The word before a number. */
  readonly beforeNumber: LexiconWord
}

const dottedAbbreviations: ReadonlyMap<string, DottedAbbreviation> = new Map(
  [wordOf('no'), wordOf('n')].map((plain) => [
    plain.form,
    { plain, beforeNumber: withQueryStem(plain, numberWord.stem, true) },
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

function belongTogether(previous: Subtoken, subtoken: Subtoken): boolean {
  if (previous.kind === 'number' || previous.symbol === '/') return false
  const bothHaveDigits = previous.kind !== 'letters' && subtoken.kind !== 'letters'
  const oneHasDigits = previous.kind !== 'letters' || subtoken.kind !== 'letters'
  switch (subtoken.delimiter) {
    case '':
    case '-':
    case '_':
      return true
    case '/':
      return oneHasDigits || areShort(previous, subtoken, 4)
    case '.':
      return bothHaveDigits || areShort(previous, subtoken, 3)
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

function areShort(previous: Subtoken, subtoken: Subtoken, lettersMax: number): boolean {
  return [previous, subtoken].every(({ kind, form }) => kind !== 'letters' || form.length <= lettersMax)
}

function createGroup(subtokens: readonly Subtoken[], next: Subtoken | undefined, added: AddedWords): SubtokenGroup {
  const [first] = subtokens
  if (first !== undefined && subtokens.length === 1) return createSingleGroup(first, next, added)
  const words = subtokens.map((subtoken, index) => toWord(subtoken, subtokens[index + 1], added))
  const ordinal = findOrdinal(subtokens)
  const joined = ordinal?.symbol ?? joinSubtokens(subtokens)
  if (joined !== undefined) added.joined.push(joined, ...joinSlashParts(subtokens), ...joinLeadingLetters(subtokens))
  for (const [index, subtoken] of subtokens.entries()) {
    const parts = subtokens[index + 1]?.kind === 'digits' ? splitAcronym(subtoken) : undefined
    if (parts !== undefined) addAcronymParts(parts, words[index + 1] as LexiconWord, added)
  }
  if (ordinal !== undefined) added.synonyms.push(ordinal.full)
  const isUpperCase = subtokens.every((subtoken) => subtoken.isUpperCase)
  return { words, joined, acronymParts: undefined, isUpperCase, isOptional: false }
}

function createSingleGroup(subtoken: Subtoken, next: Subtoken | undefined, added: AddedWords): SubtokenGroup {
  const words = [toWord(subtoken, undefined, added)]
  const isOptional = next?.delimiter === "'" && elidedWords.has(subtoken.form)
  const { isUpperCase } = subtoken
  const acronymParts = isUpperCase ? splitAcronym(subtoken) : undefined
  return { words, joined: undefined, acronymParts, isUpperCase, isOptional }
}

function toWord(subtoken: Subtoken, next: Subtoken | undefined, added: AddedWords): LexiconWord {
  const { joined, synonyms } = added
  switch (subtoken.kind) {
    case 'number':
      // `no.5` contains the word `no`; `nº` does not.
      if (subtoken.form === 'no') joined.push(wordOf('no'))
      joined.push(...subtoken.dottedParts.map(wordOf))
      return numberSymbol
    case 'digits':
      joined.push(...subtoken.dottedParts.map(wordOf))
      return wordOf(subtoken.form)
    case 'ordinal': {
      const letter = subtoken.symbol === 'ª' ? 'a' : 'o'
      const ordinal = ordinalsByDigits.get(subtoken.form)
      joined.push(...subtoken.dottedParts.map(() => wordOf(letter)))
      if (ordinal === undefined) {
        joined.push(wordOf(subtoken.form + letter))
        return wordOf(subtoken.form)
      }
      synonyms.push(ordinal.full, wordOf(subtoken.form))
      return ordinal.symbol
    }
    case 'letters':
      return toLetterWord(subtoken, next, added)
  }
}

function toLetterWord(subtoken: Subtoken, next: Subtoken | undefined, { joined, synonyms }: AddedWords): LexiconWord {
  const symbolWord = subtoken.symbol === '' ? undefined : symbolWords.get(subtoken.form + subtoken.symbol)
  joined.push(...subtoken.dottedParts.map(wordOf))
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

/** The stem of a symbol is the symbol itself, so that a quoted phrase stays literal. */
const symbolWords = new Map(
  symbols.map(({ symbol, word, letters }) => {
    const full = wordOf(word)
    return [symbol, { word: withQueryStem(createWord(letters, symbol), full.stem), synonyms: [full, wordOf(letters)] }]
  }),
)

function lettersOf({ form, symbol }: Subtoken): string {
  return form + (symbol === 'º' ? 'o' : symbol === 'ª' ? 'a' : '')
}

const joinedCharactersMax = 32

/** A code as one word: `SUNC-R-3` is `suncr3`, `UE-2.1` is `ue2.1`. Dates, ranges and fractions are not joined. */
function joinSubtokens(subtokens: readonly Subtoken[]): LexiconWord | undefined {
  const rest = subtokens.slice(1)
  if (rest.length === 0 || rest.some((subtoken) => subtoken.delimiter === ',')) return undefined
  if (subtokens.every((subtoken) => subtoken.kind === 'digits')) {
    const isFraction = subtokens[0]?.form.startsWith('0')
    if (rest.length > 1 || rest[0]?.delimiter !== '.' || isFraction) return undefined
  }
  let joined = ''
  for (const [index, subtoken] of subtokens.entries()) {
    // Two numbers are not joined into one: `UE-2.1` is not `UE-21`, and `20.07` is not `2.007`.
    if (subtoken.kind === 'digits' && subtokens[index - 1]?.kind === 'digits') joined += '.'
    joined += subtoken.kind === 'digits' ? wordOf(subtoken.form).stem : lettersOf(subtoken)
  }
  return joined.length <= joinedCharactersMax ? wordOf(joined) : undefined
}

/** The codes between slashes: `SUNC-R-3/SUNC-R-4`. */
function joinSlashParts(subtokens: readonly Subtoken[]): LexiconWord[] {
  const slashes = subtokens.flatMap((subtoken, index) => (subtoken.delimiter === '/' && index > 0 ? [index] : []))
  if (slashes.length === 0) return []
  return [0, ...slashes].flatMap((start, index) => joinSubtokens(subtokens.slice(start, slashes[index])) ?? [])
}

/** The letters before the number, so that `SUNCR 3` finds `SUNC-R-3`. */
function joinLeadingLetters(subtokens: readonly Subtoken[]): LexiconWord[] {
  const numberIndex = subtokens.findIndex((subtoken) => subtoken.kind === 'digits')
  const letters = joinSubtokens(subtokens.slice(0, Math.max(numberIndex, 0)))
  return letters === undefined ? [] : [letters]
}

/** Splits a known acronym from one or two more letters, or from the S of a sector: `SUNCR`, `SSUNC`. */
function splitAcronym({ kind, form }: Subtoken): AcronymParts | undefined {
  if (kind !== 'letters' || expansionsByAcronym.has(form)) return undefined
  for (const splitIndex of form.startsWith('s') ? [-1, -2, 1] : [-1, -2]) {
    const parts: AcronymParts = [form.slice(0, splitIndex), form.slice(splitIndex)]
    if (expansionsByAcronym.has(parts[splitIndex < 0 ? 0 : 1])) return parts
  }
  return undefined
}

/** Adds to `SUNCR3` the forms that `SUNC R 3` and `SUNC R-3` search for. */
export function addAcronymParts([head, tail]: AcronymParts, number: Word, { joined, synonyms }: AddedWords): void {
  joined.push(wordOf(tail + number.stem))
  for (const word of [wordOf(head), wordOf(tail)]) {
    joined.push(word)
    synonyms.push(...word.synonyms, ...(expansionsByAcronym.get(word.form)?.synonyms ?? []))
  }
}

/** `2a` is often typed for `2ª`. */
function findOrdinal(subtokens: readonly Subtoken[]): { symbol: LexiconWord; full: LexiconWord } | undefined {
  const [number, letter] = subtokens
  if (subtokens.length !== 2 || number?.kind !== 'digits' || letter?.delimiter !== '') return undefined
  return letter.form === 'a' || letter.form === 'o' ? ordinalsByDigits.get(number.form) : undefined
}
