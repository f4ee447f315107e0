// The end of the service: connections without a request are closed, and responses that clients still read are not cut.
// Draining means that the service accepts no new connections and finishes the requests in progress until a deadline.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import * as tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import { startService } from '../service.ts'
import { until } from './serve.ts'

/** A page of 200 of these records exceeds a megabyte, and the export of all exceeds the buffers of the kernel. */
const records = Array.from({ length: 3_000 }, (_, n) => ({
  code: `A-${n}`,
  title: `Plan ${n}`,
  links: `https://a.example/${'x'.repeat(6_000)}`,
}))
const certificate = {
  certFile: fileURLToPath(new URL('../api/certificates/first.cert.pem', import.meta.url)),
  keyFile: fileURLToPath(new URL('../api/certificates/first.key.pem', import.meta.url)),
}

for (const isSecure of [false, true]) {
  test(`draining closes an idle connection and cuts no response, ${isSecure ? 'with' : 'without'} TLS`, async () => {
    const service = await startService(records, isSecure ? { certificate } : {})
    const open = async (): Promise<Socket> => {
      const options = { port: service.port, host: '127.0.0.1' }
      const socket = isSecure ? tls.connect({ ...options, rejectUnauthorized: false }) : connect(options)
      socket.on('error', () => {}).pause()
      await once(socket, isSecure ? 'secureConnect' : 'connect')
      return socket
    }
    // A connection without a request, one with an incomplete request, and one whose response is not read yet.
    const idle = await open()
    const partial = await open()
    const slow = await open()
    slow.write('GET /registry/record HTTP/1.1\r\nHost: a\r\n\r\n')
    partial.write('GET /registry/record/A-1 HTTP/1.1\r\nHost: a\r\n')
    await until(async () => service.connections.waitingBytes > 0)
    const draining = service.drain(60_000)
    await once(idle.resume(), 'close')
    // The rest of the request arrives after the idle connection was closed.
    partial.write('\r\n')
    const [answer] = await once(partial.resume(), 'data')
    assert.match(String(answer), /^HTTP\/1\.1 200 /)
    let text = ''
    for await (const chunk of slow) text += chunk
    assert.match(text, /"Plan 0"/)
    assert.match(text, /\r\n0\r\n\r\n$/, 'the end of the chunked body')
    await draining
    await service[Symbol.asyncDispose]()
  })
}

test('an incomplete response of HTTP/1.0 is reset at the deadline, so that it does not look complete', async () => {
  const service = await startService(records)
  const socket = connect({ port: service.port, host: '127.0.0.1' }).pause()
  // Clients of HTTP/1.0 take the end of a connection for the end of a body.
  socket.write('GET /registry/record HTTP/1.0\r\nHost: a\r\n\r\n')
  await until(async () => service.connections.waitingBytes > 0)
  const reset = assert.rejects(once(socket, 'end'), { code: 'ECONNRESET' })
  await service.drain(0)
  socket.resume()
  await reset
  await service[Symbol.asyncDispose]()
})

test('a complete response is delivered even if the client has not read it at the deadline', async () => {
  const service = await startService(records)
  const socket = connect({ port: service.port, host: '127.0.0.1' })
  socket.write('GET /registry/record?limit=200 HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(socket, 'readable')
  // Waits until the kernel has taken the whole response, so that no byte waits in the process.
  await until(async () => service.connections.waitingBytes === 0)
  await service.drain(0)
  let text = ''
  for await (const chunk of socket) text += chunk
  // The end of the JSON: the last record, the list of records and the whole object.
  assert.match(text, /\}\]\}$/)
  await service[Symbol.asyncDispose]()
})

test('connections that wait to be accepted when draining starts get their responses', async () => {
  const service = await startService([{ code: 'A-1' }])
  const request = 'GET /registry/record/A-1 HTTP/1.1\r\nHost: a\r\n\r\n'
  const sockets = Array.from({ length: 20 }, () => connect({ port: service.port, host: '127.0.0.1' }))
  const answers = sockets.map(async (socket) => {
    socket.write(request)
    const [answer] = await once(socket, 'data')
    return String(answer).slice(0, 'HTTP/1.1 200'.length)
  })
  // `connect` starts each connection in a `nextTick`. Ticks run in order, so once this one has run, all connections are
  // started. The service, in the same process, accepts them only in a later iteration of the event loop.
  await new Promise<void>((resolve) => process.nextTick(resolve))
  const draining = service.drain(60_000)
  assert.deepEqual(new Set(await Promise.all(answers)), new Set(['HTTP/1.1 200']))
  await draining
  for (const socket of sockets) socket.destroy()
  await service[Symbol.asyncDispose]()
})
