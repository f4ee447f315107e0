// Limits of MCP (Model Context Protocol) over HTTP: of batches, of the rate, of concurrent calls and of bodies that are
// being read. Also the cached list of municipalities, an unavailable registry, and the hosts and origins that are
// accepted.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import * as http2 from 'node:http2'
import { connect } from 'node:net'
import { test } from 'node:test'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import type { Deadline } from '../../src/domain/deadline.ts'
import { SearchCancelled } from '../../src/domain/deadline.ts'
import { bodiesMax, clientShareMax, http2StreamsMax, requestsInWorkMax } from '../../src/http/limits.ts'
import { type RegistryStore, type Snapshot, StoreUnavailable } from '../../src/registry/contract.ts'
import { withSummarise } from '../api/with-summarise.ts'
import { publishRecords, startService, type TestService } from '../service.ts'
import { withCurrent } from '../with-current.ts'

const records = [{ code: 'A-1', title: 'Plan General' }]

/** The most messages that a batch may have. */
const batchMax = 16

test('a batch has one to 16 messages', async () => {
  await using service = await startService(records, { isMcpOn: true })
  const most = await post(service, toBatch(batchMax))
  assert.equal(most.status, 200)
  assert.equal(JSON.parse(most.body).length, batchMax)
  const single = await post(service, toBatch(1))
  assert.equal(JSON.parse(single.body).length, 1, 'a batch of one message gets an array too')
  const empty = await post(service, [])
  assert.deepEqual([empty.status, JSON.parse(empty.body).error.code], [400, -32_600])
  const more = await post(service, toBatch(batchMax + 1))
  assert.equal(more.status, 400)
  assert.match(JSON.parse(more.body).error.message, /at most 16 messages, got 17/)
})

test('a batch with two calls of one id, or with a message that is no object, is refused', async () => {
  await using service = await startService(records, { isMcpOn: true })
  const call = toMessage('ping', 7)
  for (const [content, message] of [
    [[call, toMessage('ping', 8), call], 'Cannot read the batch: two calls have the id 7'],
    [[1], 'Cannot read the message: it is not an object'],
    [null, 'Cannot read the message: it is not an object'],
  ]) {
    const { status, body } = await post(service, content)
    assert.equal(status, 400)
    assert.deepEqual(JSON.parse(body).error, { code: -32_600, message })
  }
})

test('the rate limit counts each message of a batch', async () => {
  await using service = await startService(records, { isMcpOn: true, rateLimit: 20 })
  assert.match(String((await post(service, toMessage('ping', 1))).headers.ratelimit), /^"client";r=19;/)
  // The ping above has used 1 of the 20 messages. Then 3 pings leave 16, and 8 calls leave 8.
  const pings = Array.from({ length: 3 }, (_, n) => toMessage('ping', n))
  assert.match(String((await post(service, pings)).headers.ratelimit), /^"client";r=16;/)
  const first = await post(service, toBatch(8))
  assert.equal(first.status, 200)
  assert.match(String(first.headers.ratelimit), /^"client";r=8;/)
  const second = await post(service, toBatch(9))
  assert.equal(second.status, 429)
  assert.match(String(second.headers['retry-after']), /^\d+$/)
  assert.match(JSON.parse(second.body).error.message, /more than 20 requests in a minute/)
})

test('the rate limit also counts requests without a call of a tool or without a valid message', async () => {
  // A valid message; an empty batch; braces, which `post` sends as a JSON string; an object that is no JSON-RPC
  // message; and a body of more than 64 KB, which is refused.
  const longText = 'x'.repeat(70_000)
  for (const message of [toMessage('tools/list', 1), [], '{'.repeat(9), { method: 'unknown' }, longText]) {
    await using service = await startService(records, { isMcpOn: true, rateLimit: 1 })
    const first = await post(service, message)
    assert.match(String(first.headers.ratelimit), /^"client";r=0;/, first.body)
    const second = await post(service, message)
    assert.equal(second.status, 429)
    assert.match(String(second.headers['retry-after']), /^\d+$/)
    assert.match(JSON.parse(second.body).error.message, /more than 1 requests in a minute/)
  }
})

