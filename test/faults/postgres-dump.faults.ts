// A registry restored from pg_dump gives the same results. The test uses the pg_dump of the machine (Debian package
// postgresql), which refuses a server that is newer than itself. So the server, too, is the one of the machine, not the
// one of the npm package that other tests use.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { toRecordContent } from '../../src/domain/document.ts'
import { toStoredRecord } from '../../src/domain/record.ts'
import { checkStore, openStore } from '../../src/registry/open.ts'
import { sampleRecords } from '../../src/sample/records.ts'
import { PostgresServer } from '../postgres-server.ts'
import { readAll, readPages } from '../registry/reading.ts'
import { publishEntries } from '../service.ts'
import { requireTool } from './tools.ts'

const run = promisify(execFile)

test('a registry restored from pg_dump gives the same results, and its check finds no faults', async () => {
  await requireTool('pg_config')
  const binFolder = (await run('pg_config', ['--bindir'])).stdout.trim()
  /** The path of a program of PostgreSQL. */
  const toPath = (name: string): string => join(binFolder, name)
  await using server = await PostgresServer.start(/* settings */ [], {
    postgres: toPath('postgres'),
    initdb: toPath('initdb'),
  })
  const folder = await mkdtemp(join(tmpdir(), 'planning-registry-dump-'))
  const dataDir = join(folder, 'data')
  const entries = await Array.fromAsync(
    sampleRecords({ records: 500, documents: 0, seed: 'dump' }),
    ({ record, content }) => ({ record: toStoredRecord(record), content: toRecordContent(content) }),
  )
  await publishEntries(server.url(), () => entries, { fictional: true, dataDir })
  const expected = await readResults(server.url(), dataDir)
  try {
    const dump = join(folder, 'registry.dump')
    await run(toPath('pg_dump'), ['--format=custom', `--file=${dump}`, server.url()])
    await run(toPath('createdb'), [`--maintenance-db=${server.url()}`, 'restored'])
    await run(toPath('pg_restore'), ['--single-transaction', `--dbname=${server.url('restored')}`, dump])
    assert.deepEqual(await readResults(server.url('restored'), dataDir), expected)
    assert.deepEqual((await checkStore(server.url('restored'), { dataDir })).faults, [])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

/** The metadata of the registry, all records in pages, a summary and a search, for comparisons. */
async function readResults(url: string, dataDir: string): Promise<unknown> {
  const store = await openStore(url, { dataDir })
  try {
    const snapshot = store.current()
    const term = analyseTerm('plan')
    return [
      snapshot.metadata,
      await readPages(snapshot, { limit: 50 }),
      await snapshot.summarise({ search: term }),
      Buffer.concat((await readAll(snapshot, { search: term })).map(({ bytes }) => bytes)).toString(),
    ]
  } finally {
    await store.close()
  }
}
