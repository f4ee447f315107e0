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
import type { MunicipalityFacts, Snapshot } from '../registry/contract.ts'
import { toNameWithProvince } from './namesakes.ts'

/**
 * What is required of each place of a request. A feed may be subscribed to before the first record of a place, so there
 * the place only has to exist. Under either rule, the places must not contradict each other.
 */
export type PlaceRule = 'has records' | 'exists'

type Place = Province | Community
type Located = Pick<MunicipalityFacts, 'ineCode'>

/** The word of the messages for each kind of place. The kinds are the names of the parameters too. */
const kindNames = { province: 'province', community: 'autonomous community' } as const

/** The problem of the places in the filters; undefined if there is none, or if the filters name no place. */
export function explainPlace(
  filters: Filters,
  snapshot: Snapshot,
  rule: PlaceRule = 'has records',
): Problem | undefined {
  const { municipality, province: provinceName, community: communityName } = filters
  const community = communityName === undefined ? undefined : findCommunity(communityName)
  if (communityName !== undefined && community === undefined) return toUnknownPlace('community', communityName)
  const province = provinceName === undefined ? undefined : findProvince(provinceName)
  if (provinceName !== undefined && province === undefined) return toUnknownPlace('province', provinceName)
  if (province !== undefined && community !== undefined && province.community !== community) {
    return toContradiction(`The province ${province.name}`, province.community.name, community.name, 'province')
  }
  /** The province or, without one, the community; undefined if neither is given. */
  const place = province ?? community
  if (municipality !== undefined) return explainMunicipality(municipality, place, snapshot, rule)
  if (place === undefined || rule === 'exists') return undefined
  if (snapshot.municipalities.some((facts) => isInside(facts, place))) return undefined
  const kind = province === undefined ? 'community' : 'province'
  const detail = `No municipality of the ${kindNames[kind]} ${place.name} has records`
  return new Problem('no-match', detail, { parameter: kind })
}

/** The municipalities of this name or INE code (a number in the national list) that have records. */
export function findMunicipalitiesWithRecords(name: string, snapshot: Snapshot): MunicipalityFacts[] {
  const indexes = snapshot.findMunicipalities(name)
  return indexes.map((index) => snapshot.municipalities[index]).filter((facts) => facts !== undefined)
}

/**
 * The problem of a municipality that breaks the rule, or is not in `place`; undefined if there is none. For example,
 * there is a Cieza in Cantabria and one in Murcia. If municipalities must have records:
 *
 *     requested            with records       problem
 *     Cieza in Cantabria   in Cantabria       none
 *     Cieza in Cantabria   in Murcia          the Cieza in Cantabria has no records
 *     Cieza in Cantabria   in unknown place   Cieza is not known to be in Cantabria
 *     Cieza in Segovia     in Murcia          Cieza is in Murcia, not in Segovia
 *     Cieza in Segovia     none               neither Cieza has records: another place would not help
 */
function explainMunicipality(
  name: string,
  place: Place | undefined,
  snapshot: Snapshot,
  rule: PlaceRule,
): Problem | undefined {
  const isRequested = (facts: Located): boolean => place === undefined || isInside(facts, place)
  const withRecords = findMunicipalitiesWithRecords(name, snapshot)
  if (withRecords.some(isRequested)) return undefined
  // The national list also has the municipalities without records.
  const listed = findInNationalList(name)
  const requested = listed.filter(isRequested)
  if (rule === 'exists' && requested.length > 0) return undefined
  // Without an INE code, it may be anywhere, also in `place`.
  const withUnknownPlace = withRecords.find(({ ineCode }) => ineCode === null)
  if (rule === 'has records' && withUnknownPlace === undefined) {
    const withoutRecords = withRecords.length === 0 && requested.length === 0 ? listed : requested
    if (withoutRecords.length > 0) {
      // `unknown-municipality` all the same, because the parameter accepts only names of the registry.
      const names = withoutRecords.map((each) => toNameWithProvince(each.name, each.ineCode))
      const detail = `${names.join(' and ')} ${names.length === 1 ? 'has' : 'have'} no records`
      return new Problem('unknown-municipality', detail, { parameter: 'municipality' })
    }
  }
  const elsewhere = withUnknownPlace ?? withRecords[0] ?? listed[0]
  if (elsewhere === undefined || place === undefined) {
    const suggestions = suggestNames(name, snapshot.municipalities).map(toReadableName)
    const hint = toHint(suggestions) || '; /municipality lists all names'
    const detail = `No municipality with records is called ${quote(name)}${hint}`
    return new Problem('unknown-municipality', detail, { parameter: 'municipality', suggestions })
  }
  const province = provinceOf(elsewhere.ineCode ?? '')
  // Only a province has the property `community`.
  const actual = 'community' in place ? province : province?.community
  return toContradiction(toReadableName(elsewhere.name), actual?.name, place.name, 'municipality')
}

function isInside({ ineCode }: Located, place: Place): boolean {
  const province = provinceOf(ineCode ?? '')
  return province !== undefined && (province === place || province.community === place)
}

/** For example `Arévalo is in Ávila, not in Segovia`. `actual` is undefined if the real place is not known. */
function toContradiction(name: string, actual: string | undefined, requested: string, parameter: string): Problem {
  const detail =
    actual === undefined ? `${name} is not known to be in ${requested}` : `${name} is in ${actual}, not in ${requested}`
  return new Problem('contradictory-places', detail, { parameter })
}

function toUnknownPlace(kind: keyof typeof kindNames, name: string): Problem {
  const suggestions = suggestNames(name, kind === 'province' ? provinces : communities)
  const detail = `No ${kindNames[kind]} is called ${quote(name)}${toHint(suggestions)}`
  return new Problem(`unknown-${kind}`, detail, { parameter: kind, suggestions })
}

/** Names the first suggestion; empty if there is none. */
function toHint([nearest]: readonly string[]): string {
  return nearest === undefined ? '' : `; did you mean ${quote(nearest)}?`
}
