// How the registry on PostgreSQL compares with the round trip of `SELECT 1` by the same driver: move, first pages of
// every kind of question, export. Without an address it starts a server with the durability of a default installation.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import type { Snapshot } from '../src/snapshot/contract.ts'
import { openStore } from '../src/snapshot/open.ts'
import { PostgresServer } from '../test/postgres-server.ts'
import { median, type Row, toRow } from './measure.ts'
import { askOurs } from './queries.ts'
import { drawQuestions } from './query-kinds.ts'
import type { BenchRegistry } from './registries.ts'

const command = fileURLToPath(new URL('../bin/planning-registry.js', import.meta.url))
const questionsMax = 500
const warmUpQuestions = 50

/** A first page within so many round trips, at the median. */
const roundTripsMax = 3
const exportMegabytesMin = 60

/** As installed, but with room for the indexes in memory. */
const settings = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'shared_buffers=1GB', 'max_wal_size=4GB']

export async function benchPostgres(registry: BenchRegistry, url?: string): Promise<Row[]> {
  await using server = url === undefined ? await PostgresServer.start(settings) : undefined
  const database = url ?? server?.url() ?? ''
  const { records, path } = registry
  const contestant = 'PostgreSQL'
  const rows: Row[] = []

  const start = performance.now()
  const move = ['import', `sqlite:${path}`, '--database', database]
  const { status, stderr } = spawnSync(process.execPath, [command, ...move], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`import ended with status ${status}: ${stderr.slice(-500)}`)
  const rate = records / ((performance.now() - start) / 1000)
  rows.push(toRow({ records, work: 'move from the file', contestant, unit: 'records/s', figures: [rate] }))

  const store = await openStore(database)
  const sql = postgres(database, { max: 1 })
  try {
    const snapshot = store.current()
    const ping = async (): Promise<unknown> => await sql`SELECT 1`
    for (const { work, questions } of drawQuestions(registry, undefined, questionsMax)) {
      for (const question of questions.slice(0, warmUpQuestions)) await askOurs(snapshot, question)
      const pings: number[] = []
      const pages: number[] = []
      // In turns, so that whatever else the machine does affects both.
      for (const question of questions) {
        pings.push(await time(ping))
        pages.push(await time(() => askOurs(snapshot, question)))
      }
      const ratio = median(pages) / median(pings)
      rows.push(toRow({ records, work, contestant, unit: 'ms', figures: pages, ratio, bar: { atMost: roundTripsMax } }))
      rows.push(toRow({ records, work, contestant: 'SELECT 1', unit: 'ms', figures: pings }))
    }
    const figures = [await exportRate(snapshot)]
    const bar = { atLeast: exportMegabytesMin, of: 'median' } as const
    rows.push(toRow({ records, work: 'export of everything', contestant, unit: 'MB/s', figures, bar }))
  } finally {
    await sql.end()
    await store.close()
  }
  return rows
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function exportRate(snapshot: Snapshot): Promise<number> {
  let bytes = 0
  const start = performance.now()
  for await (const batch of snapshot.search({})) bytes += batch.bytes.length
  return bytes / 1e6 / ((performance.now() - start) / 1000)
}
