// Clients that do not read: stalled connections are closed, and send queues are bounded. A send queue is the bytes of
// responses that a client has not read yet. They wait in the kernel or, if it takes no more, in the process; there they
// are held bytes (`hasHeldBytes`). The service measures the queues at intervals, and a test calls `queues.check` to
// measure them at once. If they are too long, the service resets connections, which `resetCount` counts.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import * as http2 from 'node:http2'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import * as tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import { parseTrustedProxies } from '../../src/http/client-address.ts'
import {
  http2StreamsMax,
  queuedExchangeBytes,
  sendQueueAddressShareMax,
  stalledReaderMs,
} from '../../src/http/limits.ts'
import { startService, type TestService } from '../service.ts'
import { until } from './serve.ts'

/**
 * The export, which is the streamed response with all records, exceeds every kernel buffer. A page of 200 records
 * exceeds a megabyte.
 */
const records = toRecords(1_000)
const pagePath = '/registry/record?limit=200'

/** Records of 6 KB each, most of it in the address of the document, which is not indexed. */
function toRecords(count: number): { code: string; title: string; links: string }[] {
  return Array.from({ length: count }, (_, n) => ({
    code: `A-${n}`,
    title: `Plan ${n}`,
    links: `https://a.example/${'x'.repeat(6_000)}`,
  }))
}

/** A little less than the size of the page. */
const pageBytes = 1_200_000
const certificate = {
  certFile: fileURLToPath(new URL('../api/certificates/first.cert.pem', import.meta.url)),
  keyFile: fileURLToPath(new URL('../api/certificates/first.key.pem', import.meta.url)),
}

/** Send queues may hold eight pages in total, and the queues of one address a quarter of this, two pages. */
const smallQueues = { sendQueueBytesMax: 8 * pageBytes }
const addressBytesMax = smallQueues.sendQueueBytesMax * sendQueueAddressShareMax

/** A service with small queues. */
let limited: TestService
/** A service with small queues and TLS. */
let secure: TestService
/** A service that closes a connection that accepts no byte for 100 ms. */
let shortTimeout: TestService

before(async () => {
  limited = await startService(records.slice(0, 200), smallQueues)
  shortTimeout = await startService(records, { stalledReaderMs: 100, isMcpOn: true })
  secure = await startService(records.slice(0, 200), { ...smallQueues, certificate })
})
after(async () => {
  for (const service of [limited, shortTimeout, secure]) await service[Symbol.asyncDispose]()
})

test('a connection is closed if its client does not read a streamed, a whole or an MCP response', async () => {
  // Eight whole responses together exceed the buffers of the kernel, as a streamed one does alone.
  for (const request of [toGet('/registry/record'), toGet(pagePath).repeat(8), toMcpRequest().repeat(8)]) {
    const socket = await open(shortTimeout.port)
    socket.write(request)
    await once(socket, 'readable')
    const client = { remoteAddress: '127.0.0.1', remotePort: socket.localPort }
    // Bytes wait in the process until the service closes the connection.
    await until(async () => shortTimeout.queues.hasHeldBytes(client))
    await until(async () => !shortTimeout.queues.hasHeldBytes(client))
    // The client notices the reset only when it reads.
    await assert.rejects(readWhole(socket), { code: 'ECONNRESET' })
  }
})

test('the timeout spares a client that reads 20 KB/s behind a proxy', () => {
  // A connection that accepts no byte for `stalledReaderMs` is closed. The connection of a slow reader must accept
  // bytes again in less than half of that time, so that there is a margin.
  /** The largest send queue that Linux gives a connection by default. */
  const sendQueueBytes = 4 * 1024 * 1024
  // A kernel accepts more bytes only when a third of its send queue is free. There are two send queues, in the service
  // and in the proxy.
  const bytesBetweenAccepts = 2 * (sendQueueBytes / 3)
  const bytesPerMs = 20
  assert.ok(stalledReaderMs * bytesPerMs > 2 * bytesBetweenAccepts)
})

