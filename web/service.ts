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
  | { readonly kind: 'refused'; readonly code: string | null }
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number }
  | { readonly kind: 'failed'; readonly requestId: string | null }
  | { readonly kind: 'offline' }

export type ServiceCall<T> = (client: RegistryClient, options: SearchOptions) => Promise<T>

export async function callService<T>(call: ServiceCall<T>, signal: AbortSignal): Promise<Outcome<T>> {
  // The client's errors have no headers, and the page needs `Retry-After` and `X-Request-Id`.
  let headers = new Headers()
  const keepHeaders: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    headers = response.headers
    return response
  }
  const client = createClient(baseUrl, { retries: 0, timeoutMs: timeoutMaxMs, fetch: keepHeaders })
  const problems: WireProblem[] = []
  try {
    const value = await call(client, { signal, onEmpty: (problem) => problems.push(problem) })
    const [problem] = problems
    return problem === undefined ? { kind: 'found', value } : toNoMatch(problem)
  } catch (error) {
    return signal.aborted ? { kind: 'cancelled' } : toFailure(error, headers)
  }
}

/** The longest delay of setTimeout: the page has no time limit of its own. */
const timeoutMaxMs = 2 ** 31 - 1

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
    if (status !== 200) throw new RegistryError('unexpected', `Cannot load ${url}: status ${status}`, { url, status })
    const value: T = await response.json()
    return value
  }, signal)
}

function toNoMatch({ type, suggestions = [] }: WireProblem): NoMatch {
  return { kind: 'empty', code: type.slice(type.lastIndexOf('/') + 1), suggestions }
}

function toFailure(error: unknown, headers: Headers): Failure {
  const { status = null, code = null } = error instanceof RegistryError ? error : {}
  // Without a status there was no response; with 200 its body was cut off.
  if (status === null || status < 400) return { kind: 'offline' }
  if (status === 429 || status === 503) return { kind: 'busy', retryAfterSeconds: parseRetryAfter(headers) }
  if (status < 500) return { kind: 'refused', code }
  return { kind: 'failed', requestId: headers.get('x-request-id') }
}

/** `Retry-After` in seconds (RFC 9110, section 10.2.3); the service never sends a date. */
function parseRetryAfter(headers: Headers): number {
  const seconds = Number(headers.get('retry-after'))
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : retryAfterSecondsDefault
}

const retryAfterSecondsDefault = 5
