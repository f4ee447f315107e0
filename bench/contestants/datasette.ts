// Datasette (PyPI), on the same records in SQLite with its indexes and its full-text search (sqlite.ts).
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Peer, PeerQuestion } from '../peer-work.ts'
import { type BenchRegistry, benchFolder } from '../registries.ts'
import { freePort, untilAnswers } from './nginx.ts'
import { openPlainDatabase } from './sqlite.ts'
import { stop } from './start.ts'

export async function startDatasette(registry: BenchRegistry): Promise<Peer | string> {
  const folder = benchFolder('datasette')
  const bin = join(folder, 'venv/bin/datasette')
  if (!existsSync(bin)) {
    const made = spawnSync('python3', ['-m', 'venv', join(folder, 'venv')], { stdio: 'ignore' })
    if (made.status !== 0) return 'there is no python3 with venv'
    const pip = spawnSync(join(folder, 'venv/bin/pip'), ['install', '-q', 'datasette'], { stdio: 'ignore' })
    if (pip.status !== 0) return 'pip could not install it'
  }
  const file = await openPlainDatabase(registry)
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

function toPath(table: string, { code, search, municipality, year }: PeerQuestion): string {
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
