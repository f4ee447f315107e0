// Analysis of one token, by itself: its words in order, the groups of subtokens that become clauses of a term, and the
// joined forms and synonyms that are indexed with it. analyser.ts calls it for texts and term-parser.ts for terms, so
// that terms match texts.
import { symbols } from './abbreviations.ts'
import type { AddedWords } from './added-words.ts'
import {
  type AcronymParts,
  addAcronymParts,
  findLabelNumber,
  formWithSignLetter,
  joinLabelNumber,
  joinLeadingLetters,
  joinSlashParts,
  joinSubtokens,
  type LabelNumber,
  splitAcronym,
} from './codes.ts'
import { type ContextualAbbreviation, contextualAbbreviationsByForm, isInContext } from './contextual-abbreviations.ts'
import { cornerMark } from './corners.ts'
import {
  codeLetters,
  expansionsByAcronym,
  type LexiconWord,
  numberSymbol,
  numberWord,
  ordinalsByDigits,
  upperCaseNumerals,
  withForm,
  withQueryStem,
  wordOf,
} from './lexicon.ts'
import { type Subtoken, toSubtokens } from './subtokens.ts'
import type { Tokenizer } from './tokenizer.ts'
import type { Word } from './word.ts'
import { WordCache } from './word-cache.ts'

export interface AnalysedToken {
  /** The words of all groups, in order. Empty if the token has no letters or digits, for example an emoji. */
  readonly words: readonly LexiconWord[]
  /** Its words joined (`ue1` for `UE-1`), and parts of its words (`p`, `g`, `o` and `u` for `P.G.O.U.`). */
  readonly joinedForms: readonly Word[]
  /** Other words with its meaning: the words of `unidad de ejecución` for `UE`. */
  readonly synonyms: readonly Word[]
  readonly groups: readonly SubtokenGroup[]
  /**
   * The first group, if it is a code (`UE-1`) or may form one with the words beside it: the `SUNC-R` of `SUNC-R 3`, the
   * `16.202` of `ED 16.202`.
   */
  readonly firstCode: SubtokenGroup | undefined
  /** The last group, if the token has several and this one is a code or may form one: the `A` of `SUNC.A 1`. */
  readonly lastCode: SubtokenGroup | undefined
  /** For `No` and `N`: what the token is if a dot follows it. */
  readonly abbreviationIfDotted: DottedAbbreviation | undefined
  /** For `Cap` and the like: the abbreviation that the token is if a suitable word follows it (`isInContext`). */
  readonly contextualAbbreviation: ContextualAbbreviation | undefined
}

/** Subtokens that belong together: the parts of a code, or a single word. */
export interface SubtokenGroup {
  readonly words: readonly LexiconWord[]
  /** The group as one word (`suncr3`). Undefined for a single word, a date, a range, a fraction and a long code. */
  readonly joinedCode: Word | undefined
  /**
   * The group as the number of a label, which is the code of a plan or an area: the `16.202` of `ED 16.202`. Set
   * whether or not the letters of a label precede the group. Undefined for anything else, for example a year.
   */
  readonly labelNumber: LabelNumber | undefined
  /** Two numbers with a hyphen or a slash between them, which may be a range: `23-25`, `23/25`. */
  readonly mayBeRange: boolean
  /** For a group of one word in upper case, an acronym and other letters: its parts, `sunc` and `r` for `SUNCR`. */
  readonly acronymParts: AcronymParts | undefined
  /**
   * Whether all its letters are in upper case; digits count as such. Such a group may be the start of a code that
   * continues after a space: `SUNC-R 3`.
   */
  readonly isUpperCase: boolean
  /** An elided article (`l'Alcúdia`), which a term does not require. */
  readonly isOptional: boolean
}

const cache = new WordCache<AnalysedToken>()

