// A client that goes away takes its search with it.
import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { connect, Socket } from 'node:net'
import { test } from 'node:test'
import { SearchCancelled } from '../../src/domain/deadline.ts'
import { firstByteTimeoutMs } from '../../src/http/limits.ts'
import { RequestDeadline } from '../../src/http/request-deadline.ts'
import type { RegistryStore, Snapshot } from '../../src/snapshot/contract.ts'
import { startService } from '../service.ts'
import { ask, problemCode } from './ask.ts'

test('deadline is over when the client has gone', () => {
  const socket = new Socket()
  const deadline = new RequestDeadline(new IncomingMessage(socket))
  assert.equal(deadline.isExpired, false)
  socket.destroy()
  assert.equal(deadline.isExpired, true)
})

test('deadline with a search is over after its time, unless its first byte has gone out', (context) => {
  const begun = performance.now()
  const clock = context.mock.method(performance, 'now', () => begun)
  const waiting = new RequestDeadline(new IncomingMessage(new Socket()))
  const streaming = new RequestDeadline(new IncomingMessage(new Socket()))
  streaming.begin()
  clock.mock.mockImplementation(() => begun + firstByteTimeoutMs + 1)
  assert.equal(waiting.isExpired, true)
  assert.equal(streaming.isExpired, false)
})

test('a search given up for its time is a 503 that may be tried again', async () => {
  await using service = await startService([{ code: 'A-1' }], {
    wrapStore: (store) => withSummaries(store, () => Promise.reject(new SearchCancelled('late'))),
  })
  const reply = await ask(service, 'summary')
  assert.equal(reply.status, 503)
  assert.equal(problemCode(reply), 'overloaded')
  assert.equal(reply.headers['retry-after'], '2')
})

test('an aborted request reaches its search', async () => {
  const asked = Promise.withResolvers<void>()
  const told = Promise.withResolvers<void>()
  await using service = await startService([{ code: 'A-1' }], {
    wrapStore: (store) =>
      withSummaries(store, async (snapshot, ...args) => {
        const [, deadline] = args
        asked.resolve()
        while (deadline?.isExpired === false) await new Promise(setImmediate)
        told.resolve()
        return snapshot.summarise(...args)
      }),
  })
  const socket = connect(service.port, '127.0.0.1')
  socket.write('GET /registry/summary HTTP/1.1\r\nHost: a\r\n\r\n')
  await asked.promise
  socket.destroy()
  await told.promise
})

type Summarise = (snapshot: Snapshot, ...args: Parameters<Snapshot['summarise']>) => ReturnType<Snapshot['summarise']>

function withSummaries(store: RegistryStore, summarise: Summarise): RegistryStore {
  return {
    current: () => {
      const snapshot = store.current()
      return {
        facts: snapshot.facts,
        municipalities: snapshot.municipalities,
        municipalitiesNamed: (name) => snapshot.municipalitiesNamed(name),
        page: (...args) => snapshot.page(...args),
        search: (...args) => snapshot.search(...args),
        hasCode: (code) => snapshot.hasCode(code),
        summarise: (...args) => summarise(snapshot, ...args),
      }
    },
    refresh: () => store.refresh(),
    close: () => store.close(),
  }
}
