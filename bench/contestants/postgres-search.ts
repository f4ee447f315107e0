// A peer, which is another server that answers the same queries on the same records: PostgreSQL full-text search
// (Spanish dictionary, GIN index) behind a plain Fastify route, a common way to write such a service. The PostgreSQL
// server is the one that the tests use (test/postgres-server.ts).
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { PostgresServer } from '../../test/postgres-server.ts'
import { type BenchQuery, pageRecords } from '../query-kinds.ts'
import { type BenchRegistry, benchFolder } from '../registries.ts'
import { generatePeerRecords, type Peer } from './peer.ts'
import { readCpuSeconds, startProcess } from './start.ts'

const routeScript = fileURLToPath(new URL('./postgres-route.ts', import.meta.url))
/** Rows in one INSERT statement. */
const batchRows = 1000

/**
 * Installs Fastify if it is missing, loads the records and starts the route. Resolves to the reason, as a text, if
 * Fastify cannot be installed.
 */
export async function startPostgresSearch(registry: BenchRegistry): Promise<Peer | string> {
  const folder = benchFolder('fastify')
  const fastifyPath = join(folder, 'node_modules/fastify/fastify.js')
  if (!existsSync(fastifyPath)) {
    const { status } = spawnSync('npm', ['install', '--prefix', folder, 'fastify@5.12.8'], { stdio: 'ignore' })
    if (status !== 0) return 'npm cannot install Fastify'
  }
  const server = await PostgresServer.start(['shared_buffers=1GB'])
  try {
    await load(server.url(), registry)
    const args = [routeScript, server.url(), fastifyPath]
    const { baseUrl, cpuSeconds, stop } = await startProcess('Fastify', process.execPath, args)
    return {
      origin: baseUrl,
      toPath,
      supportsPassages: true,
      cpuSeconds: () => cpuSeconds() + readCpuSeconds(server.pid),
      stop: async () => {
        await stop()
        await server[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await server[Symbol.asyncDispose]()
    throw error
  }
}

/** Creates the table with its indexes and loads the records into it. */
async function load(url: string, registry: BenchRegistry): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql.unsafe(`CREATE TABLE record (code text PRIMARY KEY, title text, area text, checkin_date text,
    inscription_date text, municipality text, links text, content text, year text)`)
  let rows: Record<string, string | null>[] = []
  const insertBatch = async (): Promise<void> => {
    if (rows.length > 0) await sql`INSERT INTO record ${sql(rows)}`
    rows = []
  }
  for await (const { checkinDate, inscriptionDate, ...rest } of generatePeerRecords(registry)) {
    rows.push({ ...rest, checkin_date: checkinDate, inscription_date: inscriptionDate, year: checkinDate.slice(0, 4) })
    if (rows.length === batchRows) await insertBatch()
  }
  await insertBatch()
  await sql.unsafe(`ALTER TABLE record ADD COLUMN words tsvector
      GENERATED ALWAYS AS (to_tsvector('spanish', title || ' ' || content)) STORED;
    CREATE INDEX ON record USING gin (words); CREATE INDEX ON record (checkin_date DESC, code);
    CREATE INDEX ON record (municipality, checkin_date DESC, code);
    CREATE INDEX ON record (municipality, year, checkin_date DESC, code); ANALYZE record`)
  await sql.end()
}

/** The route takes a year as `checkin_date`, as our API does. */
function toPath({ code, search, municipality, year, withPassages }: BenchQuery): string {
  if (code !== undefined) return `/record/${encodeURIComponent(code)}`
  const parameters = new URLSearchParams({ limit: String(pageRecords) })
  if (search !== undefined) parameters.set('search', search)
  if (municipality !== undefined) parameters.set('municipality', municipality)
  if (year !== undefined) parameters.set('checkin_date', year)
  if (withPassages) parameters.set('include', 'passages')
  return `/record?${parameters}`
}
