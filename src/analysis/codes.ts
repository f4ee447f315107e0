// Codes: subtokens (runs of letters or of digits) that are searched as one word. The code `SUNC-R-3` gets the joined
// forms `suncr3` and `suncr`, which are words that are indexed with the text. A code of letters and then a number names
// a plan or an area and is also called a label. The number of a label may stand apart from its letters, as in
// `ED 16.202`. subtoken-groups.ts calls most of these functions for each group of subtokens that belong together (a
// code or one word), and spaced-codes.ts calls `addAcronymParts` for codes with spaces.
import { expansionsByAcronym } from './acronym-expansions.ts'
import type { AddedWords } from './added-words.ts'
import { codeLetters } from './code-letters.ts'
import { createWord, type LexiconWord, wordOf } from './lexicon.ts'
import { type Subtoken, signLetters } from './subtokens.ts'
import type { Word } from './word.ts'

/** The number of a label, after the letters: the `16.202` of `ED 16.202`. */
export interface LabelNumber {
  /** The stems of its parts, at least one: `16` and `202`. */
  readonly stems: readonly string[]
  /** The parts as one stem: `16.202`; for `4-A`, `4a`. */
  readonly code: string
}

/** The form of a subtoken with its ordinal sign as a letter: `ma` for `Mª`, `2a` for `2ª`. */
export function formWithSignLetter({ form, trailingSign }: Subtoken): string {
  return form + signLetters[trailingSign]
}

/**
 * Joins a code to one word: `suncr3` for `SUNC-R-3`. Undefined if the subtokens are no code, or if the word has more
 * than `codeCharactersMax` characters.
 *
 * subtokens    | joined
 * `SUNC-R-3`   | `suncr3`
 * `UE-2.1`     | `ue2.1`
 * `UE-01`      | form `ue01`, stem `ue1`
 * `20.07`      | `20.07`: two numbers with a dot between them
 * `UE`         | undefined: a single subtoken
 * `25.05.2018` | undefined: a date
 * `23-25`      | undefined: a range
 * `1,25`       | undefined: a fraction
 */
export function joinSubtokens(subtokens: readonly Subtoken[]): LexiconWord | undefined {
  const rest = subtokens.slice(1)
  if (rest.length === 0 || rest.some((subtoken) => subtoken.delimiterBefore === ',')) return undefined
  if (subtokens.every((subtoken) => subtoken.kind === 'digits')) {
    // Without letters, only two numbers with a dot between them are joined: `20.07`, but not the fraction `0.5`. The
    // `04.322` of `PECUAU.04.322` is such a group too: before a dot, more than three letters are a group of their own
    // (`dottedLettersMax` in subtoken-groups.ts). `16.202` alone is a single subtoken, the number 16,202.
    const isFraction = subtokens[0]?.form === '0'
    if (rest.length > 1 || rest[0]?.delimiterBefore !== '.' || isFraction) return undefined
  }
  // The stem of a number has no leading zeros, so the stem of `UE-01` is `ue1`. The form, which prefixes match, keeps
  // them (`ue01`), so that `UE-01*` does not find `UE-10`.
  const stem = joinForms(subtokens, ({ form }) => wordOf(form).stem)
  const form = joinForms(subtokens, (subtoken) => subtoken.form)
  if (form.length > codeCharactersMax) return undefined
  const hasLeadingZeros = form !== stem
  // `wordOf` also stems a code of letters only: the stem of `ex-colegios` is `excolegio`.
  return hasLeadingZeros ? createWord(form, stem) : wordOf(form)
}

/**
 * Joins the subtokens: digits as `toDigits` returns them (their form or their stem), others as their form with the sign
 * as a letter (`ma3` for `Mª-3`).
 */
function joinForms(subtokens: readonly Subtoken[], toDigits: (subtoken: Subtoken) => string): string {
  let code = ''
  for (const [index, subtoken] of subtokens.entries()) {
    // A dot keeps two numbers apart: without it, `UE-2.1` would be `UE-21`, and `2.11` would be `21.1`.
    if (subtoken.kind === 'digits' && subtokens[index - 1]?.kind === 'digits') code += '.'
    code += subtoken.kind === 'digits' ? toDigits(subtoken) : formWithSignLetter(subtoken)
  }
  return code
}

/** Real codes are shorter; the limit keeps long chains such as `a-b-c-…` out of the index. */
const codeCharactersMax = 32

/** Reads the subtokens as the number of a label: `16.202` or `4-A`, but not `25/05/2018`, `1,25` or the year `2018`. */
export function findLabelNumber(subtokens: readonly Subtoken[]): LabelNumber | undefined {
  const [first, ...rest] = subtokens
  if (first?.kind !== 'digits' || rest.some(({ delimiterBefore }) => /[,/]/.test(delimiterBefore))) return undefined
  if (rest.length === 0) {
    // subtokens.ts reads `16.202` as the number 16,202 and keeps its parts.
    const parts = first.dottedParts.length > 0 ? first.dottedParts : [first.form]
    if (parts.some((part) => part.length > labelDigitsMax)) return undefined
    const stems = parts.map((part) => wordOf(part).stem)
    return { stems, code: stems.join('.') }
  }
  if (subtokens.some(({ kind, form }) => kind === 'digits' && form.length > labelDigitsMax)) return undefined
  const stems = subtokens.map((subtoken) => wordOf(formWithSignLetter(subtoken)).stem)
  return { stems, code: joinForms(subtokens, ({ form }) => wordOf(form).stem) }
}

