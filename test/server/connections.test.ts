// The limit of connections: one client address does not take all of them, and with little memory there are fewer.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import * as http2 from 'node:http2'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import * as tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import { parseTrustedProxies } from '../../src/http/client-address.ts'
import { startService } from '../service.ts'
import { until } from './serve.ts'

const records = [{ code: 'A-1' }]
const connectionsMax = 16
/** More connections than the service keeps open. */
const floodSize = 40
const certificate = {
  certFile: fileURLToPath(new URL('../api/certificates/first.cert.pem', import.meta.url)),
  keyFile: fileURLToPath(new URL('../api/certificates/first.key.pem', import.meta.url)),
}

// The service keeps an eighth of `connectionsMax` free for new connections. When only these are left, it closes idle
// connections, first those of the address that has most connections.
test('idle connections of an address with many are closed, so that other addresses are served', async () => {
  await using service = await startService(records, { connectionsMax, isMcpOn: true })
  const other = await open(service.port, '127.0.0.3')
  assert.match(await get(other), /^HTTP\/1\.1 200 /)
  // The body of this request is sent later, so that the request stays in progress.
  const busy = await open(service.port, '127.0.0.2')
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
  const headers = `Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n`
  busy.write(`POST /registry/mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}Content-Length: ${body.length}\r\n\r\n`)
  const flood: Socket[] = []
  for (let n = 0; n < floodSize; n++) {
    const socket = await open(service.port, '127.0.0.2')
    await get(socket)
    flood.push(socket)
  }
  // At most `connectionsMax` connections stay open, `other` and `busy` among them. The rest of the flood is closed.
  await until(async () => flood.filter(({ closed }) => closed).length > floodSize - connectionsMax)
  assert.deepEqual(
    flood.slice(0, floodSize - connectionsMax).filter(({ closed }) => !closed),
    [],
    'those idle for longest are closed',
  )
  assert.match(await get(other), /^HTTP\/1\.1 200 /, 'the connection of another address stays open')
  assert.match(await get(await open(service.port, '127.0.0.4')), /^HTTP\/1\.1 200 /, 'a new connection is accepted')
  busy.write(body)
  assert.match(String((await once(busy, 'data'))[0]), /^HTTP\/1\.1 200 /, 'a request in progress is answered')
  for (const socket of [other, busy, ...flood]) socket.destroy()
})

for (const protocol of ['http/1.1', 'h2']) {
  test(`idle TLS connections (${protocol}) of an address with many are closed, another address is served`, async () => {
    await using service = await startService(records, { connectionsMax, certificate })
    const connectFrom = (localAddress: string, alpnProtocol: string): tls.TLSSocket => {
      const options = { port: service.port, host: '127.0.0.1', localAddress, rejectUnauthorized: false }
      return tls.connect({ ...options, ALPNProtocols: [alpnProtocol] }).on('error', () => {})
    }
    const createConnection = (): tls.TLSSocket => connectFrom('127.0.0.3', 'h2')
    const other = http2.connect(service.base, { createConnection })
    const statusOf = async (session: http2.ClientHttp2Session): Promise<unknown> => {
      const [headers] = await once(session.request({ ':path': '/registry/record/A-1' }).resume(), 'response')
      return headers[':status']
    }
    assert.equal(await statusOf(other), 200)
    const flood: tls.TLSSocket[] = []
    for (let n = 0; n < floodSize; n++) {
      const socket = connectFrom('127.0.0.2', protocol).resume()
      await once(socket, 'secureConnect')
      flood.push(socket)
    }
    await until(async () => flood.filter(({ closed }) => closed).length > floodSize - connectionsMax)
    assert.equal(await statusOf(other), 200)
    for (const each of [other, ...flood]) each.destroy()
  })
}

test('if one address does not read its responses, another address still gets a connection', async () => {
  await using service = await startService(records, { connectionsMax, certificate })
  const sessions: http2.ClientHttp2Session[] = []
  for (let n = 0; n < connectionsMax; n++) {
    // With a flow-control window of 0 the service sends the headers, but the body waits.
    const session = http2.connect(service.base, { rejectUnauthorized: false, settings: { initialWindowSize: 0 } })
    session.on('error', () => {})
    const stream = session.request({ ':path': '/registry/record/A-1' }).on('error', () => {})
    sessions.push(session)
    // The service keeps an eighth of `connectionsMax` free. The earlier connections are busy, so it closes the last
    // ones before their request arrives.
    await Promise.race([once(stream, 'response'), once(stream, 'close')]).catch(() => undefined)
  }
  const options = { port: service.port, host: '127.0.0.1', localAddress: '127.0.0.3', rejectUnauthorized: false }
  const createConnection = (): tls.TLSSocket => tls.connect({ ...options, ALPNProtocols: ['h2'] })
  const other = http2.connect(service.base, { createConnection })
  const [headers] = await once(other.request({ ':path': '/registry/record/A-1' }), 'response')
  assert.equal(headers[':status'], 200)
  for (const session of [other, ...sessions]) session.destroy()
})

test('connections of a trusted proxy are not closed', async () => {
  const trustedProxies = parseTrustedProxies(['127.0.0.2'])
  await using service = await startService(records, { connectionsMax, trustedProxies })
  const sockets: Socket[] = []
  // If the address were not trusted, some of so many connections would be closed: an eighth of `connectionsMax` is kept
  // free.
  for (let n = 0; n < connectionsMax; n++) {
    const socket = await open(service.port, '127.0.0.2')
    await get(socket)
    sockets.push(socket)
  }
  for (const socket of sockets) assert.match(await get(socket), /^HTTP\/1\.1 200 /)
  for (const socket of sockets) socket.destroy()
})

test('with little memory a process has fewer connections, and with TLS fewer than without', () => {
  const script = `
import { readConnectionLimit } from '${new URL('../../src/http/overload-monitor.ts', import.meta.url)}'
// The arguments are the number of processes and whether connections have TLS.
const [plain, tls] = [false, true]
console.log(readConnectionLimit(1, plain), readConnectionLimit(1, tls), readConnectionLimit(2, tls))`
  // 32 MB of resident memory, a quarter of it for connections: 16 KB each, with TLS 64 KB. Two processes share it.
  const command = 'ulimit -m 32768; exec "$0" --input-type=module -e "$1"'
  const { stdout, stderr } = spawnSync('sh', ['-c', command, process.execPath, script], { encoding: 'utf8' })
  assert.equal(stdout, '512 128 64\n', stderr)
})

/** Opens a connection from this address. */
async function open(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Requests a record and returns the response; empty if the service has closed the connection. */
async function get(socket: Socket): Promise<string> {
  socket.write('GET /registry/record/A-1 HTTP/1.1\r\nHost: a\r\n\r\n')
  const [chunk = ''] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [])])
  return String(chunk)
}
