// Deadline of a request: it expires when the client disconnects, or when the first byte of the response is not ready
// within `firstByteTimeoutMs`. A search checks it after every time slice and stops if it has expired. The deadline also
// has the name of the client, so that the scheduler shares the time between clients.
import type { IncomingMessage } from 'node:http'
import type { Deadline } from '../domain/deadline.ts'
import { type TrustedProxy, toClientName } from './client-address.ts'
import { firstByteTimeoutMs } from './limits.ts'

export class RequestDeadline implements Deadline {
  readonly #request: IncomingMessage
  readonly #trustedProxies: readonly TrustedProxy[]
  #client: string | undefined
  /** On the clock of `performance.now()`. */
  #expiresAt: number = performance.now() + firstByteTimeoutMs

  constructor(request: IncomingMessage, trustedProxies: readonly TrustedProxy[] = []) {
    this.#request = request
    this.#trustedProxies = trustedProxies
  }

  /** Computed on demand, because only long searches need it. */
  get client(): string {
    this.#client ??= toClientName(this.#request, this.#trustedProxies)
    return this.#client
  }

  get isExpired(): boolean {
    return this.isClientGone || performance.now() > this.#expiresAt
  }

  /** Whether the client has closed the connection, or reset the stream of HTTP/2. */
  get isClientGone(): boolean {
    // The request object has a `stream` with HTTP/2, and none with HTTP/1.1.
    const request: IncomingMessage & { readonly stream?: unknown } = this.#request
    const { stream } = request
    const isStreamReset =
      typeof stream === 'object' && stream !== null && 'destroyed' in stream && stream.destroyed === true
    return isStreamReset || request.socket.destroyed
  }

  /** Called when the first byte is ready: the time limit ends, because the client sets the pace from now on. */
  markStarted(): void {
    this.#expiresAt = Number.POSITIVE_INFINITY
  }
}
