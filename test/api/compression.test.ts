// Content codings (RFC 9110, section 12.5.3): negotiation, and compressed bodies.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib'
import { compressedBytesMin, compressStream, compressWhole, toBlocks } from '../../src/http/compress.ts'
import { toStaticFile } from '../../src/http/files.ts'
import { negotiateCoding } from '../../src/http/negotiate.ts'
import { ApiRequest } from '../../src/http/request.ts'
import { type Content, type Representation, respond } from '../../src/http/respond.ts'
import type { ApiResponse } from '../../src/http/response.ts'
import { compressionsMax } from '../../src/limits.ts'
import { Problem } from '../../src/problems.ts'
import { startService, type TestService } from '../service.ts'
import { sendRequest } from './send-request.ts'

let service: TestService

before(async () => {
  /**
   * With these records the response to `record` has more than 256 KB, so that it is streamed. Their municipality is
   * Ávila, the default of `toRecord` (test/service.ts).
   */
  const manyRecords = Array.from({ length: 1500 }, (_, index) => ({
    code: `L-${index + 1}`,
    title: `Plan Especial ${index}`,
  }))
  service = await startService([{ code: 'A-1', municipality: 'Cuenca' }, ...manyRecords])
})
after(() => service[Symbol.asyncDispose]())

/** Each decodes a body of one content coding. */
const decoders = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync }

for (const [coding, decode] of Object.entries(decoders)) {
  for (const path of [
    'record',
    'record?limit=50',
    'record?search=especial',
    'openapi.json',
    'docs',
    'summary?municipality=avila',
  ]) {
    test(`${coding} decodes to the plain bytes: ${path}`, async () => {
      const plain = await sendRequest(service, path)
      // A repeated response may come from the cache.
      for (const _ of ['first', 'repeated']) {
        const coded = await sendRequest(service, path, { headers: { 'Accept-Encoding': coding } })
        assert.equal(coded.status, 200)
        assert.match(coded.headers.vary ?? '', /^Accept-Encoding\b/)
        const isLong = plain.bytes.byteLength >= compressedBytesMin
        assert.equal(coded.headers['content-encoding'], isLong ? coding : undefined)
        assert.deepEqual(isLong ? decode(coded.bytes) : coded.bytes, plain.bytes)
      }
    })
  }
}

/** About two megabytes in chunks of pseudo-random sizes up to 4,800 bytes; every third is incompressible. */
function* generateChunks(): Generator<Buffer, void, undefined> {
  for (let nth = 0, size = 1; nth < 900; nth++, size = (size * 7 + 3) % 4801) {
    yield nth % 3 === 0 ? randomBytes(size) : Buffer.from(`Plan ${nth} `.repeat(size).slice(0, size))
  }
}

/** Compresses the chunks in the way of a streamed response. */
async function encode(coding: keyof typeof decoders, chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(compressStream(toBlocks(chunks), coding)))
}

for (const coding of ['gzip', 'br', 'zstd'] as const) {
  test(`a body of many blocks in ${coding} decodes to the original bytes, and an empty body to no bytes`, async () => {
    const chunks = [...generateChunks()]
    const plain = Buffer.concat(chunks)
    /** The size of the blocks of `toBlocks`. */
    const blockBytes = 512 * 1024
    assert.ok(plain.length > 3 * blockBytes)
    assert.ok(decoders[coding](await encode(coding, Readable.from(chunks))).equals(plain))
    assert.equal(decoders[coding](await encode(coding, Readable.from([]))).length, 0)
  })

  test(`an error of the source is an error of the ${coding} stream`, async () => {
    const failing = async function* (): AsyncGenerator<Buffer, void, undefined> {
      yield* generateChunks()
      throw new Error('the disk is gone')
    }
    await assert.rejects(encode(coding, failing()), /the disk is gone/)
  })
}

test('a body of less than a kilobyte is not compressed', async () => {
  const { headers } = await sendRequest(service, 'record/A-1', { headers: { 'Accept-Encoding': 'gzip, br, zstd' } })
  assert.equal(headers['content-encoding'], undefined)
})

