// Generates municipalities.txt, the municipalities of Spain with their names and INE codes (the numbers in the national
// list), from the sources that README.md lists. Run it by hand when a source changes:
// node src/domain/data/build.ts DIRECTORY
// DIRECTORY has the data of the first source; the others are in node_modules and next to this file.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { foldName, nameKeys } from '../municipality-name.ts'

const [directory] = process.argv.slice(2)
if (directory === undefined) {
  console.error('Usage: build.ts DIRECTORY (with municipios.csv and municipios-former-names.csv)')
  process.exit(2)
}

/** The names of each municipality by INE code; the official name comes first. */
const namesByCode = new Map<string, string[]>()
// The official names are added first; they are in the fifth column.
for (const [code, , , , name] of readCsv(join(directory, 'municipios.csv'))) add(code, name)
for (const [code, name] of readAtlas()) add(code, name)
// The former names are in the second column.
for (const [code, name] of readCsv(join(directory, 'municipios-former-names.csv'))) add(code, name)
for (const [official, familiar] of readFamiliarNames()) {
  const codes = [...namesByCode]
    .filter(([, names]) => names.some((name) => foldName(name) === foldName(official)))
    .map(([code]) => code)
  if (codes.length !== 1) throw new Error(`Cannot resolve ${official}: ${codes.length} municipalities have this name`)
  for (const name of familiar.split('|')) add(codes[0], name)
}
const rows = [...namesByCode].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, names]) => [code, ...names].join('|'))
writeFileSync(new URL('municipalities.txt', import.meta.url), `${rows.join('\n')}\n`)
console.log(`${rows.length} municipalities`)

/** Adds the name unless all its folded forms are already known. Ignores rows without a code of five digits. */
function add(code: string | undefined, name: string | undefined): void {
  if (code === undefined || name === undefined || !/^\d{5}$/.test(code)) return
  const plain = name.replace(/\s+/g, ' ').trim()
  const known = namesByCode.get(code) ?? []
  const keys = new Set(known.flatMap(nameKeys))
  if (nameKeys(plain).every((key) => keys.has(key))) return
  namesByCode.set(code, [...known, plain])
}

/**
 * The rows without the heading. A cell in quotes may contain commas. An empty cell without quotes is left out, so the
 * cells after it move forward; these files have such cells only after the columns that are read.
 */
function readCsv(path: string): string[][] {
  const [, ...lines] = readFileSync(path, 'utf8').trim().split(/\r?\n/)
  return lines.map((line) => [...line.matchAll(/"([^"]*)"|([^,]+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''))
}

/** The part of the file of `es-atlas` that is read. */
interface Atlas {
  readonly objects: {
    readonly municipalities: { readonly geometries: readonly { id: string; properties: { name: string } }[] }
  }
}

/**
 * INE code and name of each municipality. Codes from 53 are left out: they are common lands of several municipalities,
 * and Gibraltar.
 */
function readAtlas(): [code: string, name: string][] {
  const atlas: unknown = JSON.parse(
    readFileSync(new URL('../../../node_modules/es-atlas/es/municipalities.json', import.meta.url), 'utf8'),
  )
  const { objects } = atlas as Atlas
  return objects.municipalities.geometries
    .filter(({ id }) => id < '53')
    .map(({ id, properties }): [code: string, name: string] => [id, properties.name])
}

/** The lines of familiar-names.txt: an official name, and its familiar names, separated by `|`. */
function readFamiliarNames(): [official: string, familiar: string][] {
  return readFileSync(new URL('familiar-names.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.includes(' = ') && !line.startsWith('#'))
    .map((line) => {
      const equals = line.indexOf(' = ')
      return [line.slice(0, equals), line.slice(equals + 3).trim()]
    })
}
