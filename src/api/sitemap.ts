// {base}/sitemap.xml lists the addresses of the search page and of the pages of municipalities and records, for search
// engines (https://www.sitemaps.org/protocol.html). Up to 50,000 addresses are one sitemap; with more, sitemap.xml is
// an index of the parts {base}/sitemap/…
import { findNotModified } from '../http/conditional.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import { representationHeaders, toProblemResponse, toWholeResponse } from '../http/response.ts'
import { Problem } from '../problems.ts'
import type { RegistryStore, Snapshot } from '../registry/contract.ts'
import { dataCaching, toTag } from './json-response.ts'
import { respondUnlessEmpty } from './long-response.ts'
import { parseParameters } from './parameters.ts'
import { escapeXml, xmlDeclaration } from './xml.ts'

/** The protocol allows no more addresses in one sitemap. */
const addressesMax = 50_000

const headers = representationHeaders('application/xml; charset=utf-8', dataCaching)
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

/** Serves the whole sitemap, or the index of its parts if it would be too long. */
export async function handleSitemap(request: ApiRequest, store: RegistryStore): Promise<ApiResponse> {
  const parameters = parseParameters(request.target.query, [])
  if (parameters instanceof Problem) return toProblemResponse(parameters, request)
  const snapshot = store.current()
  const pagePaths = toPagePaths(snapshot)
  const { records } = snapshot.metadata
  if (pagePaths.length + records > addressesMax) return toIndexResponse(request, snapshot)
  return toSitemapResponse(request, snapshot, pagePaths, { first: 0, end: records })
}

/** `part` is `pages.xml`, or `1.xml`, `2.xml`, … for the records. */
export async function handleSitemapPart(request: ApiRequest, store: RegistryStore, part: string): Promise<ApiResponse> {
  const parameters = parseParameters(request.target.query, [])
  if (parameters instanceof Problem) return toProblemResponse(parameters, request)
  const snapshot = store.current()
  // An empty range: this part has no pages of records.
  if (part === 'pages.xml') return toSitemapResponse(request, snapshot, toPagePaths(snapshot), { first: 0, end: 0 })
  /** The number in a name such as `12.xml`; 0 for a name of another form. */
  const partNumber = /^[1-9]\d{0,5}\.xml$/.test(part) ? Number.parseInt(part, 10) : 0
  const { records } = snapshot.metadata
  if (partNumber === 0 || partNumber > countParts(snapshot)) {
    return toProblemResponse(new Problem('unknown-address', 'There is no part of the sitemap at this address'), request)
  }
  const first = (partNumber - 1) * addressesMax
  return toSitemapResponse(request, snapshot, [], { first, end: Math.min(first + addressesMax, records) })
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

/** The index of all parts, for a registry with too many addresses for one sitemap. */
function toIndexResponse(request: ApiRequest, snapshot: Snapshot): ApiResponse | Promise<ApiResponse> {
  const names = ['pages', ...Array.from({ length: countParts(snapshot) }, (_, index) => String(index + 1))]
  const time = snapshot.metadata.publishedAt.toISOString()
  const entries = names.map((name) => {
    const address = escapeXml(`${request.baseUrl}/sitemap/${name}.xml`)
    return `<sitemap><loc>${address}</loc><lastmod>${time}</lastmod></sitemap>\n`
  })
  const body = `${xmlDeclaration}<sitemapindex ${namespace}>\n${entries.join('')}</sitemapindex>\n`
  const tag = toTag(snapshot.metadata.id, [body])
  return findNotModified(request, tag, headers) ?? toWholeResponse(request, tag, headers, body)
}

/**
 * A sitemap of `pagePaths`, and of the pages of the records at positions from `first` to `end` (excluded). The position
 * of a record is its number in the order of the snapshot, from 0.
 */
async function toSitemapResponse(
  request: ApiRequest,
  snapshot: Snapshot,
  pagePaths: readonly string[],
  range: { readonly first: number; readonly end: number },
): Promise<ApiResponse> {
  const { baseUrl, target } = request
  const tag = toTag(snapshot.metadata.id, ['sitemap', baseUrl, target.path])
  const notModified = findNotModified(request, tag, headers)
  if (notModified !== undefined) return notModified
  // Without a data version (`ApiResponse.dataVersion`) the response is not cached here: its body contains the base URL,
  // which may differ from request to request and is not part of the keys of the response cache.
  const response = await respondUnlessEmpty(request, tag, headers, toChunks(baseUrl, snapshot, pagePaths, range))
  if (response === undefined) throw new Error('A sitemap is never empty: it has at least its root element')
  return response
}

async function* toChunks(
  baseUrl: string,
  snapshot: Snapshot,
  pagePaths: readonly string[],
  { first, end }: { readonly first: number; readonly end: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  const toEntry = (path: string): string => `<url><loc>${escapeXml(`${baseUrl}/${path}`)}</loc></url>\n`
  yield Buffer.from(`${xmlDeclaration}<urlset ${namespace}>\n${pagePaths.map(toEntry).join('')}`)
  for await (const codes of snapshot.listCodes(first, end)) {
    yield Buffer.from(codes.map((code) => toEntry(`expediente/${encodeURIComponent(code)}`)).join(''))
  }
  yield Buffer.from('</urlset>\n')
}
