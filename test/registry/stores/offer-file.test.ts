// `serve --offer-file` (src/api/offered-file.ts, src/registry/stores/offer.ts): the pointer and the file of the
// registry in service.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { type TestContext, test } from 'node:test'
import { toFilePath } from '../../../src/registry/open.ts'
import { type HttpResponse, sendRequest } from '../../api/send-request.ts'
import { startServe } from '../../server/serve.ts'
import { publishRecords, startService, type TestService } from '../../service.ts'

interface OfferedPointer {
  readonly sha256: string
  readonly bytes: number
  readonly version: string
  readonly href: string
}

async function start(t: TestContext): Promise<TestService> {
  const service = await startService([{ code: 'A-1' }], { isFileOffered: true })
  t.after(() => service[Symbol.asyncDispose]())
  return service
}

/** Asks until the answer is as wanted: a file is hashed in the background. */
async function until<Value>(ask: () => Promise<Value>, isWanted: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await ask()
    if (isWanted(value)) return value
  }
}

/** The pointer, once there is one and it is not that of the file `replaced`. */
async function readPointer(service: TestService, replaced?: string): Promise<OfferedPointer> {
  const response = await until(
    () => sendRequest(service, 'current.json'),
    ({ status, bytes }) => status === 200 && JSON.parse(bytes.toString()).sha256 !== replaced,
  )
  return JSON.parse(response.bytes.toString())
}

const toSha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

test('the pointer names the file of the registry in service', async (t) => {
  const service = await start(t)
  const file = await readFile(toFilePath(service.database))
  const pointer = await readPointer(service)
  assert.equal(pointer.sha256, toSha256(file))
  assert.equal(pointer.bytes, file.length)
  assert.equal(pointer.version, service.store.current().metadata.id)
  const { status, headers, bytes } = await sendRequest(service, pointer.href)
  assert.equal(status, 200)
  assert.deepEqual(bytes, file)
  assert.equal(headers['content-type'], 'application/vnd.sqlite3')
  assert.equal(headers.etag, `"${pointer.sha256}"`)
  assert.equal(headers['accept-ranges'], 'bytes')
  assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable, no-transform')
})

test('the pointer is revalidated by its entity tag', async (t) => {
  const service = await start(t)
  const { sha256 } = await readPointer(service)
  const { headers } = await sendRequest(service, 'current.json')
  assert.equal(headers['cache-control'], 'no-cache')
  const conditional = { headers: { 'If-None-Match': headers.etag ?? '' } }
  assert.equal((await sendRequest(service, 'current.json', conditional)).status, 304)
  await publishRecords(service.database, [{ code: 'A-2' }])
  await service.store.refresh()
  await readPointer(service, sha256)
  assert.equal((await sendRequest(service, 'current.json', conditional)).status, 200)
})

test('the pointer gets 503 until the file is hashed', async (t) => {
  const service = await startService([{ code: 'A-1' }], {
    isFileOffered: true,
    // A store whose file is not in service yet.
    wrapStore: (store) => ({
      current: () => store.current(),
      refresh: () => store.refresh(),
      readLinkCheck: () => Promise.resolve(null),
      servedFile: () => undefined,
      close: () => store.close(),
    }),
  })
  t.after(() => service[Symbol.asyncDispose]())
  const { status, headers } = await sendRequest(service, 'current.json')
  assert.equal(status, 503)
  assert.equal(headers['retry-after'], '1')
})

test('without --offer-file, and under other names, there is nothing', async (t) => {
  const plain = await startService([{ code: 'A-1' }])
  t.after(() => plain[Symbol.asyncDispose]())
  const service = await start(t)
  const { href, sha256 } = await readPointer(service)
  assert.equal((await sendRequest(plain, 'current.json')).status, 404)
  assert.equal((await sendRequest(plain, href)).status, 404)
  for (const name of [sha256, `${'0'.repeat(64)}.db`, `${sha256}.db/x`, '..%2F..%2Fetc', '']) {
    assert.equal((await sendRequest(service, `registry/${name}`)).status, 404, name)
  }
})

const ranges: Readonly<Record<string, (bytes: number) => readonly [status: number, first?: number, end?: number]>> = {
  'bytes=0-99': () => [206, 0, 100],
  'bytes=100-': (bytes) => [206, 100, bytes],
  'bytes=-100': (bytes) => [206, bytes - 100, bytes],
  'bytes=5-999999999': (bytes) => [206, 5, bytes],
  'Bytes = 7-7': () => [206, 7, 8],
  'bytes=-999999999': (bytes) => [206, 0, bytes],
  // Unsatisfiable.
  'bytes=999999999-': () => [416],
  'bytes=-0': () => [416],
  // Ignored.
  'bytes=9-5': () => [200],
  'bytes=-': () => [200],
  'bytes=0-1,5-6': () => [200],
  'pages=0-1': () => [200],
  'bytes=a-b': () => [200],
}

