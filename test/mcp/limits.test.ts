// Limits of MCP (Model Context Protocol) over HTTP: of the rate and of concurrent calls. Also an unavailable registry,
// and the hosts and origins that are accepted.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import type { Deadline } from '../../src/domain/deadline.ts'
import { SearchCancelled } from '../../src/domain/deadline.ts'
import { clientShareMax, searchesMax } from '../../src/limits.ts'
import { type RegistryStore, StoreUnavailable } from '../../src/registry/contract.ts'
import { withSummarise } from '../api/with-summarise.ts'
import { startService, type TestService } from '../service.ts'
import { withCurrent } from '../with-current.ts'

const records = [{ code: 'A-1', title: 'Plan General' }]

test('the rate limit counts one for each request, also for one without a valid message', async () => {
  // A valid message, a batch, braces, an object that is no JSON-RPC message, and a body of more than 64 KB. `post`
  // sends each as JSON.
  const longText = 'x'.repeat(70_000)
  for (const message of [toMessage('tools/list', 1), [], '{'.repeat(9), { method: 'unknown' }, longText]) {
    await using service = await startService(records, { isMcpOn: true, rateLimit: 1 })
    const first = await post(service, message)
    assert.match(String(first.headers.ratelimit), /^"client";r=0;/, first.body)
    const second = await post(service, message)
    assert.equal(second.status, 429)
    assert.match(String(second.headers['retry-after']), /^\d+$/)
    assert.match(second.body, /more than 1 requests in a minute/)
  }
})

test('calls above the limit of concurrent requests of one client are refused', async () => {
  // Each request makes one summary, and counts as a request in work until `summaries.end()`.
  const summaries = new WaitingSummaries()
  await using service = await startService(records, { isMcpOn: true, wrapStore: (store) => summaries.wrap(store) })
  /** The share of one client of all requests in work. */
  const callsMax = Math.floor(searchesMax * clientShareMax)
  const waiting = Array.from({ length: callsMax }, (_, n) => post(service, toCall(n)))
  await summaries.untilWaiting(callsMax)
  const refused = await post(service, toCall(callsMax))
  assert.match(refused.body, /"isError":true/)
  assert.match(refused.body, /as many requests in work as one client may/)
  summaries.end()
  for (const { status } of await Promise.all(waiting)) assert.equal(status, 200)
  assert.equal((await post(service, toCall(0))).status, 200, 'later calls are admitted again')
})

test('requests that wait for the rest of their body do not keep out other requests', async (t) => {
  await using service = await startService(records, { isMcpOn: true, host: '127.0.0.1' })
  const head = 'POST /registry/mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9'
  // One more than the searches that one client may have in work.
  const waiting = Array.from({ length: Math.floor(searchesMax * clientShareMax) + 1 }, () => {
    const socket = connect(service.port, '127.0.0.1').on('error', () => {})
    // One of the nine bytes of the body. Node answers `Expect` when it hands the request to the service.
    socket.write(`${head}\r\nExpect: 100-continue\r\n\r\n{`)
    return socket
  })
  t.after(() => {
    for (const socket of waiting) socket.destroy()
  })
  await Promise.all(waiting.map((socket) => once(socket, 'data')))
  assert.equal((await fetch(`${service.base}/record?limit=1`)).status, 200)
  const call = await post(service, toCall(104))
  assert.match(call.body, /"total":1/)
})

test('a call ends when the client disconnects', async () => {
  const summaries = new WaitingSummaries()
  await using service = await startService(records, { isMcpOn: true, wrapStore: (store) => summaries.wrap(store) })
  const controller = new AbortController()
  const posted = post(service, toCall(0), { signal: controller.signal })
  await summaries.untilWaiting(1)
  controller.abort()
  await assert.rejects(posted)
  await summaries.untilExpired()
})

test('while the registry is unavailable, a message gets 503 with Retry-After and without the cause', async () => {
  let isUnavailable = true
  await using service = await startService(records, {
    isMcpOn: true,
    wrapStore: (store) =>
      withCurrent(store, () => {
        if (isUnavailable) throw new StoreUnavailable('connect ECONNREFUSED 10.0.0.1:5432')
        return store.current()
      }),
  })
  for (const message of [toMessage('ping', 1), toCall(2)]) {
    const { status, headers, body } = await post(service, message)
    assert.equal(status, 503)
    assert.equal(headers['retry-after'], '1')
    assert.doesNotMatch(body, /10\.0\.0\.1|ECONN/)
  }
  isUnavailable = false
  assert.equal((await post(service, toCall(2))).status, 200)
})

