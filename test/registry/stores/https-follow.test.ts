// A registry on a web server, followed as `--database https://…` does: whatever the server does, requests are answered
// from the copy in service, and the next sound version is taken.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import type { OpenOptions, RegistryStore } from '../../../src/registry/contract.ts'
import { openStore, toFilePath } from '../../../src/registry/open.ts'
import { describeFile } from '../../../src/registry/stores/registry-file.ts'
import { makeTemporaryFolder } from '../../cli/temporary-folder.ts'
import { publishRecords } from '../../service.ts'
import { type Answer, answerFile, breakOffAfter, startWebStore, toSha256, type WebStore } from './web-store.ts'

/** Registry files with one record for each code. */
async function makeFile(t: TestContext, ...codes: string[]): Promise<Buffer> {
  const folder = await makeTemporaryFolder(t)
  const database = `sqlite:${join(folder, 'registry.db')}`
  await publishRecords(
    database,
    codes.map((code) => ({ code })),
  )
  return await readFile(toFilePath(database))
}

interface Followed {
  readonly web: WebStore
  readonly store: RegistryStore
  readonly dataDir: string
  /** The messages of `onRefused` and `onStoreLost`. */
  readonly reasons: string[]
}

/** A web server with a registry of one record, and a store that follows it. */
async function follow(t: TestContext, options: OpenOptions = {}): Promise<Followed> {
  const web = await startWebStore(await makeFile(t, 'A-1'))
  t.after(() => web[Symbol.asyncDispose]())
  const dataDir = await makeTemporaryFolder(t)
  const reasons: string[] = []
  const addReason = ({ message }: Error): void => {
    reasons.push(message)
  }
  const store = await openStore(web.address, {
    dataDir,
    pollSeconds: 0.05,
    onRefused: addReason,
    onStoreLost: addReason,
    ...options,
  })
  t.after(() => store.close())
  return { web, store, dataDir, reasons }
}

const countRecords = (store: RegistryStore): number => store.current().metadata.records

