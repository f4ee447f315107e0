// What the service says when it is itself at fault, or what it depends on: 500 and 503.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreUnavailable } from '../../src/snapshot/contract.ts'
import { startService } from '../service.ts'
import { ask, ids, json, problemCode } from './ask.ts'

test('an error in the service is a 500 that asks for a report and gives nothing away', async () => {
  await using service = await startService([{ code: 'A-1' }], {
    wrapStore: (store) => ({
      ...store,
      current: () => {
        throw new Error('SELECT secret FROM /home/someone/registry.ts')
      },
    }),
  })
  for (const path of ['record', 'record/A-1', 'municipality', 'summary']) {
    const reply = await ask(service, path)
    assert.equal(reply.status, 500)
    assert.equal(problemCode(reply), 'internal-error')
    assert.doesNotMatch(reply.bytes.toString(), /secret|someone/)
    assert.match(String(json(reply).detail), new RegExp(`report.*${reply.headers['x-request-id']}`))
  }
})

test('a registry out of reach is a 503 with Retry-After, and is served again once it is back', async () => {
  let isOut = true
  await using service = await startService([{ code: 'A-1' }], {
    wrapStore: (store) => ({
      current: () => {
        if (isOut) throw new StoreUnavailable('connect ECONNREFUSED 10.0.0.1:5432')
        return store.current()
      },
      refresh: () => store.refresh(),
      close: () => store.close(),
    }),
  })
  const reply = await ask(service, 'record')
  assert.equal(reply.status, 503)
  assert.equal(problemCode(reply), 'registry-unavailable')
  assert.equal(reply.headers['retry-after'], '1')
  assert.doesNotMatch(reply.bytes.toString(), /10\.0\.0\.1|ECONN/)
  assert.equal((await ask(service, 'record?limit=0')).status, 400, 'what is malformed is malformed all the same')
  isOut = false
  assert.deepEqual(ids(await ask(service, 'record')), ['E-A-1'])
})
