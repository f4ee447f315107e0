// kill -9 during an import into PostgreSQL, at evenly spread times: the old or the new registry is in service and
// intact, the records for SQL are those of that registry, and the next import succeeds.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { checkStore, openStore } from '../../src/registry/open.ts'
import { queryValue } from '../postgres-cluster.ts'
import { PostgresServer } from '../postgres-server.ts'
import { publishRecords } from '../service.ts'

const command = fileURLToPath(new URL('../../bin/planning-registry.js', import.meta.url))
const killCount = 20
/** Records that the import publishes. The old registry has one record. */
const newRecordCount = 1500

test('kill -9 of an import leaves the old or the new registry in service, file and records alike', async (t) => {
  await using server = await PostgresServer.start()
  const folder = await mkdtemp(join(tmpdir(), 'planning-registry-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await run(['sample', folder, '--records', String(newRecordCount), '--documents', '0'])
  // The import removes the only record of the old registry, `OLD-1`, which `--max-gone` must allow.
  const dataDir = join(folder, 'data')
  const target = ['--database', server.url(), '--data-dir', dataDir]
  const importArgs = ['import', join(folder, 'records.csv'), ...target, '--max-gone', '100%']
  /** The local copy of another machine. */
  const readerOptions = { dataDir: join(folder, 'other') }

  const startedAt = performance.now()
  await run(importArgs)
  const importMs = performance.now() - startedAt
  let killed = 0
  for (let attempt = 0; attempt < killCount; attempt++) {
    await publishRecords(server.url(), [{ code: 'OLD-1' }], { dataDir })
    const child = spawn(process.execPath, [command, ...importArgs], { stdio: 'ignore' })
    const ended = once(child, 'exit')
    // The times are spread evenly over the duration of an import, and a little beyond.
    await Promise.race([ended, setTimeout((importMs * 1.1 * (attempt + 1)) / killCount)])
    child.kill('SIGKILL')
    const [, signal] = await ended
    if (signal === 'SIGKILL') killed++
    const { metadata, faults } = await checkStore(server.url(), readerOptions)
    assert.deepEqual(faults, [])
    assert.ok([1, newRecordCount].includes(metadata?.records ?? 0), `${metadata?.records} records`)
    assert.equal(await countRows(server), metadata?.records)
  }
  t.diagnostic(
    `${killed} injections: of ${killCount} imports, the others had ended; one takes ${Math.round(importMs)} ms`,
  )
  assert.ok(killed > killCount / 3, `only ${killed} imports were still running when they were to be killed`)
  await run(importArgs)
  const store = await openStore(server.url(), { ...readerOptions, fetchesFirst: true })
  assert.equal(store.current().metadata.records, newRecordCount)
  await store.close()
})

/** Runs a command of the program, which must succeed. */
async function run(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [command, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'exit')
  assert.equal(code, 0, args.join(' '))
}

async function countRows(server: PostgresServer): Promise<number> {
  return Number(await queryValue(server, 'SELECT count(*) AS value FROM registry.expediente'))
}
