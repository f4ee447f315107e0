// How long answers leave: at the reader's pace, broken off where the search behind them breaks, ended where the reader
// goes away.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setImmediate as nextRound } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { CodingName } from '../../src/http/negotiate.ts'
import { send } from '../../src/http/send.ts'
import { startService } from '../service.ts'
import { ask, ids } from './ask.ts'
import { sending } from './sending.ts'

interface Run extends AsyncDisposable {
  readonly port: number
  /** How the sending of the answer ended: undefined where it ended well. */
  readonly outcome: Promise<unknown>
  readonly ended: Promise<void>
}

/** A server whose every answer is the chunks. */
async function serveChunks(
  chunks: () => AsyncGenerator<Uint8Array, void, undefined>,
  coding: CodingName,
): Promise<Run> {
  const outcome = Promise.withResolvers<unknown>()
  const ended = Promise.withResolvers<void>()
  const answer = (incoming: IncomingMessage, response: ServerResponse): void => {
    const body = { chunks: chunks(), coding, end: async () => ended.resolve() }
    send(incoming, response, { status: 200, headers: [], body }, [], sending)?.then(
      () => outcome.resolve(undefined),
      (error: unknown) => outcome.resolve(error),
    )
  }
  const server = createServer(answer)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    outcome: outcome.promise,
    ended: ended.promise,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function begin(port: number): Promise<IncomingMessage> {
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
  test(`a failure after the first byte breaks the connection and does not end the body well: ${coding}`, async () => {
    async function* failing(): AsyncGenerator<Uint8Array, void, undefined> {
      for (let count = 0; count < 50; count++) yield crypto.getRandomValues(new Uint8Array(60_000))
      throw new Error('the disk is gone')
    }
    await using run = await serveChunks(failing, coding)
    const response = await begin(run.port)
    await assert.rejects(async () => {
      for await (const _ of response);
    }, /aborted/)
    assert.match(String(await run.outcome), /the disk is gone/)
    await run.ended
  })

  test(`chunks that share their memory arrive as they were, at a slow reader too: ${coding}`, async () => {
    const count = 100
    const sizeOf = (chunk: number): number => 100_000 + chunk * 1000
    async function* sharing(): AsyncGenerator<Uint8Array, void, undefined> {
      const memory = new Uint8Array(sizeOf(count))
      for (let chunk = 0; chunk < count; chunk++) yield memory.subarray(0, sizeOf(chunk)).fill(chunk)
    }
    await using run = await serveChunks(sharing, coding)
    const parts: Buffer[] = []
    for await (const part of await begin(run.port)) {
      parts.push(part)
      await nextRound()
    }
    const expected = Array.from({ length: count }, (_, chunk) => Buffer.alloc(sizeOf(chunk), chunk))
    assert.ok(decoders[coding](Buffer.concat(parts)).equals(Buffer.concat(expected)))
    assert.equal(await run.outcome, undefined)
  })

  test(`a reader that goes away ends the search behind the answer: ${coding}`, async () => {
    let isFinished = false
    async function* endless(): AsyncGenerator<Uint8Array, void, undefined> {
      try {
        for (;;) yield crypto.getRandomValues(new Uint8Array(60_000))
      } finally {
        isFinished = true
      }
    }
    await using run = await serveChunks(endless, coding)
    const response = await begin(run.port)
    await once(response, 'data')
    response.destroy()
    assert.equal(await run.outcome, undefined, 'it is no fault')
    await run.ended
    assert.ok(isFinished)
  })
}

test('a reader that stops reading stops the search, what waits for it stays small', async () => {
  let made = 0
  async function* counted(): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      made += 60_000
      yield new Uint8Array(60_000)
    }
  }
  await using run = await serveChunks(counted, 'identity')
  const response = await begin(run.port)
  response.pause()
  // The buffers of the kernel fill within a few turns of the loop; then nothing more is made.
  let before = -1
  while (before !== made) {
    before = made
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  assert.ok(made < 32 * 1024 * 1024, `${made} bytes made for a reader that reads nothing`)
  response.destroy()
  await run.ended
})

test('a long result comes whole and in order, chunked, without a length', async () => {
  const many = Array.from({ length: 3000 }, (_, index) => ({ code: `A-${index + 1}` }))
  await using service = await startService(many)
  const reply = await ask(service, 'record')
  assert.equal(reply.headers['content-length'], undefined)
  assert.equal(reply.headers['transfer-encoding'], 'chunked')
  assert.deepEqual(ids(reply), many.map(({ code }) => `E-${code}`).sort())
})

test('aborted exports leave nothing behind: the service closes at once', async () => {
  const many = Array.from({ length: 3000 }, (_, index) => ({ code: `A-${index + 1}`, title: 'Plan '.repeat(100) }))
  await using service = await startService(many)
  for (let count = 0; count < 30; count++) {
    const cancel = new AbortController()
    const response = await fetch(`${service.base}/record`, { signal: cancel.signal })
    assert.equal(response.status, 200)
    cancel.abort()
  }
  assert.equal((await ask(service, 'record/A-1')).status, 200)
})
