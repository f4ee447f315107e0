// Two servers (`serve`) on a PostgreSQL cluster of three nodes under Patroni, with imports under load while parts of
// the cluster are killed, frozen and switched over. Every response must belong to one snapshot, every request must get
// a response within a few attempts, and an import that was reported as published must survive.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, type TestContext, test } from 'node:test'
import { ServedProcess } from '../faults/postgres-load.ts'
import { until } from '../server/serve.ts'
import { publishRecords } from '../service.ts'
import { CheckedClients, recordsOf } from './checked-clients.ts'
import { PatroniCluster, toUrl } from './patroni.ts'

/** An import that still fails after this time counts as failed for good. The tests report how long an import took. */
const publishMsMax = 180_000

describe('Two servers on a cluster under Patroni', { concurrency: 1 }, () => {
  let cluster: PatroniCluster
  let servers: ServedProcess[]
  /** The `--data-dir` of the imports. */
  let dataDir: string
  let clients: CheckedClients
  /** The number of the snapshot that was published last. All titles of the snapshot contain it (`recordsOf`). */
  let published = 0

  /** Publishes the next snapshot. */
  async function publish(): Promise<void> {
    await publishRecords(cluster.url, recordsOf(published + 1), { dataDir })
    published += 1
  }

  /** Publishes the next snapshot, and repeats the import until it succeeds. Returns the milliseconds that it took. */
  async function publishWithRetries(): Promise<number> {
    const startedAt = performance.now()
    for (;;) {
      try {
        await publish()
        return performance.now() - startedAt
      } catch (error) {
        if (performance.now() - startedAt > publishMsMax) throw error
      }
    }
  }

  /** Publishes a snapshot under load, and checks all responses. */
  async function publishAndCheck(context: TestContext, isServerFault = false): Promise<void> {
    await checkResponses(context, { importMs: await publishWithRetries(), isServerFault })
  }

  /**
   * Waits until the last snapshot is served, stops the clients, checks all responses and reports how long the import of
   * the snapshot took.
   */
  async function checkResponses(
    context: TestContext,
    { importMs, isServerFault = false }: { readonly importMs: number; readonly isServerFault?: boolean },
  ): Promise<void> {
    await until(async () => clients.newestSnapshot === published)
    await clients.stop()
    const { answered, repeated, slowestMs } = clients
    assert.deepEqual(clients.wrongResponses, [])
    assert.deepEqual(clients.lostRequests, [])
    // Only a server that is killed or hangs fails to answer: the database is not on the path of a request.
    if (!isServerFault) assert.equal(repeated, 0)
    assert.ok(answered > 50, `${answered} answered`)
    const importSeconds = (importMs / 1000).toFixed(1)
    context.diagnostic(
      `${answered} answered, ${repeated} repeated, 0 lost, 0 wrong, ` +
        `slowest ${Math.ceil(slowestMs)} ms, imported after ${importSeconds} s`,
    )
  }

  /** Waits until the clients have got this many further responses. */
  async function untilAnswered(count: number): Promise<void> {
    const { answered } = clients
    await until(async () => clients.answered > answered + count)
  }

  /** Waits until no node is the primary, because the last one has stepped down. */
  async function untilNoPrimary(): Promise<void> {
    await until(async () => !(await cluster.readRoles()).includes('primary'))
  }

  /** Checks that a server that starts now serves the snapshot that was published last. */
  async function assertLastSnapshotServed(): Promise<void> {
    await using fresh = await ServedProcess.start(cluster.url)
    const { resultadoBusqueda } = JSON.parse(await (await fetch(`${fresh.base}/record/A-1`)).text())
    assert.equal(resultadoBusqueda[0].title, `Plan sector1 version${published}`)
  }

  before(async () => {
    cluster = await PatroniCluster.start()
    dataDir = await mkdtemp(join(tmpdir(), 'planning-registry-'))
    await publishWithRetries()
    servers = await Promise.all([ServedProcess.start(cluster.url), ServedProcess.start(cluster.url)])
  })
  beforeEach(async () => {
    await cluster.untilHealthy()
    clients = new CheckedClients(servers.map(({ base }) => base))
    await until(async () => clients.answered > 20)
  })
  afterEach(async (context) => {
    // The type also allows the context of a suite, which has no `passed`.
    if ('passed' in context && !context.passed) process.stderr.write(`logs of the cluster: ${cluster.keepLogs()}\n`)
    await clients.stop()
    cluster.restore()
  })
  after(async () => {
    for (const server of servers ?? []) await server[Symbol.asyncDispose]()
    await cluster?.[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  })

  // The title of each test but the first is the fault. `checkResponses` checks what is expected in all of them.
  test('an import under load', async (context) => {
    await publishAndCheck(context)
  })

  test('the primary killed', async (context) => {
    const primary = await cluster.untilPrimary()
    await primary.kill()
    await publishAndCheck(context)
  })

  test('the primary killed at once after an import was reported as published', async (context) => {
    await publish()
    const primary = await cluster.untilPrimary()
    await primary.kill()
    // This snapshot must be served before the next import, which would hide its loss: first by the running servers,
    // then by a server that starts when another node is the primary.
    await until(async () => clients.newestSnapshot === published)
    await until(async () => (await cluster.untilPrimary()) !== primary)
    await assertLastSnapshotServed()
    await publishAndCheck(context)
  })

  test('the primary frozen, and reset as by a watchdog', async (context) => {
    const primary = await cluster.untilPrimary()
    primary.freeze()
    await publishAndCheck(context)
    // A watchdog resets a machine that has hung, so the old primary does not continue.
    await primary.kill()
  })

  test('the primary frozen until it is replaced, then continued', async (context) => {
    const primary = await cluster.untilPrimary()
    primary.freeze()
    const importMs = await publishWithRetries()
    primary.thaw()
    // The old primary does not know yet that it was replaced. It cannot commit: its synchronous replica, which would
    // have to confirm, has become the new primary.
    await assert.rejects(publishRecords(toUrl([primary]), recordsOf(published + 1), { dataDir }))
    await cluster.untilHealthy()
    assert.notEqual(await cluster.untilPrimary(), primary)
    await assertLastSnapshotServed()
    await checkResponses(context, { importMs })
  })

  for (const role of ['synchronous replica', 'replica'] as const) {
    test(`the ${role} killed`, async (context) => {
      const replica = await cluster.untilNode(role)
      await replica.kill()
      await publishAndCheck(context)
    })

    test(`the ${role} frozen`, async (context) => {
      const replica = await cluster.untilNode(role)
      replica.freeze()
      await publishAndCheck(context)
    })
  }

  test('a switchover by patronictl', async (context) => {
    const oldPrimary = await cluster.untilPrimary()
    await cluster.switchOver()
    await until(async () => (await cluster.untilPrimary()) !== oldPrimary)
    await publishAndCheck(context)
  })

  test('etcd killed until the primary has stepped down, then started', async (context) => {
    await cluster.etcd.kill()
    await untilNoPrimary()
    await untilAnswered(50)
    cluster.etcd.start()
    await publishAndCheck(context)
  })

  test('etcd frozen until the primary has stepped down', async (context) => {
    cluster.etcd.freeze()
    await untilNoPrimary()
    await untilAnswered(50)
    cluster.etcd.thaw()
    await publishAndCheck(context)
  })

  test('one of the two servers killed and started again', async (context) => {
    const [first] = servers
    first?.signal('SIGKILL')
    await untilAnswered(50)
    const successor = await ServedProcess.start(cluster.url)
    servers[0] = successor
    clients.bases[0] = successor.base
    await publishAndCheck(context, true)
  })

  test('one of the two servers frozen', async (context) => {
    const [first] = servers
    first?.signal('SIGSTOP')
    try {
      await untilAnswered(50)
    } finally {
      first?.signal('SIGCONT')
    }
    await publishAndCheck(context, true)
  })

  test('the primary killed behind PgBouncer in transaction mode', async (context) => {
    await clients.stop()
    await using behindBouncer = await ServedProcess.start(cluster.bouncedUrl)
    clients = new CheckedClients([behindBouncer.base])
    await until(async () => clients.answered > 20)
    const primary = await cluster.untilPrimary()
    await primary.kill()
    await publishAndCheck(context)
  })
})
