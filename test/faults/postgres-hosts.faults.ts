// A primary with two standbys under load while hosts restart, hang and die. The service responds within a second,
// always with 200, 404 or 503 with `Retry-After`, and keeps running.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, type TestContext, test } from 'node:test'
import { PostgresCluster, queryValue } from '../postgres-cluster.ts'
import type { PostgresServer } from '../postgres-server.ts'
import { publishRecords } from '../service.ts'
import { Readers, ServedProcess, type TimedResponse } from './postgres-load.ts'

/** The limit of docs/postgres.md is a second; the rest allows for a busy machine. */
const responseMsMax = 1500

/**
 * SQL clauses for the connections of the service whose last query has read a snapshot. A snapshot is a copy of the
 * registry in a schema `registry_…` of its own.
 */
const fromReadingConnections = `FROM pg_stat_activity WHERE application_name ~ 'serve' AND query ~ ' registry_[0-9]'`

const words = ['plan', 'parcial', 'sector', 'suelo', 'urbano', 'casco', 'norte', 'ordenanza', 'vivienda', 'polígono']

/**
 * The path of a search. The first 100,000 request numbers have different paths, so that no response comes from the
 * response cache.
 */
function toPath(requestNumber: number): string {
  const term = `${words[requestNumber % 10]}%20${words[Math.floor(requestNumber / 10) % 10]}`
  return `record?search=${term}&limit=${1 + (Math.floor(requestNumber / 100) % 1000)}`
}

