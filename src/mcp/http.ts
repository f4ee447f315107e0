// The handler of `{base}/mcp`: the Model Context Protocol (MCP) over streamable HTTP, enabled by `serve --mcp`. It is
// stateless (no sessions), so any worker can handle any request. The body of a request is a JSON-RPC message or a batch
// of messages. Each message that calls a tool counts as a request of its own.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { RegistryClient } from '../client/client.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { createMcpServer } from './server.ts'

export type McpHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** What the handler needs from the service. */
export interface McpContext {
  /** A client for the calls of a request; what it requests ends when the request does. */
  readonly toClient: (request: IncomingMessage) => RegistryClient
  /** Whether the registry is the sample. */
  readonly isFictional: () => boolean
  /** Why the request is not for this service, judged by its host and origin; undefined if it is. */
  readonly explainForbidden: (request: IncomingMessage) => string | undefined
  /** Counts the calls for the rate limit, and says why they are refused; undefined if they are not. */
  readonly refuseCalls: (
    request: IncomingMessage,
    response: ServerResponse,
    calls: number,
  ) => MaybePromise<CallRefusal | undefined>
  /** Counts the calls as in progress until the returned function is called. */
  readonly beginCalls: (calls: number) => () => void
  /** Time limit of a call. */
  readonly timeoutMs: number
}

export interface CallRefusal {
  readonly status: number
  readonly message: string
  readonly retryAfterSeconds: number
}

/** The messages of one batch (calls and notifications); more get a 400. */
const batchMessagesMax = 16

/** A request without a result ends this long after its calls have reached their time limit. */
const graceMs = 1_000

/** A longer body gets a 413. */
const bodyBytesMax = 64 * 1024

/** A body that is too long is read and discarded up to this size; then the connection is closed. */
const discardedBytesMax = 16 * 1024 * 1024

/** The first of the JSON-RPC error codes for errors that a server defines itself. */
const serverErrorCode = -32_000

/** The JSON-RPC error codes for a text that is not JSON, and for JSON that is not a valid message. */
const parseErrorCode = -32_700
const invalidRequestCode = -32_600

export function toMcpHandler(context: McpContext): McpHandler {
  return async (request, response) => {
    for (const [name, value] of commonHeaders) response.setHeader(name, value)
    const forbidden = context.explainForbidden(request)
    if (forbidden !== undefined) return sendError(response, 403, forbidden)
    // Scripts of the service's own origin may read the response (CORS).
    if (request.headers.origin !== undefined) response.setHeader('Access-Control-Allow-Origin', request.headers.origin)
    if (request.method === 'OPTIONS') return sendPreflight(response)
    if (request.method !== 'POST') {
      return sendError(response, 405, 'Cannot accept the method: expected POST', { allow: 'POST, OPTIONS' })
    }
    const body = await readBody(request)
    if (body === undefined) {
      // HTTP/2 has no Connection header.
      const headers: Record<string, string> = request.httpVersionMajor === 1 ? { connection: 'close' } : {}
      return sendError(response, 413, `Cannot read the message: expected at most ${bodyBytesMax} bytes`, headers)
    }
    const content = parseJson(body)
    if (content === undefined)
      return sendError(response, 400, 'Cannot read the message: it is not JSON', {}, parseErrorCode)
    if (Array.isArray(content) && content.length > batchMessagesMax) {
      const problem = `Cannot read the batch: expected at most ${batchMessagesMax} messages, got ${content.length}`
      return sendError(response, 400, problem, {}, invalidRequestCode)
    }
    const calls = countCalls(content)
    const refusal = calls === 0 ? undefined : await context.refuseCalls(request, response, calls)
    if (refusal !== undefined) {
      return sendError(response, refusal.status, refusal.message, { 'retry-after': String(refusal.retryAfterSeconds) })
    }
    const endCalls = context.beginCalls(calls)
    try {
      await handleContent(context, request, response, content)
    } finally {
      endCalls()
    }
  }
}

/** The headers of every response. */
const commonHeaders: readonly (readonly [string, string])[] = [
  ['Access-Control-Expose-Headers', 'Mcp-Protocol-Version, RateLimit, RateLimit-Policy, Retry-After'],
  ['Cache-Control', 'no-store'],
  ['Vary', 'Origin'],
  ['X-Content-Type-Options', 'nosniff'],
]

/**
 * Handles the message or batch in the body and sends the response. The transport waits for a response to every call,
 * but a call that the client cancels in the same batch has none. So the request ends at the latest after the time
 * limit, or when the client has disconnected.
 */
async function handleContent(
  { toClient, isFictional, timeoutMs }: McpContext,
  request: IncomingMessage,
  response: ServerResponse,
  content: unknown,
): Promise<void> {
  const server = createMcpServer(toClient(request), isFictional())
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  const ended = Promise.withResolvers<undefined>()
  response.once('close', () => ended.resolve(undefined))
  const timer = setTimeout(() => ended.resolve(undefined), timeoutMs + graceMs)
  try {
    const handling = transport.handleRequest(toWebRequest(request), { parsedBody: content })
    const mcpResponse = await Promise.race([handling, ended.promise])
    if (mcpResponse === undefined) return sendError(response, 503, 'Cannot respond: a call has no result')
    const responseBody = Buffer.from(await mcpResponse.arrayBuffer())
    response.writeHead(mcpResponse.status, Object.fromEntries(mcpResponse.headers)).end(responseBody)
  } finally {
    clearTimeout(timer)
    // Aborts the calls that are in progress.
    await server.close()
  }
}

/** Undefined if the body is not JSON. */
function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** The number of calls of tools in a message or batch. */
function countCalls(content: unknown): number {
  const messages: unknown[] = Array.isArray(content) ? content : [content]
  return messages.filter(
    (each) => typeof each === 'object' && each !== null && 'method' in each && each.method === 'tools/call',
  ).length
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

/**
 * Returns undefined if the body is too long. The rest is still read, because many clients read a response only after
 * they have sent the whole request.
 */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes: Buffer = chunk
    length += bytes.length
    if (length <= bodyBytesMax) chunks.push(bytes)
    if (length > discardedBytesMax) break
  }
  return length > bodyBytesMax ? undefined : Buffer.concat(chunks)
}

/** Responds to a CORS preflight request (Fetch standard); browsers cache the response for a day. */
function sendPreflight(response: ServerResponse): void {
  const headers = {
    'access-control-allow-methods': 'POST, OPTIONS',
    'access-control-allow-headers': '*',
    'access-control-max-age': '86400',
  }
  response.writeHead(204, headers).end()
}

/** Sends an error of JSON-RPC. Its id is null, because it is not the response to one message. */
function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code: number = serverErrorCode,
): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null })
  response.writeHead(status, { ...headers, 'content-type': 'application/json' }).end(body)
}
