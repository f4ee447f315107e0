// Autocompletion of municipality names, for municipality-field.tsx. The service, not this file, decides which
// municipality a name refers to.

import type { WireMunicipality } from '../src/client/client.ts'
import { provinceOf } from '../src/domain/province.ts'

export interface Completion {
  readonly name: string
  /** The alternative name that matched, or null if `name` matched. */
  readonly otherName: string | null
  readonly records: number
  /** The INE code; null if it is unknown. */
  readonly ineCode: string | null
  /** The province, if another municipality has the same name; otherwise null. */
  readonly province: string | null
}

/** Better matches come first (see `ranks`). Within a rank, municipalities with more records come first. */
export function completeName(typed: string, municipalities: readonly WireMunicipality[]): Completion[] {
  const text = foldName(typed)
  const found: { readonly completion: Completion; readonly rank: number }[] = []
  const namesakes = Map.groupBy(municipalities, ({ name }) => foldName(name))
  for (const { name, ine_code: ineCode, other_names: otherNames, records } of municipalities) {
    const hasNamesake = (namesakes.get(foldName(name))?.length ?? 0) > 1
    const province = hasNamesake && ineCode !== null ? (provinceOf(ineCode)?.name ?? null) : null
    const rank = toRank(text, name)
    if (rank !== null) {
      found.push({ completion: { name, otherName: null, records, ineCode, province }, rank })
      continue
    }
    const otherName = otherNames.find((other) => toRank(text, other) !== null)
    if (otherName === undefined) continue
    found.push({ completion: { name, otherName, records, ineCode, province }, rank: ranks.otherName })
  }
  return found
    .sort((a, b) => a.rank - b.rank || b.completion.records - a.completion.records)
    .map(({ completion }) => completion)
}

/** Removes case, accents and punctuation. */
export function foldName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** How well a name matches: at its start, at the start of a word, inside a word, or only by an alternative name. */
const ranks = { nameStart: 0, wordStart: 1, inside: 2, otherName: 3 } as const

/** `text` is folded. Null if the name does not contain it. */
function toRank(text: string, name: string): number | null {
  const folded = foldName(name)
  if (!folded.includes(text)) return null
  if (folded.startsWith(text)) return ranks.nameStart
  return folded.includes(` ${text}`) ? ranks.wordStart : ranks.inside
}
