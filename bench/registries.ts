// The registries that are measured: fictional records with 150 to 250 words of text each, from one seed, kept from
// run to run in bench/data (not committed).
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { toStored } from '../src/record/record.ts'
import { sampleRecords } from '../src/sample/records.ts'
import { createSnapshot } from '../src/store/open.ts'
import { formatVersion } from '../src/store/sqlite/schema.ts'

const folder: string = fileURLToPath(new URL('./data/', import.meta.url))

export const seed = 'bench'
export const contentWords: readonly [number, number] = [150, 250]

export interface BenchRegistry {
  readonly records: number
  readonly path: string
  readonly bytes: number
  /** How fast it was built, where this run built it. */
  readonly recordsPerSecond: number | null
}

/** A folder of a contestant's own, kept from run to run. */
export function benchFolder(name: string): string {
  const path = `${folder}${name}`
  mkdirSync(path, { recursive: true })
  return path
}

export async function openRegistry(records: number): Promise<BenchRegistry> {
  mkdirSync(folder, { recursive: true })
  const path = `${folder}registry-${records}-format-${formatVersion}.db`
  let recordsPerSecond: number | null = null
  if (!existsSync(path)) {
    process.stderr.write(`building a registry of ${records} records …\n`)
    const start = performance.now()
    const writer = await createSnapshot(`sqlite:${path}`)
    for await (const { record, content } of sampleRecords({ records, documents: 0, seed, contentWords })) {
      await writer.add(toStored(record), content)
    }
    await writer.publish({ fictional: true, dryRun: false })
    recordsPerSecond = Math.round(records / ((performance.now() - start) / 1000))
  }
  return { records, path, bytes: statSync(path).size, recordsPerSecond }
}
