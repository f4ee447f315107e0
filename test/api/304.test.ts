// Conditional requests (RFC 9110, section 13): every 200 response has an ETag, and a request with that tag, or with the
// time of publication, gets 304. The time of publication is that of the snapshot: the copy of the registry in service.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { defaultIdOf, publishRecords, startService } from '../service.ts'
import { ids, routePaths, sendRequest } from './send-request.ts'
import { streamedRecords } from './streamed-records.ts'

const service = await startService(streamedRecords)
after(() => service[Symbol.asyncDispose]())

const paths = [...routePaths, 'record?limit=3', 'record?search=plan']

for (const path of paths) {
  test(`If-None-Match with the ETag gets 304: ${path || 'the search page'}`, async () => {
    const first = await sendRequest(service, path)
    assert.equal(first.status, 200)
    const etag = first.headers.etag ?? ''
    assert.match(etag, /^"[\w-]+"$/)
    for (const condition of [etag, `W/${etag}`, `"x", ${etag}`, `"x",W/${etag} , "y"`, '*']) {
      const headers = { 'If-None-Match': condition }
      const again = await sendRequest(service, path, { headers })
      assert.equal(again.status, 304, condition)
      assert.equal(again.bytes.byteLength, 0)
      assert.equal(again.headers.etag, etag)
      assert.equal(again.headers['cache-control'], first.headers['cache-control'])
      assert.match(again.headers.vary ?? '', /^(?:Accept, )?Accept-Encoding(?:, Accept-Language)?$/)
      assert.equal(again.headers.vary, first.headers.vary)
      assert.equal(again.headers['content-type'], undefined)
      assert.equal(again.headers['content-length'], undefined)
      assert.equal((await sendRequest(service, path, { method: 'HEAD', headers })).status, 304)
    }
  })

  test(`If-None-Match with another tag or a malformed one gets 200: ${path || 'the search page'}`, async () => {
    const { headers } = await sendRequest(service, path)
    const { etag = '' } = headers
    const withoutQuotes = etag.slice(1, -1)
    // Without quotation marks, `*` matches every tag. In them, it is a tag like any other.
    for (const condition of ['"x"', 'W/"x"', '', withoutQuotes, `"${etag}`, '"*"']) {
      const response = await sendRequest(service, path, { headers: { 'If-None-Match': condition } })
      assert.equal(response.status, 200, condition)
    }
  })
}

test('an empty result is 404 even if the client sends If-None-Match', async () => {
  const { headers } = await sendRequest(service, 'record/A-1')
  for (const condition of ['*', headers.etag ?? '']) {
    for (const path of ['record/B-1', 'record?search=nada', 'summary?search=nada']) {
      const response = await sendRequest(service, path, { headers: { 'If-None-Match': condition } })
      assert.equal(response.status, 404, path)
    }
  }
})

test('If-Modified-Since gets 304 only with the time of publication and without If-None-Match', async () => {
  const { publishedAt } = service.store.current().metadata
  const aMinuteBefore = new Date(publishedAt.getTime() - 60_000).toUTCString()
  for (const path of ['record/A-1', 'record', 'record?limit=3', 'summary', 'municipality']) {
    for (const [since, expected] of [
      [publishedAt.toUTCString(), 304],
      // A client may send the time of its download. It may have downloaded an older registry then, because a registry
      // may be put in service later than it was published.
      [new Date(publishedAt.getTime() + 60_000).toUTCString(), 200],
      [aMinuteBefore, 200],
      ['yesterday', 200],
      ['', 200],
    ] as const) {
      const { status } = await sendRequest(service, path, { headers: { 'If-Modified-Since': since } })
      assert.equal(status, expected, `${path} since "${since}"`)
    }
    const headers = { 'If-Modified-Since': publishedAt.toUTCString(), 'If-None-Match': '"x"' }
    assert.equal((await sendRequest(service, path, { headers })).status, 200, 'If-None-Match takes precedence')
  }
  // A record that does not exist is 404 with If-Modified-Since too.
  const headers = { 'If-Modified-Since': new Date().toUTCString() }
  assert.equal((await sendRequest(service, 'record/B-1', { headers })).status, 404)
})

test('different requests have different tags', async () => {
  const tags = new Set<string>()
  const recordPaths = ['record', 'record?limit=1', 'record?limit=2', 'record/A-1', 'record?search=plan']
  const differentPaths = [...recordPaths, 'summary', 'municipality']
  for (const path of differentPaths) tags.add((await sendRequest(service, path)).headers.etag ?? '')
  assert.equal(tags.size, differentPaths.length)
})

test('a compressed response has another tag than the plain one, and its own tag gets 304', async () => {
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
  // The response is cached when it is requested for the second time.
  await sendRequest(refreshed, 'record/A-1')
  await publishRecords(refreshed.database, [{ code: 'A-1', title: 'Plan nuevo' }])
  await refreshed.store.refresh()
  const renewed = await sendRequest(refreshed, 'record/A-1', { headers: { 'If-None-Match': old.headers.etag ?? '' } })
  assert.equal(renewed.status, 200)
  assert.ok(renewed.bytes.includes('Plan nuevo'))
  assert.notEqual(renewed.headers.etag, old.headers.etag)
})

test('the same records have the same tag in another database', async () => {
  await using twin = await startService(streamedRecords)
  assert.equal(
    (await sendRequest(twin, 'record/A-1')).headers.etag,
    (await sendRequest(service, 'record/A-1')).headers.etag,
  )
  // Two problems, which have no tag, would also pass the comparison above, so this checks that there is a record.
  assert.deepEqual(ids(await sendRequest(twin, 'record/A-1')), [defaultIdOf('A-1')])
})
