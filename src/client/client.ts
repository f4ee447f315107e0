// The typed client of the service, `planning-registry/client`: no dependencies, for browsers and Node 20 or later. An
// empty search, which is 404 on the wire (specification, section 7), is an empty answer here and no error.
import type { WireRecord } from '../domain/record.ts'
import type { WireMunicipality, WireProblem, WireSummary } from '../domain/wire.ts'
import type { ClientCache } from './cache.ts'
import { RegistryError } from './error.ts'
import { describe, type RequestOptions, request, toError, wait } from './request.ts'
import { BrokenBody, readRecords } from './stream.ts'

export type { WireRecord } from '../domain/record.ts'
export type { WireMunicipality, WireProblem, WireSummary } from '../domain/wire.ts'
export type { CachedAnswer, ClientCache } from './cache.ts'
export { memoryCache } from './cache.ts'
export type { RegistryErrorKind } from './error.ts'
export { RegistryError } from './error.ts'

/** All that are given must match; the names are those of the service's parameters. */
export interface SearchFilters {
  /** The inscription code, `<prefix>-<number>`. */
  readonly code?: string
  /** The whole name, in any official spelling. */
  readonly municipality?: string
  /** Year of entry. */
  readonly checkin_date?: number | string
  /** Words that must all occur in the title or the content. */
  readonly search?: string
}

export interface CallOptions {
  readonly signal?: AbortSignal
}

export interface SearchOptions extends CallOptions {
  /** Told why a search found nothing, such as a misspelt municipality with the nearest names. */
  readonly onEmpty?: (problem: WireProblem) => void
}

export interface PageOptions extends SearchOptions {
  /** Records a page, 1 to 1000. */
  readonly limit?: number
  /** The `cursor` of the page before. */
  readonly cursor?: string | null
}

export interface Page {
  readonly records: WireRecord[]
  /** Leads to the next page; null on the last. */
  readonly cursor: string | null
}

export interface RegistryClient {
  /** Every record that matches, newest first, parsed as it arrives: a million of them in flat memory. */
  search(filters?: SearchFilters, options?: SearchOptions): AsyncGenerator<WireRecord, void, undefined>
  page(filters?: SearchFilters, options?: PageOptions): Promise<Page>
  /** The record with the inscription code, or null when there is none. */
  get(code: string, options?: SearchOptions): Promise<WireRecord | null>
  municipalities(options?: CallOptions): Promise<WireMunicipality[]>
  /** How many records match, by year and by municipality. */
  summary(filters?: Omit<SearchFilters, 'code'>, options?: SearchOptions): Promise<WireSummary>
}