test('a client that refuses identity gets small bodies compressed too', async () => {
  const response = await sendRequest(service, 'record/A-1', { headers: { 'Accept-Encoding': 'gzip, identity;q=0' } })
  assert.equal(response.headers['content-encoding'], 'gzip')
  assert.deepEqual(gunzipSync(response.bytes), (await sendRequest(service, 'record/A-1')).bytes)
})

test('the same response compressed many times at once has the same bytes, as its strong ETag requires', async () => {
  for (const coding of Object.keys(decoders)) {
    const request = () => sendRequest(service, 'record', { headers: { 'Accept-Encoding': coding } })
    const responses = await Promise.all(Array.from({ length: 24 }, request))
    assert.equal(new Set(responses.map(({ bytes }) => bytes.toString('base64'))).size, 1, coding)
  }
})

/** The response with this representation and body to a client that accepts only this coding. */
async function respondIn(coding: string, representation: Representation, content: Content): Promise<ApiResponse> {
  const request = new Request('http://a/registry/record', { headers: { 'Accept-Encoding': `${coding}, identity;q=0` } })
  const apiRequest = new ApiRequest(request, {}, { basePath: '/registry', publicUrl: undefined, isSecure: false })
  const response = await respond(apiRequest, representation, async () => content)
  assert.ok(!(response instanceof Problem))
  return response
}

test('above the limit of compressions in progress, bodies are sent uncompressed', async () => {
  const body = Buffer.alloc(1024 * 1024, 'Plan Parcial ')
  const compressions = Array.from({ length: compressionsMax + 5 }, () => compressWhole(body, 'zstd'))
  const [representation, content] = [
    { tag: 'x', headers: {} },
    { body, dataVersion: {} },
  ]
  // The response is plain, although the client accepts only zstd.
  const response = await respondIn('zstd', representation, content)
  assert.equal(response.body, body)
  assert.deepEqual(response.headers, { ETag: '"x"', 'Content-Length': String(body.length) })
  assert.equal(response.dataVersion, undefined, 'not to be cached')
  const compressed = (await Promise.all(compressions)).filter((bytes) => bytes !== undefined)
  assert.equal(compressed.length, compressionsMax)
  for (const bytes of compressed) assert.ok(zstdDecompressSync(bytes).equals(body))
  const later = await respondIn('zstd', representation, content)
  assert.equal(later.headers.ETag, '"x-zstd"', 'compressed again once the others have ended')
})

test('a static file is served with the bytes that the build has compressed', async () => {
  const body = Buffer.alloc(100_000, 'let x = 1; ')
  const compressed = gzipSync(body)
  const file = toStaticFile('page.js', body, 'no-cache', new Map([['gzip', compressed]]))
  assert.equal((await respondIn('gzip', file, file)).body, compressed)
  assert.equal((await respondIn('zstd, gzip', file, file)).body, compressed, 'not compressed again')
  assert.equal((await respondIn('zstd', file, file)).body, body)
})

/**
 * The coding for each value of Accept-Encoding; `identity` also if the client accepts no coding. `refusesIdentity`
 * means that the client accepts the coding, and refuses uncompressed bodies.
 */
const choices: readonly [header: string | undefined, coding: string, refusesIdentity?: boolean][] = [
  [undefined, 'identity'],
  ['', 'identity'],
  ['identity', 'identity'],
  ['deflate', 'identity'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['gzip ; q=0.2 , br ; q=0.8', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['gzip;q=0', 'identity'],
  ['gzip;q=0.5, identity', 'identity'],
  ['gzip, identity;q=0.5', 'gzip'],
  ['gzip;q=0.5, identity;q=0.5', 'gzip'],
  ['*', 'zstd'],
  ['*;q=0', 'identity'],
  ['zstd;q=0, *', 'br'],
  ['gzip, *;q=0', 'gzip', true],
  ['br, identity;q=0', 'br', true],
  // No coding is acceptable to this client, so the body is sent as it is.
  ['identity;q=0', 'identity'],
  [',,;q=1,', 'identity'],
]

for (const [header, coding, refusesIdentity = false] of choices) {
  test(`Accept-Encoding ${header === undefined ? 'absent' : `"${header}"`} chooses ${coding}`, () => {
    const chosen = negotiateCoding(header)
    assert.equal(chosen.name, coding)
    assert.equal(chosen.refusesIdentity, refusesIdentity)
  })
}
