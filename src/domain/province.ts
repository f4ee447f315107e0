// The provinces and the autonomous communities of Spain, with their INE codes and their names in Spanish, Catalan,
// Galician and Basque. A filter finds one by name or by code. The first two digits of a municipality's INE code give
// its province, and thereby its community.
import { foldName, nameKeys } from './municipality-name.ts'

export interface Province {
  /** Two digits, 01 to 52: the start of the INE code of its municipalities. */
  readonly code: string
  /** With the article first: `A Coruña`, not `Coruña, A` as the INE lists it. */
  readonly name: string
  readonly community: Community
}

export interface Community {
  /** Two digits, 01 to 19. */
  readonly code: string
  readonly name: string
}

/** Sorted by INE code, 01 to 19. The official name comes first; other names are separated by bars. */
const communityNames: readonly string[] = [
  'Andalucía',
  'Aragón',
  'Principado de Asturias|Asturias',
  'Illes Balears|Islas Baleares|Balears|Baleares',
  'Canarias|Islas Canarias',
  'Cantabria',
  'Castilla y León',
  'Castilla-La Mancha',
  'Cataluña|Catalunya',
  'Comunitat Valenciana|Comunidad Valenciana|Comunidad de Valencia|Valencia',
  'Extremadura',
  'Galicia|Galiza',
  'Comunidad de Madrid|Madrid',
  'Región de Murcia|Murcia',
  'Comunidad Foral de Navarra|Nafarroako Foru Komunitatea|Navarra|Nafarroa',
  'País Vasco|Euskadi',
  'La Rioja|Rioja',
  'Ceuta',
  'Melilla',
]

/**
 * Sorted by INE code, 01 to 52. Each row has the code of the community, then the names as above. A slash joins two
 * official names.
 */
const provinceRows: readonly string[] = [
  '16|Araba/Álava',
  '08|Albacete',
  '10|Alicante/Alacant',
  '01|Almería',
  '07|Ávila',
  '11|Badajoz',
  '04|Illes Balears|Islas Baleares|Balears|Baleares',
  '09|Barcelona',
  '07|Burgos',
  '11|Cáceres',
  '01|Cádiz',
  '10|Castellón/Castelló',
  '08|Ciudad Real',
  '01|Córdoba',
  '12|A Coruña|La Coruña|Coruña',
  '08|Cuenca',
  '09|Girona|Gerona',
  '01|Granada',
  '08|Guadalajara',
  '16|Gipuzkoa|Guipúzcoa',
  '01|Huelva',
  '02|Huesca',
  '01|Jaén',
  '07|León',
  '09|Lleida|Lérida',
  '17|La Rioja|Rioja',
  '12|Lugo',
  '13|Madrid|Comunidad de Madrid',
  '01|Málaga',
  '14|Murcia|Región de Murcia',
  '15|Navarra|Nafarroa',
  '12|Ourense|Orense',
  '03|Asturias|Principado de Asturias',
  '07|Palencia',
  '05|Las Palmas',
  '12|Pontevedra',
  '07|Salamanca',
  '05|Santa Cruz de Tenerife',
  '06|Cantabria',
  '07|Segovia',
  '01|Sevilla',
  '07|Soria',
  '09|Tarragona',
  '02|Teruel',
  '08|Toledo',
  '10|Valencia/València',
  '07|Valladolid',
  '16|Bizkaia|Vizcaya',
  '07|Zamora',
  '02|Zaragoza',
  '18|Ceuta',
  '19|Melilla',
]

/** A province or community with the names by which it is found, for lookups and suggestions. */
interface Named<T> {
  readonly item: T
  /** The name of the item, repeated because `suggestNames` (municipality-suggestions.ts) reads it from this object. */
  readonly name: string
  /** The folded names by which it is found. */
  readonly lookupKeys: readonly string[]
}

/** Sorted by code. */
export const communities: readonly Named<Community>[] = communityNames.map((row, index) => {
  const names = row.split('|')
  const name = names[0] ?? ''
  return { item: { code: toCode(index), name }, name, lookupKeys: names.flatMap(nameKeys) }
})

/** Sorted by code. */
export const provinces: readonly Named<Province>[] = provinceRows.map((row, index) => {
  const [communityCode, ...names] = row.split('|')
  const name = names[0] ?? ''
  const community = communities[Number(communityCode) - 1]?.item as Community
  return { item: { code: toCode(index), name, community }, name, lookupKeys: names.flatMap(nameKeys) }
})

/** The INE code of the item at the index of a list: `01` for the first. */
function toCode(index: number): string {
  return String(index + 1).padStart(2, '0')
}

/** The province with one of the names listed above, or with the two-digit INE code. */
export function findProvince(text: string): Province | undefined {
  return find(text, provinces)
}

/** The autonomous community with one of the names listed above, or with the two-digit INE code. */
export function findCommunity(text: string): Community | undefined {
  return find(text, communities)
}

/** The province of a municipality, by the INE code of the municipality; undefined for an unknown code. */
export function provinceOf(ineCode: string): Province | undefined {
  return provinces[Number(ineCode.slice(0, 2)) - 1]?.item
}

/** Finds an item by its two-digit code, which is its place in the list, or by one of its names. */
function find<T extends { readonly code: string }>(text: string, items: readonly Named<T>[]): T | undefined {
  if (/^\d\d$/.test(text)) return items[Number(text) - 1]?.item
  // The INE writes `Asturias, Principado de`, which is tried in reading order too.
  const keys = [foldName(text), foldName(text.replace(/^(.+),(.+)$/u, '$2 $1'))]
  const found = items.find((each) => keys.some((key) => each.lookupKeys.includes(key)))?.item
  if (found !== undefined || !text.includes('/')) return found
  // Two names of one province or community: `Navarra/Nafarroa`.
  const [first, ...others] = text.split('/').map((name) => find(name.trim(), items))
  return others.every((other) => other === first) ? first : undefined
}

/**
 * Province codes by folded name of an island. The municipality of a record may name its island: `San Antonio (Ibiza)`.
 * An island is no province, so the filter `province` does not accept it.
 */
const provinceCodesOfIslands: ReadonlyMap<string, string> = new Map([
  ['mallorca', '07'],
  ['menorca', '07'],
  ['ibiza', '07'],
  ['eivissa', '07'],
  ['formentera', '07'],
  ['gran canaria', '35'],
  ['lanzarote', '35'],
  ['fuerteventura', '35'],
  ['tenerife', '38'],
  ['la palma', '38'],
  ['la gomera', '38'],
  ['el hierro', '38'],
])

/**
 * The code of the province that is written after the name of a municipality: `30` for `(Murcia)`, and `07` for the
 * island `(Ibiza)`; undefined for another text.
 */
export function findProvinceCode(text: string): string | undefined {
  return findProvince(text)?.code ?? provinceCodesOfIslands.get(foldName(text))
}
