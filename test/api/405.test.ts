// Methods: GET and HEAD read, OPTIONS lists the methods, and every other method gets 405 at a known address.
import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { after, test } from 'node:test'
import { defaultIdOf, startService } from '../service.ts'
import { ids, problemCode, routePaths, sendRequest } from './send-request.ts'
import { streamedRecords } from './streamed-records.ts'

const service = await startService(streamedRecords)
after(() => service[Symbol.asyncDispose]())

/** `record/` lacks the code, so a GET of it gets 400. Other methods get the same response there as on any route. */
const paths = [...routePaths, 'record/']

for (const method of METHODS) {
  // Node does not pass CONNECT to the request handler; protocol.test.ts tests it.
  if (['GET', 'HEAD', 'OPTIONS', 'CONNECT'].includes(method)) continue
  test(`${method} gets 405 with Allow on every route`, async () => {
    for (const path of paths) {
      const response = await sendRequest(service, path, { method })
      assert.equal(response.status, 405, path)
      assert.equal(response.headers.allow, 'GET, HEAD, OPTIONS')
      assert.equal(problemCode(response), 'method-not-allowed')
    }
  })
}

test('POST is refused whatever its body and its content type', async () => {
  for (const type of ['application/json', 'text/xml', 'nonsense', 'multipart/form-data']) {
    const headers = { 'Content-Type': type, 'Content-Length': '0' }
    assert.equal((await sendRequest(service, 'record', { method: 'POST', headers })).status, 405, type)
  }
  const response = await fetch(`${service.base}/record`, { method: 'POST', body: '{"broken":' })
  assert.equal(response.status, 405)
  await response.arrayBuffer()
})

test('other methods than GET get 404 too at an unknown address', async () => {
  for (const method of ['POST', 'DELETE', 'OPTIONS', 'PROPFIND']) {
    assert.equal((await sendRequest(service, 'nowhere', { method })).status, 404, method)
  }
})

test('HEAD gets the headers of GET without a body', async () => {
  for (const path of [
    'record',
    'record/A-1',
    'record?limit=1',
    'municipality',
    'summary',
    'openapi.json',
    'docs',
    // These two get 404 and 400.
    'record/B-9',
    'record?limit=0',
  ]) {
    const get = await sendRequest(service, path)
    const head = await sendRequest(service, path, { method: 'HEAD' })
    assert.equal(head.status, get.status, path)
    assert.equal(head.bytes.byteLength, 0)
    for (const name of ['content-type', 'content-length', 'etag', 'link', 'cache-control', 'vary', 'last-modified']) {
      assert.equal(head.headers[name], get.headers[name], `${path} ${name}`)
    }
  }
})

test('OPTIONS gets 204 with the headers of a CORS preflight response', async () => {
  for (const path of paths) {
    const { status, headers, bytes } = await sendRequest(service, path, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://map.example',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'if-none-match',
      },
    })
    assert.equal(status, 204, path)
    assert.equal(bytes.byteLength, 0)
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.equal(headers['access-control-allow-methods'], 'GET, HEAD, OPTIONS')
    assert.equal(headers['access-control-allow-headers'], '*')
    assert.equal(headers.allow, 'GET, HEAD, OPTIONS')
  }
})

test('OPTIONS * gets 204', async () => {
  assert.equal((await sendRequest(service, '*', { method: 'OPTIONS', isWholeTarget: true })).status, 204)
})

test('the service works after a refused method', async () => {
  await sendRequest(service, 'record', { method: 'DELETE' })
  assert.deepEqual(ids(await sendRequest(service, 'record/A-1')), [defaultIdOf('A-1')])
})