test('calls above the limit of concurrent requests of one client are refused', async () => {
  // Each call of a batch makes one summary, and counts as a request in work until `summaries.end()`.
  const summaries = new WaitingSummaries()
  await using service = await startService(records, { isMcpOn: true, wrapStore: (store) => summaries.wrap(store) })
  /** As many batches as fit into the share of one client, which is `clientShareMax` of all requests in work. */
  const batchCount = Math.floor((requestsInWorkMax * clientShareMax) / batchMax)
  const waiting = Array.from({ length: batchCount }, () => post(service, toBatch(batchMax)))
  await summaries.untilWaiting(batchCount * batchMax)
  const refused = await post(service, toBatch(batchMax))
  assert.equal(refused.status, 503)
  assert.match(String(refused.headers['retry-after']), /^\d+$/)
  summaries.end()
  for (const { status } of await Promise.all(waiting)) assert.equal(status, 200)
  assert.equal((await post(service, toBatch(batchMax))).status, 200, 'later calls are admitted again')
})

test('all calls of a batch end when the client disconnects', async () => {
  const summaries = new WaitingSummaries()
  await using service = await startService(records, { isMcpOn: true, wrapStore: (store) => summaries.wrap(store) })
  const controller = new AbortController()
  const posted = post(service, toBatch(batchMax), { signal: controller.signal })
  await summaries.untilWaiting(batchMax)
  controller.abort()
  await assert.rejects(posted)
  await summaries.untilExpired()
})

test('a call that is cancelled in the same batch still gets a response', async () => {
  // The transport of the SDK sends the response to a batch when all its calls have results, and a cancelled call gets
  // none. So the service removes all cancellations from a batch with other messages.
  await using service = await startService(records, { isMcpOn: true })
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
  for (const batch of [
    [...toBatch(2), cancel],
    [cancel, ...toBatch(2)],
  ]) {
    const { status, body } = await post(service, batch)
    assert.equal(status, 200)
    assert.equal(JSON.parse(body).length, 2)
  }
  assert.equal((await post(service, [cancel])).status, 202, 'a batch without a call gets no result')
})

test('a body that does not arrive in time gets 408, and the connection is closed', async () => {
  await using service = await startService(records, { isMcpOn: true, bodyTimeoutMs: 100 })
  const socket = connect(service.port, '127.0.0.1')
  // One of the nine bytes of the body.
  socket.write('POST /registry/mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{')
  let response = ''
  for await (const chunk of socket.setEncoding('utf8')) response += chunk
  assert.match(response, /^HTTP\/1\.1 408 /)
  assert.match(response, /did not arrive in time/)
})

test('over HTTP/2 a body that does not arrive in time gets 408, and the stream is closed', async (t) => {
  await using service = await startService(records, { isMcpOn: true, bodyTimeoutMs: 100, certificate })
  const session = openSession(service)
  t.after(() => session.destroy())
  const stream = beginPost(session)
  stream.write('{')
  const [headers] = await once(stream, 'response')
  assert.equal(headers[':status'], 408)
  let body = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    body += chunk
  })
  await once(stream, 'close')
  assert.match(JSON.parse(body).error.message, /did not arrive in time/)
  assert.equal(stream.rstCode, http2.constants.NGHTTP2_NO_ERROR)
})

