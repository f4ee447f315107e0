// A peer, which is another server that answers the same queries on the same records: Datasette (from PyPI), on a SQLite
// table with indexes for the filters and an FTS5 index that reads its texts from the table.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type BenchQuery, pageRecords } from '../query-kinds.ts'
import { type BenchRegistry, benchFolder } from '../registries.ts'
import { generatePeerRecords, type Peer } from './peer.ts'
import { freePort, toContestant, waitUntilReady } from './start.ts'

/**
 * Starts Datasette. First installs it and builds its database, if they do not exist. Resolves to the reason, as a
 * text, if it cannot be installed.
 */
export async function startDatasette(registry: BenchRegistry): Promise<Peer | string> {
  const folder = benchFolder('datasette')
  const bin = join(folder, 'venv/bin/datasette')
  if (!existsSync(bin)) {
    const made = spawnSync('python3', ['-m', 'venv', join(folder, 'venv')], { stdio: 'ignore' })
    if (made.status !== 0) return 'python3 with venv is not installed'
    const pip = spawnSync(join(folder, 'venv/bin/pip'), ['install', '-q', 'datasette'], { stdio: 'ignore' })
    if (pip.status !== 0) return 'pip cannot install Datasette'
  }
  const path = join(folder, `registry${registry.records}.db`)
  if (!existsSync(path)) await build(path, registry)
  const port = await freePort()
  // Facets would cost queries of their own, and our responses have no facets.
  const settings = {
    suggest_facets: 'off',
    default_page_size: String(pageRecords),
    num_sql_threads: '2',
    allow_facet: 'off',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['--setting', name, value])
  // `-i`: the file is immutable, so Datasette may cache its row counts.
  const child = spawn(bin, ['serve', '-i', path, '-p', String(port), ...flags], { stdio: 'ignore' })
  const origin = `http://127.0.0.1:${port}`
  await waitUntilReady(`${origin}/-/versions.json`)
  const table = `/registry${registry.records}/record`
  const { cpuSeconds, stop } = toContestant('Datasette', origin, 0, child)
  return { origin, toPath: (query) => toPath(table, query), supportsPassages: false, cpuSeconds, stop }
}

/** `table` is the path of the table, which begins with the name of the database file: `/registry100000/record`. */
function toPath(table: string, { code, search, municipality, year }: BenchQuery): string {
  // The fields of `PeerRecord` without `content`.
  const columns = ['code', 'title', 'area', 'checkin_date', 'inscription_date', 'municipality', 'links']
  const parameters = new URLSearchParams(columns.map((column) => ['_col', column]))
  parameters.set('_shape', 'array')
  parameters.set('_nocount', '1')
  parameters.set('_sort_desc', 'checkin_date')
  if (code !== undefined) parameters.set('code', code)
  if (search !== undefined) parameters.set('_search', search)
  if (municipality !== undefined) parameters.set('municipality', municipality)
  if (year !== undefined) parameters.set('year', year)
  return `${table}.json?${parameters}`
}

async function build(path: string, registry: BenchRegistry): Promise<void> {
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = OFF; BEGIN;
    CREATE TABLE record (code TEXT PRIMARY KEY, title TEXT, area TEXT, checkin_date TEXT, inscription_date TEXT,
      municipality TEXT, links TEXT, content TEXT, year TEXT)`)
  const insert = database.prepare('INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for await (const record of generatePeerRecords(registry)) {
    const { code, title, area, checkinDate, inscriptionDate, municipality, links, content } = record
    const year = checkinDate.slice(0, 4)
    insert.run(code, title, area, checkinDate, inscriptionDate, municipality, links, content, year)
  }
  database.exec(`CREATE INDEX by_date ON record (checkin_date DESC, code);
    CREATE INDEX by_municipality ON record (municipality, checkin_date DESC, code);
    CREATE INDEX by_municipality_year ON record (municipality, year, checkin_date DESC, code);
    CREATE VIRTUAL TABLE record_fts USING fts5 (title, content, content = record, tokenize = 'unicode61');
    INSERT INTO record_fts (rowid, title, content) SELECT rowid, title, content FROM record;
    COMMIT; ANALYZE`)
  database.close()
}
