// Messages between the supervisor (supervisor.ts) and its workers (worker.ts), over the IPC channel of Node.
import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { Quota } from '../http/rate-limit.ts'

/** All metrics of a process, as prom-client exports them. */
export type Metrics = MetricObjectWithValues<MetricValue<string>>[]

export type FromWorker =
  /** The worker accepts requests at this base URL. */
  | { readonly kind: 'listening'; readonly address: string }
  /** The worker accepts no new connections. */
  | { readonly kind: 'closed' }
  /**
   * The worker cannot continue. `reason` is one line for the operator. `isUnreachable` is true if the database could
   * not be reached (`StoreUnreachable`).
   */
  | { readonly kind: 'fault'; readonly reason: string; readonly isUnreachable: boolean }
  /** The answer to a `report` of the supervisor. A worker also sends it once before it ends. */
  | { readonly kind: 'report'; readonly metrics: Metrics }
  /**
   * Sent every `heartbeatIntervalMs`, so that the supervisor notices a worker that hangs or cannot read the registry
   * (`isReady`).
   */
  | { readonly kind: 'heartbeat'; readonly isReady: boolean }
  /** Count requests of the client with this name (client-address.ts) for the rate limit, then send `quota`. */
  | { readonly kind: 'count-requests'; readonly id: number; readonly client: string; readonly requests: number }

export type ToWorker =
  /** Accept no new connections, then send `closed`. */
  | { readonly kind: 'close' }
  /** Send a report of the metrics. */
  | { readonly kind: 'report' }
  /** The answer to `count-requests`: what is left of the client's quota. */
  | { readonly kind: 'quota'; readonly id: number; readonly quota: Quota }

/** Whether the message is a `FromWorker`; Node sends messages of its own on the same channel. */
export function isFromWorker(message: unknown): message is FromWorker {
  return hasKind(message, ['listening', 'closed', 'fault', 'report', 'heartbeat', 'count-requests'])
}

export function isToWorker(message: unknown): message is ToWorker {
  return hasKind(message, ['close', 'report', 'quota'])
}

function hasKind(message: unknown, kinds: readonly string[]): boolean {
  return (
    typeof message === 'object' &&
    message !== null &&
    'kind' in message &&
    typeof message.kind === 'string' &&
    kinds.includes(message.kind)
  )
}
