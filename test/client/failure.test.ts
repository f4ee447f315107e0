// The client when requests fail: retries, delays, timeouts, incomplete responses and aborts.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { createClient, type WireRecord } from '../../src/client/client.ts'
import { findFreePort } from '../free-port.ts'
import { makeRecord, sendJson, sendProblem, startFakeService } from './fake-service.ts'

const records = [makeRecord(1), makeRecord(2)]

/** The headers of a page after which there is another. */
const nextPage = { link: '<?cursor=abc>; rel="next"' }

/** Replaces the delays of the client before a retry: `wait` records each delay and does not wait. */
function recordDelays(): { delaysMs: number[]; wait: (ms: number) => Promise<void> } {
  const delaysMs: number[] = []
  return { delaysMs, wait: async (ms) => void delaysMs.push(ms) }
}

test('a 503 or 429 is retried after the seconds, or at the date, of Retry-After', async (t) => {
  const { delaysMs, wait } = recordDelays()
  let attempts = 0
  const { client } = await startFakeService(
    t,
    (_, response) => {
      attempts += 1
      const inTwentySeconds = new Date(Date.now() + 20_000).toUTCString()
      if (attempts === 1) sendProblem(response, 503, 'registry-unavailable', { headers: { 'retry-after': '7' } })
      else if (attempts === 2) {
        sendProblem(response, 429, 'too-many-requests', { headers: { 'retry-after': inTwentySeconds } })
      } else sendJson(response, { resultadoBusqueda: records })
    },
    { wait },
  )
  assert.deepEqual(await Array.fromAsync(client.search()), records)
  assert.equal(delaysMs.length, 2)
  assert.equal(delaysMs[0], 7000)
  // The date has whole seconds, and some time has passed since it was sent: up to four seconds on a slow machine.
  assert.ok((delaysMs[1] ?? 0) > 15_000 && (delaysMs[1] ?? 0) <= 20_000)
})

test('without Retry-After the delays double', async (t) => {
  const { delaysMs, wait } = recordDelays()
  const retries = 4
  const { client, requested } = await startFakeService(t, (_, response) => response.writeHead(502).end(), {
    wait,
    retries,
  })
  await assert.rejects(client.page(), { kind: 'unexpected', status: 502 })
  assert.equal(requested.length, 1 + retries)
  assert.equal(delaysMs.length, retries)
  // The first delay is up to 250 ms. Half of each is random, which keeps clients from coming back at the same time.
  for (const [attempt, delayMs] of delaysMs.entries()) {
    const delayMsMax = 250 * 2 ** attempt
    assert.ok(delayMs >= delayMsMax / 2 && delayMs <= delayMsMax)
  }
})

test('a Retry-After of more than a minute fails at once', async (t) => {
  const { delaysMs, wait } = recordDelays()
  const { client } = await startFakeService(
    t,
    (_, response) => sendProblem(response, 503, 'registry-unavailable', { headers: { 'retry-after': '86400' } }),
    { wait },
  )
  await assert.rejects(client.page(), { kind: 'problem', code: 'registry-unavailable' })
  assert.deepEqual(delaysMs, [])
})

test('an error has the status, the delay of Retry-After and the request id of the response', async (t) => {
  for (const [status, headers, expected] of [
    [503, { 'retry-after': '7', 'x-request-id': 'abcdefgh-1' }, { retryAfterMs: 7000, requestId: 'abcdefgh-1' }],
    // These are not retried, so there is one request of each.
    [500, {}, { retryAfterMs: null, requestId: null }],
    [400, {}, { retryAfterMs: null, requestId: null }],
  ] as const) {
    const send = (_: unknown, response: ServerResponse): void => sendProblem(response, status, 'problem', { headers })
    const { client, requested } = await startFakeService(t, send, status === 503 ? { retries: 0 } : {})
    await assert.rejects(client.page(), { status, ...expected })
    assert.equal(requested.length, 1)
  }
})

test('a port on which nothing listens is unreachable, after the retries', async () => {
  const { delaysMs, wait } = recordDelays()
  const client = createClient(`http://127.0.0.1:${await findFreePort()}/registry`, { wait })
  await assert.rejects(client.page(), {
    kind: 'unreachable',
    status: null,
    message: /^Cannot reach http.*ECONNREFUSED/,
  })
  const defaultRetries = 3
  assert.equal(delaysMs.length, defaultRetries)
})

test('a service that does not respond within the timeout is unreachable', async (t) => {
  const { client } = await startFakeService(t, () => {}, { timeoutMs: 20, retries: 0 })
  await assert.rejects(client.page(), { kind: 'unreachable', message: /no response within 20 ms/ })
})