test('the connections that have made no progress for longest are closed, and others are served', async () => {
  const stalled = await openStalled(limited, { count: 20, localAddress: '127.0.0.1' })
  // The queues of an address may hold two pages, so at least 18 of the twenty connections are closed.
  await until(async () => limited.queues.resetCount >= 18)
  assert.equal((await fetch(`http://127.0.0.1:${limited.port}${pagePath}`)).status, 200)
  assert.ok(limited.queues.bytes <= addressBytesMax, `${limited.queues.bytes} bytes queued`)
  const resets = await Promise.all(stalled.slice(0, 10).map(wasReset))
  assert.deepEqual(new Set(resets), new Set([true]), 'the ten that were opened first are closed')
  for (const socket of stalled) socket.destroy()
})

test('stalled connections of one address do not affect the connections of another', async () => {
  const others = await openStalled(limited, { count: 1, localAddress: '127.0.0.3' })
  const { resetCount: resetsBefore } = limited.queues
  const stalled = await openStalled(limited, { count: 20, localAddress: '127.0.0.2' })
  await until(async () => limited.queues.resetCount >= resetsBefore + 18)
  assert.ok((await readPage(others[0] ?? assert.fail())) > pageBytes)
  for (const socket of [...others, ...stalled]) socket.destroy()
})

test('stalled connections of one address are reset before a slow reader of another', async () => {
  // The bytes of a streamed response are counted only by a check. Before it, ten exports to one address can exceed both
  // the limit of the address and the total limit. The slow reader at the other address has made no progress for longest
  // of all. But the check begins with connections of the address above its limit. Without them the total is not
  // exceeded, so the slow reader stays.
  await using service = await startService(records, smallQueues)
  const [slow = assert.fail()] = await openStalled(service, { count: 1, localAddress: '127.0.0.3' })
  // Waits until all buffers are full. First that of the socket object: then Node reads no more, and the receive buffer
  // of the kernel fills.
  await until(async () => slow.readableLength >= slow.readableHighWaterMark)
  // Then the send queue of the service: it is full when two checks in a row find the same number of bytes.
  let queuedBytes = 0
  await until(async () => {
    const queuedBefore = queuedBytes
    service.queues.check()
    queuedBytes = service.queues.bytes
    return queuedBytes > 0 && queuedBytes === queuedBefore
  })
  const stalled = await openStalled(service, { count: 10, localAddress: '127.0.0.2', path: '/registry/record' })
  service.queues.check()
  assert.ok(service.queues.resetCount > 0)
  assert.ok(service.queues.bytes <= smallQueues.sendQueueBytesMax)
  assert.ok((await readPage(slow)) > pageBytes)
  for (const socket of [...stalled, slow]) socket.destroy()
})

test('exports in progress are completed while a further export of their address is refused', async () => {
  // An export of 30 MB. When 7 MB are read, the rest does not fit in the buffers of the kernel, so it is in progress.
  const exportedRecords = toRecords(5_000)
  // The service holds 1 MiB for each export, and Linux queues up to 4 MiB. So three exports stay below the total limit
  // of 16 MB. The limit of their address is a quarter of this, 4 MB. They are not reset, because their client reads.
  // But a fourth export is refused, because with it the service would hold 4 MiB or more.
  await using service = await startService(exportedRecords, { sendQueueBytesMax: 16_000_000 })
  const exports = await Promise.all([1, 2, 3].map(() => open(service.port)))
  for (const socket of exports) socket.write(toGet('/registry/record', 'Connection: close\r\n'))
  // More is read from each than can be queued for it, so the service sees that its client reads.
  for (const socket of exports) await readBytes(socket, 7_000_000)
  service.queues.check()
  assert.equal(service.queues.resetCount, 0)
  const refused = await fetch(`${service.base}/record`)
  assert.equal(refused.status, 503)
  await refused.body?.cancel()
  const lengths = await Promise.all(exports.map(readWhole))
  assert.ok(
    lengths.every((length) => length > 0),
    'they are read to the end',
  )
  assert.equal(service.queues.resetCount, 0)
})

