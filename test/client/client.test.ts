// The client against a fake service: the requests that it sends, and how it reads each response. `requested` has the
// path and query of each request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import undici from 'undici'
import { createClient, memoryCache, RegistryError } from '../../src/client/client.ts'
import { makeRecord, sendJson, sendProblem, startFakeService } from './fake-service.ts'

const records = Array.from({ length: 5 }, (_, index) => makeRecord(index))

test('search sends its filters as the parameters of the service and yields the records of every page', async (t) => {
  const { client, requested } = await startFakeService(t, (request, response) => {
    const isFirstPage = !request.url?.includes('cursor')
    const headers = isFirstPage ? { link: '<https://x.example/registry/record?cursor=W-_1>; rel="next"' } : {}
    sendJson(response, { resultadoBusqueda: isFirstPage ? records.slice(0, 3) : records.slice(3) }, headers)
  })
  const filters = { municipality: 'Ávila', checkin_date: 2004, search: 'plan parcial & más' }
  assert.deepEqual(await Array.fromAsync(client.search(filters)), records)
  const query = 'municipality=%C3%81vila&checkin_date=2004&search=plan+parcial+%26+m%C3%A1s'
  assert.deepEqual(requested, [
    `/registry/record?${query}&limit=1000`,
    `/registry/record?${query}&limit=1000&cursor=W-_1`,
  ])
})

test('a search begins at a cursor, with pages of the given size, and of 100 records with passages', async (t) => {
  const { client, requested } = await startFakeService(t, (_, response) =>
    sendJson(response, { resultadoBusqueda: records }),
  )
  assert.deepEqual(await Array.fromAsync(client.search({}, { limit: 7, cursor: 'W-_1' })), records)
  assert.deepEqual(await Array.fromAsync(client.search({ search: 'plan' }, { include: ['passages'] })), records)
  assert.deepEqual(requested, [
    '/registry/record?limit=7&cursor=W-_1',
    '/registry/record?search=plan&limit=100&include=passages',
  ])
})

test('a page that became empty while a search was read ends it without a reason', async (t) => {
  const { client } = await startFakeService(t, (request, response) => {
    if (request.url?.includes('cursor')) sendProblem(response, 404, 'no-match')
    else sendJson(response, { resultadoBusqueda: records }, { link: '<?cursor=abc>; rel="next"' })
  })
  const onEmpty = (): void => assert.fail('records were found')
  assert.deepEqual(await Array.fromAsync(client.search({}, { onEmpty })), records)
})

test('the client can use another function than the global fetch', async (t) => {
  // A response of undici's `fetch` is no instance of the global `Response`. Without retries, a failure shows at once.
  const options = { fetch: undici.fetch as unknown as typeof fetch, retries: 0 }
  const { client } = await startFakeService(
    t,
    (_, response) => sendJson(response, { resultadoBusqueda: records }),
    options,
  )
  assert.deepEqual((await client.page()).records, records)
})

test('a search that finds nothing is an empty iterator and reports the reason', async (t) => {
  const { client } = await startFakeService(t, (_, response) =>
    sendProblem(response, 404, 'unknown-municipality', {
      members: { parameter: 'municipality', suggestions: ['Ávila'] },
    }),
  )
  const reasons: unknown[] = []
  const found = client.search({ municipality: 'Avilla' }, { onEmpty: (problem) => reasons.push(problem.suggestions) })
  assert.deepEqual(await Array.fromAsync(found), [])
  assert.deepEqual(reasons, [['Ávila']])
})

test('nothing found is an empty page, no record and a summary of zero', async (t) => {
  const { client } = await startFakeService(t, (_, response) => sendProblem(response, 404, 'no-match'))
  assert.deepEqual(await client.page({ search: 'x' }), { records: [], cursor: null })
  assert.equal(await client.get('03082-1'), null)
  assert.deepEqual(await client.summary({ search: 'x' }), {
    total: 0,
    by_year: [],
    by_municipality: [],
    by_province: [],
  })
})

test('an address outside the registry is an error, not an empty search', async (t) => {
  // Every other problem with status 404 means that nothing was found, so its search is empty.
  const { client } = await startFakeService(t, (_, response) => sendProblem(response, 404, 'unknown-address'))
  await assert.rejects(Array.fromAsync(client.search()), { name: 'RegistryError', code: 'unknown-address' })
  const other = await startFakeService(t, (_, response) => response.writeHead(404).end('<html>not found</html>'))
  await assert.rejects(Array.fromAsync(other.client.search()), { kind: 'unexpected', status: 404 })
})

test('a page has the cursor of the Link header', async (t) => {
  const { client, requested } = await startFakeService(t, (request, response) => {
    const isFirstPage = !request.url?.includes('cursor')
    sendJson(
      response,
      { resultadoBusqueda: isFirstPage ? records.slice(0, 3) : records.slice(3) },
      isFirstPage ? { link: '<https://x.example/registry/record?search=plan&limit=3&cursor=W-_1>; rel="next"' } : {},
    )
  })
  const first = await client.page({ search: 'plan' }, { limit: 3 })
  assert.equal(first.cursor, 'W-_1')
  const second = await client.page({ search: 'plan' }, { limit: 3, cursor: first.cursor })
  assert.equal(second.cursor, null)
  assert.deepEqual([...first.records, ...second.records], records)
  assert.deepEqual(requested.at(-1), '/registry/record?search=plan&limit=3&cursor=W-_1')
})

