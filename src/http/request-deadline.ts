// Deadline of a request: it expires when the client disconnects, or when there is no first byte within the time limit.
// Searches check it at every time slice.

import type { IncomingMessage } from 'node:http'
import type { Deadline } from '../domain/deadline.ts'
import { firstByteTimeoutMs } from './limits.ts'

export class RequestDeadline implements Deadline {
  readonly #request: IncomingMessage
  #expiresAt: number = performance.now() + firstByteTimeoutMs

  constructor(request: IncomingMessage) {
    this.#request = request
  }

  get isExpired(): boolean {
    return this.isGone || performance.now() > this.#expiresAt
  }

  /** The client has closed the connection, or reset the stream of HTTP/2. */
  get isGone(): boolean {
    const request: IncomingMessage & { readonly stream?: unknown } = this.#request
    const { stream } = request
    const isReset = typeof stream === 'object' && stream !== null && 'destroyed' in stream && stream.destroyed === true
    return isReset || request.socket.destroyed
  }

  /** Called when the first byte is ready: the time limit ends, because the client sets the pace from now on. */
  begin(): void {
    this.#expiresAt = Number.POSITIVE_INFINITY
  }
}
