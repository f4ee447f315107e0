// The routes of the service, listed once. application.ts registers them with Hono. The names of routes in metrics, and
// the addresses that the response to an unknown address suggests, are derived from this list.
import type { Logger } from 'pino'
import type { StaticFile } from '../http/files.ts'
import { readFiles, serveFile } from '../http/files.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import { toProblemResponse } from '../http/response.ts'
import { toPublicPath } from '../http/settings.ts'
import { parseNormalisedText } from '../http/target.ts'
import { Problem, problemCodes, quote } from '../problems.ts'
import type { RegistryStore } from '../registry/contract.ts'
import { StoreUnavailable } from '../registry/contract.ts'
import type { FileOffer } from '../registry/stores/offer.ts'
import { handleCatalog } from './catalog.ts'
import { currentSnapshot } from './current-snapshot.ts'
import { handleOpenSearch, handleRobots, handleSecurity, handleServerJson, redirectToPage } from './discovery.ts'
import { handleFeed } from './feed.ts'
import { toPatterns } from './hono.ts'
import { referenceScript, referenceStyle } from './html.ts'
import { handleOfferedFile, handlePointer } from './offered-file.ts'
import { type DescribedRegistry, plainRegistry, rejectParameters, toOpenApiFile } from './openapi.ts'
import { operations } from './operations.ts'
import type { PageHandler } from './page.ts'
import { serveMissingFile } from './page.ts'
import { pageFolder } from './page-files.ts'
import { handleProblemList, handleProblemPage } from './problem-pages.ts'
import { handlePublishedDocument } from './published-document.ts'
import { handleReference } from './reference.ts'
import type { ServiceSettings } from './settings.ts'
import { handleSitemap, handleSitemapPart } from './sitemap.ts'

export interface Route {
  /** Relative to the base path. A `{parameter}` at the end matches the rest of the path, slashes included. */
  readonly path: string
  /** The name in metrics. Several routes may share one. */
  readonly name: string
  /** Whether the route is also served at the root of the host, where machines look for it. */
  readonly isAtRoot?: boolean
  /** Whether the response to an unknown address may suggest this path. */
  readonly isSuggested?: boolean
  /**
   * Whether the response takes little work, and can be made while the registry is unavailable. The rate limit does not
   * count a request for it, and overload is no reason to refuse the request.
   *
   * Not static are pages that are rendered from the registry, such as `/docs`, and `/robots.txt`, whose rules depend on
   * whether the registry is fictional. `/openapi.json` is static: it has the registry's pattern for codes or, while the
   * registry is unavailable, the standard pattern.
   */
  readonly isStatic?: boolean
  /** Whether `handle` takes a slot for each search itself, because the body of its request may arrive slowly. */
  readonly takesOwnSlots?: boolean
  /** Whether `handle` gets requests of every method; otherwise only GET and HEAD. */
  readonly isAnyMethod?: boolean
  /**
   * `pathParameter` is percent-encoded; it is empty if the path has no parameter. Only MCP reads the body of the
   * web-standard request.
   */
  readonly handle: (
    request: ApiRequest,
    context: RouteContext,
    pathParameter: string,
    webRequest: Request,
  ) => Promise<ApiResponse>
}

export interface RouteContext {
  readonly store: RegistryStore
  readonly settings: ServiceSettings
  /** Static files by path relative to the base path. */
  readonly files: ReadonlyMap<string, StaticFile>
  /** Renders the pages for people. */
  readonly handlePage: PageHandler
  readonly log: Logger
  /** The file for services that follow this one; undefined without `--offer-file`. */
  readonly offer: FileOffer | undefined
}

