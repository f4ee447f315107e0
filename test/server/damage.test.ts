// A registry that is damaged while it is served. As soon as SQLite notices the damage, the service responds 503, until
// an intact file replaces the damaged one. Pages of zeros are noticed before a response is wrong, a flipped bit in a
// text is not.
import assert from 'node:assert/strict'
import { copyFile, mkdtemp, open, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { seed } from '../seed.ts'
import { seededRandom } from '../seeded-random.ts'
import { publishRecords } from '../service.ts'
import { killWorker, type ServeProcess, startServe, until, untilReadyWorkers } from './serve.ts'

/** Each record has a number of its own in its title, and shares its sector with nine or ten others. */
const records = Array.from({ length: 1_000 }, (_, n) => ({
  code: `A-${n}`,
  title: `Modificación puntual ${n} del plan general`,
  content: `suelo urbanizable del sector ${n % 97}`,
}))
/** The paths of requests of several kinds. */
const paths = [
  'record?limit=1000',
  'record',
  'record?search=sector%20urbanizable&limit=50',
  'record/A-7',
  'record/A-999',
  'municipality',
  'summary',
  ...Array.from({ length: 10 }, (_, n) => `record?search=puntual%20${n * 7}&limit=${n + 10}`),
]

const random = seededRandom(seed)
/** The size of a page of the SQLite file. */
const pageBytes = 16 * 1024

/** Each changes the bytes of the registry file. */
const damages: readonly [name: string, damage: (bytes: Buffer) => void][] = [
  ['zeros in about every tenth page', (bytes) => changePages(bytes, 0.1, (page) => page.fill(0))],
  ['zeros in every page but the first', (bytes) => bytes.fill(0, pageBytes)],
  ['zeros all over', (bytes) => bytes.fill(0)],
]

/** A temporary folder with an intact registry of the records, from which the tests make copies. */
let folder: string
let intact: string
/** The paths with the responses of an intact registry. */
let expected: Bodies
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'planning-registry-damage-'))
  intact = join(folder, 'intact.db')
  await publishRecords(`sqlite:${intact}`, records)
  await using serve = await startServe([], { file: intact })
  expected = await readAll(serve, paths)
})
after(() => rm(folder, { recursive: true }))

/** Serves a copy of the intact registry. */
async function serveCopy(flags: readonly string[] = []): Promise<ServeProcess> {
  const file = join(await mkdtemp(join(folder, 'copy-')), 'registry.db')
  await copyFile(intact, file)
  return await startServe([], { file, flags })
}

/** Replaces the file with an intact one, as an import does. */
async function replaceWithIntact(file: string): Promise<void> {
  await copyFile(intact, `${file}.new`)
  await rename(`${file}.new`, file)
}

for (const [name, damage] of damages) {
  test(`${name}: no wrong response, then 503, then recovery with an intact file (seed ${seed})`, async () => {
    await using serve = await serveCopy()
    // The service may cache the responses that are read here. The last five paths are not requested before the damage,
    // so their responses cannot come from the cache.
    assert.deepEqual(await readAll(serve, paths.slice(0, -5)), expected.slice(0, -5))
    await overwrite(serve.file, damage)
    for (let round = 0; round < 3; round++) {
      for (const [path, body] of expected) {
        const response = await fetch(`${serve.base}/${path}`)
        // Damage that is found during a streamed response closes the connection.
        const text = await response.text().catch(() => undefined)
        if (text === undefined) continue
        if (response.status === 200) assert.equal(text, body, path)
        else assertUnavailable(response, text)
      }
    }
    // The service has detected the damage.
    await until(async () => (await fetch(`${serve.admin}/ready`)).status === 503)
    for (const [path] of expected) {
      const response = await fetch(`${serve.base}/${path}`)
      assertUnavailable(response, await response.text())
    }
    const entry = serve.log().find(({ msg }) => String(msg).startsWith('registry damaged'))
    assert.ok(JSON.stringify(entry).includes(serve.file), 'the log names the file')
    await replaceWithIntact(serve.file)
    await until(async () => (await fetch(`${serve.admin}/ready`)).status === 200)
    for (const [path, body] of expected) assert.equal(await (await fetch(`${serve.base}/${path}`)).text(), body, path)
  })
}

test(`one flipped bit in every page: the process stays alive, and recovers with an intact file (seed ${seed})`, async () => {
  await using serve = await serveCopy()
  await overwrite(serve.file, (bytes) => changePages(bytes, 1, flipBit))
  for (let round = 0; round < 3; round++) {
    for (const [path] of expected) {
      const response = await fetch(`${serve.base}/${path}`)
      const text = await response.text().catch(() => '')
      // A changed text is not noticed; `check` finds it.
      if (response.status !== 200 && response.status !== 404) assertUnavailable(response, text)
    }
  }
  await replaceWithIntact(serve.file)
  // The service may be ready all the time, because it has not noticed the damage; then its responses may be wrong, and
  // its log need not say that the same registry is in service again.
  await until(async () => {
    const bodies = await Promise.all(expected.map(async ([path]) => (await fetch(`${serve.base}/${path}`)).text()))
    return bodies.every((body, index) => body === expected[index]?.[1])
  })
})

