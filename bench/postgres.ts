// Benchmark of a registry on PostgreSQL: import, first pages of every kind of query, export. The baseline is a `SELECT
// 1` with the same driver. Without a URL it starts a server with the default durability settings.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import type { Snapshot } from '../src/snapshot/contract.ts'
import { openStore } from '../src/snapshot/open.ts'
import { PostgresServer } from '../test/postgres-server.ts'
import { median, type Row, toRow } from './measure.ts'
import { queryOurs } from './queries.ts'
import { drawQueries } from './query-kinds.ts'
import type { BenchRegistry } from './registries.ts'

const command = fileURLToPath(new URL('../bin/planning-registry.js', import.meta.url))
const queriesPerKind = 500
const warmUpQueries = 50

/** Threshold: the median time of a first page, divided by that of a `SELECT 1`. */
const roundTripsMax = 3
/** Threshold: the rate of an export. */
const exportMegabytesPerSecondMin = 60

/** Default durability, and enough memory for the indexes. */
const settings = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'shared_buffers=1GB', 'max_wal_size=4GB']

export async function benchPostgres(registry: BenchRegistry, url?: string): Promise<Row[]> {
  await using server = url === undefined ? await PostgresServer.start(settings) : undefined
  const database = url ?? server?.url() ?? ''
  const { records, path } = registry
  // Our own search, on a registry in PostgreSQL.
  const contestant = 'PostgreSQL'
  const rows: Row[] = []

  const start = performance.now()
  const args = ['import', `sqlite:${path}`, '--database', database]
  const { status, stderr } = spawnSync(process.execPath, [command, ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The import ended with status ${status}: ${stderr.slice(-500)}`)
  const rate = records / ((performance.now() - start) / 1000)
  rows.push(toRow({ records, workload: 'import from the SQLite file', contestant, unit: 'records/s', samples: [rate] }))

  const store = await openStore(database)
  const sql = postgres(database, { max: 1 })
  try {
    const snapshot = store.current()
    const ping = async (): Promise<unknown> => await sql`SELECT 1`
    for (const { workload, queries } of drawQueries(registry, undefined, queriesPerKind)) {
      for (const query of queries.slice(0, warmUpQueries)) await queryOurs(snapshot, query)
      const pingsMs: number[] = []
      const pagesMs: number[] = []
      // Interleaved, so that other load on the machine affects both.
      for (const query of queries) {
        pingsMs.push(await measureMs(ping))
        pagesMs.push(await measureMs(() => queryOurs(snapshot, query)))
      }
      const ratio = median(pagesMs) / median(pingsMs)
      rows.push(
        toRow({
          records,
          workload,
          contestant,
          unit: 'ms',
          samples: pagesMs,
          ratio,
          threshold: { atMost: roundTripsMax },
        }),
      )
      rows.push(toRow({ records, workload, contestant: 'SELECT 1', unit: 'ms', samples: pingsMs }))
    }
    const samples = [await measureExport(snapshot)]
    const threshold = { atLeast: exportMegabytesPerSecondMin, of: 'median' } as const
    rows.push(toRow({ records, workload: 'full export', contestant, unit: 'MB/s', samples, threshold }))
  } finally {
    await sql.end()
    await store.close()
  }
  return rows
}

async function measureMs(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

/** Reads all records. Returns the rate in megabytes per second. */
async function measureExport(snapshot: Snapshot): Promise<number> {
  let bytes = 0
  const start = performance.now()
  for await (const batch of snapshot.search({})) bytes += batch.bytes.length
  return bytes / 1e6 / ((performance.now() - start) / 1000)
}
