// A registry file on a web server (src/registry/stores/https.ts): what is asked for, and which answers are refused.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { StoreFault, StoreUnreachable } from '../../../src/registry/contract.ts'
import { formatVersion } from '../../../src/registry/schema.ts'
import { openHttpsStore } from '../../../src/registry/stores/https.ts'
import type { Manifest, RemoteStore } from '../../../src/registry/stores/remote.ts'
import { findFreePort } from '../../free-port.ts'
import { type Answer, breakOffAfter, startWebStore, toSha256, type WebStore } from './web-store.ts'

const file = Buffer.from('a file that is read as it is, '.repeat(1000))
/** A server that hangs is given up after this time. */
const idleMs = 200

async function start(t: TestContext, pointer?: Readonly<Record<string, unknown>>): Promise<WebStore> {
  const store = await startWebStore(file, pointer)
  t.after(() => store[Symbol.asyncDispose]())
  return store
}

async function readPointer(store: RemoteStore): Promise<Manifest> {
  const manifest = await store.readManifest()
  assert.ok(manifest !== null && manifest !== 'unchanged')
  return manifest
}

async function readAll(store: RemoteStore, manifest: Manifest, offset = 0): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of store.read(manifest, offset)) chunks.push(Uint8Array.from(chunk))
  return Buffer.concat(chunks)
}

/** A fault that is no `StoreUnreachable`, so that the follower does not keep what it has. */
const isFault = (reason: RegExp) => (error: unknown) =>
  error instanceof StoreFault && !(error instanceof StoreUnreachable) && reason.test(error.message)

const isUnreachable = (reason: RegExp) => (error: unknown) =>
  error instanceof StoreUnreachable && reason.test(error.message)

test('the pointer and the file are read, and nothing may be compressed', async (t) => {
  const lastImport = { at: '2026-01-02T03:04:05.000Z', outcome: 'published', records: 12, rejected: 3 }
  const web = await start(t, { version: 'id', last_import: lastImport })
  const store = openHttpsStore(`${web.address}/`)
  const manifest = await readPointer(store)
  assert.deepEqual(manifest, {
    version: 'id',
    format: formatVersion,
    bytes: file.length,
    sha256: toSha256(file),
    lastImport,
  })
  assert.deepEqual(await readAll(store, manifest), file)
  assert.deepEqual(
    web.requests.map(({ path, headers }) => [path, headers['accept-encoding'], headers.range]),
    [
      ['/store/current.json', 'identity', undefined],
      ['/store/registry.db', 'identity', undefined],
    ],
  )
})

test('an unchanged pointer is asked for with its entity tag', async (t) => {
  const web = await start(t)
  const store = openHttpsStore(web.address)
  const { sha256 } = await readPointer(store)
  assert.equal(await store.readManifest(), 'unchanged')
  assert.match(web.requests[1]?.headers['if-none-match'] ?? '', /^"\w+"$/)
  web.publish(Buffer.from('another file'))
  assert.notEqual((await readPointer(store)).sha256, sha256)
})

test('an unchanged pointer of a server without entity tags is unchanged too', async (t) => {
  const web = await start(t)
  const text = await (await fetch(`${web.address}/current.json`)).text()
  web.answerPointer = (_request, response) => response.end(text)
  const store = openHttpsStore(web.address)
  await readPointer(store)
  assert.equal(await store.readManifest(), 'unchanged')
})

test('the rest of a file is asked for as a range of the same file', async (t) => {
  const web = await start(t)
  const store = openHttpsStore(web.address)
  const manifest = await readPointer(store)
  web.answerFile = breakOffAfter(1000)
  await assert.rejects(readAll(store, manifest), isUnreachable(/registry\.db: /))
  web.answerFile = undefined
  assert.deepEqual(await readAll(store, manifest, 1000), file.subarray(1000))
  const { headers } = web.requests.at(-1) ?? assert.fail()
  assert.equal(headers.range, 'bytes=1000-')
  assert.equal(headers['if-range'], `"${toSha256(file)}"`)
})

