// Reads a search term (decisions, `search`): words, codes, "phrases" and prefixes*. Nothing in a term is an error;
// what is no syntax is text or a separator.
import { dottedNo, type KnownWord } from './lexicon.ts'
import type { Clause, Term } from './term.ts'
import { dottedSign, tokenAt, type Unit } from './token.ts'
import { Scanner } from './tokenizer.ts'

/** A clause and how much the term insists on it. */
interface Wish {
  readonly clause: Clause
  /** Asks for no word but stop words. */
  readonly isOfStopWords: boolean
  readonly isQuoted: boolean
}

export function parseTerm(term: string): Term {
  const wishes = quoteSign.test(term) ? partsOf(term) : wishesOf(term)
  const onlyStopWords = wishes.every((wish) => wish.isOfStopWords)
  return {
    clauses: wishes.filter((wish) => onlyStopWords || wish.isQuoted || !wish.isOfStopWords).map((wish) => wish.clause),
  }
}

/** Between quotes and outside them. */
function partsOf(term: string): Wish[] {
  // Parts between quotes are at the odd places; an even number of parts means that the last quote is unclosed.
  const parts = term.split(quoteSign)
  if (parts.length % 2 === 0) parts.splice(-2, 2, parts.slice(-2).join(' '))
  return parts.flatMap((part, index) => (index % 2 === 0 ? wishesOf(part) : quotedWishesOf(part)))
}

/** Straight, curly and low quotes, guillemets, full-width; two apostrophes are not one of them. */
export const quoteSign: RegExp = /["“”„‟«»＂〝〞〟❝❞]/u

function wishesOf(text: string): Wish[] {
  const wishes: Wish[] = []
  const tokens = tokensOf(text)
  for (const [index, { units, isPrefix, isDottedNo }] of tokens.entries()) {
    const [first] = units
    const isCode = first !== undefined && units.length === 1 && isCodeLetter(first, tokens[index + 1]?.units[0])
    if (isDottedNo) wishes.push(toWordWish(dottedNo))
    else if (isPrefix) wishes.push(...prefixWishesOf(units))
    else if (isCode) for (const word of first.words) wishes.push(toWordWish(word))
    else for (const unit of units) wishes.push(toWish(unit))
  }
  return wishes
}

/** `A 1`, `DE 2`: in capitals before a number, a stop word is the beginning of a code. */
function isCodeLetter(unit: Unit, next: Unit | undefined): boolean {
  return unit.words.length === 1 && unit.isCapitals && /^\d+$/.test(next?.words[0]?.form ?? '')
}

function prefixWishesOf(units: readonly Unit[]): Wish[] {
  const before = units.slice(0, -1).map(toWish)
  const last = units.at(-1)
  const word = last?.words.at(-1)
  if (last === undefined || word === undefined) return before
  if (word.form.length < prefixCharactersMin && last.joined !== undefined) {
    // `S/SU*`: too little by itself, but the beginning of a code.
    const { clause } = toWish(last)
    const whole = clause.kind === 'phrase' ? { whole: clause } : {}
    return [...before, required({ kind: 'prefix', prefix: last.joined.form, ...whole })]
  }
  const rest = { ...last, words: last.words.slice(0, -1), joined: undefined }
  return [...before, ...(rest.words.length > 0 ? [toWish(rest)] : []), toPrefix(word)]
}

/** A star inside quotes asks for the prefix beside the words before and after it: a phrase is made of whole words. */
function quotedWishesOf(text: string): Wish[] {
  const wishes: Wish[] = []
  let phrase: KnownWord[] = []
  const endPhrase = () => {
    if (phrase.length > 0) wishes.push(toPhrase(phrase))
    phrase = []
  }
  for (const { units, isPrefix, isDottedNo } of tokensOf(text)) {
    phrase.push(...units.flatMap((unit) => unit.words))
    if (isDottedNo) wishes.push(toWordWish(dottedNo))
    if (!isPrefix) continue
    for (const _ of units.flatMap((unit) => unit.words)) phrase.pop()
    endPhrase()
    wishes.push(...prefixWishesOf(units).map((wish) => ({ ...wish, isQuoted: true })))
  }
  endPhrase()
  return wishes
}

interface TermToken {
  readonly units: readonly Unit[]
  readonly isPrefix: boolean
  /** `No.` with its dot, which before a figure means number. */
  readonly isDottedNo: boolean
}

function tokensOf(text: string): TermToken[] {
  const scanner = new Scanner(text)
  const tokens: TermToken[] = []
  while (scanner.advance()) {
    const token = tokenAt(scanner)
    const last = token.units.at(-1)
    const letters = Math.max(last?.words.at(-1)?.form.length ?? 0, last?.joined?.form.length ?? 0)
    star.lastIndex = scanner.next
    const isPrefix = letters >= prefixCharactersMin && star.test(text)
    const isDottedNo = dottedSign(scanner, token)?.plain.form === dottedNo.form
    tokens.push({ units: token.units, isPrefix, isDottedNo })
  }
  return tokens
}

/** A star that nothing but white space follows. */
const star = /[*＊]+(?!\S)/y

/** Decisions, `search`: three letters or more before the star. */
const prefixCharactersMin = 3

function toWish(unit: Unit): Wish {
  const [first] = unit.words
  if (first !== undefined && unit.words.length === 1) {
    const clause: Clause = { kind: 'word', stem: first.meaning }
    return { clause, isOfStopWords: first.isStopWord || unit.isOptional, isQuoted: false }
  }
  const stems = unit.words.map((word) => word.stem)
  const joined = unit.joined === undefined ? {} : { joined: unit.joined.stem }
  return required({ kind: 'phrase', stems, ...joined })
}

function toWordWish(word: KnownWord): Wish {
  return required({ kind: 'word', stem: word.meaning })
}

function required(clause: Clause): Wish {
  return { clause, isOfStopWords: false, isQuoted: false }
}

function toPhrase(words: readonly KnownWord[]): Wish {
  const stems = words.map((word) => word.stem)
  return { clause: { kind: 'phrase', stems }, isOfStopWords: words.every((word) => word.isStopWord), isQuoted: true }
}

function toPrefix(word: KnownWord): Wish {
  return required({ kind: 'prefix', prefix: word.form })
}
