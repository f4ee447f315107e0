// Turns the filters of a query into the keys of their posting lists. The range of positions that a date or a code
// allows, and the search term, are not keys; stored-snapshot.ts applies them.

import { findCommunity, findProvince, provinceOf } from '../domain/province.ts'
import type { Filters } from '../domain/query.ts'
import type { FilterKeys } from '../index/planner.ts'
import { termKinds } from '../index/posting-list.ts'
import type { Snapshot } from './contract.ts'

/** The municipalities of a snapshot and their names. */
type Places = Pick<Snapshot, 'municipalities' | 'findMunicipalities'>

export function toFilterKeys(filters: Filters, places: Places): FilterKeys {
  const { municipality, province, community, registrationNumber, id } = filters
  const keys: (readonly string[])[] = []
  if (municipality !== undefined) {
    keys.push(findNumbersInPlace(filters, places).map((number) => termKinds.municipality + number))
  } else {
    if (province !== undefined) keys.push(toKey(termKinds.province, findProvince(province)))
    if (community !== undefined) keys.push(toKey(termKinds.community, findCommunity(community)))
  }
  if (registrationNumber !== undefined) keys.push([termKinds.registrationNumber + registrationNumber])
  if (id !== undefined) keys.push([termKinds.id + id])
  return keys
}

/** The numbers of the municipalities with the name that lie in the province and the community, if these are given. */
function findNumbersInPlace({ municipality = '', province, community }: Filters, places: Places): readonly number[] {
  const numbers = places.findMunicipalities(municipality)
  if (province === undefined && community === undefined) return numbers
  return numbers.filter((number) => {
    const its = provinceOf(places.municipalities[number]?.ineCode ?? '')
    if (its === undefined) return false
    if (province !== undefined && findProvince(province)?.code !== its.code) return false
    return community === undefined || findCommunity(community)?.code === its.community.code
  })
}

/** No key matches nothing: no record is in an unknown place. */
function toKey(kind: string, place: { readonly code: string } | undefined): readonly string[] {
  return place === undefined ? [] : [kind + place.code]
}
