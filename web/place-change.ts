// What a click on a place of the map does to the search.
import type { MapCounts, PlaceCount } from './map-counts.ts'
import type { Search } from './search-url.ts'

/**
 * The change that limits the search to the place. Names of municipalities are unique within a province, so the name
 * alone is enough if the registry has one province. The name of a municipality without a code is added to the filters
 * as they are, because its province is unknown. `registryProvinces` are the INE codes of the provinces that have
 * records.
 */
export function toPlaceChange(
  { code, name }: PlaceCount,
  { province }: MapCounts,
  registryProvinces: readonly string[],
): Partial<Search> {
  // The map shows provinces, so the place is one.
  if (province === null) return { province: code ?? '', municipality: '' }
  const hasOtherProvinces = registryProvinces.length > 1
  return hasOtherProvinces && code !== null ? { municipality: name, province } : { municipality: name }
}
