// Datasette (PyPI) on the same records as it wants them: a table with an index on each filter, and FTS5 with the table
// as its content.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Peer, readPeerRecords } from '../peer-records.ts'
import type { Question } from '../query-kinds.ts'
import { type BenchRegistry, benchFolder } from '../registries.ts'
import { freePort, stop, untilAnswers } from './start.ts'

export async function startDatasette(registry: BenchRegistry): Promise<Peer | string> {
  const folder = benchFolder('datasette')
  const bin = join(folder, 'venv/bin/datasette')
  if (!existsSync(bin)) {
    const made = spawnSync('python3', ['-m', 'venv', join(folder, 'venv')], { stdio: 'ignore' })
    if (made.status !== 0) return 'there is no python3 with venv'
    const pip = spawnSync(join(folder, 'venv/bin/pip'), ['install', '-q', 'datasette'], { stdio: 'ignore' })
    if (pip.status !== 0) return 'pip could not install it'
  }
  const file = join(folder, `registry${registry.records}.db`)
  if (!existsSync(file)) await build(file, registry)
  const port = await freePort()
  const settings = ['suggest_facets', 'off', 'default_page_size', '20', 'num_sql_threads', '2', 'allow_facet', 'off']
  const flags: string[] = []
  for (let i = 0; i < settings.length; i += 2) flags.push('--setting', settings[i] ?? '', settings[i + 1] ?? '')
  const child = spawn(bin, ['serve', '-i', file, '-p', String(port), ...flags], { stdio: 'ignore' })
  const origin = `http://127.0.0.1:${port}`
  await untilAnswers(`${origin}/-/versions.json`)
  const table = `/registry${registry.records}/record`
  return { name: 'Datasette', origin, toPath: (question) => toPath(table, question), stop: () => stop(child) }
}

function toPath(table: string, { code, search, municipality, year }: Question): string {
  // The same columns that ours sends, and no count of all matches.
  const columns = ['code', 'title', 'area', 'checkin_date', 'inscription_date', 'municipality', 'links']
  const asked = new URLSearchParams(columns.map((column) => ['_col', column]))
  asked.set('_shape', 'array')
  asked.set('_nocount', '1')
  asked.set('_sort_desc', 'checkin_date')
  if (code !== undefined) asked.set('code', code)
  if (search !== undefined) asked.set('_search', search)
  if (municipality !== undefined) asked.set('municipality', municipality)
  if (year !== undefined) asked.set('year', year)
  return `${table}.json?${asked}`
}

async function build(file: string, registry: BenchRegistry): Promise<void> {
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA journal_mode = OFF; BEGIN;
    CREATE TABLE record (code TEXT PRIMARY KEY, title TEXT, area TEXT, checkin_date TEXT, inscription_date TEXT,
      municipality TEXT, links TEXT, content TEXT, year TEXT)`)
  const insert = database.prepare('INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for await (const each of readPeerRecords(registry)) {
    const { code, title, area, checkinDate, inscriptionDate, municipality, links, content } = each
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
