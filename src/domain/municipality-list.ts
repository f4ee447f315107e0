// The municipalities of Spain and every name they bear or bore, read from data/municipalities.txt the first time a
// name is looked up: import pays for it, the service never does.
import { readFileSync } from 'node:fs'
import { foldName, nameKeys, toHalves, toReadableName, withoutArticle } from './municipality-name.ts'

export interface ListedMunicipality {
  /** Five digits, the first two those of the province. */
  readonly ineCode: string
  /** The official name first. */
  readonly names: readonly string[]
  readonly keys: readonly string[]
  /** All its names in the order in which they are read, either half of a bilingual one by itself. */
  readonly readableNames: readonly string[]
}

let byKey: ReadonlyMap<string, readonly ListedMunicipality[]> | undefined

/** Those that bear the folded name, in the order of their codes. */
export function listedByKey(key: string): readonly ListedMunicipality[] {
  byKey ??= index(readList())
  return byKey.get(key) ?? []
}

/** The name by which the INE lists it today; undefined where it lists none by that code. */
export function officialName(ineCode: string): string | undefined {
  officialNames ??= new Map(readMunicipalityNames().map(({ ineCode: code, names }) => [code, names[0] ?? '']))
  return officialNames.get(ineCode)
}

let officialNames: ReadonlyMap<string, string> | undefined

/** Code and names of every municipality, the official name first, in the order of their codes. */
export function readMunicipalityNames(): { readonly ineCode: string; readonly names: readonly string[] }[] {
  const rows = readFileSync(new URL('data/municipalities.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  return rows.map((row) => {
    const [ineCode = '', ...names] = row.split('|')
    return { ineCode, names }
  })
}

function readList(): ListedMunicipality[] {
  const listed = readMunicipalityNames().map(({ ineCode, names }) => {
    const keys = [...new Set(names.flatMap(nameKeys))]
    return { ineCode, names, keys }
  })
  const bearers = countBearers(listed.flatMap(({ keys }) => keys))
  const short = listed.map(({ keys, ineCode, names }) => [
    ...new Set(keys.flatMap((key) => shortKeys(key, ineCode, names))),
  ])
  const shortBearers = countBearers(short.flat())
  return listed.map(({ ineCode, names, keys }, index) => {
    // A short form counts where it means nobody else, neither by name nor by a short form of theirs.
    const own = (short[index] ?? []).filter((key) => !bearers.has(key) && shortBearers.get(key) === 1)
    const sides = sidesOf(ineCode, names)
      .flat()
      .filter((side) => own.includes(foldName(side)))
    const readableNames = [...new Set([...names.flatMap(toHalves), ...sides].map(toReadableName))]
    return { ineCode, names, keys: [...keys, ...own], readableNames }
  })
}

function countBearers(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

/** Without the article; either side of a hyphen that joins two languages, and both the other way round. */
function shortKeys(key: string, ineCode: string, names: readonly string[]): string[] {
  const sides = sidesOf(ineCode, names).flatMap((pair) => nameKeys(pair.join('/')))
  return [withoutArticle(key), ...sides].filter((short) => short !== key)
}

/** In the Basque Country, Navarre and the Balearic Islands a hyphen joins two languages. */
function sidesOf(ineCode: string, names: readonly string[]): string[][] {
  if (!bilingualProvinces.has(ineCode.slice(0, 2))) return []
  return names
    .filter((name) => !name.includes('/'))
    .map((name) => name.split('-'))
    .filter((sides) => sides.length === 2)
}

const bilingualProvinces: ReadonlySet<string> = new Set(['01', '07', '20', '31', '48'])

function index(listed: readonly ListedMunicipality[]): Map<string, ListedMunicipality[]> {
  const found = new Map<string, ListedMunicipality[]>()
  for (const municipality of listed) {
    for (const key of municipality.keys) {
      const bearers = found.get(key)
      if (bearers === undefined) found.set(key, [municipality])
      else bearers.push(municipality)
    }
  }
  return found
}
