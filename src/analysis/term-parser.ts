// Parser of search terms: turns words, codes, "phrases" and prefixes* into clauses. It accepts any text; what is not
// syntax is a word or a separator. analyser.ts calls it for each search.
import { dottedNo, type LexiconWord } from './lexicon.ts'
import type { Clause, Term } from './term.ts'
import { findDottedAbbreviation, type SubtokenGroup, tokenAt } from './token.ts'
import { Tokenizer } from './tokenizer.ts'

interface ParsedClause {
  readonly clause: Clause
  /** Such a clause is dropped if it is not quoted and another clause has a word that is not a stop word. */
  readonly hasOnlyStopWords: boolean
  readonly isQuoted: boolean
}

export function parseTerm(term: string): Term {
  const parsed = quotationMark.test(term) ? parseWithQuotes(term) : parseUnquoted(term)
  const keepsStopWords = parsed.every(({ hasOnlyStopWords }) => hasOnlyStopWords)
  return {
    clauses: parsed
      .filter(({ isQuoted, hasOnlyStopWords }) => keepsStopWords || isQuoted || !hasOnlyStopWords)
      .map(({ clause }) => clause),
  }
}

function parseWithQuotes(term: string): ParsedClause[] {
  // The parts with an odd index are quoted. An even number of parts means that the last quote is not closed; then the
  // last part is not quoted and is appended to the part before it.
  const parts = term.split(quotationMark)
  if (parts.length % 2 === 0) parts.splice(-2, 2, parts.slice(-2).join(' '))
  return parts.flatMap((part, index) => (index % 2 === 0 ? parseUnquoted(part) : parseQuoted(part)))
}

/** Straight, curly, low and full-width quotation marks, and guillemets. Two apostrophes are not a quotation mark. */
export const quotationMark: RegExp = /["“”„‟«»＂〝〞〟❝❞]/u

function parseUnquoted(text: string): ParsedClause[] {
  const parsed: ParsedClause[] = []
  const tokens = toTermTokens(text)
  for (const [index, { groups, isPrefix, isDottedNo }] of tokens.entries()) {
    const [first] = groups
    const isCodeStart = first !== undefined && groups.length === 1 && startsCode(first, tokens[index + 1]?.groups[0])
    if (isDottedNo) parsed.push(toWordClause(dottedNo))
    else if (isPrefix) parsed.push(...toPrefixClauses(groups))
    else if (isCodeStart) for (const word of first.words) parsed.push(toWordClause(word))
    else for (const group of groups) parsed.push(toGroupClause(group))
  }
  return parsed
}

/** In upper case before a number, any word is the start of a code, even a stop word: `A 1`, `DE 2`. */
function startsCode(group: SubtokenGroup, next: SubtokenGroup | undefined): boolean {
  return group.words.length === 1 && group.isUpperCase && /^\d+$/.test(next?.words[0]?.form ?? '')
}

/** The last word of the token is the prefix; the groups before it are clauses of their own. */
function toPrefixClauses(groups: readonly SubtokenGroup[]): ParsedClause[] {
  const before = groups.slice(0, -1).map(toGroupClause)
  const last = groups.at(-1)
  const word = last?.words.at(-1)
  if (last === undefined || word === undefined) return before
  if (word.form.length < prefixCharactersMin && last.joinedCode !== undefined) {
    // The last word of `S/SU*` is too short for a prefix; the joined code is not.
    const { clause } = toGroupClause(last)
    const alternative = clause.kind === 'phrase' ? { orPhrase: clause } : {}
    return [...before, toParsedClause({ kind: 'prefix', prefix: last.joinedCode.form, ...alternative })]
  }
  const otherWords = { ...last, words: last.words.slice(0, -1), joinedCode: undefined }
  if (otherWords.words.length > 0) before.push(toGroupClause(otherWords))
  return [...before, toParsedClause({ kind: 'prefix', prefix: word.form })]
}

/** A phrase has whole words only, so a prefix ends one phrase and the next word starts another. */
function parseQuoted(text: string): ParsedClause[] {
  const parsed: ParsedClause[] = []
  let phrase: LexiconWord[] = []
  const endPhrase = () => {
    if (phrase.length > 0) parsed.push(toQuotedPhrase(phrase))
    phrase = []
  }
  for (const { groups, isPrefix, isDottedNo } of toTermTokens(text)) {
    if (isDottedNo) parsed.push(toWordClause(dottedNo))
    if (!isPrefix) {
      phrase.push(...groups.flatMap((group) => group.words))
      continue
    }
    endPhrase()
    parsed.push(...toPrefixClauses(groups).map((clause) => ({ ...clause, isQuoted: true })))
  }
  endPhrase()
  return parsed
}

interface TermToken {
  readonly groups: readonly SubtokenGroup[]
  readonly isPrefix: boolean
  /** `No.` with its dot, which means "number" before a numeral. */
  readonly isDottedNo: boolean
}

function toTermTokens(text: string): TermToken[] {
  const tokenizer = new Tokenizer(text)
  const tokens: TermToken[] = []
  while (tokenizer.advance()) {
    const token = tokenAt(tokenizer)
    const last = token.groups.at(-1)
    const prefixCharacters = Math.max(last?.words.at(-1)?.form.length ?? 0, last?.joinedCode?.form.length ?? 0)
    star.lastIndex = tokenizer.next
    const isPrefix = prefixCharacters >= prefixCharactersMin && star.test(text)
    const isDottedNo = findDottedAbbreviation(tokenizer, token)?.plain.form === dottedNo.form
    tokens.push({ groups: token.groups, isPrefix, isDottedNo })
  }
  return tokens
}

/** A star before white space or at the end of the term. */
const star = /[*＊]+(?!\S)/y

/** A shorter prefix would match too many words. */
const prefixCharactersMin = 3

function toGroupClause(group: SubtokenGroup): ParsedClause {
  const [first] = group.words
  if (first !== undefined && group.words.length === 1) {
    const clause: Clause = { kind: 'word', stem: first.queryStem }
    return { clause, hasOnlyStopWords: first.isStopWord || group.isOptional, isQuoted: false }
  }
  const stems = group.words.map((word) => word.stem)
  const alternative = group.joinedCode === undefined ? {} : { joinedCode: group.joinedCode.stem }
  return toParsedClause({ kind: 'phrase', stems, ...alternative })
}

function toWordClause(word: LexiconWord): ParsedClause {
  return toParsedClause({ kind: 'word', stem: word.queryStem })
}

function toParsedClause(clause: Clause): ParsedClause {
  return { clause, hasOnlyStopWords: false, isQuoted: false }
}

function toQuotedPhrase(words: readonly LexiconWord[]): ParsedClause {
  const stems = words.map((word) => word.stem)
  return {
    clause: { kind: 'phrase', stems },
    hasOnlyStopWords: words.every((word) => word.isStopWord),
    isQuoted: true,
  }
}
