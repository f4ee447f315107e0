// Benchmark of queries in this process, without HTTP: from the query to the JSON of the first page. The baseline
// is SQLite with FTS5 on the same records (contestants/sqlite.ts). Both are measured in interleaved slices of time.
import { analyseTerm } from '../src/analysis/analyser.ts'
import { foldCode } from '../src/domain/inscription-code.ts'
import type { Snapshot } from '../src/registry/contract.ts'
import { openStore } from '../src/registry/open.ts'
import { FtsQueries, openFtsFile } from './contestants/sqlite.ts'
import { median, type Rounds, type Row, toRow } from './measure.ts'
import { type BenchQuery, drawQueries, pageRecords } from './query-kinds.ts'
import type { BenchRegistry } from './registries.ts'

const queriesPerKind = 20_000

/** Runs a query and returns the first page as JSON objects with commas between them. */
type RunQuery = (query: BenchQuery) => Promise<string>

/** Slices are short, so that a burst of other load on the machine affects few of them. */
const sliceSeconds = 0.1
/** Number of slices before the measurement. */
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
  const runOurs: RunQuery = (query) => queryOurs(store.current(), query)
  const runTheirs: RunQuery = async (query) => fts.page(query)
  const slices = Math.ceil((options.rounds * options.seconds) / sliceSeconds)
  const rows: Row[] = []
  try {
    for (const { workload, queries } of drawQueries(registry, { queriesPerKind })) {
      await reportAgreement(workload, queries, runOurs, runTheirs)
      const { ours, theirs } = await measureSlices(slices, queries, runOurs, runTheirs)
      // If the ratio is above 1, our queries take less time.
      const ratio = median(theirs.map((cost, slice) => cost / (ours[slice] ?? Number.NaN)))
      rows.push(toRow({ records, workload, unit: 'µs', samples: ours, ratio, threshold: { atLeast: 1 } }))
      rows.push(toRow({ records, workload, contestant: theirName, unit: 'µs', samples: theirs }))
    }
  } finally {
    fts.close()
    await store.close()
  }
  // Our build is a whole import of a CSV file, oldest record first. FTS5 gets prepared records, newest first, which is
  // the order of its rows.
  const build = { records, workload: 'build (ours: whole import)', unit: 'records/s' }
  const ourRate = records / registry.build.seconds
  rows.push(toRow({ ...build, samples: [ourRate], ratio: ourRate / ftsFile.recordsPerSecond }))
  rows.push(toRow({ ...build, contestant: theirName, samples: [ftsFile.recordsPerSecond] }))
  const size = { records, workload: 'file', unit: 'MB' }
  rows.push(toRow({ ...size, samples: [registry.bytes / 1e6], ratio: ftsFile.bytes / registry.bytes }))
  rows.push(toRow({ ...size, contestant: theirName, samples: [ftsFile.bytes / 1e6] }))
  return rows
}

/** Runs the query on our snapshot. Returns the first page as a `RunQuery` does; empty if nothing is found. */
async function queryOurs(snapshot: Snapshot, { code, search, municipality, year }: BenchQuery): Promise<string> {
  const page = await snapshot.page({
    code: code === undefined ? undefined : foldCode(code),
    term: search === undefined ? undefined : analyseTerm(search),
    municipality,
    year: year === undefined ? undefined : Number(year),
    limit: pageRecords,
  })
  return page?.text ?? ''
}

/** For each slice after the warm-up, our CPU time per query and theirs, in microseconds. */
async function measureSlices(
  slices: number,
  queries: readonly BenchQuery[],
  runOurs: RunQuery,
  runTheirs: RunQuery,
): Promise<{ ours: number[]; theirs: number[] }> {
  const ours: number[] = []
  const theirs: number[] = []
  // Negative slices are the warm-up.
  for (let slice = -warmUpSlices; slice < slices; slice++) {
    // The slices begin at queries that are spread evenly over the list.
    const firstQuery = Math.floor((queries.length / slices) * Math.max(slice, 0))
    const ourCost = await measureCpuMicroseconds(queries, firstQuery, runOurs)
    const theirCost = await measureCpuMicroseconds(queries, firstQuery, runTheirs)
    if (slice < 0) continue
    ours.push(ourCost)
    theirs.push(theirCost)
  }
  return { ours, theirs }
}

/** Runs queries for one slice, from the index `firstQuery` on. Returns the CPU time per query. */
async function measureCpuMicroseconds(
  queries: readonly BenchQuery[],
  firstQuery: number,
  run: RunQuery,
): Promise<number> {
  const endAt = performance.now() + sliceSeconds * 1000
  const cpuStart = process.cpuUsage()
  let queriesRun = 0
  while (performance.now() < endAt) {
    const query = queries[(firstQuery + queriesRun++) % queries.length]
    if (query !== undefined) await run(query)
  }
  const { user, system } = process.cpuUsage(cpuStart)
  return (user + system) / queriesRun
}

/** Number of queries of each kind whose pages are compared. */
const queriesCompared = 200

/**
 * Prints how many pages have the same records in the same order. The rest differ, because FTS5 has no stems, no
 * synonyms and no other names of municipalities, and because only we list records first whose title has the words side
 * by side.
 */
async function reportAgreement(
  workload: string,
  queries: readonly BenchQuery[],
  runOurs: RunQuery,
  runTheirs: RunQuery,
): Promise<void> {
  let equalPages = 0
  let ourRecords = 0
  let theirRecords = 0
  for (const query of queries.slice(0, queriesCompared)) {
    const ourIds = toIds(await runOurs(query))
    const theirIds = toIds(await runTheirs(query))
    if (ourIds.join() === theirIds.join()) equalPages++
    ourRecords += ourIds.length
    theirRecords += theirIds.length
  }
  const percent = Math.round((equalPages / queriesCompared) * 100)
  const counts = `${ourRecords} records of ours and ${theirRecords} of FTS5`
  process.stderr.write(`${workload}: ${percent} % of ${queriesCompared} pages are the same, ${counts}\n`)
}

/** The ids of the records of a page. */
function toIds(page: string): string[] {
  return (JSON.parse(`[${page}]`) as { id: string }[]).map(({ id }) => id)
}
