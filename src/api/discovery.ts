// Small files by which machines find the service: robots.txt for crawlers, opensearch.xml for the search box of a
// browser, security.txt (RFC 9116) for reports of vulnerabilities, and server.json for catalogues of MCP servers.
import { findNotModified } from '../http/conditional.ts'
import { cacheForOneMinute } from '../http/files.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import { representationHeaders, toProblemResponse, toWholeResponse } from '../http/response.ts'
import { Problem } from '../problems.ts'
import type { RegistryStore } from '../registry/contract.ts'
import { version } from '../version.ts'
import { toTag } from './json-response.ts'
import { parseParameters } from './parameters.ts'
import { type ServiceSettings, toSpanishNames } from './settings.ts'
import { escapeXml, xmlDeclaration } from './xml.ts'

/**
 * Crawlers may read everything but CSV, the changes and MCP (Model Context Protocol). They may read nothing of a
 * fictional registry, because its records should not appear in search engines.
 */
export async function handleRobots(request: ApiRequest, store: RegistryStore): Promise<ApiResponse> {
  const { baseUrl } = request
  const { pathname } = new URL(`${baseUrl}/`)
  const excluded = store.current().metadata.fictional
    ? [pathname]
    : ['record.csv', 'changes', 'mcp'].map((path) => `${pathname}${path}`)
  const rules = excluded.map((path) => `Disallow: ${path}`).join('\n')
  return serveText(request, 'text/plain', `User-agent: *\n${rules}\n\nSitemap: ${baseUrl}/sitemap.xml\n`)
}

/** Describes the search, so that browsers offer it as a search engine (OpenSearch 1.1). */
export async function handleOpenSearch(request: ApiRequest, { dataset }: ServiceSettings): Promise<ApiResponse> {
  const baseUrl = escapeXml(request.baseUrl)
  const body = `${xmlDeclaration}<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>Urbanismo</ShortName>
<LongName>${escapeXml(truncate(toSpanishNames(dataset).title, longNameCharactersMax))}</LongName>
<Description>Expedientes de urbanismo por palabras del título o de los documentos</Description>
<Language>es</Language>
<InputEncoding>UTF-8</InputEncoding>
<OutputEncoding>UTF-8</OutputEncoding>
<Url type="text/html" template="${baseUrl}/?search={searchTerms}"/>
<Url type="application/atom+xml" template="${baseUrl}/feed?search={searchTerms}"/>
<Url type="application/json" template="${baseUrl}/record?search={searchTerms}&amp;limit=100"/>
<Url type="application/opensearchdescription+xml" rel="self" template="${baseUrl}/opensearch.xml"/>
</OpenSearchDescription>
`
  return serveText(request, 'application/opensearchdescription+xml', body)
}

/** OpenSearch 1.1 allows no more in `LongName`. */
const longNameCharactersMax = 48

/** The text, or its beginning and `…` if it is longer than allowed. */
function truncate(text: string, charactersMax: number): string {
  const characters = [...text]
  return characters.length <= charactersMax ? text : `${characters.slice(0, charactersMax - 1).join('')}…`
}

/** security.txt, which is served only if the operator has configured a contact. */
export async function handleSecurity(request: ApiRequest, { dataset }: ServiceSettings): Promise<ApiResponse> {
  if (dataset.contact === undefined) {
    return toProblemResponse(new Problem('unknown-address', 'The operator has configured no contact'), request)
  }
  // The time of expiry is rounded to midnight, so that the file and its ETag stay the same all day.
  const expires = new Date()
  expires.setUTCHours(0, 0, 0, 0)
  expires.setUTCDate(expires.getUTCDate() + securityDays)
  const body = `Contact: ${encodeLineBreaks(dataset.contact)}
Expires: ${expires.toISOString()}
Preferred-Languages: es, en
Canonical: ${new URL('/.well-known/security.txt', request.baseUrl).href}
`
  return serveText(request, 'text/plain', body)
}

/** Days until security.txt expires. RFC 9116, section 2.5.5, recommends less than a year. */
const securityDays = 180

/** A line break in a setting must not start another field. */
function encodeLineBreaks(text: string): string {
  return text.replace(/[\r\n]/g, encodeURIComponent)
}

/**
 * The entry of this service in a catalogue of MCP servers: the npm package, whose command `mcp --url` calls this
 * service, and the service itself if it serves MCP.
 */
export async function handleServerJson(
  request: ApiRequest,
  { dataset, isMcpOn }: ServiceSettings,
): Promise<ApiResponse> {
  const { baseUrl } = request
  // Names in these catalogues begin with the reversed domain name: `org.example.registry/planning-registry`.
  const namespace = new URL(baseUrl).hostname.split('.').toReversed().join('.')
  const body = {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `${namespace}/planning-registry`,
    title: truncate(dataset.title, titleCharactersMax),
    description: 'Search, read and count the urban-planning records of a registry',
    version,
    websiteUrl: `${baseUrl}/`,
    packages: [
      {
        registryType: 'npm',
        identifier: 'planning-registry',
        version,
        transport: { type: 'stdio' },
        packageArguments: [
          { type: 'positional', value: 'mcp' },
          { type: 'named', name: '--url', value: baseUrl },
        ],
      },
    ],
    ...(isMcpOn ? { remotes: [{ type: 'streamable-http', url: `${baseUrl}/mcp` }] } : {}),
  }
  return serveText(request, 'application/json', JSON.stringify(body))
}

/** The schema of server.json allows no more in `title`. */
const titleCharactersMax = 100

/** The web page is below the base path. A visitor who opens the root of the host is sent there. */
export async function redirectToPage(request: ApiRequest): Promise<ApiResponse> {
  const headers = { Location: `${request.baseUrl}/`, 'Cache-Control': cacheForOneMinute, 'Content-Length': '0' }
  return { status: 302, headers, body: null }
}

/** Serves the body as a file. A request with a parameter is refused. */
async function serveText(request: ApiRequest, mediaType: string, body: string): Promise<ApiResponse> {
  const parameters = parseParameters(request.target.query, [])
  if (parameters instanceof Problem) return toProblemResponse(parameters, request)
  // JSON has no `charset`, because it is always UTF-8 (RFC 8259).
  const contentType = mediaType === 'application/json' ? mediaType : `${mediaType}; charset=utf-8`
  const headers = representationHeaders(contentType, cacheForOneMinute)
  // The tag has no snapshot id: a hash of the body identifies the response, and most imports do not change it.
  const tag = toTag('', [body])
  return findNotModified(request, tag, headers) ?? toWholeResponse(request, tag, headers, body)
}
