// A primary with two standbys under load while hosts restart, hang and die. Whatever is
// done to them, the service answers within a second, never with anything but 200, 404 or 503 with `Retry-After`, and
// never ends.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { ask, PostgresCluster } from '../postgres-cluster.ts'
import type { PostgresServer } from '../postgres-server.ts'
import { publishRecords } from '../service.ts'
import { type Answered, Readers, ServedProcess } from './postgres-load.ts'

const words = ['plan', 'parcial', 'sector', 'suelo', 'urbano', 'casco', 'norte', 'ordenanza', 'vivienda', 'polígono']
/** A term and a limit that no other request has. */
function toPath(request: number): string {
  const term = `${words[request % 10]}%20${words[Math.floor(request / 10) % 10]}`
  return `record?search=${term}&limit=${1 + (Math.floor(request / 100) % 1000)}`
}

describe('A registry on a primary with two standbys', { concurrency: 1 }, () => {
  let cluster: PostgresCluster
  let served: ServedProcess
  let readers: Readers

  before(async () => {
    cluster = await PostgresCluster.start()
    await publishRecords(cluster.url, records(3000))
    await cluster.replicate()
    served = await ServedProcess.start(cluster.url)
  })
  beforeEach(() => {
    readers = new Readers(served.base, toPath)
  })
  afterEach(() => readers.stop())
  after(async () => {
    await served[Symbol.asyncDispose]()
    await cluster[Symbol.asyncDispose]()
  })

  /** Ends the readers and holds every one of their answers to the promise. */
  async function settle(tell: (message: string) => void): Promise<Answered[]> {
    await readers.stop()
    assert.ok(served.isRunning, 'the service goes on')
    const { answers } = readers
    assert.ok(answers.length > 20, `${answers.length} answers`)
    for (const { status, tookMs, retryAfter } of answers) {
      assert.ok([200, 404, 503].includes(status), `status ${status}`)
      assert.ok(tookMs < slowestMs, `${tookMs} ms`)
      if (status === 503) assert.match(retryAfter ?? '', /^\d+$/)
    }
    const failed = answers.filter(({ status }) => status === 503)
    const slowest = Math.max(...answers.map(({ tookMs }) => tookMs))
    tell(`${answers.length} answers, ${failed.length} of them 503, the slowest in ${Math.round(slowest)} ms`)
    return failed
  }

  test('reads from a standby, not from the primary', async (t) => {
    for (const standby of cluster.standbys) await untilRead(standby)
    // Before they were known to be up, the primary may have been read.
    const since = await ask(cluster.primary, 'SELECT clock_timestamp()::text AS value')
    await readers.goOn(500)
    const onPrimary = await ask(cluster.primary, `SELECT count(*) AS value ${reading} AND query_start > '${since}'`)
    await settle((message) => t.diagnostic(message))
    assert.equal(onPrimary, '0')
  })

  test('loses no request when a standby is killed, and reads from it again when it is back', async (t) => {
    const [standby] = cluster.standbys
    assert.ok(standby)
    await readers.until(200, 2000)
    await standby.stop('SIGQUIT')
    await readers.goOn(1000)
    await standby.start()
    await untilRead(standby)
    assert.deepEqual(await settle((message) => t.diagnostic(message)), [])
  })

  test('loses no request when a standby hangs', async (t) => {
    const [, standby] = cluster.standbys
    assert.ok(standby)
    await untilRead(standby)
    standby.freeze()
    try {
      await readers.goOn(2000)
    } finally {
      standby.thaw()
    }
    assert.deepEqual(await settle((message) => t.diagnostic(message)), [])
  })

  test('loses no request when a backend of a standby is killed, which makes the standby start anew', async (t) => {
    const [standby] = cluster.standbys
    assert.ok(standby)
    process.kill(await untilRead(standby), 'SIGKILL')
    await readers.until(200, 2000)
    await untilRead(standby)
    assert.deepEqual(await settle((message) => t.diagnostic(message)), [])
  })

  test('reads on without the primary, and imports again once it is back', async (t) => {
    for (const standby of cluster.standbys) await untilRead(standby)
    await cluster.primary.stop('SIGQUIT')
    await readers.until(200, 2000)
    await assert.rejects(publishRecords(cluster.url, records(10)), /standby/)
    await cluster.primary.start()
    await publishRecords(cluster.url, records(3001))
    await cluster.replicate()
    await readers.until(200, 2000)
    assert.deepEqual(await settle((message) => t.diagnostic(message)), [])
    const latest = await fetch(`${served.base}/record/F-3001`)
    assert.equal(latest.status, 200)
  })

  test('does without a standby that lags until it has the newest snapshot', async (t) => {
    const [standby] = cluster.standbys
    assert.ok(standby)
    await ask(standby, 'SELECT pg_wal_replay_pause()::text AS value')
    await publishRecords(cluster.url, records(3002))
    const noticed = await untilFound(`${served.base}/record/F-3002`, 3000)
    for (let i = 0; i < 50; i++)
      assert.equal((await fetch(`${served.base}/record/F-3002?checkin_date=2004`)).status, 200)
    await ask(standby, 'SELECT pg_wal_replay_resume()::text AS value')
    await settle((message) => t.diagnostic(`${message}; noticed after ${noticed} ms`))
  })

  test('answers 503 within a second while every host hangs, and is back within two of their return', async (t) => {
    await readers.until(200, 2000)
    for (const server of cluster.servers) server.freeze()
    let frozenFor = 0
    try {
      const frozenAt = performance.now()
      await readers.until(503, 3000)
      await readers.goOn(1000)
      frozenFor = performance.now() - frozenAt
    } finally {
      for (const server of cluster.servers) server.thaw()
    }
    const thawedAt = performance.now()
    const backAt = await readers.until(200, 5000)
    const failed = await settle((message) => t.diagnostic(`${message}; hung for ${Math.round(frozenFor)} ms`))
    t.diagnostic(`back after ${Math.round(backAt - thawedAt)} ms`)
    assert.ok(failed.length > 0)
    assert.ok(backAt - thawedAt < 2000)
  })

  test('answers 503 while every host restarts, and is back within two seconds', async (t) => {
    await readers.until(200, 2000)
    await Promise.all(cluster.servers.map((server) => server.stop()))
    await readers.until(503, 3000)
    await cluster.primary.start()
    const startedAt = performance.now()
    const backAt = await readers.until(200, 5000)
    await Promise.all(cluster.standbys.map((server) => server.start()))
    await settle((message) => t.diagnostic(`${message}; back after ${Math.round(backAt - startedAt)} ms`))
    assert.ok(backAt - startedAt < 2000)
  })

  test('follows a standby that is promoted when the primary is lost for good', async (t) => {
    const [promoted] = cluster.standbys
    assert.ok(promoted)
    for (const standby of cluster.standbys) await untilRead(standby)
    await cluster.primary.stop('SIGQUIT')
    assert.equal(await ask(promoted, 'SELECT pg_promote()::text AS value'), 'true')
    await readers.until(200, 2000)
    await publishRecords(cluster.url, records(3003))
    const noticed = await untilFound(`${served.base}/record/F-3003`, 3000)
    assert.deepEqual(await settle((message) => t.diagnostic(`${message}; noticed after ${noticed} ms`)), [])
  })
})

