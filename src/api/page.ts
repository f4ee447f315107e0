// {base}/ and the other pages for people, rendered by the service. `npm run build` writes the files for browsers to
// dist/web, and the code that renders the pages in this process to dist/web-server. A page is cached until an import
// publishes the next snapshot of the registry; the page of a record only until the next `check --links`, a command that
// finds dead links, if that comes first.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { compressFast } from '../http/compress.ts'
import { htmlHeaders, toContentTag, toHtmlHeaders } from '../http/files.ts'
import { negotiateLanguage } from '../http/negotiate.ts'
import { respond } from '../http/respond.ts'
import type { ApiResponse } from '../http/response.ts'
import { ResponseCache, toConditionalResponse } from '../http/response-cache.ts'
import type { ResponseHeaders } from '../http/response-headers.ts'
import { toPublicPath } from '../http/settings.ts'
import { Problem } from '../problems.ts'
import type { LastImport, RegistryStore, Snapshot } from '../registry/contract.ts'
import { TimeSlice } from '../registry/time-slice.ts'
import { toSchemaOrg } from './catalog.ts'
import { escapeHtml, toHtmlPage } from './html.ts'
import { toTag } from './json-response.ts'
import type { PageTemplate } from './page-files.ts'
import { isBusy, toPageRegistry } from './page-registry.ts'
import type { PageLanguage, PageRenderer, RenderedPage, SiteMetadata } from './page-renderer.ts'
import { Remembered } from './remembered.ts'
import type { PageHandler } from './route.ts'
import { datasetDefaults, type ServiceSettings } from './settings.ts'

const rendererPath: string = fileURLToPath(new URL('../../dist/web-server/server.js', import.meta.url))

/** The code that renders pages, and a hash of it. */
export interface LoadedRenderer extends PageRenderer {
  readonly tag: string
}

/** Loads the code that renders pages; undefined if it has not been built. */
export async function loadRenderer(): Promise<LoadedRenderer | undefined> {
  if (!existsSync(rendererPath)) return undefined
  const { renderPage }: PageRenderer = await import(pathToFileURL(rendererPath).href)
  return { renderPage, tag: toContentTag(readFileSync(rendererPath)) }
}

export interface PageParts {
  readonly store: RegistryStore
  readonly settings: ServiceSettings
  /** index.html; undefined if it has not been built. */
  readonly template: PageTemplate | undefined
  /** The code that renders pages; undefined if it has not been built. */
  readonly renderer: LoadedRenderer | undefined
}

/** Returns the handler of all pages for people. If the web page has not been built, it serves a notice that says so. */
export function buildPageHandler({ store, settings, template, renderer }: PageParts): PageHandler {
  if (template === undefined || renderer === undefined) {
    return async (request, { kind }) => {
      const body = toNotBuiltPage(settings)
      const response = await respond(request, { tag: toContentTag(body), headers: htmlHeaders }, async () => ({ body }))
      // The notice at an unknown address is still a 404.
      const isUnknown = kind === 'unknown' && !(response instanceof Problem) && response.status === 200
      return isUnknown ? { ...response, status: 404 } : response
    }
  }
  // Pages have a cache of their own, whose keys have the base URL and the language: every page contains the base URL,
  // and a client may choose both by its headers.
  const cache = new ResponseCache(cacheBytesMax)
  // One of the headers, the Content-Security-Policy, has the hashes of the styles.
  const pageHeaders = { ...toHtmlHeaders(template.styles), Vary: 'Accept-Encoding, Accept-Language' }
  const partHeaders = { ...pageHeaders, 'X-Robots-Tag': 'noindex' }
  /** Changes with everything of which pages are made, other than the registry. */
  const buildTag = toContentTag(JSON.stringify([renderer.tag, template.html, settings.dataset, toPublicPath(settings)]))
  /** In milliseconds since 1970; null if there was no check. Without addresses, the store returns only the time. */
  const linkCheckTime = new Remembered(async () => (await store.readLinkCheck([]))?.checkedAt.getTime() ?? null)
  const lastImport = new Remembered(async () => (await store.readLastImport?.()) ?? null)
  const fillTemplate = prepareTemplate(template.html, settings)
  return async (request, address) => {
    const snapshot = store.current()
    // Only the page of a record shows dead links. The time of the last check of links is a part of its cache key, so
    // that it is rendered again after the next check.
    const linksCheckedAt = address.kind === 'record' ? await linkCheckTime.read() : null
    const { path, query } = request.target
    const named = new URLSearchParams(query).get('lang')
    const isLanguageNamed = named === 'es' || named === 'en'
    const language: PageLanguage = isLanguageNamed ? named : negotiateLanguage(request.header('accept-language'), 'es')
    const refreshedAt = toRefreshedAt(snapshot, await lastImport.read())
    const cacheKey = `${language} ${request.baseUrl} ${path}?${query} ${linksCheckedAt} ${refreshedAt}`
    const cached = cache.find(cacheKey, request.coding, snapshot)
    if (cached !== undefined) return toConditionalResponse(cached, request)
    const isPart = address.kind === 'results' || address.kind === 'municipalities'
    const headers = isPart ? partHeaders : pageHeaders
    const { id, publishedAt } = snapshot.metadata
    const tag = toTag(id, [buildTag, publishedAt.toISOString(), cacheKey])
    const response = await respond(request, { tag, headers, compress: compressFast }, async () => {
      const slice = new TimeSlice(request.deadline)
      let isComplete = true
      const registry = toPageRegistry(snapshot, request.deadline, () => {
        isComplete = false
      })
      const page = await renderer.renderPage({
        address,
        query,
        language,
        isLanguageNamed,
        registry,
        site: toSiteMetadata(request.baseUrl, snapshot, settings, refreshedAt),
        letOthersRun: async () => {
          if (slice.isUsedUp) await slice.yield()
        },
        readLinkCheck: async (addresses) => (linksCheckedAt === null ? null : await store.readLinkCheck(addresses)),
        isBusy,
      })
      const html = isPart ? page.body : fillTemplate(page, language, request.baseUrl, snapshot)
      // A page that lacks a part, because matches could not be counted, is not cached: the next visitor gets all of it.
      if (page.status !== 200 || !isComplete) return toUncachedResponse(page, html, headers)
      if (slice.isUsedUp) await slice.yield()
      return { body: html, dataVersion: snapshot }
    })
    if (response instanceof Problem) return response
    cache.store(cacheKey, request.coding, response)
    // Without a data version, the common response cache does not store the page: its keys lack the base URL.
    return { ...response, dataVersion: undefined }
  }
}

