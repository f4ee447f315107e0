// Clients that do not read: a connection that takes no byte for too long is closed, and a slow one is not.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import * as http2 from 'node:http2'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { stalledMs } from '../../src/limits.ts'
import { startService } from '../service.ts'
import { until } from './serve.ts'

/** The export, which is the streamed response with all records, exceeds every kernel buffer: 30 MB. */
const records = Array.from({ length: 5_000 }, (_, n) => ({
  code: `A-${n}`,
  title: `Plan ${n}`,
  links: `https://a.example/${'x'.repeat(6_000)}`,
}))
const certificate = {
  certFile: fileURLToPath(new URL('../api/certificates/first.cert.pem', import.meta.url)),
  keyFile: fileURLToPath(new URL('../api/certificates/first.key.pem', import.meta.url)),
}

test('a connection is closed if its client does not read a streamed or a whole response', async () => {
  await using service = await startService(records, { stalledMs: 100 })
  // Several whole responses together exceed the buffers of the kernel, as a streamed one does alone.
  for (const request of [toGet('record'), toGet('record?limit=1000').repeat(6)]) {
    const { stalledCount } = service.connections
    const socket = connect(service.port, '127.0.0.1').pause()
    const reset = once(socket, 'end').catch(({ code }) => code)
    socket.write(request)
    await until(async () => service.connections.stalledCount > stalledCount)
    // The client notices the reset only when it reads.
    socket.resume()
    assert.equal(await reset, 'ECONNRESET')
  }
})

test('a stream of HTTP/2 is closed if its client does not read it, and the others of its connection are served', async () => {
  await using service = await startService(records, { stalledMs: 200, certificate })
  const session = http2.connect(service.base, { rejectUnauthorized: false, settings: { initialWindowSize: 1_000 } })
  const stalled = session.request({ ':path': '/registry/record' }).on('error', () => {})
  await once(stalled, 'response')
  await once(stalled, 'close')
  const other = session.request({ ':path': '/registry/record/A-1?limit=1' }).resume()
  assert.equal((await once(other, 'response'))[0][':status'], 200)
  session.destroy()
})

test('the time spares a client that reads 20 KB/s', () => {
  // A kernel asks for more bytes only when a third of its send queue is free, by default of 4 MB.
  const bytesBetweenAccepts = (4 * 1024 * 1024) / 3
  const bytesPerMs = 20
  assert.ok(stalledMs * bytesPerMs > bytesBetweenAccepts)
})

test('a client that reads slowly, but reads, gets its whole export', async () => {
  await using service = await startService(records, { stalledMs: 400 })
  const socket = connect(service.port, '127.0.0.1')
  socket.write(toGet('record', 'Connection: close\r\n'))
  let bytes = 0
  for await (const chunk of socket) {
    bytes += chunk.length
    // The reader pauses a few times, each shorter than the limit.
    if (bytes % 64 === 0) await pause(1)
  }
  assert.ok(bytes > 30_000_000)
  assert.equal(service.connections.stalledCount, 0)
})

function toGet(path: string, headers = ''): string {
  return `GET /registry/${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
}
