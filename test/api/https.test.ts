// HTTPS: HTTP/2 and HTTP/1.1 on one port, TLS 1.2 and later, certificates replaced without closing connections. The
// certificates are for tests only and valid for a hundred years.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import * as http2 from 'node:http2'
import { Agent, type RequestOptions, request } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import * as tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import { getRequestListener } from '@hono/node-server'
import { toWebResponse } from '../../src/http/web-response.ts'
import { urlCharactersMax } from '../../src/limits.ts'
import { startService, type TestService } from '../service.ts'
import { streamedRecords } from './streamed-records.ts'

const certificatesFolder = fileURLToPath(new URL('certificates/', import.meta.url))
let service: TestService
let folder: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'planning-registry-'))
  await installCertificate('first')
  const certificate = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }
  // The records A-1 to A-1500, so many that the response to `record` is streamed.
  service = await startService(streamedRecords, { certificate })
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

/** Puts the certificate where the service reads it. */
async function installCertificate(name: 'first' | 'second'): Promise<void> {
  await copyFile(join(certificatesFolder, `${name}.cert.pem`), join(folder, 'cert.pem'))
  await copyFile(join(certificatesFolder, `${name}.key.pem`), join(folder, 'key.pem'))
}

/** Both certificates: the clients of this file trust them as authorities. */
async function readCertificates(): Promise<Buffer[]> {
  return Promise.all(['first', 'second'].map((name) => readFile(join(certificatesFolder, `${name}.cert.pem`))))
}

interface SecureResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

async function requestHttp1(path: string, options: RequestOptions = {}): Promise<SecureResponse> {
  const outgoing = request(`${service.base}/${path}`, { ca: await readCertificates(), agent: false, ...options }).end()
  const [response] = await once(outgoing, 'response')
  let body = ''
  for await (const chunk of response) body += chunk
  return { status: response.statusCode, headers: response.headers, body }
}

async function requestHttp2(
  session: http2.ClientHttp2Session,
  path: string,
  headers: object = {},
): Promise<SecureResponse> {
  const stream = session.request({ ':path': `/registry/${path}`, ...headers }).end()
  const [headersReceived] = await once(stream, 'response')
  let body = ''
  for await (const chunk of stream.setEncoding('utf8')) body += chunk
  return { status: headersReceived[':status'], headers: headersReceived, body }
}

async function openSession(): Promise<http2.ClientHttp2Session> {
  return http2.connect(service.base, { ca: await readCertificates() })
}

test('HTTP/1.1 over TLS works, with HSTS on every response', async () => {
  for (const path of ['record/A-1', 'record', 'record/B-1', 'docs', 'municipality']) {
    const { status, headers } = await requestHttp1(path)
    assert.equal(status, path === 'record/B-1' ? 404 : 200)
    assert.equal(headers['strict-transport-security'], 'max-age=31536000', path)
  }
})

test('HTTP/2 has the same responses as HTTP/1.1', async () => {
  const session = await openSession()
  for (const path of [
    'record/A-1',
    'record',
    'record?limit=3',
    'record/B-1',
    'record?limit=0',
    'summary',
    'openapi.json',
  ]) {
    // A response may be stored in the cache at its second request, and come from there in the second round.
    for (const _ of ['first round', 'second round']) {
      const overHttp1 = await requestHttp1(path)
      const overHttp2 = await requestHttp2(session, path)
      assert.equal(overHttp2.status, overHttp1.status)
      assert.equal(overHttp2.headers.etag, overHttp1.headers.etag)
      assert.equal(overHttp2.headers.link, overHttp1.headers.link)
      assert.equal(overHttp2.body, overHttp1.body)
      assert.equal(overHttp2.headers['strict-transport-security'], 'max-age=31536000')
    }
  }
  session.close()
})

test('HEAD, OPTIONS, 304 and 405 work with HTTP/2', async () => {
  const session = await openSession()
  const { headers } = await requestHttp2(session, 'record/A-1')
  assert.equal((await requestHttp2(session, 'record/A-1', { 'if-none-match': String(headers.etag) })).status, 304)
  assert.equal((await requestHttp2(session, 'record', { ':method': 'HEAD' })).status, 200)
  assert.equal((await requestHttp2(session, 'record', { ':method': 'OPTIONS' })).status, 204)
  for (const method of ['POST', 'DELETE', 'FOO']) {
    const response = await requestHttp2(session, 'record', { ':method': method })
    assert.equal(response.status, 405, method)
    assert.equal(response.headers.allow, 'GET, HEAD, OPTIONS')
  }
  session.close()
})

test('headers of more than 16 KB are refused with HTTP/2 too', async () => {
  const session = await openSession()
  // The settings of the session have the limit. If the client has confirmed them already, the Node of the service
  // resets the stream. Otherwise the service responds with 431.
  const long = requestHttp2(session, 'record/A-1', { x: 'a'.repeat(17_000) }).then(
    ({ status }) => status,
    (error: Error & { code?: string }) => error.code,
  )
  assert.ok([431, 'ERR_HTTP2_STREAM_ERROR'].includes((await long) ?? ''))
  assert.equal((await requestHttp2(session, 'record/A-1', { x: 'a'.repeat(15_000) })).status, 200)
  session.close()
})

