// What a token means: its words in order, the units a term makes clauses of, and what is indexed beside it (joined
// codes, full words, meanings of initials). Texts and terms go through the same tokens, so that they cannot differ.
import { signs } from './abbreviations.ts'
import {
  type KnownWord,
  makeWord,
  meanings,
  numberSign,
  numberWord,
  ordinalWords,
  otherFigure,
  withMeaning,
  wordOf,
} from './lexicon.ts'
import { type Piece, toPieces } from './subtokens.ts'
import type { Scanner } from './tokenizer.ts'
import type { Word } from './word.ts'
import { WordCache } from './word-cache.ts'

export interface Token {
  readonly words: readonly KnownWord[]
  /** Written in the token, joined or taken apart. */
  readonly joined: readonly Word[]
  /** Synonyms. */
  readonly extras: readonly Word[]
  readonly units: readonly Unit[]
  /** The first unit, where a number after the token may go with it. */
  readonly code: Unit | undefined
  /** What it is with a dot behind it, where that makes a sign of it. */
  readonly dotted: DottedSign | undefined
}

/** Pieces of a token that belong together, such as those of a code. */
export interface Unit {
  readonly words: readonly KnownWord[]
  /** The unit written as one word, where texts have it beside them. */
  readonly joined: Word | undefined
  /** Where it is letters alone that a number may follow, `SUNCR 3`: what they are taken apart. */
  readonly halves: Halves | undefined
  /** Written in capitals it may begin a code that goes on after a space: `SUNC-R 3`. */
  readonly isCapitals: boolean
  /** An elided article (`l'Alcúdia`): a term does not insist on it. */
  readonly isOptional: boolean
}

export type Halves = readonly [head: string, tail: string]

/** Most tokens of a text are words that came before. */
const cache = new WordCache<Token>()

/** The token at which the scanner stands. */
export function tokenAt(scanner: Scanner): Token {
  const { spelling } = scanner
  const cached = cache.get(spelling)
  if (cached !== undefined) return cached
  const detached = detach(spelling)
  const token = makeToken(detached)
  cache.set(detached, token)
  return token
}

/** V8 keeps a longer piece of a text as a window on it: remembered, it would keep the whole document in memory. */
const ownLettersMax = 12

function detach(piece: string): string {
  return piece.length <= ownLettersMax ? piece : piece.split('').join('')
}

function makeToken(spelling: string): Token {
  const beside: Beside = { joined: [], extras: [] }
  const units = toUnits(toPieces(spelling)).map((pieces, index, all) => makeUnit(pieces, all[index + 1]?.[0], beside))
  const [first] = units
  const code = first?.joined === undefined && first?.halves === undefined ? undefined : first
  const words = first !== undefined && units.length === 1 ? first.words : units.flatMap((unit) => unit.words)
  const dotted = words.length === 1 ? dottedSigns.get(words[0]?.form ?? '') : undefined
  return { words, joined: beside.joined, extras: beside.extras, units, code, dotted }
}

interface Beside {
  readonly joined: Word[]
  readonly extras: Word[]
}

/** The signs that their dot makes: `No. 5`, `N. 5`. Without it `no` is a word and `N` a letter, as in `N-5`. */
export function dottedSign({ text, end }: Scanner, { dotted }: Token): DottedSign | undefined {
  return dotted !== undefined && text.charCodeAt(end) === dot ? dotted : undefined
}

interface DottedSign {
  readonly plain: KnownWord
  /** What it is before a figure. */
  readonly word: KnownWord
}

const dottedSigns: ReadonlyMap<string, DottedSign> = new Map(
  [wordOf('no'), wordOf('n')].map((plain) => [plain.form, { plain, word: withMeaning(plain, numberWord.stem, true) }]),
)

const dot = 0x2e

/** Cuts where the parts of a token are words of their own: `y/o`, `Alicante/Alacant`, `fin.Plan`, `nº5`. */
function toUnits(pieces: readonly Piece[]): (readonly Piece[])[] {
  if (pieces.length === 1) return [pieces]
  const units: Piece[][] = []
  for (const [index, piece] of pieces.entries()) {
    const before = pieces[index - 1]
    const unit = units.at(-1)
    if (before === undefined || unit === undefined || !belongTogether(before, piece)) units.push([piece])
    else unit.push(piece)
  }
  return units
}

