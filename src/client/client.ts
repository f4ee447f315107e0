// `planning-registry-client`: the typed client of the service, for browsers and Node 20.20 or later. It imports no
// other package. A search that finds nothing is an empty result here, although it is a 404 on the wire (specification
// of the interface, section 7).
import type { WireChange, WireMunicipality, WireSummary } from '../domain/wire.ts'
import type { ClientCache } from './cache.ts'
import type {
  ChangesOptions,
  ChangesPage,
  ClientOptions,
  ClientRecord,
  CopyOptions,
  CopyPage,
  Page,
  PageOptions,
  RegistryClient,
  SearchFilters,
  SearchOptions,
} from './contract.ts'
import { RegistryError } from './error.ts'
import { type RequestOptions, readText, request, toError, toUnexpectedError, wait } from './request.ts'

export type { IncludeName } from '../domain/parameters.ts'
export type { WireRecord } from '../domain/record.ts'
export type * from '../domain/wire.ts'
export { type CachedResponse, type ClientCache, memoryCache } from './cache.ts'
export type * from './contract.ts'
export { RegistryError, type RegistryErrorKind } from './error.ts'

/** Records of a page if the caller gives no limit. Passages are shown only in pages of up to 100 records. */
const pageLimitDefault = 100
const searchLimitDefault = 1000

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
    search: (filters = {}, callOptions = {}) =>
      // Pages of a whole result would fill the cache.
      searchPages(base, filters, callOptions, { ...connection, cache: undefined }),
    page: (filters = {}, callOptions = {}) =>
      fetchPage(base, filters, { limit: pageLimitDefault, ...callOptions }, connection),
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
    copy: (filters = {}, callOptions = {}) => readCopy(base, filters, callOptions, connection),
    summary: async (filters = {}, { include, facets, ...callOptions } = {}) => {
      const url = toUrl(base, 'summary', filters, { include, facets })
      const result = await fetchJson<WireSummary>(url, 'by_year', connection, callOptions)
      return result?.body ?? { total: 0, by_year: [], by_municipality: [], by_province: [] }
    },
  }
}

/** Yields the records of one page after the other. */
async function* searchPages(
  base: string,
  filters: SearchFilters,
  { cursor = null, onEmpty, ...options }: PageOptions,
  connection: Connection,
): AsyncGenerator<ClientRecord, void, undefined> {
  const limit = options.include?.includes('passages') ? pageLimitDefault : searchLimitDefault
  // A later page may be empty if its records were removed meanwhile. That is no reason to report.
  let page = await fetchPage(base, filters, { limit, ...options, cursor, ...(onEmpty && { onEmpty }) }, connection)
  yield* page.records
  while (page.cursor !== null) {
    page = await fetchPage(base, filters, { limit, ...options, cursor: page.cursor }, connection)
    yield* page.records
  }
}

async function fetchPage(
  base: string,
  filters: SearchFilters,
  { limit, cursor, include, ...callOptions }: PageOptions,
  connection: Connection,
): Promise<Page> {
  const url = toUrl(base, 'record', filters, { limit, cursor, include })
  const result = await fetchJson<WireResult>(url, 'resultadoBusqueda', connection, callOptions)
  return { records: result?.body.resultadoBusqueda ?? [], cursor: findLink(result?.link, 'cursor')?.token ?? null }
}

/** Yields one page of changes after the other, and ends after the page with the newest ones. */
async function* readChanges(
  base: string,
  filters: SearchFilters,
  { since, limit, include, signal }: ChangesOptions,
  connection: Connection,
): AsyncGenerator<ChangesPage, void, undefined> {
  let token = since
  for (;;) {
    const url = toUrl(base, 'changes', filters, { limit, include, since: token })
    const response = await request(url, connection, signal)
    // An unknown municipality is 404. It is an error here, because the response has no token to go on with.
    if (response.status !== 200) throw await toError(url, response, signal)
    const body = parseBody<WireChanges>(url, response, await readText(url, response, signal), 'changes')
    const link = findLink(response.headers.get('link'), 'since')
    if (link === undefined) throw toUnexpectedError(url, response, 'it has no Link header with a token')
    yield { changes: body.changes, since: link.token }
    if (link.relation !== 'next') return
    token = link.token
  }
}

/** Yields what a copy has to store and to delete. Begins again if the change log does not reach back to the token. */
async function* readCopy(
  base: string,
  filters: SearchFilters,
  options: CopyOptions,
  connection: Connection,
): AsyncGenerator<CopyPage, void, undefined> {
  let isWhole = (options.since ?? null) === null
  try {
    for await (const { changes, since } of readChanges(
      base,
      filters,
      { ...options, include: ['record'] },
      connection,
    )) {
      // By code: the last change of a record in the page counts. A record that is not there any more has no content.
      const latest = new Map(changes.map(({ cod_archivo: code, record = null }) => [code, record]))
      const records = [...latest.values()].filter((record) => record !== null)
      const gone = [...latest].filter(([, record]) => record === null).map(([code]) => code)
      yield { isWhole, records, gone, since }
      isWhole = false
    }
  } catch (error) {
    if (!(error instanceof RegistryError) || error.code !== 'expired-since') throw error
    yield* readCopy(base, filters, { ...options, since: null }, connection)
  }
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

/**
 * Fetches the URL through the cache. Returns the body and the `Link` header; undefined if nothing was found. The body
 * must have an array under `arrayKey`; without one, it is not the body of a registry.
 */
async function fetchJson<Body>(
  url: string,
  arrayKey: keyof Body & string,
  connection: Connection,
  options: SearchOptions,
): Promise<{ readonly body: Body; readonly link: string | null } | undefined> {
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

/** Origin and path, without trailing slashes. Throws a `RegistryError` if the address is no http: or https: URL. */
function parseBaseUrl(address: string | URL): string {
  const text = String(address)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol)) return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
  const message = `Cannot use "${text}" as base address: expected a URL with http: or https:`
  throw new RegistryError('invalid-address', message, { url: text })
}

/** `operation` is a path below `base`, such as `record`. A code is added to the path; all else is in the query. */
function toUrl(
  base: string,
  operation: string,
  { code, ...filters }: SearchFilters,
  options: Readonly<Record<string, number | string | readonly string[] | null | undefined>> = {},
): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...filters, ...options })) {
    const isGiven = value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
    // `String` joins the names of `include` and `facets` by commas.
    if (isGiven) parameters.set(name, String(value))
  }
  // `encodeURIComponent` throws on lone surrogates, which URLSearchParams replaces by U+FFFD.
  const path = code === undefined ? operation : `${operation}/${encodeURIComponent(code.toWellFormed())}`
  return parameters.size === 0 ? `${base}/${path}` : `${base}/${path}?${parameters}`
}

/**
 * The token in `Link: <…?cursor=…>; rel="next"` (RFC 8288), under the name of its parameter. The last page of changes
 * has the relation `latest`. Undefined without such a link, as on the last page of a search.
 */
function findLink(
  link: string | null | undefined,
  parameter: 'cursor' | 'since',
): { readonly token: string; readonly relation: string | undefined } | undefined {
  const [, url = '', relation] = /<([^>#]*)[^>]*>\s*;\s*rel="(next|latest)"/.exec(link ?? '') ?? []
  const token = new URLSearchParams(url.slice(url.indexOf('?') + 1)).get(parameter)
  return token === null ? undefined : { token, relation }
}
