// Parser of search terms: turns words, codes, "phrases" and prefixes* into clauses, which are the conditions that a
// record must meet. The term `"plan parcial" UE-1 urb*` has the phrase `plan parcial`, the code `UE-1` and the prefix
// `urb`. It accepts any text: what is not syntax is a word or a separator. analyser.ts calls it for each search.
//
// A term is split into tokens like a text (tokenizer.ts). A token has one group or more: the words of a code (`UE-1`),
// or a single word (`Alicante/Alacant` has two groups). Outside quotes, each group is an item, and the rules of
// term-clauses.ts turn items into clauses.
import { isInContext } from './contextual-abbreviations.ts'
import { codeLetters, dottedNo, type LexiconWord, numberWord } from './lexicon.ts'
import { toNeighbourConditions } from './neighbours.ts'
import { findNumWord } from './num-acronym.ts'
import type { SubtokenGroup } from './subtoken-groups.ts'
import { type Clause, type PhraseClause, prefixLettersMin, type Term } from './term.ts'
import { toClauses } from './term-clauses.ts'
import { findPhraseEnds, type ParsedClause, type TermItem, toGroupClause } from './term-item.ts'
import { findLabelReadings, readLabelPrefix } from './term-labels.ts'
import { type AnalysedToken, analyseToken, findDottedAbbreviation, type NumberAbbreviation } from './token.ts'
import { Tokenizer } from './tokenizer.ts'

export function parseTerm(term: string): Term {
  const parsed = quotationMark.test(term) ? parseWithQuotes(term) : parseUnquoted(term, { isStart: true })
  // Optional clauses (stop words and a few others, `ParsedClause.isOptional`) are dropped unless they are quoted or are
  // all that the term has.
  const areAllOptional = parsed.every(({ isOptional }) => isOptional)
  const kept = parsed.filter(({ isQuoted, isOptional }) => areAllOptional || isQuoted || !isOptional)
  // The first and the last stem of each clause, which are paired with the clauses before and after. A clause whose
  // `ends` are `skipped`, such as `s/n`, is left out here, so that its neighbours are paired with each other. A clause
  // whose `ends` are undefined, such as a prefix, stays and is in no pair.
  const clauseEnds = kept.map(({ ends }) => ends).filter((ends) => ends !== 'skipped')
  return {
    clauses: kept.map(({ clause }) => clause),
    // A title has no pairs with stop words, so it could not meet conditions made of them.
    neighbours: areAllOptional ? [] : toNeighbourConditions(clauseEnds),
  }
}

/**
 * Between straight quotes other quotation marks are punctuation of the quoted text: `"el «Plan Sur» vigente"`. If a
 * straight quote is not closed, all quotation marks count alike: `"plan sur»`.
 */
function parseWithQuotes(term: string): ParsedClause[] {
  const parts = term.split(straightQuote)
  const hasClosedQuotes = parts.length > 1 && parts.length % 2 === 1
  if (!hasClosedQuotes) return parseWithAnyQuotes(term, { isStart: true })
  // The parts with an odd index are between straight quotes.
  return parts.flatMap((part, index) =>
    index % 2 === 0 ? parseWithAnyQuotes(part, { isStart: index === 0 }) : parseQuoted(part),
  )
}

const straightQuote = '"'

/** Any quotation mark opens a quote, and the next one closes it, whatever its kind: `“plan sur»`. */
function parseWithAnyQuotes(text: string, { isStart }: PartOptions): ParsedClause[] {
  // The parts with an odd index are quoted. An even number of parts means that the last quote is not closed; then the
  // last part is not quoted and is appended to the part before it.
  const parts = text.split(quotationMark)
  if (parts.length % 2 === 0) parts.splice(-2, 2, parts.slice(-2).join(' '))
  return parts.flatMap((part, index) =>
    index % 2 === 0 ? parseUnquoted(part, { isStart: isStart && index === 0 }) : parseQuoted(part),
  )
}

