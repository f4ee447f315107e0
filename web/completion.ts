// Which municipalities a half-typed name may mean. Only a convenience: which name is which municipality is decided
// by the service.

export interface Named {
  readonly name: string
  readonly other_names: readonly string[]
  readonly records: number
}

export interface Completion {
  readonly name: string
  /** The other name by which it was found, where it was. */
  readonly otherName: string | null
  readonly records: number
}

/** Names that begin so, then names with a word that begins so, then the rest; within each those with most records. */
export function completeName(typed: string, municipalities: readonly Named[]): Completion[] {
  const sought = foldName(typed)
  const found: { readonly completion: Completion; readonly rank: number }[] = []
  for (const { name, other_names: otherNames, records } of municipalities) {
    const rank = rankOf(sought, name)
    if (rank !== null) {
      found.push({ completion: { name, otherName: null, records }, rank })
      continue
    }
    const otherName = otherNames.find((other) => rankOf(sought, other) !== null)
    if (otherName !== undefined) found.push({ completion: { name, otherName, records }, rank: 3 })
  }
  return found
    .sort((a, b) => a.rank - b.rank || b.completion.records - a.completion.records)
    .map(({ completion }) => completion)
}

/** Case, accents and punctuation do not matter. */
export function foldName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function rankOf(sought: string, name: string): number | null {
  const place = ` ${foldName(name)}`.indexOf(sought)
  if (place < 0) return null
  if (place === 1) return 0
  return ` ${foldName(name)}`.includes(` ${sought}`) ? 1 : 2
}
