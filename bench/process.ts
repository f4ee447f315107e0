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

/** Clients that look codes up, and those that ask for the heaviest answers there are, over and over. */
const lightClients = 8
const heavyClients = 1

/** Lookups alone and beside the heaviest requests, each asked by a process of its own. */
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
    const { origin, pathname } = new URL(ours.origin)
    const lookups = lookupsOf(registry).map((path) => `${pathname}/${path}`)
    const lookUp = async (): Promise<number> =>
      (await runLoad({ origin, paths: lookups, connections: lightClients, seconds })).p99Ms
    const rows: Row[] = []
    await lookUp()
    for (const [what, path] of Object.entries(heavy)) {
      const paths = spellings(`${pathname}/${path}`)
      const askHeavily = (length: number) => runLoad({ origin, paths, connections: heavyClients, seconds: length })
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
      const ratio = median(beside) / median(alone)
      rows.push(row(`p99 of lookups beside ${what}`, { name }, beside, 'ms', ratio, { atMost: 3 }))
      rows.push(row(`p99 of lookups beside ${what}`, { name: 'the same, alone' }, alone, 'ms'))
    }
    return rows
  } finally {
    await ours.stop()
  }
}

/** Addresses of the same question that were not asked before, so that nothing comes from the cache. */
function spellings(path: string): string[] {
  return Array.from({ length: 150 }, (_, spaces) => path.replace('search=', `search=${'%20'.repeat(spaces + 1)}`))
}

function lookupsOf(registry: BenchRegistry): readonly string[] {
  return drawQuestions(registry.path, ['lookup by code'])[0]?.paths ?? []
}
