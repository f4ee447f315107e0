// Benchmark of a registry on PostgreSQL: import, first pages of every kind of query, export. The baseline is the query
// `SELECT 1` with the same driver. Without the URL of a server, it starts one that waits for the disk at each commit,
// as PostgreSQL does by default.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import type { Snapshot } from '../src/registry/contract.ts'
import { openStore } from '../src/registry/open.ts'
import { PostgresServer } from '../test/postgres-server.ts'
import { outputBytesMax } from './import.ts'
import { median, type Row, toRow } from './measure.ts'
import { queryOurs } from './queries.ts'
import { drawQueries } from './query-kinds.ts'
import type { BenchRegistry } from './registries.ts'

const command = fileURLToPath(new URL('../bin/planning-registry.js', import.meta.url))
const queriesPerKind = 500
const warmUpQueries = 50

/** Threshold of the ratio: the median time of a first page, divided by the time of `SELECT 1`, one round trip. */
const pageThreshold = { atMost: 3, of: 'ratio' } as const
/** Threshold of the rate of an export, in megabytes per second. One export is measured, so its rate is the median. */
const exportThreshold = { atLeast: 60, of: 'median' } as const

/**
 * Settings of the server. `PostgresServer`, which is made for tests, does not wait for the disk; the first three
 * settings restore the default. The others make the cache of the server large enough for the indexes, and checkpoints
 * rare during the import.
 */
const settings = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'shared_buffers=1GB', 'max_wal_size=4GB']

/** Imports the registry into the database `url` and measures there. Without `url` it starts a server. */
export async function benchPostgres(registry: BenchRegistry, url?: string): Promise<Row[]> {
  await using server = url === undefined ? await PostgresServer.start(settings) : undefined
  const database = server === undefined ? (url as string) : server.url()
  const { records, path } = registry
  // In these rows our own search has this name, because its registry is in PostgreSQL.
  const contestant = 'PostgreSQL'
  const rows: Row[] = []
  const rate = records / measureImportSeconds(database, path)
  rows.push(toRow({ records, workload: 'import from the SQLite file', contestant, unit: 'records/s', samples: [rate] }))
  const store = await openStore(database)
  const sql = postgres(database, { max: 1 })
  try {
    const snapshot = store.current()
    const ping = async (): Promise<unknown> => await sql`SELECT 1`
    for (const { workload, queries } of drawQueries(registry, { queriesPerKind })) {
      for (const query of queries.slice(0, warmUpQueries)) await queryOurs(snapshot, query)
      const pingsMs: number[] = []
      const pagesMs: number[] = []
      // The two are interleaved, so that other load on the machine affects both.
      for (const query of queries) {
        pingsMs.push(await measureMs(ping))
        pagesMs.push(await measureMs(() => queryOurs(snapshot, query)))
      }
      const ratio = median(pagesMs) / median(pingsMs)
      rows.push(toRow({ records, workload, contestant, unit: 'ms', samples: pagesMs, ratio, threshold: pageThreshold }))
      rows.push(toRow({ records, workload, contestant: 'SELECT 1', unit: 'ms', samples: pingsMs }))
    }
    const samples = [await measureExportRate(snapshot)]
    const workload = 'full export'
    rows.push(toRow({ records, workload, contestant, unit: 'MB/s', samples, threshold: exportThreshold }))
  } finally {
    await sql.end()
    await store.close()
  }
  return rows
}

/** Imports the registry from its SQLite file into the database. Returns the seconds that it takes. */
function measureImportSeconds(database: string, sqlitePath: string): number {
  const start = performance.now()
  const args = ['import', `sqlite:${sqlitePath}`, '--database', database]
  const { status, stderr } = spawnSync(process.execPath, [command, ...args], {
    encoding: 'utf8',
    maxBuffer: outputBytesMax,
  })
  if (status !== 0) throw new Error(`The import ended with status ${status}: ${stderr.slice(-500)}`)
  return (performance.now() - start) / 1000
}

async function measureMs(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

/** Reads all records. Returns megabytes per second. */
async function measureExportRate(snapshot: Snapshot): Promise<number> {
  let bytes = 0
  const start = performance.now()
  for await (const batch of snapshot.search({})) bytes += batch.bytes.length
  return bytes / 1e6 / ((performance.now() - start) / 1000)
}
