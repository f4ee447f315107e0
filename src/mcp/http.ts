// The handler of `{base}/mcp`: the Model Context Protocol (MCP) over streamable HTTP, enabled by `serve --mcp`. It is
// stateless (no sessions), so any worker can handle any request. The body of a request is a JSON-RPC message or a batch
// of messages.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2Stream } from 'node:http2'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { RegistryClient } from '../client/client.ts'
import { createMcpServer } from './server.ts'

/**
 * Returns the response, which src/api/application.ts then sends. The handler itself only sets the headers of the rate
 * limit on `response`, and learns from it when the client has disconnected.
 */
export type McpHandler = (request: IncomingMessage, response: ServerResponse) => Promise<McpResponse>

export interface McpResponse {
  readonly status: number
  /** Alternating names and values. */
  readonly headers: readonly string[]
  readonly body: Uint8Array | string | null
}

/** What the handler needs from the service. */
export interface McpContext {
  /** A client for the calls of a request. Its searches end when the deadline of the request expires. */
  readonly toClient: (request: IncomingMessage) => RegistryClient
  /** Whether the records are fictional, like those of the bundled sample. */
  readonly hasFictionalRecords: () => boolean
  /** Why the request is not for this service, judged by its host and origin; undefined if it is. */
  readonly explainForbidden: (request: IncomingMessage) => string | undefined
  /**
   * Counts messages for the rate limit and sets its headers on the response. Returns the refusal if the client is above
   * its limit, otherwise undefined.
   */
  readonly checkRateLimit: (
    request: IncomingMessage,
    response: ServerResponse,
    messages: number,
  ) => Promise<McpRefusal | undefined>
  /** The refusal of this number of tool calls under overload; undefined if they are admitted. */
  readonly checkOverload: (request: IncomingMessage, calls: number) => McpRefusal | undefined
  /** Called before the body of the request is read. Until the returned function is called, it counts as being read. */
  readonly beginBody: (request: IncomingMessage) => () => void
  /** Called before the tool calls of the request are run. Until the returned function is called, they count as work. */
  readonly beginCalls: (request: IncomingMessage, calls: number) => () => void
  /** Time for a client to send the body of a request. */
  readonly bodyTimeoutMs: number
  /** Time limit of a tool call. */
  readonly timeoutMs: number
}

/** What a 429 or 503 response contains. */
export interface McpRefusal {
  readonly status: number
  readonly message: string
  readonly retryAfterSeconds: number
}

/** A batch with more messages gets a 400. Cancellations do not count, because `withoutCancellations` removes them. */
const batchMessagesMax = 16

/** A request waits this long after the time limit of its calls, so that they can report that they took too long. */
const graceMs = 1_000

/** A longer body gets a 413. */
const bodyBytesMax = 64 * 1024

/** A body that is too long is still read, up to this size, and discarded (`readToEnd` says why). */
const discardedBytesMax = 16 * 1024 * 1024

/** The first of the JSON-RPC error codes for errors that a server defines itself. */
const serverErrorCode = -32_000

/** The JSON-RPC error codes for a text that is not JSON, and for JSON that is not a valid message. */
const parseErrorCode = -32_700
const invalidRequestCode = -32_600

export function toMcpHandler(context: McpContext): McpHandler {
  return async (request, response) => {
    const forbidden = context.explainForbidden(request)
    if (forbidden !== undefined) return toErrorResponse(403, forbidden)
    const mcpResponse = await respond(context, request, response)
    const { origin } = request.headers
    if (origin === undefined) return mcpResponse
    // The origin has been accepted (`explainForbidden`), so its scripts may read the response (CORS).
    return { ...mcpResponse, headers: [...mcpResponse.headers, 'Access-Control-Allow-Origin', origin] }
  }
}

/** Responds to a request whose host and origin are accepted. */
async function respond(context: McpContext, request: IncomingMessage, response: ServerResponse): Promise<McpResponse> {
  if (request.method === 'OPTIONS') return toPreflightResponse()
  if (request.method !== 'POST') {
    return toErrorResponse(405, 'Cannot accept the method: expected POST', ['Allow', 'POST, OPTIONS'])
  }
  const body = await admitBody(context, request, response)
  if ('status' in body) return body
  const content = withoutCancellations(parseJson(body))
  const error = findContentError(content)
  if (error !== undefined) return error
  const rateLimitRefusal = await countFurtherMessages(context, request, response, content)
  const calls = countCalls(content)
  // Nothing may be awaited between this check and `beginCalls`: another request could take the place meanwhile.
  const refusal = rateLimitRefusal ?? (calls === 0 ? undefined : context.checkOverload(request, calls))
  if (refusal !== undefined) return toRefusalResponse(refusal)
  const endCalls = context.beginCalls(request, calls)
  try {
    return await handleContent(context, request, response, content)
  } finally {
    endCalls()
  }
}

