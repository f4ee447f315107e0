// Benchmark of queries in this process, without HTTP: a page from the search text to its JSON. The baseline is SQLite
// with FTS5 on the same records. Both are measured in interleaved slices.
import { analyseTerm } from '../src/analysis/analyser.ts'
import { foldCode } from '../src/domain/inscription-code.ts'
import type { Snapshot } from '../src/snapshot/contract.ts'
import { openStore } from '../src/snapshot/open.ts'
import { FtsQueries, openFtsFile } from './contestants/sqlite.ts'
import { median, type Rounds, type Row, toRow } from './measure.ts'
import { type BenchQuery, drawQueries, pageRecords } from './query-kinds.ts'
import type { BenchRegistry } from './registries.ts'

const queriesMax = 20_000

const sliceSeconds = 0.1
const warmUpSlices = 10

export interface QueryOptions extends Rounds {
  readonly prefixIndex: boolean
  readonly rebuild: boolean
}

export async function benchQueries(registry: BenchRegistry, options: QueryOptions): Promise<Row[]> {
  const { records } = registry
  const file = await openFtsFile(registry, options)
  const store = await openStore(`sqlite:${registry.path}`)
  const fts = new FtsQueries(file.path)
  const theirName = options.prefixIndex ? "FTS5, prefix = '3 4 5 6'" : 'FTS5'
  const ours = (query: BenchQuery): Promise<string> => queryOurs(store.current(), query)
  const theirs = async (query: BenchQuery): Promise<string> => fts.page(query)
  const rows: Row[] = []
  try {
    for (const { workload, queries } of drawQueries(registry, undefined, queriesMax)) {
      await reportAgreement(workload, queries, ours, theirs)
      const costs = { ours: [] as number[], theirs: [] as number[] }
      // Slices are short, so that a burst of other load affects few of them. Negative slices are the warm-up.
      const slices = Math.ceil((options.rounds * options.seconds) / sliceSeconds)
      for (let slice = -warmUpSlices; slice < slices; slice++) {
        const first = Math.floor((queries.length / slices) * Math.max(slice, 0))
        const our = await measureFor(sliceSeconds, queries, first, ours)
        const their = await measureFor(sliceSeconds, queries, first, theirs)
        if (slice < 0) continue
        costs.ours.push(our)
        costs.theirs.push(their)
      }
      const ratio = median(costs.theirs.map((cost, slice) => cost / (costs.ours[slice] ?? Number.NaN)))
      rows.push(toRow({ records, workload, unit: 'µs', samples: costs.ours, ratio, threshold: { atLeast: 1 } }))
      rows.push(toRow({ records, workload, contestant: theirName, unit: 'µs', samples: costs.theirs }))
    }
  } finally {
    fts.close()
    await store.close()
  }
  // Ours is a whole import of an unsorted CSV file; FTS5 gets prepared records in canonical order.
  const build = { records, workload: 'build (ours: whole import)', unit: 'records/s' }
  const ourRate = records / registry.build.seconds
  rows.push(toRow({ ...build, samples: [ourRate], ratio: ourRate / file.recordsPerSecond }))
  rows.push(toRow({ ...build, contestant: theirName, samples: [file.recordsPerSecond] }))
  const size = { records, workload: 'file', unit: 'MB' }
  rows.push(toRow({ ...size, samples: [registry.bytes / 1e6], ratio: file.bytes / registry.bytes }))
  rows.push(toRow({ ...size, contestant: theirName, samples: [file.bytes / 1e6] }))
  return rows
}

export async function queryOurs(snapshot: Snapshot, { code, search, municipality, year }: BenchQuery): Promise<string> {
  const page = await snapshot.page({
    code: code === undefined ? undefined : foldCode(code),
    term: search === undefined ? undefined : analyseTerm(search),
    municipality,
    year: year === undefined ? undefined : Number(year),
    limit: pageRecords,
  })
  return page?.text ?? ''
}

/** Returns the CPU time per query, in microseconds. */
async function measureFor(
  seconds: number,
  queries: readonly BenchQuery[],
  first: number,
  run: (query: BenchQuery) => Promise<string>,
): Promise<number> {
  const end = performance.now() + seconds * 1000
  const cpuStart = process.cpuUsage()
  let queriesRun = 0
  while (performance.now() < end) {
    const query = queries[(first + queriesRun++) % queries.length]
    if (query !== undefined) await run(query)
  }
  const { user, system } = process.cpuUsage(cpuStart)
  return (user + system) / queriesRun
}

const queriesCompared = 200

/** Prints how many pages are equal. They differ by stems, synonyms and other names of municipalities. */
async function reportAgreement(
  workload: string,
  queries: readonly BenchQuery[],
  ours: (query: BenchQuery) => Promise<string>,
  theirs: (query: BenchQuery) => Promise<string>,
): Promise<void> {
  let same = 0
  let records = { ours: 0, theirs: 0 }
  for (const query of queries.slice(0, queriesCompared)) {
    const our = readIds(await ours(query))
    const their = readIds(await theirs(query))
    if (our.join() === their.join()) same++
    records = { ours: records.ours + our.length, theirs: records.theirs + their.length }
  }
  const share = Math.round((same / queriesCompared) * 100)
  const counts = `${records.ours} and ${records.theirs} records`
  process.stderr.write(`${workload}: ${share} % of ${queriesCompared} pages are the same, ${counts}\n`)
}

function readIds(page: string): string[] {
  return (JSON.parse(`[${page}]`) as { id: string }[]).map(({ id }) => id)
}
