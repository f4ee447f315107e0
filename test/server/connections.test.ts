// The limit of connections: one client address has at most a quarter of them, and with few descriptors or little memory
// there are fewer.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { parseTrustedProxies } from '../../src/http/client-address.ts'
import { clientShareMax } from '../../src/limits.ts'
import { startService } from '../service.ts'

const records = [{ code: 'A-1' }]
const connectionsMax = 16

test('one address has at most a quarter of the connections, and another address is served', async () => {
  await using service = await startService(records, { connectionsMax })
  const clientMax = connectionsMax * clientShareMax
  const sockets: Socket[] = []
  for (let n = 0; n < clientMax + 3; n++) {
    const socket = await open(service.port, '127.0.0.2')
    assert.equal((await get(socket)) !== '', n < clientMax, `connection ${n}`)
    sockets.push(socket)
  }
  const other = await open(service.port, '127.0.0.3')
  assert.match(await get(other), /^HTTP\/1\.1 200 /)
  const [first = assert.fail()] = sockets
  first.destroy()
  await once(first, 'close')
  // The service sees the end of the first connection before it accepts this one.
  assert.match(await get(await open(service.port, '127.0.0.3')), /^HTTP\/1\.1 200 /)
  for (const socket of [other, ...sockets]) socket.destroy()
})

test('connections of a trusted proxy are not closed', async () => {
  const trustedProxies = parseTrustedProxies(['127.0.0.2'])
  await using service = await startService(records, { connectionsMax, trustedProxies })
  const sockets: Socket[] = []
  // An address that is not trusted may have a quarter of these.
  for (let n = 0; n < connectionsMax; n++) {
    const socket = await open(service.port, '127.0.0.2')
    await get(socket)
    sockets.push(socket)
  }
  for (const socket of sockets) assert.match(await get(socket), /^HTTP\/1\.1 200 /)
  for (const socket of sockets) socket.destroy()
})

test('with few descriptors a process has fewer connections', () => {
  const script = `
import { readConnectionLimit } from '${new URL('../../src/http/connections.ts', import.meta.url)}'
console.log(readConnectionLimit(1))`
  const command = 'ulimit -n 100; exec "$0" --input-type=module -e "$1"'
  const { stdout, stderr } = spawnSync('sh', ['-c', command, process.execPath, script], { encoding: 'utf8' })
  assert.equal(stdout, '68\n', stderr)
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