/** Analyses the current token of the tokenizer. The result does not depend on the text around the token. */
export function analyseToken(tokenizer: Tokenizer): AnalysedToken {
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

/** V8 makes a slice only for a substring of at least 13 characters (`SlicedString::kMinLength`). */
const copiedByV8CharactersMax = 12

/** Analyses a token as written. */
function createToken(spelling: string): AnalysedToken {
  const added: AddedWords = { joinedForms: [], synonyms: [] }
  const groups = expandLeadingAbbreviation(
    spelling,
    groupSubtokens(toSubtokens(spelling)).map((subtokens, index, all) =>
      createGroup(subtokens, all[index + 1]?.[0], added),
    ),
    added,
  )
  const [first] = groups
  const firstCode = first !== undefined && mayBeCode(first) ? first : undefined
  const last = groups.length > 1 ? groups.at(-1) : undefined
  const lastCode = last !== undefined && mayBeCode(last) ? last : undefined
  // A single group, the usual case, shares its array of words.
  const words = first !== undefined && groups.length === 1 ? first.words : groups.flatMap((group) => group.words)
  // Unless the token is one word, the form is empty, which neither table has.
  const onlyForm = words.length === 1 ? (words[0]?.form ?? '') : ''
  const abbreviationIfDotted = dottedAbbreviations.get(onlyForm)
  const contextualAbbreviation = contextualAbbreviationsByForm.get(onlyForm)
  return { words, ...added, groups, firstCode, lastCode, abbreviationIfDotted, contextualAbbreviation }
}

/** Treats the S of `S.Bernardo` like that of `S. Bernardo`. The S of `S.UE-3` and `S.SUNC` stays a letter. */
function expandLeadingAbbreviation(spelling: string, groups: SubtokenGroup[], added: AddedWords): SubtokenGroup[] {
  const [first, next] = groups
  const form = first?.words[0]?.form ?? ''
  const abbreviation = contextualAbbreviationsByForm.get(form)
  if (first === undefined || abbreviation === undefined || first.joinedCode !== undefined) return groups
  if (expansionsByAcronym.has(next?.words[0]?.form ?? '')) return groups
  if (!isInContext(abbreviation, { text: spelling, end: form.length })) return groups
  added.synonyms.push(abbreviation.fullWord)
  return groups.with(0, { ...first, words: first.words.with(0, abbreviation.word) })
}

/**
 * Whether the group is a code (`UE-1`), or may be part of one: `SUNCR`, `16.202`, `23-25`, `A`. The `UE` and the `4` of
 * `UE 4` are an ordinary word and number here; numeral-synonyms.ts reads them together.
 */
function mayBeCode({ joinedCode, acronymParts, labelNumber, words, isUpperCase }: SubtokenGroup): boolean {
  if (joinedCode !== undefined || acronymParts !== undefined) return true
  const isNumberInParts = labelNumber !== undefined && labelNumber.stems.length > 1
  const isCodeLetter = isUpperCase && words.length === 1 && codeLetters.has(words[0]?.form ?? '')
  return isNumberInParts || isCodeLetter
}

/**
 * The abbreviation that the current token is, if it is `No` or `N` and a dot follows. Without the dot, `no` is a word
 * and `N` is a letter, as in `N-5`.
 */
export function findDottedAbbreviation(
  { text, end }: Tokenizer,
  { abbreviationIfDotted }: AnalysedToken,
): DottedAbbreviation | undefined {
  return abbreviationIfDotted !== undefined && text.charCodeAt(end) === dot ? abbreviationIfDotted : undefined
}

/** `No.` or `N.`, which abbreviates "number" if a number follows. */
export interface DottedAbbreviation {
  /** Its word elsewhere: the word `no` or the letter N. */
  readonly plain: LexiconWord
  /** Its word before a number. It has the query stem of `número`. */
  readonly beforeNumber: LexiconWord
}

/** By the form without the dot: `no`, `n`. */
const dottedAbbreviations: ReadonlyMap<string, DottedAbbreviation> = new Map(
  [wordOf('no'), wordOf('n')].map((plain) => [
    plain.form,
    { plain, beforeNumber: withQueryStem(plain, numberWord.stem, { mayHaveNumeral: true }) },
  ]),
)

const dot = 0x2e

/** Puts the subtokens of a code into one group (`UE-1`), and separate words into groups of their own (`fin.Plan`). */
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

/** Whether two adjacent subtokens are parts of one code. What decides is mostly the delimiter between them. */
function belongTogether(previous: Subtoken, subtoken: Subtoken): boolean {
  // `nº5` and `C/Mayor` are two groups each.
  if (previous.kind === 'numberAbbreviation' || previous.trailingSign === '/') return false
  // An ordinal and `nº` count as numbers.
  const bothAreNumbers = previous.kind !== 'letters' && subtoken.kind !== 'letters'
  const eitherIsNumber = previous.kind !== 'letters' || subtoken.kind !== 'letters'
  switch (subtoken.delimiter) {
    case '':
    case '-':
    case '_':
      return true
    case '/':
      return eitherIsNumber || haveLettersAtMost(slashedLettersMax, previous, subtoken)
    case '.':
      return bothAreNumbers || haveLettersAtMost(dottedLettersMax, previous, subtoken)
    case ',':
      return bothAreNumbers
    case "'":
      return !elidedWords.has(previous.form)
    default:
      // Two delimiters in a row separate like a space.
      return false
  }
}

/** Articles and prepositions before an apostrophe. Any other letter is part of a name (O'Donnell). */
const elidedWords: ReadonlySet<string> = new Set(['l', 'd'])

/** A longer run of letters beside a slash or a dot is a word, not part of a code: `Alicante/Alacant`, `fin.Plan`. */
const slashedLettersMax = 4
const dottedLettersMax = 3

function haveLettersAtMost(lettersMax: number, ...subtokens: readonly Subtoken[]): boolean {
  return subtokens.every(({ kind, form }) => kind !== 'letters' || form.length <= lettersMax)
}

/**
 * Creates the group of these subtokens, and adds its joined forms and synonyms to `added`. `following` is the first
 * subtoken after the group.
 */
function createGroup(
  subtokens: readonly Subtoken[],
  following: Subtoken | undefined,
  added: AddedWords,
): SubtokenGroup {
  const [first, second] = subtokens
  if (first !== undefined && subtokens.length === 1) return createSingleGroup(first, following, added)
  const isCornerMark = first?.form === 'c' && second?.form === 'v' && second.delimiter === '/' && subtokens.length === 2
  if (isCornerMark) return cornerGroup
  const words = subtokens.map((subtoken, index) => toWord(subtoken, subtokens[index + 1], added))
  const ordinal = findOrdinal(subtokens)
  // `2a` is joined as `2ª`.
  const joinedCode = ordinal?.symbol ?? joinSubtokens(subtokens)
  if (joinedCode !== undefined) {
    added.joinedForms.push(joinedCode, ...joinSlashParts(subtokens), ...joinLeadingLetters(subtokens))
    added.joinedForms.push(...joinLabelNumber(subtokens))
  }
  // `SUNCR-3` contains `SUNC` and `R-3`.
  for (const [index, subtoken] of subtokens.entries()) {
    const parts = subtokens[index + 1]?.kind === 'digits' ? splitAcronym(subtoken) : undefined
    if (parts !== undefined) addAcronymParts(parts, words[index + 1] as LexiconWord, added)
  }
  if (ordinal !== undefined) added.synonyms.push(ordinal.spelledOut)
  const isUpperCase = subtokens.every((subtoken) => subtoken.isUpperCase)
  return {
    words,
    joinedCode,
    labelNumber: findLabelNumber(subtokens),
    mayBeRange: mayBeRange(subtokens),
    acronymParts: undefined,
    isUpperCase,
    isOptional: false,
  }
}

/** The group of `c/v` (*con vuelta a*), which stands between the two streets of a corner. */
const cornerGroup: SubtokenGroup = {
  words: [cornerMark],
  joinedCode: undefined,
  labelNumber: undefined,
  mayBeRange: false,
  acronymParts: undefined,
  isUpperCase: false,
  isOptional: false,
}

function createSingleGroup(subtoken: Subtoken, following: Subtoken | undefined, added: AddedWords): SubtokenGroup {
  const words = [toWord(subtoken, undefined, added)]
  const isOptional = following?.delimiter === "'" && elidedWords.has(subtoken.form)
  const { isUpperCase } = subtoken
  const acronymParts = isUpperCase ? splitAcronym(subtoken) : undefined
  const labelNumber = findLabelNumber([subtoken])
  return { words, joinedCode: undefined, labelNumber, mayBeRange: false, acronymParts, isUpperCase, isOptional }
}

/** `23-25` and `23/25`, but not the fraction `1,25`. */
function mayBeRange(subtokens: readonly Subtoken[]): boolean {
  const delimiter = subtokens[1]?.delimiter
  const areTwoNumbers = subtokens.length === 2 && subtokens.every(({ kind }) => kind === 'digits')
  return areTwoNumbers && (delimiter === '-' || delimiter === '/')
}

/**
 * Returns the word at the position of the subtoken, and adds its other forms and synonyms. `next` is the next subtoken
 * of its group.
 */
function toWord(subtoken: Subtoken, next: Subtoken | undefined, added: AddedWords): LexiconWord {
  const { joinedForms, synonyms } = added
  // `P.G.O.U.` also contains `p`, `g`, `o` and `u`; `1.250` also contains `1` and `250`.
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
      // `20ª` has no ordinal in the lexicon: it is the number 20, and `20a`.
      if (ordinal === undefined) {
        joinedForms.push(wordOf(formWithSignLetter(subtoken)))
        return wordOf(subtoken.form)
      }
      synonyms.push(ordinal.spelledOut, wordOf(subtoken.form))
      return ordinal.symbol
    }
    case 'letters':
      return toLetterWord(subtoken, next, added)
  }
}

