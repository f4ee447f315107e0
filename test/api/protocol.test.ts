// HTTP over a TCP socket. Malformed requests get a JSON response, responses are sent in the order of the requests, and
// the service keeps working.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { toLocalHost } from '../../src/http/request.ts'
import { startService, type TestService } from '../service.ts'
import { sendRequest } from './send-request.ts'

let service: TestService

before(async () => {
  service = await startService([{ code: 'A-1' }, { code: 'A-2' }])
})
after(() => service[Symbol.asyncDispose]())

/** Sends the bytes and reads until the response is complete or the service closes the connection. */
function exchange(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(service.port, '127.0.0.1')
    let response = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      response += chunk
      const [, length] = /\r\ncontent-length: (\d+)\r\n/i.exec(response) ?? []
      const body = bodyOf(response)
      if (length !== undefined && body.length >= Number(length)) socket.end()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(response))
    socket.write(bytes, 'latin1')
  })
}

/** The text after the empty line that ends the headers. */
function bodyOf(response: string): string {
  return response.slice(response.indexOf('\r\n\r\n') + '\r\n\r\n'.length)
}

/** The status of the first response in the text. */
function firstStatusOf(response: string): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(response)?.[1])
}

/** A request for the records with these headers. */
const withHeaders = (headers: string): string => `GET /registry/record HTTP/1.1\r\n${headers}\r\n\r\n`
/** A request with this line, and with a valid host. */
const withLine = (line: string): string => `${line}\r\nHost: a\r\n\r\n`
const long = (length: number): string => 'a'.repeat(length)

/** Malformed requests, by what is wrong. They get 400 `malformed-request`. */
const malformedRequests: Readonly<Record<string, string>> = {
  'HTTP/2.0 without HTTP/2': withLine('GET /registry/record HTTP/2.0'),
  'HTTP/0.9': withLine('GET /registry/record HTTP/0.9'),
  'a request line without a version': 'GET /registry/record\r\n\r\n',
  'a folded header': withHeaders('Host: a\r\nX: 1\r\n folded'),
  'Content-Length and Transfer-Encoding': `${withHeaders('Host: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked')}abc`,
  'two Content-Lengths': `${withHeaders('Host: a\r\nContent-Length: 3\r\nContent-Length: 4')}abc`,
  'an unknown transfer coding': withHeaders('Host: a\r\nTransfer-Encoding: gzip'),
  'a repeated transfer coding': `${withHeaders('Host: a\r\nTransfer-Encoding: chunked, chunked')}0\r\n\r\n`,
  'two Hosts': withHeaders('Host: a\r\nHost: b'),
  'two equal Hosts': withHeaders('Host: a\r\nhost: a'),
  'no Host': withHeaders('X: 1'),
  'an invalid Host': withHeaders('Host: a b<c>'),
  // The responses at the next four addresses would contain the host.
  'a Host that no URL can have': 'GET /registry/robots.txt HTTP/1.1\r\nHost: a:99999\r\n\r\n',
  'an invalid IPv4 Host': 'GET /registry/none HTTP/1.1\r\nHost: 1.2.3.999\r\n\r\n',
  'an invalid IPv6 Host': 'GET /registry/ HTTP/1.1\r\nHost: [:::]\r\n\r\n',
  'an absolute target that is not a valid URL': withLine('GET http://a:99999/registry/server.json HTTP/1.1'),
  'a space before the colon': withHeaders('Host : a'),
  'a NUL in a header': withHeaders('Host: a\r\nX: a\0b'),
  'bare line feeds': 'GET /registry/record HTTP/1.1\nHost: a\n\n',
  'a TLS ClientHello': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'raw UTF-8 in the address': withLine('GET /registry/record?municipality=\xc3\x81vila HTTP/1.1'),
  'a space in the address': withLine('GET /registry/record?search=a b HTTP/1.1'),
}

