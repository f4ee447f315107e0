// The methods: GET and HEAD read, OPTIONS tells, every other is refused.
import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { after, before, test } from 'node:test'
import { startService, type TestService } from '../service.ts'
import { ask, ids, problemCode } from './ask.ts'

let service: TestService

before(async () => {
  const many = Array.from({ length: 900 }, (_, index) => ({ code: `M-${index + 1}`, municipality: 'Cuenca' }))
  service = await startService([{ code: 'A-1' }, { code: 'A-2' }, ...many])
})
after(() => service[Symbol.asyncDispose]())

const known = [
  'record',
  'record/A-1',
  'record/',
  'municipality',
  'summary',
  'openapi.json',
  'docs',
  'catalog',
  'problems',
  '',
]

for (const method of METHODS) {
  if (['GET', 'HEAD', 'OPTIONS', 'CONNECT'].includes(method)) continue
  test(`${method} is answered 405 with Allow on every address`, async () => {
    for (const path of known) {
      const reply = await ask(service, path, { method })
      assert.equal(reply.status, 405, path)
      assert.equal(reply.headers.allow, 'GET, HEAD, OPTIONS')
      if (method !== 'HEAD') assert.equal(problemCode(reply), 'method-not-allowed')
    }
  })
}

test('a method is refused whatever the body and its type', async () => {
  for (const type of ['application/json', 'text/xml', 'nonsense', 'multipart/form-data']) {
    const headers = { 'Content-Type': type, 'Content-Length': '0' }
    assert.equal((await ask(service, 'record', { method: 'POST', headers })).status, 405, type)
  }
  const response = await fetch(`${service.base}/record`, { method: 'POST', body: '{"broken":' })
  assert.equal(response.status, 405)
  await response.arrayBuffer()
})

test('on an unknown address every method is answered 404', async () => {
  for (const method of ['POST', 'DELETE', 'OPTIONS', 'PROPFIND']) {
    assert.equal((await ask(service, 'nowhere', { method })).status, 404, method)
  }
})

test('HEAD answers like GET, without a body', async () => {
  for (const path of [
    'record',
    'record/A-1',
    'record?limit=1',
    'municipality',
    'summary',
    'openapi.json',
    'docs',
    'record/B-9',
    'record?limit=0',
  ]) {
    const get = await ask(service, path)
    const head = await ask(service, path, { method: 'HEAD' })
    assert.equal(head.status, get.status, path)
    assert.equal(head.bytes.byteLength, 0)
    for (const name of ['content-type', 'content-length', 'etag', 'link', 'cache-control', 'vary', 'last-modified']) {
      assert.equal(head.headers[name], get.headers[name], `${path} ${name}`)
    }
  }
})

test('OPTIONS is answered 204 with what a browser asks for before it sends', async () => {
  for (const path of known) {
    const { status, headers, bytes } = await ask(service, path, {
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

test('OPTIONS * asks about the service as a whole', async () => {
  assert.equal((await ask(service, '*', { method: 'OPTIONS', absolute: true })).status, 204)
})

test('after a refused method the service goes on', async () => {
  await ask(service, 'record', { method: 'DELETE' })
  assert.deepEqual(ids(await ask(service, 'record/A-1')), ['E-A-1'])
})