test('changes without a Link header are an error, because the link has the token for the next request', async (t) => {
  const { client } = await startFakeService(t, (_, response) => sendJson(response, { changes: [] }))
  await assert.rejects(Array.fromAsync(client.changes()), { kind: 'unexpected', message: /has no Link header/ })
})

test('a copy gets what to store and to delete, and begins again when its token has expired', async (t) => {
  const [first, second] = records.map((record, index) => ({ ...record, cod_archivo: `A-${index}` }))
  const { client, requested } = await startFakeService(t, (request, response) => {
    if (request.url?.includes('since=old')) return sendProblem(response, 410, 'expired-since')
    const isNext = request.url?.includes('since=2')
    const [token, relation] = isNext ? ['3', 'latest'] : ['2', 'next']
    const changes = isNext
      ? [
          // Of several changes of one record the last counts.
          { kind: 'gone', cod_archivo: 'A-0' },
          { kind: 'new', cod_archivo: 'A-0', record: first },
          { kind: 'changed', cod_archivo: 'A-1', record: null },
        ]
      : [{ kind: 'new', cod_archivo: 'A-1', record: second }]
    sendJson(response, { changes }, { link: `<?since=${token}>; rel="${relation}"` })
  })
  assert.deepEqual(await Array.fromAsync(client.copy({ municipality: 'Ávila' }, { since: 'old' })), [
    { isWhole: true, records: [second], gone: [], since: '2' },
    { isWhole: false, records: [first], gone: ['A-1'], since: '3' },
  ])
  assert.deepEqual(
    requested.map((url) => url.replace('/registry/changes?municipality=%C3%81vila&include=record', '')),
    ['&since=old', '', '&since=2'],
  )
})

test('get percent-encodes the code in the path', async (t) => {
  const { client, requested } = await startFakeService(t, (_, response) =>
    sendJson(response, { resultadoBusqueda: [records[0]] }),
  )
  assert.deepEqual(await client.get('COT-50/2004-7'), records[0])
  // A lone surrogate cannot be encoded, so it becomes U+FFFD.
  await client.get('\ud800-1')
  assert.deepEqual(requested, ['/registry/record/COT-50%2F2004-7', '/registry/record/%EF%BF%BD-1'])
})

test('municipalities and summary return what the service sends', async (t) => {
  const municipality = {
    name: 'Ávila',
    ine_code: '05019',
    other_names: [],
    records: 3,
    first_year: 1980,
    last_year: 2020,
  }
  const summary = { total: 3, by_year: [{ year: 2004, records: 3 }], by_municipality: [] }
  const { client, requested } = await startFakeService(t, (request, response) =>
    sendJson(response, request.url?.includes('summary') ? summary : { municipalities: [municipality] }),
  )
  assert.deepEqual(await client.municipalities(), [municipality])
  assert.deepEqual(await client.summary({ checkin_date: '2004' }), summary)
  assert.deepEqual(requested, ['/registry/municipality', '/registry/summary?checkin_date=2004'])
})

test('a problem is thrown as a RegistryError', async (t) => {
  const { client, base } = await startFakeService(t, (_, response) =>
    sendProblem(response, 400, 'malformed-year', { members: { parameter: 'checkin_date' } }),
  )
  const error = await client.page({ checkin_date: '20x4' }).catch((reason: unknown) => reason)
  assert.ok(error instanceof RegistryError)
  assert.equal(error.kind, 'problem')
  assert.equal(error.status, 400)
  assert.equal(error.code, 'malformed-year')
  assert.equal(error.problem?.parameter, 'checkin_date')
  // `title` and `detail` of the fake problem.
  assert.equal(error.message, 'Title: Detail.')
  assert.equal(error.url, `${base}/record?checkin_date=20x4&limit=100`)
})

test('a response that has not changed comes from the cache', async (t) => {
  let bodiesSent = 0
  const { client } = await startFakeService(
    t,
    (request, response) => {
      if (request.headers['if-none-match'] === '"v1"') {
        response.writeHead(304, { etag: '"v1"' }).end()
        return
      }
      bodiesSent += 1
      sendJson(response, { resultadoBusqueda: records }, { etag: '"v1"', link: '<?cursor=abc>; rel="next"' })
    },
    { cache: memoryCache() },
  )
  const first = await client.page()
  assert.deepEqual(await client.page(), first)
  assert.equal(first.cursor, 'abc')
  assert.equal(bodiesSent, 1)
})

test('the memory cache drops the least recently used response', async () => {
  const responsesMax = 2
  const cache = memoryCache(responsesMax)
  const response = { etag: '"x"', body: '{}', link: null }
  cache.set('a', response)
  cache.set('b', response)
  cache.get('a')
  cache.set('c', response)
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [response, undefined, response])
})

test('a base address that is not an http: or https: URL is a RegistryError', () => {
  for (const address of ['file:///etc/passwd', 'registry', '']) {
    assert.throws(() => createClient(address), { name: 'RegistryError', kind: 'invalid-address', url: address })
  }
})

test('a response without the expected member is a RegistryError', async (t) => {
  const { client } = await startFakeService(t, (_, response) => sendJson(response, {}))
  for (const call of [
    () => client.page(),
    () => client.get('1-1'),
    () => client.municipalities(),
    () => client.summary(),
  ]) {
    await assert.rejects(call(), { name: 'RegistryError', kind: 'unexpected' })
  }
})

test('page requests 100 records unless a limit is given', async (t) => {
  const { client, requested } = await startFakeService(t, (_, response) =>
    sendJson(response, { resultadoBusqueda: [] }),
  )
  await client.page()
  assert.deepEqual(requested, ['/registry/record?limit=100'])
})
