// Calls the service through the typed client (src/client) and turns results and errors into the outcomes that the
// page shows. In the browser the client sends requests; on the server it calls the operations in the same process.
import {
  type RegistryClient,
  RegistryError,
  type SearchOptions,
  type WireProblem,
  type WireSummary,
} from '../src/client/client.ts'
import { toProblemCode } from '../src/client/error.ts'
import { wait } from '../src/client/request.ts'

export type YearCount = WireSummary['by_year'][number]
export type MunicipalityCount = WireSummary['by_municipality'][number]

export type Outcome<T> =
  | { readonly kind: 'found'; readonly value: T }
  | NoMatch
  | Failure
  /** The caller aborted the call. */
  | { readonly kind: 'cancelled' }

/** The service has responded with 404, because nothing matches, and says why. */
export interface NoMatch {
  readonly kind: 'empty'
  /** The last segment of the `type` of the problem (RFC 9457) in the response, such as `unknown-municipality`. */
  readonly code: string
  /** The parameter that the suggestions are values of; null if the service names none. */
  readonly parameter: string | null
  readonly suggestions: readonly string[]
}

export type Failure =
  /**
   * A 4xx response, but not 429 or the 404 of a search without results. `code` and `parameter` are those of its
   * problem; null if it names none.
   */
  | { readonly kind: 'refused'; readonly code: string | null; readonly parameter: string | null }
  /** A 503 response: the service is overloaded, or it cannot read the registry. */
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number }
  /** A 429 response: too many requests have come from the address of this user. */
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }
  /** A 5xx response other than 503. `requestId` finds it in the log of the service; null if the response has none. */
  | { readonly kind: 'failed'; readonly requestId: string | null }
  /** No response, or one with a status below 400 that is incomplete or not from the service. */
  | { readonly kind: 'offline' }

/** Calls one operation of the client with the options. */
export type ServiceCall<T> = (client: RegistryClient, options: SearchOptions) => Promise<T>

/** The service as the page uses it. Neither function rejects. */
export interface Service {
  /** Calls the service once. */
  readonly call: <T>(operation: ServiceCall<T>) => Promise<Outcome<T>>
  /** Repeats the call while the outcome is `busy` or `limited`, up to `attemptsMax` calls in all. */
  readonly callWithRetry: <T>(operation: ServiceCall<T>) => Promise<Outcome<T>>
}

/** `attemptsMax` is the most calls of one `callWithRetry`. Calls that the signal aborts are `cancelled`. */
export function toService(client: RegistryClient, signal: AbortSignal, attemptsMax: number): Service {
  const callOnce = <T>(operation: ServiceCall<T>): Promise<Outcome<T>> => callService(client, operation, signal)
  return {
    call: callOnce,
    callWithRetry: async (operation) => {
      for (let attempt = 1; ; attempt++) {
        const outcome = await callOnce(operation)
        const isWorthRepeating = outcome.kind === 'busy' || outcome.kind === 'limited'
        if (!isWorthRepeating || attempt >= attemptsMax) return outcome
        // An abort ends the pause, and the next attempt is `cancelled`.
        await wait(outcome.retryAfterSeconds * 1000, signal).catch(() => undefined)
      }
    },
  }
}

async function callService<T>(
  client: RegistryClient,
  operation: ServiceCall<T>,
  signal: AbortSignal,
): Promise<Outcome<T>> {
  // The client passes the problem of an empty result to `onEmpty`, and returns an empty value.
  const problems: WireProblem[] = []
  try {
    const value = await operation(client, { signal, onEmpty: (problem) => problems.push(problem) })
    const [problem] = problems
    return problem === undefined ? { kind: 'found', value } : toNoMatch(problem)
  } catch (error) {
    return signal.aborted ? { kind: 'cancelled' } : toFailure(error)
  }
}

function toNoMatch(problem: WireProblem): NoMatch {
  const { parameter = null, suggestions = [] } = problem
  return { kind: 'empty', code: toProblemCode(problem), parameter, suggestions }
}

function toFailure(error: unknown): Failure {
  if (!(error instanceof RegistryError)) return { kind: 'offline' }
  const { status, code, requestId, problem } = error
  // Without a status there was no response; below 400 its body was cut off or is not from the service.
  if (status === null || status < 400) return { kind: 'offline' }
  if (status === 429) return { kind: 'limited', retryAfterSeconds: toRetryAfterSeconds(error) }
  if (status === 503) return { kind: 'busy', retryAfterSeconds: toRetryAfterSeconds(error) }
  if (status < 500) return { kind: 'refused', code, parameter: problem?.parameter ?? null }
  return { kind: 'failed', requestId }
}

/** Used if the response does not say when to try again, or says 0, which would repeat the call without a pause. */
const retryAfterSecondsDefault = 5

function toRetryAfterSeconds({ retryAfterMs }: RegistryError): number {
  return retryAfterMs === null || retryAfterMs === 0 ? retryAfterSecondsDefault : Math.ceil(retryAfterMs / 1000)
}
