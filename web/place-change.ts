// What a click on a place of the map does to the search.
import type { MapCounts, PlaceCount } from './map-counts.ts'
import type { Search } from './search-url.ts'

/**
 * The change that limits the search to a place of the map. Names of municipalities are unique within a province, so the
 * name alone is enough if the registry has one province (`hasOtherProvinces` is false).
 */
export function toPlaceChange(
  { code, name }: PlaceCount,
  { province }: MapCounts,
  hasOtherProvinces: boolean,
): Partial<Search> {
  if (province === null) return { province: code ?? '', municipality: '' }
  return hasOtherProvinces && code !== null ? { municipality: name, province } : { municipality: name }
}
