// Analysis of one token, which is a piece of text between white space and plain punctuation, by itself. The token
// `UE-1` has the words `ue` and `1`, the joined form `ue1`, and the synonyms `unidad` and `ejecucion`. Its two
// subtokens (runs of letters or of digits) are one group, the code `UE-1`. For texts, analyser.ts calls this file and
// takes the words, joined forms and synonyms to be indexed. For terms, term-tokens.ts calls it; their groups become
// clauses. subtokens.ts splits the token, and subtoken-groups.ts forms the groups.

import { expansionsByAcronym } from './acronym-expansions.ts'
import type { AddedWords } from './added-words.ts'
import { codeLetters, mayBeLettersOfCode } from './code-letters.ts'
import {
  type ContextualAbbreviation,
  contextualAbbreviationsByForm,
  isInContext,
  linkWords,
} from './contextual-abbreviations.ts'
import { type LexiconWord, wordOf } from './lexicon.ts'
import { withQueryStem } from './lexicon-word.ts'
import { numberWord } from './number-words.ts'
import { type SubtokenGroup, toGroups } from './subtoken-groups.ts'
import { toSubtokens } from './subtokens.ts'
import type { Tokenizer } from './tokenizer.ts'
import type { Word } from './word.ts'
import { SpellingCache } from './word-cache.ts'
import { isOfClass } from './word-classes.ts'

export interface AnalysedToken {
  /** The words of all groups, in order. Empty if the token has no letters or digits, for example an emoji. */
  readonly words: readonly LexiconWord[]
  /**
   * Other spellings of the token, in contrast to synonyms: its words joined (`ue1` for `UE-1`), the parts of a word
   * with dots (`p`, `g`, `o` and `u` for `P.G.O.U.`), and `a` for the A of `A-6`, whose own stem is `A`.
   */
  readonly joinedForms: readonly Word[]
  /** Other words with its meaning: the words of `unidad de ejecución` for `UE`. */
  readonly synonyms: readonly Word[]
  /** The subtokens that belong together: one group for `UE-1`, two for `Alicante/Alacant`. */
  readonly groups: readonly SubtokenGroup[]
  /**
   * The first group, if it is a code or may be part of a code with spaces (`mayBeCode`): the `SUNC-R` of `SUNC-R 3`.
   * Only the first and the last group of a token have a word of another token beside them.
   */
  readonly firstCode: SubtokenGroup | undefined
  /**
   * The last group, if it is such a code: the `A` of `Mayor,A 6`. Undefined if the token has only one group, which is
   * its first.
   */
  readonly lastCode: SubtokenGroup | undefined
  /** The word of a token that is nothing else: no code, no abbreviation, without added words. Most tokens are. */
  readonly plainWord: LexiconWord | undefined
  /** For `No` and `N`, with or without a dot after them: the abbreviation of "number" that the token may be. */
  readonly numberAbbreviation: NumberAbbreviation | undefined
  /** For `Cap` and the like: the abbreviation that the token is if a suitable word follows it (`isInContext`). */
  readonly contextualAbbreviation: ContextualAbbreviation | undefined
  /** For `Est.de` and the like, whose meaning depends on the next token: the abbreviation that it may start with. */
  readonly leadingAbbreviation: LeadingAbbreviation | undefined
}

/** An abbreviation that a token of several words may start with: the `Est` of `Est.de`. The next token decides. */
interface LeadingAbbreviation {
  readonly abbreviation: ContextualAbbreviation
  /** The analysis of the token if it does start with the abbreviation: before `Detalle`, but not before `Servicio`. */
  readonly expandedToken: AnalysedToken
}

const cache = new SpellingCache<AnalysedToken>()

/**
 * Analyses the current token of the tokenizer: `UE-1` gives the words `ue` and `1`. The result does not depend on the
 * text around the token, unless it has a `leadingAbbreviation`.
 */
