// {base}/ and the other pages for people, rendered by the service. `npm run build` writes the files for browsers to
// dist/web, and the code that renders the pages in this process to dist/web-server. That code calls the operations of
// the service without a connection. A page is cached until an import publishes the next snapshot of the registry; the
// page of a record only until the next `check --links`, a command that finds dead links, if that comes first.
import { existsSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { SearchCancelled } from '../domain/deadline.ts'
import { findNotModified } from '../http/conditional.ts'
import { serveHtml, toContentTag, toHtmlHeaders } from '../http/files.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse, ResponseHeaders } from '../http/response.ts'
import { toProblemResponse, toWholeResponse } from '../http/response.ts'
import { ResponseCache, toConditionalResponse } from '../http/response-cache.ts'
import { toPublicPath } from '../http/settings.ts'
import { Problem } from '../problems.ts'
import type { RegistryStore, Snapshot } from '../registry/contract.ts'
import { StoreUnavailable } from '../registry/contract.ts'
import { TimeSlice } from '../registry/time-slice.ts'
import { toSchemaOrg } from './catalog.ts'
import { escapeHtml, toHtmlPage } from './html.ts'
import { LinkCheckTime } from './link-check-time.ts'
import { localAddress, toLocalFetch } from './local.ts'
import type { PageTemplate } from './page-files.ts'
import type { PageAddress, PageRenderer, PageRequest, RenderedPage, SiteMetadata } from './page-renderer.ts'
import { datasetDefaults, type ServiceSettings } from './settings.ts'

const rendererPath: string = fileURLToPath(new URL('../../dist/web-server/server.js', import.meta.url))

/** Loads the code that renders pages; undefined if it has not been built. */
export async function loadRenderer(): Promise<PageRenderer | undefined> {
  if (!existsSync(rendererPath)) return undefined
  const renderer: PageRenderer = await import(pathToFileURL(rendererPath).href)
  return renderer
}

export interface PageParts {
  readonly store: RegistryStore
  readonly settings: ServiceSettings
  /** index.html; undefined if it has not been built. */
  readonly template: PageTemplate | undefined
  /** The code that renders pages; undefined if it has not been built. */
  readonly renderer: PageRenderer | undefined
}

export type PageHandler = (request: ApiRequest, address: PageAddress) => Promise<ApiResponse>

/** Returns the handler of all pages for people. If the web page has not been built, it serves a notice that says so. */
export function buildPageHandler({ store, settings, template, renderer }: PageParts): PageHandler {
  if (template === undefined || renderer === undefined) {
    return async (request, { kind }) => {
      const response = await serveHtml(request, toNotBuiltPage(settings))
      // The notice at an unknown address is still a 404.
      return kind === 'unknown' && response.status === 200 ? { ...response, status: 404 } : response
    }
  }
  // Pages have a cache of their own, whose keys have the base URL: every page contains the base URL, and a client may
  // choose it by its Host header.
  const cache = new ResponseCache(cacheBytesMax)
  // One of the headers, the Content-Security-Policy, has the hashes of the styles.
  const headers = toHtmlHeaders(template.styles)
  const linkCheckTime = new LinkCheckTime(store)
  return async (request, address) => {
    const snapshot = store.current()
    // Only the page of a record shows dead links. The time of the last check of links is a part of its cache key, so
    // that it is rendered again after the next check.
    const linksCheckedAt = address.kind === 'record' ? await linkCheckTime.read() : null
    const cacheKey = `${request.baseUrl} ${request.target.path}?${request.target.query} ${linksCheckedAt}`
    const cached = cache.find(cacheKey, request.coding, snapshot)
    if (cached !== undefined) {
      return toConditionalResponse(cached, request)
    }
    const readLinkCheck: PageRequest['readLinkCheck'] = async (addresses) =>
      linksCheckedAt === null ? null : await store.readLinkCheck(addresses)
    const { page, isComplete } = await render({ request, address, snapshot, renderer, store, settings, readLinkCheck })
    const html = Buffer.from(fillTemplate(template.html, page, request, snapshot, settings))
    const tag = toContentTag(html)
    // A page that lacks a part, because an operation failed, is not cached: the next visitor gets a complete one.
    if (page.status !== 200 || !isComplete) return toUncachedResponse(page, html, headers)
    const response =
      findNotModified(request, tag, headers) ?? (await toWholeResponse(request, tag, headers, html, snapshot))
    // Stores a page, and ignores a 304.
    cache.store(cacheKey, request.coding, response)
    // Without a data version, the common response cache does not store the page: its keys lack the base URL.
    return { ...response, dataVersion: undefined }
  }
}

/** The most bytes in the cache of pages. */
const cacheBytesMax = 16 * 1024 * 1024

interface PageContext extends Pick<PageRequest, 'address' | 'readLinkCheck'> {
  readonly request: ApiRequest
  readonly snapshot: Snapshot
  readonly renderer: PageRenderer
  readonly store: RegistryStore
  readonly settings: ServiceSettings
}

/** Renders the page in time slices, and rejects if an operation fails for a reason that the page cannot show. */
async function render(context: PageContext): Promise<{ readonly page: RenderedPage; readonly isComplete: boolean }> {
  const { request, address, snapshot, renderer, store, settings, readLinkCheck } = context
  const errors: unknown[] = []
  const slice = new TimeSlice(request.deadline)
  // All operations of a page read one snapshot. `store.current` throws while the registry is unavailable.
  const current = (): Snapshot => {
    store.current()
    return snapshot
  }
  const localFetch = toLocalFetch({ current }, request.deadline)
  // Returns a 503 instead of throwing: the page shows a 503 as a busy service, but an exception as a lost connection.
  const catchingFetch: typeof fetch = async (input, init) => {
    try {
      // A page calls several operations at once. Each begins in a new time slice, and its response is parsed in the
      // next one.
      await slice.yield()
      const response = await localFetch(input, init)
      await slice.yield()
      return response
    } catch (error) {
      errors.push(error)
      return new Response(null, { status: 503 })
    }
  }
  const site = toSiteMetadata(request.baseUrl, snapshot, settings)
  const page = await renderer.renderPage({
    address,
    query: request.target.query,
    fetch: catchingFetch,
    apiUrl: localAddress,
    site,
    letOthersRun: async () => {
      if (slice.isUsedUp) await slice.yield()
    },
    readLinkCheck,
    // The renderer keeps the facts about the registry that every page shows, as long as this object is the same.
    dataVersion: snapshot,
  })
  // The page shows an unavailable store and an expired deadline as a busy service. Other errors are bugs.
  const isExpected = (error: unknown): boolean => error instanceof StoreUnavailable || error instanceof SearchCancelled
  const unexpected = errors.find((error) => !isExpected(error))
  if (unexpected !== undefined) throw unexpected
  // Other requests may run first, because the caller has more to do: it fills the template, and compresses the page.
  if (slice.isUsedUp) await slice.yield()
  return { page, isComplete: errors.length === 0 }
}

/** The 404 for a missing file of the page. The browser probably shows a page of an older build with other files. */
export function serveMissingFile(request: ApiRequest): ApiResponse {
  return toProblemResponse(
    new Problem('unknown-address', 'The page has no file with this name; reload the page'),
    request,
  )
}

/** What every page says about the registry and its operator. */
function toSiteMetadata(baseUrl: string, { metadata }: Snapshot, { dataset }: ServiceSettings): SiteMetadata {
  return {
    baseUrl: `${baseUrl}/`,
    name: toCustomValue(dataset.title, datasetDefaults.title),
    publisher: toCustomValue(dataset.publisher, datasetDefaults.publisher),
    licence: toLinkAddress(dataset.licence),
    contact: toLinkAddress(dataset.contact),
    refreshedAt: metadata.publishedAt.toISOString(),
    isFictional: metadata.fictional,
    codePattern: metadata.codePattern,
  }
}

/** Null for an empty or a default value: the page then shows its own text, in the language of the reader. */
function toCustomValue(value: string, defaultValue: string): string | null {
  return value === '' || value === defaultValue ? null : value
}

/** The address if browsers can open it as a link, otherwise null. */
function toLinkAddress(address: string | undefined): string | null {
  return address !== undefined && /^(?:https?:|mailto:)/i.test(address) ? address : null
}

/** Puts the rendered page into index.html (`template`), which has an empty root element. */
function fillTemplate(
  template: string,
  page: RenderedPage,
  request: ApiRequest,
  snapshot: Snapshot,
  settings: ServiceSettings,
): string {
  // Every `<` is escaped, so that no value can end the script element.
  const toScript = (attributes: string, value: unknown): string =>
    `<script ${attributes}>${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`
  const dataset = toSchemaOrg(request.baseUrl, snapshot, settings.dataset)
  const headElements = [
    ...(snapshot.metadata.fictional ? ['<meta name="registry" content="fictional">'] : []),
    toScript('type="application/ld+json"', dataset),
    page.head,
  ]
  // The replacements are functions, because `$` has a special meaning in a replacement text.
  return template
    .replace(/<html[^>]*>/, () => `<html lang="${escapeHtml(page.language)}">`)
    .replace(/<head[^>]*>/, (tag) => `${tag}\n<base href="${escapeHtml(toPublicPath(settings))}/">`)
    .replace('</head>', () => `${headElements.join('\n')}\n</head>`)
    .replace(
      '<div id="page"></div>',
      () => `<div id="page">${page.body}</div>\n${toScript('type="application/json" id="page-data"', page.data)}`,
    )
}

/** The response for a page whose status is not 200, or that lacks a part. Caches must not store it. */
function toUncachedResponse(
  { status, retryAfterSeconds }: RenderedPage,
  body: Buffer,
  pageHeaders: ResponseHeaders,
): ApiResponse {
  const retryAfter: ResponseHeaders = retryAfterSeconds === null ? {} : { 'Retry-After': String(retryAfterSeconds) }
  const bodyHeaders = { 'Cache-Control': 'no-store', 'Content-Length': String(body.byteLength) }
  return { status, headers: { ...pageHeaders, ...bodyHeaders, ...retryAfter }, body }
}

/** Shown instead of every page for people if `npm run build` has not been run. */
function toNotBuiltPage(settings: ServiceSettings): string {
  const main = `<h1>Planning registry</h1>
<p>The service is running, but its page has not been built. Run <code>npm run build</code> and restart the service.</p>
<p>The API works: see the <a href="docs">reference</a>, <a href="record?limit=20">record</a>,
<a href="municipality">municipality</a> and <a href="summary">summary</a>.</p>`
  return toHtmlPage({ title: 'Planning registry', main }, 'en', toPublicPath(settings))
}
