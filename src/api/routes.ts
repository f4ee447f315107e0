// The routes of the service, listed once. application.ts registers them with Hono. The names of routes in metrics, and
// the addresses that the response to an unknown address suggests, are derived from this list.
import type { StaticFile } from '../http/files.ts'
import { readFiles, serveFile } from '../http/files.ts'
import { parseNormalisedText } from '../http/target.ts'
import { Problem, problemCodes } from '../problems.ts'
import { handleCatalog, handleTurtleCatalog } from './catalog.ts'
import { currentSnapshot } from './current-snapshot.ts'
import { handleOpenSearch, handleRobots, handleSecurity, handleServerJson, redirectToPage } from './discovery.ts'
import { handleFeed, handleRecordFeed } from './feed.ts'
import { toPatterns } from './hono.ts'
import { referenceScript, referenceStyle } from './html.ts'
import { rejectParameters } from './json-response.ts'
import { handleOfferedFile, handlePointer } from './offered-file.ts'
import { type DescribedRegistry, plainRegistry, toOpenApiFile } from './openapi.ts'
import { runOperation } from './operation.ts'
import { operations } from './operations.ts'
import { pageFolder } from './page-files.ts'
import type { PageAddress } from './page-renderer.ts'
import { handleProblemList, serveProblemPage } from './problem-pages.ts'
import { handlePublishedDocument } from './published-document.ts'
import { handleReference } from './reference.ts'
import type { Handler, Route, RouteContext } from './route.ts'
import { handleSitemap, handleSitemapPart } from './sitemap.ts'

/** The handler of a page for people, at an address without a parameter. */
const toPage = (kind: 'search' | 'results' | 'municipalities'): Handler => {
  return (request, { handlePage }) => handlePage(request, { kind })
}

/** The handler of a page about what the path names, decoded and normalised to NFC. */
const toPageAbout = (toAddress: (name: string) => PageAddress): Handler => {
  return (request, { handlePage }, rest) => {
    const name = parseNormalisedText(rest, 'path')
    return name instanceof Problem ? name : handlePage(request, toAddress(name))
  }
}

/** Serves the OpenAPI description. It is made again only if the registry or the server URL has changed. */
const handleOpenApi: Handler = (request, { store, settings }) => {
  const problem = rejectParameters(request)
  if (problem !== undefined) return problem
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
const handleFile: Handler = (request, { store, settings, files }) => {
  const file = files.get(request.target.path.slice(settings.basePath.length))
  if (file === undefined) {
    return new Problem('unknown-address', 'The page has no file with this name; reload the page')
  }
  // The response cache stores a response only with a data version. A file with a query is not stored, because the
  // addresses `?1`, `?2` and so on would displace other responses.
  return serveFile(request, file, request.target.query === '' ? currentSnapshot(store) : undefined)
}

export const routes: readonly Route[] = [
  ...operations.map(
    (operation): Route => ({
      path: operation.path,
      name: operation.path.slice(1),
      isSuggested: !operation.path.includes('{'),
      handle: (request, { store }, rest) => runOperation(operation, request, store, rest),
    }),
  ),
  { path: '/feed', name: 'feed', isSuggested: true, handle: handleFeed },
  { path: '/feed/{cod_archivo}', name: 'feed', handle: handleRecordFeed },
  { path: '/openapi.json', name: 'openapi.json', isSuggested: true, isStatic: true, handle: handleOpenApi },
  { path: '/catalog', name: 'catalog', isSuggested: true, handle: handleCatalog },
  { path: '/catalog.ttl', name: 'catalog', isSuggested: true, handle: handleTurtleCatalog },
  { path: '/sitemap.xml', name: 'sitemap.xml', handle: handleSitemap },
  { path: '/sitemap/{part}', name: 'sitemap', handle: handleSitemapPart },
  { path: '/opensearch.xml', name: 'opensearch.xml', isStatic: true, handle: handleOpenSearch },
  { path: '/robots.txt', name: 'robots.txt', isAtRoot: true, handle: handleRobots },
  { path: '/.well-known/security.txt', name: '.well-known', isAtRoot: true, isStatic: true, handle: handleSecurity },
  // Describes this service for catalogues of MCP servers (Model Context Protocol).
  { path: '/server.json', name: 'server.json', isStatic: true, handle: handleServerJson },
  { path: '/docs', name: 'docs', isSuggested: true, handle: handleReference },
  { path: '/docs/', name: 'docs', handle: handleReference },
  { path: '/problems', name: 'problems', isSuggested: true, isStatic: true, handle: handleProblemList },
  ...problemCodes.map(
    (code): Route => ({
      path: `/problems/${code}`,
      name: 'problems',
      isStatic: true,
      handle: (request, context) => serveProblemPage(request, code, context),
    }),
  ),
  { path: '/assets/{file}', name: 'assets', isStatic: true, handle: handleFile },
  { path: '/', name: 'page', handle: toPage('search') },
  { path: '/index.html', name: 'page', handle: toPage('search') },
  // Parts of the search page, which its script asks for: what another search changes, and the names that a text fits.
  { path: '/resultados', name: 'page', handle: toPage('results') },
  { path: '/municipios', name: 'page', handle: toPage('municipalities') },
  { path: '/expediente/{cod_archivo}', name: 'page', handle: toPageAbout((code) => ({ kind: 'record', code })) },
  {
    path: '/municipio/{ine_code}',
    name: 'page',
    handle: toPageAbout((ineCode) => ({ kind: 'municipality', ineCode })),
  },
  { path: '/documento/{sha256}', name: 'documento', hasMissingPage: true, handle: handlePublishedDocument },
]

/** The routes of `--offer-file`. The names in metrics are the same with and without it. */
const offerRoutes: readonly Route[] = [
  { path: '/current.json', name: 'current.json', handle: handlePointer },
  { path: '/registry/{file}', name: 'registry', hasMissingPage: true, handle: handleOfferedFile },
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
  patterns.push({ pattern: basePath, route: { path: '', name: 'page', handle: toPage('search') } })
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
