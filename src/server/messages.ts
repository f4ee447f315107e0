// What the first process and its workers say to each other.
import type { MetricObjectWithValues, MetricValue } from 'prom-client'

export type Metrics = MetricObjectWithValues<MetricValue<string>>[]

/** Requests counted for the rate limit, by client. */
export type Counts = readonly (readonly [string, number])[]

/** What a process says of itself when the admin port asks. */
export interface Report {
  readonly isReady: boolean
  readonly metrics: Metrics
}

export type FromWorker =
  | { readonly kind: 'listening'; readonly address: string }
  /** It takes no new connection any more. */
  | { readonly kind: 'closed' }
  /** It cannot go on: one line that names the thing and the mend. */
  | { readonly kind: 'fault'; readonly message: string }
  | { readonly kind: 'report'; readonly report: Report }
  | { readonly kind: 'counts'; readonly counts: Counts }

export type ToWorker =
  /** Take no new connection any more. */
  { readonly kind: 'close' } | { readonly kind: 'report' } | { readonly kind: 'counts'; readonly counts: Counts }

/** Our own processes speak; anything else on the channel (Node's own messages) is no business of ours. */
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
