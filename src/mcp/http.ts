// The handler of `{base}/mcp`: the Model Context Protocol (MCP) over streamable HTTP, enabled by `serve --mcp`. It is
// stateless (no sessions), so any worker can handle any request. CORS allows every origin, because all data is public
// and there are no credentials.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { RegistryClient } from '../client/client.ts'
import { createMcpServer } from './server.ts'

export type McpHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** A longer message gets a 413. */
const bodyBytesMax = 64 * 1024

/** A body that is too long is read and discarded up to this size; then the connection is closed. */
const discardedBytesMax = 16 * 1024 * 1024

/** The first of the JSON-RPC error codes for errors that a server defines itself. */
const serverErrorCode = -32_000

/** The headers of every response. */
const commonHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Mcp-Protocol-Version',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** `isFictional` tells whether the registry is the sample. */
export function toMcpHandler(client: RegistryClient, isFictional: () => boolean): McpHandler {
  return async (request, response) => {
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
    const server = createMcpServer(client, isFictional())
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    try {
      const mcpResponse = await transport.handleRequest(toWebRequest(request, body))
      const content = Buffer.from(await mcpResponse.arrayBuffer())
      const headers = { ...Object.fromEntries(mcpResponse.headers), ...commonHeaders }
      response.writeHead(mcpResponse.status, headers).end(content)
    } finally {
      await server.close()
    }
  }
}

/** The request as the transport expects it (Fetch standard). The URL is a placeholder. */
function toWebRequest(request: IncomingMessage, body: Buffer): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    // Names that begin with a colon are HTTP/2 pseudo-headers.
    if (!name.startsWith(':') && value !== undefined) headers.set(name, String(value))
  }
  return new Request('http://localhost/mcp', { method: 'POST', headers, body: new Uint8Array(body) })
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
  response.writeHead(204, { ...commonHeaders, ...headers }).end()
}

function sendError(response: ServerResponse, status: number, message: string, headers: Record<string, string>): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: serverErrorCode, message }, id: null })
  response.writeHead(status, { ...commonHeaders, ...headers, 'content-type': 'application/json' }).end(body)
}
