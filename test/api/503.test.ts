// Load shedding: which requests are refused with 503, and which are served. An export is a streamed response.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { referenceScript, referenceStyle } from '../../src/api/html.ts'
import { Admission } from '../../src/http/admission.ts'
import { clientShareMax, exportsMax, retryAfterSeconds, searchesMax } from '../../src/limits.ts'
import { Problem } from '../../src/problems.ts'
import { manyRecords } from '../server/many-records.ts'
import { startService } from '../service.ts'
import { type HttpResponse, problemCode, sendRequest } from './send-request.ts'
import { withSummarise } from './with-summarise.ts'

for (const { kind, begin, max } of [
  { kind: 'requests', begin: (a: Admission, client: string) => a.beginSearch(client), max: searchesMax },
  { kind: 'exports', begin: (a: Admission, client: string) => a.beginExport(client), max: exportsMax },
] as const) {
  test(`${kind} above the limit are refused`, () => {
    const admission = new Admission({})
    // Each belongs to another client, so that none reaches the limit of one client.
    for (let n = 0; n < max; n++) assert.ok(!(begin(admission, `client ${n}`) instanceof Problem))
    const refusal = begin(admission, 'another')
    assert.ok(refusal instanceof Problem)
    assert.equal(refusal.code, 'overloaded')
    assert.deepEqual(refusal.headers, { 'Retry-After': String(retryAfterSeconds) })
    assert.equal(admission.shed[kind], 1)
  })

  test(`one client has at most a quarter of the ${kind}, and other clients are still admitted`, () => {
    const admission = new Admission({})
    const slots = Array.from({ length: max * clientShareMax }, () => begin(admission, 'greedy'))
    assert.ok(begin(admission, 'greedy') instanceof Problem)
    assert.equal(admission.shed[`client-${kind}`], 1)
    assert.ok(!(begin(admission, 'other') instanceof Problem))
    const [first] = slots
    if (typeof first === 'function') first()
    assert.ok(!(begin(admission, 'greedy') instanceof Problem), 'after the end of one')
  })
}

test('a client that does not read gets at most a quarter of the exports, and another client gets one', async () => {
  await using service = await startService(manyRecords)
  const clientExportsMax = exportsMax * clientShareMax
  const tooMany = 10
  const sockets = Array.from({ length: clientExportsMax + tooMany }, () => connect(service.port, '127.0.0.1'))
  const statuses = await Promise.all(
    sockets.map(async (socket) => {
      socket.write('GET /registry/record HTTP/1.1\r\nHost: a\r\n\r\n')
      // The first packet begins with the status, such as `HTTP/1.1 200`. The client reads no further.
      const [packet] = await once(socket, 'data')
      socket.pause()
      return String(packet).slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)
    }),
  )
  assert.equal(statuses.filter((status) => status === '200').length, clientExportsMax)
  assert.equal(statuses.filter((status) => status === '503').length, tooMany)
  const other = connect({ port: service.port, host: '127.0.0.1', localAddress: '127.0.0.2' })
  other.write('GET /registry/record HTTP/1.1\r\nHost: a\r\n\r\n')
  assert.match(String((await once(other, 'data'))[0]), /^HTTP\/1\.1 200 /, 'another client gets its export')
  for (const socket of [...sockets, other]) socket.destroy()
})

test('an overloaded service refuses new requests and serves cached responses and static files', async () => {
  const summariesMayEnd = Promise.withResolvers<void>()
  await using service = await startService([{ code: 'A-1' }], {
    wrapStore: (store) =>
      withSummarise(store, async (snapshot, ...args) => {
        await summariesMayEnd.promise
        return snapshot.summarise(...args)
      }),
  })
  // A short result without `limit` is stored in the cache at its first request.
  assert.equal((await sendRequest(service, 'record')).status, 200)
  // One client may have a quarter of `searchesMax` in work, so most summaries are refused at once. The others
  // wait, and get 404 in the end, because no record contains their word.
  const summaries = Array.from({ length: searchesMax }, (_, n) => sendRequest(service, `summary?search=plan${n}`))
  /** The first response to a summary or to another request: a refusal, because no admitted summary can end yet. */
  const refused = await Promise.race([...summaries, requestUntilRefused()])
  assert.equal(refused.status, 503)
  assert.equal(problemCode(refused), 'overloaded')
  assert.equal(refused.headers['retry-after'], String(retryAfterSeconds))
  assert.equal((await sendRequest(service, 'record')).status, 200, 'from the cache')
  for (const path of ['openapi.json', referenceStyle.name, referenceScript.name]) {
    assert.equal((await sendRequest(service, path)).status, 200, `${path}, requested for the first time`)
  }
  summariesMayEnd.resolve()
  const statuses = (await Promise.all(summaries)).map((response) => response.status)
  assert.ok(statuses.includes(404), 'admitted requests are served')
  // The record has the default date of `toRecord` (test/service.ts), which is in 2004.
  assert.equal((await sendRequest(service, 'summary?checkin_date=2004')).status, 200, 'new requests are admitted again')

  /** Repeats a request until it is refused with 503, and returns this response. */
  async function requestUntilRefused(): Promise<HttpResponse> {
    for (;;) {
      // A malformed request, which is 400 at once as long as it is admitted.
      const response = await sendRequest(service, 'municipality?x')
      if (response.status === 503) return response
    }
  }
})
