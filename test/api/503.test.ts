// Load that is shed: what is refused, what is not, and what the refused are told.
import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { referenceScript, referenceStyle } from '../../src/api/reference.ts'
import { AdmissionControl } from '../../src/http/admission.ts'
import { exportsMax, requestsInWorkMax, retryAfterSeconds } from '../../src/http/limits.ts'
import type { ApiResponse } from '../../src/http/response.ts'
import type { RegistryStore, Snapshot } from '../../src/snapshot/contract.ts'
import { startService } from '../service.ts'
import { ask, problemCode } from './ask.ts'

async function* noChunks(): AsyncGenerator<Uint8Array, void, undefined> {}

const exported: ApiResponse = {
  status: 200,
  headers: [],
  body: { chunks: noChunks(), coding: 'identity', end: async () => {} },
}

test('no more requests are worked on at once than the limit', () => {
  const guard = new AdmissionControl({ basePath: '/registry' })
  guard.traffic.requestsInWork = requestsInWorkMax - 1
  assert.ok(guard.hasRoom)
  guard.traffic.requestsInWork = requestsInWorkMax
  assert.ok(!guard.hasRoom)
  assert.equal(guard.refuseWork().problem.code, 'overloaded')
  assert.equal(guard.refuseWork().retryAfterSeconds, retryAfterSeconds)
  assert.equal(guard.traffic.shed.requests, 2)
  guard.end()
})

test('no more exports are sent at once than the limit, and no other answer is refused for it', () => {
  const guard = new AdmissionControl({ basePath: '/registry' })
  const request = new IncomingMessage(new Socket())
  guard.traffic.exportsOpen = exportsMax - 1
  assert.equal(guard.refuseExport(request, exported), undefined)
  guard.traffic.exportsOpen = exportsMax
  assert.equal(guard.refuseExport(request, exported)?.problem.code, 'overloaded')
  assert.equal(guard.refuseExport(request, { ...exported, body: null }), undefined)
  assert.equal(guard.refuseExport(request, { ...exported, body: new Uint8Array() }), undefined)
  request.method = 'HEAD'
  assert.equal(guard.refuseExport(request, exported), undefined)
  guard.end()
})

test('while the service is full, new questions are refused and what is in memory is answered', async () => {
  const stuck = Promise.withResolvers<void>()
  await using service = await startService([{ code: 'A-1' }], { wrapStore: (store) => slowed(store, stuck.promise) })
  assert.equal((await ask(service, 'record')).status, 200)
  const waiting = Array.from({ length: requestsInWorkMax }, (_, n) => ask(service, `summary?search=plan${n}`))
  const refused = await Promise.race([...waiting, askUntilRefused()])
  assert.equal(refused.status, 503)
  assert.equal(problemCode(refused), 'overloaded')
  assert.equal(refused.headers['retry-after'], String(retryAfterSeconds))
  assert.equal((await ask(service, 'record')).status, 200)
  for (const file of ['openapi.json', referenceStyle.name, referenceScript.name]) {
    assert.equal((await ask(service, file)).status, 200, `${file}, asked for the first time`)
  }
  stuck.resolve()
  const statuses = (await Promise.all(waiting)).map((reply) => reply.status)
  assert.ok(statuses.includes(404), 'those who were let in have their answer')
  assert.equal((await ask(service, 'summary?checkin_date=2004')).status, 200, 'and there is room again')

  async function askUntilRefused(): Promise<Awaited<ReturnType<typeof ask>>> {
    for (;;) {
      const reply = await ask(service, 'municipality?x')
      if (reply.status === 503) return reply
    }
  }
})

/** A registry whose summaries come when they are let. */
function slowed(store: RegistryStore, until: Promise<void>): RegistryStore {
  const slow = (snapshot: Snapshot): Snapshot => ({
    facts: snapshot.facts,
    municipalities: snapshot.municipalities,
    municipalitiesNamed: (name) => snapshot.municipalitiesNamed(name),
    page: (...args) => snapshot.page(...args),
    search: (...args) => snapshot.search(...args),
    hasCode: (code) => snapshot.hasCode(code),
    summarise: async (...args) => {
      await until
      return snapshot.summarise(...args)
    },
  })
  const snapshots = new Map<Snapshot, Snapshot>()
  return {
    current: () => {
      const current = store.current()
      const known = snapshots.get(current) ?? slow(current)
      snapshots.set(current, known)
      return known
    },
    refresh: () => store.refresh(),
    close: () => store.close(),
  }
}
