// The error class of the client. An abort by the caller is not a RegistryError: the call rejects with the signal's
// reason, as fetch does.
import type { WireProblem } from '../domain/wire.ts'

export type RegistryErrorKind =
  /** The base address is not an http: or https: URL. */
  | 'invalid-address'
  /** The service responded with an error; `problem` is the response body. */
  | 'problem'
  /** The last attempt got no response. */
  | 'unreachable'
  /** The body of the response ended too early. */
  | 'incomplete'
  /** The response is not from a registry: the address is wrong, or a proxy responded. */
  | 'unexpected'

/** Why a call of the client failed. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'
  readonly kind: RegistryErrorKind
  readonly url: string
  /** HTTP status; null if there was no response. */
  readonly status: number | null
  /** The body of the response; null unless the kind is `problem`. */
  readonly problem: WireProblem | null
  /** The delay that the service asked for in `Retry-After`; null if it asked for none. */
  readonly retryAfterMs: number | null
  /** The service's identifier of the request, for an error report; null if there is none. */
  readonly requestId: string | null

  constructor(kind: RegistryErrorKind, message: string, context: RegistryErrorContext) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause })
    this.kind = kind
    this.url = context.url
    this.status = context.response?.status ?? null
    this.problem = context.problem ?? null
    this.retryAfterMs = context.response === undefined ? null : parseRetryAfter(context.response)
    this.requestId = context.response?.headers.get('x-request-id') ?? null
  }

  /** The last segment of the problem's `type`, such as `unknown-parameter`; null without a problem. */
  get code(): string | null {
    return this.problem === null ? null : toProblemCode(this.problem)
  }
}

export interface RegistryErrorContext {
  readonly url: string
  /** The response whose status and headers the error reports. */
  readonly response?: Response
  readonly problem?: WireProblem
  readonly cause?: unknown
}

/**
 * `Retry-After` is a number of seconds or a date (RFC 9110, section 10.2.3). The result is milliseconds from now; null
 * without the header, or if it is neither.
 */
export function parseRetryAfter({ headers }: Response): number | null {
  const text = headers.get('retry-after') ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now())
}

/** The last segment of the problem's `type`. */
export function toProblemCode(problem: WireProblem): string {
  return problem.type.slice(problem.type.lastIndexOf('/') + 1)
}