function toLetterWord(subtoken: Subtoken, next: Subtoken | undefined, added: AddedWords): LexiconWord {
  const { joinedForms, synonyms } = added
  const { form, trailingSign } = subtoken
  const symbolWord = trailingSign === '' ? undefined : symbolWords.get(form + trailingSign)
  if (symbolWord !== undefined) {
    synonyms.push(...symbolWord.synonyms)
    return symbolWord.word
  }
  const word = wordOf(formWithSignLetter(subtoken))
  // The `A` of `A-6` has a stem of its own, so that it is not the preposition `a`.
  const codeLetter = next?.kind === 'digits' ? codeLetters.get(word.form) : undefined
  if (codeLetter !== undefined) {
    // The term `SECTOR A 6` searches for the plain letter, because its A may be a preposition (`readCapitalLetter`).
    joinedForms.push(word)
    return codeLetter
  }
  synonyms.push(...word.synonyms)
  const expansion = expansionsByAcronym.get(word.form)
  // `NÚM.5` is "number", not normas urbanísticas municipales.
  const isNumber = word.form === 'num' && next?.delimiter === '.'
  const isAcronym = !isNumber && (subtoken.isUpperCase || next?.kind === 'digits')
  if (expansion !== undefined && (isAcronym || !expansion.isUpperCaseOnly)) synonyms.push(...expansion.synonyms)
  // `III` may be a number by itself; `iii` is one only after a word such as `fase` (numeral-synonyms.ts).
  return (subtoken.isUpperCase ? upperCaseNumerals.get(word.form) : undefined) ?? word
}

/**
 * `C/`, `Pº` and the like, by symbol. The word of `pº` has the form `po` and the stem of `paseo`. Terms match stems, so
 * the word `po` is added as a synonym: the term `po` finds `Pº` too.
 */
const symbolWords = new Map(
  symbols.map(({ symbol, word, letters }) => [
    symbol,
    { word: withForm(wordOf(word), letters), synonyms: [wordOf(letters)] },
  ]),
)

/** The ordinal of a number and the letter a or o, which is typed for the sign: `2a` for `2ª`. Undefined otherwise. */
function findOrdinal(subtokens: readonly Subtoken[]): { symbol: LexiconWord; spelledOut: LexiconWord } | undefined {
  const [number, letter] = subtokens
  if (subtokens.length !== 2 || number?.kind !== 'digits' || letter?.delimiter !== '') return undefined
  return letter.form === 'a' || letter.form === 'o' ? ordinalsByDigits.get(number.form) : undefined
}
