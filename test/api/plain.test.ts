// Plain requests are answered without node:http (api/plain.ts): the answer is the same as by node:http, whatever the
// request, and a connection goes over from one to the other without losing or mixing up anything.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import fc from 'fast-check'
import type { Incoming, Outgoing } from '../../src/api/exchange.ts'
import { keepAliveTimeoutMs, stalledReaderMs } from '../../src/api/limits.ts'
import { type Custodian, PlainReader } from '../../src/api/plain.ts'
import { toRaw } from '../../src/api/raw-connection.ts'
import { send } from '../../src/api/send.ts'
import { startService, type TestService } from '../service.ts'

let service: TestService

before(async () => {
  const records = Array.from({ length: 400 }, (_, n) => ({
    code: `A-${n}`,
    title: `Plan Parcial del sector ${n}, Úbeda`,
    content: 'suelo urbanizable '.repeat(60),
  }))
  service = await startService(records, { isMcpOn: true })
})
after(() => service[Symbol.asyncDispose]())

/** Announces a body, of no bytes: what sends a request to node:http. */
const notPlain = 'Content-Length: 0\r\n'

interface RawAnswer {
  readonly status: number
  readonly head: string
  readonly body: Buffer
}

/** Reads answers off a connection, one by one. */
class Reader {
  #bytes: Buffer = Buffer.alloc(0)
  readonly #socket: Socket

  constructor(socket: Socket) {
    this.#socket = socket
  }

  async next(): Promise<RawAnswer> {
    const headEnd = await this.#find('\r\n\r\n', 0)
    const head = this.#bytes.toString('latin1', 0, headEnd + 2)
    const bodyAt = headEnd + 4
    const length = /^content-length: (\d+)\r$/im.exec(head)?.[1]
    const isChunked = /^transfer-encoding: chunked\r$/im.test(head)
    const { body, end } = isChunked
      ? await this.#readChunks(bodyAt)
      : { body: await this.#read(bodyAt, bodyAt + Number(length ?? 0)), end: bodyAt + Number(length ?? 0) }
    this.#bytes = this.#bytes.subarray(end)
    return { status: Number(head.slice(9, 12)), head, body }
  }

  async #readChunks(from: number): Promise<{ body: Buffer; end: number }> {
    const parts: Buffer[] = []
    for (let at = from; ; ) {
      const lineEnd = await this.#find('\r\n', at)
      const size = Number.parseInt(this.#bytes.toString('latin1', at, lineEnd), 16)
      parts.push(await this.#read(lineEnd + 2, lineEnd + 2 + size))
      at = lineEnd + 2 + size
      assert.equal((await this.#read(at, at + 2)).toString(), '\r\n')
      at += 2
      if (size === 0) return { body: Buffer.concat(parts), end: at }
    }
  }

  async #find(text: string, from: number): Promise<number> {
    for (;;) {
      const at = this.#bytes.indexOf(text, from, 'latin1')
      if (at >= 0) return at
      await this.#more()
    }
  }

  async #read(from: number, to: number): Promise<Buffer> {
    while (this.#bytes.length < to) await this.#more()
    return this.#bytes.subarray(from, to)
  }

  async #more(): Promise<void> {
    const [bytes] = await once(this.#socket, 'data')
    this.#bytes = Buffer.concat([this.#bytes, bytes])
  }
}

/** Connects, and fails where an answer does not come. */
function open(): { socket: Socket; reader: Reader } & Disposable {
  const socket = connect(service.port, '127.0.0.1').setTimeout(5000, () => socket.destroy(new Error('no answer')))
  return { socket, reader: new Reader(socket), [Symbol.dispose]: () => socket.destroy() }
}

function toRequest(url: string, headers = ''): string {
  return `GET ${url} HTTP/1.1\r\nHost: example.org\r\n${headers}\r\n`
}

/** Without what differs from answer to answer, each header on a line, in one order. */
function toComparable({ head, body }: RawAnswer): { head: string[]; body: string } {
  const [status = '', ...lines] = head.split('\r\n')
  const own = /^(?:date|x-request-id|transfer-encoding): /i
  return { head: [status, ...lines.filter((line) => !own.test(line)).sort()], body: body.toString('latin1') }
}

async function assertSame(url: string, headers = ''): Promise<void> {
  using plain = open()
  using byNode = open()
  plain.socket.write(toRequest(url, headers), 'latin1')
  byNode.socket.write(toRequest(url, headers + notPlain), 'latin1')
  const [ours, theirs] = await Promise.all([plain.reader.next(), byNode.reader.next()])
  assert.deepEqual(toComparable(ours), toComparable(theirs), JSON.stringify({ url, headers }))
}

const urls = [
  '/registry/record/A-7',
  '/registry/record/A-9999',
  '/registry/record/nothing',
  '/registry/record?limit=3',
  '/registry/record?search=sector&limit=5',
  '/registry/record',
  '/registry/record?checkin_date=soon',
  `/registry/record?search=${'x'.repeat(9000)}`,
  '/registry/summary',
  '/registry/openapi.json',
  '/registry/',
  '/registry/mcp',
  '/elsewhere',
  '/registry/record/%zz',
]

const headerSets = [
  '',
  'Accept-Encoding: gzip\r\n',
  'Accept-Encoding: zstd, br;q=0.5\r\nX-Forwarded-For: 192.0.2.1\r\n',
  'If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT\r\n',
  'Connection: close\r\n',
  'connection:Keep-Alive\r\nUser-Agent:\t caf\u00e9 \r\n',
  'Accept-Encoding: \t gzip\t \r\nX-Blank: \t \r\n',
  `Accept-Encoding: br;q=0,${' '.repeat(7000)}gzip \r\n`,
]

test('a plain request gets the answer that it gets by node:http', async () => {
  for (const url of urls) for (const headers of headerSets) await assertSame(url, headers)
})

test('whatever the headers say, the answer is the one by node:http', async () => {
  const name = fc.constantFrom(
    'Accept',
    'Accept-Encoding',
    'If-None-Match',
    'Host',
    'Connection',
    'Expect',
    'X-y',
    'Te',
  )
  const value = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'gzip*;q=0,."\t \u00e9\u0001:\\-'), maxLength: 12 }),
    fc.constantFrom('gzip', 'close', 'keep-alive', 'upgrade', '100-continue', '*', 'identity;q=0, br'),
  )
  const line = fc.tuple(name, fc.constantFrom(':', ': ', ' :', ':\t'), value).map((parts) => `${parts.join('')}\r\n`)
  const headers = fc.array(line, { maxLength: 4 }).map((lines) => lines.join(''))
  await fc.assert(
    fc.asyncProperty(headers, (text) => assertSame('/registry/record/A-7', text)),
    { seed: 20_261_115, numRuns: 200 },
  )
})