/** The most bytes in the cache of pages. */
const cacheBytesMax = 16 * 1024 * 1024

/** The day of the data: of the last import that has found the records right, even if it had nothing to publish. */
function toRefreshedAt({ metadata }: Snapshot, lastImport: LastImport | null): string {
  const publishedAt = metadata.publishedAt.toISOString()
  return lastImport?.outcome === 'unchanged' && lastImport.at > publishedAt ? lastImport.at.slice(0, 10) : publishedAt
}

/** What every page says about the registry and its operator. */
function toSiteMetadata(
  baseUrl: string,
  { metadata }: Snapshot,
  { dataset }: ServiceSettings,
  refreshedAt: string,
): SiteMetadata {
  return {
    baseUrl: `${baseUrl}/`,
    name: toCustomValue(dataset.title, datasetDefaults.title),
    publisher: toCustomValue(dataset.publisher, datasetDefaults.publisher),
    licence: toLinkAddress(dataset.licence),
    contact: toLinkAddress(dataset.contact),
    refreshedAt,
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

type FillTemplate = (page: RenderedPage, language: PageLanguage, baseUrl: string, snapshot: Snapshot) => string

/** Returns a function that puts a rendered page into index.html (`template`), which has an empty root element. */
function prepareTemplate(template: string, settings: ServiceSettings): FillTemplate {
  // The replacements are functions, because `$` has a special meaning in a replacement text.
  const [start = '', beforeHead = '', beforeBody = '', end = ''] = template
    .replace(/<html[^>]*>/, `<html lang="${place}">`)
    .replace(/<head[^>]*>/, (tag) => `${tag}\n<base href="${escapeHtml(toPublicPath(settings))}/">`)
    .replace('</head>', `${place}\n</head>`)
    .replace('<div id="page"></div>', `<div id="page">${place}</div>`)
    .split(place)
  /** What the last page said about the dataset: most pages have the same base address. */
  let last: { readonly baseUrl: string; readonly snapshot: Snapshot; readonly head: string } | undefined
  return (page, language, baseUrl, snapshot) => {
    if (last?.snapshot !== snapshot || last.baseUrl !== baseUrl) {
      // Every `<` is escaped, so that no value can end the script element.
      const dataset = JSON.stringify(toSchemaOrg(baseUrl, snapshot, settings.dataset)).replaceAll('<', '\\u003c')
      const fictional = snapshot.metadata.fictional ? '<meta name="registry" content="fictional">\n' : ''
      last = { baseUrl, snapshot, head: `${fictional}<script type="application/ld+json">${dataset}</script>\n` }
    }
    return start + language + beforeHead + last.head + page.head + beforeBody + page.body + end
  }
}

/** Stands in the template for what differs between pages. No HTML contains it. */
const place = '\0'

/** The response for a page whose status is not 200, or that lacks a part. Caches must not store it. */
function toUncachedResponse(
  { status, retryAfterSeconds }: RenderedPage,
  html: string,
  pageHeaders: ResponseHeaders,
): ApiResponse {
  const retryAfter: ResponseHeaders = retryAfterSeconds === null ? {} : { 'Retry-After': String(retryAfterSeconds) }
  const body = Buffer.from(html)
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
