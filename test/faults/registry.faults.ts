// Faults of the registry file, the memory and the clock of a service. Each test reports how many faults it injected, as
// a text such as `12 injections: …`, which run.ts puts in its table.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { copyFile, open, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { headersTimeoutMs } from '../../src/limits.ts'
import { runCommand } from '../command.ts'
import { seededRandom } from '../seeded-random.ts'
import { startServe, until } from '../server/serve.ts'
import { publishRecords } from '../service.ts'
import { buildLargeRegistry, type LargeRegistry } from './large-registry.ts'
import { getStatus, Load, readMemoryMb } from './load.ts'

let registry: LargeRegistry

before(async () => {
  registry = await buildLargeRegistry(100_000)
})
after(() => registry[Symbol.asyncDispose]())

/** A kind of damage: its name, and the function that damages the file. */
type Damage = [name: string, damage: () => Promise<void>]

test('a registry damaged before the start: serve ends, and one line names the file and reason', async (context) => {
  // Damage in other pages is found when they are read (test/server/damage.test.ts).
  await using small = await buildLargeRegistry(20_000)
  const file = join(small.file, '..', 'damaged.db')
  const { size } = await stat(small.file)
  const damages = toDamages(file, size)
  // The limit below is 2 s and the time of a start with an intact registry, which takes longer on a busy machine.
  const intactStartedAt = performance.now()
  await (await small.serve())[Symbol.asyncDispose]()
  const startMs = performance.now() - intactStartedAt
  let longestMs = 0
  for (const [name, damage] of damages) {
    await copyFile(small.file, file)
    await damage()
    const startedAt = performance.now()
    const { status, stdout, stderr } = await runCommand(['serve', '--database', `sqlite:${file}`, '--port', '0'])
    longestMs = Math.max(longestMs, performance.now() - startedAt)
    assert.equal(status, 2, name)
    assert.equal(stdout, '', name)
    assert.match(stderr, /^planning-registry: Cannot open \S+damaged\.db: .+\n$/, `${name}: ${stderr}`)
  }
  assert.ok(longestMs <= 2_000 + startMs, `ended after ${Math.ceil(longestMs)} ms`)
  context.diagnostic(
    `${damages.length} injections: ended within ${Math.ceil(longestMs)} ms, including the start of Node`,
  )
})

test('a registry replaced and then deleted while it is served: new data, no failed request, no mixed response', async (context) => {
  /** The records of an edition of the registry; every title has the number of the edition. */
  const toEdition = (n: number) => Array.from({ length: 300 }, (_, k) => ({ code: `V-${k}`, title: `Edition ${n}` }))
  const startedAt = performance.now()
  await using serve = await startServe(toEdition(0), { flags: ['--workers', '2'] })
  // The limit below is 1 s and the time that this start took, which is longer on a busy machine.
  const startMs = performance.now() - startedAt
  const load = new Load(serve.base, {
    connections: 8,
    paths: ['record', 'record?search=edition', 'record/V-7', 'summary'],
  })
  const injections = 10
  let longestMs = 0
  for (let n = 1; n <= injections; n++) {
    await publishRecords(`sqlite:${serve.folder}/next.db`, toEdition(n))
    await rename(join(serve.folder, 'next.db'), serve.file)
    const replacedAt = performance.now()
    await until(async () => {
      const editions = new Set((await readBody(`${serve.base}/record`)).match(/Edition \d+/g))
      assert.equal(editions.size, 1, `mixed: ${[...editions]}`)
      return editions.has(`Edition ${n}`)
    })
    longestMs = Math.max(longestMs, performance.now() - replacedAt)
  }
  // The service has the file open, so it serves the snapshot even after the file is deleted.
  await rm(serve.file)
  for (let n = 0; n < 20; n++) assert.equal(await getStatus(`${serve.base}/record/V-1`), 200)
  const summary = await load.stop()
  assert.deepEqual(summary.failed, [])
  assert.ok(longestMs <= 1_000 + startMs, `noticed after ${Math.ceil(longestMs)} ms`)
  // The deletion is one injection more.
  context.diagnostic(
    `${injections + 1} injections: ${summary.answered} answered, 0 failed, ` +
      `noticed within ${Math.ceil(longestMs)} ms; served after the file was deleted`,
  )
})