test('a connection may ask plainly, then otherwise, then plainly again', async () => {
  using connection = open()
  const { socket, reader } = connection
  for (const headers of ['', notPlain, '']) {
    socket.write(toRequest('/registry/record/A-7', headers))
    assert.equal((await reader.next()).status, 200)
  }
  socket.write('POST /registry/record HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc')
  assert.equal((await reader.next()).status, 405)
})

test('each request of a connection is read by its own headers', async () => {
  using connection = open()
  const { socket, reader } = connection
  const url = '/registry/record?limit=50'
  const codings: (string | undefined)[] = []
  for (const headers of [
    'Accept-Encoding: gzip\r\n',
    '',
    '',
    'Accept-Encoding: zstd\r\n',
    'Accept-Encoding: gzip\r\n',
  ]) {
    socket.write(toRequest(url, headers))
    codings.push(/^content-encoding: (\w+)\r$/im.exec((await reader.next()).head)?.[1])
  }
  assert.deepEqual(codings, ['gzip', undefined, undefined, 'zstd', 'gzip'])
})

test('requests that come in one piece, or before the answer to the one before, are answered in order', async () => {
  for (const first of ['/registry/record/A-1', '/registry/summary', '/registry/record']) {
    for (const isOnePiece of [true, false]) {
      using connection = open()
      const { socket, reader } = connection
      const requests = [first, '/registry/record/A-2', '/registry/record/A-9999'].map((url) => toRequest(url))
      if (isOnePiece) socket.write(requests.join(''))
      else for (const request of requests) socket.write(request)
      const answers = [await reader.next(), await reader.next(), await reader.next()]
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 404],
      )
      assert.match(String(answers[1]?.body), /sector 2,/)
    }
  }
})

test('a request in pieces is answered, wherever it is cut, and so is the next one', async () => {
  const request = toRequest('/registry/record/A-7', 'Accept: */*\r\n')
  for (let cut = 1; cut < request.length; cut++) {
    using connection = open()
    const { socket, reader } = connection
    socket.setNoDelay(true).write(request.slice(0, cut))
    // The service has read the beginning once it has answered somebody who came later.
    await (await fetch(`${service.base}/record/A-1`)).arrayBuffer()
    socket.write(request.slice(cut))
    assert.equal((await reader.next()).status, 200, `cut at ${cut}`)
    socket.write(toRequest('/registry/record/A-9999'))
    assert.equal((await reader.next()).status, 404, `cut at ${cut}`)
  }
})

