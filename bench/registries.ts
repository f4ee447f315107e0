// The registries to measure: fictional records with about 150 to 250 words of text each, imported with the command
// `import`. They are kept in bench/data (not committed) for later runs, together with the data from which random
// queries are drawn (query-kinds.ts).
import { createReadStream, createWriteStream, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { StoreFault } from '../src/registry/contract.ts'
import { openStore } from '../src/registry/open.ts'
import { type ImportCost, importCsv } from './import.ts'
import { type WordRange, writeCsv } from './sample-csv.ts'

const dataFolder: string = fileURLToPath(new URL('./data/', import.meta.url))

/** The range of the number of words in the text of a record. */
export const contentWordRange: WordRange = [150, 250]

export interface BenchRegistry extends RegistryFacts {
  /** The number of records. */
  readonly records: number
  /** The snapshot, a SQLite file. */
  readonly path: string
  /** The size of the file. */
  readonly bytes: number
}

/** Data from generating and importing the records. */
interface RegistryFacts {
  /** The cost of the import. */
  readonly build: ImportCost
  /** At most 100,000 records, evenly spaced in the CSV file. */
  readonly sample: readonly SampledRecord[]
  readonly words: QueryWords
}

/** The fields of a record from which queries are drawn. */
export interface SampledRecord {
  readonly code: string
  readonly title: string
  readonly municipality: string
  readonly checkinDate: string
}

/** Words to draw queries from, of at least four letters. */
interface QueryWords {
  /** Words in 2 to 50 records. */
  readonly rare: readonly string[]
  /** Words in at least 5 % of the records, the most common first. */
  readonly common: readonly string[]
  /** All words, the most common first. */
  readonly all: readonly string[]
}

const sampledRecordsMax = 100_000
/** A word in more records is not rare. */
const rareRecordsMax = 50
/** A word in a smaller share of the records is not common. */
const commonFractionMin = 1 / 20

/**
 * Creates a folder in bench/data, if it does not exist, for the files of a measured program or of a benchmark. The
 * folder stays for later runs.
 */
export function benchFolder(name: string): string {
  const path = `${dataFolder}${name}`
  mkdirSync(path, { recursive: true })
  return path
}

/**
 * Returns the registry with this many records. Builds it if it does not exist, if this version cannot read it, or if
 * `rebuild` is true.
 */
export async function prepareRegistry(records: number, rebuild: boolean = false): Promise<BenchRegistry> {
  const basePath = `${dataFolder}registry-${records}`
  const path = `${basePath}.db`
  const isUsable = !rebuild && (await canOpen(path)) && existsSync(`${basePath}.json`)
  if (!isUsable) await build(basePath, records)
  const facts = JSON.parse(readFileSync(`${basePath}.json`, 'utf8')) as RegistryFacts
  return { ...facts, records, path, bytes: statSync(path).size }
}

/** Reads every code of the registry, in the order of the CSV file that was imported. */
export async function* readCodes({ records }: BenchRegistry): AsyncGenerator<string> {
  yield* createInterface({ input: createReadStream(`${dataFolder}registry-${records}.codes`) })
}

/** Whether the file is a snapshot that this version can read. */
async function canOpen(path: string): Promise<boolean> {
  if (!existsSync(path)) return false
  try {
    await (await openStore(`sqlite:${path}`)).close()
    return true
  } catch (error) {
    if (error instanceof StoreFault) return false
    throw error
  }
}

/** Writes the snapshot (`.db`), `RegistryFacts` (`.json`) and all codes, one per line (`.codes`). */
async function build(basePath: string, records: number): Promise<void> {
  mkdirSync(dataFolder, { recursive: true })
  process.stderr.write(`Building a registry of ${records} records …\n`)
  for (const extension of ['db', 'json']) rmSync(`${basePath}.${extension}`, { force: true })
  const source = `${basePath}.csv`
  const sample: SampledRecord[] = []
  const counter = new WordCounter()
  // One record of every `sampleStep` is sampled.
  const sampleStep = Math.ceil(records / sampledRecordsMax)
  let recordsWritten = 0
  const codes = createWriteStream(`${basePath}.codes`)
  await writeCsv(source, records, contentWordRange, ({ record, content }) => {
    const { code, title, municipality, checkinDate } = record
    if (recordsWritten++ % sampleStep === 0) sample.push({ code, title, municipality, checkinDate })
    codes.write(`${code}\n`)
    counter.add(`${title} ${content}`)
  })
  codes.end()
  await finished(codes)
  const facts: RegistryFacts = {
    build: importCsv(source, `${basePath}.db`),
    sample,
    words: counter.toQueryWords(records),
  }
  rmSync(source)
  await writeFile(`${basePath}.json`, JSON.stringify(facts))
}

/** Counts the records that contain each word. */
class WordCounter {
  /** `lastRecord` keeps a word that a record repeats from being counted twice. */
  readonly #counts = new Map<string, { records: number; lastRecord: number }>()
  /** The number of the current record, from 1. */
  #record = 0

  add(text: string): void {
    this.#record++
    for (const [word] of text.toLowerCase().matchAll(/\p{L}{4,}/gu)) {
      const count = this.#counts.get(word)
      if (count === undefined) this.#counts.set(word, { records: 1, lastRecord: this.#record })
      else if (count.lastRecord !== this.#record) {
        count.records++
        count.lastRecord = this.#record
      }
    }
  }

  toQueryWords(records: number): QueryWords {
    const counts = [...this.#counts].toSorted(([, a], [, b]) => b.records - a.records)
    const wordsIn = (recordsMin: number, recordsMax: number): string[] =>
      counts.filter(([, count]) => count.records >= recordsMin && count.records <= recordsMax).map(([word]) => word)
    return {
      rare: wordsIn(2, rareRecordsMax),
      common: wordsIn(Math.ceil(records * commonFractionMin), records),
      all: wordsIn(1, records),
    }
  }
}
