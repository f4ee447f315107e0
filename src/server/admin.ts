// The admin port, on the loopback interface unless `--admin-host` is given: `/live`, `/ready` and `/metrics`. serve.ts
// opens it before it waits for the database, so that a service that waits is live but not ready.
import type { AddressInfo } from 'node:net'
import { connectionsCheckIntervalMs } from '../http/limits.ts'
import { explainListenError } from '../http/listen-error.ts'
import type { Log } from '../http/log.ts'
import { http } from '../http/node-http.ts'
import type { ServeSettings } from './settings.ts'

export interface AdminHandlers {
  readonly isReady: () => boolean
  /** In the text format of Prometheus. */
  readonly readMetrics: () => Promise<string>
}

export interface AdminPort {
  readonly port: number
  /** Replaces the handlers, which at first say that the service is not ready. */
  readonly setHandlers: (handlers: AdminHandlers) => void
  /** Closes the port and all its connections at once. */
  readonly close: () => void
}

/** Opens the port if `--admin-port` is given, and logs its number. Port 0 takes a free one. */
export async function openAdminIfConfigured(
  { adminHost, adminPort }: Pick<ServeSettings, 'adminHost' | 'adminPort'>,
  log: Log,
): Promise<AdminPort | undefined> {
  if (adminPort === undefined) return undefined
  const admin = await openAdminPort(adminHost, adminPort, log)
  log.info({ adminPort: admin.port }, 'admin port open')
  return admin
}

/**
 * The handlers until the service runs. Two alerts (deploy/prometheus-rules.yml) must fire while it waits for the
 * database, so their metrics exist already.
 */
const waitingHandlers: AdminHandlers = {
  isReady: () => false,
  readMetrics: async () => 'planning_registry_ready 0\nplanning_registry_store_up 0',
}

async function openAdminPort(host: string, port: number, log: Log): Promise<AdminPort> {
  let handlers = waitingHandlers
  const timeouts = {
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: connectionsCheckIntervalMs,
  }
  const server = http.createServer(timeouts, (request, response) => {
    // Node sends no body in response to HEAD.
    const isAllowed = request.method === 'GET' || request.method === 'HEAD'
    const reply = isAllowed
      ? toReply(request.url ?? '', handlers)
      : Promise.resolve<Reply>({ status: 405, text: 'GET or HEAD only' })
    reply
      .catch((error: unknown): Reply => {
        log.error({ err: error }, 'request to the admin port failed')
        return { status: 500, text: 'internal error' }
      })
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
    const flags = { host: '--admin-host', port: '--admin-port' }
    server.once('error', (error) => reject(explainListenError(error, host, port, flags)))
    server.listen({ host, port }, resolve)
  })
  return {
    port: toPort(server.address()),
    setHandlers: (newHandlers) => {
      handlers = newHandlers
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Time for a client to send its request. */
const requestTimeoutMs = 5_000

interface Reply {
  readonly status: number
  readonly text: string
  /** The media type; plain text by default. */
  readonly type?: string
}

/** The response to a GET or HEAD request. */
async function toReply(url: string, { isReady, readMetrics }: AdminHandlers): Promise<Reply> {
  switch (url.split('?')[0]) {
    case '/live':
      return { status: 200, text: 'live' }
    case '/ready':
      return isReady() ? { status: 200, text: 'ready' } : { status: 503, text: 'not ready' }
    case '/metrics':
      // 0.0.4 is the version of the text format of Prometheus.
      return { status: 200, text: await readMetrics(), type: 'text/plain; version=0.0.4; charset=utf-8' }
    default:
      return { status: 404, text: 'not found; use /live, /ready or /metrics' }
  }
}

function toPort(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The admin server does not listen on a TCP port')
  return address.port
}
