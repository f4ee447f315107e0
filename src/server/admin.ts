// The admin port, on the loopback interface unless `--admin-host` is given: `/live`, `/ready` and `/metrics`. serve.ts
// opens it before it waits for the database, so that a service that waits is live but not ready.
import * as http from 'node:http'
import { bind } from '../http/bind.ts'
import type { Log } from '../http/log.ts'
import { connectionsCheckIntervalMs } from '../limits.ts'
import type { LastImport } from '../registry/contract.ts'
import type { ServeSettings } from './settings.ts'

export interface AdminHandlers {
  readonly isReady: () => boolean
  /** Null if no import is known. */
  readonly readLastImport: () => Promise<LastImport | null>
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

/** Time for a client to send its request. */
const requestTimeoutMs = 5_000

/**
 * The handlers until the service runs. Two alerts (deploy/prometheus-rules.yml) must fire while it waits for the
 * database, so their metrics exist already.
 */
const waitingHandlers: AdminHandlers = {
  isReady: () => false,
  readLastImport: async () => null,
  readMetrics: async () => 'planning_registry_ready 0\nplanning_registry_store_up 0',
}

/** Opens the port if `--admin-port` is given, and logs its number. Port 0 takes a free one. */
export async function openAdminIfConfigured(
  { adminHost: host, adminPort }: Pick<ServeSettings, 'adminHost' | 'adminPort'>,
  log: Log,
): Promise<AdminPort | undefined> {
  if (adminPort === undefined) return undefined
  let handlers = waitingHandlers
  const timeouts = {
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: connectionsCheckIntervalMs,
  }
  const server = http.createServer(timeouts, async ({ method = '', url = '' }, response) => {
    const {
      status,
      text,
      type = 'text/plain; charset=utf-8',
    } = await reply(method, url, handlers).catch((error: unknown): Reply => {
      log.error({ err: error }, 'request to the admin port failed')
      return { status: 500, text: 'internal error' }
    })
    if (status === 405) response.setHeader('Allow', 'GET, HEAD')
    response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' })
    // Node sends no body in response to HEAD.
    response.end(`${text}\n`)
  })
  const flags = { host: '--admin-host', port: '--admin-port' }
  const port = await bind(server, { host, port: adminPort }, flags)
  server.on('error', (error) => log.error({ err: error }, 'the admin port failed'))
  log.info({ adminPort: port }, 'admin port open')
  return {
    port,
    setHandlers: (newHandlers) => {
      handlers = newHandlers
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

interface Reply {
  readonly status: number
  readonly text: string
  /** The media type; plain text by default. */
  readonly type?: string
}

async function reply(method: string, url: string, handlers: AdminHandlers): Promise<Reply> {
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, text: 'GET or HEAD only' }
  switch (url.split('?')[0]) {
    case '/live':
      return { status: 200, text: 'live' }
    case '/ready':
      return {
        status: handlers.isReady() ? 200 : 503,
        text: [handlers.isReady() ? 'ready' : 'not ready', ...toImportLine(await handlers.readLastImport())].join('\n'),
      }
    case '/metrics':
      // 0.0.4 is the version of the text format of Prometheus.
      return { status: 200, text: await handlers.readMetrics(), type: 'text/plain; version=0.0.4; charset=utf-8' }
    default:
      return { status: 404, text: 'not found; use /live, /ready or /metrics' }
  }
}

/** `last import: published at 2026-11-20T02:00:07.123Z: 300 records, 2 rows rejected, 1 record kept` */
function toImportLine(lastImport: LastImport | null): string[] {
  if (lastImport === null) return []
  const { at, outcome, records, rejected, kept = 0, fault } = lastImport
  const counts = `${records} records, ${rejected} rows rejected, ${kept} records kept`
  return [`last import: ${outcome} at ${at}: ${fault ?? counts}`]
}