/** Waits for a condition. The test runner ends a test that waits too long. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10))
}

test('a new version is put in service, and an unchanged pointer causes no download', async (t) => {
  const { web, store } = await follow(t)
  assert.equal(countRecords(store), 1)
  const { length } = web.requests
  await until(() => web.requests.length > length + 3)
  assert.ok(web.requests.slice(length).every(({ path, headers }) => path.endsWith('.json') && headers['if-none-match']))
  web.publish(await makeFile(t, 'A-1', 'A-2'))
  await until(() => countRecords(store) === 2)
})

test('a restart asks for nothing but the pointer, and needs no server', async (t) => {
  const { web, store, dataDir } = await follow(t)
  await store.close()
  const { length } = web.requests
  const again = await openStore(web.address, { dataDir, pollSeconds: 0.05 })
  await until(() => web.requests.length > length + 1)
  assert.ok(web.requests.slice(length).every(({ path }) => path.endsWith('.json')))
  await again.close()
  await web[Symbol.asyncDispose]()
  const alone = await openStore(web.address, { dataDir })
  assert.equal(countRecords(alone), 1)
  await alone.close()
})

test('a transfer that breaks off goes on where it stopped', async (t) => {
  const { web, store } = await follow(t)
  const next = await makeFile(t, 'A-1', 'A-2')
  const { length } = web.requests
  web.answerFile = (request, response, self) => {
    self.answerFile = undefined
    breakOffAfter(20_000)(request, response, self)
  }
  web.publish(next)
  await until(() => countRecords(store) === 2)
  const ranges = web.requests
    .slice(length)
    .filter(({ path }) => path.endsWith('.db'))
    .map(({ headers }) => [headers.range, headers['if-range']])
  assert.deepEqual(ranges, [
    [undefined, undefined],
    ['bytes=20000-', `"${toSha256(next)}"`],
  ])
})

const wrongAnswers: Readonly<Record<string, { readonly answer: Answer; readonly reason: RegExp }>> = {
  'truncates the file': {
    answer: (_request, response, { file }) => response.end(file.subarray(0, 10_000)),
    reason: /announces 10000 bytes/,
  },
  'hands out another file of the same size': {
    answer: (_request, response, { file }) => response.end(Buffer.from(file).fill(7, 5000, 6000)),
    reason: /SHA-256/,
  },
  'compresses the file': {
    answer: (_request, response, { file }) => {
      response.setHeader('Content-Encoding', 'br')
      response.end(file)
    },
    reason: /compresses it/,
  },
  'redirects to another host': {
    answer: (_request, response) => response.writeHead(302, { Location: 'https://example.org/registry.db' }).end(),
    reason: /redirects to https:\/\/example\.org/,
  },
  'has no file': { answer: (_request, response) => response.writeHead(404).end(), reason: /answers 404/ },
  'has an internal error': { answer: (_request, response) => response.writeHead(500).end(), reason: /answers 500/ },
}

for (const [what, { answer, reason }] of Object.entries(wrongAnswers)) {
  test(`a server that ${what} changes nothing, and its next sound answer is taken`, async (t) => {
    const { web, store, reasons } = await follow(t)
    web.answerFile = answer
    web.publish(await makeFile(t, 'A-1', 'A-2'))
    await until(() => reasons.some((message) => reason.test(message)))
    assert.equal(countRecords(store), 1)
    web.answerFile = undefined
    await until(() => countRecords(store) === 2)
  })
}

test('a server that answers the whole file to a range is asked for the whole file', async (t) => {
  const { web, store, reasons } = await follow(t)
  const breakOff = breakOffAfter(20_000)
  // Breaks off once, and then ignores ranges.
  web.answerFile = (request, response, self) => {
    self.answerFile = (_request, otherResponse) => otherResponse.end(self.file)
    breakOff(request, response, self)
  }
  web.publish(await makeFile(t, 'A-1', 'A-2'))
  await until(() => countRecords(store) === 2)
  assert.ok(reasons.some((message) => /the whole file to a range/.test(message)))
})

test('a file that is changed under its name while it is transferred is never in service', async (t) => {
  const { web, store, reasons } = await follow(t)
  const [second, third] = [await makeFile(t, 'A-1', 'A-2'), await makeFile(t, 'A-1', 'A-2', 'A-3')]
  const breakOff = breakOffAfter(20_000)
  web.answerFile = (request, response, self) => {
    breakOff(request, response, self)
    // The pointer still names the second file.
    self.file = third
    // A server that ignores If-Range.
    self.answerFile = (next, nextResponse) => {
      const { 'if-range': _, ...headers } = next.headers
      answerFile(Object.assign(next, { headers }), nextResponse, self)
    }
  }
  web.publish(second)
  await until(() => reasons.some((message) => /SHA-256|instead of|announces/.test(message)))
  assert.equal(countRecords(store), 1)
  web.answerFile = undefined
  web.publish(third)
  await until(() => countRecords(store) === 3)
})

test('a file that is no registry, or one of another format, is never in service', async (t) => {
  const { web, store, reasons } = await follow(t)
  web.publish(Buffer.alloc(50_000, 'no registry '))
  await until(() => reasons.some((message) => /not a registry/.test(message)))
  web.publish(web.file, { format: 18 })
  await until(() => reasons.some((message) => /format 18/.test(message)))
  assert.equal(countRecords(store), 1)
})

test('a damaged registry whose pointer is right is never in service', async (t) => {
  const { web, store, dataDir, reasons } = await follow(t)
  const damaged = Buffer.from(await makeFile(t, 'A-1', 'A-2'))
  damaged.fill(0xff, 32_768, 32_768 + 2048)
  web.publish(damaged)
  await until(() => reasons.length > 0)
  assert.equal(countRecords(store), 1)
  // Nor is it after a restart: the copy before it has been kept.
  await store.close()
  const again = await openStore(web.address, { dataDir, pollSeconds: 0.05 })
  t.after(() => again.close())
  assert.equal(countRecords(again), 1)
  web.publish(await makeFile(t, 'A-1', 'A-2'))
  await until(() => countRecords(again) === 2)
})

test('an older version is followed like a newer one', async (t) => {
  const { web, store } = await follow(t)
  const [older, newer] = [web.file, await makeFile(t, 'A-1', 'A-2')]
  web.publish(newer)
  await until(() => countRecords(store) === 2)
  web.publish(older)
  await until(() => countRecords(store) === 1)
})

test('the copy is the file of the server, byte for byte, and the outcome of the last import is known', async (t) => {
  const { web, store } = await follow(t)
  const file = store.servedFile?.() ?? assert.fail()
  assert.equal((await describeFile(file.path)).sha256, toSha256(web.file))
  const lastImport = { at: '2026-01-02T03:04:05.000Z', outcome: 'refused', records: 0, rejected: 7 } as const
  web.publish(web.file, { last_import: lastImport })
  let found: unknown = null
  while (found === null) found = await store.readLastImport?.()
  assert.deepEqual(found, lastImport)
  // The copy is a registry that any tool opens.
  const database = new DatabaseSync(file.path, { readOnly: true })
  assert.equal(database.prepare('SELECT count(*) AS records FROM expediente').get()?.records, 1)
  database.close()
})
