// What a click on a place of the map does to the search.
import type { MapCounts, PlaceCount } from './map-counts.ts'
import type { Search } from './search-url.ts'

/**
 * The change that limits the search to the place. For a municipality it sets the name and the province, because names
 * are unique only within a province. It sets the name alone, and leaves the province as it is, in two cases: if the
 * registry has one province, or if the province is unknown because the municipality has no INE code.
 * `registryProvinces` are the INE codes of the provinces that have records.
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
