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
  /** With `reload`, no cache should answer: `fetch` skips its own, and sends `Cache-Control: no-cache` to others. */
  readonly cacheMode?: 'reload'
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
    throwIfAborted(signal)
    const outcome = await send(url, options, signal, headers)
    // `instanceof Response` would be false for the response of another fetch than the global one.
    const response = outcome instanceof RegistryError ? undefined : outcome
    if (response !== undefined && !retryStatuses.has(response.status)) return response
    const retryAfterMs = response === undefined ? null : parseRetryAfter(response)
    const isDelayTooLong = retryAfterMs !== null && retryAfterMs > delayMaxMs
    if (attempt >= options.retries || isDelayTooLong) {
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

/** The error for a response whose status is not a success. Rejects if its body is incomplete or the caller aborts. */
export async function toError(
  url: string,
  response: Response,
  signal: AbortSignal | undefined,
): Promise<RegistryError> {
  const problem = await readProblem(url, response, signal)
  if (problem === undefined) {
    const reason = `status ${response.status} without a problem body; is this the base address of a registry?`
    const message = `Cannot read the response of ${url}: ${reason}`
    return new RegistryError('unexpected', message, { url, response })
  }
  return new RegistryError('problem', `${problem.title}: ${problem.detail}`, { url, response, problem })
}

/** Sends the request once. Returns an error of the connection, because `request` may retry; throws if aborted. */
async function send(
  url: string,
  options: RequestOptions,
  signal: AbortSignal | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<Response | RegistryError> {
  // The timeout ends when the response begins: reading a long result may take longer.
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), Math.min(options.timeoutMs, timerMsMax))
  try {
    return await options.fetch(url, {
      ...(options.cacheMode === undefined ? {} : { cache: options.cacheMode }),
      headers: { accept: 'application/json', ...options.headers, ...headers },
      signal: signal === undefined ? timeout.signal : toEitherSignal(signal, timeout),
    })
  } catch (cause) {
    throwIfAborted(signal)
    const reason = timeout.signal.aborted ? `no response within ${options.timeoutMs} ms` : toReason(cause)
    return new RegistryError('unreachable', `Cannot reach ${url}: ${reason}`, { url, cause })
  } finally {
    clearTimeout(timer)
  }
}

/** A signal that aborts when the caller or the timeout does. */
function toEitherSignal(signal: AbortSignal, timeout: AbortController): AbortSignal {
  if ('any' in AbortSignal) return AbortSignal.any([signal, timeout.signal])
  // Browsers from before March 2024. The listener stays until `signal` is freed.
  signal.addEventListener('abort', () => timeout.abort(), { once: true })
  return timeout.signal
}

/** The reason of a failed fetch. The message of Node's fetch is only "fetch failed"; its cause has the reason. */
export function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}

/** The body as text. Rejects if it is incomplete, or with the reason of the signal if the caller has aborted. */
export async function readText(url: string, response: Response, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await response.text()
  } catch (cause) {
    throwIfAborted(signal)
    throw toIncompleteError(url, response, cause)
  }
}

export function toIncompleteError(url: string, response: Response, cause: unknown): RegistryError {
  const message = `Cannot read the whole response of ${url}: ${toReason(cause)}; try again`
  return new RegistryError('incomplete', message, { url, response, cause })
}

/** The problem in the body. Undefined if there is none: the response is not from a registry but, say, from a proxy. */
async function readProblem(
  url: string,
  response: Response,
  signal: AbortSignal | undefined,
): Promise<WireProblem | undefined> {
  if (!(response.headers.get('content-type') ?? '').includes('application/problem+json')) {
    await discardBody(response)
    throwIfAborted(signal)
    return undefined
  }
  const text = await readText(url, response, signal)
  try {
    const body: unknown = JSON.parse(text)
    return isProblem(body) ? body : undefined
  } catch {
    return undefined
  }
}

/** Cancels a body that is not read. Cancelling fails only if the body has failed already. */
export async function discardBody({ body }: Response): Promise<void> {
  await body?.cancel().catch(() => {})
}

function isProblem(body: unknown): body is WireProblem {
  if (typeof body !== 'object' || body === null) return false
  const { type, title, detail } = body as Partial<Record<keyof WireProblem, unknown>>
  return typeof type === 'string' && typeof title === 'string' && typeof detail === 'string'
}

/** Throws the reason of the signal if it has aborted. Chrome before 100 has no `AbortSignal.throwIfAborted`. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw toAbortReason(signal)
}

/** Signals have no reason in Chrome before 98. */
function toAbortReason(signal: AbortSignal | undefined): unknown {
  return signal?.reason ?? new DOMException('The request was aborted', 'AbortError')
}

/** Resolves after the time; rejects with the reason of the signal when it aborts. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    // An aborted signal sends no further event.
    throwIfAborted(signal)
    const onAbort = (): void => {
      clearTimeout(timer)
      reject(toAbortReason(signal))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