test('headers too long to remember are read like others', async () => {
  using connection = open()
  const { socket, reader } = connection
  const url = '/registry/record?limit=50'
  for (const coding of ['gzip', 'zstd', 'gzip']) {
    socket.write(toRequest(url, `X-Long: ${'x'.repeat(3000)}\r\nAccept-Encoding: ${coding}\r\n`))
    assert.match((await reader.next()).head, new RegExp(`^content-encoding: ${coding}\r$`, 'im'))
  }
})

test('a connection that never asks is told so, and may break off afterwards', async () => {
  await using plain = await listenPlainly(() => assert.fail('nothing was asked'))
  plain.server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => socket.end(error.code ?? ''))
  const client = plain.connect()
  const [connection] = await once(plain.server, 'connection')
  // The time is over.
  connection.emit('timeout')
  const [told] = await once(client, 'data')
  assert.equal(String(told), 'ERR_HTTP_REQUEST_TIMEOUT')
  client.resetAndDestroy()
  if (!connection.closed) await once(connection, 'close')
})

test('an answer that is the last of its connection arrives whole, however slowly it is taken', async () => {
  const bytes = 8_000_000
  const whole = { status: 200, headers: ['Content-Length', `${bytes}`], body: Buffer.alloc(bytes) }
  await using plain = await listenPlainly((request, response) => send(request, response, whole, []))
  const client = plain.connect().pause()
  client.write(toRequest('/', 'Connection: close\r\n'))
  const { body } = await new Reader(client.resume()).next()
  assert.equal(body.length, bytes)
})

test('who does not take an answer gets no other, and all of them once it does', async () => {
  const requests = 40
  let answered = 0
  const body = Buffer.alloc(2_000_000)
  await using plain = await listenPlainly((request, response) => {
    answered++
    send(request, response, { status: 200, headers: ['Content-Length', `${body.length}`], body }, [])
  })
  const client = plain.connect().setNoDelay(true).pause()
  const [connection] = await once(plain.server, 'connection')
  for (let sent = 0; sent < requests; sent++) {
    client.write(toRequest(`/${sent}`))
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  assert.ok(answered < 10, `${answered} answers made for a reader that reads nothing`)
  assert.ok(connection.writableLength <= body.length + 1000, `${connection.writableLength} bytes wait`)
  assert.ok(connection.listenerCount('timeout') <= 2)
  const reader = new Reader(client.resume())
  for (let read = 0; read < requests; read++) assert.equal((await reader.next()).body.length, body.length)
  client.destroy()
})

test('a connection that broke while an answer was made is not handed over', async () => {
  const release = Promise.withResolvers<void>()
  const made = Promise.withResolvers<void>()
  const server = createServer()
  let handedOver = 0
  server.removeAllListeners('connection').on('connection', () => handedOver++)
  await using plain = await listenPlainly(async (request, response) => {
    await release.promise
    send(request, response, { status: 200, headers: ['Content-Length', '2'], body: 'ok' }, [])
    made.resolve()
  }, server)
  const client = plain.connect()
  const [connection] = await once(server, 'connection')
  const pausing = once(connection, 'pause')
  client.write(toRequest('/first'))
  await once(connection, 'data')
  client.write(toRequest('/second'))
  await pausing
  connection.destroy()
  await once(connection, 'close')
  release.resolve()
  await made.promise
  assert.equal(handedOver, 0)
  client.destroy()
})

test('an idle connection is closed though its client does nothing about it', async () => {
  await using plain = await listenPlainly((request, response) =>
    send(request, response, { status: 200, headers: ['Content-Length', '2'], body: 'ok' }, []),
  )
  const client = plain.connect({ allowHalfOpen: true })
  const [connection] = await once(plain.server, 'connection')
  client.write(toRequest('/'))
  await new Reader(client).next()
  plain.reader.closeIdleConnections()
  if (!connection.closed) await once(connection, 'close')
  client.destroy()
})

test('a piece of nothing in the middle of a body does not end it', async () => {
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    yield Buffer.from('abc')
    yield Buffer.alloc(0)
    await new Promise((resolve) => setImmediate(resolve))
    yield Buffer.alloc(0)
    yield Buffer.from('def')
  }
  const body = { chunks: chunks(), coding: 'identity', end: async () => {} } as const
  await using plain = await listenPlainly((request, response) => {
    send(request, response, { status: 200, headers: [], body }, [])
  })
  const client = plain.connect()
  client.write(toRequest('/'))
  assert.equal(String((await new Reader(client).next()).body), 'abcdef')
  client.destroy()
})

