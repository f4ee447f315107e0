// json-server 0.17 (npm), the last one with full-text search: one JSON file, filters and `q` over all fields.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Peer, type PeerRecord, readPeerRecords } from '../peer-records.ts'
import type { Question } from '../query-kinds.ts'
import { type BenchRegistry, benchFolder } from '../registries.ts'
import { freePort, stop, untilAnswers } from './start.ts'

export async function startJsonServer(registry: BenchRegistry): Promise<Peer | string> {
  const folder = benchFolder('json-server')
  const bin = join(folder, 'node_modules/json-server/lib/cli/bin.js')
  if (!existsSync(bin)) {
    const { status } = spawnSync('npm', ['install', '--prefix', folder, 'json-server@0.17.4'], { stdio: 'ignore' })
    if (status !== 0) return 'npm could not install it'
  }
  const file = join(folder, `records-${registry.records}.json`)
  if (!existsSync(file)) {
    const records: (PeerRecord & { id: string; year: string })[] = []
    for await (const record of readPeerRecords(registry)) {
      records.push({ id: record.code, year: record.checkinDate.slice(0, 4), ...record })
    }
    writeFileSync(file, JSON.stringify({ record: records }))
  }
  const port = await freePort()
  const child = spawn(process.execPath, [bin, '--quiet', '--port', String(port), '--host', '127.0.0.1', file], {
    stdio: 'ignore',
  })
  const origin = `http://127.0.0.1:${port}`
  await untilAnswers(`${origin}/record?_limit=1`)
  return { name: 'json-server', origin, toPath, stop: () => stop(child) }
}

function toPath({ code, search, municipality, year }: Question): string {
  if (code !== undefined) return `/record/${encodeURIComponent(code)}`
  const asked = new URLSearchParams({ _limit: '20', _sort: 'checkinDate', _order: 'desc' })
  if (search !== undefined) asked.set('q', search)
  if (municipality !== undefined) asked.set('municipality', municipality)
  if (year !== undefined) asked.set('year', year)
  return `/record?${asked}`
}
