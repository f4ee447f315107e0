// Explains why no record is in the places of a request. A municipality, province or community is unknown (then similar
// names are suggested) or has no records, or two of them contradict each other, such as a municipality that is not in
// the requested province.
import { findInNationalList, suggestNames } from '../domain/municipality.ts'
import { toReadableName } from '../domain/municipality-name.ts'
import {
  type Community,
  communities,
  findCommunity,
  findProvince,
  type Province,
  provinceOf,
  provinces,
} from '../domain/province.ts'
import type { Filters } from '../domain/query.ts'
import { Problem, quote } from '../problems.ts'
import type { MunicipalityFacts, Snapshot } from '../snapshot/contract.ts'
import { toNameWithProvince } from './namesakes.ts'

/**
 * What is required of each place of a request. A feed may be subscribed to before the first record of a place, so there
 * the place only has to exist. Under either rule, the places must not contradict each other.
 */
export type PlaceRule = 'has records' | 'exists'

/** The problem of the places in the filters; undefined if there is none, or if the filters name no place. */
export function explainPlace(
  filters: Filters,
  snapshot: Snapshot,
  rule: PlaceRule = 'has records',
): Problem | undefined {
  const { municipality, province: provinceName, community: communityName } = filters
  const community = communityName === undefined ? undefined : findCommunity(communityName)
  if (communityName !== undefined && community === undefined) {
    return toUnknownPlaceProblem('unknown-community', 'autonomous community', 'community', communityName, communities)
  }
  const province = provinceName === undefined ? undefined : findProvince(provinceName)
  if (provinceName !== undefined && province === undefined) {
    return toUnknownPlaceProblem('unknown-province', 'province', 'province', provinceName, provinces)
  }
  if (province !== undefined && community !== undefined && province.community !== community) {
    return toContradiction(`The province ${province.name}`, province.community.name, community.name, 'province')
  }
  /** The province or, without one, the community; undefined if neither is given. */
  const place = province ?? community
  if (municipality !== undefined) return explainMunicipality(municipality, place, snapshot, rule)
  if (place === undefined || rule === 'exists') return undefined
  if (snapshot.municipalities.some((facts) => isInside(facts, place))) return undefined
  const parameter = place === province ? 'province' : 'community'
  const kind = place === province ? 'province' : 'autonomous community'
  return new Problem('no-match', `No municipality of the ${kind} ${place.name} has records`, { parameter })
}

/** The municipalities of this name or INE code (a number in the national list) that have records. */
export function findMunicipalitiesWithRecords(name: string, snapshot: Snapshot): MunicipalityFacts[] {
  return snapshot
    .findMunicipalities(name)
    .map((index) => snapshot.municipalities[index])
    .filter((facts) => facts !== undefined)
}

/** The problem of a municipality that breaks the rule, or is not in `place`; undefined if there is none. */
function explainMunicipality(
  name: string,
  place: Province | Community | undefined,
  snapshot: Snapshot,
  rule: PlaceRule,
): Problem | undefined {
  const isInRequestedPlace = (facts: Pick<MunicipalityFacts, 'ineCode'>): boolean =>
    place === undefined || isInside(facts, place)
  const withRecords = findMunicipalitiesWithRecords(name, snapshot)
  if (withRecords.some(isInRequestedPlace)) return undefined
  // The national list also has the municipalities without records, such as a namesake in another province.
  const listed = findInNationalList(name)
  const requested = listed.filter(isInRequestedPlace)
  if (rule === 'exists' && requested.length > 0) return undefined
  // If only the `Cieza` in Murcia has records, a request for `Cieza` in Cantabria is not contradictory: the `Cieza` in
  // Cantabria has no records. But if a municipality with records has the name and no INE code, it may be anywhere, also
  // in Cantabria. Then the end of this function says that it is not known to be there.
  const withUnknownPlace = withRecords.find(({ ineCode }) => ineCode === null)
  if (requested.length > 0 && withUnknownPlace === undefined) return toNoRecordsProblem(requested)
  // If no municipality with this name has records, another place would not help. So the problem says that there are no
  // records, and not that the place is wrong.
  if (rule === 'has records' && withRecords.length === 0 && listed.length > 0) return toNoRecordsProblem(listed)
  const found = withUnknownPlace ?? withRecords[0] ?? listed[0]
  if (found === undefined || place === undefined) return toUnknownMunicipalityProblem(name, snapshot)
  const actualProvince = provinceOf(found.ineCode ?? '')
  // Only a province has the property `community`.
  const isProvince = 'community' in place
  const actual = isProvince ? actualProvince?.name : actualProvince?.community.name
  return toContradiction(toReadableName(found.name), actual, place.name, 'municipality')
}

function isInside({ ineCode }: Pick<MunicipalityFacts, 'ineCode'>, place: Province | Community): boolean {
  const province = provinceOf(ineCode ?? '')
  return province !== undefined && (province === place || province.community === place)
}

/** For example `Arévalo is in Ávila, not in Segovia`. `actual` is undefined if the real place is not known. */
function toContradiction(name: string, actual: string | undefined, requested: string, parameter: string): Problem {
  const detail =
    actual === undefined ? `${name} is not known to be in ${requested}` : `${name} is in ${actual}, not in ${requested}`
  return new Problem('contradictory-places', detail, { parameter })
}

/** `kind` is the word for such a place in the message, and `name` the value of the parameter. */
function toUnknownPlaceProblem(
  code: 'unknown-province' | 'unknown-community',
  kind: string,
  parameter: string,
  name: string,
  knownPlaces: Parameters<typeof suggestNames>[1],
): Problem {
  const suggestions = suggestNames(name, knownPlaces)
  const [nearest] = suggestions
  const hint = nearest === undefined ? '' : `; did you mean ${quote(nearest)}?`
  return new Problem(code, `No ${kind} is called ${quote(name)}${hint}`, { parameter, suggestions })
}

/**
 * `municipalities` are in the national list, but not in the registry. The problem is `unknown-municipality` all the
 * same, because the parameter accepts only names of the registry.
 */
function toNoRecordsProblem(municipalities: ReturnType<typeof findInNationalList>): Problem {
  const names = municipalities.map(({ name, ineCode }) => toNameWithProvince(name, ineCode))
  const detail = `${names.join(' and ')} ${names.length === 1 ? 'has' : 'have'} no records`
  return new Problem('unknown-municipality', detail, { parameter: 'municipality' })
}

/** The name is neither in the registry nor in the national list. */
function toUnknownMunicipalityProblem(name: string, snapshot: Snapshot): Problem {
  const suggestions = suggestNames(name, snapshot.municipalities).map(toReadableName)
  const [nearest] = suggestions
  const hint = nearest === undefined ? '/municipality lists all names' : `did you mean ${quote(nearest)}?`
  const detail = `No municipality with records is called ${quote(name)}; ${hint}`
  return new Problem('unknown-municipality', detail, { parameter: 'municipality', suggestions })
}
