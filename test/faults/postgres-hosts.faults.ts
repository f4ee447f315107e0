// A service that follows a registry on a PostgreSQL primary with two standbys, under load while hosts restart, hang and
// die. Requests are answered from the local copy, so none fails, and a new version is noticed once a host has it.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, type TestContext, test } from 'node:test'
import { PostgresCluster, queryValue } from '../postgres-cluster.ts'
import { publishRecords } from '../service.ts'
import { Readers, ServedProcess } from './postgres-load.ts'

/** Requests do not wait for the database; the limit is for a busy machine. */
const responseMsMax = 1500
/** A new version is noticed within a second, and then fetched and verified. The rest is for a busy machine. */
const noticedMsMax = 5000
/** How long all hosts are away. */
const outageMs = 60_000

const words = ['plan', 'parcial', 'sector', 'suelo', 'urbano', 'casco', 'norte', 'ordenanza', 'vivienda', 'polígono']

/** The path of a search. Paths differ, so that few responses come from the response cache. */
function toPath(requestNumber: number): string {
  const term = `${words[requestNumber % 10]}%20${words[Math.floor(requestNumber / 10) % 10]}`
  return `record?search=${term}&limit=${1 + (Math.floor(requestNumber / 100) % 1000)}`
}

describe('A registry on a primary with two standbys', { concurrency: 1 }, () => {
  let cluster: PostgresCluster
  let dataDir: string
  let served: ServedProcess
  let readers: Readers
  /** The number of records that were published last; the last code is `F-` and this number. */
  let published = 3000

  before(async () => {
    cluster = await PostgresCluster.start()
    dataDir = await mkdtemp(join(tmpdir(), 'planning-registry-'))
    await publishRecords(cluster.url, toRecords(published), { dataDir })
    await cluster.untilReplicated()
    served = await ServedProcess.start(cluster.url)
  })
  beforeEach(() => {
    readers = Readers.start(served.base, toPath)
  })
  afterEach(() => readers.stop())
  after(async () => {
    await served[Symbol.asyncDispose]()
    await cluster[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** Publishes one record more, waits until it is served, stops the readers and checks all their responses. */
  async function publishAndCheck(context: TestContext): Promise<void> {
    published += 1
    await publishRecords(cluster.url, toRecords(published), { dataDir })
    const noticedMs = await untilFound(`${served.base}/record/F-${published}`)
    await readers.stop()
    assert.ok(served.isRunning, 'the service is running')
    const { responses } = readers
    assert.ok(responses.length > 20, `${responses.length} responses`)
    // 404 is the status of a search that finds nothing.
    const failed = responses.filter(({ status }) => status !== 200 && status !== 404)
    assert.deepEqual(failed, [])
    const slowestMs = Math.round(Math.max(...responses.map(({ tookMs }) => tookMs)))
    assert.ok(slowestMs < responseMsMax, `${slowestMs} ms`)
    context.diagnostic(
      `${responses.length} responses, 0 failed, the slowest in ${slowestMs} ms; new version in service after ${noticedMs} ms`,
    )
  }

  test('a standby killed and restarted', async (t) => {
    const [standby] = cluster.standbys
    await standby?.stop('SIGQUIT')
    await readers.continueFor(1000)
    await standby?.start()
    await publishAndCheck(t)
  })

  test('a standby hangs', async (t) => {
    const [, standby] = cluster.standbys
    standby?.freeze()
    try {
      await publishAndCheck(t)
    } finally {
      standby?.thaw()
    }
  })

  test('the primary killed and restarted: an import fails meanwhile, with a reason for every host', async (t) => {
    await cluster.primary.stop('SIGQUIT')
    await assert.rejects(publishRecords(cluster.url, toRecords(10), { dataDir }), /connection refused.*it is a standby/)
    await cluster.primary.start()
    await publishAndCheck(t)
  })

  test('the connection of the follower killed on the server', async (t) => {
    await queryValue(
      cluster.primary,
      `SELECT count(pg_terminate_backend(pid)) AS value FROM pg_stat_activity
       WHERE application_name = 'planning-registry follow'`,
    )
    await publishAndCheck(t)
  })

  test('a standby lags', async (t) => {
    const [standby] = cluster.standbys
    assert.ok(standby)
    await queryValue(standby, 'SELECT pg_wal_replay_pause()::text AS value')
    await publishAndCheck(t)
    await queryValue(standby, 'SELECT pg_wal_replay_resume()::text AS value')
  })

  test('all hosts hang', async (t) => {
    for (const server of cluster.servers) server.freeze()
    try {
      await readers.continueFor(5000)
    } finally {
      for (const server of cluster.servers) server.thaw()
    }
    await publishAndCheck(t)
  })

  test('all hosts stopped for a minute', async (t) => {
    await Promise.all(cluster.servers.map((server) => server.stop()))
    await readers.continueFor(outageMs)
    await cluster.primary.start()
    await Promise.all(cluster.standbys.map((server) => server.start()))
    await publishAndCheck(t)
  })

  // This is the last test, because the old primary cannot join the cluster again.
  test('the primary lost, a standby promoted', async (t) => {
    const [promoted] = cluster.standbys
    assert.ok(promoted)
    await cluster.primary.stop('SIGQUIT')
    assert.equal(await queryValue(promoted, 'SELECT pg_promote()::text AS value'), 'true')
    await publishAndCheck(t)
  })
})

/** Records with the codes `F-1` to `F-<count>`. The factors and shifts only mix the words. */
function toRecords(count: number): { code: string; title: string; content: string }[] {
  return Array.from({ length: count }, (_, i) => ({
    code: `F-${i + 1}`,
    title: `${words[i % 10]} ${words[(i * 3) % 10]}`,
    content: `${words[(i * 7) % 10]} ${words[(i >> 3) % 10]} ${words[(i >> 5) % 10]}`,
  }))
}

/** Waits until the status of the address is 200. Returns the milliseconds that it took. */
async function untilFound(address: string): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    const { status } = await fetch(address)
    const tookMs = Math.round(performance.now() - startedAt)
    if (status === 200) return tookMs
    assert.ok(tookMs < noticedMsMax, `not found within ${noticedMsMax} ms`)
  }
}
