// Two servers on a cluster of three nodes under Patroni, with imports under load while parts of the cluster are killed,
// frozen and switched over. Every response must belong to one snapshot, none may be lost once it is repeated, and an
// import that was reported as published must survive.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, type TestContext, test } from 'node:test'
import { ServedProcess } from '../faults/postgres-load.ts'
import { until } from '../server/serve.ts'
import { publishRecords } from '../service.ts'
import { CheckedClients, recordsOf } from './checked-clients.ts'
import { PatroniCluster, toUrl } from './patroni.ts'

/** An import that still fails after this time will never succeed. The tests report how long it took. */
const importAgainMsMax = 180_000

describe('Two servers on a cluster under Patroni', { concurrency: 1 }, () => {
  let cluster: PatroniCluster
  let servers: ServedProcess[]
  let clients: CheckedClients
  /** The number of the snapshot that was published last. */
  let published = 0

  /** Publishes the next snapshot. */
  async function publish(): Promise<void> {
    await publishRecords(cluster.url, recordsOf(published + 1))
    published += 1
  }

  /** Publishes the next snapshot, and repeats the import until it succeeds. Returns the milliseconds that it took. */
  async function publishAgain(): Promise<number> {
    const startedAt = performance.now()
    for (;;) {
      try {
        await publish()
        return performance.now() - startedAt
      } catch (error) {
        if (performance.now() - startedAt > importAgainMsMax) throw error
      }
    }
  }

  /**
   * Publishes a snapshot under load, unless the test has done so (`importedMs`), waits until it is served, stops the
   * clients and checks all responses.
   */
  async function checkAll(context: TestContext, importedMs?: number): Promise<void> {
    const importMs = importedMs ?? (await publishAgain())
    await until(async () => clients.newest === published)
    await clients.stop()
    const { answered, repeated, slowestMs } = clients
    assert.deepEqual(clients.wrong, [])
    assert.deepEqual(clients.lost, [])
    assert.ok(answered > 50, `${answered} answered`)
    const importSeconds = (importMs / 1000).toFixed(1)
    context.diagnostic(
      `${answered} answered, ${repeated} repeated, 0 lost, 0 wrong, ` +
        `slowest ${Math.ceil(slowestMs)} ms, imported after ${importSeconds} s`,
    )
  }

  /** Waits until the clients have got so many further responses. */
  async function untilAnswered(count: number): Promise<void> {
    const { answered } = clients
    await until(async () => clients.answered > answered + count)
  }

  /** Waits until no node is the primary, because the last one has stepped down. */
  async function untilNoPrimary(): Promise<void> {
    await until(async () => {
      const roles = await Promise.all(cluster.nodes.map((node) => node.readRole()))
      return !roles.includes('primary')
    })
  }

  /** Checks that a server that starts now serves the snapshot that was published last. */
  async function assertServed(): Promise<void> {
    await using fresh = await ServedProcess.start(cluster.url)
    const { resultadoBusqueda } = JSON.parse(await (await fetch(`${fresh.base}/record/A-1`)).text())
    assert.equal(resultadoBusqueda[0].title, `Plan sector1 version${published}`)
  }

  before(async () => {
    cluster = await PatroniCluster.start()
    await publishAgain()
    servers = await Promise.all([ServedProcess.start(cluster.url), ServedProcess.start(cluster.url)])
  })
  beforeEach(async () => {
    await cluster.untilHealthy()
    clients = new CheckedClients(servers.map(({ base }) => base))
    await until(async () => clients.answered > 20)
  })
  afterEach(() => clients.stop())
  after(async () => {
    for (const server of servers ?? []) await server[Symbol.asyncDispose]()
    await cluster?.[Symbol.asyncDispose]()
  })

  // The title of each test is the fault. What is expected of all of them is in `checkAll`.
  test('an import under load', async (context) => {
    await checkAll(context)
  })

  test('the primary killed', async (context) => {
    const primary = await cluster.primary()
    await primary.kill()
    await checkAll(context)
    primary.start()
  })

  test('the primary killed at once after an import was reported as published', async (context) => {
    await publish()
    const primary = await cluster.primary()
    await primary.kill()
    // This snapshot must be served, also by the new primary, before the next import, which would hide its loss.
    await until(async () => clients.newest === published)
    await until(async () => (await cluster.primary()) !== primary)
    await assertServed()
    await checkAll(context)
    primary.start()
  })

  test('the primary frozen, and reset as by a watchdog', async (context) => {
    const primary = await cluster.primary()
    primary.freeze()
    await checkAll(context)
    await primary.kill()
    primary.start()
  })

  test('the primary frozen until it is replaced, then continued', async (context) => {
    const primary = await cluster.primary()
    primary.freeze()
    const importMs = await publishAgain()
    primary.thaw()
    // It still takes itself for the primary. A commit waits for its synchronous standby, which follows the successor.
    await assert.rejects(publishRecords(toUrl([primary]), recordsOf(published + 1)))
    await cluster.untilHealthy()
    assert.notEqual(await cluster.primary(), primary)
    await assertServed()
    await checkAll(context, importMs)
  })

  test('a standby killed', async (context) => {
    const [standby] = await cluster.standbys()
    await standby?.kill()
    await checkAll(context)
    standby?.start()
  })

  test('a standby frozen', async (context) => {
    const [standby] = await cluster.standbys()
    standby?.freeze()
    try {
      await checkAll(context)
    } finally {
      standby?.thaw()
    }
  })

  test('a switchover by patronictl', async (context) => {
    const oldPrimary = await cluster.primary()
    await cluster.switchOver()
    await until(async () => (await cluster.primary()) !== oldPrimary)
    await checkAll(context)
  })

  test('etcd killed until the primary has stepped down, then started', async (context) => {
    await cluster.etcd.kill()
    await untilNoPrimary()
    await untilAnswered(50)
    cluster.etcd.start()
    await checkAll(context)
  })

  test('etcd frozen until the primary has stepped down', async (context) => {
    cluster.etcd.freeze()
    try {
      await untilNoPrimary()
      await untilAnswered(50)
    } finally {
      cluster.etcd.thaw()
    }
    await checkAll(context)
  })

  test('a server of ours killed and started again', async (context) => {
    const [first] = servers
    first?.signal('SIGKILL')
    await untilAnswered(50)
    const successor = await ServedProcess.start(cluster.url)
    servers[0] = successor
    clients.bases[0] = successor.base
    await checkAll(context)
  })

  test('a server of ours frozen', async (context) => {
    const [first] = servers
    first?.signal('SIGSTOP')
    try {
      await untilAnswered(50)
    } finally {
      first?.signal('SIGCONT')
    }
    await checkAll(context)
  })

  test('PgBouncer in transaction mode between, the primary killed', async (context) => {
    await clients.stop()
    await using bounced = await ServedProcess.start(cluster.bouncedUrl)
    clients = new CheckedClients([bounced.base])
    await until(async () => clients.answered > 20)
    const primary = await cluster.primary()
    await primary.kill()
    await checkAll(context)
    primary.start()
  })
})