export const routes: readonly Route[] = [
  ...operations.map(
    ({ path, handle }): Route => ({
      path,
      name: path.slice(1),
      isSuggested: !path.includes('{'),
      handle: (request, { store }, pathParameter) => handle(request, store, pathParameter),
    }),
  ),
  {
    path: '/feed',
    name: 'feed',
    isSuggested: true,
    handle: (request, { store, settings }) => handleFeed(request, store, settings),
  },
  {
    path: '/feed/{cod_archivo}',
    name: 'feed',
    handle: (request, { store, settings }, rawCode) => handleFeed(request, store, settings, rawCode),
  },
  {
    path: '/openapi.json',
    name: 'openapi.json',
    isSuggested: true,
    isStatic: true,
    handle: async (request, context) => rejectParameters(request) ?? handleOpenApi(request, context),
  },
  {
    path: '/catalog',
    name: 'catalog',
    isSuggested: true,
    handle: (request, { store, settings }) => handleCatalog(request, store, settings.dataset, 'JSON-LD'),
  },
  {
    path: '/catalog.ttl',
    name: 'catalog',
    isSuggested: true,
    handle: (request, { store, settings }) => handleCatalog(request, store, settings.dataset, 'Turtle'),
  },
  {
    path: '/sitemap.xml',
    name: 'sitemap.xml',
    handle: (request, { store }) => handleSitemap(request, store),
  },
  {
    path: '/sitemap/{part}',
    name: 'sitemap',
    handle: (request, { store }, part) => handleSitemapPart(request, store, part),
  },
  {
    path: '/opensearch.xml',
    name: 'opensearch.xml',
    isStatic: true,
    handle: (request, { settings }) => handleOpenSearch(request, settings),
  },
  {
    path: '/robots.txt',
    name: 'robots.txt',
    isAtRoot: true,
    handle: (request, { store }) => handleRobots(request, store),
  },
  {
    path: '/.well-known/security.txt',
    name: '.well-known',
    isAtRoot: true,
    isStatic: true,
    handle: (request, { settings }) => handleSecurity(request, settings),
  },
  {
    // Describes this service for catalogues of MCP servers (Model Context Protocol).
    path: '/server.json',
    name: 'server.json',
    isStatic: true,
    handle: (request, { settings }) => handleServerJson(request, settings),
  },
  { path: '/docs', name: 'docs', isSuggested: true, handle: serveReference },
  { path: '/docs/', name: 'docs', handle: serveReference },
  {
    path: '/problems',
    name: 'problems',
    isSuggested: true,
    isStatic: true,
    handle: (request, { settings }) => handleProblemList(request, settings),
  },
  ...problemCodes.map(
    (code): Route => ({
      path: `/problems/${code}`,
      name: 'problems',
      isStatic: true,
      handle: (request, { settings }) => handleProblemPage(request, code, settings),
    }),
  ),
  { path: '/assets/{file}', name: 'assets', isStatic: true, handle: handleFile },
  { path: '/', name: 'page', handle: servePage },
  { path: '/index.html', name: 'page', handle: servePage },
  // Parts of the search page, which its script asks for: what another search changes, and the names that a text fits.
  { path: '/resultados', name: 'page', handle: (request, { handlePage }) => handlePage(request, { kind: 'results' }) },
  {
    path: '/municipios',
    name: 'page',
    handle: (request, { handlePage }) => handlePage(request, { kind: 'municipalities' }),
  },
  {
    path: '/expediente/{cod_archivo}',
    name: 'page',
    handle: (request, { handlePage }, rawCode) =>
      serveWithParameter(request, rawCode, (code) => handlePage(request, { kind: 'record', code })),
  },
  {
    path: '/documento/{sha256}',
    name: 'documento',
    handle: async (request, context, sha256) => {
      const document = await handlePublishedDocument(request, context, sha256)
      return document instanceof Problem ? serveUnknownAddress(request, context, document) : document
    },
  },
  {
    path: '/municipio/{ine_code}',
    name: 'page',
    handle: (request, { handlePage }, rawCode) =>
      serveWithParameter(request, rawCode, (ineCode) => handlePage(request, { kind: 'municipality', ineCode })),
  },
]

/** The routes of `--offer-file`. The names in metrics are the same with and without it. */
const offerRoutes: readonly Route[] = [
  {
    path: '/current.json',
    name: 'current.json',
    handle: (request, { offer }) => handlePointer(request, offer),
  },
  {
    path: '/registry/{file}',
    name: 'registry',
    handle: async (request, context, name) => {
      const file = await handleOfferedFile(request, context.offer, name)
      return file instanceof Problem ? serveUnknownAddress(request, context, file) : file
    },
  },
]

/** The paths, relative to the base path, that the response to an unknown address may suggest, such as `record`. */
export const suggestedPaths: readonly string[] = routes
  .filter(({ isSuggested }) => isSuggested)
  .map(({ path }) => path.slice(1))

/** All routes of a service with the paths that Hono matches, the base path included. */
export function toRoutes({
  settings,
  files,
  offer,
}: RouteContext): { readonly pattern: string; readonly route: Route }[] {
  const { basePath } = settings
  const all = offer === undefined ? routes : [...routes, ...offerRoutes]
  const patterns = all.flatMap((route) => toPatterns(route.path).map((path) => ({ pattern: basePath + path, route })))
  // Files outside assets/, such as the icon, have an address each. index.html is the template of the page.
  for (const path of files.keys()) {
    if (path.startsWith('/assets/') || path === '/index.html') continue
    patterns.push({ pattern: basePath + path, route: { path, name: 'assets', isStatic: true, handle: handleFile } })
  }
  if (basePath === '') return patterns
  // The base path without a slash at the end (`/registry`) is the page too. Outside the base path are the root of the
  // host, and the addresses at which machines look for a route.
  patterns.push({ pattern: basePath, route: { path: '', name: 'page', handle: servePage } })
  patterns.push({ pattern: '/', route: { path: '/', name: 'page', handle: redirectToPage } })
  for (const route of routes) if (route.isAtRoot) patterns.push({ pattern: route.path, route })
  return patterns
}