test('a client gets no long response until the send queues of its closed connections are empty', async () => {
  // With `Connection: close` the service closes a connection after its response, and the kernel keeps the unread bytes
  // in the send queue. 160 records have about a megabyte, so three such queues exceed the 2.4 MB of the address. Eight
  // connections are opened, because a check resets some that the service has not closed yet, and three must be left.
  const stalled = await openStalled(limited, {
    count: 8,
    localAddress: '127.0.0.4',
    path: '/registry/record?limit=160',
    headers: 'Connection: close\r\n',
  })
  /** The status of a response to a client with this address; 0 if its connection is reset at once. */
  const statusFor = async (localAddress: string, path: string): Promise<number> => {
    limited.queues.check()
    const socket = await open(limited.port, localAddress)
    socket.write(toGet(path))
    const [chunk = ''] = await Promise.race([once(socket, 'data'), once(socket.resume(), 'close').then(() => [])])
    socket.destroy()
    return Number(String(chunk).slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length))
  }
  await until(async () => (await statusFor('127.0.0.4', pagePath)) === 503)
  // The metrics count the status that is sent, even if the response cache has the page with status 200.
  const counted: number[] = []
  limited.traffic.onRequest = (_route, status) => counted.push(status)
  assert.equal(await statusFor('127.0.0.4', pagePath), 503)
  assert.deepEqual(counted, [503])
  assert.equal(await statusFor('127.0.0.4', '/registry/record'), 503)
  // A short response is sent all the same, and so is a long one to a client with another address.
  assert.equal(await statusFor('127.0.0.4', '/registry/record/A-1'), 200)
  assert.equal(await statusFor('127.0.0.5', pagePath), 200)
  for (const socket of stalled) socket.destroy()
  await until(async () => (await statusFor('127.0.0.4', pagePath)) === 200)
})

test('the limit of an address does not apply to a trusted proxy', async () => {
  const trustedProxies = parseTrustedProxies(['127.0.0.1'])
  await using service = await startService(records.slice(0, 200), { ...smallQueues, trustedProxies })
  const stalled = await openStalled(service, { count: 5, localAddress: '127.0.0.1' })
  service.queues.check()
  assert.ok(service.queues.bytes > addressBytesMax)
  assert.equal(service.queues.resetCount, 0)
  for (const socket of stalled) {
    assert.ok((await readPage(socket)) > pageBytes)
    socket.destroy()
  }
})

