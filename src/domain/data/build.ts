// Generates municipalities.txt from the sources in README.md. Run it by hand when a source changes:
// node src/domain/data/build.ts DIRECTORY
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { foldName, nameKeys } from '../municipality-name.ts'

const [directory] = process.argv.slice(2)
if (directory === undefined) {
  console.error('Usage: build.ts DIRECTORY (with municipios.csv and municipios-former-names.csv)')
  process.exit(2)
}

/** The names of each municipality by INE code. */
const names = new Map<string, string[]>()
// The official names, in the fifth column, are added first, so that each stays the first name of its municipality.
for (const [code, , , , name] of readCsv(join(directory, 'municipios.csv'))) add(code, name)
for (const [code, name] of readAtlas()) add(code, name)
for (const [code, name] of readCsv(join(directory, 'municipios-former-names.csv'))) add(code, name)
for (const [official, familiar] of readFamiliarNames()) {
  const withOfficial = [...names].filter(([, known]) => known.some((name) => foldName(name) === foldName(official)))
  const codes = withOfficial.map(([code]) => code)
  if (codes.length !== 1) throw new Error(`Cannot resolve ${official}: ${codes.length} municipalities have this name`)
  for (const name of familiar.split('|')) add(codes[0], name)
}
const rows = [...names].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, all]) => [code, ...all].join('|'))
writeFileSync(new URL('municipalities.txt', import.meta.url), `${rows.join('\n')}\n`)
console.log(`${rows.length} municipalities`)

/** Adds the name unless all its folded forms are already known. Ignores rows without a code of five digits. */
function add(code: string | undefined, name: string | undefined): void {
  if (code === undefined || name === undefined || !/^\d{5}$/.test(code)) return
  const plain = name.replace(/\s+/g, ' ').trim()
  const known = names.get(code) ?? []
  const keys = new Set(known.flatMap(nameKeys))
  if (nameKeys(plain).every((key) => keys.has(key))) return
  names.set(code, [...known, plain])
}

/** The rows without the heading. A cell in quotes may contain commas. */
function readCsv(file: string): string[][] {
  const [, ...lines] = readFileSync(file, 'utf8').trim().split(/\r?\n/)
  return lines.map((line) => [...line.matchAll(/"([^"]*)"|([^,]+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''))
}

interface Atlas {
  readonly objects: {
    readonly municipalities: { readonly geometries: readonly { id: string; properties: { name: string } }[] }
  }
}

/** Code and name of each municipality. Codes from 53 are common lands of several municipalities, and Gibraltar. */
function readAtlas(): [string, string][] {
  const atlas: unknown = JSON.parse(
    readFileSync(new URL('../../../node_modules/es-atlas/es/municipalities.json', import.meta.url), 'utf8'),
  )
  const { objects } = atlas as Atlas
  return objects.municipalities.geometries
    .filter(({ id }) => id < '53')
    .map(({ id, properties }): [string, string] => [id, properties.name])
}

/** Official name, and familiar names separated by `|`. */
function readFamiliarNames(): [string, string][] {
  return readFileSync(new URL('familiar-names.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.includes(' = ') && !line.startsWith('#'))
    .map((line): [string, string] => [line.slice(0, line.indexOf(' = ')), line.slice(line.indexOf(' = ') + 3).trim()])
}
