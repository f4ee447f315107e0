// How the registry on PostgreSQL compares with the round trip of `SELECT 1` through the same pool: move, first pages
// of every kind of question, export. `node bench/postgres.ts [RECORDS] [postgres://…]` runs it alone; without an
// address it starts a server of its own with the durability of a default installation.
import { pathToFileURL } from 'node:url'
import { parseAsked, recordParameters } from '../src/api/parse.ts'
import type { Query } from '../src/record/query.ts'
import { moveRegistry } from '../src/store/open.ts'
import { parseAddress } from '../src/store/postgres/address.ts'
import { Hosts } from '../src/store/postgres/hosts.ts'
import { newestOf } from '../src/store/postgres/schema.ts'
import { PostgresStorage } from '../src/store/postgres/storage.ts'
import { StoredSnapshot } from '../src/store/snapshot.ts'
import type { Snapshot } from '../src/store/store.ts'
import { PostgresServer } from '../test/postgres-server.ts'
import { median, type Row } from './measure.ts'
import { drawQuestions } from './questions.ts'
import { openRegistry } from './registries.ts'

const questionsMax = 500

/** A first page within so many round trips, at the median. */
const roundTripsMax = 3
const exportMegabytesMin = 60

export async function benchPostgres(records: number, url?: string): Promise<Row[]> {
  await using server = url === undefined ? await PostgresServer.start(ordinary) : undefined
  const database = url ?? server?.url() ?? ''
  const rows: Row[] = []
  const row = (work: string, contestant: string, figures: readonly number[], rest: Partial<Row> & { unit: string }) => {
    const sorted = figures.toSorted((a, b) => a - b)
    const [least = 0, most = 0] = [sorted[0], sorted.at(-1)]
    rows.push({ records, work, contestant, median: median(figures), least, most, ...rest })
  }

  const { path } = await openRegistry(records)
  const startedAt = performance.now()
  await moveRegistry(`sqlite:${path}`, database, { dryRun: false })
  row('move from the file', 'PostgreSQL', [records / ((performance.now() - startedAt) / 1000)], { unit: 'records/s' })

  const hosts = new Hosts(parseAddress(database), () => undefined)
  try {
    await hosts.look()
    const [host] = hosts.all
    const entry = host?.state.kind === 'up' ? newestOf(host.state.snapshots) : undefined
    if (entry === undefined) throw new Error('the registry was not published')
    const snapshot = new StoredSnapshot(await PostgresStorage.open(hosts, entry))
    const ping = async (): Promise<void> => {
      await hosts.ask(entry.name, { text: 'SELECT 1' })
    }
    for (const { work, paths } of drawQuestions(path)) {
      const queries = paths.slice(0, questionsMax).map(toQuery)
      for (const query of queries.slice(0, 50)) await firstPage(snapshot, query)
      const pings: number[] = []
      const pages: number[] = []
      // In turns, so that whatever else the machine does meets both.
      for (const query of queries) {
        pings.push(await time(ping))
        pages.push(await time(() => firstPage(snapshot, query)))
      }
      const ratio = median(pages) / median(pings)
      row(work, 'PostgreSQL', pages, { unit: 'ms', ratio, bar: { atMost: roundTripsMax } })
      row(work, 'SELECT 1', pings, { unit: 'ms' })
    }
    const { megabytesPerSecond, rss } = await exportAll(snapshot)
    row('export of everything', 'PostgreSQL', [megabytesPerSecond], {
      unit: 'MB/s',
      bar: { atLeast: exportMegabytesMin, of: 'median' },
    })
    row('memory after the export', 'PostgreSQL', [rss], { unit: 'MB' })
  } finally {
    await hosts.close()
  }
  return rows
}

/** As installed, but with room for the indexes in memory. */
const ordinary = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'shared_buffers=1GB', 'max_wal_size=4GB']

function toQuery(path: string): Query {
  const [resource = '', rawQuery = ''] = path.split('?')
  const rawCode = /^record\/(.*)$/.exec(resource)?.[1]
  const asked = parseAsked(rawQuery, recordParameters, rawCode)
  if (!('query' in asked)) throw new Error(`${path} is no request`)
  return asked.query
}

async function firstPage(snapshot: Snapshot, query: Query): Promise<void> {
  await snapshot.page({ ...query, limit: query.limit ?? 1 })
}

async function time(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

async function exportAll(snapshot: Snapshot): Promise<{ megabytesPerSecond: number; rss: number }> {
  let bytes = 0
  const startedAt = performance.now()
  for await (const batch of snapshot.search({})) bytes += batch.bytes.length
  const seconds = (performance.now() - startedAt) / 1000
  return { megabytesPerSecond: bytes / 1e6 / seconds, rss: process.memoryUsage.rss() / 1e6 }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [records = '100000', url] = process.argv.slice(2)
  for (const { work, contestant, median: figure, most, unit, ratio } of await benchPostgres(Number(records), url)) {
    const times = ratio === undefined ? '' : `  ${ratio.toFixed(1)}×`
    console.log(
      `${work.padEnd(30)} ${contestant.padEnd(12)} ${figure.toFixed(3)} ${unit}  (most ${most.toFixed(2)})${times}`,
    )
  }
}