test('requests that wait for the rest of their body do not keep out other requests', async (t) => {
  await using service = await startService(records, { isMcpOn: true, bodyTimeoutMs: 60_000, certificate })
  /** The status of a response. The body of a POST is `{`. */
  const statusOf = async (session: http2.ClientHttp2Session, path: string, method = 'GET'): Promise<number> => {
    const stream = session.request({ ':path': `/registry/${path}`, ':method': method }, { endStream: method === 'GET' })
    if (method !== 'GET') stream.end('{')
    const [headers] = await once(stream, 'response')
    stream.resume()
    return headers[':status']
  }
  // The service reads up to `bodiesMax` bodies at a time, a quarter of them from one client. These sessions begin more
  // than `bodiesMax`. They and `other` are of one client, 127.0.0.1.
  const sessions = Array.from({ length: Math.ceil(bodiesMax / http2StreamsMax) + 1 }, () => openSession(service))
  const other = openSession(service)
  t.after(() => {
    for (const session of [...sessions, other]) session.destroy()
  })
  for (const session of sessions) for (let n = 0; n < http2StreamsMax; n++) beginPost(session).write('{')
  // Waits until the service reads no further body of the client (503). Until then the complete body `{` gets 400,
  // because it is not JSON.
  while ((await statusOf(other, 'mcp', 'POST')) !== 503);
  // The record has the default date of `toRecord` (test/service.ts), which is in 2004.
  assert.equal(await statusOf(other, 'summary?checkin_date=2004'), 200)
  const otherAddress = openSession(service, '127.0.0.2')
  assert.equal(await statusOf(otherAddress, 'mcp', 'POST'), 400, 'the bodies of another client are read')
  otherAddress.destroy()
  for (const session of sessions) session.destroy()
  // The bodies of closed connections do not count.
  while ((await statusOf(other, 'mcp', 'POST')) !== 400);
})

test('the list of municipalities is made once for each snapshot', async () => {
  let reads = 0
  /** One wrapper for each snapshot, because the service compares snapshots by identity. */
  const wrappers = new WeakMap<Snapshot, Snapshot>()
  await using service = await startService(records, {
    isMcpOn: true,
    wrapStore: (store) =>
      withCurrent(store, () => {
        const snapshot = store.current()
        const countRead = (property: PropertyKey): void => {
          if (property === 'municipalities') reads += 1
        }
        const wrapper = wrappers.get(snapshot) ?? observeReads(snapshot, countRead)
        wrappers.set(snapshot, wrapper)
        return wrapper
      }),
  })
  /** Calls the tool as often as a batch may, and returns the names of the first result. */
  const listNames = async (): Promise<string[]> => {
    const call = { name: 'list_municipalities', arguments: {} }
    const batch = Array.from({ length: batchMax }, (_, n) => toMessage('tools/call', n, call))
    const results: ListResult[] = JSON.parse((await post(service, batch)).body)
    assert.equal(results.length, batchMax)
    return results[0]?.result.structuredContent.municipalities.map(({ name }) => name) ?? []
  }
  assert.deepEqual(await listNames(), ['Ávila'])
  assert.deepEqual(await listNames(), ['Ávila'])
  assert.equal(reads, 1)
  await publishRecords(service.database, [...records, { code: 'A-2', municipality: 'Segovia' }])
  await service.store.refresh()
  assert.deepEqual(await listNames(), ['Ávila', 'Segovia'])
  assert.equal(reads, 2)
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
  for (const message of [toMessage('ping', 1), toBatch(2)]) {
    const { status, headers, body } = await post(service, message)
    assert.equal(status, 503)
    assert.equal(headers['retry-after'], '1')
    assert.doesNotMatch(body, /10\.0\.0\.1|ECONN/)
  }
  isUnavailable = false
  assert.equal((await post(service, toBatch(2))).status, 200)
})

/** The response to a call of the tool `list_municipalities`. */
interface ListResult {
  readonly result: { readonly structuredContent: { readonly municipalities: readonly { readonly name: string }[] } }
}

const certificate = {
  certFile: fileURLToPath(new URL('../api/certificates/first.cert.pem', import.meta.url)),
  keyFile: fileURLToPath(new URL('../api/certificates/first.key.pem', import.meta.url)),
}

