// kill -9 during an import into PostgreSQL, at evenly spread times: the old or the new snapshot is in service and
// intact, no schema of an unfinished snapshot is left on the server, and the next import succeeds. A snapshot is a
// complete copy of the registry with its index, in a schema of its own.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { checkStore, openStore } from '../../src/registry/open.ts'
import { PostgresServer } from '../postgres-server.ts'
import { publishRecords } from '../service.ts'

const command = fileURLToPath(new URL('../../bin/planning-registry.js', import.meta.url))
const killCount = 20
/** Records of the snapshot that the import publishes. The old snapshot has one record. */
const newRecordCount = 1500

test('kill -9 of an import leaves the old or the new snapshot in service, and no unfinished schema', async (t) => {
  await using server = await PostgresServer.start()
  const folder = await mkdtemp(join(tmpdir(), 'planning-registry-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await run(['sample', folder, '--records', String(newRecordCount), '--documents', '0'])
  // The import removes the only record of the old snapshot, `OLD-1`, which `--max-gone` must allow.
  const importArgs = ['import', join(folder, 'records.csv'), '--database', server.url(), '--max-gone', '100%']

  const startedAt = performance.now()
  await run(importArgs)
  const importMs = performance.now() - startedAt
  let killed = 0
  for (let attempt = 0; attempt < killCount; attempt++) {
    await publishRecords(server.url(), [{ code: 'OLD-1' }])
    const child = spawn(process.execPath, [command, ...importArgs], { stdio: 'ignore' })
    const ended = once(child, 'exit')
    // The times are spread evenly over the duration of an import, and a little beyond.
    await Promise.race([ended, setTimeout((importMs * 1.1 * (attempt + 1)) / killCount)])
    child.kill('SIGKILL')
    const [, signal] = await ended
    if (signal === 'SIGKILL') killed++
    const { metadata, faults } = await checkStore(server.url())
    assert.deepEqual(faults, [])
    assert.ok([1, newRecordCount].includes(metadata?.records ?? 0), `${metadata?.records} records`)
    assert.deepEqual(
      await readSchemas(server),
      await readListedSnapshots(server),
      'every schema is a snapshot that is listed',
    )
  }
  t.diagnostic(
    `${killed} injections: of ${killCount} imports, the others had ended; one takes ${Math.round(importMs)} ms`,
  )
  assert.ok(killed > killCount / 3, `only ${killed} imports were still running when they were to be killed`)
  await run(importArgs)
  const store = await openStore(server.url())
  assert.equal(store.current().metadata.records, newRecordCount)
  await store.close()
})

/** Runs a command of the program, which must succeed. */
async function run(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [command, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'exit')
  assert.equal(code, 0, args.join(' '))
}

/** The schemas of snapshots that are on the server. */
async function readSchemas(server: PostgresServer): Promise<string[]> {
  return readNames(server, `SELECT nspname AS name FROM pg_namespace WHERE nspname ~ '^registry_' ORDER BY 1`)
}

/** The schemas of snapshots that the table of snapshots names, in the order of `readSchemas`: by bytes. */
async function readListedSnapshots(server: PostgresServer): Promise<string[]> {
  return readNames(server, 'SELECT name FROM registry.snapshot ORDER BY name COLLATE "C"')
}

async function readNames(server: PostgresServer, statement: string): Promise<string[]> {
  const sql = postgres(server.url(), { max: 1 })
  try {
    return (await sql.unsafe(statement)).map(({ name }) => String(name))
  } finally {
    await sql.end()
  }
}