test('a request for HTTP/2.0 on a connection of HTTP/1.1 gets 400, and the connection is closed', async () => {
  const socket = tls.connect({ port: service.port, host: 'localhost', ca: await readCertificates() })
  socket.write('GET /registry/record HTTP/2.0\r\nHost: a\r\n\r\n')
  const [bytes] = await once(socket, 'data')
  assert.match(String(bytes), /^HTTP\/1\.1 400 /)
  await once(socket, 'close')
})

test('CONNECT over HTTP/2 gets 405', async () => {
  const session = await openSession()
  const stream = session.request({ ':method': 'CONNECT', ':authority': 'example.org:443' })
  const [headers] = await once(stream, 'response')
  assert.equal(headers[':status'], 405)
  assert.equal(headers.allow, 'GET, HEAD, OPTIONS')
  let body = ''
  for await (const chunk of stream.setEncoding('utf8')) body += chunk
  assert.match(JSON.parse(body).type, /\/problems\/method-not-allowed$/)
  // The session can still be used.
  assert.equal((await requestHttp2(session, 'record/A-1')).status, 200)
  session.close()
})

test('over HTTP/2 the link to the next page uses :authority, not the Host header', async () => {
  const session = await openSession()
  // The second request stores the response in the cache, and the third gets it from there.
  for (const _ of ['fresh', 'second time', 'from the cache']) {
    const { headers } = await requestHttp2(session, 'record?limit=2', {
      ':authority': 'registry.example',
      host: 'other.example',
    })
    assert.match(String(headers.link), /^<https:\/\/registry\.example\/registry\/record/)
  }
  session.close()
})

test('over HTTP/2 an :authority that no URL can have is replaced by the address of the service', async () => {
  const session = await openSession()
  for (const authority of ['a:99999', '1.2.3.999', '[:::]']) {
    // The responses at these paths contain the address of the service.
    for (const path of ['robots.txt', 'server.json', '']) {
      assert.equal((await requestHttp2(session, path, { ':authority': authority })).status, 200, `${authority} ${path}`)
    }
    const { headers } = await requestHttp2(session, 'record?limit=2', { ':authority': authority })
    assert.match(String(headers.link), /^<https:\/\/127\.0\.0\.1:\d+\/registry\/record/)
  }
  session.close()
})

test('invalid and too long URLs get 400 and 414 over HTTP/2 too', async () => {
  const session = await openSession()
  // The last path has an `Á` that is not percent-encoded.
  for (const path of [
    'record?search=%FF',
    'record?search=a%00b',
    'record/',
    'record?foo=1',
    'record?municipality=\u00c1vila',
  ]) {
    assert.equal((await requestHttp2(session, path)).status, 400, path)
  }
  assert.equal((await requestHttp2(session, `record?search=${'a'.repeat(urlCharactersMax)}`)).status, 414)
  session.close()
})

test('an HTTP/2 client that cancels a stream can use the connection for other requests', async () => {
  const session = await openSession()
  const stream = session.request({ ':path': '/registry/record' }).end()
  await once(stream, 'response')
  stream.close(http2.constants.NGHTTP2_CANCEL)
  await once(stream, 'close')
  assert.equal((await requestHttp2(session, 'record/A-1')).status, 200)
  session.close()
})

for (const coding of ['identity', 'gzip'] as const) {
  for (const moment of ['before it is sent', 'while it is sent'] as const) {
    test(`when an HTTP/2 client cancels a streamed response ${moment}, its search is ended: ${coding}`, async (t) => {
      /** Resolves when the response has ended. */
      const sent = Promise.withResolvers<unknown>()
      /** Resolves with the stream on the side of the server when the request has arrived. */
      const requested = Promise.withResolvers<http2.ServerHttp2Stream>()
      /** Random bytes, which gzip cannot shrink, so that the buffers of the connection fill up. */
      async function* endlessChunks(): AsyncGenerator<Uint8Array, void, undefined> {
        for (;;) yield randomBytes(64 * 1024)
      }
      let isSearchEnded = false
      /** Takes the place of the function that ends the search behind the body. */
      const end = async (): Promise<void> => {
        isSearchEnded = true
      }
      const listener = getRequestListener(
        async (request, { outgoing }) => {
          const response = outgoing as unknown as ServerResponse & { readonly stream: http2.ServerHttp2Stream }
          requested.resolve(response.stream)
          if (moment === 'before it is sent') await once(response.stream, 'close')
          const body = { chunks: endlessChunks(), coding, end }
          const isClientGone = request.signal.aborted
          const options = {
            method: 'GET',
            outgoing: response,
            isClientGone,
            onError: () => assert.fail(),
          }
          return toWebResponse({ status: 200, headers: {}, body }, { ...options, onEnd: () => sent.resolve(undefined) })
        },
        { overrideGlobalObjects: false },
      )
      const server = http2.createServer((incoming, response) => void listener(incoming, response))
      t.after(() => server.close())
      await once(server.listen(0, '127.0.0.1'), 'listening')
      const session = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
      t.after(() => session.destroy())
      const stream = session.request({ ':path': '/' }).end()
      const serverStream = await requested.promise
      if (moment === 'while it is sent') {
        // `writableNeedDrain` means that a block was written and is not sent completely yet.
        while (!serverStream.writableNeedDrain) await nextIteration()
      }
      stream.close(http2.constants.NGHTTP2_CANCEL)
      await sent.promise
      assert.ok(isSearchEnded)
    })
  }
}

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  test(`${version} is supported`, async () => {
    const socket = tls.connect({
      port: service.port,
      ca: await readCertificates(),
      minVersion: version,
      maxVersion: version,
      ALPNProtocols: ['h2'],
    })
    await once(socket, 'secureConnect')
    assert.equal(socket.getProtocol(), version)
    assert.equal(socket.alpnProtocol, 'h2')
    socket.destroy()
  })
}

