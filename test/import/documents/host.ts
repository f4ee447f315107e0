// A host of documents on loopback for one test. The rule against loopback is put aside for it alone.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { DocumentOptions } from '../../../src/import/documents/documents.ts'

export interface TestHost {
  /** `127.0.0.1:PORT`. */
  readonly host: string
  readonly port: number
  /** What was asked for, in order. */
  readonly requests: IncomingMessage[]
  readonly connections: () => number
  address(path: string): { readonly kind: 'address'; readonly url: string }
  /** Options under which this host may be asked. */
  readonly options: Partial<DocumentOptions>
}

export async function openHost(
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse, count: number) => void,
  listenOn = '127.0.0.1',
): Promise<TestHost> {
  const requests: IncomingMessage[] = []
  let connections = 0
  const listener: RequestListener = (request, response) => {
    requests.push(request)
    answer(request, response, requests.length)
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
    address: (path) => ({ kind: 'address', url: `http://${host}${path}` }),
    options: {
      fetch: true,
      allowHosts: [host],
      isForbiddenAddress: (address) => address !== listenOn,
      limits: { retryDelayMs: 1 },
    },
  }
}