export interface ClientOptions {
  /** Further attempts when the service is unreachable or busy; 3 where absent. */
  readonly retries?: number
  /** How long to wait for an answer to begin; 30,000 where absent. */
  readonly timeoutMs?: number
  /** Keeps answers by ETag (not those of `search`, which have no bound), as `memoryCache()` does. */
  readonly cache?: ClientCache
  readonly headers?: Readonly<Record<string, string>>
  /** In place of the global fetch. */
  readonly fetch?: typeof fetch
  /** In place of the pause between attempts. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/** `baseAddress` includes the path prefix, as in `https://planning.example.org/registry`. */
export function createClient(baseAddress: string | URL, options: ClientOptions = {}): RegistryClient {
  const base = parseBase(baseAddress)
  const connection: Connection = {
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    headers: options.headers ?? {},
    retries: options.retries ?? 3,
    timeoutMs: options.timeoutMs ?? 30_000,
    wait: options.wait ?? wait,
    cache: options.cache,
  }
  return {
    search: (filters = {}, callOptions = {}) => search(toUrl(base, 'record', filters), connection, callOptions),
    page: async (filters = {}, { limit = 100, cursor, ...callOptions } = {}) => {
      const url = toUrl(base, 'record', filters, { limit, cursor })
      const answer = await readAnswer<{ resultadoBusqueda: WireRecord[] }>(url, connection, callOptions)
      return { records: answer?.body.resultadoBusqueda ?? [], cursor: readCursor(answer?.link ?? null) }
    },
    get: async (code, callOptions = {}) => {
      const url = toUrl(base, 'record', { code })
      const answer = await readAnswer<{ resultadoBusqueda: WireRecord[] }>(url, connection, callOptions)
      return answer?.body.resultadoBusqueda[0] ?? null
    },
    municipalities: async (callOptions = {}) => {
      const url = toUrl(base, 'municipality', {})
      const answer = await readAnswer<{ municipalities: WireMunicipality[] }>(url, connection, callOptions)
      return answer?.body.municipalities ?? []
    },
    summary: async (filters = {}, callOptions = {}) => {
      const answer = await readAnswer<WireSummary>(toUrl(base, 'summary', filters), connection, callOptions)
      return answer?.body ?? { total: 0, by_year: [], by_municipality: [] }
    },
  }
}

interface Connection extends RequestOptions {
  readonly cache: ClientCache | undefined
}

interface Answer<Body> {
  readonly body: Body
  readonly link: string | null
}

async function* search(
  url: string,
  connection: Connection,
  options: SearchOptions,
): AsyncGenerator<WireRecord, void, undefined> {
  const response = await request(url, connection, options.signal)
  if (await isEmpty(url, response, options)) return
  if (response.body === null) throw unexpected(url, response, 'it has no body')
  try {
    for await (const records of readRecords(response.body)) {
      for (const record of records) yield record
    }
  } catch (error) {
    options.signal?.throwIfAborted()
    const { status } = response
    if (error instanceof BrokenBody && !error.isIncomplete) throw unexpected(url, response, error.message)
    const message = `Cannot read the whole answer of ${url}: ${describe(error)}; ask again`
    throw new RegistryError('incomplete', message, { url, status, cause: error })
  }
}

/** The answer as JSON, or undefined when it is an empty one. */
async function readAnswer<Body>(
  url: string,
  connection: Connection,
  options: SearchOptions,
): Promise<Answer<Body> | undefined> {
  const cached = await connection.cache?.get(url)
  const condition: Record<string, string> = cached === undefined ? {} : { 'if-none-match': cached.etag }
  const response = await request(url, connection, options.signal, condition)
  if (response.status === 304 && cached !== undefined)
    return { body: parseBody(url, response, cached.body), link: cached.link }
  if (await isEmpty(url, response, options)) return undefined
  const text = await readText(url, response, options.signal)
  const link = response.headers.get('link')
  const body = parseBody<Body>(url, response, text)
  const etag = response.headers.get('etag')
  if (etag !== null) await connection.cache?.set(url, { etag, body: text, link })
  return { body, link }
}

/** Whether the search found nothing; any other answer than 200 is thrown. */
async function isEmpty(url: string, response: Response, options: SearchOptions): Promise<boolean> {
  if (response.status === 200) return false
  const error = await toError(url, response)
  if (error.status !== 404 || error.problem === null || error.code === 'unknown-address') throw error
  options.onEmpty?.(error.problem)
  return true
}

async function readText(url: string, response: Response, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await response.text()
  } catch (cause) {
    signal?.throwIfAborted()
    const message = `Cannot read the whole answer of ${url}: ${describe(cause)}; ask again`
    throw new RegistryError('incomplete', message, { url, status: response.status, cause })
  }
}

function parseBody<Body>(url: string, response: Response, text: string): Body {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null) return body as Body
  } catch {
    // Told below: whatever it is, it is no JSON object.
  }
  throw unexpected(url, response, 'it is not a JSON object')
}

function unexpected(url: string, response: Response, reason: string): RegistryError {
  const message = `Cannot read the answer of ${url}: ${reason}; is this the base address of a registry?`
  return new RegistryError('unexpected', message, { url, status: response.status })
}

function parseBase(address: string | URL): string {
  const url = new URL(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError(`Cannot use ${url.href} as base address: expected http: or https:`)
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

function toUrl(
  base: string,
  resource: string,
  { code, ...filters }: SearchFilters,
  paging: { readonly limit?: number; readonly cursor?: string | null | undefined } = {},
): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...filters, ...paging })) {
    if (value !== undefined && value !== null) parameters.set(name, String(value))
  }
  const path = code === undefined ? resource : `${resource}/${encodeURIComponent(code)}`
  const query = parameters.toString()
  return query === '' ? `${base}/${path}` : `${base}/${path}?${query}`
}

/** The cursor in `Link: <…?cursor=…>; rel="next"` (RFC 8288). */
function readCursor(link: string | null): string | null {
  const address = /<([^>]*)>\s*;\s*rel="next"/.exec(link ?? '')?.[1]
  return address === undefined ? null : new URL(address, 'http://localhost').searchParams.get('cursor')
}
