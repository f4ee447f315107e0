// The response cache: bounded by bytes, with eviction of the least recently used response. The data version of a
// response is the snapshot (the published copy of the registry) that it was made from, compared by identity.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referenceScript } from '../../src/api/html.ts'
import { negotiateCoding } from '../../src/http/negotiate.ts'
import type { ApiResponse } from '../../src/http/response.ts'
import { ResponseCache } from '../../src/http/response-cache.ts'
import { startService } from '../service.ts'
import { sendRequest } from './send-request.ts'

/** The content coding of a client that accepts no compression. */
const plain = negotiateCoding(undefined)

/** Nine responses of `responseBytes` fit: the cache counts a kilobyte more for each. */
const cacheBytesMax = 100_000
const responseBytes = 9_000

/** A cache for responses of the data version. A cache stores only responses of the version that `find` got last. */
function openCache(dataVersion: object, bytesMax = cacheBytesMax): ResponseCache {
  const cache = new ResponseCache(bytesMax)
  cache.find('/', plain, dataVersion)
  return cache
}

test('the least recently used response is evicted, and the size is bounded', async () => {
  await using service = await startService([{ code: 'A-1' }])
  const snapshot = service.store.current()
  const cache = openCache(snapshot)
  const response: ApiResponse = {
    status: 200,
    headers: { ETag: '"x"' },
    body: new Uint8Array(responseBytes),
    dataVersion: snapshot,
  }
  assert.equal(cache.find('/0', plain, snapshot), undefined)
  for (let index = 0; index < 30; index++) {
    cache.store(`/${index}`, plain, response)
    assert.ok(cache.find('/0', plain, snapshot), 'used each time, so never evicted')
    assert.ok(cache.bytes <= cacheBytesMax)
  }
  assert.equal(cache.find('/1', plain, snapshot), undefined)
  assert.ok(cache.find('/29', plain, snapshot))
})

test('a response that is too big, has a status other than 200 or no data version is not cached', async () => {
  await using service = await startService([{ code: 'A-1' }])
  const dataVersion = service.store.current()
  const cache = openCache(dataVersion)
  // A response may take a quarter of the cache. This body takes a quarter, and its entry counts a kilobyte more.
  cache.store('/big', plain, { status: 200, headers: {}, body: new Uint8Array(cacheBytesMax / 4), dataVersion })
  cache.store('/missing', plain, { status: 404, headers: {}, body: new Uint8Array(9), dataVersion })
  cache.store('/unversioned', plain, { status: 200, headers: {}, body: new Uint8Array(9) })
  assert.equal(cache.bytes, 0)
})

test('a cached response does not retain a larger buffer', async () => {
  await using service = await startService([{ code: 'A-1' }])
  const dataVersion = service.store.current()
  const cache = openCache(dataVersion)
  cache.store('/', plain, {
    status: 200,
    headers: { ETag: '"x"' },
    body: new Uint8Array(100_000).subarray(0, 9),
    dataVersion,
  })
  const body = cache.find('/', plain, dataVersion)?.body
  assert.ok(body instanceof Uint8Array)
  assert.equal(body.buffer.byteLength, 9)
})

test('a cached response equals a new one, except for the request id and the date', async () => {
  await using service = await startService([{ code: 'A-1' }, { code: 'A-2' }])
  const fresh = await sendRequest(service, 'record?limit=1')
  // An uncompressed page of records is stored when it is requested for the second time.
  await sendRequest(service, 'record?limit=1')
  const { hits } = service.cache
  const cached = await sendRequest(service, 'record?limit=1')
  assert.equal(service.cache.hits, hits + 1, 'from the cache')
  assert.notEqual(cached.headers['x-request-id'], fresh.headers['x-request-id'])
  assert.deepEqual(
    { ...cached.headers, date: '', 'x-request-id': '' },
    { ...fresh.headers, date: '', 'x-request-id': '' },
  )
  assert.deepEqual(cached.bytes, fresh.bytes)
})

test('HEAD is answered from the cache, and fills it', async () => {
  await using service = await startService([{ code: 'A-1' }])
  // A compressed response is stored when it is requested for the first time.
  const headers = { 'Accept-Encoding': 'gzip, identity;q=0' }
  const head = await sendRequest(service, 'record/A-1', { method: 'HEAD', headers })
  assert.equal(service.cache.hits, 0)
  const get = await sendRequest(service, 'record/A-1', { headers })
  assert.equal(service.cache.hits, 1)
  const again = await sendRequest(service, 'record/A-1', { method: 'HEAD', headers })
  assert.equal(service.cache.hits, 2)
  assert.ok(get.bytes.length > 0)
  for (const response of [head, again]) {
    assert.equal(response.bytes.length, 0)
    for (const name of ['etag', 'content-length', 'content-encoding', 'content-type']) {
      assert.equal(response.headers[name], get.headers[name], name)
    }
  }
})

test('a file is stored only if its address has no query', async () => {
  await using service = await startService([{ code: 'A-1' }])
  for (let n = 0; n < 3; n++) assert.equal((await sendRequest(service, `${referenceScript.name}?${n}`)).status, 200)
  assert.equal(service.cache.bytes, 0)
  assert.equal((await sendRequest(service, referenceScript.name)).status, 200)
  assert.ok(service.cache.bytes > referenceScript.body.length, 'the file and its headers')
})
