// Takes a token apart into pieces, runs of letters or of digits, and notes what held each to the one before:
// `U.E.-21b` is `U.E.` (one abbreviation), `21` and `b`. Which pieces form a code is token.ts.
import { foldWord } from './fold.ts'

export interface Piece {
  /** `number` is an abbreviation of that word: nº, n.º, no.5. */
  readonly kind: 'letters' | 'digits' | 'ordinal' | 'number'
  /** Folded; an ordinal's digits. */
  readonly form: string
  readonly isCapitals: boolean
  /** The pieces of a dotted abbreviation: p, g, o, u; or of a number with its thousands apart: 1, 250. */
  readonly dotted: readonly string[]
  /** What stands before it in the token; nothing between a letter and a digit. */
  readonly glue: string
  /** The sign behind it, `º` or `ª`, the slash of `C/`, or empty. */
  readonly sign: string
}

export function toPieces(token: string): Piece[] {
  if (letters.test(token)) return [toLetters(token, ' ')]
  if (figures.test(token)) return [changed(toLetters(token, ' '), { kind: 'digits' })]
  const pieces: Piece[] = []
  let glue = ' '
  for (const match of toPlainToken(token).matchAll(part)) {
    const [all, ofLetters, digits, sign] = match
    const last = pieces.at(-1)
    if (sign !== undefined && last !== undefined && last.sign === '' && (glue === '' || glue === '.')) {
      pieces[pieces.length - 1] = withSign(last, sign, glue)
    } else if (ofLetters !== undefined || digits !== undefined) {
      const piece = toLetters(all, glue)
      pieces.push(digits === undefined ? piece : changed(piece, { kind: 'digits' }))
    } else if (sign !== undefined) {
      const form = sign === 'ª' ? 'a' : 'o'
      pieces.push({ kind: 'letters', form, isCapitals: false, dotted: [], glue, sign: '' })
    } else {
      // The dot of an abbreviation does not hold: `U.E.-1` is held by its hyphen, `C/.Mayor` by its slash.
      glue = glue === '' || glue === '.' ? all : glue === '/' && all === '.' ? glue : ' '
      continue
    }
    glue = ''
  }
  return joinThousands(joinAbbreviations(pieces.filter((piece) => piece.form !== ''))).map((piece, index, all) =>
    recognise(piece, all[index + 1], glue),
  )
}

/** Most tokens: a word or a number and nothing else. */
const letters = /^[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff]+$/
const figures = /^[0-9]+$/

function toLetters(text: string, glue: string): Piece {
  const form = foldWord(text).slice(0, formCharactersMax)
  return { kind: 'letters', form, isCapitals: text === text.toUpperCase(), dotted: [], glue, sign: '' }
}

/** Written out, so that every piece is of one shape to the compiler. */
function changed(piece: Piece, changes: Partial<Piece>): Piece {
  const { kind, form, isCapitals, dotted, glue, sign } = { ...piece, ...changes }
  return { kind, form, isCapitals, dotted, glue, sign }
}

/** A word longer than this is none; its beginning stands for it, in texts and in terms alike. */
const formCharactersMax = 64

/** Letters (the ordinal signs count as letters in Unicode), digits, an ordinal sign, anything else. */
const part = /((?!\p{M})[[\p{L}\p{M}]--[ºª]]+|[\p{Nl}\p{No}]+)|(\p{Nd}+)|([ºª])|./gsv

/** One way of writing each mark as it stands: ASCII and the Latin letters that are no compatibility forms. */
const plain =
  /^[\x20-\x7f\u00c0-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e\u0180-\u01c3\u01cd-\u01f0\u01f4-\u024f]*$/

