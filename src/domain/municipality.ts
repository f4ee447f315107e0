// The municipality of a record: which spellings of a name denote the same municipality, and its INE code (its number in
// the national list). The import calls `toMunicipality` for the name in each record; municipality-list.ts has the known
// names.
import { findByKey, type ListedMunicipality, toReadableNames } from './municipality-list.ts'
import { findByBothNames, foldName, nameKeys } from './municipality-name.ts'
import { findProvinceCode } from './province.ts'

export { findInNationalList, findOfficialName } from './municipality-list.ts'
export { findByBothNames, foldName } from './municipality-name.ts'
export { suggestNames } from './municipality-suggestions.ts'

/** A municipality as the import knows it from the names in the records. */
export interface Municipality {
  /**
   * In the result of `toMunicipality`, the spelling of the record. In the list of municipalities of a whole registry,
   * the most frequent spelling in its records; if several are equally frequent, the official one if it is among them.
   */
  readonly name: string
  /** The five-digit INE code; null when the name is unknown or ambiguous. */
  readonly ineCode: string | null
  /** Its other names, for display. */
  readonly otherNames: readonly string[]
  /** The folded names (`foldName`) by which it is found. */
  readonly lookupKeys: readonly string[]
}

/** The most entries in each of the two caches. A full cache is emptied. */
const cacheEntriesMax = 1 << 15

/** By name as written in the record, for names that at most one municipality has. */
const cacheByName = new Map<string, Municipality>()

/** For names of several municipalities: by the start of the code (`codePrefixCharacters`), then the name. */
const cacheByCodeAndName = new Map<string, Municipality>()

/** The five digits of an INE code and the character after them, which must not be a digit. */
const codePrefixCharacters = 6

/**
 * The municipality denoted by a name in a record. When several municipalities share the name, `code` decides: an
 * inscription code that starts with the INE code of one of them selects that one.
 */
export function toMunicipality(name: string, code: string): Municipality {
  const cached = cacheByName.get(name)
  if (cached !== undefined) return cached
  const codePrefix = code.slice(0, codePrefixCharacters)
  const cacheKey = codePrefix + name
  const cachedNamesake = cacheByCodeAndName.get(cacheKey)
  if (cachedNamesake !== undefined) return cachedNamesake
  const placeName = withoutCouncil(name)
  const key = foldName(placeName)
  const candidates = findByKey(key)
  if (candidates.length < 2) {
    const listed = onlyItem(candidates) ?? findUnlistedSpelling(placeName)
    return addToCache(cacheByName, name, toMunicipalityOfRecord(name, listed))
  }
  const ineCode = /^\d{5}(?!\d)/.exec(codePrefix)?.[0]
  const withSameCode = candidates.find((candidate) => candidate.ineCode === ineCode)
  // The first of a candidate's `names` is its official name of today, the others include its former names. Without a
  // matching code, a name that only one candidate has as its official name means that candidate.
  const withOfficialName = candidates.filter(({ names: [officialName = ''] }) => foldName(officialName) === key)
  const listed = withSameCode ?? onlyItem(withOfficialName)
  return addToCache(cacheByCodeAndName, cacheKey, toMunicipalityOfRecord(name, listed))
}

/** Returns the municipality that was added. */
function addToCache(cache: Map<string, Municipality>, cacheKey: string, municipality: Municipality): Municipality {
  if (cache.size >= cacheEntriesMax) cache.clear()
  cache.set(cacheKey, municipality)
  return municipality
}

/** `name` is the spelling in the record, `listed` the municipality that it denotes; undefined if that is not known. */
function toMunicipalityOfRecord(name: string, listed: ListedMunicipality | undefined): Municipality {
  if (listed === undefined) return { name, ineCode: null, otherNames: [], lookupKeys: nameKeys(name) }
  const folded = foldName(name)
  const lookupKeys = [...new Set([...nameKeys(name), ...listed.lookupKeys])]
  const otherNames = toReadableNames(listed).filter((other) => foldName(other) !== folded)
  return { name, ineCode: listed.ineCode, otherNames, lookupKeys }
}

/**
 * Finds a municipality by a spelling that is not in the list: two of its names (`Alcoi - Alcoy`), or a name with its
 * province or island.
 */
function findUnlistedSpelling(name: string): ListedMunicipality | undefined {
  const bilingual = onlyItem(findByBothNames(name, findByKey))
  if (bilingual !== undefined) return bilingual
  // For example `Cieza (Murcia)` or `Tazacorte, La Palma`. `findProvinceCode` knows islands, and ignores punctuation.
  const separator = Math.max(name.lastIndexOf('('), name.lastIndexOf(','))
  if (separator < 0) return undefined
  const provinceCode = findProvinceCode(name.slice(separator))
  const candidates = findByKey(foldName(name.slice(0, separator)))
  return onlyItem(candidates.filter(({ ineCode }) => ineCode.slice(0, 2) === provinceCode))
}

/** The place name without its council: `Alcoy` for `Ayto. de Alcoy`, `Elx` for `Ajuntament d'Elx`. */
function withoutCouncil(name: string): string {
  return name.replace(councilBefore, '').replace(basqueCouncilAfter, '') || name
}

/**
 * The word for council before the name, with or without honorific and preposition: `Excmo. Ayto. de`, `Concello da`.
 * `Dos` is a preposition in Galician only: `Ayuntamiento Dos Hermanas` is that of `Dos Hermanas`.
 */
const councilBefore = new RegExp(
  String.raw`^\s*(?:(?:excmo|excm|excelent[ií]simo|ilmo|ilustr[ií]simo|iltre|m\.?\s*i|muy\s+ilustre)\.?\s+)?` +
    String.raw`(?:(?:ayuntamiento|ayto|ajuntament|ajunt|ayunt)\b\.?\s*(?:de(?:ls?)?\s+|d\s*['’´]\s*)?` +
    String.raw`|concello\s+(?:d(?:e|o|a|os|as)\s+)?)`,
  'iu',
)

/** The Basque word after the name, whose last letters are the genitive: `Getxoko Udala`, `Irungo Udala`. */
const basqueCouncilAfter = /[kg]o\s+udala\s*$/iu

/** Undefined if there are no items or several. */
function onlyItem<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined
}
