// A peer, which is another server that answers the same queries on the same records: json-server 0.17 (from npm), the
// last version with full-text search, on one JSON file.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatePeerRecords, type Peer, type PeerRecord } from '../peer-records.ts'
import { type BenchQuery, pageRecords } from '../query-kinds.ts'
import { type BenchRegistry, benchFolder } from '../registries.ts'
import { freePort, stop, waitUntilReady } from './start.ts'

/**
 * Starts json-server. First installs it and writes its file, if they do not exist. Resolves to the reason, as a text,
 * if npm cannot install it.
 */
export async function startJsonServer(registry: BenchRegistry): Promise<Peer | string> {
  const folder = benchFolder('json-server')
  const bin = join(folder, 'node_modules/json-server/lib/cli/bin.js')
  if (!existsSync(bin)) {
    const { status } = spawnSync('npm', ['install', '--prefix', folder, 'json-server@0.17.4'], { stdio: 'ignore' })
    if (status !== 0) return 'npm cannot install json-server'
  }
  const path = join(folder, `records-${registry.records}.json`)
  if (!existsSync(path)) {
    const records: (PeerRecord & { id: string; year: string })[] = []
    for await (const record of generatePeerRecords(registry)) {
      // json-server looks up a record by its field `id`.
      records.push({ id: record.code, year: record.checkinDate.slice(0, 4), ...record })
    }
    writeFileSync(path, JSON.stringify({ record: records }))
  }
  const port = await freePort()
  const child = spawn(process.execPath, [bin, '--quiet', '--port', String(port), '--host', '127.0.0.1', path], {
    stdio: 'ignore',
  })
  const origin = `http://127.0.0.1:${port}`
  await waitUntilReady(`${origin}/record?_limit=1`)
  return { name: 'json-server', origin, toPath, stop: () => stop(child) }
}

function toPath({ code, search, municipality, year }: BenchQuery): string {
  if (code !== undefined) return `/record/${encodeURIComponent(code)}`
  const parameters = new URLSearchParams({ _limit: String(pageRecords), _sort: 'checkinDate', _order: 'desc' })
  if (search !== undefined) parameters.set('q', search)
  if (municipality !== undefined) parameters.set('municipality', municipality)
  if (year !== undefined) parameters.set('year', year)
  return `/record?${parameters}`
}