/** One way of writing each mark, compatibility forms resolved (`ﬁ`, `²`, `Ａ`), what cannot be seen removed. */
function toPlainToken(token: string): string {
  if (plain.test(token)) return token
  const unmarked = token
    .normalize('NFD')
    .replaceAll('№', 'nº')
    .replaceAll('°', 'º')
    .replace(/[^ºª´¨˜`]+/g, (text) => text.normalize('NFKC'))
    .replace(/\p{Cf}|(?<![\p{L}\p{M}])\p{M}+/gu, '')
    .replace(/(l)[·•‧∙⋅](?=l)/giu, '$1')
    .replace(/[\u2018\u2019\u2032\u02bc]/g, "'")
    .replace(/[\u2010-\u2013\u2212]/g, '-')
  if (!loneAccent.test(unmarked)) return unmarked
  return (
    unmarked
      // Not before a dotless i, which waits for its accent: `l´ınea`.
      .replace(/(?<!\p{L})([dlmnst])[´`](?=(?!ı)\p{L})/giu, "$1'")
      .replace(/(?<=\p{L})[´¨˜`]+|[´¨˜`]+(?=\p{L})/gu, '')
  )
}

const loneAccent = /[´¨˜`]/

function withSign(piece: Piece, sign: string, glue: string): Piece {
  if (piece.kind === 'digits') return changed(piece, { kind: 'ordinal', sign, dotted: glue === '' ? [] : [sign] })
  return changed(piece, { sign, dotted: glue === '' ? [] : [piece.form, sign === 'ª' ? 'a' : 'o'] })
}

/** `P.G.O.U.` and `NN.SS.` are one word each. */
function joinAbbreviations(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = []
  for (let at = 0; at < pieces.length; ) {
    let end = at
    while (isInitial(pieces[end]) && (end === at || pieces[end]?.glue === '.')) end++
    const run = pieces.slice(at, Math.max(end, at + 1))
    const [first, second] = run
    if (first === undefined) break
    if (second === undefined) joined.push(first)
    else {
      const forms = run.map((piece) => piece.form)
      const isCapitals = run.every((piece) => piece.isCapitals)
      joined.push(changed(first, { form: forms.join(''), isCapitals, dotted: forms }))
    }
    at += run.length
  }
  return joined
}

/** `1.250` is one number; `20.07`, `I-2.345` and `25.05.2018` are codes and dates. */
function joinThousands(pieces: readonly Piece[]): Piece[] {
  if (!pieces.some(isDotted)) return [...pieces]
  const joined: Piece[] = []
  for (let at = 0; at < pieces.length; ) {
    let end = at + 1
    while (isDotted(pieces[end])) end++
    const run = pieces.slice(at, end)
    const [first] = run
    if (first === undefined) break
    const isNumber =
      run.length > 1 &&
      /^[1-9]\d{0,2}$/.test(first.form) &&
      run.every(({ form }, index) => index === 0 || /^\d{3}$/.test(form)) &&
      joined.at(-1)?.kind !== 'letters'
    const dotted = run.map((piece) => piece.form)
    joined.push(...(isNumber ? [changed(first, { form: dotted.join(''), dotted })] : run))
    at = end
  }
  return joined
}

function isDotted(piece: Piece | undefined): boolean {
  return piece?.kind === 'digits' && piece.glue === '.'
}

/** `C/` before a word or at the end is a street; `no.` before digits is a number. */
function recognise(piece: Piece, next: Piece | undefined, trailing: string): Piece {
  if (piece.kind !== 'letters') return piece
  const glue = next?.glue ?? trailing
  if (piece.form === 'n' && piece.sign === 'º') return changed(piece, { kind: 'number' })
  if (piece.form === 'no' && piece.glue === ' ' && glue === '.' && next?.kind === 'digits')
    return changed(piece, { kind: 'number' })
  const isStreet = piece.form === 'c' && glue === '/' && (next === undefined || next.form.length > 2)
  return isStreet && next?.kind !== 'digits' ? changed(piece, { sign: '/' }) : piece
}

function isInitial(piece: Piece | undefined): boolean {
  return piece?.kind === 'letters' && piece.sign === '' && /^(?:\p{L}|(\p{L})\1)$/u.test(piece.form)
}
