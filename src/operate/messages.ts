// What the first process and its workers say to each other.
import type { ChildProcess } from 'node:child_process'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { RawConnection } from '../api/raw-connection.ts'
import { putOffClosing, toSendHandle } from '../api/raw-connection.ts'

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
  /** Comes with a connection, to be held as well (custody.ts). */
  | { readonly kind: 'kept'; readonly id: number }
  /** To be held no longer. */
  | { readonly kind: 'released'; readonly id: number }

export type ToWorker =
  /** Take no new connection any more. */
  | { readonly kind: 'close' }
  | { readonly kind: 'report' }
  | { readonly kind: 'counts'; readonly counts: Counts }
  /** Comes with a connection that a worker left when it died. */
  | { readonly kind: 'adopt'; readonly id: number }
  /** Follows a connection, which is not there where this process had no descriptor left for it. */
  | { readonly kind: 'passed'; readonly id: number }

/** Our own processes speak; anything else on the channel (Node's own messages) is no business of ours. */
export function isFromWorker(message: unknown): message is FromWorker {
  return hasKind(message, ['listening', 'closed', 'fault', 'report', 'counts', 'kept', 'released'])
}

export function isToWorker(message: unknown): message is ToWorker {
  return hasKind(message, ['close', 'report', 'counts', 'adopt', 'passed'])
}

/**
 * Sends a connection. Node holds back whatever is sent after one until the other side has it, and in a way that costs
 * more the more there is of it: so no second one should be sent before `whenPassed`.
 */
export function pass(
  channel: ChildProcess | NodeJS.Process,
  message: Extract<FromWorker, { kind: 'kept' }> | Extract<ToWorker, { kind: 'adopt' }>,
  raw: RawConnection,
  whenPassed: (error: Error | null) => void,
): void {
  const passed: ToWorker = { kind: 'passed', id: message.id }
  // A channel that is full takes it later.
  const letClose = putOffClosing(raw)
  channel.send?.(message, toSendHandle(raw), undefined, () => letClose())
  channel.send?.(passed, undefined, undefined, whenPassed)
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