function belongTogether(before: Piece, piece: Piece): boolean {
  if (before.kind === 'number' || before.sign === '/') return false
  const areFigures = before.kind !== 'letters' && piece.kind !== 'letters'
  const hasFigure = before.kind !== 'letters' || piece.kind !== 'letters'
  switch (piece.glue) {
    case '':
    case '-':
    case '_':
      return true
    case '/':
      return hasFigure || isShort(before, piece, 4)
    case '.':
      return areFigures || isShort(before, piece, 3)
    case ',':
      return areFigures
    case "'":
      return !elided.has(before.form)
    default:
      return false
  }
}

/** Articles and prepositions before an apostrophe; any other letter there is part of a name (O'Donnell). */
const elided: ReadonlySet<string> = new Set(['l', 'd'])

function isShort(before: Piece, piece: Piece, lettersMax: number): boolean {
  return [before, piece].every(({ kind, form }) => kind !== 'letters' || form.length <= lettersMax)
}

function makeUnit(pieces: readonly Piece[], next: Piece | undefined, beside: Beside): Unit {
  const [first] = pieces
  if (first !== undefined && pieces.length === 1) return makePlainUnit(first, next, beside)
  const words = pieces.map((piece, index) => toWord(piece, pieces[index + 1], beside))
  const ordinal = figuredOrdinal(pieces)
  const joined = ordinal?.sign ?? join(pieces)
  if (joined !== undefined) beside.joined.push(joined, ...joinedParts(pieces), ...joinedLetters(pieces))
  for (const [index, piece] of pieces.entries()) {
    const halves = pieces[index + 1]?.kind === 'digits' ? takeApart(piece) : undefined
    if (halves !== undefined) addHalves(halves, words[index + 1] as KnownWord, beside.joined, beside.extras)
  }
  if (ordinal !== undefined) beside.extras.push(ordinal.full)
  const isCapitals = pieces.every((piece) => piece.isCapitals)
  return { words, joined, halves: undefined, isCapitals, isOptional: false }
}

/** Most units: one word or one number. */
function makePlainUnit(piece: Piece, next: Piece | undefined, beside: Beside): Unit {
  const words = [toWord(piece, undefined, beside)]
  const isOptional = next?.glue === "'" && elided.has(piece.form)
  const { isCapitals } = piece
  const halves = isCapitals ? takeApart(piece) : undefined
  return { words, joined: undefined, halves, isCapitals, isOptional }
}

function toWord(piece: Piece, next: Piece | undefined, beside: Beside): KnownWord {
  const { joined, extras } = beside
  switch (piece.kind) {
    case 'number':
      // `no.5` is written with the letters of `no`, `nº` is not.
      if (piece.form === 'no') joined.push(wordOf('no'))
      joined.push(...piece.dotted.map(wordOf))
      return numberSign
    case 'digits':
      joined.push(...piece.dotted.map(wordOf))
      return wordOf(piece.form)
    case 'ordinal': {
      const letter = piece.sign === 'ª' ? 'a' : 'o'
      const ordinal = ordinalWords.get(piece.form)
      joined.push(...piece.dotted.map(() => wordOf(letter)))
      if (ordinal === undefined) {
        joined.push(wordOf(piece.form + letter))
        return wordOf(piece.form)
      }
      extras.push(ordinal.full, wordOf(piece.form))
      return ordinal.sign
    }
    case 'letters':
      return toLetterWord(piece, next, beside)
  }
}

function toLetterWord(piece: Piece, next: Piece | undefined, { joined, extras }: Beside): KnownWord {
  const signed = piece.sign === '' ? undefined : signWords.get(piece.form + piece.sign)
  joined.push(...piece.dotted.map(wordOf))
  if (signed !== undefined) {
    extras.push(...signed.extras)
    return signed.word
  }
  const word = wordOf(lettersOf(piece))
  extras.push(...word.beside)
  const meaning = meanings.get(word.form)
  const isCode = piece.isCapitals || next?.kind === 'digits'
  if (meaning !== undefined && (isCode || !meaning.inCapitals)) extras.push(...meaning.extras)
  // `Benavente III` is also `Benavente 3`; a single letter is one more often than a figure.
  const figure = piece.isCapitals && word.form.length > 1 ? otherFigure.get(word.form) : undefined
  if (figure !== undefined) extras.push(figure)
  return word
}

