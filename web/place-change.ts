// What a click on a place of the map does to the search.
import type { MapCounts, PlaceCount } from './map-counts.ts'
import type { Search } from './search-url.ts'

/**
 * The change that limits the search to the place. Within one province, names of municipalities are unique, so a name
 * needs its province only if the registry `hasOtherProvinces`.
 */
export function toPlaceChange(
  { code, name }: PlaceCount,
  { province }: MapCounts,
  hasOtherProvinces: boolean,
): Partial<Search> {
  if (province === null) return { province: code ?? '', municipality: '' }
  return hasOtherProvinces && code !== null ? { municipality: name, province } : { municipality: name }
}