/** The promise is a second; the rest is for a machine that is busy with other tests. */
const slowestMs = 1500

/** Connections of the service that have read a snapshot. */
const reading = `FROM pg_stat_activity WHERE application_name ~ 'serve' AND query ~ ' registry_[0-9]'`

/** Resolves with one of the processes that answer the service there, once it reads from that host. */
async function untilRead(server: PostgresServer): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    const pid = await ask(server, `SELECT max(pid) AS value ${reading}`).catch(() => 'null')
    if (pid !== 'null') return Number(pid)
    assert.ok(performance.now() - startedAt < 5000, 'the service does not read from the host')
  }
}

function records(count: number): { code: string; title: string; content: string }[] {
  return Array.from({ length: count }, (_, i) => ({
    code: `F-${i + 1}`,
    title: `${words[i % 10]} ${words[(i * 3) % 10]}`,
    content: `${words[(i * 7) % 10]} ${words[(i >> 3) % 10]} ${words[(i >> 5) % 10]}`,
  }))
}

async function untilFound(address: string, withinMs: number): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    const { status } = await fetch(address)
    const tookMs = Math.round(performance.now() - startedAt)
    if (status === 200) return tookMs
    assert.ok(tookMs < withinMs, `not found within ${withinMs} ms`)
  }
}
