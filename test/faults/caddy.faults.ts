// Caddy with deploy/Caddyfile: it passes on paths, conditional requests, compressed responses and exports (streamed
// responses with all records) unchanged. If a worker is killed, Caddy repeats the requests that it has not answered.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { get } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { distinctRecords } from '../server/checked-load.ts'
import { startServe } from '../server/serve.ts'
import { startCaddy } from './caddy.ts'
import { killWorkersBehindProxy } from './kill.ts'
import { requireTool } from './tools.ts'

test('Caddy accepts deploy/Caddyfile as it is', async () => {
  await requireTool('caddy')
  const file = fileURLToPath(new URL('../../deploy/Caddyfile', import.meta.url))
  const { stdout } = await promisify(execFile)('caddy', ['validate', '--config', file, '--adapter', 'caddyfile'])
  assert.match(stdout, /Valid configuration/)
})

test('Caddy with TLS adds HSTS, and passes on paths, conditional requests, compression and exports', async () => {
  await requireTool('caddy')
  await using serve = await startServe(distinctRecords)
  await using caddy = await startCaddy(serve, 'https')
  interface Reply {
    readonly status: number | undefined
    readonly headers: IncomingHttpHeaders
    readonly body: Buffer
  }
  /** The response of Caddy to a request on a new connection. */
  const getProxied = (path: string, headers = {}): Promise<Reply> =>
    new Promise((resolve, reject) => {
      get(`${caddy.base}/${path}`, { ca: caddy.authority, headers, agent: false }, async (response) => {
        resolve({ status: response.statusCode, headers: response.headers, body: await buffer(response) })
      }).on('error', reject)
    })
  const plain = await getProxied('record?limit=3')
  assert.equal(plain.status, 200)
  // HSTS (RFC 6797). The service does not send this header without TLS of its own. deploy/Caddyfile adds it.
  assert.equal(plain.headers['strict-transport-security'], 'max-age=31536000')
  // `fetch` accepts compressed responses unless it is told not to, and `get` does not. The ETag depends on the coding.
  const direct = await fetch(`${serve.base}/record?limit=3`, { headers: { 'accept-encoding': 'identity' } })
  assert.equal(plain.body.toString(), await direct.text())
  assert.equal(plain.headers.etag, direct.headers.get('etag'))
  assert.equal((await getProxied('record?limit=3', { 'if-none-match': plain.headers.etag })).status, 304)
  assert.equal((await getProxied('record', { 'accept-encoding': 'gzip' })).headers['content-encoding'], 'gzip')
  // Caddy does not decode `%2F`, a slash. If it did, the first path would lead to the record A-1 too.
  assert.deepEqual([(await getProxied('record%2FA-1')).status, (await getProxied('record/A-1')).status], [404, 200])
  const proxiedExport = (await getProxied('record')).body
  const directExport = await (await fetch(`${serve.base}/record`)).bytes()
  assert.equal(sha256(proxiedExport), sha256(directExport))
})

test('workers killed behind Caddy under 8 keep-alive connections: no request fails', async (context) => {
  await requireTool('caddy')
  await using serve = await startServe(distinctRecords, { flags: ['--workers', '2'] })
  await using caddy = await startCaddy(serve, 'http')
  await killWorkersBehindProxy(serve, caddy, { connections: 8, context })
})

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
