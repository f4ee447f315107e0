// Opens what `search` and `mcp` read from: a running service (`--url`) or a database. Either is read through the HTTP
// client (src/client); for a database, the `fetch` of the client calls the request handlers in this process.
import { fictionalKeyword } from '../api/catalog.ts'
import { localAddress, toLocalFetch } from '../api/local.ts'
import { createClient, type RegistryClient } from '../client/client.ts'
import { t } from '../language.ts'
import { openStore } from '../registry/open.ts'
import { type Invocation, UsageFault } from './config.ts'
import { sharedSettings } from './shared-settings.ts'

export interface Connection {
  readonly client: RegistryClient
  /** Whether this process reads a database itself, without a service. */
  readonly isLocal: boolean
  /** Whether the records are fictional, like those of the bundled sample. */
  readonly hasFictionalRecords: boolean
  close(): Promise<void>
}

/**
 * Throws if `--url` is not an address, or if the database cannot be opened. A service that does not answer is not
 * noticed here, but by the first search.
 */
export async function connect(invocation: Invocation): Promise<Connection> {
  const { url, database, allowInsecure, dataDir } = sharedSettings.read(invocation)
  if (url !== undefined) return connectToService(url)
  const warn = ({ message }: Error): void => {
    process.stderr.write(`planning-registry: ${t`${message}; the previous snapshot is read`}\n`)
  }
  const store = await openStore(database, {
    allowInsecure,
    dataDir,
    fetchesFirst: true,
    onRefused: warn,
    onStoreLost: warn,
  })
  // Retries are for a service that is unreachable or overloaded, but a local request reaches no service.
  const client = createClient(localAddress, { fetch: toLocalFetch(store), retries: 0 })
  return { client, isLocal: true, hasFictionalRecords: store.current().metadata.fictional, close: () => store.close() }
}

async function connectToService(url: string): Promise<Connection> {
  const isWebAddress = /^https?:$/.test(URL.parse(url)?.protocol ?? '')
  if (!isWebAddress) {
    throw new UsageFault(t`Cannot read --url: expected an address such as http://127.0.0.1:8080/registry, got "${url}"`)
  }
  const hasFictionalRecords = await readIsFictional(url)
  return { client: createClient(url), isLocal: false, hasFictionalRecords, close: async () => {} }
}

/** The part of a catalogue that is read. A keyword is `{ "@value": "…", "@language": "es" }`. */
interface Catalog {
  readonly 'dcat:dataset'?: { readonly 'dcat:keyword'?: unknown }
}

/** Timeout of the request for the catalogue of a service. */
const catalogTimeoutMs = 5_000

/**
 * Whether the records of a service are fictional, by the keywords of its DCAT catalogue. False if the catalogue cannot
 * be read: if the service is unreachable, the first search reports it.
 */
async function readIsFictional(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url.replace(/\/$/, '')}/catalog`, { signal: AbortSignal.timeout(catalogTimeoutMs) })
    const catalog: Catalog = JSON.parse(await response.text())
    const keywords = catalog['dcat:dataset']?.['dcat:keyword']
    return Array.isArray(keywords) && keywords.some((keyword) => keyword?.['@value'] === fictionalKeyword)
  } catch {
    return false
  }
}
