// The last stage of a request: writes an answer to the connection, at the pace of its reader, and counts what the
// reader has not taken yet.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SearchCancelled } from '../domain/deadline.ts'
import { compressStream, toBlocks, toBufferedBytes } from './compress.ts'
import type { ApiResponse, StreamedBody } from './response.ts'
import { isStreamed } from './response.ts'
import type { SendQueues } from './send-queues.ts'

/** What the writing of responses has in common. */
export interface Sending {
  readonly queues: SendQueues
  readonly stalledReaderMs: number
}

/**
 * Writes an answer; a promise is returned only where the body is streamed, and resolves once it is handed over. A
 * failure after the first byte destroys the connection, so that a client can tell a broken answer from a whole one;
 * then it rejects. A client that goes away ends the search behind the body.
 */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: ApiResponse,
  requestHeaders: readonly string[],
  sending: Sending,
): Promise<void> | undefined {
  const { status, headers, ownHeaders = noHeaders, body } = answer
  response.writeHead(status, headers.concat(ownHeaders, requestHeaders))
  if (body === null || request.method === 'HEAD') {
    response.end()
    return isStreamed(body) ? body.end() : undefined
  }
  if (typeof body === 'string') response.end(body)
  else if (body instanceof Uint8Array) response.end(body)
  else return stream(response, body, sending)
  sending.queues.add(body.length)
  // The kernel takes most answers at once; the others are watched and counted until it has.
  if (toWritable(response).writableLength > 0) {
    response.once('close', sending.queues.hold(request.socket, body.length))
    cutWhenStalled(response, sending)
  }
  return undefined
}

const noHeaders: readonly string[] = []

/** `pipeline` waits for a slow reader, and destroys every part when one of them fails or is closed. */
async function stream(
  response: ServerResponse,
  { chunks, coding, end }: StreamedBody,
  sending: Sending,
): Promise<void> {
  cutWhenStalled(response, sending)
  const release = sending.queues.hold(response.req.socket, toBufferedBytes(coding))
  try {
    // Blocks have memory of their own, since the next chunk is asked for before they are sent.
    const blocks = toBlocks(chunks)
    if (coding === 'identity') await pipeline(blocks, toWritable(response))
    else await pipeline(blocks, compressStream(coding), toWritable(response))
  } catch (error) {
    if (!response.destroyed) response.destroy()
    // The reader closing its side early is its good right and no fault of ours.
    if (!isEarlyClose(error)) throw error
  } finally {
    release()
    await end()
  }
}

/**
 * With HTTP/2 the stream itself. What Node puts before it, to look like HTTP/1.1, finishes as if all were well where
 * the reader gives up, and who waits for it to take more waits for ever.
 */
function toWritable(response: ServerResponse): Writable {
  return 'stream' in response && response.stream instanceof Writable ? response.stream : response
}

/** The rule for stalled readers. Node counts a byte that the connection took as life, and only that. */
function cutWhenStalled(response: ServerResponse, { queues, stalledReaderMs }: Sending): void {
  response.setTimeout(stalledReaderMs, () => {
    // An HTTP/2 connection may have other streams whose reader takes what it gets.
    if (response.req.httpVersionMajor === 1) queues.reset(response.req.socket)
    response.destroy()
  })
}

function isEarlyClose(error: unknown): boolean {
  if (error instanceof SearchCancelled) return true
  // The connection and the search behind it may end in one breath.
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