test('TLS clients that never read are closed too, with HTTP/1.1 and HTTP/2', async () => {
  const sockets = Array.from({ length: 12 }, () => {
    const socket = tls.connect({ port: secure.port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
    socket.on('error', () => {}).pause()
    socket.write(toGet(pagePath))
    return socket
  })
  // The queues of an address may hold two pages, so at least ten of the twelve connections are closed.
  await until(async () => secure.queues.resetCount >= 10)
  for (const socket of sockets) socket.destroy()
  const { resetCount: resetsBefore } = secure.queues
  // Each HTTP/2 session requests four pages, and the queues of an address may hold two. So a session is closed when its
  // pages are queued. The test waits for three of the four sessions.
  const sessions = Array.from({ length: 4 }, () => {
    const session = http2.connect(`https://127.0.0.1:${secure.port}`, { rejectUnauthorized: false })
    session.on('error', () => {})
    // The flow-control window of a stream is 64 KB; the rest is queued in the process.
    for (let n = 0; n < 4; n++)
      session
        .request({ ':path': pagePath })
        .on('error', () => {})
        .pause()
    return session
  })
  await until(async () => secure.queues.resetCount >= resetsBefore + 3)
  for (const session of sessions) session.destroy()
  await until(async () => {
    secure.queues.check()
    return secure.queues.bytes === 0
  })
})

test('small responses that wait for the flow control of HTTP/2 count with the memory of their streams', async () => {
  const { resetCount: resetsBefore } = secure.queues
  // Each session has 100 streams that count as 16 KB each, 1.6 MB. Two sessions exceed the 2.4 MB of the address, so
  // three of the four are closed.
  const sessions = Array.from({ length: 4 }, () => {
    // With a flow-control window of 0 the service may send headers, but no body.
    const settings = { initialWindowSize: 0 }
    const session = http2.connect(`https://127.0.0.1:${secure.port}`, { rejectUnauthorized: false, settings })
    session.on('error', () => {})
    for (let n = 0; n < http2StreamsMax; n++) session.request({ ':path': '/registry/record/A-1' }).on('error', () => {})
    return session
  })
  await until(async () => secure.queues.resetCount >= resetsBefore + 3)
  assert.ok(secure.queues.bytes <= addressBytesMax, `${secure.queues.bytes} bytes queued`)
  for (const session of sessions) session.destroy()
  await until(async () => {
    secure.queues.check()
    return secure.queues.bytes === 0
  })
})

test('requests behind an unread response count as queued bytes until the connection closes', async () => {
  // A check measures the queues of the kernel only if they may exceed an eighth of the limit. This limit is so high
  // that only the bytes in the process count.
  await using service = await startService(records, { sendQueueBytesMax: 2 ** 40 })
  const socket = await open(service.port)
  // The 100 requests wait behind the export, whatever they are for. `queuedExchangeBytes` is counted for each, for the
  // memory of its objects.
  socket.write(toGet('/registry/record') + 'HEAD /registry/server.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(100))
  await until(async () => {
    service.queues.check()
    return service.queues.bytes >= 100 * queuedExchangeBytes
  })
  socket.destroy()
  await until(async () => {
    service.queues.check()
    return service.queues.bytes === 0
  })
})

/** Opens a connection that is not read. */
async function open(port: number, localAddress: string = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {}).pause()
  await once(socket, 'connect')
  return socket
}

interface StalledOptions {
  /** Number of connections. */
  readonly count: number
  /** The address of the client. */
  readonly localAddress: string
  /** What each connection requests; by default a page. */
  readonly path?: string
  /** Further headers of the request; each ends in a line break. */
  readonly headers?: string
}

/** Opens connections that each send a request and do not read the response. */
async function openStalled(
  { port }: TestService,
  { count, localAddress, path = pagePath, headers = '' }: StalledOptions,
): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (let n = 0; n < count; n++) {
    const socket = await open(port, localAddress)
    socket.write(toGet(path, headers))
    await once(socket, 'readable')
    sockets.push(socket)
  }
  return sockets
}

/** A request; each of the headers ends in a line break. */
function toGet(path: string, headers: string = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
}

/** A batch of MCP, whose response exceeds a megabyte. */
function toMcpRequest(): string {
  const params = { name: 'search_records', arguments: { limit: 10 } }
  const calls = Array.from({ length: 16 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }))
  const body = JSON.stringify(calls)
  const headers = [
    'Host: 127.0.0.1',
    'Accept: application/json, text/event-stream',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  return `POST /registry/mcp HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}

/** Returns the number of bytes received; rejects if the connection is reset. */
async function readWhole(socket: Socket): Promise<number> {
  let bytes = 0
  for await (const chunk of socket) bytes += chunk.length
  return bytes
}

/** Reads at least this many bytes and then pauses. */
async function readBytes(socket: Socket, bytes: number): Promise<void> {
  socket.resume()
  while (socket.bytesRead < bytes) await once(socket, 'data')
  socket.pause()
}

/** Reads until a page has arrived. Returns the number of bytes received. */
async function readPage(socket: Socket): Promise<number> {
  for await (const _ of socket) if (socket.bytesRead > pageBytes) break
  return socket.bytesRead
}

/** Reads to the end. Resolves to whether the connection was reset. */
function wasReset(socket: Socket): Promise<boolean> {
  return readWhole(socket).then(
    () => false,
    () => true,
  )
}
