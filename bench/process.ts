// Benchmarks of the process: start time, memory while every record is looked up, and fairness, which is the latency of
// lookups while other clients send heavy requests.
import { Pool } from 'undici'
import { type Contestant, type Memory, startOurs } from './contestants/start.ts'
import { runLoad } from './load.ts'
import { median, type Rounds, type Row, toRow } from './measure.ts'
import { drawQueries } from './query-kinds.ts'
import { type BenchRegistry, readCodes } from './registries.ts'
import { measureUndisturbed } from './stolen-time.ts'

/** The time until the service accepts requests. */
export async function benchStart(registry: BenchRegistry, { rounds }: Rounds): Promise<Row[]> {
  const startsMs: number[] = []
  // Round -1 is the warm-up: it fills the compile cache.
  for (let round = -1; round < rounds; round++) {
    const startMs = await measureUndisturbed(async () => {
      const ours = await startOurs(`sqlite:${registry.path}`)
      await ours.stop()
      return ours.startMs
    })
    if (round >= 0) startsMs.push(startMs)
  }
  const row = { records: registry.records, workload: 'start until "listening"', unit: 'ms' }
  return [toRow({ ...row, samples: startsMs, threshold: { atMost: 300, of: 'median' } })]
}

/** By number of workers, the threshold for the resident memory of all processes. */
const memoryThresholds = [
  { workers: 1, residentMegabytesMax: 250 },
  { workers: 4, residentMegabytesMax: 700 },
]
/** The thresholds apply to registries of this size or more. */
const thresholdRecordsMin = 1_000_000

/**
 * Peak memory of the service while every record is looked up. The resident set size (RSS) counts shared memory once per
 * process, the proportional set size (PSS) once in all.
 */
export async function benchMemory(registry: BenchRegistry): Promise<Row[]> {
  const { records } = registry
  const rows: Row[] = []
  for (const { workers, residentMegabytesMax } of memoryThresholds) {
    const { residentBytes, proportionalBytes } = await lookUpEverything(registry, workers)
    const workload = `memory, all looked up, ${workers} ${workers === 1 ? 'worker' : 'workers'}`
    const row = { records, unit: 'MB' }
    const hasThreshold = records >= thresholdRecordsMin
    const threshold = hasThreshold ? { threshold: { atMost: residentMegabytesMax, of: 'median' as const } } : {}
    rows.push(toRow({ ...row, workload: `${workload}: RSS`, samples: [residentBytes / 1e6], ...threshold }))
    rows.push(toRow({ ...row, workload: `${workload}: PSS`, samples: [proportionalBytes / 1e6] }))
  }
  return rows
}

/** Number of clients that look up all codes together. */
const clients = 32

/** Interval between two readings of the memory. */
const memoryIntervalMs = 250

