// Opens what `search` and `mcp` read from: a running service (`--url`) or a database. Both use the same client.
import { localAddress, toLocalFetch } from '../api/local.ts'
import { createClient, type RegistryClient } from '../client/client.ts'
import { openStore } from '../snapshot/open.ts'
import { type Invocation, UsageFault } from './config.ts'

export interface Connection {
  readonly client: RegistryClient
  /** Whether this process has opened a database. */
  readonly isLocal: boolean
  /** Whether the database is the bundled sample. Always false for a service, which reports it itself. */
  readonly isFictional: boolean
  close(): Promise<void>
}

export async function connect(invocation: Invocation): Promise<Connection> {
  const url = invocation.value('url')
  if (url !== undefined) {
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
      throw new UsageFault(
        `Cannot read --url: expected an address such as http://127.0.0.1:8080/registry, got "${url}"`,
      )
    }
    return { client: createClient(url), isLocal: false, isFictional: false, close: async () => {} }
  }
  const store = await openStore(invocation.value('database') ?? '')
  const client = createClient(localAddress, { fetch: toLocalFetch(store), retries: 0 })
  return { client, isLocal: true, isFictional: store.current().metadata.fictional, close: () => store.close() }
}
