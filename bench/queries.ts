// Benchmark of queries in this process, without HTTP: from the query to the JSON of the first page.
import { analyseTerm } from '../src/analysis/analyser.ts'
import { foldCode } from '../src/domain/inscription-code.ts'
import type { Snapshot } from '../src/registry/contract.ts'
import { openStore } from '../src/registry/open.ts'
import { type Rounds, type Row, toRow } from './measure.ts'
import { type BenchQuery, drawQueries, pageRecords } from './query-kinds.ts'
import type { BenchRegistry } from './registries.ts'

const queriesPerKind = 20_000

/** Slices are short, so that a burst of other load on the machine affects few of them. */
const sliceSeconds = 0.1
/** Number of slices before the measurement. */
const warmUpSlices = 10

export async function benchQueries(registry: BenchRegistry, { rounds, seconds }: Rounds): Promise<Row[]> {
  const { records } = registry
  const store = await openStore(`sqlite:${registry.path}`)
  const slices = Math.ceil((rounds * seconds) / sliceSeconds)
  const rows: Row[] = []
  try {
    for (const { workload, queries } of drawQueries(registry, { queriesPerKind })) {
      const samples = await measureSlices(slices, queries, store.current())
      rows.push(toRow({ records, workload, unit: 'µs', samples }))
    }
  } finally {
    await store.close()
  }
  const rate = records / registry.build.seconds
  rows.push(toRow({ records, workload: 'build (whole import)', unit: 'records/s', samples: [rate] }))
  rows.push(toRow({ records, workload: 'file', unit: 'MB', samples: [registry.bytes / 1e6] }))
  return rows
}

/** Reads the first page of the result. */
async function readPage(snapshot: Snapshot, { code, search, municipality, year }: BenchQuery): Promise<void> {
  await snapshot.page({
    cod_archivo: code === undefined ? undefined : foldCode(code),
    search: search === undefined ? undefined : analyseTerm(search),
    municipality,
    checkin_date: year,
    limit: pageRecords,
  })
}

/** For each slice after the warm-up, the CPU time per query in microseconds. */
async function measureSlices(slices: number, queries: readonly BenchQuery[], snapshot: Snapshot): Promise<number[]> {
  const costs: number[] = []
  // Negative slices are the warm-up.
  for (let slice = -warmUpSlices; slice < slices; slice++) {
    // The slices begin at queries that are spread evenly over the list.
    const firstQuery = Math.floor((queries.length / slices) * Math.max(slice, 0))
    const cost = await measureCpuMicroseconds(queries, firstQuery, snapshot)
    if (slice >= 0) costs.push(cost)
  }
  return costs
}

/** Runs queries for one slice, from the index `firstQuery` on. Returns the CPU time per query. */
async function measureCpuMicroseconds(
  queries: readonly BenchQuery[],
  firstQuery: number,
  snapshot: Snapshot,
): Promise<number> {
  const endAt = performance.now() + sliceSeconds * 1000
  const cpuStart = process.cpuUsage()
  let queriesRun = 0
  while (performance.now() < endAt) {
    const query = queries[(firstQuery + queriesRun++) % queries.length]
    if (query !== undefined) await readPage(snapshot, query)
  }
  const { user, system } = process.cpuUsage(cpuStart)
  return (user + system) / queriesRun
}
