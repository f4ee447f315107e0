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

const queriesPerKind = 20_000

/** Slices are short, so that a burst of other load on the machine affects few of them. */
const sliceSeconds = 0.1
const warmUpSlices = 10

export interface QueryOptions extends Rounds {
  /** Whether FTS5 has an index of prefixes. */
  readonly prefixIndex: boolean
  /** Whether the FTS5 database is built again. */
  readonly rebuild: boolean
}

export async function benchQueries(registry: BenchRegistry, options: QueryOptions): Promise<Row[]> {
  const { records } = registry
  const ftsFile = await openFtsFile(registry, options)
  const store = await openStore(`sqlite:${registry.path}`)
  const fts = new FtsQueries(ftsFile.path)
  const theirName = options.prefixIndex ? "FTS5, prefix = '3 4 5 6'" : 'FTS5'
  const ours = (query: BenchQuery): Promise<string> => queryOurs(store.current(), query)
  const theirs = async (query: BenchQuery): Promise<string> => fts.page(query)
  const rows: Row[] = []
  try {
    for (const { workload, queries } of drawQueries(registry, undefined, queriesPerKind)) {
      await reportAgreement(workload, queries, ours, theirs)
      // CPU time per query, in microseconds, for each slice.
      const ourCosts: number[] = []
      const theirCosts: number[] = []
      const slices = Math.ceil((options.rounds * options.seconds) / sliceSeconds)
      // Negative slices are the warm-up.
      for (let slice = -warmUpSlices; slice < slices; slice++) {
        // Every slice begins at another query, so that together they run through the whole list.
        const firstQuery = Math.floor((queries.length / slices) * Math.max(slice, 0))
        const ourCost = await measureCpuMicroseconds(sliceSeconds, queries, firstQuery, ours)
        const theirCost = await measureCpuMicroseconds(sliceSeconds, queries, firstQuery, theirs)
        if (slice < 0) continue
        ourCosts.push(ourCost)
        theirCosts.push(theirCost)
      }
      // Above 1, ours takes less time.
      const ratio = median(theirCosts.map((cost, slice) => cost / (ourCosts[slice] ?? Number.NaN)))
      rows.push(toRow({ records, workload, unit: 'µs', samples: ourCosts, ratio, threshold: { atLeast: 1 } }))
      rows.push(toRow({ records, workload, contestant: theirName, unit: 'µs', samples: theirCosts }))
    }
  } finally {
    fts.close()
    await store.close()
  }
  // Ours is a whole import of an unsorted CSV file; FTS5 gets prepared records in canonical order.
  const build = { records, workload: 'build (ours: whole import)', unit: 'records/s' }
  const ourRate = records / registry.build.seconds
  rows.push(toRow({ ...build, samples: [ourRate], ratio: ourRate / ftsFile.recordsPerSecond }))
  rows.push(toRow({ ...build, contestant: theirName, samples: [ftsFile.recordsPerSecond] }))
  const size = { records, workload: 'file', unit: 'MB' }
  rows.push(toRow({ ...size, samples: [registry.bytes / 1e6], ratio: ftsFile.bytes / registry.bytes }))
  rows.push(toRow({ ...size, contestant: theirName, samples: [ftsFile.bytes / 1e6] }))
  return rows
}

/** Runs the query on our snapshot and returns the text of the first page, empty if nothing is found. */
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

/** Runs queries for the given time, from the index `firstQuery` on. Returns the CPU time per query. */
async function measureCpuMicroseconds(
  seconds: number,
  queries: readonly BenchQuery[],
  firstQuery: number,
  run: (query: BenchQuery) => Promise<string>,
): Promise<number> {
  const endAt = performance.now() + seconds * 1000
  const cpuStart = process.cpuUsage()
  let queriesRun = 0
  while (performance.now() < endAt) {
    const query = queries[(firstQuery + queriesRun++) % queries.length]
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
  let equalPages = 0
  let ourRecords = 0
  let theirRecords = 0
  for (const query of queries.slice(0, queriesCompared)) {
    const ourIds = toIds(await ours(query))
    const theirIds = toIds(await theirs(query))
    if (ourIds.join() === theirIds.join()) equalPages++
    ourRecords += ourIds.length
    theirRecords += theirIds.length
  }
  const percent = Math.round((equalPages / queriesCompared) * 100)
  const counts = `${ourRecords} and ${theirRecords} records`
  process.stderr.write(`${workload}: ${percent} % of ${queriesCompared} pages are the same, ${counts}\n`)
}

/** The ids of the records of a page, which is JSON objects with commas between them. */
function toIds(page: string): string[] {
  return (JSON.parse(`[${page}]`) as { id: string }[]).map(({ id }) => id)
}