for (const bytes of [8_000_000, 20_000_000]) {
  test(`a reader that does not take an answer of ${bytes} bytes is watched, until it has taken it`, async () => {
    const answered = Promise.withResolvers<Socket>()
    const answer = (request: Incoming, response: Outgoing): void => {
      send(request, response, { status: 200, headers: ['Content-Length', `${bytes}`], body: Buffer.alloc(bytes) }, [])
      answered.resolve(request.socket)
    }
    await using plain = await listenPlainly(answer)
    const client = plain.connect().pause()
    client.write(toRequest('/'))
    const connection = await answered.promise
    assert.equal(connection.timeout, stalledReaderMs)
    await readAll(client, bytes)
    assert.equal(connection.timeout, keepAliveTimeoutMs)
    assert.equal(connection.listenerCount('timeout'), 1)
    client.destroy()
  })
}

test('a reader of a stream is watched until its end, and then may ask again for as long as any other', async () => {
  const answered = Promise.withResolvers<Socket>()
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    yield Buffer.alloc(100)
  }
  const answer = (request: Incoming, response: Outgoing): void => {
    const body = { chunks: chunks(), coding: 'identity', end: async () => {} } as const
    const sending = send(request, response, { status: 200, headers: [], body }, [])
    assert.equal(request.socket.timeout, stalledReaderMs)
    sending?.then(() => answered.resolve(request.socket), answered.reject)
  }
  await using plain = await listenPlainly(answer)
  const client = plain.connect()
  client.write(toRequest('/'))
  const connection = await answered.promise
  await new Reader(client).next()
  assert.equal(connection.timeout, keepAliveTimeoutMs)
  assert.equal(connection.listenerCount('timeout'), 1)
  client.destroy()
})

/** Hands out numbers and notes what it is told. */
class NotingCustodian implements Custodian {
  readonly told: string[] = []
  #last = 0

  readonly keep = (): number => {
    this.#last += 1
    this.told.push(`keep ${this.#last}`)
    return this.#last
  }

  readonly release = (id: number): void => {
    this.told.push(`release ${id}`)
  }
}

const answerOk = (request: Incoming, response: Outgoing): unknown =>
  send(request, response, { status: 200, headers: ['Content-Length', '2'], body: 'ok' }, [])

test('a connection is kept from its second answer on, until it is closed', async () => {
  const custodian = new NotingCustodian()
  await using plain = await listenPlainly(answerOk, undefined, custodian)
  const client = plain.connect()
  const reader = new Reader(client)
  const [connection] = await once(plain.server, 'connection')
  client.write(toRequest('/'))
  await reader.next()
  assert.deepEqual(custodian.told, [])
  for (let n = 0; n < 3; n++) {
    client.write(toRequest('/'))
    await reader.next()
  }
  assert.deepEqual(custodian.told, ['keep 1'])
  client.end()
  await once(connection, 'close')
  assert.deepEqual(custodian.told, ['keep 1', 'release 1'])
})

test('a kept connection that sends a request before its answer is kept no longer, from that moment on', async () => {
  const custodian = new NotingCustodian()
  const early = Promise.withResolvers<void>()
  await using plain = await listenPlainly(
    async (request, response) => {
      if (request.url === '/slow') await early.promise
      answerOk(request, response)
    },
    undefined,
    custodian,
  )
  const client = plain.connect()
  const reader = new Reader(client)
  const [connection] = await once(plain.server, 'connection')
  for (let n = 0; n < 2; n++) {
    client.write(toRequest('/'))
    await reader.next()
  }
  client.write(toRequest('/slow'))
  await once(connection, 'data')
  const pausing = once(connection, 'pause')
  client.write(toRequest('/'))
  await pausing
  assert.deepEqual(custodian.told, ['keep 1', 'release 1'])
  early.resolve()
  for (let n = 0; n < 2; n++) await reader.next()
  client.write(toRequest('/'))
  await reader.next()
  assert.deepEqual(custodian.told, ['keep 1', 'release 1'])
  client.destroy()
})

test('a kept connection that goes over to node:http is kept no longer', async () => {
  const custodian = new NotingCustodian()
  await using plain = await listenPlainly(answerOk, undefined, custodian)
  const client = plain.connect()
  const reader = new Reader(client)
  for (const headers of ['', '', notPlain, '']) {
    client.write(toRequest('/', headers))
    await reader.next()
  }
  assert.deepEqual(custodian.told, ['keep 1', 'release 1'])
  client.destroy()
})

