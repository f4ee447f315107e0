// Analysis of one token, by itself: its words in order, the groups of subtokens that become clauses of a term, and the
// joined forms and synonyms that are indexed with it. analyser.ts calls it for texts and term-parser.ts for terms, so
// that terms match texts. subtokens.ts splits the token, and subtoken-groups.ts forms the groups.
import type { AddedWords } from './added-words.ts'
import { type ContextualAbbreviation, contextualAbbreviationsByForm, isInContext } from './contextual-abbreviations.ts'
import { codeLetters, expansionsByAcronym, type LexiconWord, numberWord, withQueryStem, wordOf } from './lexicon.ts'
import { type SubtokenGroup, toGroups } from './subtoken-groups.ts'
import { toSubtokens } from './subtokens.ts'
import type { Tokenizer } from './tokenizer.ts'
import type { Word } from './word.ts'
import { WordCache } from './word-cache.ts'

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
  readonly groups: readonly SubtokenGroup[]
  /**
   * The first group, if it is a code (`UE-1`) or may form one with the words beside it: the `SUNC-R` of `SUNC-R 3`, the
   * `16.202` of `ED 16.202`. Only the first and the last group of a token have a word of another token beside them.
   */
  readonly firstCode: SubtokenGroup | undefined
  /** The last group, if the token has several and this one is a code or may form one: the `A` of `SUNC.A 1`. */
  readonly lastCode: SubtokenGroup | undefined
  /** For `No` and `N`: the abbreviation of "number" that the token may be, whether or not a dot follows it. */
  readonly numberAbbreviation: NumberAbbreviation | undefined
  /** For `Cap` and the like: the abbreviation that the token is if a suitable word follows it (`isInContext`). */
  readonly contextualAbbreviation: ContextualAbbreviation | undefined
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

function createToken(spelling: string): AnalysedToken {
  const added: AddedWords = { joinedForms: [], synonyms: [] }
  // Both functions add to `added`.
  const groupsAsWritten = toGroups(toSubtokens(spelling), added)
  const groups = expandLeadingAbbreviation(spelling, groupsAsWritten, added)
  const [first] = groups
  const firstCode = first !== undefined && mayBeCode(first) ? first : undefined
  const last = groups.length > 1 ? groups.at(-1) : undefined
  const lastCode = last !== undefined && mayBeCode(last) ? last : undefined
  // A single group, the usual case, shares its array of words.
  const words = first !== undefined && groups.length === 1 ? first.words : groups.flatMap((group) => group.words)
  // If the token is not one word, the form is empty, and neither table has an empty form.
  const onlyForm = words.length === 1 ? (words[0]?.form ?? '') : ''
  const numberAbbreviation = numberAbbreviationsByForm.get(onlyForm)
  const contextualAbbreviation = contextualAbbreviationsByForm.get(onlyForm)
  return { words, ...added, groups, firstCode, lastCode, numberAbbreviation, contextualAbbreviation }
}

/**
 * Treats the S of `S.Bernardo` like the S of `S. Bernardo`: its word gets the query stem of `san`
 * (`ContextualAbbreviation.word`), and `san` is added as a synonym. The S of `S-3`, `S.UE-3` and `S.SUNC` stays a
 * letter.
 */
function expandLeadingAbbreviation(spelling: string, groups: SubtokenGroup[], added: AddedWords): SubtokenGroup[] {
  const [first, next] = groups
  const form = first?.words[0]?.form ?? ''
  const abbreviation = contextualAbbreviationsByForm.get(form)
  if (first === undefined || abbreviation === undefined || first.joinedCode !== undefined) return groups
  if (expansionsByAcronym.has(next?.words[0]?.form ?? '')) return groups
  // The abbreviation is at the start of the token and is as long as its form.
  if (!isInContext(abbreviation, { text: spelling, end: form.length })) return groups
  added.synonyms.push(abbreviation.fullWord)
  return [{ ...first, words: [abbreviation.word, ...first.words.slice(1)] }, ...groups.slice(1)]
}

/**
 * Whether the group is a code, or may be part of a code with spaces. The `UE` and the `4` of `UE 4` are left out,
 * because numeral-synonyms.ts handles labels with a number.
 */
function mayBeCode({ joinedCode, acronymParts, labelNumber, words, isUpperCase }: SubtokenGroup): boolean {
  // `UE-1` is a code.
  if (joinedCode !== undefined) return true
  // `SUNCR` may be part of `SUNCR 3`.
  if (acronymParts !== undefined) return true
  // `16.202` may be part of `ED 16.202`, and `23-25` of `UE 23-25`.
  const isNumberInParts = labelNumber !== undefined && labelNumber.stems.length > 1
  // `A` may be part of `A 6`.
  const isCodeLetter = isUpperCase && words.length === 1 && codeLetters.has(words[0]?.form ?? '')
  return isNumberInParts || isCodeLetter
}

/**
 * The abbreviation that the current token may be, if it is `No` or `N` and a dot follows. Undefined without the dot,
 * although the N of `Modificación N 3` is "number" too (number-abbreviations.ts).
 */
export function findDottedAbbreviation(
  { text, end }: Tokenizer,
  { numberAbbreviation }: AnalysedToken,
): NumberAbbreviation | undefined {
  return numberAbbreviation !== undefined && text.charCodeAt(end) === dot ? numberAbbreviation : undefined
}

/** `No` or `N`, which may abbreviate "number" if a number follows. */
export interface NumberAbbreviation {
  /** Its word where it does not mean "number": the word `no` ("not") or the letter N. */
  readonly plain: LexiconWord
  /** Its word where it means "number". It has the query stem of `número`. */
  readonly asNumberWord: LexiconWord
}

/**
 * By form: `no`, `n`. As an abbreviation of "number", each has `mayHaveNumeral`, which the plain word has not. It makes
 * synonyms.ts add `numero 5` to a text with `No. 5`.
 */
const numberAbbreviationsByForm: ReadonlyMap<string, NumberAbbreviation> = new Map(
  [wordOf('no'), wordOf('n')].map((plain) => [
    plain.form,
    { plain, asNumberWord: withQueryStem(plain, numberWord.stem, { mayHaveNumeral: true }) },
  ]),
)

const dot = 0x2e