/** Each row has the status of the response, and the code of its problem. */
const badRequests: readonly (readonly [what: string, bytes: string, status: number, code: string])[] = [
  ...Object.entries(malformedRequests).map(([what, bytes]) => [what, bytes, 400, 'malformed-request'] as const),
  // A URL may have 8,192 characters, and the request line with all headers 16,384 bytes.
  ['a URL of 9 KB', withLine(`GET /registry/record?search=${long(9000)} HTTP/1.1`), 414, 'address-too-long'],
  ['a path of 9 KB', withLine(`GET /${long(9000)} HTTP/1.1`), 414, 'address-too-long'],
  ['a URL of 20 KB', withLine(`GET /registry/record?search=${long(20000)} HTTP/1.1`), 431, 'headers-too-large'],
  ['20 KB of headers', withHeaders(`Host: a\r\nX: ${long(20000)}`), 431, 'headers-too-large'],
  ['more than 128 headers', withHeaders(`Host: a${'\r\nx:1'.repeat(128)}`), 431, 'headers-too-large'],
  ['an unknown method', withLine('FOO /registry/record HTTP/1.1'), 405, 'method-not-allowed'],
  ['CONNECT', withLine('CONNECT example.org:443 HTTP/1.1'), 405, 'method-not-allowed'],
  ['TRACE', withLine('TRACE /registry/record HTTP/1.1'), 405, 'method-not-allowed'],
]

for (const [what, bytes, status, code] of badRequests) {
  test(`${what} gets a ${status} problem, and the service keeps working`, async () => {
    const response = await exchange(bytes)
    assert.equal(firstStatusOf(response), status, response)
    assert.match(response, /\r\ncontent-type: application\/problem\+json\r\n/i)
    assert.match(response, /\r\ncache-control: no-store\r\n/i)
    assert.match(response, /\r\nx-request-id: [\w-]+\r\n/i)
    const body = JSON.parse(bodyOf(response))
    assert.equal(body.status, status)
    assert.match(body.type, new RegExp(`^http://.+/registry/problems/${code}$`))
    assert.equal((await sendRequest(service, 'record/A-1')).status, 200)
  })
}

test('the local address of a socket becomes a host with its port, without the zone of an IPv6 address', () => {
  assert.equal(toLocalHost({ localAddress: 'fe80::1%eth0', localPort: 8080 }), '[fe80::1]:8080')
  assert.equal(toLocalHost({ localAddress: '192.0.2.1', localPort: 80 }), '192.0.2.1:80')
})

test('a request of HTTP/1.0 needs no Host', async () => {
  assert.equal(firstStatusOf(await exchange('GET /registry/record HTTP/1.0\r\n\r\n')), 200)
})

test('a Host with an empty port is valid (RFC 3986, section 3.2.3), and links are without its colon', async () => {
  const response = await exchange('GET /registry/record?limit=1 HTTP/1.1\r\nHost: localhost:\r\n\r\n')
  assert.equal(firstStatusOf(response), 200)
  assert.match(response, /<http:\/\/localhost\/registry\/record\?/)
})

test('an unknown expectation is ignored', async () => {
  assert.equal(firstStatusOf(await exchange(withHeaders('Host: a\r\nExpect: a-miracle'))), 200)
})

for (const headers of ['Connection: Upgrade', 'Connection: keep-alive, upgrade, HTTP2-Settings']) {
  test(`an upgrade is ignored, and closes the connection: Node loses what follows in its packet (${headers})`, async () => {
    const upgrade = toGet('record/A-1', `${headers}\r\nUpgrade: h2c\r\n`)
    const response = await exchangeUntilClosed(upgrade + toGet('record/B-1'))
    assert.deepEqual(allStatusesOf(response), ['200'])
    assert.match(response, /\r\nconnection: close\r\n/i)
  })
}

test('a packet after that of an upgrade is not read as a request: it may be the rest of one', async () => {
  const socket = connect(service.port, '127.0.0.1')
  const upgrade = toGet('record', 'Connection: Upgrade\r\nUpgrade: websocket\r\n')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.write(`${upgrade}GET /registry/record/B-1 HTTP/1.1\r\nX: `)
  // The response has begun, so the first packet was parsed.
  await once(socket, 'data')
  socket.write(toGet('record/A-1'))
  await once(socket, 'close')
  assert.deepEqual(allStatusesOf(text), ['200'])
})