/**
 * Counts one message for the rate limit, and then reads the body. Returns a response instead if the client is above the
 * limit or the body cannot be read. A request without a valid message counts too, because reading it takes work.
 */
async function admitBody(
  context: McpContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Buffer | McpResponse> {
  const endBody = context.beginBody(request)
  try {
    const refusal = await context.checkRateLimit(request, response, 1)
    if (refusal !== undefined) return toRefusalResponse(refusal)
    const body = await readBody(request, context.bodyTimeoutMs)
    if (body === 'incomplete') {
      return toErrorResponse(408, 'Cannot read the message: it did not arrive in time', closeAfterResponse(request))
    }
    if (body === 'too long') {
      const problem = `Cannot read the message: expected at most ${bodyBytesMax} bytes`
      return toErrorResponse(413, problem, closeAfterResponse(request))
    }
    return body
  } finally {
    endBody()
  }
}

/** The response to a body that is not a message or batch that the service handles; undefined if it is. */
function findContentError(content: unknown): McpResponse | undefined {
  if (content === undefined) return toErrorResponse(400, 'Cannot read the message: it is not JSON', [], parseErrorCode)
  const problem = Array.isArray(content) ? findBatchProblem(content) : findMessageProblem(content)
  return problem === undefined ? undefined : toErrorResponse(400, problem, [], invalidRequestCode)
}

function findBatchProblem(batch: readonly unknown[]): string | undefined {
  if (batch.length === 0) return 'Cannot read the batch: it is empty'
  if (batch.length > batchMessagesMax) {
    return `Cannot read the batch: expected at most ${batchMessagesMax} messages, got ${batch.length}`
  }
  // The library would answer only one of two calls with the same id.
  const calls = batch.filter(isMessage).filter(({ method, id }) => method !== undefined && (id ?? null) !== null)
  const ids = calls.map(({ id }) => id)
  const repeated = ids.find((id, index) => ids.indexOf(id) < index)
  if (repeated !== undefined) return `Cannot read the batch: two calls have the id ${JSON.stringify(repeated)}`
  return batch.map(findMessageProblem).find((problem) => problem !== undefined)
}

function findMessageProblem(message: unknown): string | undefined {
  return isMessage(message) ? undefined : 'Cannot read the message: it is not an object'
}

interface Message {
  readonly method?: unknown
  readonly id?: unknown
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Counts the messages of a batch for the rate limit, except the first, which `admitBody` has counted. */
async function countFurtherMessages(
  context: McpContext,
  request: IncomingMessage,
  response: ServerResponse,
  content: unknown,
): Promise<McpRefusal | undefined> {
  const furtherMessages = Array.isArray(content) ? content.length - 1 : 0
  return furtherMessages === 0 ? undefined : context.checkRateLimit(request, response, furtherMessages)
}

/** The headers of every response. */
const commonHeaders: readonly string[] = [
  'Access-Control-Expose-Headers',
  'Mcp-Protocol-Version, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
  'Cache-Control',
  'no-store',
  'Vary',
  'Origin',
  'X-Content-Type-Options',
  'nosniff',
]

/**
 * Handles the message or batch in the body. The transport of the MCP library would wait for ever for a call without a
 * result, so the request ends soon after the time limit, or when the client has disconnected.
 */
async function handleContent(
  { toClient, hasFictionalRecords, timeoutMs }: McpContext,
  request: IncomingMessage,
  response: ServerResponse,
  content: unknown,
): Promise<McpResponse> {
  const server = createMcpServer(toClient(request), hasFictionalRecords())
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  const timeoutOrDisconnect = Promise.withResolvers<undefined>()
  response.once('close', () => timeoutOrDisconnect.resolve(undefined))
  const timer = setTimeout(() => timeoutOrDisconnect.resolve(undefined), timeoutMs + graceMs)
  try {
    const handling = transport.handleRequest(toWebRequest(request), { parsedBody: content })
    const webResponse = await Promise.race([handling, timeoutOrDisconnect.promise])
    if (webResponse === undefined) return toErrorResponse(503, 'Cannot respond: a call has no result')
    const text = await webResponse.text()
    // The library answers a batch of one request with an object, but a batch gets an array (JSON-RPC 2.0, section 6).
    const isUnwrapped = webResponse.status === 200 && Array.isArray(content) && text.startsWith('{')
    const body = isUnwrapped ? `[${text}]` : text
    return toResponse(webResponse.status, [...webResponse.headers].flat(), Buffer.from(body))
  } finally {
    clearTimeout(timer)
    // Aborts the calls that are in progress.
    await server.close()
  }
}

/** Undefined if the body is not JSON in UTF-8. */
function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

/**
 * Removes the cancellations from a batch that has other messages too. Each HTTP request has an MCP server of its own,
 * so they can only cancel calls of the same batch. A cancelled call has no result, and the transport would wait for it.
 * A batch of cancellations alone stays as it is: it has no call, so the transport responds at once.
 */
function withoutCancellations(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  const others = content.filter((message) => methodOf(message) !== 'notifications/cancelled')
  return others.length === 0 ? content : others
}

/** The number of calls of tools in a message or batch. */
function countCalls(content: unknown): number {
  const messages: unknown[] = Array.isArray(content) ? content : [content]
  return messages.filter((message) => methodOf(message) === 'tools/call').length
}

function methodOf(message: unknown): unknown {
  return isMessage(message) ? message.method : undefined
}

/** The request as the transport expects it (Fetch standard). The URL is a placeholder; the body is passed parsed. */
function toWebRequest(request: IncomingMessage): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    // Names that begin with a colon are HTTP/2 pseudo-headers.
    if (!name.startsWith(':') && value !== undefined) headers.set(name, String(value))
  }
  return new Request('http://localhost/mcp', { method: 'POST', headers })
}

