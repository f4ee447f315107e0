// Messages between the supervisor (supervisor.ts) and its workers (worker.ts), over the IPC channel of Node.
import type { MetricObjectWithValues, MetricValue } from 'prom-client'

export type Metrics = MetricObjectWithValues<MetricValue<string>>[]

/** Pairs of a client and the requests it has sent since the last message, for the rate limit. */
export type RateLimitCounts = readonly (readonly [string, number])[]

/** The state of a worker, for the admin port. */
export interface Report {
  readonly isReady: boolean
  readonly metrics: Metrics
}

export type FromWorker =
  | { readonly kind: 'listening'; readonly address: string }
  /** The worker accepts no new connections. */
  | { readonly kind: 'closed' }
  /** The worker cannot continue; the reason is one line for the operator. */
  | { readonly kind: 'fault'; readonly reason: string }
  | { readonly kind: 'report'; readonly report: Report }
  /** The supervisor forwards it to the other workers. */
  | RateLimitMessage

export type ToWorker =
  /** Accept no new connections, then send `closed`. */
  | { readonly kind: 'close' }
  /** Send a report. */
  | { readonly kind: 'report' }
  | RateLimitMessage

interface RateLimitMessage {
  readonly kind: 'rate-limit-counts'
  readonly counts: RateLimitCounts
}

/** Whether it is one of the messages above; Node sends messages of its own on the same channel. */
export function isFromWorker(message: unknown): message is FromWorker {
  return hasKind(message, ['listening', 'closed', 'fault', 'report', 'rate-limit-counts'])
}

export function isToWorker(message: unknown): message is ToWorker {
  return hasKind(message, ['close', 'report', 'rate-limit-counts'])
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
