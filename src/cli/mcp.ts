// `planning-registry mcp`: an MCP (Model Context Protocol) server on standard input and output. Standard output carries
// the protocol, so nothing else may be printed there.
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
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
    const transport = new PatientTransport()
    serveStdio(() => createMcpServer(connection.client, connection.hasFictionalRecords), { transport })
    await new Promise<void>((resolve) => {
      transport.closed.then(resolve)
      process.stdout.on('error', resolve)
      process.once('SIGTERM', resolve)
      process.once('SIGINT', resolve)
    })
    return 0
  } finally {
    await connection.close()
  }
}

/** Standard input and output. When the input has ended, it closes after the last response. */
class PatientTransport extends StdioServerTransport {
  /** Resolves when the transport is closed and the last response is written. */
  readonly closed: Promise<void>
  #resolveClosed: () => void
  /** The ids of the requests without a response. */
  readonly #pendingIds = new Set<unknown>()
  #onIdle = (): void => {}

  constructor() {
    super()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.closed = promise
    this.#resolveClosed = resolve
  }

  override async start(): Promise<void> {
    // `serveStdio` sets `onmessage` before it calls `start`.
    const { onmessage } = this
    this.onmessage = (message) => {
      if ('method' in message && 'id' in message) this.#pendingIds.add(message.id)
      onmessage?.(message)
      // The server sends no response to a request that its client has cancelled.
      if ('method' in message && message.method === 'notifications/cancelled')
        this.#settle(message.params?.['requestId'])
    }
    await super.start()
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message)
    if (!('method' in message)) this.#settle(message.id)
  }

  /** The transport calls this method when standard input ends. */
  override async close(): Promise<void> {
    if (this.#pendingIds.size > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve))
    await super.close()
    // Responses may still be queued. An empty write is called back when they are written, or after an error.
    process.stdout.write('', () => this.#resolveClosed())
  }

  #settle(id: unknown): void {
    this.#pendingIds.delete(id)
    if (this.#pendingIds.size === 0) this.#onIdle()
  }
}
