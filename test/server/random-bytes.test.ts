// Fuzz test: random bytes as path, query, header or whole request over a TCP socket never cause a server error (5xx), a
// hang or a crash.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { seed } from '../seed.ts'
import { startService, type TestService } from '../service.ts'

const requestsPerForm = 400
/** A service that sends no response for this long counts as hung. */
const responseTimeoutMs = 5_000

let service: TestService

before(async () => {
  service = await startService([{ code: 'A-1', title: 'Plan Parcial', content: 'sector urbanizable' }])
})
after(() => service[Symbol.asyncDispose]())

/** Arbitrary bytes, mixed with tokens of HTTP, URLs and queries, as a string with a Latin-1 character for each byte. */
const randomBytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array).toString('latin1')),
      fc.string({ unit: 'binary', maxLength: 20 }).map((text) => Buffer.from(text, 'utf8').toString('latin1')),
      fc.string({ maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
      fc.constantFrom(
        ...['%', '%00', '%FF', '%C0%AF', '%ED%A0%80', '%0d%0a', '%252e', '..%2f', '//', '/./', '/../'],
        ...['?', '&', '=', '#', ';'],
        ...['record', 'record/', 'summary', 'municipality', 'search=', 'limit=', 'cursor=', 'checkin_date='],
        ...['A-1', '2004'],
        ...['"', '*', '+', '-', 'plan', ':', '\\', '[]', '{}', '__proto__', 'constructor'],
        ...['\t', ' ', '\r', '\n', '\r\n'],
        ...['HTTP/1.1', 'HTTP/9.9', 'Host: ', 'Content-Length: 5', 'Transfer-Encoding: chunked'],
        'Expect: 100-continue',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

/** Each builds a request with the random text in one place. */
const forms: readonly [what: string, toRequest: (text: string) => string][] = [
  ['path', (text) => `GET /${text} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`],
  ['inscription code', (text) => `GET /registry/record/${text} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`],
  ['query', (text) => `GET /registry/record?${text} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`],
  ['query of the summary', (text) => `GET /registry/summary?${text} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`],
  ['header', (text) => `GET /registry/record HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${text}\r\n\r\n`],
  ['Host', (text) => `GET /registry/record?limit=1 HTTP/1.1\r\nHost: ${text}\r\nConnection: close\r\n\r\n`],
  [
    'If-None-Match',
    (text) => `GET /registry/record HTTP/1.1\r\nHost: a\r\nConnection: close\r\nIf-None-Match: ${text}\r\n\r\n`,
  ],
  [
    'Accept-Encoding',
    (text) => `GET /registry/record HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAccept-Encoding: ${text}\r\n\r\n`,
  ],
  ['method', (text) => `${text} /registry/record HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`],
  ['whole request', (text) => text],
]

for (const [what, toRequest] of forms) {
  test(`random bytes as the ${what} never cause a server error`, async () => {
    await fc.assert(
      fc.asyncProperty(randomBytes, async (text) => {
        const response = await exchange(toRequest(text), { halfCloses: what === 'whole request' })
        // Random bytes may be several requests.
        for (const [, status] of response.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
          assert.ok(Number(status) < 500, `${status} to ${JSON.stringify(text)}`)
        }
        // A whole request of random bytes may be empty, and then has no response.
        if (what !== 'whole request') assert.match(response, firstResponse, JSON.stringify(text))
      }),
      { seed, numRuns: requestsPerForm },
    )
    const response = await fetch(`${service.base}/record/A-1`)
    assert.equal(response.status, 200)
    assert.ok((await response.text()).includes('Plan Parcial'))
  })
}

/** The start of what the service sends. `Expect: 100-continue` gets a status of its own before the response. */
const firstResponse = /^(?:HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 [2345]\d\d /

/**
 * Sends the bytes and reads until the service closes the connection. With `halfCloses` the client first closes its
 * side, which the service takes for a client that is gone.
 */
function exchange(request: string, { halfCloses }: { readonly halfCloses: boolean }): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true })
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`no response within ${responseTimeoutMs} ms to ${JSON.stringify(request)}`))
    }, responseTimeoutMs)
    let received = ''
    const close = (): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(received)
    }
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk
    })
    socket.once('end', close)
    // The service may reset the connection after its response instead of reading the rest.
    socket.once('error', close)
    if (halfCloses) socket.end(request, 'latin1')
    else socket.write(request, 'latin1')
  })
}