/** Straight, curly, low and full-width quotation marks, and guillemets. Two apostrophes are not a quotation mark. */
export const quotationMark: RegExp = /["“”„‟«»＂〝〞〟❝❞]/u

interface PartOptions {
  /**
   * Whether the term starts with this part. At the start of the term, the A of `A 6` is certainly the letter of a code,
   * and the C of `c infantas` is `calle`. At the start of a later part they are not (`TermItem.isFirst`).
   */
  readonly isStart: boolean
}

/** The clauses of a part of the term that is not quoted. */
function parseUnquoted(text: string, { isStart }: PartOptions): ParsedClause[] {
  const parsed: ParsedClause[] = []
  /** The words and codes since the last prefix. No rule of term-clauses.ts reads across a prefix. */
  let items: TermItem[] = []
  for (const token of toTermTokens(text)) {
    if (!token.isPrefix) {
      for (const group of toUnquotedGroups(token)) {
        const isFirst = isStart && parsed.length === 0 && items.length === 0
        items.push(toItem(group, token, isFirst))
      }
      continue
    }
    // In `PE 08.34*` the letters before the prefix belong to it: one clause for both.
    const labelPrefix = readLabelPrefix(items.at(-1), token.groups)
    parsed.push(...toClauses(labelPrefix === undefined ? items : items.slice(0, -1)))
    parsed.push(...(labelPrefix === undefined ? toPrefixClauses(token.groups) : [toParsedClause(labelPrefix)]))
    items = []
  }
  return [...parsed, ...toClauses(items)]
}

/**
 * The groups of a token that is not quoted. A `NUM` that may be the acronym of `normas urbanísticas municipales`, and
 * not only "number", is replaced by `numWord`, which searches for the acronym, or for both. In quotes it is not
 * replaced: texts have the stem of the acronym only as a synonym, and phrases do not match synonyms.
 */
function toUnquotedGroups({ groups, numWord }: TermToken): readonly SubtokenGroup[] {
  return numWord === undefined ? groups : groups.map((group) => ({ ...group, words: [numWord] }))
}

function toItem(group: SubtokenGroup, token: TermToken, isFirst: boolean): TermItem {
  const { groups, isBeforeNumber, dottedAbbreviation } = token
  return {
    group,
    word: group.words.length === 1 ? group.words[0] : undefined,
    isWholeToken: groups.length === 1,
    isFirst,
    isBeforeNumber: isBeforeNumber && group === groups.at(-1),
    dottedAbbreviation,
  }
}

/**
 * Makes the clauses of a token with a star. The prefix is the last word of the token, or the whole code. What the token
 * has before the prefix has clauses of its own.
 *
 * token       | clauses
 * `urbaniz*`  | prefix `urbaniz`
 * `PE-urban*` | word `pe`, prefix `urban`: the prefix is the last word
 * `S/SU*`     | prefix `ssu`, or phrase `s su`: the last word is too short, so the prefix is the code as one word
 * `PEJ.012*`  | prefix `pej012`, or phrase `pej 12`: the last word is a number, which other codes have too. A prefix
 *             | matches forms, which keep the zero; a phrase matches stems, which do not
 */
function toPrefixClauses(groups: readonly SubtokenGroup[]): ParsedClause[] {
  const before = groups.slice(0, -1).map(toGroupClause)
  const last = groups.at(-1)
  const word = last?.words.at(-1)
  if (last === undefined || word === undefined) return before
  const needsWholeCode = word.form.length < prefixLettersMin || /^\d/.test(word.form)
  if (needsWholeCode && last.joinedCode !== undefined) {
    // For the term `UZP-1*`, the phrase finds a text with `UZP 1`, which has no joined form `uzp1`, because `UZP` is no
    // known acronym (`PrefixClause` in term.ts). The clause is always a phrase, because a group with a joined code has
    // several words. The condition is for the compiler.
    const { clause } = toGroupClause(last)
    const alternative = clause.kind === 'phrase' ? { orPhrase: clause } : {}
    return [...before, toParsedClause({ kind: 'prefix', prefix: last.joinedCode.form, ...alternative })]
  }
  const otherWords = { ...last, words: last.words.slice(0, -1), joinedCode: undefined }
  if (otherWords.words.length > 0) before.push(toGroupClause(otherWords))
  return [...before, toParsedClause({ kind: 'prefix', prefix: word.form })]
}

/**
 * Makes the clauses between quotes: the phrase `plan parcial` for `"plan parcial"`. A phrase has whole words only, so a
 * prefix ends the phrase, and the next word starts another phrase.
 */
function parseQuoted(text: string): ParsedClause[] {
  const parsed: ParsedClause[] = []
  let phrase: PhraseWord[] = []
  const endPhrase = () => {
    if (phrase.length > 0) parsed.push(toQuotedPhrase(phrase))
    phrase = []
  }
  for (const { groups, isPrefix, dottedAbbreviation } of toTermTokens(text)) {
    // For `"no. 5"` the phrase is `no 5`, which would also find a `no` without a dot. A second clause requires the
    // synonym `dottedNo`, which a text has for each `no.` Texts have none for each `n.`
    const isDottedNo = dottedAbbreviation?.plain.form === 'no'
    if (isDottedNo) parsed.push(toWordClause(dottedNo))
    if (!isPrefix) {
      for (const group of groups) addToPhrase(group, phrase)
      continue
    }
    endPhrase()
    parsed.push(...toPrefixClauses(groups).map((clause) => ({ ...clause, isQuoted: true })))
  }
  endPhrase()
  return parsed
}

/**
 * Appends the words of the group to the phrase: `ue` and `1` for `UE-1`. If the group starts with a number, a
 * one-letter stop word in upper case before it becomes the letter of a code: the A of `"A 6"`, but not of `"1 A 6"`.
 * `markCodeLetters` in spaced-codes.ts does the same for texts.
 */
function addToPhrase(group: SubtokenGroup, phrase: PhraseWord[]): void {
  const last = phrase.at(-1)
  const codeLetter = last?.isUpperCase ? codeLetters.get(last.word.form) : undefined
  const isAfterNumber = /^\d/.test(phrase.at(-2)?.word.form ?? '')
  const isBeforeNumber = /^\d/.test(group.words[0]?.form ?? '')
  if (codeLetter !== undefined && !isAfterNumber && isBeforeNumber) {
    const stems = [codeLetter.stem]
    phrase.splice(-1, 1, { word: codeLetter, isUpperCase: true, splitStems: stems, joinedStems: stems })
  }
  const { splitStems, joinedStemsByWord } = findLabelReadings(group, phrase.at(-1)?.word)
  for (const [index, word] of group.words.entries()) {
    const { stem } = word
    const { isUpperCase } = group
    phrase.push({
      word,
      isUpperCase,
      // If `splitStems` is set, the group has only this word.
      splitStems: splitStems ?? [stem],
      joinedStems: joinedStemsByWord?.[index] ?? [stem],
    })
  }
}

/**
 * A word of a quoted phrase. In terms and in texts, the number of a label may be one word (`16202` for `ED 16.202`) or
 * two (`16` and `202` for `ED.16.202`). `word` is as in the term. So that the phrase finds both, it also has the stems
 * for texts with either. For most words both are just its own stem.
 */
interface PhraseWord {
  readonly word: LexiconWord
  /** Whether the term has the word in upper case. */
  readonly isUpperCase: boolean
  /** For texts with the number as two words. For the term `"ED 16.202"`: `16` and `202` for its word `16202`. */
  readonly splitStems: readonly string[]
  /** For texts with the number as one word. For the term `"ED.16.202"`: `16202` for the `16`, none for the `202`. */
  readonly joinedStems: readonly string[]
}

interface TermToken {
  /** Its codes and single words: one group for `UE-1`, two for `Alicante/Alacant`. */
  readonly groups: readonly SubtokenGroup[]
  /** A star follows (`urbaniz*`), and the token is long enough for a prefix. */
  readonly isPrefix: boolean
  /** White space and a number follow. */
  readonly isBeforeNumber: boolean
  /** Set if the token is `No.` or `N.` with its dot, which means "number" before a number. */
  readonly dottedAbbreviation: NumberAbbreviation | undefined
  /**
   * Set if the token is `NUM`, in capitals or with dots, and is or may be the acronym of `normas urbanísticas
   * municipales`: the word to search for instead of "number" (num-acronym.ts).
   */
  readonly numWord: LexiconWord | undefined
}

function toTermTokens(text: string): TermToken[] {
  const tokenizer = new Tokenizer(text)
  const tokens: TermToken[] = []
  while (tokenizer.advance()) {
    const token = analyseToken(tokenizer)
    const last = token.groups.at(-1)
    // A code is a prefix as a whole, even if its last word is too short: `UE-1*`.
    const prefixCharacters = Math.max(last?.words.at(-1)?.form.length ?? 0, last?.joinedCode?.form.length ?? 0)
    // `nextOffset` is after trailing delimiters, so that `urb.*` is a prefix too.
    star.lastIndex = tokenizer.nextOffset
    const isPrefix = prefixCharacters >= prefixLettersMin && star.test(text)
    // `end` is before trailing delimiters, so that the `06` of `06, 02` is not before a number.
    spacedNumber.lastIndex = tokenizer.end
    const isBeforeNumber = spacedNumber.test(text)
    const dottedAbbreviation = findDottedAbbreviation(tokenizer, token)
    const groups = findGroups(tokenizer, token)
    tokens.push({ groups, isPrefix, isBeforeNumber, dottedAbbreviation, numWord: findNumWord(tokenizer) })
  }
  return tokens
}

/**
 * The groups of the token. If the token is an abbreviation that depends on what follows it, such as `Cap.` before a
 * name, its word is replaced by one that searches for the full word (`capitan`). Such a token has one group of one
 * word.
 */
function findGroups(tokenizer: Tokenizer, { groups, contextualAbbreviation }: AnalysedToken): readonly SubtokenGroup[] {
  if (contextualAbbreviation === undefined || !isInContext(contextualAbbreviation, tokenizer)) return groups
  return groups.map((group) => ({ ...group, words: [contextualAbbreviation.word] }))
}

/** A star, or several, before white space or at the end of the term: the `*` of `urbaniz*`, but not of `a*b`. */
const star = /[*＊]+(?!\S)/y

/** White space and a digit. */
const spacedNumber = /\s+\p{Nd}/uy

function toWordClause(word: LexiconWord): ParsedClause {
  return toParsedClause({ kind: 'word', stem: word.queryStem })
}

/** A clause that is neither optional nor quoted. Its `ends` are undefined: any word may be next to it in a title. */
function toParsedClause(clause: Clause): ParsedClause {
  return { clause, isOptional: false, isQuoted: false, ends: undefined }
}

/**
 * The clause of a quoted phrase. If it has the number of a label, it also finds the other ways to write it: `ED.16.202`
 * is a phrase of three words, `ED 16.202` of two. Otherwise it finds most numbers with and without the word "number"
 * before them (`addOrDropNumberWord`).
 */
function toQuotedPhrase(phrase: readonly PhraseWord[]): ParsedClause {
  const words = phrase.map(({ word }) => word)
  const stems = words.map(({ stem }) => stem)
  const splitPhrase = phrase.flatMap(({ splitStems }) => splitStems)
  const joinedPhrase = phrase.flatMap(({ joinedStems }) => joinedStems)
  // Splitting makes a phrase longer and joining makes it shorter. One of the same length is the phrase itself.
  const hasOtherLength = ({ length }: readonly string[]): boolean => length !== stems.length
  const labelPhrases = [splitPhrase, joinedPhrase].filter(hasOtherLength)
  const alternatives = labelPhrases.length > 0 ? labelPhrases : [addOrDropNumberWord(stems)].filter(hasOtherLength)
  const withCodeLetter = endWithCodeLetter([stems, ...alternatives], words)
  // A clause has only one `orPhrase`. So the alternatives are a linked list: each has the one before as its `orPhrase`.
  let orPhrase: PhraseClause | undefined
  for (const alternative of [...alternatives, ...withCodeLetter]) orPhrase = toPhraseClause(alternative, orPhrase)
  return {
    clause: toPhraseClause(stems, orPhrase),
    isOptional: words.every((word) => word.isStopWord),
    isQuoted: true,
    ends: findPhraseEnds(words),
  }
}

/**
 * Another way to write a phrase with a number. Drops the word "number" before numbers, except at the start of the
 * phrase. If there is none to drop, adds it before the first number that follows a word of three letters or more.
 *
 * stems               | result
 * `gran via numero 3` | `gran via 3`
 * `gran via 3`        | `gran via numero 3`
 * `ue 1`              | `ue 1`: after fewer than three letters a number is part of a code
 */
function addOrDropNumberWord(stems: readonly string[]): readonly string[] {
  const isNumber = (index: number): boolean => /^\d+$/.test(stems[index] ?? '')
  const dropped = stems.filter((stem, index) => !(index > 0 && stem === numberWord.stem && isNumber(index + 1)))
  if (dropped.length < stems.length) return dropped
  const index = stems.findIndex((_, index) => isNumber(index) && /^\p{L}{3}/u.test(stems[index - 1] ?? ''))
  return index === -1 ? stems : [...stems.slice(0, index), numberWord.stem, ...stems.slice(index)]
}

/**
 * The phrases with the letter of a code in place of their last word. Empty if that is no stop word of one letter. The A
 * of `"zona A"` is such a word, but a text with `Zona A. 5 viviendas` has the letter (`markCodeLetters` in
 * spaced-codes.ts).
 */
function endWithCodeLetter(phrases: readonly (readonly string[])[], words: readonly LexiconWord[]): string[][] {
  const last = words.at(-1)
  const codeLetter = words.length > 1 && last?.isStopWord ? codeLetters.get(last.form) : undefined
  return codeLetter === undefined ? [] : phrases.map((stems) => [...stems.slice(0, -1), codeLetter.stem])
}

function toPhraseClause(stems: readonly string[], orPhrase: PhraseClause | undefined): PhraseClause {
  return { kind: 'phrase', stems, ...(orPhrase === undefined ? {} : { orPhrase }) }
}