test('a heap of 128 MB: the whole registry is exported in bounded memory', async (context) => {
  await using serve = await registry.serve({ nodeFlags: ['--max-old-space-size=128'] })
  const pid = serve.child.pid ?? 0
  let peakMb = 0
  const sampler = setInterval(() => {
    peakMb = Math.max(peakMb, readMemoryMb(pid))
  }, 100)
  const bodies = await Promise.all(Array.from({ length: 4 }, () => readBody(`${serve.base}/record`)))
  clearInterval(sampler)
  for (const body of bodies) assert.equal(JSON.parse(body).resultadoBusqueda.length, registry.recordCount)
  // The heap of 128 MB, and about as much for the rest of the process.
  assert.ok(peakMb < 250, `${peakMb} MB`)
  context.diagnostic(`1 injection: 4 exports of ${registry.recordCount} records, at most ${Math.round(peakMb)} MB`)
})

/** The path of libfaketime, a library that changes the clock of one process; undefined if it is not installed. */
const fakeTimeLibrary = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
].find((path) => existsSync(path))

test('the clock jumps a day ahead and two back: no request fails, timeouts stay the same', async (context) => {
  if (fakeTimeLibrary === undefined) {
    context.diagnostic('0 injections: libfaketime is not installed')
    return
  }
  // The library reads the offset of the clock from this file, such as `+1d`. The last two variables, the new and the
  // old name of one setting, make it leave the monotonic clock alone, which timeouts use.
  const clock = join(registry.file, '..', 'clock')
  await writeFile(clock, '+0')
  const variables = {
    LD_PRELOAD: fakeTimeLibrary,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  }
  await using serve = await registry.serve({ variables })
  const load = new Load(serve.base, { connections: 4, paths: ['record/R-00000007', 'record?search=sector&limit=3'] })
  await until(async () => load.answered > 50)
  // The headers of this request never end.
  const slow = connect(serve.port, '127.0.0.1')
  slow.on('error', () => {})
  slow.write('GET /registry/record HTTP/1.1\r\nHost: a\r\n')
  const openedAt = performance.now()
  const untilClosed = new Promise<number>((resolve) =>
    slow.resume().once('close', () => resolve(performance.now() - openedAt)),
  )
  const msPerDay = 86_400_000
  for (const [jump, days] of [
    ['+1d', 1],
    ['-1d', -1],
  ] as const) {
    await writeFile(clock, jump)
    // Node updates the Date header every second.
    await until(async () => {
      const date = await readDate(`${serve.base}/record/R-00000007`)
      return Math.round((Date.parse(date) - Date.now()) / msPerDay) === days
    })
  }
  const closedMs = await untilClosed
  const summary = await load.stop()
  assert.deepEqual(summary.failed, [])
  // The timeout is `headersTimeoutMs`. A second less is allowed, because timers may fire early. Three seconds more are
  // allowed: 2 s in which the client may read the error response (`lastResponseMs`), and 1 s for a busy machine.
  assert.ok(closedMs > headersTimeoutMs - 1_000 && closedMs < headersTimeoutMs + 3_000, `closed after ${closedMs} ms`)
  context.diagnostic(
    `2 injections: ${summary.answered} answered, 0 failed; slow headers closed after ${Math.round(closedMs)} ms`,
  )
})

/** Different ways to damage a file of this size. */
function toDamages(file: string, size: number): Damage[] {
  const random = seededRandom(5)
  const overwrite = async (offset: number, bytes: Buffer): Promise<void> => {
    const handle = await open(file, 'r+')
    await handle.write(bytes, 0, bytes.length, offset)
    await handle.close()
  }
  const randomBytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)))
  return [
    // The header of an SQLite file has 100 bytes.
    ['header', () => overwrite(0, randomBytes(100))],
    ['zeros', () => overwrite(0, Buffer.alloc(size))],
    ['the last byte', () => truncate(file, size - 1)],
    ...Array.from(
      { length: 5 },
      (_, n): Damage => [`truncation ${n}`, () => truncate(file, Math.floor(random() * size))],
    ),
    ['an empty file', () => writeFile(file, '')],
    ['not a database', () => writeFile(file, 'this is not a database, but text\n'.repeat(1000))],
    [
      'a foreign database',
      async () => {
        await rm(file)
        const foreign = new DatabaseSync(file)
        foreign.exec('CREATE TABLE record (id TEXT)')
        foreign.close()
      },
    ],
  ]
}

function readBody(url: string): Promise<string> {
  return fetch(url).then((response) => response.text())
}

/** The Date header of a response. */
function readDate(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      response.resume()
      resolve(response.headers.date ?? '')
    }).once('error', reject)
  })
}
