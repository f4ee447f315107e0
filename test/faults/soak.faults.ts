// Soak tests on a file and on a registry on PostgreSQL, all at the same time, with the memory limit of the systemd
// unit: every kind of request, imports, imports that are killed, and clients that never read, read slowly or abort. On
// PostgreSQL the connections to the database are closed again and again.
//
// A request has one of four outcomes:
// - the expected response;
// - a wrong response, which is never allowed;
// - a refusal (503), which is allowed while the service is overloaded;
// - a failure: an error of the connection, or an unexpected status. With one process only exports (streamed responses
//   with all records) of the slow reader may fail: the service aborts them if the database does not answer. With two
//   workers, which are killed in turn, requests to a killed worker may fail too.
//
// The variable SOAK_MINUTES sets how long the tests run. They print the state every minute.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import postgres from 'postgres'
import { workerSettledMs } from '../../src/limits.ts'
import { makeTemporaryFolder } from '../cli/temporary-folder.ts'
import { createDatabase } from '../postgres-database.ts'
import { seededRandom } from '../seeded-random.ts'
import { killWorker, readMetric, type ServeProcess, startServe, until, untilReadyWorkers } from '../server/serve.ts'
import { type ControlGroup, createControlGroup } from './control-group.ts'
import { countDescriptors, pause, readAnonymousMb } from './load.ts'
import { abortExport, openUnreadConnections, SlowReader } from './soak-clients.ts'
import { SoakLoad } from './soak-load.ts'
import { SoakRegistry } from './soak-registry.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 2)

/** Only a soak of at least this length tells whether memory grows: in a shorter one the caches are still filling. */
const growthMinutesMin = 8

/** The limit of the systemd unit, `MemoryMax=`, on a machine of 1 GB. */
const memoryLimitBytes = readUnitMemoryShare() * 1024 ** 3

/** Interval between two measurements of memory. */
const memoryIntervalMs = 2_000

/** The level of a warning in pino, the library of the log. Entries of this level and above are reported and checked. */
const warnLevel = 40

/** Clients that read their responses without delay, each on one connection. */
const clientCount = 8
/** Connections that never read, in each cycle. */
const neverReadingCount = 40
/** Aborted exports in each cycle. */
const abortCount = 20

describe('soak', { concurrency: true }, () => {
  for (const kind of ['file', 'PostgreSQL'] as const) {
    for (const workers of [1, 2]) {
      const name = `${kind}, ${workers === 1 ? 'one process' : 'two workers that are killed in turn'}`
      test(`${name}: a soak of ${minutes} minutes`, { timeout: (minutes + 10) * 60_000 }, async (context) => {
        context.diagnostic(await soak(kind, workers, context))
      })
    }
  }
})

/**
 * Repeats a cycle until the time is over: connections that never read, an import, aborted exports, closed connections
 * to the database, a killed worker. Each import publishes the next edition: the same records, with the number of the
 * edition in their texts (soak-registry.ts). Returns what was observed, as text.
 */
