// Messages between the supervisor and its workers.
import type { MetricObjectWithValues, MetricValue } from 'prom-client'

export type Metrics = MetricObjectWithValues<MetricValue<string>>[]

/** Requests counted for the rate limit, by client. */
export type Counts = readonly (readonly [string, number])[]

/** The state of a worker, for the admin port. */
export interface Report {
  readonly isReady: boolean
  readonly metrics: Metrics
}

export type FromWorker =
  | { readonly kind: 'listening'; readonly address: string }
  /** The worker accepts no new connections. */
  | { readonly kind: 'closed' }
  /** The worker cannot continue; the message is one line for the operator. */
  | { readonly kind: 'fault'; readonly message: string }
  | { readonly kind: 'report'; readonly report: Report }
  | { readonly kind: 'counts'; readonly counts: Counts }

export type ToWorker =
  /** Accept no new connections. */
  { readonly kind: 'close' } | { readonly kind: 'report' } | { readonly kind: 'counts'; readonly counts: Counts }

/** Node sends messages of its own on the same channel. */
export function isFromWorker(message: unknown): message is FromWorker {
  return hasKind(message, ['listening', 'closed', 'fault', 'report', 'counts'])
}

export function isToWorker(message: unknown): message is ToWorker {
  return hasKind(message, ['close', 'report', 'counts'])
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