test('TLS 1.1 is refused', async () => {
  const socket = tls.connect({
    port: service.port,
    ca: await readCertificates(),
    minVersion: 'TLSv1.1',
    maxVersion: 'TLSv1.1',
    // The OpenSSL of the client offers TLS 1.1 only at this security level.
    ciphers: 'DEFAULT@SECLEVEL=0',
  })
  await assert.rejects(once(socket, 'secureConnect'), /alert protocol version/)
})

test('ciphers without authenticated encryption are refused before and after the certificate is reread', async () => {
  for (const _ of ['before', 'after']) {
    const socket = tls.connect({
      port: service.port,
      ca: await readCertificates(),
      maxVersion: 'TLSv1.2',
      ciphers: 'ECDHE-ECDSA-AES128-SHA256',
    })
    await assert.rejects(once(socket, 'secureConnect'), /handshake failure/)
    // The second call has no effect on this test.
    service.reloadCertificate()
  }
})

test('TLS renegotiation is refused', async () => {
  const socket = tls.connect({ port: service.port, ca: await readCertificates(), maxVersion: 'TLSv1.2' })
  await once(socket, 'secureConnect')
  /** Null if the service agrees to renegotiate. */
  const renegotiated = Promise.withResolvers<Error | null>()
  socket.on('error', renegotiated.resolve)
  socket.renegotiate({}, renegotiated.resolve)
  assert.ok((await renegotiated.promise) instanceof Error)
  socket.destroy()
})

test('a malformed request over TLS gets 400 with a problem, whose type is an https address', async () => {
  const socket = tls.connect({ port: service.port, ca: await readCertificates(), ALPNProtocols: ['http/1.1'] })
  await once(socket, 'secureConnect')
  // A header that goes on in the next line, which is obsolete (RFC 9112, section 5.2).
  socket.write('GET /registry/record HTTP/1.1\r\nHost: a\r\nX: 1\r\n folded\r\n\r\n')
  let response = ''
  for await (const chunk of socket.setEncoding('utf8')) response += chunk
  assert.match(response, /^HTTP\/1\.1 400 /)
  assert.match(response, /https:\/\/127\.0\.0\.1:\d+\/registry\/problems\/malformed-request/)
})

test('a reread certificate applies to new connections, and open ones stay open', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: await readCertificates() })
  const session = await openSession()
  /** The name of the certificate that a new connection gets. */
  const readCertificateName = async (): Promise<unknown> => {
    const socket = tls.connect({ port: service.port, ca: await readCertificates() })
    await once(socket, 'secureConnect')
    const { subject } = socket.getPeerCertificate()
    socket.destroy()
    return subject.CN
  }
  assert.equal((await requestHttp1('record/A-1', { agent })).status, 200)
  assert.equal((await requestHttp2(session, 'record/A-1')).status, 200)
  assert.equal(await readCertificateName(), 'first.test')
  await installCertificate('second')
  service.reloadCertificate()
  assert.equal(await readCertificateName(), 'second.test')
  assert.equal((await requestHttp1('record/A-1', { agent })).status, 200, 'the connection stays open')
  assert.equal((await requestHttp2(session, 'record/A-1')).status, 200, 'the session stays open')
  agent.destroy()
  session.close()
})

test('a connection whose TLS handshake ends while the service drains is closed too', async () => {
  const certificate = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }
  await using draining = await startService(streamedRecords.slice(0, 1), { certificate })
  const { hostname, port } = new URL(draining.base)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  // `drain` closes idle connections within seconds, the others after their response, and all at its deadline. Here the
  // deadline is twice the time that a test may take (`--test-timeout` in package.json), so a connection that only the
  // deadline would close fails this test.
  const deadlineMs = 600_000
  const drained = draining.drain(deadlineMs)
  const ca = await readCertificates()
  const session = http2.connect(draining.base, {
    createConnection: () => tls.connect({ socket, ca, ALPNProtocols: ['h2'], servername: 'localhost' }),
  })
  await once(session, 'close')
  await drained
})