export function analyseToken(tokenizer: Tokenizer): AnalysedToken {
  const token = cache.get(tokenizer) ?? analyseSpelling(tokenizer)
  if (token.leadingAbbreviation === undefined) return token
  const { abbreviation, expandedToken } = token.leadingAbbreviation
  const end = tokenizer.start + abbreviation.word.form.length
  return isInContext(abbreviation, { text: tokenizer.text, end }) ? expandedToken : token
}

function analyseSpelling({ spelling, spellingHash }: Tokenizer): AnalysedToken {
  const copy = copyString(spelling)
  const token = createToken(copy)
  cache.add(copy, spellingHash, token)
  return token
}

/**
 * A copy that does not refer to the document. V8 copies a short substring itself. It represents a longer substring as a
 * slice of the document, and the whole document would stay in memory while the slice is in the cache.
 */
function copyString(text: string): string {
  return text.length <= copiedByV8CharactersMax ? text : text.split('').join('')
}

/** V8 makes a slice only for a substring of at least 13 characters (`SlicedString::kMinLength`). */
const copiedByV8CharactersMax = 12

function createToken(spelling: string): AnalysedToken {
  const added: AddedWords = { joinedForms: [], synonyms: [] }
  const groups = toGroups(toSubtokens(spelling), added)
  const abbreviation = findLeadingAbbreviation(groups)
  if (abbreviation === undefined) return toToken(groups, added, undefined)
  // In `S.Bernardo` the word that decides is in the token, and it makes the S an abbreviation. The abbreviation is as
  // long as its form.
  const end = abbreviation.word.form.length
  if (isInContext(abbreviation, { text: spelling, end })) return expandAbbreviation(abbreviation, spelling)
  // In `Est.de` the word that decides is in the next token.
  const following = groups.flatMap(({ words }) => words).slice(1)
  const isUndecided = following.every(({ form }) => linkWords.has(form))
  if (!isUndecided) return toToken(groups, added, undefined)
  return toToken(groups, added, { abbreviation, expandedToken: expandAbbreviation(abbreviation, spelling) })
}

function toToken(
  groups: readonly SubtokenGroup[],
  added: AddedWords,
  leadingAbbreviation: LeadingAbbreviation | undefined,
): AnalysedToken {
  const [first] = groups
  const firstCode = first !== undefined && mayBeCode(first) ? first : undefined
  const last = groups.length > 1 ? groups.at(-1) : undefined
  const lastCode = last !== undefined && mayBeCode(last) ? last : undefined
  // A single group, the usual case, shares its array of words.
  const words = first !== undefined && groups.length === 1 ? first.words : groups.flatMap((group) => group.words)
  // If the token is not one word, the form is empty, and neither table has an empty form.
  const onlyForm = words.length === 1 ? (words[0]?.form ?? '') : ''
  const numberAbbreviation = numberAbbreviationsByForm.get(onlyForm)
  // `P.G.` is an acronym.
  const hasDots = added.joinedForms.length > 0
  const contextualAbbreviation = hasDots ? undefined : contextualAbbreviationsByForm.get(onlyForm)
  const mayBeOther = firstCode ?? numberAbbreviation ?? contextualAbbreviation ?? leadingAbbreviation
  const isPlain = words.length === 1 && mayBeOther === undefined && hasNoAddedWords(added)
  const isSeparable = isOfClass(words[0]?.wordClass ?? '', 'SEPARABLE')
  return {
    words,
    plainWord: isPlain && !isSeparable ? words[0] : undefined,
    ...added,
    groups,
    firstCode,
    lastCode,
    numberAbbreviation,
    contextualAbbreviation,
    leadingAbbreviation,
  }
}

function hasNoAddedWords({ joinedForms, synonyms }: AddedWords): boolean {
  return joinedForms.length === 0 && synonyms.length === 0
}

/**
 * Finds the abbreviation that a token of several words may start with. What follows it decides (`isInContext`).
 *
 * token           | abbreviation | why
 * `S.Bernardo`    | `s`          |
 * `S-3`, `S.UE-3` | none         | a code: one group of several words
 * `EST.DET`       | `est`        | one group too, but `est` is an abbreviation only before certain words (`following`)
 * `S.SUNC`        | none         | an acronym follows, in a group of its own
 */
