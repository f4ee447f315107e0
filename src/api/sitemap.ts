// {base}/sitemap.xml lists the addresses of the search page and of the pages of municipalities and records, for search
// engines (https://www.sitemaps.org/protocol.html). Up to 50,000 addresses are one sitemap; with more, sitemap.xml is
// an index of the parts {base}/sitemap/…

import type { ApiRequest } from '../http/request.ts'
import { type Content, respond, toBody } from '../http/respond.ts'
import type { ApiResponse } from '../http/response.ts'
import { representationHeaders } from '../http/response-headers.ts'
import { Problem } from '../problems.ts'
import type { Snapshot } from '../registry/contract.ts'
import { dataCaching, rejectParameters, serveText, toTag } from './json-response.ts'
import type { Handler } from './route.ts'
import { escapeXml, xmlDeclaration } from './xml.ts'

/** The protocol allows no more addresses in one sitemap. */
const addressesMax = 50_000

const contentType = 'application/xml; charset=utf-8'
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

/** The records at positions from `first` to `end` (excluded) in the order of the snapshot, from 0. */
interface Range {
  readonly first: number
  readonly end: number
}

/** Serves the whole sitemap, or the index of its parts if it would be too long. */
export const handleSitemap: Handler = (request, { store }) => {
  const snapshot = store.current()
  const { id, records, publishedAt } = snapshot.metadata
  const pagePaths = toPagePaths(snapshot)
  if (pagePaths.length + records <= addressesMax) return serve(request, snapshot, pagePaths, { first: 0, end: records })
  const names = ['pages', ...Array.from({ length: countParts(snapshot) }, (_, index) => String(index + 1))]
  const entries = names.map((name) => {
    const address = escapeXml(`${request.baseUrl}/sitemap/${name}.xml`)
    return `<sitemap><loc>${address}</loc><lastmod>${publishedAt.toISOString()}</lastmod></sitemap>\n`
  })
  const body = `${xmlDeclaration}<sitemapindex ${namespace}>\n${entries.join('')}</sitemapindex>\n`
  return serveText(request, contentType, dataCaching, id, body)
}

/** `part` is `pages.xml`, or `1.xml`, `2.xml`, … for the records. */
export const handleSitemapPart: Handler = (request, { store }, part) => {
  const snapshot = store.current()
  // An empty range: this part has no pages of records.
  if (part === 'pages.xml') return serve(request, snapshot, toPagePaths(snapshot), { first: 0, end: 0 })
  /** The number in a name such as `12.xml`; 0 for a name of another form. */
  const partNumber = /^[1-9]\d{0,5}\.xml$/.test(part) ? Number.parseInt(part, 10) : 0
  if (partNumber === 0 || partNumber > countParts(snapshot)) {
    return new Problem('unknown-address', 'There is no part of the sitemap at this address')
  }
  const first = (partNumber - 1) * addressesMax
  return serve(request, snapshot, [], { first, end: Math.min(first + addressesMax, snapshot.metadata.records) })
}

/** The number of parts for the records; at least one, so that `1.xml` exists in an empty registry too. */
function countParts({ metadata }: Snapshot): number {
  return Math.max(1, Math.ceil(metadata.records / addressesMax))
}

/**
 * The paths of the search page (the empty text) and of the pages of municipalities, relative to the base address. A
 * municipality without an INE code (its number in the national list) has no page.
 */
function toPagePaths({ municipalities }: Snapshot): string[] {
  const codes = municipalities.map(({ ineCode }) => ineCode).filter((code) => code !== null)
  return ['', ...codes.map((code) => `municipio/${code}`)]
}

/** Serves a sitemap of `pagePaths` and of the pages of the records in the range. */
async function serve(
  request: ApiRequest,
  snapshot: Snapshot,
  pagePaths: readonly string[],
  range: Range,
): Promise<ApiResponse | Problem> {
  const { baseUrl, target } = request
  const tag = toTag(snapshot.metadata.id, ['sitemap', baseUrl, target.path])
  const headers = representationHeaders(contentType, dataCaching)
  // The body contains the base URL, which the keys of the response cache lack, so there is no data version.
  const makeContent = async (): Promise<Content> => {
    const body = await toBody(toChunks(baseUrl, snapshot, pagePaths, range))
    if (body === undefined) throw new Error('A sitemap is never empty: it has at least its root element')
    return { body }
  }
  return rejectParameters(request) ?? respond(request, { tag, headers }, makeContent)
}

async function* toChunks(
  baseUrl: string,
  snapshot: Snapshot,
  pagePaths: readonly string[],
  { first, end }: Range,
): AsyncGenerator<Uint8Array, void, undefined> {
  const toEntry = (path: string): string => `<url><loc>${escapeXml(`${baseUrl}/${path}`)}</loc></url>\n`
  yield Buffer.from(`${xmlDeclaration}<urlset ${namespace}>\n${pagePaths.map(toEntry).join('')}`)
  for await (const codes of snapshot.listCodes(first, end)) {
    yield Buffer.from(codes.map((code) => toEntry(`expediente/${encodeURIComponent(code)}`)).join(''))
  }
  yield Buffer.from('</urlset>\n')
}
