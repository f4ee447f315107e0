// Deadlines: a search is cancelled when its client disconnects, or when its time limit passes before the first byte.
import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { connect, Socket } from 'node:net'
import { test } from 'node:test'
import { type Deadline, SearchCancelled } from '../../src/domain/deadline.ts'
import { RequestDeadline } from '../../src/http/request.ts'
import { firstByteTimeoutMs, retryAfterSeconds } from '../../src/limits.ts'
import { startService } from '../service.ts'
import { problemCode, sendRequest } from './send-request.ts'
import { withSummarise } from './with-summarise.ts'

/** The deadline of a request on the connection. */
function toDeadline(connection = new Socket()): RequestDeadline {
  return new RequestDeadline(new IncomingMessage(connection), undefined)
}

test('a deadline expires when the client disconnects', () => {
  const connection = new Socket()
  const deadline = toDeadline(connection)
  assert.equal(deadline.isExpired, false)
  connection.destroy()
  assert.equal(deadline.isExpired, true)
})

test('a deadline expires after the time limit, unless the first byte is ready', (context) => {
  const startedAt = performance.now()
  const clock = context.mock.method(performance, 'now', () => startedAt)
  const waiting = toDeadline()
  const streaming = toDeadline()
  streaming.markStarted()
  clock.mock.mockImplementation(() => startedAt + firstByteTimeoutMs + 1)
  assert.equal(waiting.isExpired, true)
  assert.equal(streaming.isExpired, false)
})

test('a search cancelled by its time limit gets a 503 with Retry-After', async () => {
  await using service = await startService([{ code: 'A-1' }], {
    wrapStore: (store) => withSummarise(store, () => Promise.reject(new SearchCancelled('the deadline has expired'))),
  })
  const response = await sendRequest(service, 'summary')
  assert.equal(response.status, 503)
  assert.equal(problemCode(response), 'overloaded')
  assert.equal(response.headers['retry-after'], String(retryAfterSeconds))
})

test('the deadline of a search expires when its client disconnects', async () => {
  const searchStarted = Promise.withResolvers<Deadline | undefined>()
  const expired = Promise.withResolvers<void>()
  await using service = await startService([{ code: 'A-1' }], {
    wrapStore: (store) =>
      withSummarise(store, async (snapshot, ...args) => {
        // The second argument of `summarise` is the deadline.
        const [, deadline] = args
        searchStarted.resolve(deadline)
        while (deadline?.isExpired === false) await new Promise(setImmediate)
        expired.resolve()
        return snapshot.summarise(...args)
      }),
  })
  const socket = connect(service.port, '127.0.0.1')
  socket.write('GET /registry/summary HTTP/1.1\r\nHost: a\r\n\r\n')
  assert.ok((await searchStarted.promise) !== undefined, 'the search has a deadline')
  socket.destroy()
  await expired.promise
})
