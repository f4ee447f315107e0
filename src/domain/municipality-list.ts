// The municipalities of Spain with their current and former names, from data/municipalities.txt, and an index of them
// by folded name (without case, accents and punctuation). Building the index takes about 80 ms, so it is built on the
// first lookup. The INE code of a municipality is its number in the list of the national statistics institute.
import { readFileSync } from 'node:fs'
import { foldName, nameKeys, splitBilingualName, toReadableName, withoutArticle } from './municipality-name.ts'

export interface ListedMunicipality {
  /** Five digits; the first two are the province. */
  readonly ineCode: string
  /** As in the list: `Ejido, El` or `Alicante/Alacant`. The official name comes first. */
  readonly names: readonly string[]
  /** The folded names by which it is found. */
  readonly lookupKeys: readonly string[]
}

/** The municipalities with each lookup key. Undefined before the first use. */
let municipalitiesByKey: ReadonlyMap<string, readonly ListedMunicipality[]> | undefined
/** Official names by INE code. Undefined before the first use. */
let officialNamesByCode: ReadonlyMap<string, string> | undefined

/** The municipalities with this folded name (`foldName`), sorted by INE code. */
export function findByKey(key: string): readonly ListedMunicipality[] {
  municipalitiesByKey ??= groupByKey(buildList())
  return municipalitiesByKey.get(key) ?? []
}

/** The official name, as the INE writes it: `Ejido, El`. Undefined for an unknown code. */
export function findOfficialName(ineCode: string): string | undefined {
  officialNamesByCode ??= new Map(readMunicipalityNames().map(({ ineCode: code, names }) => [code, names[0] ?? '']))
  return officialNamesByCode.get(ineCode)
}

/** The code and names of every municipality, sorted by code; the official name comes first. */
export function readMunicipalityNames(): { readonly ineCode: string; readonly names: readonly string[] }[] {
  const rows = readFileSync(new URL('data/municipalities.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  return rows.map((row) => {
    const [ineCode = '', ...names] = row.split('|')
    return { ineCode, names }
  })
}

/**
 * Finds municipalities by name or INE code, and returns their official names. The service uses it to tell a
 * municipality without records from a name that does not exist.
 */
export function findInNationalList(nameOrCode: string): { readonly ineCode: string; readonly name: string }[] {
  const key = foldName(nameOrCode)
  const nameOfCode = findOfficialName(key)
  if (nameOfCode !== undefined) return [{ ineCode: key, name: nameOfCode }]
  return findByKey(key).map(({ ineCode, names: [name = ''] }) => ({ ineCode, name }))
}

/**
 * The names of a municipality in reading order (`El Ejido`), each once. The two names of a bilingual name are listed
 * separately. A part of a name with a hyphen (`Gasteiz`) is listed if the municipality is found by it.
 */
export function toReadableNames({ ineCode, names, lookupKeys }: ListedMunicipality): string[] {
  const shortNames = splitHyphenatedNames(ineCode, names)
    .flat()
    .filter((name) => lookupKeys.includes(foldName(name)))
  return [...new Set([...names.flatMap(splitBilingualName), ...shortNames].map(toReadableName))]
}

/** The whole list. A municipality is found by its names, and by the short keys that no other municipality has. */
function buildList(): ListedMunicipality[] {
  const listed = readMunicipalityNames().map(({ ineCode, names }) => {
    // `keys` are all folded forms of the names, `shortKeys` further forms, mostly shorter, which may be ambiguous.
    const keys = [...new Set(names.flatMap(nameKeys))]
    return { ineCode, names, keys, shortKeys: toShortKeys(keys, ineCode, names) }
  })
  const allKeys = new Set(listed.flatMap(({ keys }) => keys))
  const shortKeyCounts = countValues(listed.flatMap(({ shortKeys }) => shortKeys))
  return listed.map(({ ineCode, names, keys, shortKeys }) => {
    // A short key is dropped if it is the name of a municipality, or a short key of another one too.
    const uniqueShortKeys = shortKeys.filter((key) => !allKeys.has(key) && shortKeyCounts.get(key) === 1)
    return { ineCode, names, lookupKeys: [...keys, ...uniqueShortKeys] }
  })
}

/** How often each value occurs. */
function countValues(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/**
 * Other forms of the names of a municipality, most of them shorter, each once: the names without their article, each
 * part of a bilingual name with a hyphen (`vitoria` and `gasteiz` for `Vitoria-Gasteiz`), and the two parts in either
 * order. `keys` are the folded forms of its names, which are left out.
 */
function toShortKeys(keys: readonly string[], ineCode: string, names: readonly string[]): string[] {
  const shortKeys = [...keys.map(withoutArticle), ...toHyphenatedKeys(ineCode, names)]
  return [...new Set(shortKeys)].filter((shortKey) => !keys.includes(shortKey))
}

/** The folded forms of the bilingual names with a hyphen. With a slash, `nameKeys` takes their parts for two names. */
function toHyphenatedKeys(ineCode: string, names: readonly string[]): string[] {
  return splitHyphenatedNames(ineCode, names).flatMap((parts) => nameKeys(parts.join('/')))
}

/**
 * The two parts of each name with one hyphen and no slash. A hyphen joins the names in two languages only in the Basque
 * Country, Navarre and the Balearic Islands; the result is empty for other municipalities.
 */
function splitHyphenatedNames(ineCode: string, names: readonly string[]): string[][] {
  if (!bilingualProvinces.has(ineCode.slice(0, 2))) return []
  return names
    .filter((name) => !name.includes('/'))
    .map((name) => name.split('-'))
    .filter((parts) => parts.length === 2)
}

/** INE codes of Álava, the Balearic Islands, Gipuzkoa, Navarre and Biscay. */
const bilingualProvinces: ReadonlySet<string> = new Set(['01', '07', '20', '31', '48'])

/** The municipalities by each of their lookup keys, in the order of `listed`. */
function groupByKey(listed: readonly ListedMunicipality[]): Map<string, ListedMunicipality[]> {
  const groups = new Map<string, ListedMunicipality[]>()
  for (const municipality of listed) {
    for (const key of municipality.lookupKeys) {
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [municipality])
      else group.push(municipality)
    }
  }
  return groups
}
