// Municipality names: which spellings mean the same municipality, and which names are nearest to a misspelt one.

/** A municipality of the registry, as `import` makes it out of the names in the records. */
export interface Municipality {
  /** As most of its records write it. */
  readonly name: string
  /** The five-digit INE code, null where no list knows the name or two municipalities bear it. */
  readonly ineCode: string | null
  /** Other names it is found by, for people to read. */
  readonly otherNames: readonly string[]
  /** Folded spellings by which it is found (`foldName` of every accepted form). */
  readonly keys: readonly string[]
}

/** Case, accents, ñ, punctuation and the place of the article do not matter. */
export function foldName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/**
 * The municipality that a record's name means. `code` is the inscription code: where two municipalities share the
 * name and the code begins with the INE code of one of them, it is that one.
 */
export function toMunicipality(name: string, _code: string): Municipality {
  return { name, ineCode: null, otherNames: [], keys: [foldName(name)] }
}

/** The names nearest to a misspelt one, best first, at most five; empty when none is near. */
export function nearestNames(_name: string, _candidates: readonly Municipality[]): string[] {
  return []
}