/** The stem of a sign is the sign itself, so that a phrase in quotes stays literal. */
const signWords = new Map(
  signs.map(({ sign, word, letters }) => {
    const full = wordOf(word)
    return [sign, { word: withMeaning(makeWord(letters, sign), full.stem), extras: [full, wordOf(letters)] }]
  }),
)

function lettersOf(piece: Piece): string {
  return piece.form + (piece.sign === 'º' ? 'o' : piece.sign === 'ª' ? 'a' : '')
}

const joinedCharactersMax = 32

/** A code as one word: `SUNC-R-3` is `suncr3`, `UE-2.1` is `ue2.1`; not so dates, ranges and decimal fractions. */
function join(pieces: readonly Piece[]): KnownWord | undefined {
  const rest = pieces.slice(1)
  if (rest.length === 0 || rest.some((piece) => piece.glue === ',')) return undefined
  if (pieces.every((piece) => piece.kind === 'digits')) {
    const isFraction = pieces[0]?.form.startsWith('0')
    if (rest.length > 1 || rest[0]?.glue !== '.' || isFraction) return undefined
  }
  let joined = ''
  for (const [index, piece] of pieces.entries()) {
    // Two numbers never become one: `UE-2.1` is not `UE-21`, and `20.07` is not `2.007`.
    if (piece.kind === 'digits' && pieces[index - 1]?.kind === 'digits') joined += '.'
    joined += piece.kind === 'digits' ? wordOf(piece.form).stem : lettersOf(piece)
  }
  return joined.length <= joinedCharactersMax ? wordOf(joined) : undefined
}

/** The codes on either side of a slash: `SUNC-R-3/SUNC-R-4`. */
function joinedParts(pieces: readonly Piece[]): KnownWord[] {
  const cuts = pieces.flatMap((piece, index) => (piece.glue === '/' && index > 0 ? [index] : []))
  if (cuts.length === 0) return []
  return [0, ...cuts].flatMap((from, index) => join(pieces.slice(from, cuts[index])) ?? [])
}

/** What `SUNCR 3` looks for in `SUNC-R-3`. */
function joinedLetters(pieces: readonly Piece[]): KnownWord[] {
  const number = pieces.findIndex((piece) => piece.kind === 'digits')
  const letters = join(pieces.slice(0, Math.max(number, 0)))
  return letters === undefined ? [] : [letters]
}

/** Letters that the table knows and one or two more, or the S of a sector: `SUNCR` is `SUNC R`, `SSUNC` `S SUNC`. */
function takeApart({ kind, form }: Piece): Halves | undefined {
  if (kind !== 'letters' || meanings.has(form)) return undefined
  for (const cut of form.startsWith('s') ? [-1, -2, 1] : [-1, -2]) {
    const halves: Halves = [form.slice(0, cut), form.slice(cut)]
    if (meanings.has(halves[cut < 0 ? 0 : 1])) return halves
  }
  return undefined
}

/** Beside `SUNCR3` stands what `SUNC R 3` and `SUNC R-3` look for. */
export function addHalves([head, tail]: Halves, number: Word, joined: Word[], extras: Word[]): void {
  joined.push(wordOf(tail + number.stem))
  for (const word of [wordOf(head), wordOf(tail)]) {
    joined.push(word)
    extras.push(...word.beside, ...(meanings.get(word.form)?.extras ?? []))
  }
}

/** `2a` is `2ª` on many a keyboard. */
function figuredOrdinal(pieces: readonly Piece[]): { sign: KnownWord; full: KnownWord } | undefined {
  const [figure, letter] = pieces
  if (pieces.length !== 2 || figure?.kind !== 'digits' || letter?.glue !== '') return undefined
  return letter.form === 'a' || letter.form === 'o' ? ordinalWords.get(figure.form) : undefined
}