describe('A registry on a primary with two standbys', { concurrency: 1 }, () => {
  let cluster: PostgresCluster
  let served: ServedProcess
  let readers: Readers

  before(async () => {
    cluster = await PostgresCluster.start()
    await publishRecords(cluster.url, toRecords(3000))
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
  })

  const find503s = (): TimedResponse[] => readers.responses.filter(({ status }) => status === 503)

  /** Stops the readers, checks all their responses and reports them with `observed`. */
  async function stopAndCheck(context: TestContext, observed?: string): Promise<void> {
    await readers.stop()
    assert.ok(served.isRunning, 'the service is running')
    const { responses } = readers
    assert.ok(responses.length > 20, `${responses.length} responses`)
    for (const { status, tookMs, retryAfter } of responses) {
      // 404 is the status of a search that finds nothing.
      assert.ok([200, 404, 503].includes(status), `status ${status}`)
      assert.ok(tookMs < responseMsMax, `${tookMs} ms`)
      if (status === 503) assert.match(retryAfter ?? '', /^\d+$/)
    }
    const slowestMs = Math.max(...responses.map(({ tookMs }) => tookMs))
    const counts = `${responses.length} responses, ${find503s().length} of them 503`
    const summary = `${counts}, the slowest in ${Math.round(slowestMs)} ms`
    context.diagnostic(observed === undefined ? summary : `${summary}; ${observed}`)
  }

  test('reads from the standbys, not from the primary', async (t) => {
    for (const standby of cluster.standbys) await untilRead(standby)
    // Earlier reads do not count: the service may have read from the primary before it had connected to the standbys.
    const since = await queryValue(cluster.primary, 'SELECT clock_timestamp()::text AS value')
    await readers.continueFor(500)
    const readsOnPrimary = await queryValue(
      cluster.primary,
      `SELECT count(*) AS value ${fromReadingConnections} AND query_start > '${since}'`,
    )
    await stopAndCheck(t)
    assert.equal(readsOnPrimary, '0')
  })

  test('loses no request when a standby is killed, and reads from it again when it is back', async (t) => {
    const [standby] = cluster.standbys
    assert.ok(standby)
    await readers.untilStatus(200, { withinMs: 2000 })
    // At SIGQUIT a server ends at once, as in a crash.
    await standby.stop('SIGQUIT')
    await readers.continueFor(1000)
    await standby.start()
    await untilRead(standby)
    await stopAndCheck(t)
    assert.deepEqual(find503s(), [])
  })

  test('loses no request when a standby hangs', async (t) => {
    const [, standby] = cluster.standbys
    assert.ok(standby)
    await untilRead(standby)
    standby.freeze()
    try {
      await readers.continueFor(2000)
    } finally {
      standby.thaw()
    }
    await stopAndCheck(t)
    assert.deepEqual(find503s(), [])
  })

  test('loses no request when a standby restarts because one of its backends was killed', async (t) => {
    const [standby] = cluster.standbys
    assert.ok(standby)
    const backendPid = await untilRead(standby)
    process.kill(backendPid, 'SIGKILL')
    await readers.untilStatus(200, { withinMs: 2000 })
    await untilRead(standby)
    await stopAndCheck(t)
    assert.deepEqual(find503s(), [])
  })

  test('serves requests without the primary, and imports when it is back', async (t) => {
    for (const standby of cluster.standbys) await untilRead(standby)
    await cluster.primary.stop('SIGQUIT')
    await readers.untilStatus(200, { withinMs: 2000 })
    // Without the primary an import fails. Its error gives a reason for each host: the other two are standbys.
    await assert.rejects(publishRecords(cluster.url, toRecords(10)), /standby/)
    await cluster.primary.start()
    await publishRecords(cluster.url, toRecords(3001))
    await cluster.untilReplicated()
    await readers.untilStatus(200, { withinMs: 2000 })
    await stopAndCheck(t)
    assert.deepEqual(find503s(), [])
    const latest = await fetch(`${served.base}/record/F-3001`)
    assert.equal(latest.status, 200)
  })

  test('serves the new snapshot while a standby lags, and does not go back to the older one', async (t) => {
    const [standby] = cluster.standbys
    assert.ok(standby)
    // From now on the standby does not apply what it receives from the primary.
    await queryValue(standby, 'SELECT pg_wal_replay_pause()::text AS value')
    await publishRecords(cluster.url, toRecords(3002))
    const noticedMs = await untilFound(`${served.base}/record/F-3002`, { withinMs: 3000 })
    // The service does not go back to the older snapshot, which the standby still has: the new record is found in many
    // requests in a row. Each has another filter, so that no response comes from the response cache. The record matches
    // them all: `publishRecords` gives it a date of 2004.
    for (let year = 1950; year < 2000; year++)
      assert.equal((await fetch(`${served.base}/record/F-3002?checkin_from=${year}`)).status, 200)
    await queryValue(standby, 'SELECT pg_wal_replay_resume()::text AS value')
    await stopAndCheck(t, `noticed after ${noticedMs} ms`)
  })

  test('responds 503 within a second while all hosts hang, and recovers within two seconds', async (t) => {
    await readers.untilStatus(200, { withinMs: 2000 })
    for (const server of cluster.servers) server.freeze()
    let frozenMs = 0
    try {
      const frozenAt = performance.now()
      await readers.untilStatus(503, { withinMs: 3000 })
      await readers.continueFor(1000)
      frozenMs = performance.now() - frozenAt
    } finally {
      for (const server of cluster.servers) server.thaw()
    }
    const thawedAt = performance.now()
    const backAt = await readers.untilStatus(200, { withinMs: 5000 })
    await stopAndCheck(t, `hung for ${Math.round(frozenMs)} ms`)
    t.diagnostic(`back after ${Math.round(backAt - thawedAt)} ms`)
    assert.ok(find503s().length > 0)
    assert.ok(backAt - thawedAt < 2000)
  })

  test('responds 503 while all hosts are down, and recovers within two seconds of the start of the primary', async (t) => {
    await readers.untilStatus(200, { withinMs: 2000 })
    await Promise.all(cluster.servers.map((server) => server.stop()))
    await readers.untilStatus(503, { withinMs: 3000 })
    await cluster.primary.start()
    const startedAt = performance.now()
    const backAt = await readers.untilStatus(200, { withinMs: 5000 })
    await Promise.all(cluster.standbys.map((server) => server.start()))
    await stopAndCheck(t, `back after ${Math.round(backAt - startedAt)} ms`)
    assert.ok(backAt - startedAt < 2000)
  })

  // This is the last test, because the old primary cannot join the cluster again.
  test('takes imports on the promoted standby after the loss of the primary, and serves them', async (t) => {
    const [promoted] = cluster.standbys
    assert.ok(promoted)
    for (const standby of cluster.standbys) await untilRead(standby)
    await cluster.primary.stop('SIGQUIT')
    assert.equal(await queryValue(promoted, 'SELECT pg_promote()::text AS value'), 'true')
    await readers.untilStatus(200, { withinMs: 2000 })
    await publishRecords(cluster.url, toRecords(3003))
    const noticedMs = await untilFound(`${served.base}/record/F-3003`, { withinMs: 3000 })
    await stopAndCheck(t, `noticed after ${noticedMs} ms`)
    assert.deepEqual(find503s(), [])
  })
})

/** Waits until the service reads from the host. Returns the pid of a process of PostgreSQL that serves such a read. */
async function untilRead(server: PostgresServer): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    // `max` of no connections is null. The query fails while the host restarts.
    const pid = await queryValue(server, `SELECT max(pid) AS value ${fromReadingConnections}`).catch(() => 'null')
    if (pid !== 'null') return Number(pid)
    assert.ok(performance.now() - startedAt < 5000, 'the service does not read from the host')
  }
}

/**
 * Records with the codes `F-1` to `F-<count>`, so that a longer registry has a code that is new. The factors and shifts
 * only mix the words.
 */
function toRecords(count: number): { code: string; title: string; content: string }[] {
  return Array.from({ length: count }, (_, i) => ({
    code: `F-${i + 1}`,
    title: `${words[i % 10]} ${words[(i * 3) % 10]}`,
    content: `${words[(i * 7) % 10]} ${words[(i >> 3) % 10]} ${words[(i >> 5) % 10]}`,
  }))
}

/** Waits until the status of the address is 200. Returns the milliseconds that it took. */
async function untilFound(address: string, { withinMs }: { readonly withinMs: number }): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    const { status } = await fetch(address)
    const tookMs = Math.round(performance.now() - startedAt)
    if (status === 200) return tookMs
    assert.ok(tookMs < withinMs, `not found within ${withinMs} ms`)
  }
}
