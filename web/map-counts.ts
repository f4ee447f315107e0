// The counts that the map shows: by province, or within one province by municipality.
import { toReadableName } from '../src/domain/municipality-name.ts'
import { findProvince, provinceOf } from '../src/domain/province.ts'
import type { MunicipalityFacts, Summary } from '../src/registry/contract.ts'
import type { Search } from './search-url.ts'

export interface MapCounts {
  /** The INE code of the province whose municipalities are shown; null if the map shows provinces. */
  readonly province: string | null
  /** The provinces or municipalities with records, most records first. */
  readonly places: readonly PlaceCount[]
  /** On a map of provinces, the records whose province is unknown: their municipality has no INE code. */
  readonly recordsWithoutProvince: number
  /** The municipalities that the search is limited to: none, one, or several with one name. Some may have 0 records. */
  readonly chosen: readonly PlaceCount[]
}

export interface PlaceCount {
  /** The INE code of the province or of the municipality; null if it is unknown. */
  readonly code: string | null
  /** As in running text: `A Coruña`, not `Coruña, A`. */
  readonly name: string
  readonly records: number
}

export interface CountedPlaces {
  /** The counts of the search without its filter by municipality, most records first: the map also shows the others. */
  readonly byMunicipality: Summary['byMunicipality']
  /** The municipalities of that filter. */
  readonly chosen: Summary['byMunicipality']
  /** Those that the indexes in the counts stand for. */
  readonly municipalities: readonly MunicipalityFacts[]
  /** The INE codes of the provinces that have records. */
  readonly registryProvinces: readonly string[]
}

/**
 * The map shows the municipalities of a province if the search or the registry is limited to it, otherwise all
 * provinces.
 */
export function toMapCounts(search: Search, counted: CountedPlaces): MapCounts {
  const { municipalities, registryProvinces } = counted
  const toPlace = ({ municipality, records }: Summary['byMunicipality'][number]): PlaceCount => {
    const { name = '', ineCode = null } = municipalities[municipality] ?? {}
    return { code: ineCode, name: toReadableName(name), records }
  }
  const codeOf = ({ municipality }: Summary['byMunicipality'][number]): string | null =>
    municipalities[municipality]?.ineCode ?? null
  const chosenCodes = counted.chosen.flatMap((each) => codeOf(each) ?? [])
  const province = findShownProvince(search, chosenCodes, registryProvinces)
  const chosen = counted.chosen.map(toPlace)
  if (province !== null) {
    // The province of a municipality without a code is unknown, unless the registry has only one.
    const isInProvince = (code: string | null): boolean =>
      code === null ? registryProvinces.length === 1 : code.startsWith(province)
    const places = counted.byMunicipality.filter((each) => isInProvince(codeOf(each))).map(toPlace)
    return { province, places, recordsWithoutProvince: 0, chosen }
  }
  /** By the INE code of the province. */
  const sums = new Map<string, number>()
  let recordsWithoutProvince = 0
  for (const each of counted.byMunicipality) {
    const code = codeOf(each)?.slice(0, 2)
    if (code === undefined) recordsWithoutProvince += each.records
    else sums.set(code, (sums.get(code) ?? 0) + each.records)
  }
  const places = [...sums]
    .map(([code, records]) => ({ code, name: toProvinceName(code), records }))
    .sort((a, b) => b.records - a.records)
  return { province, places, recordsWithoutProvince, chosen }
}

/** The name of a province in running text, by its INE code or that of a municipality; empty for an unknown code. */
export function toProvinceName(code: string): string {
  return provinceOf(code)?.name ?? ''
}

/**
 * The INE code of the province of the search. If it names none, that of the chosen municipalities, if they are in one
 * province; otherwise that of the registry, if it has one province. Null otherwise.
 */
function findShownProvince(
  search: Search,
  chosenCodes: readonly string[],
  registryProvinces: readonly string[],
): string | null {
  const provinceOfSearch = search.province === '' ? undefined : findProvince(search.province)?.code
  const chosenProvinces = new Set(chosenCodes.map((code) => code.slice(0, 2)))
  const [onlyChosenProvince] = chosenProvinces.size === 1 ? chosenProvinces : []
  const [onlyRegistryProvince] = registryProvinces.length === 1 ? registryProvinces : []
  return provinceOfSearch ?? onlyChosenProvince ?? onlyRegistryProvince ?? null
}

/**
 * The change that limits a search to the place. For a municipality it sets the name and the province, because names are
 * unique only within a province. It sets the name alone, and leaves the province as it is, in two cases: if the
 * registry has one province, or if the province is unknown because the municipality has no INE code.
 */
export function toPlaceChange(
  { code, name }: PlaceCount,
  { province }: MapCounts,
  registryProvinces: readonly string[],
): Partial<Search> {
  // If `province` is null, the map shows all provinces, and the place is one of them.
  if (province === null) return { province: code ?? '', municipality: '' }
  const hasOtherProvinces = registryProvinces.length > 1
  return hasOtherProvinces && code !== null ? { municipality: name, province } : { municipality: name }
}