test('a kept connection is not kept while a body is streamed to it, nor while it takes no more', async () => {
  const custodian = new NotingCustodian()
  const large = Buffer.alloc(20_000_000)
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    yield Buffer.from(custodian.told.join())
  }
  const answer = (request: Incoming, response: Outgoing): unknown => {
    if (request.url === '/stream') {
      const body = { chunks: chunks(), coding: 'identity', end: async () => {} } as const
      return send(request, response, { status: 200, headers: [], body }, [])
    }
    if (request.url !== '/large') return answerOk(request, response)
    const headers = ['Content-Length', String(large.length)]
    return send(request, response, { status: 200, headers, body: large }, [])
  }
  await using plain = await listenPlainly(answer, undefined, custodian)
  const client = plain.connect()
  const reader = new Reader(client)
  for (let n = 0; n < 2; n++) {
    client.write(toRequest('/'))
    await reader.next()
  }
  client.write(toRequest('/stream'))
  assert.equal(String((await reader.next()).body), 'keep 1,release 1')
  client.write(toRequest('/'))
  await reader.next()
  assert.deepEqual(custodian.told, ['keep 1', 'release 1', 'keep 2'])
  client.pause().write(toRequest('/large'))
  await readAll(client, large.length)
  assert.deepEqual(custodian.told.slice(0, 4), ['keep 1', 'release 1', 'keep 2', 'release 2'])
  client.destroy()
})

test('a connection taken on from another process is answered, counted and limited like one that was accepted', async () => {
  const custodian = new NotingCustodian()
  const addresses: (string | undefined)[] = []
  await using plain = await listenPlainly(
    (request, response) => {
      addresses.push(request.socket.remoteAddress)
      answerOk(request, response)
    },
    undefined,
    custodian,
  )
  await using other = await acceptUnread()
  const client = await other.connect(plain, -1)
  client.write(toRequest('/'))
  assert.equal((await new Reader(client).next()).status, 200)
  assert.deepEqual(addresses, ['127.0.0.1'])
  assert.equal(await promisify(plain.server.getConnections.bind(plain.server))(), 1)
  plain.server.maxConnections = 1
  await other.connect(plain, -2)
  assert.deepEqual(custodian.told, ['release -2'])
  client.destroy()
})

test('a connection taken on from another process that asks nothing, or more than one thing, is closed', async () => {
  const custodian = new NotingCustodian()
  await using plain = await listenPlainly(answerOk, undefined, custodian)
  await using other = await acceptUnread()
  const closing: Promise<unknown>[] = []
  plain.server.on('connection', (connection: Socket) => closing.push(once(connection, 'close')))
  const silent = await other.connect(plain, -1)
  const hasty = await other.connect(plain, -2)
  hasty.write(toRequest('/') + toRequest('/'))
  for (const client of [hasty, silent]) {
    let text = ''
    client.on('data', (bytes) => {
      text += bytes
    })
    await once(client, 'close')
    assert.equal(text, '')
  }
  await Promise.all(closing)
  assert.deepEqual(custodian.told, ['release -2', 'release -1'])
})

interface UnreadServer extends AsyncDisposable {
  /** Connects here, and lets the other server take it on. */
  readonly connect: (plain: PlainServer, id: number) => Promise<Socket>
}

/** Accepts connections and reads nothing, as a process that holds them for others does. */
async function acceptUnread(): Promise<UnreadServer> {
  const server = createTcpServer({ pauseOnConnect: true, allowHalfOpen: true })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    connect: async (plain, id) => {
      const client = connect({ port, host: '127.0.0.1' })
      const [socket] = await once(server, 'connection')
      const raw = toRaw(socket)
      assert.ok(raw)
      plain.reader.adopt(raw, id)
      return client
    },
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

interface PlainServer extends AsyncDisposable {
  readonly server: Server
  readonly reader: PlainReader
  readonly connect: (options?: { allowHalfOpen: boolean }) => Socket
}

/** Answers plain requests alone. */
async function listenPlainly(
  answer: (request: Incoming, response: Outgoing) => unknown,
  server: Server = createServer(answer),
  custodian?: Custodian,
): Promise<PlainServer> {
  const reader = new PlainReader(server, { answer, isAside: () => false }, custodian)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    server,
    reader,
    connect: (options) => connect({ port, host: '127.0.0.1', ...options }),
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function readAll(client: Socket, bytes: number): Promise<void> {
  for (let read = 0; read < bytes; ) {
    const [chunk] = await once(client.resume(), 'data')
    read += chunk.length
  }
}
