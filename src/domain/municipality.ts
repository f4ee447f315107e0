// Municipality names: which spellings mean the same municipality, and which names are nearest to a misspelt one.
import { type ListedMunicipality, listedByKey } from './municipality-list.ts'
import { bearersOfBoth, foldName, nameKeys } from './municipality-name.ts'
import { provinceCode } from './municipality-province.ts'

export { officialName } from './municipality-list.ts'
export { bearersOfBoth, foldName } from './municipality-name.ts'
export { nearestNames } from './municipality-suggestions.ts'

/** A municipality of the registry, as `import` makes it out of the names in the records. */
export interface Municipality {
  /** As most of its records write it; of spellings as frequent, the official one. */
  readonly name: string
  /** The five-digit INE code, null where no list knows the name or two municipalities bear it. */
  readonly ineCode: string | null
  /** Other names it is found by, for people to read. */
  readonly otherNames: readonly string[]
  /** Folded spellings by which it is found (`foldName` of every accepted form). */
  readonly keys: readonly string[]
}

const rememberedMax = 1 << 15

/** An INE code has five digits; a sixth makes it none. */
const tellingCharacters = 6

/** By name; names that several bear, by the beginning of the code and the name. */
const remembered = new Map<string, Municipality>()
const rememberedNamesakes = new Map<string, Municipality>()

/**
 * The municipality that a record's name means. `code` is the inscription code: where two municipalities share the
 * name and the code begins with the INE code of one of them, it is that one.
 */
export function toMunicipality(name: string, code: string): Municipality {
  const known = remembered.get(name)
  if (known !== undefined) return known
  const beginning = code.slice(0, tellingCharacters)
  const question = beginning + name
  const namesake = rememberedNamesakes.get(question)
  if (namesake !== undefined) return namesake
  const place = withoutCouncil(name)
  const key = foldName(place)
  const bearers = listedByKey(key)
  if (bearers.length < 2) return remember(remembered, name, name, only(bearers) ?? findUnlisted(place))
  // Of several, the one whose code it is; else the only one that is officially called so today.
  const ineCode = /^\d{5}(?!\d)/.exec(beginning)?.[0]
  const official = bearers.filter(({ names: [first = ''] }) => foldName(first) === key)
  const meant = bearers.find((each) => each.ineCode === ineCode) ?? only(official)
  return remember(rememberedNamesakes, question, name, meant)
}

/** Whether several municipalities bear the name, so that it takes a code to say which one is meant. */
export function hasNamesakes(name: string): boolean {
  return listedByKey(foldName(withoutCouncil(name))).length > 1
}

function remember(
  memory: Map<string, Municipality>,
  question: string,
  name: string,
  listed: ListedMunicipality | undefined,
): Municipality {
  const municipality = listed === undefined ? unlisted(name) : withNames(name, listed)
  if (memory.size >= rememberedMax) memory.clear()
  memory.set(question, municipality)
  return municipality
}

/** What bears a name that is in no list as it stands. */
function findUnlisted(name: string): ListedMunicipality | undefined {
  const bilingual = only(bearersOfBoth(name, listedByKey))
  if (bilingual !== undefined) return bilingual
  // `Cieza (Murcia)`: the registry itself says which.
  const cut = Math.max(name.lastIndexOf('('), name.lastIndexOf(','))
  if (cut < 0) return undefined
  const place = name.slice(0, cut)
  const wanted = provinceCode(foldName(name.slice(cut)))
  const inProvince = listedByKey(foldName(place)).filter((each) => each.ineCode.slice(0, 2) === wanted)
  return only(inProvince)
}

/** `Ayto. de Alcoy`, `Ajuntament d'Elx`, `Excmo. Ayuntamiento del Puig`: the place itself. */
function withoutCouncil(name: string): string {
  return name.replace(council, '') || name
}

const council =
  /^\s*(?:(?:excmo|excm|ilmo|iltre|m\.?\s*i)\.?\s+)?(?:ayuntamiento|ayto|ajuntament|ajunt|concello|ayunt|udala)\b\.?\s*(?:d(?:e|o|a|os|as|els?)?(?:\s+|['’´]\s*))?/iu

function only<T>(values: readonly T[]): T | undefined {
  return values.length === 1 ? values[0] : undefined
}

function withNames(name: string, listed: ListedMunicipality): Municipality {
  const own = foldName(name)
  const keys = [...new Set([...nameKeys(name), ...listed.keys])]
  const otherNames = listed.readableNames.filter((other) => foldName(other) !== own)
  return { name, ineCode: listed.ineCode, otherNames, keys }
}

function unlisted(name: string): Municipality {
  return { name, ineCode: null, otherNames: [], keys: nameKeys(name) }
}
