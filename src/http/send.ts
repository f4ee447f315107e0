// Writes a response to the connection, at the pace of the client, and counts the bytes that the client has not taken
// yet.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SearchCancelled } from '../domain/deadline.ts'
import { compressStream, toBlocks, toBufferedBytes } from './compress.ts'
import type { ApiResponse, StreamedBody } from './response.ts'
import { isStreamed } from './response.ts'
import type { SendQueues } from './send-queues.ts'

/** The state and settings that all responses share. */
export interface Sending {
  readonly queues: SendQueues
  readonly stalledReaderMs: number
}

/**
 * Writes a response. It returns a promise only for a streamed body, which resolves when the body is handed over to the
 * connection. An error after the first byte destroys the connection, so that the client notices, and rejects the
 * promise. A client that disconnects ends the search behind the body.
 */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  apiResponse: ApiResponse,
  requestHeaders: readonly string[],
  sending: Sending,
): Promise<void> | undefined {
  const { status, headers, ownHeaders = noHeaders, body } = apiResponse
  response.writeHead(status, headers.concat(ownHeaders, requestHeaders))
  if (body === null || request.method === 'HEAD') {
    response.end()
    return isStreamed(body) ? body.end() : undefined
  }
  if (typeof body === 'string') response.end(body)
  else if (body instanceof Uint8Array) response.end(body)
  else return stream(response, body, sending)
  sending.queues.add(body.length)
  // The kernel takes most responses at once; the rest is counted until it has taken it.
  if (toWritable(response).writableLength > 0) {
    response.once('close', sending.queues.hold(request.socket, body.length))
    closeWhenStalled(response, sending)
  }
  return undefined
}

const noHeaders: readonly string[] = []

/** `pipeline` applies backpressure, and destroys all streams when one of them fails or is closed. */
async function stream(
  response: ServerResponse,
  { chunks, coding, end }: StreamedBody,
  sending: Sending,
): Promise<void> {
  closeWhenStalled(response, sending)
  const release = sending.queues.hold(response.req.socket, toBufferedBytes(coding))
  try {
    // A chunk is only valid until the next one; a block has memory of its own.
    const blocks = toBlocks(chunks)
    if (coding === 'identity') await pipeline(blocks, toWritable(response))
    else await pipeline(blocks, compressStream(coding), toWritable(response))
  } catch (error) {
    if (!response.destroyed) response.destroy()
    // A client may disconnect at any time; that is not an error.
    if (!isEarlyClose(error)) throw error
  } finally {
    release()
    await end()
  }
}

/**
 * For HTTP/2 the stream itself. Node's compatibility response emits no error when the client resets the stream, so a
 * pipeline to it would wait forever.
 */
function toWritable(response: ServerResponse): Writable {
  return 'stream' in response && response.stream instanceof Writable ? response.stream : response
}

/** Closes a connection that accepts no byte for `stalledReaderMs`. */
function closeWhenStalled(response: ServerResponse, { queues, stalledReaderMs }: Sending): void {
  response.setTimeout(stalledReaderMs, () => {
    // An HTTP/2 connection may have other streams that are not stalled.
    if (response.req.httpVersionMajor === 1) queues.reset(response.req.socket)
    response.destroy()
  })
}

function isEarlyClose(error: unknown): boolean {
  if (error instanceof SearchCancelled) return true
  // Connection and search may fail at the same time.
  if (error instanceof AggregateError) return error.errors.every(isEarlyClose)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return (
    code === 'ERR_STREAM_PREMATURE_CLOSE' ||
    code === 'ECONNRESET' ||
    code === 'EPIPE' ||
    code === 'ERR_STREAM_DESTROYED' ||
    code === 'ECANCELED' ||
    code === 'ERR_HTTP2_STREAM_ERROR' ||
    code === 'ERR_HTTP2_SESSION_ERROR' ||
    code === 'ERR_STREAM_UNABLE_TO_PIPE'
  )
}
