// `planning-registry mcp`: an MCP (Model Context Protocol) server on standard input and output. Standard output carries
// the protocol, so nothing else may be printed there.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createMcpServer } from '../mcp/server.ts'
import type { Invocation } from './config.ts'
import { connect } from './connect.ts'

/** Returns the exit status when the client has closed standard input, or on SIGTERM or SIGINT. */
export async function runMcp(invocation: Invocation): Promise<number> {
  const connection = await connect(invocation)
  try {
    const server = createMcpServer(connection.client, connection.isFictional)
    const closing = new Promise<void>((resolve) => {
      server.onclose = resolve
      process.stdin.on('end', resolve)
      process.once('SIGTERM', resolve)
      process.once('SIGINT', resolve)
    })
    await server.connect(new StdioServerTransport())
    await closing
    await server.close()
    return 0
  } finally {
    await connection.close()
  }
}
