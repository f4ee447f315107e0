// The one error that the client throws. An abort by the caller is not one of them: it rejects with the reason of the
// signal, as fetch does.
import type { WireProblem } from '../domain/wire.ts'

export type RegistryErrorKind =
  /** The service answered with a problem; `problem` says which. */
  | 'problem'
  /** No answer was to be had, after all retries. */
  | 'unreachable'
  /** The answer broke off before its end. */
  | 'incomplete'
  /** The answer is not one of a registry: a wrong address, or something in between. */
  | 'unexpected'

export class RegistryError extends Error {
  override readonly name = 'RegistryError'
  readonly kind: RegistryErrorKind
  readonly url: string
  /** Null where there was no answer. */
  readonly status: number | null
  readonly problem: WireProblem | null

  constructor(kind: RegistryErrorKind, message: string, context: RegistryErrorContext) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause })
    this.kind = kind
    this.url = context.url
    this.status = context.status ?? null
    this.problem = context.problem ?? null
  }

  /** The last part of the problem's `type`, such as `unknown-parameter`; null where there is no problem. */
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
