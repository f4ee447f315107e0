// Turns the filters of a query into the keys of their posting lists. A key is a letter for the kind of the list
// (`termKinds`), then the value: `v46` is the list of the records in the province 46. The filters by date and code have
// no posting lists: position-range.ts turns them into a range of positions. The search term has keys of its own
// (index/search-keys.ts).
import { findCommunity, findProvince, provinceOf } from '../domain/province.ts'
import type { Filters } from '../domain/query.ts'
import type { FilterKeys } from '../index/planner.ts'
import { termKinds } from '../index/posting-list.ts'
import type { Snapshot } from './contract.ts'

/** The municipalities of a snapshot, and the lookup that finds their numbers by name. */
type Places = Pick<Snapshot, 'municipalities' | 'findMunicipalities'>

/**
 * Returns one list of keys for each filter. A record must have at least one key of every list, so an empty list matches
 * no record, and without any list all records match. For example, `municipality=Alicante` with an id gives
 * `[['m12'], ['i1234']]`; a name that two municipalities share gives `[['m12', 'm80']]`.
 */
export function toFilterKeys(filters: Filters, places: Places): FilterKeys {
  const { municipality, province, community, registrationNumber, id } = filters
  const keys: (readonly string[])[] = []
  if (municipality !== undefined) {
    // `findMunicipalityNumbers` applies the province and the community too, so these need no keys of their own.
    keys.push(findMunicipalityNumbers(filters, places).map((number) => termKinds.municipality + number))
  } else {
    if (province !== undefined) keys.push(toPlaceKeys(termKinds.province, findProvince(province)))
    if (community !== undefined) keys.push(toPlaceKeys(termKinds.community, findCommunity(community)))
  }
  if (registrationNumber !== undefined) keys.push([termKinds.registrationNumber + registrationNumber])
  if (id !== undefined) keys.push([termKinds.id + id])
  return keys
}

/** The numbers of the municipalities with the name that lie in the province and the community, if these are given. */
function findMunicipalityNumbers(
  { municipality = '', province, community }: Filters,
  places: Places,
): readonly number[] {
  const numbers = places.findMunicipalities(municipality)
  if (province === undefined && community === undefined) return numbers
  return numbers.filter((number) => {
    const ownProvince = provinceOf(places.municipalities[number]?.ineCode ?? '')
    if (ownProvince === undefined) return false
    if (province !== undefined && findProvince(province)?.code !== ownProvince.code) return false
    return community === undefined || findCommunity(community)?.code === ownProvince.community.code
  })
}

/** The key of a province or a community. Returns an empty list if the place is unknown: no record is in it. */
function toPlaceKeys(kind: string, place: { readonly code: string } | undefined): readonly string[] {
  return place === undefined ? [] : [kind + place.code]
}
