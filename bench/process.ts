// What the process costs: time from start to the first answer, memory at rest and under load, disk a record, what a
// second worker adds, and what the heaviest requests of one client cost the lookups of the others.
import { availableParallelism } from 'node:os'
import { startOurs } from './contestants/start.ts'
import { runLoad } from './load.ts'
import { median, type Rounds, type Row, rowsOf } from './measure.ts'
import { drawQuestions } from './questions.ts'
import type { BenchRegistry } from './registries.ts'

export async function benchProcess(registry: BenchRegistry, rounds: Rounds): Promise<Row[]> {
  return [
    ...(await benchStart(registry, rounds)),
    ...(await benchWorkers(registry, rounds)),
    ...(await benchFairness(registry, rounds)),
  ]
}

const name = 'planning-registry'

async function benchStart(registry: BenchRegistry, { rounds, seconds }: Rounds): Promise<Row[]> {
  const row = rowsOf(registry.records)
  const lookups = lookupsOf(registry)
  const starts: number[] = []
  const idle: number[] = []
  const loaded: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    const ours = await startOurs(`sqlite:${registry.path}`)
    try {
      const { origin, pathname } = new URL(ours.origin)
      await (await fetch(`${origin}${pathname}/${lookups[0]}`)).arrayBuffer()
      starts.push(performance.now() - started)
      idle.push(ours.residentBytes() / 1e6)
      await runLoad({ origin, paths: lookups.map((path) => `${pathname}/${path}`), connections: 32, seconds })
      loaded.push(ours.residentBytes() / 1e6)
    } finally {
      await ours.stop()
    }
  }
  return [
    row('start to first answer', { name }, starts, 'ms', undefined, { atMost: 400, of: 'median' }),
    row('resident memory, idle', { name }, idle, 'MB'),
    row('resident memory, under lookups', { name }, loaded, 'MB'),
    row('disk a record', { name }, [registry.bytes / registry.records], 'bytes'),
    ...(registry.recordsPerSecond === null
      ? []
      : [row('building the snapshot', { name }, [registry.recordsPerSecond], 'records/s')]),
  ]
}

/** The load generator needs a core of its own: on two cores the second worker shares it, which the table says. */
async function benchWorkers(registry: BenchRegistry, { rounds, seconds }: Rounds): Promise<Row[]> {
  const row = rowsOf(registry.records)
  const paths = lookupsOf(registry)
  const rates: Record<1 | 2, number[]> = { 1: [], 2: [] }
  for (let round = 0; round < rounds; round++) {
    for (const workers of [1, 2] as const) {
      const ours = await startOurs(`sqlite:${registry.path}`, ['--workers', String(workers)])
      try {
        const { origin, pathname } = new URL(ours.origin)
        const load = { origin, paths: paths.map((path) => `${pathname}/${path}`), connections: 32 }
        await runLoad({ ...load, seconds: 1 })
        rates[workers].push((await runLoad({ ...load, seconds })).requestsPerSecond)
      } finally {
        await ours.stop()
      }
    }
  }
  const cores = availableParallelism()
  const bar = cores > 2 ? { atLeast: 1.7 } : undefined
  return [
    row(
      `lookups, two workers (${cores} cores)`,
      { name },
      rates[2],
      'requests/s',
      median(rates[2]) / median(rates[1]),
      bar,
    ),
    row(`lookups, one worker (${cores} cores)`, { name }, rates[1], 'requests/s'),
  ]
}

/** Lookups at a steady pace, alone and while another client asks for the heaviest answers there are, over and over. */
async function benchFairness(registry: BenchRegistry, { rounds, seconds }: Rounds): Promise<Row[]> {
  const row = rowsOf(registry.records)
  const ours = await startOurs(`sqlite:${registry.path}`)
  const heavy: Readonly<Record<string, string>> = {
    'a full export': 'record',
    'a summary of everything': 'summary',
    'a summary of a common word': 'summary?search=de',
    'the two most common words': 'record?search=%22de%20la%22%20en',
    'a prefix of three letters': 'record?search=con*',
  }
  try {
    const lookups = lookupsOf(registry).map((path) => `${ours.origin}/${path}`)
    const rows: Row[] = []
    for (const [what, path] of Object.entries(heavy)) {
      const alone: number[] = []
      const beside: number[] = []
      for (let round = 0; round < rounds; round++) {
        alone.push(await paceLookups(lookups, seconds))
        const stop = new AbortController()
        const asking = askOverAndOver(`${ours.origin}/${path}`, stop.signal)
        beside.push(await paceLookups(lookups, seconds))
        stop.abort()
        await asking
      }
      const ratio = median(beside) / median(alone)
      rows.push(row(`p99 of lookups beside ${what}`, { name }, beside, 'ms', ratio, { atMost: 3 }))
      rows.push(row(`p99 of lookups beside ${what}`, { name: 'the same, alone' }, alone, 'ms'))
    }
    return rows
  } finally {
    await ours.stop()
  }
}

/** The 99th percentile in milliseconds of lookups one after the other. */
async function paceLookups(addresses: readonly string[], seconds: number): Promise<number> {
  const times: number[] = []
  const deadline = performance.now() + seconds * 1000
  for (let i = 0; performance.now() < deadline; i++) {
    const start = performance.now()
    await (await fetch(addresses[i % addresses.length] ?? '')).arrayBuffer()
    times.push(performance.now() - start)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
}

async function askOverAndOver(address: string, signal: AbortSignal): Promise<void> {
  for (let i = 0; !signal.aborted; i++) {
    try {
      // An address that was not asked before, so that nothing comes from the cache.
      const { body } = await fetch(address.replace('search=', `search=${' '.repeat((i % 150) + 1)}`), { signal })
      for await (const _chunk of body ?? []) if (signal.aborted) break
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}

function lookupsOf(registry: BenchRegistry): readonly string[] {
  return drawQuestions(registry.path).find(({ work }) => work === 'lookup by code')?.paths ?? []
}
