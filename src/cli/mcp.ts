// `planning-registry mcp`: an MCP (Model Context Protocol) server on standard input and output. Standard output carries
// the protocol, so nothing else may be printed there.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { createMcpServer } from '../mcp/server.ts'
import type { Invocation } from './config.ts'
import { connect } from './connect.ts'

/**
 * Returns the exit status when the client has closed standard input and has the responses to its requests, when it no
 * longer reads standard output, or on SIGTERM or SIGINT.
 */
export async function runMcp(invocation: Invocation): Promise<number> {
  const connection = await connect(invocation)
  try {
    const server = createMcpServer(connection.client, connection.hasFictionalRecords)
    const transport = new TrackingTransport()
    const closing = new Promise<void>((resolve) => {
      server.onclose = resolve
      // The last responses may still be queued. An empty write is queued after them: its callback is called when they
      // have been written, or after an error.
      process.stdin.on('end', () => transport.callWhenIdle(() => process.stdout.write('', () => resolve())))
      process.stdout.on('error', resolve)
      process.once('SIGTERM', resolve)
      process.once('SIGINT', resolve)
    })
    await server.connect(transport)
    await closing
    await server.close()
    return 0
  } finally {
    await connection.close()
  }
}

/** Standard input and output. Knows which requests have no response yet. */
class TrackingTransport extends StdioServerTransport {
  /** The ids of the requests without a response. */
  readonly #pendingIds = new Set<unknown>()
  #onIdle: (() => void) | undefined

  /** Calls the function as soon as every request has its response. */
  callWhenIdle(onIdle: () => void): void {
    this.#onIdle = onIdle
    this.#callIfIdle()
  }

  override async start(): Promise<void> {
    // `Server.connect` sets `onmessage` before it calls `start`.
    const { onmessage } = this
    this.onmessage = (message) => {
      this.#track(message)
      onmessage?.(message)
    }
    await super.start()
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message)
    // A message with a method is no response.
    if ('method' in message) return
    this.#pendingIds.delete(message.id)
    this.#callIfIdle()
  }

  #track(message: JSONRPCMessage): void {
    if (!('method' in message)) return
    if ('id' in message) this.#pendingIds.add(message.id)
    // The server sends no response to a request that its client has cancelled.
    if (message.method === 'notifications/cancelled') this.#pendingIds.delete(message.params?.requestId)
  }

  #callIfIdle(): void {
    if (this.#pendingIds.size === 0) this.#onIdle?.()
  }
}
