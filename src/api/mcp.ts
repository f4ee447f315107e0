// The handler of {base}/mcp. Its tools use the client with the local fetch, so they call the handlers of this folder
// without a network.
import { createClient } from '../client/client.ts'
import type { McpHandler } from '../mcp/http.ts'
import type { RegistryStore } from '../snapshot/contract.ts'
import { localAddress, toLocalFetch } from './local.ts'

/** The MCP server is imported only if it is enabled, to save memory and start-up time. */
export async function openMcp(store: RegistryStore): Promise<McpHandler> {
  const { toMcpHandler } = await import('../mcp/http.ts')
  const client = createClient(localAddress, { fetch: toLocalFetch(store), retries: 0 })
  return toMcpHandler(client, () => store.current().metadata.fictional)
}
