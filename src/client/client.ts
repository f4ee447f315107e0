// `planning-registry-client`: the typed client of the service, for browsers and Node 20.20 or later. It imports no
// other package. A search that finds nothing is an empty result here, although it is a 404 on the wire (specification
// of the interface, section 7).
import type { IncludeName } from '../domain/parameters.ts'
import type { WireChange, WireMunicipality, WireSummary } from '../domain/wire.ts'
import type { ClientCache } from './cache.ts'
import type {
  ChangesOptions,
  ChangesPage,
  ClientOptions,
  ClientRecord,
  RegistryClient,
  SearchFilters,
  SearchOptions,
} from './contract.ts'
import { RegistryError } from './error.ts'
import {
  discardBody,
  type RequestOptions,
  readText,
  request,
  throwIfAborted,
  toError,
  toIncompleteError,
  wait,
} from './request.ts'

export type { IncludeName } from '../domain/parameters.ts'
export type { WireRecord } from '../domain/record.ts'
export type {
  WireChange,
  WireDocument,
  WireIncluded,
  WireMunicipality,
  WirePassage,
  WirePlace,
  WireProblem,
  WireSummary,
} from '../domain/wire.ts'
export type { CachedResponse, ClientCache } from './cache.ts'
export { memoryCache } from './cache.ts'
export type {
  CallOptions,
  ChangesOptions,
  ChangesPage,
  ClientOptions,
  ClientRecord,
  GetOptions,
  Page,
  PageOptions,
  RecordOptions,
  RegistryClient,
  SearchFilters,
  SearchOptions,
  SummaryOptions,
} from './contract.ts'
export type { RegistryErrorKind } from './error.ts'
export { RegistryError } from './error.ts'

/** Records of a page if the caller gives no limit. */
const pageLimitDefault = 100

/** `baseUrl` includes the path prefix: `https://planning.example.org/registry`. */
export function createClient(baseUrl: string | URL, options: ClientOptions = {}): RegistryClient {
  const base = parseBaseUrl(baseUrl)
  const connection: Connection = {
    // Browsers refuse to run `fetch` as a method of another object, such as this one.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    headers: options.headers ?? {},
    retries: options.retries ?? 3,
    timeoutMs: options.timeoutMs ?? 30_000,
    wait: options.wait ?? wait,
    cache: options.cache,
  }
  return {
    search: (filters = {}, { include, ...callOptions } = {}) =>
      streamRecords(toUrl(base, 'record', filters, { include }), connection, callOptions),
    page: async (filters = {}, { limit = pageLimitDefault, cursor, include, ...callOptions } = {}) => {
      const url = toUrl(base, 'record', filters, { limit, cursor, include })
      const result = await fetchJson<WireResult>(url, 'resultadoBusqueda', connection, callOptions)
      return { records: result?.body.resultadoBusqueda ?? [], cursor: parseCursor(result?.link ?? null) }
    },
    get: async (code, { include, search, ...callOptions } = {}) => {
      const filters = search === undefined ? { code } : { code, search }
      const url = toUrl(base, 'record', filters, { include })
      const result = await fetchJson<WireResult>(url, 'resultadoBusqueda', connection, callOptions)
      return result?.body.resultadoBusqueda[0] ?? null
    },
    municipalities: async (callOptions = {}) => {
      const url = toUrl(base, 'municipality', {})
      const result = await fetchJson<WireMunicipalities>(url, 'municipalities', connection, callOptions)
      return result?.body.municipalities ?? []
    },
    changes: (filters = {}, callOptions = {}) => readChanges(base, filters, callOptions, connection),
    summary: async (filters = {}, { include, ...callOptions } = {}) => {
      const url = toUrl(base, 'summary', filters, { include })
      const result = await fetchJson<WireSummary>(url, 'by_year', connection, callOptions)
      return result?.body ?? { total: 0, by_year: [], by_municipality: [], by_province: [] }
    },
  }
}

