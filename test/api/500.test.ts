// Failures of the service (500) and of the registry behind it (503). `withCurrent` replaces the function of the store
// that returns the current snapshot; here it throws.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreUnavailable } from '../../src/registry/contract.ts'
import { defaultIdOf, startService } from '../service.ts'
import { withCurrent } from '../with-current.ts'
import { ids, json, operationPaths, problemCode, sendRequest } from './send-request.ts'

test('an error in the service is a 500 that asks for a report and hides internal details', async () => {
  await using service = await startService([{ code: 'A-1' }], {
    wrapStore: (store) =>
      withCurrent(store, () => {
        throw new Error('SELECT secret FROM /home/someone/registry.ts')
      }),
  })
  for (const path of operationPaths) {
    const response = await sendRequest(service, path)
    assert.equal(response.status, 500)
    assert.equal(problemCode(response), 'internal-error')
    assert.doesNotMatch(response.bytes.toString(), /secret|someone/)
    assert.match(String(json(response).detail), new RegExp(`report.*${response.headers['x-request-id']}`))
  }
})

test('an error in the page for an unknown address is a 500 too', async () => {
  await using service = await startService([{ code: 'A-1' }], {
    wrapStore: (store) =>
      withCurrent(store, () => {
        throw new Error('a bug')
      }),
  })
  const response = await sendRequest(service, 'nothing', { headers: { Accept: 'text/html' } })
  assert.equal(response.status, 500)
  assert.equal(problemCode(response), 'internal-error')
})

test('an unreachable registry is a 503 with Retry-After, and is served again when it is back', async () => {
  let isUnreachable = true
  await using service = await startService([{ code: 'A-1' }], {
    wrapStore: (store) =>
      withCurrent(store, () => {
        if (isUnreachable) throw new StoreUnavailable('connect ECONNREFUSED 10.0.0.1:5432')
        return store.current()
      }),
  })
  const response = await sendRequest(service, 'record')
  assert.equal(response.status, 503)
  assert.equal(problemCode(response), 'registry-unavailable')
  assert.equal(response.headers['retry-after'], '1')
  assert.doesNotMatch(response.bytes.toString(), /10\.0\.0\.1|ECONN/)
  assert.equal((await sendRequest(service, 'record?limit=0')).status, 400, 'a malformed request is still 400')
  isUnreachable = false
  assert.deepEqual(ids(await sendRequest(service, 'record')), [defaultIdOf('A-1')])
})
