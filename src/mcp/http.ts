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
  /** Sends a GET request to the API of this service. The path is below the base path: `/record?search=plan`. */
  readonly fetchApi: (pathAndQuery: string, signal: AbortSignal | undefined) => Promise<Response>
  /** Whether the records are fictional, like those of the sample. Throws while the registry is unavailable. */
  readonly hasFictionalRecords: () => boolean
  /** Whether the service is for this computer alone: it listens on a loopback address, and has no public URL. */
  readonly isLocal: boolean
}

/** A longer body gets a 413. */
const bodyBytesMax = 64 * 1024

/** The base address for the client. A host in `.invalid` never exists (RFC 2606). */
const apiAddress = 'http://registry.invalid'

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

/** Rejects if `hasFictionalRecords` throws. */
export function createMcpHandler(context: McpContext): (request: Request) => Promise<Response> {
  const { fetchApi, hasFictionalRecords, isLocal } = context
  const registry = createClient(apiAddress, {
    fetch: (url, init) => fetchApi(String(url).slice(apiAddress.length), init?.signal ?? undefined),
    // An assistant is told at once that the service is overloaded.
    retries: 0,
  })

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
    const { status, headers, body } = await respond(request)
    const sent = new Headers({ ...Object.fromEntries(headers), ...commonHeaders })
    // HTTP/2 does not allow the header, and HTTP/1.1 does not need it.
    sent.delete('Connection')
    // The library streams to older clients. A whole body means that the calls of the request have ended.
    return new Response(body === null ? null : await new Response(body).bytes(), { status, headers: sent })
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
