// Finds municipalities and provinces by name inside a search term.
import { foldName, nameKeys, toReadableName } from '../src/domain/municipality-name.ts'
import { provinces } from '../src/domain/province.ts'
import type { MunicipalityFacts } from '../src/registry/contract.ts'

export interface Place {
  readonly kind: 'municipality' | 'province'
  /** As in running text. */
  readonly name: string
  /** The INE code; null if it is unknown. */
  readonly code: string | null
  readonly records: number
  /** Whether another municipality has the same name. */
  readonly hasNamesake: boolean
}

/** Maps a folded name (`avila`) to the places that have it. */
export type PlaceIndex = ReadonlyMap<string, readonly Place[]>

/** A place inside a term, and the words of the term without its name and the connectors before it (`en`, `de la`). */
export interface PlaceInTerm {
  readonly place: Place
  readonly otherWords: string
}

/** Longer names, which few municipalities have, are not looked up, so that a long term takes few lookups. */
const nameWordsMax = 6

/** `municipalities` are those that have records. Provinces without records are left out. */
export function toPlaceIndex(municipalities: readonly MunicipalityFacts[]): PlaceIndex {
  const index = new Map<string, Place[]>()
  const add = (key: string, place: Place): void => {
    const places = index.get(key) ?? []
    if (!places.includes(place)) index.set(key, [...places, place])
  }
  /** By folded name, how many municipalities have it. */
  const nameCounts = new Map<string, number>()
  /** By the INE code of the province, the records of its municipalities. */
  const provinceRecords = new Map<string, number>()
  for (const { name, ineCode: code, records } of municipalities) {
    const key = foldName(name)
    nameCounts.set(key, (nameCounts.get(key) ?? 0) + 1)
    if (code === null) continue
    const province = code.slice(0, 2)
    provinceRecords.set(province, (provinceRecords.get(province) ?? 0) + records)
  }
  for (const { name, ineCode: code, otherNames, records } of municipalities) {
    const hasNamesake = (nameCounts.get(foldName(name)) ?? 0) > 1
    const place: Place = { kind: 'municipality', name: toReadableName(name), code, records, hasNamesake }
    // `Alicante/Alacant` has several folded names, such as `alicante` and `alacant`.
    for (const key of [name, ...otherNames].flatMap(nameKeys)) add(key, place)
  }
  for (const { item: province, lookupKeys } of provinces) {
    const records = provinceRecords.get(province.code) ?? 0
    if (records === 0) continue
    const place: Place = { kind: 'province', name: province.name, code: province.code, records, hasNamesake: false }
    for (const key of lookupKeys) add(key, place)
  }
  return index
}

/**
 * The places whose names stand in the term. If there are names of different lengths, only those with the most words
 * count. Places at the end of the term come first. Empty for a term with quotation marks or an asterisk.
 */
export function findPlaces(term: string, index: PlaceIndex): PlaceInTerm[] {
  const hasSyntax = /["“”«»*]/.test(term)
  if (hasSyntax) return []
  const words = term.split(/\s+/u).filter((word) => word !== '')
  const found: PlaceInTerm[] = []
  for (let length = Math.min(nameWordsMax, words.length); length > 0; length--) {
    for (let start = words.length - length; start >= 0; start--) {
      const end = start + length
      const places = index.get(foldName(words.slice(start, end).join(' '))) ?? []
      const wordsBefore = words.slice(0, start)
      // `plan parcial en Ávila` leaves `plan parcial`; `plan general de la provincia de Ávila` leaves `plan general`.
      while (connectors.has(wordsBefore.at(-1)?.toLowerCase() ?? '')) wordsBefore.pop()
      const otherWords = [...wordsBefore, ...words.slice(end)].join(' ')
      for (const place of places) found.push({ place, otherWords })
    }
    if (found.length > 0) return found
  }
  return []
}

/** Words that lead to the name of a place: `en Ávila`, `del municipio de Ávila`. */
const connectors: ReadonlySet<string> = new Set(['en', 'de', 'del', 'la', 'provincia', 'municipio'])
