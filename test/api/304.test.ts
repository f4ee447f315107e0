// Conditional requests (RFC 9110, section 13): every representation has an ETag, and a client that has it gets 304.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { publishRecords, startService } from '../service.ts'
import { ids, routePaths, sendRequest } from './send-request.ts'

/** Enough that the response to `record` is streamed. */
const manyRecords = Array.from({ length: 900 }, (_, index) => ({ code: `A-${index + 1}`, title: `Plan ${index}` }))

const service = await startService(manyRecords)
after(() => service[Symbol.asyncDispose]())

const paths = [...routePaths, 'record?limit=3', 'record?search=plan']

for (const path of paths) {
  test(`If-None-Match with the ETag gets 304: ${path || 'the page'}`, async () => {
    const first = await sendRequest(service, path)
    assert.equal(first.status, 200)
    const etag = first.headers.etag ?? ''
    assert.match(etag, /^"[\w-]+"$/)
    for (const given of [etag, `W/${etag}`, `"x", ${etag}`, `"x",W/${etag} , "y"`, '*']) {
      const again = await sendRequest(service, path, { headers: { 'If-None-Match': given } })
      assert.equal(again.status, 304, given)
      assert.equal(again.bytes.byteLength, 0)
      assert.equal(again.headers.etag, etag)
      assert.equal(again.headers['cache-control'], first.headers['cache-control'])
      assert.match(again.headers.vary ?? '', /^Accept-Encoding(?:, Accept-Language)?$/)
      assert.equal(again.headers.vary, first.headers.vary)
      assert.equal(again.headers['content-type'], undefined)
      assert.equal(again.headers['content-length'], undefined)
      assert.equal(
        (await sendRequest(service, path, { method: 'HEAD', headers: { 'If-None-Match': given } })).status,
        304,
      )
    }
  })

  test(`If-None-Match with another tag gets 200: ${path || 'the page'}`, async () => {
    const { headers } = await sendRequest(service, path)
    const { etag = '' } = headers
    const withoutQuotes = etag.slice(1, -1)
    for (const given of ['"x"', 'W/"x"', '', withoutQuotes, `"${etag}`, '"*"']) {
      assert.equal((await sendRequest(service, path, { headers: { 'If-None-Match': given } })).status, 200, given)
    }
  })
}

test('a missing record is 404 even if the client sends If-None-Match', async () => {
  const { headers } = await sendRequest(service, 'record/A-1')
  for (const given of ['*', headers.etag ?? '']) {
    assert.equal((await sendRequest(service, 'record/B-1', { headers: { 'If-None-Match': given } })).status, 404)
    assert.equal(
      (await sendRequest(service, 'record?search=nada', { headers: { 'If-None-Match': given } })).status,
      404,
    )
    assert.equal(
      (await sendRequest(service, 'summary?search=nada', { headers: { 'If-None-Match': given } })).status,
      404,
    )
  }
})

test('If-Modified-Since gets 304 from the date of the registry on, unless If-None-Match is given', async () => {
  const published = service.store.current().metadata.publishedAt
  const aMinuteBefore = new Date(published.getTime() - 60_000).toUTCString()
  for (const path of ['record/A-1', 'record', 'record?limit=3', 'summary', 'municipality']) {
    const statuses = []
    for (const since of [published.toUTCString(), new Date().toUTCString(), aMinuteBefore, 'yesterday', '']) {
      statuses.push((await sendRequest(service, path, { headers: { 'If-Modified-Since': since } })).status)
    }
    assert.deepEqual(statuses, [304, 304, 200, 200, 200], path)
    const headers = { 'If-Modified-Since': published.toUTCString(), 'If-None-Match': '"x"' }
    assert.equal((await sendRequest(service, path, { headers })).status, 200, 'If-None-Match takes precedence')
  }
  const headers = { 'If-Modified-Since': new Date().toUTCString() }
  assert.equal((await sendRequest(service, 'record/B-1', { headers })).status, 404)
})

test('different requests have different tags', async () => {
  const tags = new Set<string>()
  const pages = ['record', 'record?limit=1', 'record?limit=2', 'record/A-1', 'record?search=plan']
  const differentPaths = [...pages, 'summary', 'municipality']
  for (const path of differentPaths) tags.add((await sendRequest(service, path)).headers.etag ?? '')
  assert.equal(tags.size, differentPaths.length)
})

test('each content coding has its own tag, and each tag gets 304', async () => {
  const plain = await sendRequest(service, 'record')
  for (const coding of ['gzip', 'br', 'zstd']) {
    const headers = { 'Accept-Encoding': coding }
    const coded = await sendRequest(service, 'record', { headers })
    assert.notEqual(coded.headers.etag, plain.headers.etag)
    const again = await sendRequest(service, 'record', {
      headers: { ...headers, 'If-None-Match': coded.headers.etag ?? '' },
    })
    assert.equal(again.status, 304)
    assert.equal(again.headers.etag, coded.headers.etag)
  }
})

test('a new snapshot has new tags and replaces cached responses immediately', async () => {
  await using refreshed = await startService([{ code: 'A-1', title: 'Plan viejo' }])
  const old = await sendRequest(refreshed, 'record/A-1')
  await sendRequest(refreshed, 'record/A-1')
  await publishRecords(refreshed.database, [{ code: 'A-1', title: 'Plan nuevo' }])
  await refreshed.store.refresh()
  const renewed = await sendRequest(refreshed, 'record/A-1', { headers: { 'If-None-Match': old.headers.etag ?? '' } })
  assert.equal(renewed.status, 200)
  assert.ok(renewed.bytes.includes('Plan nuevo'))
  assert.notEqual(renewed.headers.etag, old.headers.etag)
})

test('the same records have the same tag in another database', async () => {
  await using twin = await startService(manyRecords)
  assert.equal(
    (await sendRequest(twin, 'record/A-1')).headers.etag,
    (await sendRequest(service, 'record/A-1')).headers.etag,
  )
  assert.deepEqual(ids(await sendRequest(twin, 'record/A-1')), ['E-A-1'])
})
