// Calls the service through the typed client (src/client) and turns results and errors into the outcomes that the
// page shows.
import {
  createClient,
  type RegistryClient,
  RegistryError,
  type SearchOptions,
  type WireProblem,
  type WireSummary,
} from '../src/client/client.ts'
import { baseUrl } from './search-url.ts'

export type YearCount = WireSummary['by_year'][number]
export type MunicipalityCount = WireSummary['by_municipality'][number]

export type Outcome<T> =
  | { readonly kind: 'found'; readonly value: T }
  | NoMatch
  | Failure
  /** The caller aborted the call. */
  | { readonly kind: 'cancelled' }

export interface NoMatch {
  readonly kind: 'empty'
  /** The last segment of the problem's `type`, such as `unknown-municipality`. */
  readonly code: string
  readonly suggestions: readonly string[]
}

export type Failure =
  /** A 4xx response; `code` is that of the problem. */
  | { readonly kind: 'refused'; readonly code: string | null }
  /** The service is overloaded, or this client has sent too many requests. */
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number }
  /** A 5xx response. */
  | { readonly kind: 'failed'; readonly requestId: string | null }
  /** No response, or an incomplete one. */
  | { readonly kind: 'offline' }

export type ServiceCall<T> = (client: RegistryClient, options: SearchOptions) => Promise<T>

/** The longest delay of setTimeout, so in effect none: the browser and the service have time limits of their own. */
const timeoutMaxMs = 2 ** 31 - 1

const client = createClient(baseUrl, { retries: 0, timeoutMs: timeoutMaxMs })

/** Calls the service once. Never rejects. */
export async function callService<T>(call: ServiceCall<T>, signal: AbortSignal): Promise<Outcome<T>> {
  const problems: WireProblem[] = []
  try {
    const value = await call(client, { signal, onEmpty: (problem) => problems.push(problem) })
    const [problem] = problems
    return problem === undefined ? { kind: 'found', value } : toNoMatch(problem)
  } catch (error) {
    return signal.aborted ? { kind: 'cancelled' } : toFailure(error)
  }
}

/** Like `callService`, but repeats the call while the service is busy. */
export async function callWithRetry<T>(call: ServiceCall<T>, signal: AbortSignal): Promise<Outcome<T>> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await callService(call, signal)
    if (outcome.kind !== 'busy' || attempt >= attemptsMax) return outcome
    await new Promise((resolve) => setTimeout(resolve, outcome.retryAfterSeconds * 1000))
  }
}

const attemptsMax = 6

/** Reads a JSON file that belongs to the page, such as the boundaries of a province. */
export function readJsonAsset<T>(url: string, signal: AbortSignal): Promise<Outcome<T>> {
  return callWithRetry(async () => {
    const response = await fetch(url, { signal })
    const { status } = response
    if (status !== 200) throw new RegistryError('unexpected', `Cannot load ${url}: status ${status}`, { url, response })
    const value: T = await response.json()
    return value
  }, signal)
}

function toNoMatch({ type, suggestions = [] }: WireProblem): NoMatch {
  return { kind: 'empty', code: type.slice(type.lastIndexOf('/') + 1), suggestions }
}

function toFailure(error: unknown): Failure {
  if (!(error instanceof RegistryError)) return { kind: 'offline' }
  const { status, code, requestId } = error
  // Without a status there was no response; with 200 its body was cut off.
  if (status === null || status < 400) return { kind: 'offline' }
  if (status === 429 || status === 503) return { kind: 'busy', retryAfterSeconds: toRetryAfterSeconds(error) }
  if (status < 500) return { kind: 'refused', code }
  return { kind: 'failed', requestId }
}

const retryAfterSecondsDefault = 5

function toRetryAfterSeconds({ retryAfterMs }: RegistryError): number {
  return retryAfterMs === null || retryAfterMs === 0 ? retryAfterSecondsDefault : Math.ceil(retryAfterMs / 1000)
}