/** Yields one page of changes after the other, and ends after the page with the newest ones. */
async function* readChanges(
  base: string,
  filters: SearchFilters,
  { since, limit, signal }: ChangesOptions,
  connection: Connection,
): AsyncGenerator<ChangesPage, void, undefined> {
  let token = since ?? undefined
  for (;;) {
    const url = toUrl(base, 'changes', filters, { limit, since: token })
    const response = await request(url, connection, signal)
    // An unknown municipality is 404. It is an error here, because the response has no token to go on with.
    if (response.status !== 200) throw await toError(url, response, signal)
    const body = parseBody<WireChanges>(url, response, await readText(url, response, signal), 'changes')
    const link = parseChangesLink(response.headers.get('link'))
    if (link === undefined) throw toUnexpectedError(url, response, 'it has no Link header with a token')
    const listedAt = readLastModified(response)
    yield {
      changes: body.changes,
      since: link.since,
      get: (code, { include, ...callOptions } = {}) =>
        fetchListedRecord(toUrl(base, 'record', { code }, { include }), listedAt, connection, callOptions),
    }
    if (link.isLast) return
    token = link.since
  }
}

/**
 * While a record comes from an older registry than the list of changes, it is requested again, after this pause and up
 * to this number of times.
 */
const pauseMs = 1000
const repetitionsMax = 60

/**
 * The record at this URL, from a registry at least as new as the list of changes; null if that registry does not have
 * it. `listedAt` is `Last-Modified` of the list: when its registry was published.
 */
async function fetchListedRecord(
  url: string,
  listedAt: number,
  connection: Connection,
  options: SearchOptions,
): Promise<ClientRecord | null> {
  for (let repetitions = 0; ; repetitions++) {
    const response = await request(url, { ...connection, cacheMode: 'reload' }, options.signal)
    // A 404 for a code has `Last-Modified` too. Without the header (NaN), the response counts as new enough.
    if (!(readLastModified(response) < listedAt)) {
      if (!(await checkFound(url, response, options))) return null
      const text = await readText(url, response, options.signal)
      return parseBody<WireResult>(url, response, text, 'resultadoBusqueda').resultadoBusqueda[0] ?? null
    }
    await discardBody(response)
    if (repetitions === repetitionsMax) {
      const message = `Cannot read ${url}: the response is older than the list of changes; try again later`
      throw new RegistryError('outdated', message, { url, response })
    }
    await connection.wait(pauseMs, options.signal)
  }
}

/** NaN without the header. Comparisons with NaN are false. */
function readLastModified({ headers }: Response): number {
  return Date.parse(headers.get('last-modified') ?? '')
}

