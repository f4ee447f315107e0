// The counts that the map shows: by province, or within one province by municipality.
import { toReadableName } from '../src/domain/municipality-name.ts'
import { findProvince, provinceOf } from '../src/domain/province.ts'
import { toProvinceCode } from './province-code.ts'
import type { Search } from './search-url.ts'
import type { MunicipalityCount } from './service.ts'

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

/**
 * `counts` are the counts of the search without its filter by municipality, most records first, so that the map also
 * shows the other municipalities. `chosen` are the municipalities of that filter, and `registryProvinces` the INE codes
 * of the provinces that have records. The map shows the municipalities of a province if the search or the registry is
 * limited to it, otherwise all provinces.
 */
export function toMapCounts(
  search: Search,
  counts: readonly MunicipalityCount[],
  chosen: readonly MunicipalityCount[],
  registryProvinces: readonly string[],
): MapCounts {
  const chosenCodes = chosen.flatMap(({ ine_code: code }) => code ?? [])
  const province = findShownProvince(search, chosenCodes, registryProvinces)
  const chosenPlaces = chosen.map(toPlace)
  if (province === null) {
    const unplaced = counts.filter(({ ine_code: code }) => code === null)
    const recordsWithoutProvince = unplaced.reduce((sum, { records }) => sum + records, 0)
    return { province, places: sumByProvince(counts), recordsWithoutProvince, chosen: chosenPlaces }
  }
  // The province of a municipality without a code is unknown, unless the registry has only one.
  const isInProvince = ({ ine_code: code }: MunicipalityCount): boolean =>
    code === null ? registryProvinces.length === 1 : code.startsWith(province)
  return { province, places: counts.filter(isInProvince).map(toPlace), recordsWithoutProvince: 0, chosen: chosenPlaces }
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
  const chosenProvinces = new Set(chosenCodes.map(toProvinceCode))
  const [onlyChosenProvince] = chosenProvinces.size === 1 ? chosenProvinces : []
  const [onlyRegistryProvince] = registryProvinces.length === 1 ? registryProvinces : []
  return provinceOfSearch ?? onlyChosenProvince ?? onlyRegistryProvince ?? null
}

/** The provinces, most records first. Municipalities without a code are left out. */
function sumByProvince(counts: readonly MunicipalityCount[]): PlaceCount[] {
  /** By the INE code of the province. */
  const sums = new Map<string, number>()
  for (const { ine_code: code, records } of counts) {
    if (code === null) continue
    const province = toProvinceCode(code)
    sums.set(province, (sums.get(province) ?? 0) + records)
  }
  return [...sums]
    .map(([code, records]) => ({ code, name: toProvinceName(code), records }))
    .sort((a, b) => b.records - a.records)
}

function toPlace({ ine_code: code, name, records }: MunicipalityCount): PlaceCount {
  return { code, name: toReadableName(name), records }
}
