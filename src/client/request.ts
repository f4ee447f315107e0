// Sends a GET request with a timeout and retries, and turns failures into `RegistryError`. client.ts calls it and reads
// the response.
import type { WireProblem } from '../domain/wire.ts'
import { parseRetryAfter, RegistryError } from './error.ts'

/** How requests are sent. `ClientOptions` in contract.ts says what each option means. */
export interface RequestOptions {
  readonly fetch: typeof fetch
  readonly headers: Readonly<Record<string, string>>
  readonly retries: number
  readonly timeoutMs: number
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/** Statuses to retry: the failure may be temporary. */
const retryStatuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])
/** The longest delay before the first retry, without a Retry-After. It doubles with each retry (`toBackoffMs`). */
const firstBackoffMs = 250
/** If Retry-After asks for a longer delay, the request fails at once. */
const delayMaxMs = 60_000
/** The longest delay that `setTimeout` accepts. For a longer one, such as Infinity, it would wait only 1 ms. */
const timerMsMax = 2 ** 31 - 1

/**
 * Resolves to a response whose status is not one of `retryStatuses`. Rejects when the retries are used up, when
 * Retry-After asks for too long a delay, and when the signal aborts. `headers` are only for this request, besides
 * `options.headers`, which every request has.
 */
export async function request(
  url: string,
  options: RequestOptions,
  signal: AbortSignal | undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted()
    const outcome = await send(url, options, signal, headers)
    // `instanceof Response` would be false for the response of another fetch than the global one.
    const response = outcome instanceof RegistryError ? undefined : outcome
    if (response !== undefined && !retryStatuses.has(response.status)) return response
    const retryAfterMs = response === undefined ? null : parseRetryAfter(response)
    if (attempt >= options.retries || (retryAfterMs ?? 0) > delayMaxMs) {
      throw response === undefined ? outcome : await toError(url, response, signal)
    }
    if (response !== undefined) await discardBody(response)
    await options.wait(retryAfterMs ?? toBackoffMs(attempt), signal)
  }
}

/** A random delay from 50 % to 100 % of the longest one, so that many clients do not retry at the same moment. */
function toBackoffMs(attempt: number): number {
  return firstBackoffMs * 2 ** attempt * (0.5 + Math.random() / 2)
}

/** Sends the request once. Returns an error of the connection, because `request` may retry; throws if aborted. */
async function send(
  url: string,
  { fetch, headers, timeoutMs }: RequestOptions,
  signal: AbortSignal | undefined,
  ownHeaders: Readonly<Record<string, string>>,
): Promise<Response | RegistryError> {
  // The timeout ends when the response begins: reading a long result may take longer.
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), Math.min(timeoutMs, timerMsMax))
  try {
    return await fetch(url, {
      headers: { accept: 'application/json', ...headers, ...ownHeaders },
      signal: signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]),
    })
  } catch (cause) {
    signal?.throwIfAborted()
    const reason = timeout.signal.aborted ? `no response within ${timeoutMs} ms` : toReason(cause)
    return new RegistryError('unreachable', `Cannot reach ${url}: ${reason}`, { url, cause })
  } finally {
    clearTimeout(timer)
  }
}

/** The reason of a failed fetch. The message of Node's fetch is only "fetch failed"; its cause has the reason. */
export function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}

/** The error for a response whose status is not a success. Rejects if its body is incomplete or the caller aborts. */
export async function toError(
  url: string,
  response: Response,
  signal: AbortSignal | undefined,
): Promise<RegistryError> {
  const text = await readText(url, response, signal)
  const isProblem = (response.headers.get('content-type') ?? '').includes('application/problem+json')
  const problem = isProblem ? parseProblem(text) : undefined
  if (problem !== undefined) {
    return new RegistryError('problem', `${problem.title}: ${problem.detail}`, { url, response, problem })
  }
  return toUnexpectedError(url, response, `status ${response.status} without a problem body`)
}

/** The problem; undefined if the text has none: the response is not from a registry but, say, from a proxy. */
function parseProblem(text: string): WireProblem | undefined {
  try {
    const body: Partial<WireProblem> | null = JSON.parse(text)
    const isProblem = [body?.type, body?.title, body?.detail].every((member) => typeof member === 'string')
    return isProblem ? (body as WireProblem) : undefined
  } catch {
    return undefined
  }
}

export function toUnexpectedError(url: string, response: Response, reason: string): RegistryError {
  const message = `Cannot read the response of ${url}: ${reason}; is this the base address of a registry?`
  return new RegistryError('unexpected', message, { url, response })
}

/** The body as text. Rejects if it is incomplete, or with the reason of the signal if the caller has aborted. */
export async function readText(url: string, response: Response, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await response.text()
  } catch (cause) {
    signal?.throwIfAborted()
    const message = `Cannot read the whole response of ${url}: ${toReason(cause)}; try again`
    throw new RegistryError('incomplete', message, { url, response, cause })
  }
}

/** Cancels a body that is not read. Cancelling fails only if the body has failed already. */
async function discardBody({ body }: Response): Promise<void> {
  await body?.cancel().catch(() => {})
}

/** Resolves after the time; rejects with the reason of the signal when it aborts. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    // An aborted signal sends no further event.
    signal?.throwIfAborted()
    const onAbort = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
