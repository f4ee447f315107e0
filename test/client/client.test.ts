// The client against a fake service: the requests that it sends, and how it reads each response. `requested` has the
// path and query of each request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import undici from 'undici'
import { createClient, memoryCache, type RegistryClient, RegistryError } from '../../src/client/client.ts'
import { makeRecord, sendJson, sendProblem, startFakeService } from './fake-service.ts'

const records = Array.from({ length: 5 }, (_, index) => makeRecord(index))

const filters = { municipality: 'Ávila', checkin_date: 2004, search: 'plan parcial & más' }
const query = 'municipality=%C3%81vila&checkin_date=2004&search=plan+parcial+%26+m%C3%A1s'

for (const [address, call] of [
  [`record?${query}&limit=1000`, (client) => Array.fromAsync(client.search(filters))],
  ['record?limit=7&cursor=W-_1', (client) => Array.fromAsync(client.search({}, { limit: 7, cursor: 'W-_1' }))],
  // Passages are shown only in pages of up to 100 records.
  [
    'record?search=plan&limit=100&include=passages',
    (client) => Array.fromAsync(client.search({ search: 'plan' }, { include: ['passages'] })),
  ],
  ['record?limit=100', (client) => client.page()],
  [
    'record?agreement=no&limit=3&cursor=W-_1',
    (client) => client.page({ agreement: 'no' }, { limit: 3, cursor: 'W-_1' }),
  ],
  ['record/COT-50%2F2004-7', (client) => client.get('COT-50/2004-7')],
  // A lone surrogate cannot be encoded, so it becomes U+FFFD.
  ['record/%EF%BF%BD-1', (client) => client.get('\ud800-1')],
  ['municipality', (client) => client.municipalities()],
  ['summary?checkin_date=2004', (client) => client.summary({ checkin_date: '2004' })],
] satisfies readonly [string, (client: RegistryClient) => Promise<unknown>][]) {
  test(`a call of the client requests ${address}`, async (t) => {
    const body = { resultadoBusqueda: records, municipalities: [], by_year: [] }
    const { client, requested } = await startFakeService(t, (_, response) => sendJson(response, body))
    await call(client)
    assert.deepEqual(requested, [`/registry/${address}`])
  })
}

test('a search asks for the next page with the cursor of the Link header', async (t) => {
  const { client, requested } = await startFakeService(t, (request, response) => {
    const isFirstPage = !request.url?.includes('cursor')
    const headers = isFirstPage ? { link: '<https://x.example/registry/record?cursor=W-_1>; rel="next"' } : {}
    sendJson(response, { resultadoBusqueda: isFirstPage ? records.slice(0, 3) : records.slice(3) }, headers)
  })
  assert.deepEqual(await Array.fromAsync(client.search()), records)
  assert.deepEqual(requested.at(-1), '/registry/record?limit=1000&cursor=W-_1')
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