async function soak(kind: 'file' | 'PostgreSQL', workers: number, context: TestContext): Promise<string> {
  const folder = await makeTemporaryFolder(context)
  await using created = kind === 'PostgreSQL' ? await createDatabase() : undefined
  const database = created?.url ?? `sqlite:${join(folder, 'registry.db')}`
  const soakRegistry = new SoakRegistry(database, folder)
  await soakRegistry.publish()
  using group = createControlGroup(`soak-${process.pid}-${kind}-${workers}`, memoryLimitBytes)
  // No records are given, because the registry has been published already.
  await using serve = await startServe([], {
    database,
    // Starts the service in the control group.
    wrapper: group.wrapper,
    flags: ['--workers', String(workers)],
  })
  const load = new SoakLoad(serve.base, clientCount)
  const slowReader = new SlowReader(serve)
  const random = seededRandom(workers)
  const memoriesMb: number[] = []
  const sampler = setInterval(() => sampleMemory(serve, workers, memoriesMb), memoryIntervalMs)
  const startedAt = performance.now()
  let neverReading: Socket[] = []
  // This runs even if the test fails: clients that continue would keep the process alive.
  context.after(async () => {
    clearInterval(sampler)
    for (const socket of neverReading) socket.destroy()
    await Promise.allSettled([load.stop(), slowReader.stop()])
  })
  const counts = { imports: 0, killedImports: 0, killedWorkers: 0, aborts: 0, neverReading: 0, closedConnections: 0 }
  for (let cycle = 1, minute = 0; performance.now() - startedAt < minutes * 60_000; cycle++) {
    for (const socket of neverReading) socket.destroy()
    neverReading = openUnreadConnections(serve, neverReadingCount)
    counts.neverReading += neverReadingCount
    // In every third cycle, another import is started first, and killed within three seconds if it still runs.
    if (cycle % 3 === 0) {
      await soakRegistry.killImportAfter(random() * 3_000)
      counts.killedImports += 1
    }
    await soakRegistry.publish()
    counts.imports += 1
    await until(async () => load.newestEdition === soakRegistry.edition)
    for (let n = 0; n < abortCount; n++, counts.aborts++) await abortExport(serve)
    // All workers notice a new snapshot in this time. Also, a worker that has run for as long is restarted without a
    // delay when it is killed below.
    await pause(workerSettledMs)
    load.oldestEditionAllowed = soakRegistry.edition
    if (kind === 'PostgreSQL') counts.closedConnections += await closeConnections(database)
    if (workers > 1) await replaceWorker(serve, ++counts.killedWorkers)
    assert.deepEqual(load.wrongResponses, [])
    // The state is printed once a minute; `minute` is the last one for which it was printed.
    if (performance.now() - startedAt < (minute + 1) * 60_000) continue
    minute = Math.floor((performance.now() - startedAt) / 60_000)
    process.stderr.write(
      `${context.name}, minute ${minute}: ${Math.round(memoriesMb.at(-1) ?? 0)} MB, ${load.answered} answered, ` +
        `${toFailureText(load.failures)}, ${counts.imports} imports, ${slowReader.completed} slow exports\n`,
    )
  }
  clearInterval(sampler)
  for (const socket of neverReading) socket.destroy()
  await load.stop()
  await slowReader.stop()
  return await checkOutcome(serve, group, { load, slowReader, memoriesMb, counts })
}

/** Checks what was observed during the whole soak, and returns it as text. */
async function checkOutcome(serve: ServeProcess, group: ControlGroup, observations: Observations): Promise<string> {
  const { load, slowReader, memoriesMb, counts } = observations
  const warnings = serve.log().filter(({ level }) => Number(level) >= warnLevel)
  const messages = warnings.map(({ msg }) => msg)
  const observed = `${toReport(observations)}; log: ${toLogSummary(warnings)}`
  assert.deepEqual(load.wrongResponses, [], observed)
  // A killed worker breaks at most one request of each client. `failed` does not count refusals.
  assert.ok(load.failed <= counts.killedWorkers * clientCount, observed)
  // On a busy machine the service or its database is delayed at times. The service then refuses requests, and its log
  // says why.
  assert.ok(load.refused < load.answered / 4, observed)
  // A response that has begun is aborted, with a log entry, if the database does not answer for ten seconds.
  const aborted = messages.filter((message) => message === 'response aborted').length
  assert.ok(slowReader.broken <= counts.killedWorkers + aborted, observed)
  assert.ok(slowReader.completed > 0, observed)
  assert.equal(group.countOomKills(), 0, observed)
  assert.equal(messages.filter((message) => message === 'worker died').length, counts.killedWorkers, observed)
  assert.ok(!messages.includes('worker hangs, it is killed'), observed)
  // No file descriptor leaks: 60 are a few more than a process of an idle service has. The check waits, because a
  // replaced snapshot stays open for some seconds.
  for (const pid of await readProcesses(serve)) await until(async () => countDescriptors(pid) < 60)
  // Caches fill during the first quarter, so the last quarter is compared with the second. The memory may grow by a
  // tenth and 10 MB.
  const { earlierMb, laterMb } = toQuarterMedians(memoriesMb)
  const isGrowthChecked = minutes >= growthMinutesMin
  if (isGrowthChecked) assert.ok(laterMb < earlierMb * 1.1 + 10, observed)
  const closedCount = await readMetric(serve, 'planning_registry_stalled_closed_total')
  const limit = `the limit was ${group.isEnforced ? '' : 'not '}enforced`
  const growth = `growth of memory ${isGrowthChecked ? '' : 'not '}checked`
  return `${observed}; ${closedCount} stalled connections closed; ${limit}; ${growth}`
}

/**
 * Kills one of the two workers with SIGKILL and waits until it is replaced. `killCount` is the number of workers that
 * the test has killed, this one included.
 */
async function replaceWorker(serve: ServeProcess, killCount: number): Promise<void> {
  killWorker((await serve.workers())[killCount % 2])
  await until(async () => serve.log().filter(({ msg }) => msg === 'worker died').length >= killCount)
  await untilReadyWorkers(serve, 2)
}

