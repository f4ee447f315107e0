// The one analyser of Spanish planning text. Import calls `analyseText` on titles and contents, a request calls
// `analyseTerm`; both go through the same words, so every engine answers alike. By example: docs/search.md.
import { foldWord } from './fold.ts'
import { type KnownWord, numberWord, otherFigure, type Pattern, wordOf } from './lexicon.ts'
import { breakAt, Scanner } from './scan.ts'
import type { Term } from './term.ts'
import { parseTerm } from './term-parser.ts'
import { type Token, tokenOf, type Unit } from './token.ts'
import type { Word } from './word.ts'

export type { Word } from './word.ts'

export interface AnalysedText {
  /** In the order of the text: the index is the position that phrases count by. */
  readonly words: readonly Word[]
  /** Holds without a position, unseen by phrases: synonyms and joined codes. May repeat itself. */
  readonly extras: readonly Word[]
}

export function analyseText(text: string): AnalysedText {
  const scanner = new Scanner(text)
  const words: KnownWord[] = []
  const extras: Word[] = []
  const codes: Code[] = []
  let letters = ''
  let lettersEnd = 0
  while (scanner.advance()) {
    if (scanner.end - scanner.start === 1) {
      const goesOn = scanner.start === lettersEnd + 1 && text.charCodeAt(lettersEnd) === space
      if (!goesOn || text.charCodeAt(scanner.start) < letterMin) letters = endSpaced(letters, extras)
      letters += text.charAt(scanner.start)
      lettersEnd = scanner.end
    }
    const token = tokenOf(scanner.spelling)
    const last = text.charCodeAt(scanner.end - 1)
    const mayBeBroken = scanner.next !== scanner.end || last === softHyphen || last > latinMax
    if (mayBeBroken && joinBroken(scanner, token, words, extras)) continue
    if (token.extras.length > 0) {
      const unit = token.units[0]
      if (unit?.joined !== undefined) codes.push({ ...unit, joined: unit.joined, at: words.length })
      extras.push(...token.extras)
    }
    for (const word of token.words) words.push(word)
  }
  endSpaced(letters, extras)
  addMeanings(words, codes, extras)
  addNumbers(words, codes, extras)
  return { words, extras }
}

/** A code in a text that has been joined to one word. */
interface Code extends Unit {
  readonly joined: Word
  /** The position of its first piece. */
  readonly at: number
}

/** The term to look for; without clauses when it holds no word at all, and then it finds nothing. */
export function analyseTerm(term: string): Term {
  return parseTerm(term)
}

/** Beyond it are the ligatures. */
const latinMax = 0x17f
const softHyphen = 0xad

/** A heading with a space after each letter, `M E M O R I A`, is also a word. */
function endSpaced(letters: string, extras: Word[]): '' {
  if (letters.length >= spacedLettersMin && /^\p{L}+$/u.test(letters)) extras.push(wordOf(foldWord(letters)))
  return ''
}

const spacedLettersMin = 4
const space = 0x20
const letterMin = 0x41

/** A word that goes on after a line's end is one word; its halves stay findable beside it. */
function joinBroken(scanner: Scanner, token: Token, words: KnownWord[], extras: Word[]): boolean {
  const kind = breakAt(scanner)
  const head = token.words.at(-1)
  if (kind === undefined || head === undefined || !/^\p{L}{2,}$/u.test(head.form)) return false
  const ahead = new Scanner(scanner.text)
  ahead.next = scanner.next
  if (!ahead.advance()) return false
  const rest = tokenOf(ahead.spelling)
  const tail = rest.words[0]
  if (tail === undefined || tail.isStopWord) return false
  const whole = wordOf(head.form + tail.form)
  if (kind === 'space' || token.words.length > 1 || rest.words.length > 1) {
    extras.push(whole)
    return false
  }
  words.push(whole)
  extras.push(head, tail, ...whole.beside)
  scanner.next = ahead.end
  return true
}

/** Beside the words: the abbreviations of what stands there in full, and both kinds of figure after "number". */
function addMeanings(words: readonly KnownWord[], codes: readonly Code[], extras: Word[]): void {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as KnownWord
    if (word.opens !== undefined) follow(word.opens, at, words, codes, extras)
    if (word.stem === numberWord.stem || word.form === 'no' || word.form === 'n') {
      const figure = words[at + 1]
      if (figure === undefined || !isFigure(figure)) continue
      extras.push(numberWord, wordOf('no'), wordOf('n'))
      const other = otherFigure.get(figure.stem)
      if (other !== undefined) extras.push(other)
    }
  }
}

function follow(
  opened: Pattern,
  from: number,
  words: readonly KnownWord[],
  codes: readonly Code[],
  extras: Word[],
): void {
  let pattern = opened
  for (let at = from + 1; at < words.length; at++) {
    const word = words[at] as KnownWord
    const next = pattern.next.get(word.meaning)
    if (next === undefined) {
      if (word.isStopWord) continue
      return
    }
    pattern = next
    if (pattern.letters !== undefined) {
      extras.push(...pattern.extras)
      const number = words[at + 1]?.stem === numberWord.stem ? at + 2 : at + 1
      const figure = words[number]
      if (figure !== undefined && isFigure(figure)) {
        const code = codes.find((code) => code.at === number)
        extras.push(wordOf(pattern.letters + (code?.joined.form ?? figure.stem)))
      }
    }
    if (pattern.next.size === 0) return
  }
}

/** A code may go on after a space, with its number (`SUNC-R 3`) or with a letter and its number (`UBZ R5`). */
function addNumbers(words: readonly KnownWord[], codes: readonly Code[], extras: Word[]): void {
  for (const { joined, at, isCapitals, words: pieces } of codes) {
    const figure = words[at + pieces.length]
    if (isCapitals && figure !== undefined && /[a-z]$/.test(joined.form) && isDigits(figure)) {
      extras.push(wordOf(joined.form + figure.stem))
    }
  }
  for (let at = 1; at + 1 < words.length; at++) {
    const letter = words[at] as KnownWord
    if (letter.form.length !== 1 || letter.isStopWord || isDigits(letter)) continue
    const before = words[at - 1] as KnownWord
    const figure = words[at + 1] as KnownWord
    if (isDigits(figure) && !before.isStopWord && /^[a-z]{2,5}$/.test(before.form)) {
      extras.push(wordOf(before.form + letter.form + figure.stem))
    }
  }
}

function isDigits(word: Word): boolean {
  return /^\d+$/.test(word.form)
}

function isFigure(word: Word): boolean {
  return word.stem.length <= 4 && /^(?:\d+|[a-z]|[ivx]+)$/.test(word.stem)
}
