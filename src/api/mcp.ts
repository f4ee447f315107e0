// Puts `{base}/mcp` before the router where it is switched on. The tools ask the registry through the handlers of
// this folder, without a network.
import { createClient } from '../client/client.ts'
import type { McpHandler } from '../mcp/http.ts'
import type { RegistryStore } from '../snapshot/contract.ts'
import { localAddress, toLocalFetch } from './local.ts'

/** Loaded on demand: a service without it does not pay for it. */
export async function openMcp(store: RegistryStore): Promise<McpHandler> {
  const { toMcpHandler } = await import('../mcp/http.ts')
  const client = createClient(localAddress, { fetch: toLocalFetch(store), retries: 0 })
  return toMcpHandler(client, () => store.current().facts.fictional)
}
