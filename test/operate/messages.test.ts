// Connections on their way from process to process.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { test } from 'node:test'
import { setImmediate as nextRound } from 'node:timers/promises'
import { toRaw } from '../../src/api/raw-connection.ts'
import { pass } from '../../src/operate/messages.ts'
import { until } from './serve.ts'

/** Says that it is there, and what came, with a connection or without. */
const receiver = `
  process.on('message', (message, raw) => {
    raw?.close()
    if (message.kind !== 'report') process.send({ kind: message.kind, isWhole: raw !== undefined })
  })
  process.send('ready')`

/** More than a channel takes that nobody reads. */
const messages = 2_000

test('a connection closed on its way through a full channel arrives first, and hinders nothing that follows', async (t) => {
  const child = spawn(process.execPath, ['-e', receiver], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  t.after(() => child.kill('SIGKILL'))
  await once(child, 'message')
  const server = createServer()
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [socket] = await once(server, 'connection')
  const raw = toRaw(socket)
  assert.ok(raw)

  child.kill('SIGSTOP')
  await until(async () => /^State:\s+T/m.test(readFileSync(`/proc/${child.pid}/status`, 'utf8')))
  for (let n = 0; n < messages; n++) child.send({ kind: 'report' }, () => {})
  const passing = Promise.withResolvers<Error | null>()
  pass(child, { kind: 'adopt', id: 1 }, raw, passing.resolve)
  const closing = once(socket, 'close')
  socket.destroy()
  for (let n = 0; n < 3; n++) await nextRound()
  const received: unknown[] = []
  child.on('message', (message) => received.push(message))
  child.kill('SIGCONT')

  assert.equal(await passing.promise, null)
  await closing
  await once(client.resume(), 'close')
  await until(async () => received.length === 2)
  assert.deepEqual(received, [
    { kind: 'adopt', isWhole: true },
    { kind: 'passed', isWhole: false },
  ])
})