test('the log says that a registry is back in service after its damage was undone', async () => {
  await using serve = await serveCopy()
  const countLogged = (): number => serve.log().filter(({ msg }) => msg === 'snapshot in service').length
  // The log has an entry for the first file and one for each file that replaces another. A file that replaced another
  // gets a further entry when it is in service again after damage. The first file gets none, so the test replaces it.
  await replaceWithIntact(serve.file)
  await until(async () => countLogged() === 2)
  const { mtime } = await stat(serve.file)
  await overwrite(serve.file, (bytes) => bytes.fill(0))
  await until(async () => (await fetch(`${serve.admin}/ready`)).status === 503)
  // With its old modification time, the file counts as the version that was in service.
  const intactBytes = await readFile(intact)
  await overwrite(serve.file, (bytes) => intactBytes.copy(bytes))
  await utimes(serve.file, mtime, mtime)
  await until(async () => countLogged() === 3)
})

test(`a worker that starts on a damaged file sends no wrong response (seed ${seed})`, async () => {
  await using serve = await serveCopy(['--workers', '2'])
  // The first page stays valid, so that the file can be opened.
  await overwrite(serve.file, (bytes) => changePages(bytes.subarray(pageBytes), 0.1, (page) => page.fill(0)))
  for (const pid of await serve.workers()) process.kill(pid, 'SIGKILL')
  await until(async () => serve.log().filter(({ msg }) => msg === 'worker died').length >= 2)
  for (let round = 0; round < 3; round++) {
    for (const [path, body] of expected) {
      // While no worker runs, the connection fails.
      const response = await fetch(`${serve.base}/${path}`).catch(() => undefined)
      const text = await response?.text().catch(() => undefined)
      if (response?.status === 200 && text !== undefined) assert.equal(text, body, path)
    }
  }
  await replaceWithIntact(serve.file)
  await untilReadyWorkers(serve, 2)
  for (const [path, body] of expected) assert.equal(await (await fetch(`${serve.base}/${path}`)).text(), body, path)
})

test('the successor of a worker does not serve a damaged file that the other workers have rejected', async () => {
  await using serve = await serveCopy(['--workers', '2', '--lang', 'es'])
  const countLogged = (message: string): number => serve.log().filter(({ msg }) => msg === message).length
  const damagedPath = join(serve.folder, 'damaged.db')
  const bytes = await readFile(serve.file)
  await writeFile(damagedPath, bytes.subarray(0, bytes.length >> 1))
  await rename(damagedPath, serve.file)
  await until(async () => countLogged('new registry rejected, the old one stays in service') === 2)
  serve.child.kill('SIGUSR2')
  await until(async () => countLogged('rolling restart failed, the old workers stay') === 1)
  killWorker((await serve.workers())[0])
  await until(async () => countLogged('worker not replaced') >= 1)
  // The log is in English, whatever the language of the command line.
  const reasons = serve.log().filter(({ msg }) => /not replaced|restart failed/.test(String(msg)))
  for (const { err } of reasons) assert.match(JSON.stringify(err), /Cannot open/)
  for (const [path, body] of expected) {
    // A connection that waits for the dead worker is closed, so the request is repeated.
    const response = await until(async () => (await fetch(`${serve.base}/${path}`).catch(() => undefined)) ?? false)
    assert.equal(await response.text(), body, path)
  }
})

/** The path of each request and the body of its response. */
type Bodies = [path: string, body: string][]

/** Requests each path. The responses must be 200. */
async function readAll({ base }: Pick<ServeProcess, 'base'>, wanted: readonly string[]): Promise<Bodies> {
  const bodies: Bodies = []
  for (const path of wanted) {
    const response = await fetch(`${base}/${path}`)
    assert.equal(response.status, 200, path)
    bodies.push([path, await response.text()])
  }
  return bodies
}

function assertUnavailable(response: Response, text: string): void {
  assert.equal(response.status, 503, text)
  assert.match(text, /registry-unavailable/)
  assert.ok(Number(response.headers.get('retry-after')) > 0)
}

/** Changes the bytes of the file in place, as a failing disk does. */
async function overwrite(file: string, change: (bytes: Buffer) => void): Promise<void> {
  const { size } = await stat(file)
  const handle = await open(file, 'r+')
  const bytes = Buffer.alloc(size)
  await handle.read(bytes, 0, size, 0)
  change(bytes)
  await handle.write(bytes, 0, size, 0)
  await handle.close()
}

/** Changes a random share of the pages. */
function changePages(bytes: Buffer, share: number, change: (page: Buffer) => void): void {
  for (let offset = 0; offset < bytes.length; offset += pageBytes) {
    if (random() < share) change(bytes.subarray(offset, offset + pageBytes))
  }
}

/** Changes one random bit. */
function flipBit(page: Buffer): void {
  const offset = Math.floor(random() * page.length)
  page[offset] = (page[offset] ?? 0) ^ (1 << Math.floor(random() * 8))
}
