// Reads a search term (decisions, `search`): words, codes, "phrases" and prefixes*. Nothing in a term is an error;
// what is no syntax is text or a separator.
import type { KnownWord } from './lexicon.ts'
import { Scanner } from './scan.ts'
import type { Clause, Term } from './term.ts'
import { tokenAt, type Unit } from './token.ts'

/** A clause and how much the term insists on it. */
interface Wish {
  readonly clause: Clause
  /** Asks for no word but stop words. */
  readonly isOfStopWords: boolean
  readonly isQuoted: boolean
}

export function parseTerm(term: string): Term {
  // Parts between quotes are at the odd places; an even number of parts means that the last quote is unclosed.
  const parts = term.split(quote)
  if (parts.length % 2 === 0) parts.splice(-2, 2, parts.slice(-2).join(' '))
  const wishes = parts.flatMap((part, index) => (index % 2 === 0 ? wishesOf(part) : quotedWishesOf(part)))
  const onlyStopWords = wishes.every((wish) => wish.isOfStopWords)
  return {
    clauses: wishes.filter((wish) => onlyStopWords || wish.isQuoted || !wish.isOfStopWords).map((wish) => wish.clause),
  }
}

/** Straight, curly and low quotes, guillemets, full-width; two apostrophes are not one of them. */
const quote = /["“”„‟«»＂〝〞〟❝❞]/u

function wishesOf(text: string): Wish[] {
  return tokensOf(text).flatMap(({ units, isPrefix }) => {
    const last = units.at(-1)
    const prefix = isPrefix && last !== undefined ? last.words.at(-1) : undefined
    if (prefix === undefined || last === undefined) return units.map(toWish)
    const before = { ...last, words: last.words.slice(0, -1), joined: undefined, isQuantity: false }
    return [...units.slice(0, -1), before]
      .filter((unit) => unit.words.length > 0)
      .map(toWish)
      .concat(toPrefix(prefix))
  })
}

/** A star inside quotes asks for the prefix beside the words before and after it: a phrase is made of whole words. */
function quotedWishesOf(text: string): Wish[] {
  const wishes: Wish[] = []
  let phrase: KnownWord[] = []
  const endPhrase = () => {
    if (phrase.length > 0) wishes.push(toPhrase(phrase))
    phrase = []
  }
  for (const { units, isPrefix } of tokensOf(text)) {
    phrase.push(...units.flatMap((unit) => unit.words))
    wishes.push(...units.filter((unit) => unit.isQuantity).map((unit) => ({ ...toWish(unit), isQuoted: true })))
    if (!isPrefix) continue
    const prefix = phrase.pop()
    endPhrase()
    if (prefix !== undefined) wishes.push({ ...toPrefix(prefix), isQuoted: true })
  }
  endPhrase()
  return wishes
}

function tokensOf(text: string): { units: readonly Unit[]; isPrefix: boolean }[] {
  const scanner = new Scanner(text)
  const tokens = []
  while (scanner.advance()) {
    const { units } = tokenAt(scanner)
    const last = units.at(-1)?.words.at(-1)
    star.lastIndex = scanner.next
    const isPrefix = last !== undefined && last.form.length >= prefixCharactersMin && star.test(text)
    tokens.push({ units, isPrefix })
  }
  return tokens
}

/** A star that nothing but white space follows. */
const star = /[*＊]+(?!\S)/y

/** Decisions, `search`: three letters or more before the star. */
const prefixCharactersMin = 3

function toWish(unit: Unit): Wish {
  const [first, ...rest] = unit.words
  if (first !== undefined && rest.length === 0) {
    const isOfStopWords = first.isStopWord || unit.isOptional
    return { clause: { kind: 'word', stem: first.meaning }, isOfStopWords, isQuoted: false }
  }
  if (unit.isQuantity && unit.joined !== undefined) {
    return { clause: { kind: 'word', stem: unit.joined.stem }, isOfStopWords: false, isQuoted: false }
  }
  const stems = unit.words.map((word) => word.stem)
  const joined = unit.joined === undefined ? {} : { joined: unit.joined.stem }
  return { clause: { kind: 'phrase', stems, ...joined }, isOfStopWords: false, isQuoted: false }
}

function toPhrase(words: readonly KnownWord[]): Wish {
  const stems = words.map((word) => word.stem)
  return { clause: { kind: 'phrase', stems }, isOfStopWords: words.every((word) => word.isStopWord), isQuoted: true }
}

function toPrefix(word: KnownWord): Wish {
  return { clause: { kind: 'prefix', prefix: word.form }, isOfStopWords: false, isQuoted: false }
}
