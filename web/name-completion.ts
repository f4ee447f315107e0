// Autocompletion of municipality names (municipality-options.tsx). The search, not this file, decides which municipality
// a name refers to.
import { toReadableName } from '../src/domain/municipality-name.ts'
import { provinceOf } from '../src/domain/province.ts'
import type { MunicipalityFacts } from '../src/registry/contract.ts'

export interface Completion {
  readonly name: string
  /** Another name of the municipality, such as a former one, if only that matched; null if `name` matched. */
  readonly otherName: string | null
  readonly records: number
  /** The INE code; null if it is unknown. */
  readonly ineCode: string | null
  /** The name of the province, if it is known and another municipality has the same name; otherwise null. */
  readonly province: string | null
}

/**
 * The municipalities with a name, official or other, that contains the typed text; all of them for an empty text.
 * Better matches come first (see `ranks`); within a rank, municipalities with more records.
 */
export function completeName(typed: string, municipalities: readonly MunicipalityFacts[]): Completion[] {
  const foldedText = foldForCompletion(typed)
  const found: { readonly completion: Completion; readonly rank: number }[] = []
  /** By folded name, how many municipalities have it. */
  const nameCounts = new Map<string, number>()
  for (const { name } of municipalities) {
    const key = foldForCompletion(name)
    nameCounts.set(key, (nameCounts.get(key) ?? 0) + 1)
  }
  for (const { name, ineCode, otherNames, records } of municipalities) {
    const hasNamesake = (nameCounts.get(foldForCompletion(name)) ?? 0) > 1
    const province = hasNamesake && ineCode !== null ? (provinceOf(ineCode)?.name ?? null) : null
    // The page shows `Ejido, El` as `El Ejido`, and people type it so. That form is tried only if the first one does
    // not match: so the text `el` matches the start of a word of this name, and not the start of the name.
    const rank = toRank(foldedText, name) ?? toRank(foldedText, toReadableName(name))
    if (rank !== null) {
      found.push({ completion: { name, otherName: null, records, ineCode, province }, rank })
      continue
    }
    const otherName = otherNames.find((other) => toRank(foldedText, other) !== null)
    if (otherName === undefined) continue
    found.push({ completion: { name, otherName, records, ineCode, province }, rank: ranks.otherName })
  }
  return found
    .sort((a, b) => a.rank - b.rank || b.completion.records - a.completion.records)
    .map(({ completion }) => completion)
}

/**
 * Removes case, accents and punctuation. Unlike `foldName` (src/domain/municipality-name.ts), it does not move the
 * article: `Ejido, El` becomes `ejido el`.
 */
export function foldForCompletion(name: string): string {
  // NFD separates the accents from their letters.
  const withoutAccents = name.normalize('NFD').replace(/\p{M}/gu, '')
  return withoutAccents
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** How well a name matches, best first: at its start, at the start of a word, inside a word, or by another name. */
const ranks = { nameStart: 0, wordStart: 1, inside: 2, otherName: 3 } as const

/** How well the name matches; null if it does not contain the text. */
function toRank(foldedText: string, name: string): number | null {
  const foldedName = foldForCompletion(name)
  if (!foldedName.includes(foldedText)) return null
  if (foldedName.startsWith(foldedText)) return ranks.nameStart
  return foldedName.includes(` ${foldedText}`) ? ranks.wordStart : ranks.inside
}