test('a process that has not read the pointer yet reads it before the rest of a file', async (t) => {
  const web = await start(t)
  const manifest = await readPointer(openHttpsStore(web.address))
  assert.deepEqual(await readAll(openHttpsStore(web.address), manifest, 1000), file.subarray(1000))
  web.publish(Buffer.from('another file'))
  await assert.rejects(readAll(openHttpsStore(web.address), manifest, 1000), isFault(/names another file now/))
})

const wrongPointers: Readonly<Record<string, { readonly answer: Answer; readonly reason: RegExp }>> = {
  'is compressed': {
    answer: (_request, response) => {
      response.setHeader('Content-Encoding', 'gzip')
      response.end(gzipSync('{}'))
    },
    reason: /compresses it \(gzip\)/,
  },
  'is no JSON': { answer: (_request, response) => response.end('<html>'), reason: /no pointer/ },
  'has no hash': { answer: (_request, response) => response.end('{"version":"v"}'), reason: /no pointer/ },
  'is huge': {
    answer: (_request, response) => response.end('x'.repeat(1_000_000)),
    reason: /longer than 16,384 bytes/,
  },
  'redirects to another host': {
    answer: (_request, response) => response.writeHead(302, { Location: 'https://example.org/other.json' }).end(),
    reason: /redirects to https:\/\/example\.org\/other\.json/,
  },
  'is missing': { answer: (_request, response) => response.writeHead(404).end(), reason: /answers 404/ },
}

for (const [what, { answer, reason }] of Object.entries(wrongPointers)) {
  test(`a pointer that ${what} is refused`, async (t) => {
    const web = await start(t)
    web.answerPointer = answer
    const store = openHttpsStore(web.address)
    await assert.rejects(store.readManifest(), isFault(reason))
    // The next sound pointer is taken.
    web.answerPointer = undefined
    await readPointer(store)
  })
}

test('a pointer whose href leads to another host is refused', async (t) => {
  for (const href of ['https://example.org/registry.db', '//example.org/registry.db', 'file:///etc/hosts']) {
    const web = await start(t, { href })
    await assert.rejects(openHttpsStore(web.address).readManifest(), isFault(/href leads to another host/))
  }
})

test('an absolute href on the same host is followed', async (t) => {
  const web = await start(t)
  web.publish(file, { href: `${web.address}/registry.db` })
  const store = openHttpsStore(web.address)
  assert.deepEqual(await readAll(store, await readPointer(store)), file)
})

const wrongFiles: Readonly<Record<string, { readonly answer: Answer; readonly offset?: number; reason: RegExp }>> = {
  'is announced shorter': {
    answer: (_request, response) => response.end(file.subarray(0, 1000)),
    reason: /announces 1000 bytes instead of 30000/,
  },
  'ends early without an announced length': {
    answer: (_request, response) => {
      response.write(file.subarray(0, 1000))
      response.end()
    },
    reason: /ends after 1,000 of 30,000 bytes/,
  },
  'is longer without an announced length': {
    answer: (_request, response) => {
      response.write(file)
      response.end('x')
    },
    reason: /longer than its pointer says/,
  },
  'is compressed': {
    answer: (_request, response) => {
      response.setHeader('Content-Encoding', 'gzip')
      response.end(gzipSync(file))
    },
    reason: /compresses it \(gzip\)/,
  },
  'redirects to another host': {
    answer: (_request, response) => response.writeHead(301, { Location: 'http://127.0.0.2/registry.db' }).end(),
    reason: /redirects to http:\/\/127\.0\.0\.2/,
  },
  'is answered whole to a range': {
    offset: 1000,
    answer: (_request, response) => response.end(file),
    reason: /the whole file to a range/,
  },
  'is answered with another range': {
    offset: 1000,
    answer: (_request, response) =>
      response.writeHead(206, { 'Content-Range': 'bytes 0-29999/30000' }).end(file.subarray(1000)),
    reason: /the range "bytes 0-29999\/30000" instead of "bytes 1000-29999\/30000"/,
  },
  'is answered with a range that was not asked for': {
    answer: (_request, response) => response.writeHead(206, { 'Content-Range': 'bytes 0-29999/30000' }).end(file),
    reason: /not asked for/,
  },
  'has no such range': { offset: 1000, answer: (_request, response) => response.writeHead(416).end(), reason: /416/ },
}