/** A number with more digits is not that of a label: it may be a year. */
const labelDigitsMax = 3

/** Joins each code between slashes: `suncr3` and `suncr4` for `SUNC-R-3/SUNC-R-4`. Empty without a slash. */
export function joinSlashParts(subtokens: readonly Subtoken[]): LexiconWord[] {
  const partStarts = subtokens.flatMap((subtoken, index) =>
    subtoken.delimiterBefore === '/' && index > 0 ? [index] : [],
  )
  if (partStarts.length === 0) return []
  // `partStarts` begins with the second part, so the element at the index of a part is where that part ends.
  return [0, ...partStarts].flatMap((start, part) => joinSubtokens(subtokens.slice(start, partStarts[part])) ?? [])
}

/**
 * Joins the letters before the number: `suncr` for `SUNC-R-3`, so that the term `SUNCR` finds it. Empty for `UE-1`,
 * whose letters are one subtoken and so a word already, and for a code without a number.
 */
export function joinLeadingLetters(subtokens: readonly Subtoken[]): LexiconWord[] {
  const letters = joinSubtokens(subtokens.slice(0, countLeadingLetters(subtokens)))
  return letters === undefined ? [] : [letters]
}

/**
 * Joins the number after the letters of a label, without and with the letters: `16.202` and `ed16.202` for `ED.16.202`.
 *
 * text        | joined                | so that it is found by
 * `ED.16.202` | `16.202`, `ed16.202`  | the term `16.202`
 * `PE.08.342` | `8.342`, `pe8.342`    | the prefix `PE 8.34*`
 * `ED.16`     | none                  | the number of one part is a word already
 * `ED.1.2.3`  | none                  | the term `1.2.3` is a phrase of three words, which finds it
 */
export function joinLabelNumber(subtokens: readonly Subtoken[]): LexiconWord[] {
  const letterCount = countLeadingLetters(subtokens)
  if (letterCount === 0) return []
  const number = findLabelNumber(subtokens.slice(letterCount))
  if (number?.stems.length !== 2) return []
  const letters = joinForms(subtokens.slice(0, letterCount), ({ form }) => form)
  return [wordOf(number.code), wordOf(letters + number.code)]
}

/** The number of subtokens before the first digits; 0 if there are no digits. */
function countLeadingLetters(subtokens: readonly Subtoken[]): number {
  const firstDigits = subtokens.findIndex((subtoken) => subtoken.kind === 'digits')
  return firstDigits === -1 ? 0 : firstDigits
}

/** A run of letters in two parts, of which one is an acronym: `sunc` and `r`, or `s` and `sunc`. */
export type AcronymParts = readonly [head: string, tail: string]

/**
 * Splits letters into a known acronym and the rest: `sunc` and `r` for `SUNCR`. The rest is one or two letters after
 * the acronym, or the S of "sector" before it (`SSUNC`: `s`, `sunc`). Undefined for any other subtoken, and for an
 * acronym such as `SUNC` itself. Callers pass only letters in upper case and letters before digits, because the
 * function would also split ordinary words (`edad`: `ed`, `ad`).
 */
export function splitAcronym({ kind, form }: Subtoken): AcronymParts | undefined {
  if (kind !== 'letters' || expansionsByAcronym.has(form)) return undefined
  for (const tailLetters of [1, 2]) {
    const head = form.slice(0, -tailLetters)
    if (expansionsByAcronym.has(head)) return [head, form.slice(-tailLetters)]
  }
  const afterS = form.slice(1)
  return form.startsWith('s') && expansionsByAcronym.has(afterS) ? ['s', afterS] : undefined
}

/**
 * Adds to `SUNCR3` the joined forms `r3`, `sunc` and `r`, for which the terms `SUNC R 3` and `SUNC R-3` search, and the
 * words of the full form of `SUNC` as synonyms. `number` is the word `3`.
 */
export function addAcronymParts([head, tail]: AcronymParts, number: Word, added: AddedWords): void {
  const { joinedForms, synonyms } = added
  joinedForms.push(wordOf(tail + number.stem))
  // The A of `SUNCA3` is both the plain letter, added below, and the letter of a code, which has a stem of its own.
  const codeLetter = codeLetters.get(tail)
  if (codeLetter !== undefined) joinedForms.push(codeLetter)
  for (const word of [wordOf(head), wordOf(tail)]) {
    joinedForms.push(word)
    // For `UUEER3`, the synonym of the word `uuee` is `ue`, and its expansion has the words of `unidad de ejecución`.
    synonyms.push(...word.synonyms, ...(expansionsByAcronym.get(word.form)?.synonyms ?? []))
  }
}
