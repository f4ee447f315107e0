// The error class of the client. An abort by the caller is not a RegistryError: it rejects with the signal's reason, as
// fetch does.
import type { WireProblem } from '../domain/wire.ts'

export type RegistryErrorKind =
  /** The base address is not an http: or https: URL. */
  | 'invalid-address'
  /** The service refused the request; `problem` is the response body. */
  | 'problem'
  /** There was no response after all retries. */
  | 'unreachable'
  /** The connection closed before the end of the response. */
  | 'incomplete'
  /** The response is not from a registry: the address is wrong, or a proxy responded. */
  | 'unexpected'

export class RegistryError extends Error {
  override readonly name = 'RegistryError'
  readonly kind: RegistryErrorKind
  readonly url: string
  /** HTTP status; null if there was no response. */
  readonly status: number | null
  readonly problem: WireProblem | null

  constructor(kind: RegistryErrorKind, message: string, context: RegistryErrorContext) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause })
    this.kind = kind
    this.url = context.url
    this.status = context.status ?? null
    this.problem = context.problem ?? null
  }

  /** The last segment of the problem's `type`, such as `unknown-parameter`; null without a problem. */
  get code(): string | null {
    return this.problem === null ? null : toProblemCode(this.problem)
  }
}

export interface RegistryErrorContext {
  readonly url: string
  readonly status?: number
  readonly problem?: WireProblem
  readonly cause?: unknown
}

export function toProblemCode(problem: WireProblem): string {
  return problem.type.slice(problem.type.lastIndexOf('/') + 1)
}
