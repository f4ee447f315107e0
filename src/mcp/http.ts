// `{base}/mcp`: the MCP server by streamable HTTP, where `serve --mcp` switches it on. Every request stands alone:
// there are no sessions to keep, so any worker answers any request. Reading is open to every origin, as everywhere in
// the service; nothing here holds a credential that a foreign page could borrow.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { RegistryClient } from '../client/client.ts'
import { createMcpServer } from './server.ts'

export type McpHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** No call of a tool comes near it. */
const bodyBytesMax = 64 * 1024
/** Beyond this the connection is cut. */
const discardedBytesMax = 16 * 1024 * 1024

const openHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Mcp-Protocol-Version',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

export function toMcpHandler(client: RegistryClient, isFictional: () => boolean): McpHandler {
  return async (request, response) => {
    if (request.method === 'OPTIONS') return preflight(response)
    if (request.method !== 'POST') {
      return refuse(response, 405, 'Cannot read the method: expected POST', { allow: 'POST, OPTIONS' })
    }
    const body = await readBody(request)
    if (body === undefined) {
      // HTTP/2 ends the stream alone and knows no such header.
      const headers: Record<string, string> = request.httpVersionMajor === 1 ? { connection: 'close' } : {}
      return refuse(response, 413, `Cannot read the message: expected at most ${bodyBytesMax} bytes`, headers)
    }
    const server = createMcpServer(client, isFictional())
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    try {
      const answer = await transport.handleRequest(toRequest(request, body))
      const content = Buffer.from(await answer.arrayBuffer())
      response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), ...openHeaders }).end(content)
    } finally {
      await server.close()
    }
  }
}

function toRequest(request: IncomingMessage, body: Buffer): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    // The names that HTTP/2 writes with a colon are no headers.
    if (!name.startsWith(':') && value !== undefined) headers.set(name, String(value))
  }
  return new Request('http://localhost/mcp', { method: 'POST', headers, body: new Uint8Array(body) })
}

/** The body, or undefined where it is too long; that is read to its end, since who still sends does not listen. */
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

/** The answer to a browser that asks before it sends (Fetch standard, CORS preflight), good for a day. */
function preflight(response: ServerResponse): void {
  const headers = {
    'access-control-allow-methods': 'POST, OPTIONS',
    'access-control-allow-headers': '*',
    'access-control-max-age': '86400',
  }
  response.writeHead(204, { ...openHeaders, ...headers }).end()
}

function refuse(response: ServerResponse, status: number, message: string, headers: Record<string, string>): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null })
  response.writeHead(status, { ...openHeaders, ...headers, 'content-type': 'application/json' }).end(body)
}
