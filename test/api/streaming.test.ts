// Streamed responses, whose chunks a search produces while they are sent: backpressure of slow clients, errors of the
// search, clients that disconnect.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { getRequestListener } from '@hono/node-server'
import type { CodingName } from '../../src/http/negotiate.ts'
import { toWebResponse } from '../../src/http/web-response.ts'
import { defaultIdOf, startService } from '../service.ts'
import { ids, sendRequest } from './send-request.ts'
import { streamedRecords } from './streamed-records.ts'

interface ChunkServer extends AsyncDisposable {
  readonly port: number
  /** The error of the search; undefined if there was none. */
  readonly outcome: Promise<unknown>
  /** Resolves when the search that produces the chunks has ended. */
  readonly searchEnded: Promise<void>
}

/** A server that responds to every request with the chunks. */
async function serveChunks(
  chunks: () => AsyncGenerator<Uint8Array, void, undefined>,
  coding: CodingName,
): Promise<ChunkServer> {
  const outcome = Promise.withResolvers<unknown>()
  const searchEnded = Promise.withResolvers<void>()
  const listener = getRequestListener(
    (_request, { outgoing }) => {
      const search = chunks()
      const end = async (): Promise<void> => {
        await search.return()
        searchEnded.resolve()
      }
      const body = { chunks: search, coding, end }
      const options = {
        method: 'GET',
        extraHeaders: {},
        outgoing: outgoing as ServerResponse,
        onEnd: () => outcome.resolve(undefined),
        onError: outcome.resolve,
      }
      return toWebResponse({ status: 200, headers: {}, body }, options)
    },
    { overrideGlobalObjects: false },
  )
  const server = createServer((incoming, response) => void listener(incoming, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    outcome: outcome.promise,
    searchEnded: searchEnded.promise,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Requests a response and returns it before its body is read. */
async function openResponse(port: number): Promise<IncomingMessage> {
  const outgoing = request({ port, host: '127.0.0.1', agent: false }).end()
  outgoing.on('error', () => undefined)
  const [response] = await once(outgoing, 'response')
  return response
}

const decoders = {
  identity: (bytes: Buffer) => bytes,
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}
const codings = ['identity', 'gzip', 'br', 'zstd'] as const

for (const coding of codings) {
  test(`an error after the first byte destroys the connection: ${coding}`, async () => {
    async function* failing(): AsyncGenerator<Uint8Array, void, undefined> {
      // Three megabytes that cannot be compressed, so that the first bytes are sent before the error.
      for (let n = 0; n < 50; n++) yield crypto.getRandomValues(new Uint8Array(60_000))
      throw new Error('the disk is gone')
    }
    await using server = await serveChunks(failing, coding)
    const response = await openResponse(server.port)
    await assert.rejects(async () => {
      for await (const _ of response);
    }, /aborted/)
    assert.match(String(await server.outcome), /the disk is gone/)
    await server.searchEnded
  })

  test(`chunks that share memory arrive unchanged, even at a slow client: ${coding}`, async () => {
    const chunkCount = 100
    /** The size of a chunk in bytes, which differs from chunk to chunk. */
    const sizeOf = (index: number): number => 100_000 + index * 1000
    async function* sharing(): AsyncGenerator<Uint8Array, void, undefined> {
      const memory = new Uint8Array(sizeOf(chunkCount))
      for (let index = 0; index < chunkCount; index++) yield memory.subarray(0, sizeOf(index)).fill(index)
    }
    await using server = await serveChunks(sharing, coding)
    const parts: Buffer[] = []
    for await (const part of await openResponse(server.port)) {
      parts.push(part)
      await nextIteration()
    }
    const expected = Array.from({ length: chunkCount }, (_, index) => Buffer.alloc(sizeOf(index), index))
    assert.ok(decoders[coding](Buffer.concat(parts)).equals(Buffer.concat(expected)))
    assert.equal(await server.outcome, undefined)
  })

  test(`a client that disconnects ends the search: ${coding}`, async () => {
    let isGeneratorClosed = false
    async function* endless(): AsyncGenerator<Uint8Array, void, undefined> {
      try {
        for (;;) yield crypto.getRandomValues(new Uint8Array(60_000))
      } finally {
        isGeneratorClosed = true
      }
    }
    await using server = await serveChunks(endless, coding)
    const response = await openResponse(server.port)
    await once(response, 'data')
    response.destroy()
    assert.equal(await server.outcome, undefined, 'a disconnect is not an error')
    await server.searchEnded
    assert.ok(isGeneratorClosed)
  })
}

test('a client that stops reading pauses the search, and its queue stays small', async () => {
  let producedBytes = 0
  async function* counted(): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      producedBytes += 60_000
      yield new Uint8Array(60_000)
    }
  }
  await using server = await serveChunks(counted, 'identity')
  const response = await openResponse(server.port)
  response.pause()
  // The kernel buffers fill within a few iterations of the event loop, and then the search pauses. It has paused when
  // nothing is produced in 200 iterations.
  let producedBefore = -1
  while (producedBefore !== producedBytes) {
    producedBefore = producedBytes
    for (let iteration = 0; iteration < 200; iteration++) await nextIteration()
  }
  // By default Linux buffers up to 4 MB at the sender and 6 MB at the receiver. Some systems buffer more.
  const bufferedBytesMax = 32 * 1024 * 1024
  assert.ok(producedBytes < bufferedBytesMax, `${producedBytes} bytes produced for a client that does not read`)
  response.destroy()
  await server.searchEnded
})

test('a long result is complete and in order, chunked, without Content-Length', async () => {
  await using service = await startService(streamedRecords)
  const response = await sendRequest(service, 'record')
  assert.equal(response.headers['content-length'], undefined)
  assert.equal(response.headers['transfer-encoding'], 'chunked')
  // All records have the same date, so their codes decide the order.
  assert.deepEqual(ids(response), streamedRecords.map(({ code }) => defaultIdOf(code)).sort())
})

test('a response of HTTP/1.0 whose search fails is reset, because a normal end would make it look complete', async () => {
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    // A body is sent in blocks of 512 KB. This chunk is longer, so that a part is sent before the error.
    yield Buffer.alloc(600_000)
    throw new Error('damaged')
  }
  await using server = await serveChunks(chunks, 'identity')
  const socket = connect(server.port, '127.0.0.1').resume()
  socket.write('GET / HTTP/1.0\r\nHost: a\r\n\r\n')
  await assert.rejects(once(socket, 'end'), { code: 'ECONNRESET' })
  assert.match(String(await server.outcome), /damaged/)
})

test('the service works and closes after aborted exports', async () => {
  /** An export of all records has two megabytes, so that it is aborted while it is sent. */
  const longRecords = Array.from({ length: 3000 }, (_, index) => ({
    code: `A-${index + 1}`,
    title: 'Plan '.repeat(100),
  }))
  await using service = await startService(longRecords)
  for (let n = 0; n < 30; n++) {
    const cancel = new AbortController()
    const response = await fetch(`${service.base}/record`, { signal: cancel.signal })
    assert.equal(response.status, 200)
    cancel.abort()
  }
  assert.equal((await sendRequest(service, 'record/A-1')).status, 200)
})
