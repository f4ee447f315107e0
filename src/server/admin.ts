// The admin port, on loopback alone: whether the process lives, whether it takes requests, and its metrics. The public
// port knows none of it.
import type { AddressInfo } from 'node:net'
import { toUsageFault } from '../http/listen.ts'
import type { Log } from '../http/log.ts'
import { http } from '../http/node-http.ts'

export interface AdminParts {
  readonly isReady: () => boolean | Promise<boolean>
  /** In the text format of Prometheus. */
  readonly readMetrics: () => Promise<string>
}

export interface AdminPort {
  readonly port: number
  readonly close: () => void
}

/** Where it was asked for; port 0 takes a free one, which only the log knows. */
export async function openAdmin(port: number | undefined, log: Log, parts: AdminParts): Promise<AdminPort | undefined> {
  if (port === undefined) return undefined
  const admin = await openAdminPort(port, parts)
  log.info({ adminPort: admin.port }, 'admin port open')
  return admin
}

export async function openAdminPort(port: number, parts: AdminParts): Promise<AdminPort> {
  const server = http.createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const answering = isRead
      ? answer(request.url ?? '', parts)
      : Promise.resolve<Text>({ status: 405, text: 'GET only' })
    answering
      .catch((): Text => ({ status: 500, text: 'not to be had' }))
      .then(({ status, text, type = 'text/plain; charset=utf-8' }) => {
        response.writeHead(status, {
          'Content-Type': type,
          'Cache-Control': 'no-store',
          ...(status === 405 ? { Allow: 'GET, HEAD' } : {}),
        })
        response.end(`${text}\n`)
      })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(toUsageFault(error, loopback, port, '--admin-port')))
    server.listen({ host: loopback, port }, resolve)
  })
  return {
    port: toPort(server.address()),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const loopback = '127.0.0.1'

interface Text {
  readonly status: number
  readonly text: string
  readonly type?: string
}

async function answer(url: string, { isReady, readMetrics }: AdminParts): Promise<Text> {
  switch (url.split('?')[0]) {
    case '/live':
      return { status: 200, text: 'live' }
    case '/ready':
      return (await isReady()) ? { status: 200, text: 'ready' } : { status: 503, text: 'not ready' }
    case '/metrics':
      return { status: 200, text: await readMetrics(), type: 'text/plain; version=0.0.4; charset=utf-8' }
    default:
      return { status: 404, text: 'there are /live, /ready and /metrics' }
  }
}

function toPort(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The admin port listens on no port')
  return address.port
}
