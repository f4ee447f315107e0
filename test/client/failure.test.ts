import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { createClient, type WireRecord } from '../../src/client/client.ts'
import { makeRecord, sendJson, sendProblem, startService } from './fake-service.ts'

const records = [makeRecord(1), makeRecord(2)]

/** Remembers the pauses that the client would make, and makes none. */
function notePauses(): { pauses: number[]; wait: (ms: number) => Promise<void> } {
  const pauses: number[] = []
  return { pauses, wait: async (ms) => void pauses.push(ms) }
}

test('a service that is busy is asked again after as long as it says', async (t) => {
  const { pauses, wait } = notePauses()
  let attempts = 0
  const { client } = await startService(
    t,
    (_, response) => {
      attempts += 1
      if (attempts === 1) sendProblem(response, 503, 'registry-unavailable', {}, { 'retry-after': '7' })
      else if (attempts === 2) {
        sendProblem(
          response,
          429,
          'too-many-requests',
          {},
          { 'retry-after': new Date(Date.now() + 20_000).toUTCString() },
        )
      } else sendJson(response, { resultadoBusqueda: records })
    },
    { wait },
  )
  assert.deepEqual(await Array.fromAsync(client.search()), records)
  assert.equal(pauses.length, 2)
  assert.equal(pauses[0], 7000)
  assert.ok((pauses[1] ?? 0) > 15_000 && (pauses[1] ?? 0) <= 20_000)
})

test('without Retry-After the pauses grow', async (t) => {
  const { pauses, wait } = notePauses()
  const { client, asked } = await startService(t, (_, response) => response.writeHead(502).end(), { wait, retries: 4 })
  await assert.rejects(client.page(), { kind: 'unexpected', status: 502 })
  assert.equal(asked.length, 5)
  for (const [attempt, pause] of pauses.entries()) {
    assert.ok(pause >= 125 * 2 ** attempt && pause <= 250 * 2 ** attempt)
  }
})

test('a pause longer than a minute is not waited for', async (t) => {
  const { pauses, wait } = notePauses()
  const { client } = await startService(
    t,
    (_, response) => sendProblem(response, 503, 'registry-unavailable', {}, { 'retry-after': '86400' }),
    { wait },
  )
  await assert.rejects(client.page(), { kind: 'problem', code: 'registry-unavailable' })
  assert.deepEqual(pauses, [])
})

test('an internal error and a bad request are not asked again', async (t) => {
  for (const status of [400, 500]) {
    const { client, asked } = await startService(t, (_, response) => sendProblem(response, status, 'some-problem'))
    await assert.rejects(client.page(), { status })
    assert.equal(asked.length, 1)
  }
})

test('a service that is not there is unreachable', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  server.close()
  await once(server, 'close')
  const { pauses, wait } = notePauses()
  const client = createClient(`http://127.0.0.1:${port}/registry`, { wait })
  await assert.rejects(client.page(), {
    kind: 'unreachable',
    status: null,
    message: /^Cannot reach http.*ECONNREFUSED/,
  })
  assert.equal(pauses.length, 3)
})

test('a service that does not answer in time is unreachable', async (t) => {
  const { client } = await startService(t, () => {}, { timeoutMs: 20, retries: 0 })
  await assert.rejects(client.page(), { kind: 'unreachable', message: /no answer within 20 ms/ })
})

test('a body that breaks off is an error, never a short result', async (t) => {
  const body = JSON.stringify({ resultadoBusqueda: records })
  for (const [length, isClosed] of [
    [body.length - 20, true],
    [body.length - 20, false],
    [body.length - 1, false],
  ] as const) {
    const { client } = await startService(t, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write(body.slice(0, length), () => (isClosed ? response.destroy() : response.end()))
    })
    const read: WireRecord[] = []
    await assert.rejects(
      async () => {
        for await (const record of client.search()) read.push(record)
      },
      { kind: 'incomplete', message: /ask again$/ },
    )
    assert.deepEqual(read[0], records[0])
  }
})

test('an answer that is no result of a search is unexpected', async (t) => {
  for (const body of ['<html></html>', '[]', '{"other":[{"a":1}]}', '{"resultadoBusqueda":[{oops}]}', '']) {
    const { client } = await startService(t, (_, response) => response.writeHead(200).end(body))
    await assert.rejects(Array.fromAsync(client.search()), {
      name: 'RegistryError',
      kind: body === '' ? 'incomplete' : 'unexpected',
    })
  }
})

test('an abort ends a search in the middle with the reason of the signal', async (t) => {
  const { client } = await startService(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write(`{"resultadoBusqueda":[${JSON.stringify(records[0])},`)
  })
  const controller = new AbortController()
  const found = client.search({}, { signal: controller.signal })
  assert.deepEqual((await found.next()).value, records[0])
  const next = found.next()
  controller.abort(new Error('enough'))
  await assert.rejects(next, { message: 'enough' })
})

test('an abort ends the pause between attempts', async (t) => {
  const controller = new AbortController()
  const { client, asked } = await startService(t, (_, response) => {
    sendProblem(response, 503, 'registry-unavailable', {}, { 'retry-after': '30' })
    response.on('finish', () => setImmediate(() => controller.abort()))
  })
  await assert.rejects(client.page({}, { signal: controller.signal }), { name: 'AbortError' })
  assert.equal(asked.length, 1)
})

test('a search that is left early gives up the connection', async (t) => {
  const { promise: isClosed, resolve } = Promise.withResolvers<void>()
  const { client } = await startService(t, (_, response) => {
    response.on('close', resolve)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write(`{"resultadoBusqueda":[${JSON.stringify(records[0])},`)
  })
  for await (const record of client.search()) {
    assert.deepEqual(record, records[0])
    break
  }
  await isClosed
})