test('an incomplete body is an error, not a shorter result', async (t) => {
  const body = JSON.stringify({ resultadoBusqueda: records })
  // The body of the second page is cut off in a record or before its last brace, by a reset or by a regular end.
  for (const [length, isReset, kind, message] of [
    [body.length - 20, true, 'incomplete', /try again$/],
    [body.length - 20, false, 'unexpected', /it is not JSON/],
    [body.length - 1, false, 'unexpected', /it is not JSON/],
  ] as const) {
    const { client } = await startFakeService(t, (request, response) => {
      if (!request.url?.includes('cursor')) return sendJson(response, { resultadoBusqueda: records }, nextPage)
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write(body.slice(0, length), () => (isReset ? response.destroy() : response.end()))
    })
    const read: WireRecord[] = []
    await assert.rejects(
      async () => {
        for await (const record of client.search()) read.push(record)
      },
      { kind, message },
    )
    assert.deepEqual(read, records, 'the records of the first page')
  }
})

test('a response that is not a search result is unexpected', async (t) => {
  for (const body of [
    '<html></html>',
    '[]',
    '{"other":[{"a":1}]}',
    '{"resultadoBusqueda":[{oops}]}',
    '{"resultadoBusqueda":{}}',
    '',
  ]) {
    const { client } = await startFakeService(t, (_, response) => response.writeHead(200).end(body))
    await assert.rejects(Array.fromAsync(client.search()), { name: 'RegistryError', kind: 'unexpected' }, body)
  }
})

test('a search goes on after a page that had to be requested again', async (t) => {
  const { delaysMs, wait } = recordDelays()
  let attempts = 0
  const { client } = await startFakeService(
    t,
    (request, response) => {
      if (!request.url?.includes('cursor')) sendJson(response, { resultadoBusqueda: records.slice(0, 1) }, nextPage)
      else if (attempts++ === 0) sendProblem(response, 503, 'overloaded', { headers: { 'retry-after': '1' } })
      else sendJson(response, { resultadoBusqueda: records.slice(1) })
    },
    { wait },
  )
  assert.deepEqual(await Array.fromAsync(client.search()), records)
  assert.deepEqual(delaysMs, [1000])
})

test('an aborted search rejects with the reason of the signal', async (t) => {
  const { client } = await startFakeService(t, (request, response) => {
    if (!request.url?.includes('cursor'))
      return sendJson(response, { resultadoBusqueda: records.slice(0, 1) }, nextPage)
    // The second page never ends.
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"resultadoBusqueda":[')
  })
  const controller = new AbortController()
  const found = client.search({}, { signal: controller.signal })
  assert.deepEqual((await found.next()).value, records[0])
  const next = found.next()
  controller.abort(new Error('enough'))
  await assert.rejects(next, { message: 'enough' })
})

test('an abort ends the delay before a retry', async (t) => {
  const controller = new AbortController()
  const { client, requested } = await startFakeService(t, (_, response) => {
    sendProblem(response, 503, 'registry-unavailable', { headers: { 'retry-after': '30' } })
    response.on('finish', () => setImmediate(() => controller.abort()))
  })
  await assert.rejects(client.page({}, { signal: controller.signal }), { name: 'AbortError' })
  assert.equal(requested.length, 1)
})

test('an abort while a problem arrives rejects with the reason of the signal', async (t) => {
  const controller = new AbortController()
  const { client } = await startFakeService(
    t,
    (_, response) => {
      // The body never ends.
      response.writeHead(400, { 'content-type': 'application/problem+json' })
      response.write('{"type":')
    },
    {
      fetch: async (...args) => {
        const response = await fetch(...args)
        // The client has the headers, and reads the body when the abort comes.
        setImmediate(() => controller.abort(new Error('enough')))
        return response
      },
    },
  )
  await assert.rejects(client.page({}, { signal: controller.signal }), { message: 'enough' })
})

test('a problem that is cut off is incomplete', async (t) => {
  const { client } = await startFakeService(t, (_, response) => {
    response.writeHead(400, { 'content-type': 'application/problem+json' })
    response.write('{"type":', () => response.destroy())
  })
  for (const call of [() => client.page(), () => client.get('A-1'), () => Array.fromAsync(client.changes())]) {
    await assert.rejects(call, { kind: 'incomplete', status: 400, message: /try again$/ })
  }
})

test('a timeout that is too long for `setTimeout` does not end the request at once', async (t) => {
  for (const timeoutMs of [2 ** 31, Number.POSITIVE_INFINITY]) {
    // `setTimeout` would wait 1 ms instead. The response is sent after 2 ms, when such a timeout would be over.
    const respond = (_: unknown, response: ServerResponse): void => {
      setTimeout(() => sendJson(response, { resultadoBusqueda: records }), 2)
    }
    const { client } = await startFakeService(t, respond, { timeoutMs, retries: 0 })
    assert.deepEqual((await client.page()).records, records)
  }
})

test('after the loop over a search is left, no further page is requested', async (t) => {
  const { client, requested } = await startFakeService(t, (_, response) =>
    sendJson(response, { resultadoBusqueda: records }, nextPage),
  )
  for await (const record of client.search()) {
    assert.deepEqual(record, records[0])
    break
  }
  assert.deepEqual(requested, ['/registry/record?limit=1000'])
})
