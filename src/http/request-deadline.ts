// How long a request is worth working on: as long as its client is there, and until its first byte no longer than the
// limit. Searches ask at every turn (search/walk.ts).

import type { IncomingMessage } from 'node:http'
import type { Deadline } from '../domain/deadline.ts'
import { firstByteTimeoutMs } from './limits.ts'

export class RequestDeadline implements Deadline {
  readonly #request: IncomingMessage
  #deadlineMs: number = performance.now() + firstByteTimeoutMs

  constructor(request: IncomingMessage) {
    this.#request = request
  }

  get isExpired(): boolean {
    return this.isGone || performance.now() > this.#deadlineMs
  }

  /** The client has closed the connection, or by HTTP/2 given up this one request. */
  get isGone(): boolean {
    const request: IncomingMessage & { readonly stream?: unknown } = this.#request
    const { stream } = request
    const isReset = typeof stream === 'object' && stream !== null && 'destroyed' in stream && stream.destroyed === true
    return isReset || request.socket.destroyed
  }

  /** The first byte is on its way; from now on the pace is the reader's. */
  begin(): void {
    this.#deadlineMs = Number.POSITIVE_INFINITY
  }
}