/** Ends all other connections to the database, which are connections of the service, and returns their number. */
async function closeConnections(database: string): Promise<number> {
  const sql = postgres(database, { max: 1, onnotice: () => undefined })
  try {
    const closed = await sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`
    return closed.length
  } finally {
    await sql.end()
  }
}

/** The pids of all processes of the service. */
async function readProcesses(serve: ServeProcess): Promise<number[]> {
  return [serve.child.pid ?? 0, ...(await serve.workers())]
}

/** Appends the memory of all processes of the service to `memoriesMb`, unless a worker is being replaced. */
async function sampleMemory(serve: ServeProcess, workers: number, memoriesMb: number[]): Promise<void> {
  try {
    const processes = await readProcesses(serve)
    const memoryMb = processes.reduce((sum, pid) => sum + readAnonymousMb(pid), 0)
    // With several workers there is a primary process too. The memory of a process that is ending is not a number.
    const isComplete = processes.length === (workers === 1 ? 1 : workers + 1)
    if (isComplete && memoryMb > 0) memoriesMb.push(memoryMb)
  } catch {
    // A process has ended meanwhile.
  }
}

interface Observations {
  readonly load: SoakLoad
  readonly slowReader: SlowReader
  /** The memory of all processes of the service together, in order of time. */
  readonly memoriesMb: readonly number[]
  readonly counts: Counts
}

/** How often each part of the cycle was done, in all cycles. run.ts puts the sum of all counts into its table. */
interface Counts {
  readonly imports: number
  /** Includes imports that ended before they could be killed. */
  readonly killedImports: number
  readonly killedWorkers: number
  readonly aborts: number
  readonly neverReading: number
  readonly closedConnections: number
}

/** What was observed, for the report and for the message of a failed check. */
function toReport({ load, slowReader, memoriesMb, counts }: Observations): string {
  const { earlierMb, laterMb } = toQuarterMedians(memoriesMb)
  const injections = Object.values(counts).reduce((sum: number, count: number) => sum + count, 0)
  return [
    `${injections} injections: ${load.answered} requests answered`,
    `${load.wrongResponses.length} wrong`,
    `refused or failed: ${toFailureText(load.failures)}`,
    `p99 ${load.p99Ms} ms`,
    `${counts.imports} imports`,
    `${counts.killedImports} imports killed`,
    `${counts.killedWorkers} workers killed`,
    `${counts.closedConnections} connections to the database closed`,
    `${counts.neverReading} connections that never read`,
    `${counts.aborts} aborts`,
    `${slowReader.completed} slow exports complete, ${slowReader.refused} refused and ${slowReader.broken} broken`,
    `${Math.round(earlierMb)} MB in the second quarter`,
    `${Math.round(laterMb)} MB in the last`,
    `at most ${Math.round(Math.max(...memoriesMb))} of ${Math.round(memoryLimitBytes / 1024 ** 2)} MB`,
  ].join(', ')
}

/** For example `3 × ECONNRESET (record/S-7)`, with the first path of each reason. */
function toFailureText(failures: ReadonlyMap<string, readonly string[]>): string {
  return [...failures].map(([reason, paths]) => `${paths.length} × ${reason} (${paths[0]})`).join(' and ') || 'none'
}

/** For example `2 × worker died`, with the error of the first entry of each message. */
function toLogSummary(entries: readonly Record<string, unknown>[]): string {
  const groups = Object.groupBy(entries, ({ msg }) => String(msg))
  const texts = Object.entries(groups).map(([message, found = []]) => {
    const { err } = (found[0] ?? {}) as { err?: { message?: string } }
    return `${found.length} × ${message}${err?.message === undefined ? '' : ` (${err.message})`}`
  })
  return texts.join(', ') || 'no warning'
}

/** The median memory in the second quarter of the soak and in the last one. */
function toQuarterMedians(memoriesMb: readonly number[]): { earlierMb: number; laterMb: number } {
  const quarter = Math.floor(memoriesMb.length / 4)
  return { earlierMb: medianOf(memoriesMb.slice(quarter, 2 * quarter)), laterMb: medianOf(memoriesMb.slice(-quarter)) }
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** The share of the machine's memory that the systemd unit allows the service. */
function readUnitMemoryShare(): number {
  const unit = readFileSync(new URL('../../deploy/planning-registry.service', import.meta.url), 'utf8')
  return Number(/^MemoryMax=(\d+)%$/m.exec(unit)?.[1]) / 100
}
