// The clauses of a token of a search term that ends with a star: `urbaniz*` finds the words that start with `urbaniz`.
// term-parser.ts calls both functions.
import { labelAcronyms } from './abbreviations.ts'
import { type ParsedClause, toGroupClause, toRequiredClause } from './parsed-clause.ts'
import type { SubtokenGroup } from './subtoken-groups.ts'
import { type Clause, type PrefixClause, prefixLettersMin } from './term.ts'
import type { TermItem } from './term-item.ts'

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
export function toPrefixClauses(groups: readonly SubtokenGroup[]): ParsedClause[] {
  const clauses = groups.slice(0, -1).map(toGroupClause)
  const last = groups.at(-1)
  const word = last?.words.at(-1)
  if (last === undefined || word === undefined) return clauses
  const isUsableAlone = word.form.length >= prefixLettersMin && !/^\d/.test(word.form)
  if (!isUsableAlone && last.joinedCode !== undefined) {
    return [...clauses, toRequiredClause(toCodePrefix(last.joinedCode.form, last), 'unpaired')]
  }
  const otherWords = { ...last, words: last.words.slice(0, -1), joinedCode: undefined }
  if (otherWords.words.length > 0) clauses.push(toGroupClause(otherWords))
  return [...clauses, toRequiredClause({ kind: 'prefix', prefix: word.form }, 'unpaired')]
}

/** The prefix of a whole code. For `UZP-1*`, the phrase finds a text with `UZP 1` (`PrefixClause` in term.ts). */
function toCodePrefix(prefix: string, code: SubtokenGroup): PrefixClause {
  const { clause } = toGroupClause(code)
  return clause.kind === 'phrase' ? { kind: 'prefix', prefix, orPhrase: clause } : { kind: 'prefix', prefix }
}

/**
 * The clause of a label with a space and a star. `item` has the letters, and the groups are those of the token after
 * them. Undefined unless both together are a label whose number has several parts.
 *
 * term        | clause
 * `PE 08.34*` | prefix `pe08.34`, or phrase `pe 8 34`
 * `PE 8.34*`  | prefix `pe8.34`, or phrase `pe 8 34`: texts have both forms, with the leading zero and without it
 * `PE 34*`    | undefined
 */
export function readLabelPrefix(
  item: TermItem | undefined,
  [number, otherGroup]: readonly SubtokenGroup[],
): Clause | undefined {
  const letters = item?.word?.form
  const labelNumber = number?.labelNumber
  if (letters === undefined || !labelAcronyms.has(letters) || otherGroup !== undefined) return undefined
  if (labelNumber === undefined || labelNumber.stems.length === 1) return undefined
  const stems = [letters, ...labelNumber.stems]
  const orPhrase = { kind: 'phrase', stems, joinedCode: letters + labelNumber.code } as const
  const numberAsWritten = number?.joinedCode?.form ?? labelNumber.code
  return { kind: 'prefix', prefix: letters + numberAsWritten, orPhrase }
}
