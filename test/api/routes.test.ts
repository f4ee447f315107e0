// The table of routes, and what is derived from it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { operations } from '../../src/api/operations.ts'
import { routes, suggestedPaths } from '../../src/api/routes.ts'
import { startService } from '../service.ts'
import { json, routePaths, sendRequest } from './send-request.ts'

const service = await startService([{ code: 'A-1' }], { fictional: true })
after(() => service[Symbol.asyncDispose]())

test('every route is served', async () => {
  for (const path of routePaths) assert.equal((await sendRequest(service, path)).status, 200, path)
})

test('every operation is a route and is in openapi.json', async () => {
  const { paths } = json(await sendRequest(service, 'openapi.json'))
  const operationPaths = operations.map(({ path }) => path)
  assert.deepEqual(Object.keys(paths as object), operationPaths)
  assert.deepEqual(
    routes.map(({ path }) => path).filter((path) => operationPaths.includes(path)),
    operationPaths,
  )
})

test('a misspelt address gets the suggestion of a route', async () => {
  for (const address of suggestedPaths) {
    const { suggestions } = json(await sendRequest(service, `${address}x`))
    assert.deepEqual(suggestions, [`/registry/${address}`])
  }
})