for (const first of ['record/A-1', 'summary', 'record']) {
  test(`responses to pipelined requests are sent in the order of the requests, ${first} first`, async () => {
    const response = await exchangeUntilClosed(
      toGet(first) + toGet('record/B-1') + toGet('record/A-1', 'Connection: close\r\n'),
    )
    assert.deepEqual(allStatusesOf(response), ['200', '404', '200'])
  })

  test(`a malformed request after a valid one closes the connection after the response: ${first}`, async () => {
    const response = await exchangeUntilClosed(toGet(first) + withHeaders('Host : a'))
    assert.deepEqual(allStatusesOf(response), ['200'])
  })
}

test('the host of an absolute target takes precedence over the Host header', async () => {
  // The response is cached when it is requested for the second time, so the third one is from the cache.
  for (const _ of [1, 2, 3]) {
    const response = await exchange(
      'GET http://registry.example:81/registry/record?limit=1 HTTP/1.1\r\nHost: other.example\r\n\r\n',
    )
    assert.match(response, /\r\nlink: <http:\/\/registry\.example:81\/registry\/record\?limit=1&cursor=/i)
  }
})

test('an absolute target with a user name gets 400', async () => {
  const withUserName = await exchange('GET http://user@a/registry/record HTTP/1.1\r\nHost: a\r\n\r\n')
  assert.equal(firstStatusOf(withUserName), 400)
})

test('a request with a malformed body gets one response, and the connection is closed', async () => {
  const request = 'POST /registry/record HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
  assert.deepEqual(allStatusesOf(await exchangeUntilClosed(`${request}no size\r\n`)), ['405'])
})

test('a malformed request on an idle keep-alive connection gets a response', async () => {
  const socket = connect(service.port, '127.0.0.1')
  socket.write(toGet('record/A-1'))
  assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 200 /)
  socket.write(withHeaders('Host : a'))
  assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 400 /)
  await once(socket, 'close')
})

test('requests on one connection are handled one after the other, each with its own headers', async () => {
  const socket = connect(service.port, '127.0.0.1')
  for (const [headers, expected] of [
    ['', /^HTTP\/1\.1 200 .*"resultadoBusqueda"/s],
    ['Accept-Encoding: gzip, identity;q=0\r\n', /content-encoding: gzip/i],
    ['If-None-Match: *\r\n', /^HTTP\/1\.1 304 /],
    ['Connection: close\r\n', /^HTTP\/1\.1 200 .*connection: close/is],
  ] as const) {
    socket.write(toGet('record/A-1', headers))
    assert.match(String((await once(socket, 'data'))[0]), expected)
  }
  await once(socket, 'close')
})

test('the connection of a malformed request is closed, although the client keeps its side open', async () => {
  const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true })
  socket.resume()
  socket.write(withHeaders('Host : a'))
  await once(socket, 'end')
  // Once the service has closed the connection, writing to it fails.
  const writing = setInterval(() => socket.write('a'), 50)
  const [error] = await once(socket, 'error')
  clearInterval(writing)
  assert.match(error.code, /^(?:ECONNRESET|EPIPE)$/)
})

test('the connection of a request to MCP is closed if the client ends its side before the end of the body', async () => {
  await using withMcp = await startService([{ code: 'A-1' }], { isMcpOn: true })
  const socket = connect({ port: withMcp.port, host: '127.0.0.1', allowHalfOpen: true })
  socket.resume()
  socket.end('POST /registry/mcp HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{')
  await once(socket, 'close')
  assert.equal((await sendRequest(withMcp, 'record/A-1')).status, 200)
})

/** A GET request. `path` is relative to the base path. Each line of `headers` ends in `\r\n`. */
function toGet(path: string, headers = ''): string {
  return `GET /registry/${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
}

/** Sends the bytes and reads until the service closes the connection. */
async function exchangeUntilClosed(bytes: string): Promise<string> {
  const socket = connect(service.port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.write(bytes)
  await once(socket, 'close')
  return text
}

/** The statuses of all responses in the text, such as `200`. */
function allStatusesOf(responses: string): (string | undefined)[] {
  return [...responses.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)
}
