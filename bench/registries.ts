// The registries to measure: fictional records with about 150 to 250 words of text each, imported with the command
// `import`. They are kept in bench/data (not committed) for later runs, together with the data from which random
// queries are drawn (query-kinds.ts).
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import Papa from 'papaparse'
import { StoreFault } from '../src/registry/contract.ts'
import { openStore } from '../src/registry/open.ts'
import { type SampleRecord, sampleRecords } from '../src/sample/records.ts'
import { importCsv } from './import-csv.ts'

const dataFolder: string = fileURLToPath(new URL('./data/', import.meta.url))

export interface BenchRegistry extends RegistryFacts {
  readonly records: number
  /** The registry, a SQLite file. */
  readonly path: string
}

/** What queries are drawn from. */
interface RegistryFacts {
  /** At most 100,000 records. */
  readonly sample: readonly SampledRecord[]
  readonly words: QueryWords
}

export interface SampledRecord {
  readonly code: string
  readonly title: string
  readonly municipality: string
  readonly checkinDate: string
}

/** Words of at least four letters. */
interface QueryWords {
  /** Words in 2 to 50 records. */
  readonly rare: readonly string[]
  /** Words in at least 5 % of the records, the most common first. */
  readonly common: readonly string[]
  /** All words, the most common first. */
  readonly all: readonly string[]
}

/** Creates a folder in bench/data for the files of a measured program. It stays for later runs. */
export function benchFolder(name: string): string {
  const path = `${dataFolder}${name}`
  mkdirSync(path, { recursive: true })
  return path
}

/** Builds the registry with this many records if it does not exist, or if this version cannot read it. */
export async function prepareRegistry(records: number): Promise<BenchRegistry> {
  const basePath = `${dataFolder}registry-${records}`
  const path = `${basePath}.db`
  if (!existsSync(`${basePath}.json`) || !(await canOpen(path))) await build(basePath, records)
  const facts = JSON.parse(readFileSync(`${basePath}.json`, 'utf8')) as RegistryFacts
  return { ...facts, records, path }
}

/** The records of the registry, newest first unless `order` is `entry`. The seed is fixed: they are always the same. */
export function generateRecords(
  records: number,
  { order, contentWords = [150, 250] }: { order?: 'entry'; contentWords?: readonly [number, number] } = {},
): AsyncGenerator<SampleRecord> {
  return sampleRecords({
    records,
    documents: 0,
    seed: 'bench',
    contentWords,
    ...(order === undefined ? {} : { order }),
  })
}

/** Writes records to a CSV file in the order of entry, so that the import has to sort them. */
export async function writeCsv(path: string, records: AsyncIterable<SampleRecord>): Promise<void> {
  const columns = [
    'code',
    'id',
    'title',
    'municipality',
    'checkin_date',
    'area',
    'inscription_date',
    'links',
    'content',
  ]
  async function* toLines(): AsyncGenerator<string> {
    yield `${columns.join()}\n`
    for await (const { record, content } of records) {
      const { code, id, title, municipality, checkinDate, area, inscriptionDate, links } = record
      const values = [code, id, title, municipality, checkinDate, area, inscriptionDate ?? '', links, content]
      yield `${Papa.unparse([values], { newline: '\n' })}\n`
    }
  }
  await pipeline(Readable.from(toLines()), createWriteStream(path))
}

/** Whether the file is a registry that this version can read. */
async function canOpen(path: string): Promise<boolean> {
  try {
    await (await openStore(`sqlite:${path}`)).close()
    return true
  } catch (error) {
    if (error instanceof StoreFault) return false
    throw error
  }
}

/** Writes the registry (`.db`) and `RegistryFacts` (`.json`). */
async function build(basePath: string, records: number): Promise<void> {
  mkdirSync(dataFolder, { recursive: true })
  process.stderr.write(`Building a registry of ${records} records …\n`)
  for (const extension of ['db', 'json']) rmSync(`${basePath}.${extension}`, { force: true })
  const source = `${basePath}.csv`
  const sample: SampledRecord[] = []
  /** The number of records that contain each word. */
  const counts = new Map<string, number>()
  // One record of every `sampleStep` is sampled.
  const sampleStep = Math.ceil(records / 100_000)
  let recordsWritten = 0
  async function* observe(): AsyncGenerator<SampleRecord> {
    for await (const each of generateRecords(records, { order: 'entry' })) {
      const { code, title, municipality, checkinDate } = each.record
      if (recordsWritten++ % sampleStep === 0) sample.push({ code, title, municipality, checkinDate })
      const words = `${title} ${each.content}`.toLowerCase().match(/\p{L}{4,}/gu)
      for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1)
      yield each
    }
  }
  await writeCsv(source, observe())
  importCsv(source, `${basePath}.db`)
  rmSync(source)
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a)
  const wordsIn = (min: number, max: number): string[] =>
    sorted.filter(([, count]) => count >= min && count <= max).map(([word]) => word)
  const words: QueryWords = { rare: wordsIn(2, 50), common: wordsIn(records / 20, records), all: wordsIn(1, records) }
  writeFileSync(`${basePath}.json`, JSON.stringify({ sample, words } satisfies RegistryFacts))
}
