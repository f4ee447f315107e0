// The handler of `{base}/mcp`: the Model Context Protocol (MCP) over streamable HTTP, enabled by `serve --mcp`. It is
// stateless (no sessions), so any worker can handle any request. A request has one message.
import {
  createMcpHandler as createHandler,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  readRequestBody,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server'
import { createClient } from '../client/client.ts'
import { createMcpServer } from './server.ts'

/** What the handler needs from the service. */
export interface McpContext {
  /** The base address of the operations for `fetch`. */
  readonly address: string
  readonly fetch: typeof fetch
  /** Whether the records are fictional, like those of the sample. Throws while the registry is unavailable. */
  readonly hasFictionalRecords: () => boolean
  /** Whether the service is for this computer alone: it listens on a loopback address, and has no public URL. */
  readonly isLocal: boolean
}

/** A longer body gets a 413. */
const bodyBytesMax = 64 * 1024

/** Any web page may use the service, which has no accounts and changes nothing (CORS). */
const commonHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Mcp-Protocol-Version, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
  'Cache-Control': 'no-store',
}

/** For the preflight request of a browser, which may keep the response for a day. */
const preflightHeaders = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '86400',
}

/** The codes of JSON-RPC for errors of the server itself, for a text that is not JSON, and for an invalid message. */
type ErrorCode = -32_000 | -32_700 | -32_600

/**
 * The handler rejects if `hasFictionalRecords` throws. To older clients the library streams, so the calls of a request
 * have ended when the body of the response ends.
 */
export function createMcpHandler(context: McpContext): (request: Request) => Promise<Response> {
  const { address, fetch, hasFictionalRecords, isLocal } = context
  // An assistant is told at once that the service is overloaded.
  const registry = createClient(address, { fetch, retries: 0 })

  const respond = async (request: Request): Promise<Response> => {
    if (isLocal && !isForThisComputer(request)) {
      return toErrorResponse(403, -32_000, 'Cannot accept the host or origin: expected localhost (see --public-url)')
    }
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: preflightHeaders })
    const isFictional = hasFictionalRecords()
    // No subscriptions, which would hold connections for changes that never come.
    const handler = createHandler(() => createMcpServer(registry, isFictional), { maxSubscriptions: 0, keepAliveMs: 0 })
    if (request.method !== 'POST') return handler.fetch(request)
    const message = await readMessage(request)
    return message instanceof Response ? message : handler.fetch(request, { parsedBody: message })
  }

  return async (request) => {
    const response = await respond(request)
    for (const [name, value] of Object.entries(commonHeaders)) response.headers.set(name, value)
    // HTTP/2 does not allow the header, and HTTP/1.1 does not need it.
    response.headers.delete('Connection')
    return response
  }
}

/** The message in the body as JSON, or the response to a body that has none. */
async function readMessage(request: Request): Promise<unknown> {
  try {
    const body = await readRequestBody(request, bodyBytesMax)
    if (body.tooLarge) {
      return toErrorResponse(413, -32_000, `Cannot read the message: expected at most ${bodyBytesMax} bytes`)
    }
    const message: unknown = JSON.parse(body.text)
    if (!Array.isArray(message)) return message
    return toErrorResponse(400, -32_600, 'Cannot read the message: batches are not accepted, send one message')
  } catch {
    return toErrorResponse(400, -32_700, 'Cannot read the message: it is not JSON, or not complete')
  }
}

/**
 * False if a web page of another site sends the request from the browser of a user. By DNS rebinding its host name may
 * lead to this computer, and its requests then count as requests of the same site.
 */
function isForThisComputer({ url, headers }: Request): boolean {
  return (
    validateHostHeader(new URL(url).host, localhostAllowedHostnames()).ok &&
    validateOriginHeader(headers.get('origin'), localhostAllowedOrigins()).ok
  )
}

/** An error of JSON-RPC. Its id is null, because it is not the response to one message. */
function toErrorResponse(status: number, code: ErrorCode, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status })
}