/** An HTTP/2 connection from a local address, whose errors are ignored. */
function openSession({ port }: TestService, localAddress = '127.0.0.1'): http2.ClientHttp2Session {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  const createConnection = (): TLSSocket => connectTls({ socket, rejectUnauthorized: false, ALPNProtocols: ['h2'] })
  return http2.connect(`https://127.0.0.1:${port}`, { createConnection }).on('error', () => {})
}

/** Begins a request whose body the caller may write. */
function beginPost(session: http2.ClientHttp2Session): http2.ClientHttp2Stream {
  return session.request({ ':path': '/registry/mcp', ':method': 'POST' }).on('error', () => {})
}

/**
 * Requests to a service with or without a public URL, and the status of the response to each. A web page of another
 * host must not reach the service through the browser, even if its name leads to the address of the service (DNS
 * rebinding).
 */
const hostsAndOrigins: readonly [publicUrl: string | undefined, headers: Record<string, string>, status: number][] = [
  // Without a public URL, `localhost` and every IP address are accepted as the host: the attack needs another name.
  [undefined, { host: '127.0.0.1:8080' }, 200],
  [undefined, { host: '[::1]:8080' }, 200],
  [undefined, { host: 'rebound.example' }, 403],
  // The host of an origin must be that of the request, or both must be loopback. Its port does not matter.
  [undefined, { host: 'localhost:8080', origin: 'http://localhost:6274' }, 200],
  [undefined, { host: '192.0.2.7', origin: 'http://192.0.2.7' }, 200],
  [undefined, { host: '127.0.0.1', origin: 'https://evil.example' }, 403],
  [undefined, { host: '127.0.0.1', origin: 'null' }, 403],
  [undefined, { host: '192.0.2.7', origin: 'http://localhost' }, 403],
  // With a public URL, only its host and loopback hosts are accepted.
  ['https://data.example/registry', { host: 'data.example' }, 200],
  ['https://data.example/registry', { host: '127.0.0.1:8080' }, 200],
  ['https://data.example/registry', { host: 'rebound.example' }, 403],
  ['https://data.example/registry', { host: '192.0.2.7' }, 403],
  // The host of an origin may be that of the public URL.
  ['https://data.example/registry', { host: 'data.example:443', origin: 'https://data.example' }, 200],
  ['https://data.example/registry', { host: 'data.example', origin: 'https://evil.example' }, 403],
  ['https://data.example/registry', { host: 'data.example', origin: 'https://data.example.evil.example' }, 403],
]

test('host and origin must be those of the service', async () => {
  for (const publicUrl of [undefined, 'https://data.example/registry']) {
    await using service = await startService(records, { isMcpOn: true, publicUrl })
    const cases = hostsAndOrigins.filter(([publicUrlOfCase]) => publicUrlOfCase === publicUrl)
    for (const [, headers, expected] of cases) {
      const { status, headers: received } = await post(service, toMessage('ping', 1), { headers })
      assert.equal(status, expected, JSON.stringify(headers))
      const allowedOrigin = expected === 200 ? headers.origin : undefined
      assert.equal(received['access-control-allow-origin'], allowedOrigin, JSON.stringify(headers))
    }
  }
})

/** A message of JSON-RPC. */
function toMessage(method: string, id: number, params: object = {}): object {
  return { jsonrpc: '2.0', id, method, params }
}

/** A batch of calls, each of which counts the records of a different year. */
function toBatch(callCount: number): object[] {
  return Array.from({ length: callCount }, (_, n) =>
    toMessage('tools/call', n + 1, { name: 'summarise', arguments: { checkin_date: String(2000 + n) } }),
  )
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

/** Sends a message, or a batch of messages, to MCP. Unlike fetch, it can send any Host. */
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

/** The snapshot; `onRead` is called before each read of a property. */
function observeReads(snapshot: Snapshot, onRead: (property: PropertyKey) => void): Snapshot {
  return new Proxy(snapshot, {
    get: (target, property) => {
      onRead(property)
      const value: unknown = Reflect.get(target, property, target)
      // A method that uses private fields works only on the snapshot itself.
      return typeof value === 'function' ? value.bind(target) : value
    },
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
