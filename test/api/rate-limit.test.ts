// The rate limit, and the address that identifies a client.
import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { referenceScript } from '../../src/api/html.ts'
import { UsageFault } from '../../src/cli/config.ts'
import { parseTrustedProxies, toClientName } from '../../src/http/client-address.ts'
import { RateLimiter } from '../../src/http/rate-limit.ts'
import { startService } from '../service.ts'
import { problemCode, sendRequest } from './send-request.ts'

/** A request on a connection from `remote`, with X-Forwarded-For if it is given. */
function requestFrom(remote: string, forwardedFor?: string): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: remote })
  const request = new IncomingMessage(socket)
  if (forwardedFor !== undefined) request.headers['x-forwarded-for'] = forwardedFor
  return request
}

test('without a limit there are no RateLimit headers', async () => {
  await using service = await startService([{ code: 'A-1' }])
  const response = await sendRequest(service, 'record')
  assert.equal(response.headers.ratelimit, undefined)
  assert.equal(response.headers['ratelimit-policy'], undefined)
})

test('responses have RateLimit headers, and above the limit the response is 429 with Retry-After', async () => {
  await using service = await startService([{ code: 'A-1' }], { rateLimit: 2 })
  const first = await sendRequest(service, 'record')
  assert.equal(first.status, 200)
  // The quota is 2 requests in a window of 60 seconds, and 1 of them remains until the window ends in 60 seconds.
  assert.equal(first.headers['ratelimit-policy'], '"client";q=2;w=60')
  assert.match(first.headers.ratelimit ?? '', /^"client";r=1;t=60$/)
  assert.match((await sendRequest(service, 'record')).headers.ratelimit ?? '', /^"client";r=0;t=\d+$/)
  const third = await sendRequest(service, 'record')
  assert.equal(third.status, 429)
  assert.equal(problemCode(third), 'too-many-requests')
  assert.match(third.headers['retry-after'] ?? '', /^(?:[1-9]|[1-5]\d|60)$/)
  assert.match(third.headers.ratelimit ?? '', /^"client";r=0;t=\d+$/)
})

// A static response takes little work: no search, and no page that is rendered from the registry (`/docs` is).
test('the rate limit counts every request except OPTIONS and requests for static responses', async () => {
  await using service = await startService([{ code: 'A-1' }], { rateLimit: 1 })
  const first = await sendRequest(service, 'record')
  assert.match(first.headers.ratelimit ?? '', /^"client";r=0;/)
  for (const path of ['openapi.json', 'problems', 'problems/no-match', referenceScript.name, 'assets/none.js']) {
    const response = await sendRequest(service, path)
    assert.notEqual(response.status, 429, path)
    assert.equal(response.headers.ratelimit, undefined, path)
  }
  assert.equal((await sendRequest(service, 'record', { method: 'OPTIONS' })).status, 204)
  // A 404 for an unknown address (`nothing`, `problems/none`) is counted, except below `assets/`.
  // %72ecord is the percent-encoded `record`.
  const counted = [
    'record',
    'summary',
    'municipality',
    'catalog',
    'record/A-1',
    '%72ecord',
    'nothing',
    'docs',
    'problems/none',
  ]
  for (const path of counted) {
    assert.equal((await sendRequest(service, path)).status, 429, path)
  }
  const target = `${service.base}/record`
  assert.equal((await sendRequest(service, target, { isWholeTarget: true })).status, 429, 'an absolute target')
})

test('X-Forwarded-For is ignored if no proxy is trusted', async () => {
  await using service = await startService([{ code: 'A-1' }], { rateLimit: 1 })
  const statuses: number[] = []
  for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
    statuses.push((await sendRequest(service, 'record', { headers: { 'X-Forwarded-For': client } })).status)
  }
  assert.deepEqual(statuses, [200, 429, 429])
})

test('behind a trusted proxy each client has its own quota', async () => {
  const trustedProxies = parseTrustedProxies(['127.0.0.0/8'])
  await using service = await startService([{ code: 'A-1' }], { rateLimit: 1, trustedProxies })
  const statuses: number[] = []
  // Only the last entry counts: the proxy has added it. The client itself may have sent the entries before.
  for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.1', 'forged, 192.0.2.1']) {
    statuses.push((await sendRequest(service, 'record', { headers: { 'X-Forwarded-For': client } })).status)
  }
  assert.deepEqual(statuses, [200, 200, 429, 429])
})