/** The token of `Link: <…?since=…>; rel="next"` or, on the last page, `rel="latest"`. Undefined without such a link. */
function parseChangesLink(link: string | null): { readonly since: string; readonly isLast: boolean } | undefined {
  const [, url = '', relation] = /<([^>#]*)[^>]*>\s*;\s*rel="(next|latest)"/.exec(link ?? '') ?? []
  const since = new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('since')
  return since === null ? undefined : { since, isLast: relation !== 'next' }
}

interface WireResult {
  /** The records. */
  readonly resultadoBusqueda: ClientRecord[]
}

interface WireChanges {
  readonly changes: WireChange[]
}

interface WireMunicipalities {
  readonly municipalities: WireMunicipality[]
}

/** How a client sends its requests and caches the responses. */
interface Connection extends RequestOptions {
  readonly cache: ClientCache | undefined
}

interface JsonResult<Body> {
  readonly body: Body
  /** The `Link` header. */
  readonly link: string | null
}

/** Yields the records of a response while it arrives; none if nothing was found. */
async function* streamRecords(
  url: string,
  connection: Connection,
  options: SearchOptions,
): AsyncGenerator<ClientRecord, void, undefined> {
  // Imported on demand: a browser that calls only other methods need not load it.
  const { BodyError, readRecords } = await import('./stream.ts')
  const response = await request(url, connection, options.signal)
  if (!(await checkFound(url, response, options))) return
  if (response.body === null) throw toUnexpectedError(url, response, 'it has no body')
  try {
    for await (const records of readRecords(response.body)) {
      for (const record of records) yield record
    }
  } catch (error) {
    throwIfAborted(options.signal)
    if (error instanceof BodyError && error.kind === 'malformed') throw toUnexpectedError(url, response, error.message)
    throw toIncompleteError(url, response, error)
  }
}

/**
 * Fetches the URL through the cache. Returns undefined if nothing was found. The body must have an array under
 * `arrayKey`; without one, it is not the body of a registry.
 */
async function fetchJson<Body>(
  url: string,
  arrayKey: keyof Body & string,
  connection: Connection,
  options: SearchOptions,
): Promise<JsonResult<Body> | undefined> {
  const cached = await connection.cache?.get(url)
  const conditionalHeaders: Record<string, string> = cached === undefined ? {} : { 'if-none-match': cached.etag }
  const response = await request(url, connection, options.signal, conditionalHeaders)
  if (response.status === 304 && cached !== undefined) {
    return { body: parseBody(url, response, cached.body, arrayKey), link: cached.link }
  }
  if (!(await checkFound(url, response, options))) return undefined
  const text = await readText(url, response, options.signal)
  const link = response.headers.get('link')
  const body = parseBody<Body>(url, response, text, arrayKey)
  const etag = response.headers.get('etag')
  if (etag !== null) await connection.cache?.set(url, { etag, body: text, link })
  return { body, link }
}

/**
 * Returns true for 200. For a 404 that means "nothing found", calls `onEmpty` and returns false. Throws for any other
 * status, and for the 404 of a wrong base URL.
 */
async function checkFound(url: string, response: Response, options: SearchOptions): Promise<boolean> {
  if (response.status === 200) return true
  const error = await toError(url, response, options.signal)
  if (error.status !== 404 || error.problem === null || error.code === 'unknown-address') throw error
  options.onEmpty?.(error.problem)
  return false
}

/** Throws a `RegistryError` if the text is not JSON, or has no array under `arrayKey`. */
function parseBody<Body>(url: string, response: Response, text: string, arrayKey: keyof Body & string): Body {
  let body: Partial<Body> | null | undefined
  try {
    body = JSON.parse(text)
  } catch {
    throw toUnexpectedError(url, response, 'it is not JSON')
  }
  if (!Array.isArray(body?.[arrayKey])) throw toUnexpectedError(url, response, `it has no ${arrayKey}`)
  return body as Body
}

function toUnexpectedError(url: string, response: Response, reason: string): RegistryError {
  const message = `Cannot read the response of ${url}: ${reason}; is this the base address of a registry?`
  return new RegistryError('unexpected', message, { url, response })
}

/** Origin and path, without trailing slashes. Throws a `RegistryError` if the address is no http: or https: URL. */
function parseBaseUrl(address: string | URL): string {
  const text = String(address)
  const url = parseHttpUrl(text)
  if (url === null) {
    const message = `Cannot use "${text}" as base address: expected a URL with http: or https:`
    throw new RegistryError('invalid-address', message, { url: text })
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** Null if the text is no http: or https: URL. Browsers from before December 2023 lack `URL.canParse`. */
function parseHttpUrl(text: string): URL | null {
  try {
    const url = new URL(text)
    return /^https?:$/.test(url.protocol) ? url : null
  } catch {
    return null
  }
}

/** `operation` is a path below `base`, such as `record`. A code is added to the path; all else is in the query. */
function toUrl(
  base: string,
  operation: string,
  { code, ...filters }: SearchFilters,
  options: {
    readonly limit?: number | undefined
    readonly cursor?: string | null | undefined
    readonly since?: string | undefined
    readonly include?: readonly IncludeName[] | undefined
  } = {},
): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...filters, ...options })) {
    const isGiven = value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
    // `String` joins the names of `include` by commas.
    if (isGiven) parameters.set(name, String(value))
  }
  const path = code === undefined ? operation : `${operation}/${encodeSegment(code)}`
  const query = parameters.toString()
  return query === '' ? `${base}/${path}` : `${base}/${path}?${query}`
}

/** Replaces lone surrogates by U+FFFD, as URLSearchParams does, because `encodeURIComponent` throws on them. */
function encodeSegment(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
}

/** The cursor of `Link: <…?cursor=…>; rel="next"` (RFC 8288). Null without such a link, as on the last page. */
function parseCursor(link: string | null): string | null {
  const url = /<([^>#]*)[^>]*>\s*;\s*rel="next"/.exec(link ?? '')?.[1] ?? ''
  return new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('cursor')
}
