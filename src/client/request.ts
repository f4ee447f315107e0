// One GET on its way to the service and back: time-out, retries with back-off, and errors as `RegistryError`. What an
// answer means is left to client.ts.
import type { WireProblem } from '../domain/wire.ts'
import { RegistryError } from './error.ts'

export interface RequestOptions {
  readonly fetch: typeof fetch
  readonly headers: Readonly<Record<string, string>>
  readonly retries: number
  readonly timeoutMs: number
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/** Statuses that a moment may mend. */
const passingStatuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])
const firstBackOffMs = 250
/** A service that asks for a longer pause than this is given up on. */
const pauseMaxMs = 60_000

/** Resolves to an answer of any status but the passing ones, which it tries again until `retries` are used up. */
export async function request(
  url: string,
  options: RequestOptions,
  signal: AbortSignal | undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted()
    const outcome = await ask(url, options, signal, headers)
    if (outcome instanceof Response && !passingStatuses.has(outcome.status)) return outcome
    const pauseMs = outcome instanceof Response ? readRetryAfter(outcome.headers.get('retry-after')) : undefined
    if (attempt >= options.retries || (pauseMs !== undefined && pauseMs > pauseMaxMs)) {
      throw outcome instanceof Response ? await toError(url, outcome) : outcome
    }
    if (outcome instanceof Response) await outcome.body?.cancel()
    // Between half and the whole of the back-off, so that many clients do not come back at once.
    await options.wait(pauseMs ?? firstBackOffMs * 2 ** attempt * (0.5 + Math.random() / 2), signal)
  }
}

/** The error that an answer stands for. */
export async function toError(url: string, response: Response): Promise<RegistryError> {
  const { status } = response
  const problem = await readProblem(response)
  if (problem === undefined) {
    const message = `Cannot read the answer of ${url}: status ${status} without a problem; is this the base address of a registry?`
    return new RegistryError('unexpected', message, { url, status })
  }
  return new RegistryError('problem', `${problem.title}: ${problem.detail}`, { url, status, problem })
}

async function ask(
  url: string,
  options: RequestOptions,
  signal: AbortSignal | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<Response | RegistryError> {
  // The time-out covers the wait for an answer, not the reading of it: a long result may take its time.
  const overdue = new AbortController()
  const timer = setTimeout(() => overdue.abort(), options.timeoutMs)
  try {
    return await options.fetch(url, {
      headers: { accept: 'application/json', ...options.headers, ...headers },
      signal: signal === undefined ? overdue.signal : AbortSignal.any([signal, overdue.signal]),
    })
  } catch (cause) {
    signal?.throwIfAborted()
    const reason = overdue.signal.aborted ? `no answer within ${options.timeoutMs} ms` : describe(cause)
    return new RegistryError('unreachable', `Cannot reach ${url}: ${reason}`, { url, cause })
  } finally {
    clearTimeout(timer)
  }
}

/** Node says "fetch failed" and keeps what failed in the cause. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}

async function readProblem(response: Response): Promise<WireProblem | undefined> {
  if (!(response.headers.get('content-type') ?? '').includes('application/problem+json')) {
    await response.body?.cancel()
    return undefined
  }
  try {
    const body: unknown = await response.json()
    return isProblem(body) ? body : undefined
  } catch {
    return undefined
  }
}

function isProblem(body: unknown): body is WireProblem {
  if (typeof body !== 'object' || body === null) return false
  const { type, title, detail } = body as Partial<Record<keyof WireProblem, unknown>>
  return typeof type === 'string' && typeof title === 'string' && typeof detail === 'string'
}

/** RFC 9110, section 10.2.3: seconds, or a date. */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

/** The default pause. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
