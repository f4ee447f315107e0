// Asks the service and sorts its answers into the outcomes a reader can meet. Nothing here is drawn; nothing else of
// the page calls `fetch` for JSON.
import type { WireRecord } from '../src/domain/record.ts'
import { baseUrl } from './search-url.ts'

export type Outcome<T> =
  | { readonly kind: 'found'; readonly value: T; readonly headers: Headers }
  | { readonly kind: 'empty'; readonly problem: Problem }
  | Failure
  /** A newer request took its place. */
  | { readonly kind: 'cancelled' }

export type Failure =
  | { readonly kind: 'refused'; readonly problem: Problem }
  | { readonly kind: 'busy'; readonly seconds: number }
  | { readonly kind: 'failed'; readonly requestId: string | null }
  | { readonly kind: 'offline' }

/** The parts of a problem body (RFC 9457) that the page uses. */
export interface Problem {
  /** The last segment of `type`. */
  readonly code: string
  readonly detail: string
  readonly suggestions: readonly string[]
}

export interface RecordsBody {
  readonly resultadoBusqueda: readonly WireRecord[]
}

export interface WireSummary {
  readonly total: number
  readonly by_year: readonly YearCount[]
  readonly by_municipality: readonly MunicipalityCount[]
}

export interface YearCount {
  readonly year: number
  readonly records: number
}

export interface MunicipalityCount {
  readonly name: string
  readonly ine_code: string | null
  readonly records: number
}

export interface MunicipalitiesBody {
  readonly municipalities: readonly {
    readonly name: string
    readonly other_names: readonly string[]
    readonly records: number
  }[]
}

/** `path` is relative to the base address, or an address of the page's own. */
export async function ask<T>(path: string, signal?: AbortSignal): Promise<Outcome<T>> {
  try {
    const response = await fetch(new URL(path, baseUrl), {
      signal: signal ?? null,
      headers: { accept: 'application/json' },
    })
    if (response.ok) {
      const value: T = await response.json()
      return { kind: 'found', value, headers: response.headers }
    }
    return await toOutcome(response)
  } catch {
    // Broken off, unreachable or cut in the middle of the body: for the reader all of it is a missing connection.
    return signal?.aborted ? { kind: 'cancelled' } : { kind: 'offline' }
  }
}

/** For figures beside the records: a busy service is asked again when it said it would be free. */
export async function askPatiently<T>(path: string, signal: AbortSignal): Promise<Outcome<T>> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await ask<T>(path, signal)
    if (outcome.kind !== 'busy' || attempt >= attemptsMax) return outcome
    await new Promise((resolve) => setTimeout(resolve, outcome.seconds * 1000))
  }
}

const attemptsMax = 6

/** What an answer other than 2xx means (specification, section 7, and the statuses around it). */
export async function toOutcome(response: Response): Promise<{ kind: 'empty'; problem: Problem } | Failure> {
  if (response.status === 404) return { kind: 'empty', problem: await readProblem(response) }
  if (response.status === 429 || response.status === 503) {
    const seconds = Number(response.headers.get('retry-after'))
    return { kind: 'busy', seconds: Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : retrySecondsDefault }
  }
  if (response.status < 500) return { kind: 'refused', problem: await readProblem(response) }
  return { kind: 'failed', requestId: response.headers.get('x-request-id') }
}

/** The query of the next page, from `Link: <…>; rel="next"`; only the query, so that a proxy's host never matters. */
export function nextQuery(headers: Headers): string | null {
  const [, address] = /<([^>]*)>\s*;\s*rel="?next"?/.exec(headers.get('link') ?? '') ?? []
  return address === undefined ? null : new URL(address, baseUrl).search.slice(1)
}

const retrySecondsDefault = 5

async function readProblem(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => null)
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const { type, detail, suggestions } = fields
  return {
    code: typeof type === 'string' ? type.slice(type.lastIndexOf('/') + 1) : '',
    detail: typeof detail === 'string' ? detail : '',
    suggestions: Array.isArray(suggestions) ? suggestions.filter((each) => typeof each === 'string') : [],
  }
}
