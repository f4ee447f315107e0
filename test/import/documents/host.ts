// An HTTP server with documents for one test. It listens on a loopback address, which an import would not connect to
// without `TestHost.options`.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { DocumentOptions } from '../../../src/import/documents/documents.ts'

export interface TestHost {
  /** Address and port, such as `127.0.0.1:40123`. */
  readonly host: string
  readonly port: number
  /** The requests so far, in order of arrival. */
  readonly requests: IncomingMessage[]
  /** Number of connections that were opened so far. */
  readonly connections: () => number
  /** The reference to a document of this host. */
  referenceTo(path: string): { readonly kind: 'address'; readonly url: string }
  /**
   * Options that fetch documents from this host, although its address is not public, and retry after 1 ms. Every other
   * IP address is forbidden.
   */
  readonly options: Partial<DocumentOptions>
}

/** Starts the server. `respond` handles every request. */
export async function openHost(
  t: TestContext,
  /** `requestNumber` is counted from 1. */
  respond: (request: IncomingMessage, response: ServerResponse, requestNumber: number) => void,
  listenOn = '127.0.0.1',
): Promise<TestHost> {
  const requests: IncomingMessage[] = []
  let connections = 0
  const listener: RequestListener = (request, response) => {
    requests.push(request)
    respond(request, response, requests.length)
  }
  const server = createServer(listener)
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, listenOn, resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const host = `${listenOn}:${port}`
  return {
    host,
    port,
    requests,
    connections: () => connections,
    referenceTo: (path) => ({ kind: 'address', url: `http://${host}${path}` }),
    options: {
      withDownloads: true,
      allowHosts: [host],
      isForbiddenAddress: (address) => address !== listenOn,
      limits: { retryDelayMs: 1 },
    },
  }
}
