// The last stage of a request: turns the response of a handler into a web-standard one, which @hono/node-server writes
// at the pace of the client.
import { ReadableStream } from 'node:stream/web'
import { getRequestListener } from '@hono/node-server'
import { SearchCancelled } from '../domain/deadline.ts'
import { compressStream, toBlocks } from './compress.ts'
import type { Bindings } from './request.ts'
import type { ApiResponse, StreamedBody } from './response.ts'
import { isStreamed } from './response.ts'

/**
 * The class of responses that @hono/node-server writes to the socket as they are. It reads others through a stream,
 * which takes about as long as the rest of a cached response. The package makes it the global `Response`; there it
 * would be in the way of other libraries, because it has no `bytes()`, so the platform's classes are put back.
 */
const WritableResponse: typeof Response = (() => {
  const { Request, Response } = globalThis
  getRequestListener(() => new Response())
  const { Response: writable } = globalThis
  Object.assign(globalThis, { Request, Response })
  return writable
})()

export interface SendOptions {
  readonly method: string
  /** Node's response; undefined if the response does not go to a socket. */
  readonly outgoing?: Bindings['outgoing']
  /** Whether the client has disconnected, so that a streamed body is not sent. */
  readonly isClientGone?: boolean
  /** Called when a streamed body has ended, whether it was sent whole or not. */
  readonly onEnd?: () => void
  /** Called with an error of the service that cuts a streamed body off. */
  readonly onError?: (error: unknown) => void
}

/** The response to HEAD has no body, so the search behind a streamed body is ended. */
export function toWebResponse({ status, headers, body }: ApiResponse, options: SendOptions): Response {
  const init = { status, headers }
  if (!isStreamed(body)) {
    const sentBody = options.method === 'HEAD' ? null : toBodyInit(body)
    return options.outgoing === undefined ? new Response(sentBody, init) : new WritableResponse(sentBody, init)
  }
  if (options.method !== 'HEAD' && options.isClientGone !== true) {
    // The types of the browser's streams and of Node's differ.
    return new WritableResponse(toWebStream(body, options) as BodyInit, init)
  }
  void body.end()
  options.onEnd?.()
  return new Response(null, init)
}

/** Node's bytes are never in shared memory, which the type `BodyInit` excludes. */
function toBodyInit(body: Uint8Array | string | null): BodyInit | null {
  return body as Uint8Array<ArrayBuffer> | string | null
}

/**
 * The body as a stream. However it ends, the search behind it is ended then: also when the client disconnects before
 * the first block is read.
 */
function toWebStream({ chunks, coding, end }: StreamedBody, options: SendOptions): ReadableStream<Uint8Array> {
  const { outgoing, onEnd, onError } = options
  let hasEnded = false
  const endOnce = (): void => {
    if (hasEnded) return
    hasEnded = true
    void end()
    onEnd?.()
  }
  outgoing?.once('close', endOnce)
  async function* readBlocks(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      // A chunk is a view, valid until the next one is read; a block has memory of its own, so that it can be queued.
      yield* toBlocks(chunks)
    } catch (error) {
      // After the first byte a search has no time limit, so only a disconnect cancels it.
      if (!(error instanceof SearchCancelled)) onError?.(error)
      // With HTTP/1.0 the end of the connection is the end of the body, so half an export would look complete.
      if (outgoing?.req.httpVersion === '1.0') outgoing.req.socket.resetAndDestroy()
      throw error
    } finally {
      endOnce()
    }
  }
  return ReadableStream.from(coding === 'identity' ? readBlocks() : compressStream(readBlocks(), coding))
}
