// The response cache: bounded by bytes, the least recently used evicted first.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { negotiateCoding } from '../../src/http/negotiate.ts'
import type { ApiResponse } from '../../src/http/response.ts'
import { ResponseCache } from '../../src/http/response-cache.ts'
import { startService } from '../service.ts'
import { ask } from './ask.ts'

const plain = negotiateCoding(undefined)

test('what was not asked for lately makes room, and no more is held than the bound', async () => {
  await using service = await startService([{ code: 'A-1' }])
  const snapshot = service.store.current()
  const cache = new ResponseCache(100_000)
  const answer: ApiResponse = {
    status: 200,
    headers: ['ETag', '"x"'],
    body: new Uint8Array(9_000),
    dataVersion: snapshot,
  }
  assert.equal(cache.find('/0', plain, snapshot), undefined)
  for (let number = 0; number < 30; number++) {
    cache.keep(`/${number}`, plain, answer)
    assert.ok(cache.find('/0', plain, snapshot), 'asked for every time')
    assert.ok(cache.bytes <= 100_000)
  }
  assert.equal(cache.find('/1', plain, snapshot), undefined)
  assert.ok(cache.find('/29', plain, snapshot))
})

test('an answer too big for the cache, streamed, or of another status is not kept', async () => {
  await using service = await startService([{ code: 'A-1' }])
  const dataVersion = service.store.current()
  const cache = new ResponseCache(100_000)
  cache.find('/', plain, dataVersion)
  cache.keep('/big', plain, { status: 200, headers: [], body: new Uint8Array(90_000), dataVersion })
  cache.keep('/missing', plain, { status: 404, headers: [], body: new Uint8Array(9), dataVersion })
  cache.keep('/file', plain, { status: 200, headers: [], body: new Uint8Array(9) })
  assert.equal(cache.bytes, 0)
})

test('a kept answer holds on to its own bytes alone', async () => {
  await using service = await startService([{ code: 'A-1' }])
  const dataVersion = service.store.current()
  const cache = new ResponseCache()
  cache.find('/', plain, dataVersion)
  cache.keep('/', plain, {
    status: 200,
    headers: ['ETag', '"x"'],
    body: new Uint8Array(100_000).subarray(0, 9),
    dataVersion,
  })
  const body = cache.find('/', plain, dataVersion)?.body
  assert.ok(body instanceof Uint8Array)
  assert.equal(body.buffer.byteLength, 9)
})

test('a kept answer is the same as a fresh one, but for the id of the request', async () => {
  await using service = await startService([{ code: 'A-1' }, { code: 'A-2' }])
  const fresh = await ask(service, 'record?limit=1')
  await ask(service, 'record?limit=1')
  const { hits } = service.cache
  const kept = await ask(service, 'record?limit=1')
  assert.equal(service.cache.hits, hits + 1, 'kept from the second time on')
  assert.notEqual(kept.headers['x-request-id'], fresh.headers['x-request-id'])
  assert.deepEqual(
    { ...kept.headers, date: '', 'x-request-id': '' },
    { ...fresh.headers, date: '', 'x-request-id': '' },
  )
  assert.deepEqual(kept.bytes, fresh.bytes)
})
