// Benchmark of queries in this process, without HTTP: from the query to the JSON of the first page.
import { analyseTerm } from '../src/analysis/analyser.ts'
import { foldCode } from '../src/domain/inscription-code.ts'
import type { Snapshot } from '../src/registry/contract.ts'
import { openStore } from '../src/registry/open.ts'
import { type Rounds, type Row, toRow } from './measure.ts'
import { type BenchQuery, drawQueries, pageRecords } from './query-kinds.ts'
import type { BenchRegistry } from './registries.ts'

/** Slices are short, so that a burst of other load on the machine affects few of them. */
const sliceSeconds = 0.1
const warmUpSlices = 10

export async function benchQueries(registry: BenchRegistry, { rounds, seconds }: Rounds): Promise<Row[]> {
  const store = await openStore(`sqlite:${registry.path}`)
  const slices = Math.ceil((rounds * seconds) / sliceSeconds)
  const rows: Row[] = []
  try {
    for (const { workload, queries } of drawQueries(registry, { queriesPerKind: 20_000 })) {
      const samples: number[] = []
      for (let slice = 0; slice < warmUpSlices + slices; slice++) {
        // The slices begin at queries that are spread evenly over the list.
        const first = Math.floor((queries.length / slices) * slice)
        const cost = await measureSlice(queries, first, store.current())
        if (slice >= warmUpSlices) samples.push(cost)
      }
      rows.push(toRow(`${workload}, in process`, 'µs of processor time', samples))
    }
  } finally {
    await store.close()
  }
  return rows
}

/** Runs queries for one slice, from the index `first` on. Returns the processor time of a query in microseconds. */
async function measureSlice(queries: readonly BenchQuery[], first: number, snapshot: Snapshot): Promise<number> {
  const endAt = performance.now() + sliceSeconds * 1000
  const cpuStart = process.cpuUsage()
  let queriesRun = 0
  while (performance.now() < endAt) {
    const query = queries[(first + queriesRun++) % queries.length]
    if (query !== undefined) await readPage(snapshot, query)
  }
  const { user, system } = process.cpuUsage(cpuStart)
  return (user + system) / queriesRun
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