test('a quota is reset a minute after the first request', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 1000
  t.mock.method(performance, 'now', () => now)
  const pass = (ms: number): void => {
    now += ms
    t.mock.timers.tick(ms)
  }
  const requestsMax = 2
  const limiter = new RateLimiter(requestsMax)
  assert.deepEqual(limiter.count('a'), { isExceeded: false, remaining: 1, resetSeconds: 60 })
  pass(1000)
  assert.deepEqual(limiter.count('a'), { isExceeded: false, remaining: 0, resetSeconds: 59 })
  pass(58_500)
  assert.deepEqual(limiter.count('a'), { isExceeded: true, remaining: 0, resetSeconds: 1 })
  pass(1000)
  assert.deepEqual(limiter.count('a'), { isExceeded: false, remaining: 1, resetSeconds: 60 })
  pass(200_000)
  assert.equal(limiter.clients, 0)
})

test('the number of counted clients is bounded', () => {
  const clientsMax = 100
  const requestsMax = 1
  const limiter = new RateLimiter(requestsMax, clientsMax)
  for (let client = 0; client < 10_000; client++) limiter.count(`client ${client}`)
  assert.equal(limiter.clients, clientsMax)
  assert.equal(limiter.count('client 9999').isExceeded, true, 'the latest clients are counted')
})

test('a client is an IPv4 address, or the first 64 bits of an IPv6 address', () => {
  const noProxies = undefined
  assert.equal(toClientName(requestFrom('192.0.2.7'), noProxies), '192.0.2.7')
  assert.equal(toClientName(requestFrom('::ffff:192.0.2.7'), noProxies), '192.0.2.7')
  assert.equal(toClientName(requestFrom('2001:db8:1:2:3:4:5:6'), noProxies), '2001:db8:1:2::/64')
  assert.equal(toClientName(requestFrom('2001:db8:1:2:ffff::1'), noProxies), '2001:db8:1:2::/64')
  assert.equal(toClientName(requestFrom('::1'), noProxies), '0:0:0:0::/64')
})

test('behind trusted proxies, the client is the right-most address that is not a trusted proxy', () => {
  // One value may list several proxies.
  const trusted = parseTrustedProxies(['10.0.0.0/8, 2001:db8::/32', '192.0.2.1', 'fe80::1%eth0.100'])
  const nameOf = (remote: string, forwardedFor?: string): string =>
    toClientName(requestFrom(remote, forwardedFor), trusted)
  assert.equal(nameOf('10.0.0.1', '198.51.100.1'), '198.51.100.1')
  assert.equal(nameOf('10.0.0.1', '203.0.113.9, 198.51.100.1, 10.1.1.1'), '198.51.100.1')
  assert.equal(nameOf('::ffff:10.0.0.1', '198.51.100.1, 192.0.2.1'), '198.51.100.1')
  assert.equal(nameOf('2001:db8::1', '198.51.100.1:4711'), '198.51.100.1')
  assert.equal(nameOf('10.0.0.1', '[2a00:1::7]:4711'), '2a00:1:0:0::/64')
  assert.equal(nameOf('fe80::1%eth0.100', '198.51.100.1'), '198.51.100.1')
  // If all addresses belong to proxies, the left-most address counts as the client.
  assert.equal(nameOf('10.0.0.1', '10.0.0.2'), '10.0.0.2')
  // If the right-most entry is not an address, or there is no entry, the proxy that sent the request counts as the
  // client.
  assert.equal(nameOf('10.0.0.1', 'unknown'), '10.0.0.1')
  assert.equal(nameOf('10.0.0.1', '198.51.100.1, <script>'), '10.0.0.1')
  assert.equal(nameOf('10.0.0.1', '198.51.100.1, 10.1'), '10.0.0.1')
  assert.equal(nameOf('10.0.0.1'), '10.0.0.1')
  // X-Forwarded-For is ignored if the connection is not from a trusted proxy.
  assert.equal(nameOf('198.51.100.2', '203.0.113.9'), '198.51.100.2')
})

test('a malformed trusted proxy is a usage error', () => {
  // The short and octal forms of IPv4 have several readings: 192.168/16 may be 192.168.0.0 or 192.0.0.168.
  for (const text of ['proxy.example', '10.0.0.0/99', '192.168/16', '10/8', '010.0.0.0/8', '10.1', '/8']) {
    assert.throws(() => parseTrustedProxies([text]), UsageFault, text)
  }
})
