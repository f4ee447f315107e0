// Benchmarks of the process: start time, memory while records are looked up, and fairness, which is the latency of
// lookups while other clients send heavy requests.
import { Pool } from 'undici'
import { type Contestant, startOurs } from './contestants/start.ts'
import { runLoad } from './load.ts'
import { measureUndisturbed, median, type Rounds, type Row, toRow } from './measure.ts'
import { drawQueries } from './query-kinds.ts'
import type { BenchRegistry } from './registries.ts'

/** The time until the service accepts requests. */
export async function benchStart({ path }: BenchRegistry, { rounds }: Rounds): Promise<Row[]> {
  const startsMs: number[] = []
  // The first round fills the compile cache.
  for (let round = 0; round <= rounds; round++) {
    const startMs = await measureUndisturbed(async () => {
      const ours = await startOurs(`sqlite:${path}`)
      await ours.stop()
      return ours.startMs
    })
    if (round > 0) startsMs.push(startMs)
  }
  return [toRow('start until "listening"', 'ms', startsMs)]
}

/** Number of clients that look up codes together. */
const clients = 32

/**
 * The peak memory of all processes while records are looked up. The resident set size (RSS) counts shared memory once
 * for each process, the proportional set size (PSS) once in all.
 */
export async function benchMemory({ path, sample }: BenchRegistry): Promise<Row[]> {
  const rows: Row[] = []
  for (const workers of [1, 4]) {
    const ours = await startOurs(`sqlite:${path}`, ['--workers', String(workers)])
    const { origin, pathname } = new URL(ours.baseUrl)
    const pool = new Pool(origin, { connections: clients })
    const readings = [ours.memory()]
    const timer = setInterval(() => readings.push(ours.memory()), 250)
    try {
      const records = sample.values()
      const lookUp = async (): Promise<void> => {
        for (const { code } of records) {
          const request = { path: `${pathname}/record/${encodeURIComponent(code)}`, method: 'GET' } as const
          const { statusCode, body } = await pool.request(request)
          await body.dump()
          if (statusCode !== 200) throw new Error(`${code}: ${statusCode}`)
        }
      }
      // All clients take records from the same iterator.
      await Promise.all(Array.from({ length: clients }, lookUp))
    } finally {
      clearInterval(timer)
      await pool.close()
      await ours.stop()
    }
    const name = `memory after lookups, ${workers} workers`
    rows.push(toRow(`${name}: RSS`, 'MB', [Math.max(...readings.map(({ residentBytes }) => residentBytes)) / 1e6]))
    rows.push(toRow(`${name}: PSS`, 'MB', [Math.max(...readings.map((each) => each.proportionalBytes)) / 1e6]))
  }
  return rows
}

/** Heavy requests, sent while the latency of lookups is measured. */
export interface HeavyLoad {
  readonly name: string
  /** Relative to the base address. */
  readonly paths: readonly string[]
  readonly connections: number
}

export async function benchFairness(registry: BenchRegistry, rounds: Rounds): Promise<Row[]> {
  const { all, common } = registry.words
  const commonWords = encodeURIComponent(`${common[0]} ${common[1]}`)
  /** The same query with more and more empty parameters, so that no response is cached. */
  const uncached = (path: string): string[] => Array.from({ length: 200 }, (_, count) => path + '&'.repeat(count + 1))
  /** Up to 20,000 pairs of words. */
  const searches = (path: string): string[] =>
    all
      .slice(0, 200)
      .flatMap((first) =>
        common.slice(0, 100).map((word) => `${path}?search=${encodeURIComponent(`${first} ${word}`)}`),
      )
  const heavyLoads: readonly HeavyLoad[] = [
    { name: 'an export', paths: uncached('record?'), connections: 1 },
    { name: 'a summary of everything', paths: uncached('summary?'), connections: 1 },
    { name: 'two very common words', paths: uncached(`record?search=${commonWords}`), connections: 1 },
    { name: 'summaries of searches', paths: searches('summary'), connections: 1 },
    { name: 'page rendering', paths: searches(''), connections: 4 },
  ]
  const ours = await startOurs(`sqlite:${registry.path}`)
  try {
    const [lookups] = drawQueries(registry, { only: ['lookup by code'] })
    const lookupPaths = (lookups?.queries ?? []).map(({ path }) => path)
    const rows: Row[] = []
    for (const heavyLoad of heavyLoads) rows.push(await benchLookupsDuring(heavyLoad, ours, lookupPaths, rounds))
    return rows
  } finally {
    await ours.stop()
  }
}

/** Compares the p99 latency of lookups during heavy requests with that of lookups alone. */
export async function benchLookupsDuring(
  { name, paths, connections }: HeavyLoad,
  ours: Contestant,
  lookupPaths: readonly string[],
  { rounds, seconds }: Rounds,
): Promise<Row> {
  const { origin, pathname } = new URL(ours.baseUrl)
  const toAbsolute = (path: string): string => `${pathname}/${path}`
  const lookups = { origin, paths: lookupPaths.map(toAbsolute), connections: 8, seconds }
  // The heavy load lasts a second longer than the lookups, so that it overlaps with all of them.
  const heavy = { origin, paths: paths.map(toAbsolute), connections, seconds: seconds + 1 }
  // Warms both up.
  await Promise.all([runLoad(lookups), runLoad(heavy)])
  const aloneMs: number[] = []
  const duringMs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const [alone, during] = await measureUndisturbed(async () => {
      const lookupsAlone = await runLoad(lookups)
      const [lookupsDuring] = await Promise.all([runLoad(lookups), runLoad(heavy)])
      return [lookupsAlone, lookupsDuring] as const
    })
    aloneMs.push(alone.p99Ms)
    duringMs.push(during.p99Ms)
  }
  return { ...toRow(`p99 of lookups during ${name}`, 'ms', duringMs), ratio: median(aloneMs) / median(duringMs) }
}
