// Load shedding: which requests are refused with 503 under overload, and which are served. `findOverload` returns the
// reason to refuse a request, and `checkExportLimit` and `checkBodyLimit` return the refusal. Undefined means that the
// request is admitted. `traffic.shed` counts the refused requests by reason. An export is a streamed response.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { IncomingMessage } from 'node:http'
import { connect, Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { referenceScript, referenceStyle } from '../../src/api/html.ts'
import { AdmissionControl } from '../../src/http/admission.ts'
import { parseTrustedProxies } from '../../src/http/client-address.ts'
import { bodiesMax, clientShareMax, exportsMax, requestsInWorkMax, retryAfterSeconds } from '../../src/http/limits.ts'
import type { ApiResponse } from '../../src/http/response.ts'
import { manyRecords } from '../server/many-records.ts'
import { startService } from '../service.ts'
import { type HttpResponse, problemCode, sendRequest } from './send-request.ts'
import { withSummarise } from './with-summarise.ts'

async function* noChunks(): AsyncGenerator<Uint8Array, void, undefined> {}

/** A response with a streamed body: an export. */
const exportResponse: ApiResponse = {
  status: 200,
  headers: [],
  body: { chunks: noChunks(), coding: 'identity', end: async () => {} },
}

test('a request above the limit of concurrent requests is refused', (t) => {
  const admission = createAdmission(t)
  const request = requestFrom('192.0.2.1')
  admission.traffic.requestsInWork = requestsInWorkMax - 1
  assert.equal(admission.findOverload(request), undefined)
  admission.traffic.requestsInWork = requestsInWorkMax
  assert.equal(admission.findOverload(request), 'requests')
  const refusal = admission.shed('requests')
  assert.equal(refusal.problem.code, 'overloaded')
  assert.equal(refusal.retryAfterSeconds, retryAfterSeconds)
  assert.equal(admission.traffic.shed.requests, 1)
})

test('one client has at most a quarter of the requests in work, and other clients are still admitted', (t) => {
  const admission = createAdmission(t)
  const greedy = requestFrom('192.0.2.1')
  /** Functions, each of which ends one search. */
  const ends = Array.from({ length: requestsInWorkMax * clientShareMax }, () => {
    assert.equal(admission.findOverload(greedy), undefined)
    return admission.beginSearch(greedy)
  })
  assert.equal(admission.findOverload(greedy), 'client-requests')
  assert.equal(admission.findOverload(requestFrom('192.0.2.2')), undefined)
  ends[0]?.()
  assert.equal(admission.findOverload(greedy), undefined, 'after the end of a search')
  // The client may have one more request in work, too few for a batch of two MCP calls.
  assert.equal(admission.findOverload(greedy, 2), 'client-requests', 'a batch is admitted as a whole or not at all')
})

test('an export above the limit of concurrent exports is refused, and other responses are not', (t) => {
  const admission = createAdmission(t)
  const request = requestFrom('192.0.2.1')
  // Each export belongs to another client, so that none reaches the limit of one client.
  for (let n = 0; n < exportsMax; n++) {
    assert.equal(admission.checkExportLimit(request, exportResponse), undefined)
    admission.beginExport(requestFrom(`192.0.3.${n}`))
  }
  assert.equal(admission.exportsOpen, exportsMax)
  assert.equal(admission.checkExportLimit(request, exportResponse)?.problem.code, 'overloaded')
  assert.equal(admission.checkExportLimit(request, { ...exportResponse, body: null }), undefined)
  assert.equal(admission.checkExportLimit(request, { ...exportResponse, body: new Uint8Array() }), undefined)
  request.method = 'HEAD'
  assert.equal(admission.checkExportLimit(request, exportResponse), undefined, 'HEAD gets no body')
})

test('one client gets at most a quarter of the exports, and other clients are still admitted', (t) => {
  const admission = createAdmission(t)
  const greedy = requestFrom('192.0.2.1')
  /** Functions, each of which ends one export. */
  const ends = Array.from({ length: exportsMax * clientShareMax }, () => {
    assert.equal(admission.checkExportLimit(greedy, exportResponse), undefined)
    return admission.beginExport(greedy)
  })
  assert.equal(admission.checkExportLimit(greedy, exportResponse)?.problem.code, 'overloaded')
  assert.equal(admission.traffic.shed['client-exports'], 1)
  assert.equal(admission.checkExportLimit(requestFrom('192.0.2.2'), exportResponse), undefined)
  ends[0]?.()
  assert.equal(admission.checkExportLimit(greedy, exportResponse), undefined, 'after the end of an export')
})

test('if the send queues cannot take an export, it is refused with the reason of the queues', (t) => {
  const admission = createAdmission(t)
  const request = requestFrom('192.0.2.1')
  for (const [reason, detail] of [
    ['exports', /^The service is sending as many exports as it can/],
    ['client-exports', /^This client is receiving as many exports as one client may/],
  ] as const) {
    const findQueueOverload = (): typeof reason => reason
    const refusal = admission.checkExportLimit(request, exportResponse, findQueueOverload)
    assert.match(refusal?.problem.detail ?? '', detail)
    assert.equal(admission.traffic.shed[reason], 1)
  }
})

test('one client sends at most a quarter of the MCP bodies that are read at once, and others are admitted', (t) => {
  const admission = createAdmission(t)
  const greedy = requestFrom('192.0.2.1')
  /** Functions, each of which ends the reading of one body. */
  const ends = Array.from({ length: bodiesMax * clientShareMax }, () => {
    assert.equal(admission.checkBodyLimit(greedy), undefined)
    return admission.beginBody(greedy)
  })
  assert.equal(admission.checkBodyLimit(greedy)?.problem.code, 'overloaded')
  assert.equal(admission.traffic.shed['client-bodies'], 1)
  assert.equal(admission.checkBodyLimit(requestFrom('192.0.2.2')), undefined)
  ends[0]?.()
  assert.equal(admission.checkBodyLimit(greedy), undefined, 'after the end of a body')
})

test('MCP bodies above the limit of all clients are refused', (t) => {
  const admission = createAdmission(t)
  // Each body comes from another client, so that none reaches the limit of one client.
  for (let n = 0; n < bodiesMax; n++) admission.beginBody(requestFrom(`192.0.${n >> 8}.${n & 255}`))
  assert.equal(admission.checkBodyLimit(requestFrom('198.51.100.1'))?.problem.code, 'overloaded')
  // A refusal at the limit of one client counts as `client-bodies`, at the limit of all clients as `requests`.
  assert.equal(admission.traffic.shed.requests, 1)
})

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

/** Admission control that trusts the proxy of `requestFrom`. Its checks of memory and event loop end with the test. */
function createAdmission(t: TestContext): AdmissionControl {
  const trustedProxies = parseTrustedProxies(['127.0.0.1'])
  const admission = new AdmissionControl({ basePath: '/registry', trustedProxies })
  t.after(() => admission.end())
  return admission
}

/** A request of the client through the trusted proxy 127.0.0.1. */
function requestFrom(client: string): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: '127.0.0.1' })
  const request = new IncomingMessage(socket)
  request.headers['x-forwarded-for'] = client
  return request
}

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
  // One client may have a quarter of `requestsInWorkMax` in work, so most summaries are refused at once. The others
  // wait, and get 404 in the end, because no record contains their word.
  const summaries = Array.from({ length: requestsInWorkMax }, (_, n) => sendRequest(service, `summary?search=plan${n}`))
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