/**
 * Requests to a service, and the status of the response to each. A service that listens on a loopback address is for
 * this computer alone: a web page of another site must not reach it through the browser, even if the name of the page
 * leads to it (DNS rebinding).
 */
const hostsAndOrigins: readonly [headers: Record<string, string>, status: number][] = [
  [{ host: '127.0.0.1:8080' }, 200],
  [{ host: '[::1]:8080' }, 200],
  [{ host: 'localhost:8080', origin: 'http://localhost:6274' }, 200],
  [{ host: '127.0.0.1', origin: 'http://localhost:6274' }, 200],
  [{ host: 'rebound.example' }, 403],
  [{ host: '192.0.2.7' }, 403],
  [{ host: '127.0.0.1', origin: 'https://evil.example' }, 403],
  [{ host: '127.0.0.1', origin: 'https://localhost.evil.example' }, 403],
  [{ host: '127.0.0.1', origin: 'null' }, 403],
]

test('a service for this computer alone accepts only its hosts and origins, a public one any', async () => {
  await using local = await startService(records, { isMcpOn: true, host: '127.0.0.1' })
  await using published = await startService(records, {
    isMcpOn: true,
    host: '127.0.0.1',
    publicUrl: 'https://data.example/registry',
  })
  await using open = await startService(records, { isMcpOn: true, host: '0.0.0.0' })
  for (const [headers, expected] of hostsAndOrigins) {
    const name = JSON.stringify(headers)
    assert.equal((await post(local, toMessage('ping', 1), { headers })).status, expected, name)
    for (const service of [published, open]) {
      const { status, headers: received } = await post(service, toMessage('ping', 1), { headers })
      assert.deepEqual([status, received['access-control-allow-origin']], [200, '*'], name)
    }
  }
})

/** A message of JSON-RPC. */
function toMessage(method: string, id: number, params: object = {}): object {
  return { jsonrpc: '2.0', id, method, params }
}

/** A call that counts the records of a year, which is different for each number. */
function toCall(number: number): object {
  return toMessage('tools/call', 1, { name: 'summarise', arguments: { checkin_date: String(1900 + number) } })
}

interface PostOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

interface PostResult {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** Sends a message to MCP. Unlike fetch, it can send any Host. */
function post({ base }: TestService, message: unknown, { headers, signal }: PostOptions = {}): Promise<PostResult> {
  return new Promise((resolve, reject) => {
    const mcpHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const options = {
      method: 'POST',
      agent: false,
      headers: { ...mcpHeaders, ...headers },
      ...(signal ? { signal } : {}),
    }
    const outgoing = request(`${base}/mcp`, options, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
      response.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(JSON.stringify(message))
  })
}

/** Summaries that wait until `end` is called or their deadline expires. */
class WaitingSummaries {
  readonly #deadlines = new Set<Deadline>()
  /** Summaries that have begun and not ended. */
  #waiting = 0
  #mayEnd = false

  /** The store with these summaries. */
  wrap(store: RegistryStore): RegistryStore {
    return withSummarise(store, async (_snapshot, _filters, deadline) => {
      if (deadline === undefined) throw new Error('a call has no deadline')
      this.#waiting += 1
      this.#deadlines.add(deadline)
      try {
        await this.#until(() => {
          if (deadline.isExpired) throw new SearchCancelled()
          return this.#mayEnd
        })
      } finally {
        this.#waiting -= 1
      }
      return { total: 1, byYear: [], byMunicipality: [] }
    })
  }

  /** Resolves when so many summaries have begun and not ended. */
  untilWaiting(count: number): Promise<void> {
    return this.#until(() => this.#waiting === count)
  }

  /** Resolves when the deadline of every summary has expired, and no summary waits any more. */
  untilExpired(): Promise<void> {
    return this.#until(() => this.#waiting === 0 && [...this.#deadlines].every(({ isExpired }) => isExpired))
  }

  end(): void {
    this.#mayEnd = true
  }

  /** Resolves when the condition holds. Rejects if it throws. */
  async #until(isDone: () => boolean): Promise<void> {
    while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