/** The body is incomplete if it does not arrive within the time limit, or if the client disconnects before its end. */
async function readBody(request: IncomingMessage, timeoutMs: number): Promise<Buffer | 'too long' | 'incomplete'> {
  const timeout = Promise.withResolvers<'incomplete'>()
  const timer = setTimeout(() => timeout.resolve('incomplete'), timeoutMs)
  try {
    return await Promise.race([readToEnd(request), timeout.promise])
  } catch {
    return 'incomplete'
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Reads the body. The rest of one that is too long is still read, because many clients read a response only after they
 * have sent the whole request. Rejects if the client disconnects.
 */
async function readToEnd(request: IncomingMessage): Promise<Buffer | 'too long'> {
  const chunks: Buffer[] = []
  let receivedBytes = 0
  // Leaving the loop must not destroy the request, because the response is sent on the same connection.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes: Buffer = chunk
    receivedBytes += bytes.length
    if (receivedBytes <= bodyBytesMax) chunks.push(bytes)
    if (receivedBytes > discardedBytesMax) break
  }
  return receivedBytes > bodyBytesMax ? 'too long' : Buffer.concat(chunks)
}

/**
 * Makes a client stop sending a body after the response. Returns the header that does so with HTTP/1.1. An HTTP/2
 * stream is reset without an error (RFC 9113, section 8.1).
 */
function closeAfterResponse(request: IncomingMessage & { readonly stream?: Http2Stream }): string[] {
  const { stream } = request
  if (stream === undefined) return ['Connection', 'close']
  stream.once('finish', () => stream.close())
  return []
}

/** The response to a CORS preflight request (Fetch standard). Browsers may cache it for a day. */
function toPreflightResponse(): McpResponse {
  const allowed = ['Access-Control-Allow-Methods', 'POST, OPTIONS', 'Access-Control-Allow-Headers', '*']
  return { status: 204, headers: [...commonHeaders, ...allowed, 'Access-Control-Max-Age', '86400'], body: null }
}

function toRefusalResponse({ status, message, retryAfterSeconds }: McpRefusal): McpResponse {
  return toErrorResponse(status, message, ['Retry-After', String(retryAfterSeconds)])
}

/** An error of JSON-RPC. Its id is null, because it is not the response to one message. */
function toErrorResponse(
  status: number,
  message: string,
  headers: readonly string[] = [],
  code: number = serverErrorCode,
): McpResponse {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }))
  return toResponse(status, [...headers, 'Content-Type', 'application/json'], body)
}

function toResponse(status: number, headers: readonly string[], body: Uint8Array): McpResponse {
  return { status, headers: [...commonHeaders, ...headers, 'Content-Length', String(body.byteLength)], body }
}