function findLeadingAbbreviation([first, next]: readonly SubtokenGroup[]): ContextualAbbreviation | undefined {
  const isOneWord = next === undefined && first?.words.length === 1
  if (first === undefined || isOneWord) return undefined
  const abbreviation = contextualAbbreviationsByForm.get(first.words[0]?.form ?? '')
  const isCode = first.joinedCode !== undefined && abbreviation?.following.length === 0
  const isBeforeAcronym = expansionsByAcronym.has(next?.words[0]?.form ?? '')
  return isCode || isBeforeAcronym ? undefined : abbreviation
}

/**
 * Analyses a token that starts with the abbreviation, as if a space stood after it. The S of `S.Bernardo` is found by
 * `san`, and as a term it searches for `san` (the query stem). `Est-Detalle` is two words, not a code.
 */
function expandAbbreviation({ word, fullWord }: ContextualAbbreviation, spelling: string): AnalysedToken {
  const { length } = word.form
  const added: AddedWords = { joinedForms: [], synonyms: [] }
  const abbreviationGroups = toGroups(toSubtokens(spelling.slice(0, length)), added)
  added.synonyms.push(fullWord)
  const rest = spelling.slice(length).replace(/^[^\p{L}\p{N}]+/u, '')
  const groups = abbreviationGroups.map((group) => ({ ...group, words: [word] }))
  return toToken([...groups, ...toGroups(toSubtokens(rest), added)], added, undefined)
}

/**
 * Whether the group is a code (`UE-1`) or may be part of a code with spaces (the `A` of `A 6`). False for the `UE` and
 * the `4` of `UE 4`, because numbered-codes.ts handles an acronym and a plain number.
 */
function mayBeCode({ joinedCode, acronymParts, labelNumber, words, isUpperCase }: SubtokenGroup): boolean {
  // `UE-1` is a code.
  if (joinedCode !== undefined) return true
  // `SUNCR`, the acronym `SUNC` and the letter R, may be part of `SUNCR 3`.
  if (acronymParts !== undefined) return true
  // `16.202` may be part of `ED 16.202`, and `23-25` of `UE 23-25`.
  const isNumberInParts = labelNumber !== undefined && labelNumber.stems.length > 1
  if (isNumberInParts) return true
  if (!isUpperCase || words.length > 1) return false
  // `A` may be part of `A 6`, and `PCA` of `PCA 3`, although it may also abbreviate `plaza`.
  const [word] = words
  return word !== undefined && (codeLetters.has(word.form) || mayBeLettersOfCode(word))
}

/**
 * Finds the abbreviation of "number" in the current token, if it has its dot: the `No` of `No. 3`, the `N` of `N. 3`.
 * Undefined without the dot. number-abbreviations.ts handles the N of `Modificación N 3`.
 */
export function findDottedAbbreviation(
  { text, end }: Tokenizer,
  { numberAbbreviation }: AnalysedToken,
): NumberAbbreviation | undefined {
  return numberAbbreviation !== undefined && text.charCodeAt(end) === dot ? numberAbbreviation : undefined
}

/** `No` or `N`, which may abbreviate "number" if a number follows. */
export interface NumberAbbreviation {
  /** Its word if it does not mean "number": the word `no` ("not") or the letter N. */
  readonly plain: LexiconWord
  /** Its word if it means "number". It has the query stem of `número`. */
  readonly asNumberWord: LexiconWord
}

/**
 * The two abbreviations by form, `no` and `n`. As "number" the word has the query stem of `número`.
 */
const numberAbbreviationsByForm: ReadonlyMap<string, NumberAbbreviation> = new Map(
  [wordOf('no'), wordOf('n')].map((plain) => [
    plain.form,
    { plain, asNumberWord: withQueryStem(plain, numberWord.stem, { wordClass: numberWord.wordClass }) },
  ]),
)

const dot = 0x2e
