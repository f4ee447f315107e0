// The tokens of a search term or of a quoted part of it, for term-parser.ts. A token is a piece between white space and
// plain punctuation, as in texts. In addition, a token of a term may end with the star of a prefix (`urbaniz*`).
import { isInContext } from './contextual-abbreviations.ts'
import type { LexiconWord } from './lexicon.ts'
import { findNumWord } from './num-acronym.ts'
import { type LocatedAbbreviation, markNumberAbbreviations } from './number-abbreviations.ts'
import type { SubtokenGroup } from './subtoken-groups.ts'
import { prefixLettersMin } from './term.ts'
import { type AnalysedToken, analyseToken, findDottedAbbreviation } from './token.ts'
import { isAfterPunctuation, Tokenizer } from './tokenizer.ts'

export interface TermToken {
  /** Its codes and single words: one group for `UE-1`, two for `Alicante/Alacant`. */
  readonly groups: readonly SubtokenGroup[]
  /** A star follows (`urbaniz*`), and the token is long enough for a prefix. */
  readonly isPrefix: boolean
  /** A comma, a full stop, a colon or a semicolon stands before it. */
  readonly isAfterPunctuation: boolean
  /** White space and a number follow. */
  readonly isBeforeNumber: boolean
  /**
   * Set if the token is `NUM`, in capitals or with dots, and is or may be the acronym of `normas urbanísticas
   * municipales`: the word to search for instead of "number" (num-acronym.ts).
   */
  readonly numWord: LexiconWord | undefined
}

export function toTermTokens(text: string): TermToken[] {
  const tokenizer = new Tokenizer(text)
  const tokens: TermToken[] = []
  const words: LexiconWord[] = []
  const abbreviations: LocatedAbbreviation[] = []
  while (tokenizer.advance()) {
    const token = analyseToken(tokenizer)
    const { numberAbbreviation: abbreviation } = token
    const isDotted = findDottedAbbreviation(tokenizer, token) !== undefined
    if (abbreviation !== undefined && (isDotted || abbreviation.plain.form !== 'no')) {
      abbreviations.push({ abbreviation, isDotted, position: words.length })
    }
    // `end` is before trailing delimiters, so that the `06` of `06, 02` is not before a number.
    spacedNumber.lastIndex = tokenizer.end
    const groups = findGroups(tokenizer, token)
    words.push(...groups.flatMap((group) => group.words))
    tokens.push({
      groups,
      isPrefix: isPrefix(tokenizer, token),
      isAfterPunctuation: isAfterPunctuation(tokenizer),
      isBeforeNumber: spacedNumber.test(text),
      numWord: findNumWord(tokenizer),
    })
  }
  return abbreviations.length === 0 ? tokens : markNumbers(tokens, words, abbreviations)
}

/** Replaces each `No.`, `N.` and `N` that means "number" by a word that says so, as in texts. */
function markNumbers(
  tokens: readonly TermToken[],
  words: LexiconWord[],
  abbreviations: readonly LocatedAbbreviation[],
): TermToken[] {
  markNumberAbbreviations(words, abbreviations)
  const marked = words.values()
  return tokens.map((token) => ({
    ...token,
    groups: token.groups.map((group) => ({ ...group, words: [...marked.take(group.words.length)] })),
  }))
}

/** White space and a digit. */
const spacedNumber = /\s+\p{Nd}/uy

/**
 * Whether the current token is a prefix: true for `urbaniz*`, and for `UE-1*`, which is long enough as a code although
 * its last word is not.
 */
function isPrefix({ text, nextOffset }: Tokenizer, { groups }: AnalysedToken): boolean {
  const last = groups.at(-1)
  const characters = Math.max(last?.words.at(-1)?.form.length ?? 0, last?.joinedCode?.form.length ?? 0)
  // `nextOffset` is after trailing delimiters, so that `urb.*` is a prefix too.
  star.lastIndex = nextOffset
  return characters >= prefixLettersMin && star.test(text)
}

/** A star, or several, before white space or at the end of the term: the `*` of `urbaniz*`, but not of `a*b`. */
const star = /[*＊]+(?!\S)/y

/**
 * The groups of the token. If the token is an abbreviation that depends on what follows it, such as `Cap.` before a
 * name, its word is replaced by one that searches for the full word (`capitan`). Such a token has one group of one
 * word.
 */
function findGroups(tokenizer: Tokenizer, { groups, contextualAbbreviation }: AnalysedToken): readonly SubtokenGroup[] {
  if (contextualAbbreviation === undefined || !isInContext(contextualAbbreviation, tokenizer)) return groups
  return groups.map((group) => ({ ...group, words: [contextualAbbreviation.word] }))
}