/** The files of the web page and of the reference, by path relative to the base path. */
export function readStaticFiles(): Map<string, StaticFile> {
  const files = new Map([...readFiles(pageFolder)].map(([name, file]) => [`/${name}`, file]))
  for (const { name, ...file } of [referenceStyle, referenceScript]) files.set(`/${name}`, file)
  return files
}

function serveReference(request: ApiRequest, { store, settings }: RouteContext): Promise<ApiResponse> {
  return handleReference(request, store, settings)
}

function servePage(request: ApiRequest, { handlePage }: RouteContext): Promise<ApiResponse> {
  return handlePage(request, { kind: 'search' })
}

/**
 * Decodes the path parameter, such as an inscription code, normalises it to NFC and passes it to `serve`. A malformed
 * one gets a 400.
 */
async function serveWithParameter(
  request: ApiRequest,
  pathParameter: string,
  serve: (decoded: string) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const decoded = parseNormalisedText(pathParameter, 'path')
  return decoded instanceof Problem ? toProblemResponse(decoded, request) : serve(decoded)
}

/** The 404 for an unknown address: for browsers a page with the first suggestion, for programs `problem`. */
export async function serveUnknownAddress(
  request: ApiRequest,
  { handlePage, settings }: Pick<RouteContext, 'handlePage' | 'settings'>,
  problem: Problem,
): Promise<ApiResponse> {
  // A suggestion begins with the public path, the prefix of the addresses that clients use (`toPublicPath`). The links
  // of the page are relative to it, so `/registry/record` becomes `record`.
  const [suggestion = ''] = problem.suggestions.map((path) => path.slice(toPublicPath(settings).length + 1))
  const path = toShownPath(request.target.path)
  // The suggestion is empty if there is none, or if it is the search page, to which the 404 page links anyway.
  const address = { kind: 'unknown', path, suggestion: suggestion === '' ? null : suggestion } as const
  try {
    if (request.prefersHtml) return await handlePage(request, address)
  } catch (error) {
    // Without the registry there is no page; a browser gets the problem too.
    if (!(error instanceof StoreUnavailable)) throw error
  }
  return toProblemResponse(problem, request)
}

/** The path to show on the page: decoded and normalised to NFC if possible, shortened, without control characters. */
function toShownPath(path: string): string {
  const decoded = parseNormalisedText(path, 'path')
  const quoted = quote(decoded instanceof Problem ? path : decoded)
  const withoutQuotationMarks = quoted.slice(1, -1)
  return withoutQuotationMarks
}

/** Serves the OpenAPI description. It is made again only if the registry or the server URL has changed. */
async function handleOpenApi(request: ApiRequest, { store, settings }: RouteContext): Promise<ApiResponse> {
  const snapshot = currentSnapshot(store)
  const registry = snapshot?.metadata ?? plainRegistry
  const serverUrl = settings.publicUrl ?? (settings.basePath || '/')
  if (lastOpenApi?.registry !== registry || lastOpenApi.serverUrl !== serverUrl) {
    lastOpenApi = { registry, serverUrl, file: toOpenApiFile(serverUrl, registry) }
  }
  // The response cache serves the response while this snapshot is the current one.
  return serveFile(request, lastOpenApi.file, snapshot)
}

/** The description served last, and what it was made from. */
let lastOpenApi:
  | { readonly registry: DescribedRegistry; readonly serverUrl: string; readonly file: StaticFile }
  | undefined

/**
 * Serves a static file, or a 404 if no file has this path, which is then usually that of a file of an older build. A
 * path with percent-encoded letters gets a 404 too: the router decodes the path to find the route, but it is not
 * decoded here. No link has such a path.
 */
async function handleFile(request: ApiRequest, { store, settings, files }: RouteContext): Promise<ApiResponse> {
  const file = files.get(request.target.path.slice(settings.basePath.length))
  if (file === undefined) return serveMissingFile(request)
  // The response cache stores a response only with a data version. A file with a query is not stored, because the
  // addresses `?1`, `?2` and so on would displace other responses.
  return serveFile(request, file, request.target.query === '' ? currentSnapshot(store) : undefined)
}
