// The last stage of a request: writes the response to the connection, at the pace of the client, and reports the bytes
// that the client has not read yet to the send queues.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SearchCancelled } from '../domain/deadline.ts'
import { compressStream, toBlocks, toStreamMemoryBytes } from './compress.ts'
import type { HeaderList } from './header-list.ts'
import { queuedExchangeBytes } from './limits.ts'
import type { ApiResponse, StreamedBody } from './response.ts'
import { isStreamed } from './response.ts'
import type { SendQueues } from './send-queues.ts'

/** The state and settings that all responses share. */
export interface SendContext {
  readonly queues: SendQueues
  /** A connection of HTTP/1.1, or a stream of HTTP/2, that accepts no byte for this long is closed. */
  readonly stalledReaderMs: number
}

/**
 * Writes a response: the headers at once, a streamed body until the connection has taken it whole or the client has
 * disconnected. An error while the body is sent destroys the connection, or the stream of HTTP/2, so that the client
 * notices, and rejects the promise. `extraHeaders` follow those of `apiResponse`, for example `X-Request-Id`.
 */
export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  apiResponse: ApiResponse,
  extraHeaders: HeaderList,
  context: SendContext,
): Promise<void> {
  // `headers` are common to many responses, `ownHeaders` belong to this response only.
  const { status, headers, ownHeaders = noHeaders, body } = apiResponse
  response.writeHead(status, headers.concat(ownHeaders, extraHeaders))
  if (request.method === 'HEAD' || body === null) {
    response.end()
    countWhole(request, response, 0, context)
    // The response to HEAD has no body, so the search behind a streamed body is ended.
    if (isStreamed(body)) await body.end()
    return
  }
  if (isStreamed(body)) return sendStreamed(response, body, context)
  response.end(body)
  // The length of a string is close enough to its bytes: most characters are ASCII.
  countWhole(request, response, body.length, context)
}

/**
 * Counts a response that was written as a whole. The kernel takes most such responses at once. Otherwise the body, and
 * `queuedExchangeBytes` for Node's objects, count as queued until the response is closed. In both cases the bytes count
 * towards the next check of the queues (`countTowardsCheck`).
 */
function countWhole(request: IncomingMessage, response: ServerResponse, bodyBytes: number, context: SendContext): void {
  const { queues } = context
  // `writableLength` does not include the headers of HTTP/2. They wait behind the earlier responses of the connection.
  const isBehindOthers = request.httpVersionMajor === 2 && queues.hasHeldBytes(request.socket)
  const isQueued = toWritable(response).writableLength > 0 || isBehindOthers
  if (!isQueued) {
    queues.countTowardsCheck(bodyBytes)
    return
  }
  response.once('close', queues.hold(request.socket, bodyBytes + queuedExchangeBytes))
  closeWhenStalled(response, context)
  queues.countTowardsCheck(bodyBytes + queuedExchangeBytes)
}

const noHeaders: HeaderList = []

/**
 * Sends a streamed body. However that ends, the search behind the body is ended then. `pipeline` applies backpressure,
 * and destroys all streams when one fails or is closed.
 */
async function sendStreamed(
  response: ServerResponse,
  { chunks, coding, end }: StreamedBody,
  context: SendContext,
): Promise<void> {
  const writable = toWritable(response)
  // `pipeline` to a stream of HTTP/2 that the client has reset already would wait forever.
  if (writable.destroyed || writable.closed) return end()
  closeWhenStalled(response, context)
  const release = context.queues.hold(response.req.socket, toStreamMemoryBytes(coding))
  try {
    // A chunk is a view, valid until the next one is read; a block has memory of its own, so that it can be queued.
    const blocks = resetOnError(toBlocks(chunks), response, context)
    if (coding === 'identity') await pipeline(blocks, writable)
    else await pipeline(blocks, compressStream(coding), writable)
  } catch (error) {
    if (!response.destroyed) response.destroy()
    // A client may disconnect at any time; that is not an error.
    if (!isClientDisconnect(error)) throw error
  } finally {
    release()
    await end()
  }
}

/**
 * Resets a connection of HTTP/1.0 before an error of the body reaches the pipeline, which closes the connection
 * normally. With HTTP/1.0 the end of the connection is the end of the body, so half an export would look complete.
 */
async function* resetOnError(
  blocks: AsyncIterable<Uint8Array>,
  { req: request }: ServerResponse,
  { queues }: SendContext,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* blocks
  } catch (error) {
    if (request.httpVersion === '1.0') queues.reset(request.socket)
    throw error
  }
}

/**
 * The stream to write to: the response, or with HTTP/2 its stream. Node's compatibility response emits no error when
 * the client resets the stream, so a pipeline to it would wait forever.
 */
function toWritable(response: ServerResponse): Writable {
  return 'stream' in response && response.stream instanceof Writable ? response.stream : response
}

/** Closes the connection, or the stream of HTTP/2, when it has accepted no byte for `stalledReaderMs`. */
function closeWhenStalled(response: ServerResponse, { queues, stalledReaderMs }: SendContext): void {
  response.setTimeout(stalledReaderMs, () => {
    // Resets a connection of HTTP/1.1, so that the kernel discards its queue. A connection of HTTP/2 stays open,
    // because other streams on it may not be stalled.
    if (response.req.httpVersionMajor === 1) queues.reset(response.req.socket)
    response.destroy()
  })
}

/** Whether sending failed because the client has disconnected. */
function isClientDisconnect(error: unknown): boolean {
  // After the first byte a search has no time limit, so only a disconnect cancels it.
  if (error instanceof SearchCancelled) return true
  // Connection and search may fail at the same time.
  if (error instanceof AggregateError) return error.errors.every(isClientDisconnect)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && disconnectCodes.includes(code)
}

/** The codes of errors after the client has closed the connection, or reset the stream of HTTP/2. */
const disconnectCodes: readonly string[] = [
  'ERR_STREAM_PREMATURE_CLOSE',
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ECANCELED',
  'ERR_HTTP2_STREAM_ERROR',
  'ERR_HTTP2_SESSION_ERROR',
  // The response was closed before the pipeline began.
  'ERR_STREAM_UNABLE_TO_PIPE',
]