test('ranges of the file are answered as RFC 9110 says', async (t) => {
  const service = await start(t)
  const { href, bytes } = await readPointer(service)
  const file = await readFile(toFilePath(service.database))
  for (const [range, toExpected] of Object.entries(ranges)) {
    const [status, first = 0, end = bytes] = toExpected(bytes)
    const response = await sendRequest(service, href, { headers: { Range: range, 'Accept-Encoding': 'gzip' } })
    assert.equal(response.status, status, range)
    assert.equal(response.headers['content-encoding'], undefined)
    if (status === 416) {
      assert.equal(response.headers['content-range'], `bytes */${bytes}`)
      continue
    }
    assert.equal(response.headers['content-range'], status === 206 ? `bytes ${first}-${end - 1}/${bytes}` : undefined)
    assert.equal(response.headers['content-length'], String(end - first))
    assert.deepEqual(response.bytes, file.subarray(first, end), range)
  }
})

test('conditions and methods: If-Range, If-None-Match, HEAD, POST', async (t) => {
  const service = await start(t)
  const { href, bytes, sha256 } = await readPointer(service)
  const ask = (headers: Record<string, string>, method = 'GET'): Promise<HttpResponse> =>
    sendRequest(service, href, { headers, method })
  const Range = 'bytes=10-'
  assert.equal((await ask({ Range, 'If-Range': `"${sha256}"` })).status, 206)
  for (const other of ['"other"', `W/"${sha256}"`, 'Thu, 01 Jan 2026 00:00:00 GMT']) {
    assert.equal((await ask({ Range, 'If-Range': other })).status, 200, other)
  }
  for (const tag of [`"${sha256}"`, `W/"${sha256}"`, `"x", "${sha256}"`, '*']) {
    assert.equal((await ask({ Range, 'If-None-Match': tag })).status, 304, tag)
  }
  const head = await ask({ Range }, 'HEAD')
  assert.deepEqual([head.status, head.headers['content-length'], head.bytes.length], [200, String(bytes), 0])
  assert.equal((await ask({}, 'POST')).status, 405)
})

/** Begins a download and stops reading after the headers. */
async function beginDownload(url: string): Promise<IncomingMessage> {
  const outgoing = request(url, { agent: false })
  outgoing.end()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  return response
}

test('a download of a replaced file goes on to its end, and the file before the current one stays available', async (t) => {
  const service = await startService(
    // 10 MB: more than the kernel and Node keep for a client that does not read.
    Array.from({ length: 2000 }, (_, index) => ({ code: `A-${index}`, content: toText(index) })),
    { isFileOffered: true },
  )
  t.after(() => service[Symbol.asyncDispose]())
  const file = await readFile(toFilePath(service.database))
  const first = await readPointer(service)
  const download = await beginDownload(`${service.base}/${first.href}`)
  let last = first
  const hrefs: string[] = []
  for (const code of ['B-1', 'B-2']) {
    await publishRecords(service.database, [{ code }])
    await service.store.refresh()
    last = await readPointer(service, last.sha256)
    hrefs.push(last.href)
  }
  for (const href of hrefs) assert.equal((await sendRequest(service, href, { method: 'HEAD' })).status, 200)
  assert.equal((await sendRequest(service, first.href)).status, 404)
  assert.ok(file.length > 8_000_000, String(file.length))
  const chunks: Buffer[] = []
  for await (const chunk of download) chunks.push(chunk as Buffer)
  assert.equal(toSha256(Buffer.concat(chunks)), toSha256(file))
})

/** The same words in another order for each index. */
function toText(index: number): string {
  return Array.from({ length: 700 }, (_, place) => `word${(place * (2 * index + 1)) % 1009}`).join(' ')
}

test('with several workers every worker offers the same file', async (t) => {
  const service = await startServe([{ code: 'A-1' }], { flags: ['--offer-file', '--workers', '2'] })
  t.after(() => service[Symbol.asyncDispose]())
  const expected = toSha256(await readFile(service.file))
  let answers = 0
  while (answers < 20) {
    // A connection of its own, which any of the workers accepts.
    const response = await fetch(`${service.base}/current.json`, { headers: { Connection: 'close' } })
    const text = await response.text()
    if (response.status === 503) continue
    assert.equal(JSON.parse(text).sha256, expected)
    const file = await fetch(`${service.base}/registry/${expected}.db`, { headers: { Connection: 'close' } })
    // The other worker may still hash it.
    const bytes = Buffer.from(await file.arrayBuffer())
    if (file.status === 200) assert.equal(toSha256(bytes), expected)
    answers += 1
  }
  assert.equal(service.log().filter(({ msg }) => msg === 'registry file offered').length, 2)
})
