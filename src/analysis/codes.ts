// Codes: subtokens that are searched as one word, such as `SUNC-R-3` or `ED.16.202`, and the number of a label
// (`16.202`), which may stand apart from its letters. token.ts calls these functions for each group of subtokens.
import { createWord, expansionsByAcronym, type LexiconWord, wordOf } from './lexicon.ts'
import { type Subtoken, signLetters } from './subtokens.ts'

/** The number of a label, after the letters: the `16.202` of `ED 16.202`. */
export interface LabelNumber {
  /** The stems of its parts: `16` and `202`. */
  readonly stems: readonly string[]
  /** The parts as one stem, `16.202`. */
  readonly code: string
}

/** The form with its ordinal sign as a letter: `ma` for `Mª`. */
export function lettersOf({ form, trailingSign }: Subtoken): string {
  return form + signLetters[trailingSign]
}

/** A code as one word: `SUNC-R-3` is `suncr3`, `UE-2.1` is `ue2.1`. Dates, ranges and fractions are not joined. */
export function joinSubtokens(subtokens: readonly Subtoken[]): LexiconWord | undefined {
  const rest = subtokens.slice(1)
  if (rest.length === 0 || rest.some((subtoken) => subtoken.delimiter === ',')) return undefined
  if (subtokens.every((subtoken) => subtoken.kind === 'digits')) {
    const isFraction = subtokens[0]?.form.startsWith('0')
    if (rest.length > 1 || rest[0]?.delimiter !== '.' || isFraction) return undefined
  }
  // The stem of a number has no leading zeros, so `UE-01` is also `ue1`. A prefix sees them: `UE-01*` is not `UE-10`.
  const stem = joinForms(subtokens, ({ form }) => wordOf(form).stem)
  const form = joinForms(subtokens, (subtoken) => subtoken.form)
  if (form.length > codeCharactersMax) return undefined
  return form === stem ? wordOf(form) : createWord(form, stem)
}

function joinForms(subtokens: readonly Subtoken[], toDigits: (subtoken: Subtoken) => string): string {
  let code = ''
  for (const [index, subtoken] of subtokens.entries()) {
    // Two numbers are not joined into one: `UE-2.1` is not `UE-21`, and `20.07` is not `2.007`.
    if (subtoken.kind === 'digits' && subtokens[index - 1]?.kind === 'digits') code += '.'
    code += subtoken.kind === 'digits' ? toDigits(subtoken) : lettersOf(subtoken)
  }
  return code
}

/** Real codes are shorter; the limit keeps long chains such as `a-b-c-…` out of the index. */
const codeCharactersMax = 32

/** The group as the number of a label: `16.202`, `08.342`, `4-A`, but not a date, a fraction or a year. */
export function findLabelNumber(subtokens: readonly Subtoken[]): LabelNumber | undefined {
  const [first, ...rest] = subtokens
  if (first?.kind !== 'digits' || rest.some(({ delimiter }) => delimiter === ',' || delimiter === '/')) return undefined
  if (rest.length === 0) {
    const parts = first.dottedParts.length > 0 ? first.dottedParts : [first.form]
    if (parts.some((part) => part.length > labelDigitsMax)) return undefined
    const stems = parts.map((part) => wordOf(part).stem)
    return { stems, code: stems.join('.') }
  }
  if (subtokens.some(({ kind, form }) => kind === 'digits' && form.length > labelDigitsMax)) return undefined
  const stems = subtokens.map((subtoken) => wordOf(lettersOf(subtoken)).stem)
  return { stems, code: joinForms(subtokens, ({ form }) => wordOf(form).stem) }
}

/** A number of four digits is a year. */
const labelDigitsMax = 3

/** The codes between slashes: `SUNC-R-3/SUNC-R-4` has two. */
export function joinSlashParts(subtokens: readonly Subtoken[]): LexiconWord[] {
  const partStarts = subtokens.flatMap((subtoken, index) => (subtoken.delimiter === '/' && index > 0 ? [index] : []))
  if (partStarts.length === 0) return []
  return [0, ...partStarts].flatMap((start, part) => joinSubtokens(subtokens.slice(start, partStarts[part])) ?? [])
}

/** The letters before the number, so that `SUNCR 3` finds `SUNC-R-3`. */
export function joinLeadingLetters(subtokens: readonly Subtoken[]): LexiconWord[] {
  const letters = joinSubtokens(subtokens.slice(0, Math.max(findNumber(subtokens), 0)))
  return letters === undefined ? [] : [letters]
}

/** The number after the letters of a label, so that `16.202` finds `ED.16.202`. */
export function joinLabelNumber(subtokens: readonly Subtoken[]): LexiconWord[] {
  const start = findNumber(subtokens)
  const number = start <= 0 ? undefined : findLabelNumber(subtokens.slice(start))
  return number === undefined || number.stems.length !== 2 ? [] : [wordOf(number.code)]
}

function findNumber(subtokens: readonly Subtoken[]): number {
  return subtokens.findIndex((subtoken) => subtoken.kind === 'digits')
}

export type AcronymParts = readonly [head: string, tail: string]

/** Splits a known acronym from one or two letters after it, or from the S of a sector before it: `SUNCR`, `SSUNC`. */
export function splitAcronym({ kind, form }: Subtoken): AcronymParts | undefined {
  if (kind !== 'letters' || expansionsByAcronym.has(form)) return undefined
  for (const tailLetters of [1, 2]) {
    const head = form.slice(0, -tailLetters)
    if (expansionsByAcronym.has(head)) return [head, form.slice(-tailLetters)]
  }
  const afterS = form.slice(1)
  return form.startsWith('s') && expansionsByAcronym.has(afterS) ? ['s', afterS] : undefined
}
