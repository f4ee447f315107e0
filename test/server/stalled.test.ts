// The rule for stalled readers, for answers of every length.
import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { stalledReaderMs } from '../../src/http/limits.ts'
import { send } from '../../src/http/send.ts'

/** A response on a connection that takes nothing. */
function toStalled(): { request: IncomingMessage; response: ServerResponse; waitsMs: number[] } {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  const waitsMs: number[] = []
  response.setTimeout = (ms) => {
    waitsMs.push(ms)
    return response
  }
  return { request, response, waitsMs }
}

test('an answer that the connection does not take at once is watched', () => {
  const { request, response, waitsMs } = toStalled()
  send(request, response, { status: 200, headers: [], body: Buffer.alloc(100_000) }, [])
  assert.deepEqual(waitsMs, [stalledReaderMs])
})

test('a stream is watched from its first byte', async () => {
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    yield Buffer.alloc(10)
  }
  const { request, response, waitsMs } = toStalled()
  const body = { chunks: chunks(), coding: 'identity', end: async () => {} } as const
  const sending = send(request, response, { status: 200, headers: [], body }, [])
  assert.deepEqual(waitsMs, [stalledReaderMs])
  response.destroy()
  await sending
})