for (const [what, { answer, offset = 0, reason }] of Object.entries(wrongFiles)) {
  test(`a file that ${what} is refused`, async (t) => {
    const web = await start(t)
    const store = openHttpsStore(web.address)
    const manifest = await readPointer(store)
    web.answerFile = answer
    await assert.rejects(readAll(store, manifest, offset), isFault(reason))
  })
}

test('a server that sends nothing for a while is given up, before the headers and within the file', async (t) => {
  const web = await start(t)
  const store = openHttpsStore(web.address, { idleMs })
  const manifest = await readPointer(store)
  web.answerPointer = () => {}
  await assert.rejects(store.readManifest(), isUnreachable(/sent nothing for 0\.2 seconds/))
  web.answerFile = (_request, response) => {
    response.writeHead(200, { 'Content-Length': file.length }).write(file.subarray(0, 10))
  }
  await assert.rejects(readAll(store, manifest), isUnreachable(/sent nothing for 0\.2 seconds/))
})

test('a server that is overloaded, starting or absent is unreachable, and may be waited for', async (t) => {
  const web = await start(t)
  const store = openHttpsStore(web.address)
  for (const status of [429, 500, 503]) {
    web.answerPointer = (_request, response) => response.writeHead(status).end()
    await assert.rejects(store.readManifest(), isUnreachable(new RegExp(`answers ${status}`)))
  }
  const closed = openHttpsStore(`http://127.0.0.1:${await findFreePort()}`)
  await assert.rejects(closed.readManifest(), isUnreachable(/ECONNREFUSED/))
})

test('a reader that is stopped ends its transfer', async (t) => {
  const web = await start(t)
  const store = openHttpsStore(web.address)
  const manifest = await readPointer(store)
  const closed = Promise.withResolvers<void>()
  web.answerFile = (_request, response) => {
    response.on('close', () => closed.resolve())
    response.writeHead(200, { 'Content-Length': file.length }).write(file.subarray(0, 10))
  }
  for await (const _chunk of store.read(manifest, 0)) break
  await closed.promise
  const controller = new AbortController()
  web.answerPointer = () => controller.abort(new Error('the service ends'))
  await assert.rejects(store.readManifest(controller.signal), /the service ends/)
})

test('http:// is only allowed on this machine, or with --allow-insecure', () => {
  for (const address of [
    'http://localhost:8080/r',
    'http://127.0.0.2/r',
    'http://[::1]:8080/r',
    'https://example.org',
  ]) {
    openHttpsStore(address)
  }
  for (const address of ['http://example.org/r', 'http://127.0.0.1.example.org/r', 'http://192.0.2.1/r']) {
    assert.throws(() => openHttpsStore(address), isFault(/use https:\/\/, or --allow-insecure/))
    openHttpsStore(address, { allowInsecure: true })
  }
})

test('an address with a password or a query is refused, without repeating it', () => {
  for (const address of ['https://me:secret@example.org/r', 'https://example.org/r?key=secret', 'https://']) {
    assert.throws(
      () => openHttpsStore(address),
      (error) => isFault(/expected an address such as/)(error) && !/secret/.test(String(error)),
    )
  }
})

/** A server of its own, to show that it gets no request. */
async function startOther(t: TestContext): Promise<{ server: Server; address: string }> {
  const server = createServer((_request, response) => response.end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('the other host of a redirect or an href gets no request', async (t) => {
  const other = await startOther(t)
  let requests = 0
  other.server.on('request', () => {
    requests += 1
  })
  const web = await start(t, { href: `${other.address}/registry.db` })
  await assert.rejects(openHttpsStore(web.address).readManifest(), StoreFault)
  web.answerPointer = (_request, response) => response.writeHead(307, { Location: other.address }).end()
  await assert.rejects(openHttpsStore(web.address).readManifest(), StoreFault)
  assert.equal(requests, 0)
})
