import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient, memoryCache, RegistryError } from '../../src/client/client.ts'
import { makeRecord, sendJson, sendProblem, startService } from './fake-service.ts'

const records = Array.from({ length: 5 }, (_, index) => makeRecord(index))

test('search sends its filters under the names of the specification and yields every record', async (t) => {
  const { client, asked } = await startService(t, (_, response) => sendJson(response, { resultadoBusqueda: records }))
  const filters = { municipality: 'Ávila', checkin_date: 2004, search: 'plan parcial & más' }
  assert.deepEqual(await Array.fromAsync(client.search(filters)), records)
  assert.deepEqual(asked, [
    '/registry/record?municipality=%C3%81vila&checkin_date=2004&search=plan+parcial+%26+m%C3%A1s',
  ])
})

test('a search that finds nothing is an empty iterator and says why', async (t) => {
  const { client } = await startService(t, (_, response) =>
    sendProblem(response, 404, 'unknown-municipality', { parameter: 'municipality', suggestions: ['Ávila'] }),
  )
  const reasons: unknown[] = []
  const found = client.search({ municipality: 'Avilla' }, { onEmpty: (problem) => reasons.push(problem.suggestions) })
  assert.deepEqual(await Array.fromAsync(found), [])
  assert.deepEqual(reasons, [['Ávila']])
})

test('nothing found is an empty page, no record and a summary of zero', async (t) => {
  const { client } = await startService(t, (_, response) => sendProblem(response, 404, 'no-match'))
  assert.deepEqual(await client.page({ search: 'x' }), { records: [], cursor: null })
  assert.equal(await client.get('03082-1'), null)
  assert.deepEqual(await client.summary({ search: 'x' }), { total: 0, by_year: [], by_municipality: [] })
})

test('an address outside the registry is an error, not an empty search', async (t) => {
  const { client } = await startService(t, (_, response) => sendProblem(response, 404, 'unknown-address'))
  await assert.rejects(Array.fromAsync(client.search()), { name: 'RegistryError', code: 'unknown-address' })
  const other = await startService(t, (_, response) => response.writeHead(404).end('<html>not found</html>'))
  await assert.rejects(Array.fromAsync(other.client.search()), { kind: 'unexpected', status: 404 })
})

test('pages follow one another by the cursor of the Link header', async (t) => {
  const { client, asked } = await startService(t, (request, response) => {
    const isFirst = !request.url?.includes('cursor')
    sendJson(
      response,
      { resultadoBusqueda: isFirst ? records.slice(0, 3) : records.slice(3) },
      isFirst ? { link: '<https://x.example/registry/record?search=plan&limit=3&cursor=W-_1>; rel="next"' } : {},
    )
  })
  const first = await client.page({ search: 'plan' }, { limit: 3 })
  assert.equal(first.cursor, 'W-_1')
  const second = await client.page({ search: 'plan' }, { limit: 3, cursor: first.cursor })
  assert.equal(second.cursor, null)
  assert.deepEqual([...first.records, ...second.records], records)
  assert.deepEqual(asked.at(-1), '/registry/record?search=plan&limit=3&cursor=W-_1')
})

test('get asks for one code, whatever is in it', async (t) => {
  const { client, asked } = await startService(t, (_, response) =>
    sendJson(response, { resultadoBusqueda: [records[0]] }),
  )
  assert.deepEqual(await client.get('COT-50/2004-7'), records[0])
  assert.deepEqual(asked, ['/registry/record/COT-50%2F2004-7'])
})

test('municipalities and summary come as the service sends them', async (t) => {
  const municipality = {
    name: 'Ávila',
    ine_code: '05019',
    other_names: [],
    records: 3,
    first_year: 1980,
    last_year: 2020,
  }
  const summary = { total: 3, by_year: [{ year: 2004, records: 3 }], by_municipality: [] }
  const { client, asked } = await startService(t, (request, response) =>
    sendJson(response, request.url?.includes('summary') ? summary : { municipalities: [municipality] }),
  )
  assert.deepEqual(await client.municipalities(), [municipality])
  assert.deepEqual(await client.summary({ checkin_date: '2004' }), summary)
  assert.deepEqual(asked, ['/registry/municipality', '/registry/summary?checkin_date=2004'])
})

test('a problem is thrown as one typed error', async (t) => {
  const { client, base } = await startService(t, (_, response) =>
    sendProblem(response, 400, 'malformed-year', { parameter: 'checkin_date' }),
  )
  const error = await client.page({ checkin_date: '20x4' }).catch((reason: unknown) => reason)
  assert.ok(error instanceof RegistryError)
  assert.equal(error.kind, 'problem')
  assert.equal(error.status, 400)
  assert.equal(error.code, 'malformed-year')
  assert.equal(error.problem?.parameter, 'checkin_date')
  assert.equal(error.message, 'Title: Detail.')
  assert.equal(error.url, `${base}/record?checkin_date=20x4&limit=100`)
})

test('an answer that has not changed is taken from the cache', async (t) => {
  let sent = 0
  const { client } = await startService(
    t,
    (request, response) => {
      if (request.headers['if-none-match'] === '"v1"') {
        response.writeHead(304, { etag: '"v1"' }).end()
        return
      }
      sent += 1
      sendJson(response, { resultadoBusqueda: records }, { etag: '"v1"', link: '<?cursor=abc>; rel="next"' })
    },
    { cache: memoryCache() },
  )
  const first = await client.page()
  assert.deepEqual(await client.page(), first)
  assert.equal(first.cursor, 'abc')
  assert.equal(sent, 1)
})

test('the memory cache drops the answer that was used longest ago', async () => {
  const cache = memoryCache(2)
  const answer = { etag: '"x"', body: '{}', link: null }
  cache.set('a', answer)
  cache.set('b', answer)
  cache.get('a')
  cache.set('c', answer)
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [answer, undefined, answer])
})

test('an address that is none of the web is refused at once', () => {
  assert.throws(() => createClient('file:///etc/passwd'), /expected http: or https:/)
  assert.throws(() => createClient('not an address'), TypeError)
})
