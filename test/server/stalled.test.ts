// Clients that do not read: the rule that cuts them off, and the bound on what waits for them.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import * as http2 from 'node:http2'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import * as tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import { parseTrustedProxies } from '../../src/http/client-address.ts'
import { stalledReaderMs } from '../../src/http/limits.ts'
import { startService, type TestService } from '../service.ts'
import { until } from './serve.ts'

/** So many that the whole result fits no buffer of the kernel, and a page of 1,000 has more than a megabyte. */
const records = Array.from({ length: 5_000 }, (_, n) => ({ code: `A-${n}`, title: `Plan ${n} ${'x'.repeat(1_200)}` }))
const page = '/registry/record?limit=1000'
const pageBytes = 1_200_000
const certificate = {
  certFile: fileURLToPath(new URL('../api/certificates/first.cert.pem', import.meta.url)),
  keyFile: fileURLToPath(new URL('../api/certificates/first.key.pem', import.meta.url)),
}

let patient: TestService
let impatient: TestService
let secure: TestService
/** With room for a page or two of one client, and for eight of all. */
const small = { sendQueueBytesMax: 8 * pageBytes }

before(async () => {
  patient = await startService(records.slice(0, 1_000), small)
  impatient = await startService(records, { stalledReaderMs: 100 })
  secure = await startService(records.slice(0, 1_000), { ...small, certificate })
})
after(async () => {
  for (const service of [patient, impatient, secure]) await service[Symbol.asyncDispose]()
})

test('a reader that takes nothing is cut off, from a long response and from a whole one', async () => {
  const whole = `GET ${page} HTTP/1.1\r\nHost: a\r\n\r\n`
  for (const request of ['GET /registry/record HTTP/1.1\r\nHost: a\r\n\r\n', whole.repeat(8)]) {
    const socket = await open(impatient.port)
    socket.write(request)
    await once(socket, 'readable')
    // Only a connection that is read sees that it was reset.
    await until(async () => impatient.queues.isSending({ remoteAddress: '127.0.0.1', remotePort: socket.localPort }))
    await until(async () => !impatient.queues.isSending({ remoteAddress: '127.0.0.1', remotePort: socket.localPort }))
    await assert.rejects(readWhole(socket), { code: 'ECONNRESET' })
  }
})

test('a reader of 20 KB/s takes what two send queues of the kernel hide, well before it would be cut off', () => {
  const sendQueueBytes = 4 * 1024 * 1024
  assert.ok(stalledReaderMs * 20 > 2 * (sendQueueBytes / 3) * 2)
})

test('clients that never read: those longest without progress are closed, and the others are answered', async () => {
  const stalled = await stall(patient, 20, '127.0.0.1')
  await until(async () => patient.queues.closed >= 18)
  assert.equal((await fetch(`http://127.0.0.1:${patient.port}${page}`)).status, 200)
  assert.ok(patient.queues.bytes <= small.sendQueueBytesMax / 4, `${patient.queues.bytes} bytes wait`)
  const resets = await Promise.all(stalled.slice(0, 10).map(wasReset))
  assert.deepEqual(new Set(resets), new Set([true]), 'the first ones are closed')
  for (const socket of stalled) socket.destroy()
})

test('one address that does not read leaves the connections of others alone', async () => {
  const others = await stall(patient, 1, '127.0.0.3')
  const { closed } = patient.queues
  const stalled = await stall(patient, 20, '127.0.0.2')
  await until(async () => patient.queues.closed >= closed + 18)
  assert.ok((await readSome(others[0] ?? assert.fail())) > pageBytes)
  for (const socket of [...others, ...stalled]) socket.destroy()
})

test('closed connections hold what is not read, too: their client is sent nothing long until it is gone', async () => {
  // Smaller ones, so that they are closed before their sum is noticed; what is open by then is reset.
  const stalled = await stall(patient, 18, '127.0.0.4', 'Connection: close\r\n', '/registry/record?limit=400')
  const statusFor = async (localAddress: string, path: string): Promise<number> => {
    patient.queues.check()
    const socket = await open(patient.port, localAddress)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
    // One that is reset at once has no status.
    const [chunk = ''] = await Promise.race([once(socket, 'data'), once(socket.resume(), 'close').then(() => [])])
    socket.destroy()
    return Number(String(chunk).slice(9, 12))
  }
  await until(async () => (await statusFor('127.0.0.4', page)) === 503)
  assert.equal(await statusFor('127.0.0.4', '/registry/record'), 503)
  assert.equal(await statusFor('127.0.0.4', '/registry/record/A-1'), 200)
  assert.equal(await statusFor('127.0.0.5', page), 200)
  for (const socket of stalled) socket.destroy()
  await until(async () => (await statusFor('127.0.0.4', page)) === 200)
})

test('a client may hold more where it comes by a trusted proxy, which speaks for many', async () => {
  const trustedProxies = parseTrustedProxies(['127.0.0.1'])
  await using service = await startService(records.slice(0, 1_000), { ...small, trustedProxies })
  const stalled = await stall(service, 5, '127.0.0.1')
  service.queues.check()
  assert.ok(service.queues.bytes > small.sendQueueBytesMax / 4)
  assert.equal(service.queues.closed, 0)
  for (const socket of stalled) {
    assert.ok((await readSome(socket)) > pageBytes)
    socket.destroy()
  }
})

test('clients of TLS that never read are closed too, by HTTP/1.1 and by HTTP/2', async () => {
  const sockets = Array.from({ length: 12 }, () => {
    const socket = tls.connect({ port: secure.port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
    socket.on('error', () => {}).pause()
    socket.write(`GET ${page} HTTP/1.1\r\nHost: a\r\n\r\n`)
    return socket
  })
  await until(async () => secure.queues.closed >= 10)
  for (const socket of sockets) socket.destroy()
  const { closed } = secure.queues
  const sessions = Array.from({ length: 4 }, () => {
    const session = http2.connect(`https://127.0.0.1:${secure.port}`, { rejectUnauthorized: false })
    session.on('error', () => {})
    // The window of a stream has 64 KB: what does not fit waits in the process.
    for (let n = 0; n < 4; n++)
      session
        .request({ ':path': page })
        .on('error', () => {})
        .pause()
    return session
  })
  await until(async () => secure.queues.closed >= closed + 3)
  for (const session of sessions) session.destroy()
  await until(async () => {
    secure.queues.check()
    return secure.queues.bytes === 0
  })
})

async function open(port: number, localAddress: string = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {}).pause()
  await once(socket, 'connect')
  return socket
}

/** Connections that ask for a page each, one after the other, and do not read it. */
async function stall(
  { port }: TestService,
  count: number,
  localAddress: string,
  headers: string = '',
  path: string = page,
): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (let n = 0; n < count; n++) {
    const socket = await open(port, localAddress)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`)
    await once(socket, 'readable')
    sockets.push(socket)
  }
  return sockets
}

/** How many bytes arrive until the end; rejects where the connection is reset. */
async function readWhole(socket: Socket): Promise<number> {
  let bytes = 0
  for await (const chunk of socket) bytes += chunk.length
  return bytes
}

/** Reads a page and does not wait for the end of the connection. */
async function readSome(socket: Socket): Promise<number> {
  for await (const _ of socket) if (socket.bytesRead > pageBytes) break
  return socket.bytesRead
}

function wasReset(socket: Socket): Promise<boolean> {
  return readWhole(socket).then(
    () => false,
    () => true,
  )
}
