// What the process costs: its start, its memory while everything is looked up, and what the heaviest requests of one
// client cost the lookups of the others.
import { Pool } from 'undici'
import { type Memory, startOurs } from './contestants/start.ts'
import { runLoad } from './load.ts'
import { median, type Rounds, type Row, toRow } from './measure.ts'
import { drawQuestions } from './query-kinds.ts'
import { type BenchRegistry, readCodes } from './registries.ts'

export async function benchStart(registry: BenchRegistry, { rounds }: Rounds): Promise<Row[]> {
  const starts: number[] = []
  // The first start fills the compile cache and does not count.
  for (let round = -1; round < rounds; round++) {
    const ours = await startOurs(`sqlite:${registry.path}`)
    await ours.stop()
    if (round >= 0) starts.push(ours.startMs)
  }
  const row = { records: registry.records, work: 'start until "listening"', unit: 'ms' }
  return [toRow({ ...row, figures: starts, bar: { atMost: 300, of: 'median' } })]
}

const residentMegabytesMax: readonly [workers: number, megabytes: number][] = [
  [1, 250],
  [4, 700],
]

/** The bars are those of 1,000,000 records. */
export async function benchMemory(registry: BenchRegistry): Promise<Row[]> {
  const { records } = registry
  const rows: Row[] = []
  for (const [workers, megabytes] of residentMegabytesMax) {
    const { residentBytes, proportionalBytes } = await lookUpEverything(registry, workers)
    const what = `memory, all looked up, ${workers} ${workers === 1 ? 'worker' : 'workers'}`
    const bar = records >= 1_000_000 ? { bar: { atMost: megabytes, of: 'median' as const } } : {}
    rows.push(toRow({ records, work: `${what}: RSS`, unit: 'MB', figures: [residentBytes / 1e6], ...bar }))
    rows.push(toRow({ records, work: `${what}: PSS`, unit: 'MB', figures: [proportionalBytes / 1e6] }))
  }
  return rows
}

const clients = 32
const readMemoryMs = 250

/** Looks every code up once and returns the peaks of what all processes used together. */
async function lookUpEverything(registry: BenchRegistry, workers: number): Promise<Memory> {
  const ours = await startOurs(`sqlite:${registry.path}`, ['--workers', String(workers)])
  const { origin, pathname } = new URL(ours.origin)
  const pool = new Pool(origin, { connections: clients })
  let peak: Memory = { residentBytes: 0, proportionalBytes: 0 }
  const readMemory = (): void => {
    const now = ours.memory()
    peak = {
      residentBytes: Math.max(peak.residentBytes, now.residentBytes),
      proportionalBytes: Math.max(peak.proportionalBytes, now.proportionalBytes),
    }
  }
  const timer = setInterval(readMemory, readMemoryMs)
  try {
    const codes = readCodes(registry)
    const lookUp = async (): Promise<void> => {
      for (;;) {
        const { done, value } = await codes.next()
        if (done) return
        const path = `${pathname}/record/${encodeURIComponent(value)}`
        const { statusCode, body } = await pool.request({ path, method: 'GET' })
        await body.dump()
        if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`)
      }
    }
    await Promise.all(Array.from({ length: clients }, lookUp))
    readMemory()
  } finally {
    clearInterval(timer)
    await pool.close()
    await ours.stop()
  }
  return peak
}

/** Clients that look codes up, beside one that asks for the heaviest responses over and over. */
const lightClients = 8

export async function benchFairness(registry: BenchRegistry, { rounds, seconds }: Rounds): Promise<Row[]> {
  const { records, words } = registry
  const commonWords = encodeURIComponent(`${words.common[0]} ${words.common[1]}`)
  const heavy: Readonly<Record<string, string>> = {
    'an export': 'record?',
    'a summary of everything': 'summary?',
    'two very common words': `record?search=${commonWords}`,
  }
  const ours = await startOurs(`sqlite:${registry.path}`)
  try {
    const { origin, pathname } = new URL(ours.origin)
    const [lookups] = drawQuestions(registry, ['lookup by code'])
    const paths = (lookups?.questions ?? []).map(({ path }) => `${pathname}/${path}`)
    const lookUp = async (): Promise<number> => {
      return (await runLoad({ origin, paths, connections: lightClients, seconds })).p99Ms
    }
    await lookUp()
    const rows: Row[] = []
    for (const [what, path] of Object.entries(heavy)) {
      // Empty parameters mean nothing but make another address, which is not in the cache.
      const spellings = Array.from({ length: 200 }, (_, count) => `${pathname}/${path}${'&'.repeat(count + 1)}`)
      const askHeavily = (length: number) => runLoad({ origin, paths: spellings, connections: 1, seconds: length })
      await askHeavily(seconds)
      const alone: number[] = []
      const beside: number[] = []
      for (let round = 0; round < rounds; round++) {
        alone.push(await lookUp())
        // A second longer, so that it is there from the first lookup to the last.
        const asking = askHeavily(seconds + 1)
        beside.push(await lookUp())
        await asking
      }
      const row = { records, work: `p99 of lookups beside ${what}`, unit: 'ms' }
      const ratio = median(beside) / median(alone)
      rows.push(toRow({ ...row, figures: beside, ratio, bar: { atMost: 3 } }))
      rows.push(toRow({ ...row, contestant: 'lookups alone', figures: alone }))
    }
    return rows
  } finally {
    await ours.stop()
  }
}