/** Looks up every code once and returns the peak memory of all processes together. */
async function lookUpEverything(registry: BenchRegistry, workers: number): Promise<Memory> {
  const ours = await startOurs(`sqlite:${registry.path}`, ['--workers', String(workers)])
  const { origin, pathname } = new URL(ours.baseUrl)
  const pool = new Pool(origin, { connections: clients })
  let peak: Memory = { residentBytes: 0, proportionalBytes: 0 }
  const readMemory = (): void => {
    const now = ours.memory()
    peak = {
      residentBytes: Math.max(peak.residentBytes, now.residentBytes),
      proportionalBytes: Math.max(peak.proportionalBytes, now.proportionalBytes),
    }
  }
  const timer = setInterval(readMemory, memoryIntervalMs)
  try {
    // All clients take codes from the same generator.
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

/** Number of clients that look up codes while others send heavy requests. */
const lightClients = 8

/** Threshold of the ratio: the p99 latency of lookups during heavy requests, divided by that of lookups alone. */
const fairnessThreshold = { atMost: 3 }

export interface HeavyLoad {
  readonly name: string
  /** Relative to the base address. */
  readonly paths: readonly string[]
  readonly connections: number
}

/**
 * The path with a search added, for each of up to 20,000 pairs of words, so that none is requested twice and comes from
 * a cache.
 */
function toSearchPaths(path: string, { words }: BenchRegistry): string[] {
  const secondWords = words.common.slice(0, 100)
  return words.all
    .slice(0, 200)
    .flatMap((first) => secondWords.map((second) => `${path}?search=${encodeURIComponent(`${first} ${second}`)}`))
}

/**
 * 200 paths of the same query, which differ in the number of empty parameters: `record?&`, `record?&&`. None is in the
 * response cache at first. When the list repeats, exports still miss the cache, because it stores no streamed response;
 * a summary comes from the cache.
 */
function toUncachedPaths(path: string): string[] {
  return Array.from({ length: 200 }, (_, count) => path + '&'.repeat(count + 1))
}

/** Compares the p99 latency of lookups during heavy requests with the p99 latency of lookups alone. */
export async function benchFairness(registry: BenchRegistry, { rounds, seconds }: Rounds): Promise<Row[]> {
  const { records, words } = registry
  const commonWords = encodeURIComponent(`${words.common[0]} ${words.common[1]}`)
  const heavyLoads: readonly HeavyLoad[] = [
    { name: 'an export', paths: toUncachedPaths('record?'), connections: 1 },
    { name: 'a summary of everything', paths: toUncachedPaths('summary?'), connections: 1 },
    { name: 'two very common words', paths: toUncachedPaths(`record?search=${commonWords}`), connections: 1 },
    { name: 'summaries of searches', paths: toSearchPaths('summary', registry), connections: 1 },
    { name: 'page rendering', paths: toSearchPaths('', registry), connections: 4 },
  ]
  const ours = await startOurs(`sqlite:${registry.path}`)
  try {
    const [lookups] = drawQueries(registry, { only: ['lookup by code'] })
    const lookupPaths = (lookups?.queries ?? []).map(({ path }) => path)
    const rows: Row[] = []
    for (const heavyLoad of heavyLoads) {
      rows.push(...(await benchLookupsDuring(heavyLoad, ours, lookupPaths, records, { rounds, seconds })))
    }
    return rows
  } finally {
    await ours.stop()
  }
}

/**
 * Compares the p99 latency of lookups during heavy requests with that of lookups alone. `lookupPaths` are relative to
 * the base address; `records` is the size of the registry, for the report.
 */
export async function benchLookupsDuring(
  { name, paths, connections }: HeavyLoad,
  ours: Contestant,
  lookupPaths: readonly string[],
  records: number,
  { rounds, seconds }: Rounds,
): Promise<Row[]> {
  const { origin, pathname } = new URL(ours.baseUrl)
  const toAbsolute = (path: string): string => `${pathname}/${path}`
  const lookups = { origin, paths: lookupPaths.map(toAbsolute), connections: lightClients }
  const heavy = { origin, paths: paths.map(toAbsolute), connections }
  const { aloneMs, duringMs } = await compareLookups(
    { rounds, seconds },
    async () => (await runLoad({ ...lookups, seconds })).p99Ms,
    (heavySeconds) => runLoad({ ...heavy, seconds: heavySeconds }),
  )
  const row = { records, workload: `p99 of lookups during ${name}`, unit: 'ms' }
  const ratio = median(duringMs) / median(aloneMs)
  return [
    toRow({ ...row, samples: duringMs, ratio, threshold: fairnessThreshold }),
    toRow({ ...row, contestant: 'lookups alone', samples: aloneMs }),
  ]
}

/** For each round, the p99 of the lookups alone and during the heavy requests. */
async function compareLookups(
  { rounds, seconds }: Rounds,
  measureLookupP99Ms: () => Promise<number>,
  sendHeavy: (heavySeconds: number) => Promise<unknown>,
): Promise<{ aloneMs: number[]; duringMs: number[] }> {
  // Warms up the lookups and the heavy requests.
  await measureLookupP99Ms()
  await sendHeavy(seconds)
  const aloneMs: number[] = []
  const duringMs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const { alone, during } = await measureUndisturbed(async () => {
      const aloneP99Ms = await measureLookupP99Ms()
      // The heavy load lasts a second longer than the lookups, so that it overlaps with all of them.
      const heavyLoad = sendHeavy(seconds + 1)
      const duringP99Ms = await measureLookupP99Ms()
      await heavyLoad
      return { alone: aloneP99Ms, during: duringP99Ms }
    })
    aloneMs.push(alone)
    duringMs.push(during)
  }
  return { aloneMs, duringMs }
}
