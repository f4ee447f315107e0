// Many requests at once on one connection, pipelined or as streams of HTTP/2: each gets a response, and other
// connections do not wait for all of them.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as http2 from 'node:http2'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  http2StreamsMax,
  queuedExchangeBytes,
  requestsWaitingMax,
  sendQueueAddressShareMax,
} from '../../src/http/limits.ts'
import { RequestQueue } from '../../src/http/request-queue.ts'
import { startService, type TestService } from '../service.ts'
import { sendContext } from './sending.ts'

const certificate = {
  certFile: fileURLToPath(new URL('./certificates/first.cert.pem', import.meta.url)),
  keyFile: fileURLToPath(new URL('./certificates/first.key.pem', import.meta.url)),
}
/** The record `A-1`, and records in very many municipalities, which make `slowPath` slow. */
const records = [
  { code: 'A-1' },
  ...Array.from({ length: 500 }, (_, n) => ({ code: `B-${n}`, municipality: `Villanueva del Campo ${n}` })),
]

let service: TestService
let secure: TestService

before(async () => {
  service = await startService(records)
  secure = await startService(records, { certificate })
})
after(async () => {
  for (const each of [service, secure]) await each[Symbol.asyncDispose]()
})

/**
 * A request that takes a part of a millisecond, in one iteration of the event loop: no municipality has the name, so
 * the service compares it with all names to suggest similar ones.
 */
const slowPath = (n: number): string => `/registry/record?limit=1&municipality=villanueba+del+canpo+a${n}`

/** The requests that a connection may have at a time: one in work, and `requestsWaitingMax` that wait. */
const pipelinedMax = requestsWaitingMax + 1

test('if a client pipelines more requests than may wait, all are answered in order', async () => {
  const client = open(service.port)
  // Together the requests have several times the 64 KB that Node reads at once.
  const paths = Array.from({ length: 5000 }, (_, n) => (n % 3 === 0 ? 'nothing' : 'record/A-1'))
  client.socket.write(paths.map((path) => toGet(`/registry/${path}`)).join(''))
  client.socket.write('GET /registry/record/A-1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  await once(client.socket, 'close')
  assert.deepEqual(
    client.statuses(),
    [...paths, 'record/A-1'].map((path) => (path === 'nothing' ? '404' : '200')),
  )
})

test('nothing more is read from a connection while too many of its requests wait', async () => {
  // The share of one IP address is enough for 2,000 waiting requests. If all 6,000 waited at once, they would exceed
  // it, and the connection would be reset.
  const addressBytesMax = 2000 * queuedExchangeBytes
  await using small = await startService(records, { sendQueueBytesMax: addressBytesMax / sendQueueAddressShareMax })
  const client = open(small.port)
  const count = 6000
  client.socket.write(Array.from({ length: count }, () => toGet('/registry/record/A-1')).join(''))
  while (client.statuses().length < count && !client.socket.closed) await nextIteration()
  assert.equal(client.statuses().length, count)
  assert.equal(small.queues.resetCount, 0)
  client.socket.destroy()
})

test('another connection does not wait for all pipelined requests of a client', async () => {
  const [client, other] = [open(service.port), open(service.port)]
  await Promise.all([once(client.socket, 'connect'), once(other.socket, 'connect')])
  client.socket.write(Array.from({ length: pipelinedMax }, (_, n) => toGet(slowPath(n))).join(''))
  other.socket.write(toGet('/registry/record/A-1'))
  await once(other.socket, 'data')
  const answered = client.statuses().length
  // After 10 ms of work the service reads other connections, so only a few are answered first.
  assert.ok(answered < pipelinedMax / 2, `${answered} were answered first`)
  for (const { socket } of [client, other]) socket.destroy()
})

test('another connection does not wait for all streams of an HTTP/2 client', async () => {
  const [session, other] = [connectHttp2(secure.port), connectHttp2(secure.port)]
  await Promise.all([once(session, 'connect'), once(other, 'connect')])
  let answered = 0
  for (let n = 0; n < http2StreamsMax; n++) {
    const stream = session.request({ ':path': slowPath(n) })
    stream
      .on('error', () => {})
      .on('response', () => {
        answered += 1
      })
  }
  await once(other.request({ ':path': '/registry/record/A-1' }), 'response')
  assert.ok(answered < http2StreamsMax / 2, `${answered} were answered first`)
  for (const each of [session, other]) each.destroy()
})

test('an HTTP/2 session is busy until its first stream has a response, even if a later stream has one', async (t) => {
  const responses: ServerResponse[] = []
  const queue = new RequestQueue((_request, response) => {
    responses.push(response)
    // The later stream gets its response at once.
    if (responses.length === 2) response.end()
  }, sendContext.queues)
  // In Node's compatibility API the objects of HTTP/2 have the interface of HTTP/1.1, but other types.
  const server = http2.createServer((request, response) =>
    queue.add(request as unknown as IncomingMessage, response as unknown as ServerResponse),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const client = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const [session] = (await once(server, 'session')) as [http2.ServerHttp2Session]
  const first = client.request({ ':path': '/first' })
  const second = client.request({ ':path': '/second' })
  await once(second.resume(), 'close')
  assert.equal(queue.isBusy(session), true)
  responses[0]?.end()
  await once(first.resume(), 'close')
  // The server may learn later than the client that the stream is closed.
  while (queue.isBusy(session)) await nextIteration()
  client.close()
})

test('requests that wait when the service ends are answered, and the last response closes the connection', async () => {
  const ending = await startService(records)
  const client = open(ending.port)
  client.socket.write(Array.from({ length: pipelinedMax }, (_, n) => toGet(slowPath(n))).join(''))
  await once(client.socket, 'data')
  const deadlineMs = 10_000
  const drained = ending.drain(deadlineMs)
  await once(client.socket, 'close')
  assert.equal(client.statuses().length, pipelinedMax)
  assert.equal(client.text().match(/\r\nConnection: close\r\n/gi)?.length, 1)
  await drained
  await ending[Symbol.asyncDispose]()
})

/** A connection that collects what it receives. */
function open(port: number): { socket: Socket; text: () => string; statuses: () => (string | undefined)[] } {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket
    .on('error', () => {})
    .on('data', (chunk) => {
      text += chunk
    })
  return {
    socket,
    text: () => text,
    statuses: () => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status),
  }
}

function connectHttp2(port: number): http2.ClientHttp2Session {
  return http2.connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false }).on('error', () => {})
}

function toGet(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
}
