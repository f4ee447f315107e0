// Small files by which machines find the service: robots.txt for crawlers, opensearch.xml for the search box of a
// browser, security.txt (RFC 9116) for reports of vulnerabilities, and server.json for catalogues of MCP servers.
import { cacheForOneMinute } from '../http/files.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import { Problem } from '../problems.ts'
import { version } from '../version.ts'
import { serveText } from './json-response.ts'
import type { Handler } from './route.ts'
import { isForThisComputer, loopbackNames, toSpanishNames } from './settings.ts'
import { escapeXml, xmlDeclaration } from './xml.ts'

/**
 * Crawlers may read everything but CSV, the changes and MCP (Model Context Protocol). They may read nothing of a
 * fictional registry, because its records should not appear in search engines.
 */
export const handleRobots: Handler = (request, { store }) => {
  const { baseUrl } = request
  const { pathname } = new URL(`${baseUrl}/`)
  const excluded = store.current().metadata.fictional ? [''] : ['record.csv', 'changes', 'mcp']
  const rules = excluded.map((path) => `Disallow: ${pathname}${path}\n`).join('')
  return serve(request, 'text/plain; charset=utf-8', `User-agent: *\n${rules}\nSitemap: ${baseUrl}/sitemap.xml\n`)
}

/** Describes the search, so that browsers offer it as a search engine (OpenSearch 1.1). */
export const handleOpenSearch: Handler = (request, { settings: { dataset } }) => {
  const baseUrl = escapeXml(request.baseUrl)
  // OpenSearch 1.1 allows 48 characters in `LongName`.
  const longName = escapeXml(truncate(toSpanishNames(dataset).title, 48))
  const body = `${xmlDeclaration}<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>Urbanismo</ShortName>
<LongName>${longName}</LongName>
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
  return serve(request, 'application/opensearchdescription+xml; charset=utf-8', body)
}

/** security.txt, which is served only if the operator has configured a contact. */
export const handleSecurity: Handler = (request, { settings: { dataset } }) => {
  if (dataset.contact === undefined) return new Problem('unknown-address', 'The operator has configured no contact')
  // RFC 9116, section 2.5.5, recommends less than a year. At midnight, so that the file stays the same all day.
  const expires = new Date()
  expires.setUTCHours(0, 0, 0, 0)
  expires.setUTCDate(expires.getUTCDate() + 180)
  // A line break in a setting must not start another field.
  const body = `Contact: ${dataset.contact.replace(/[\r\n]/g, encodeURIComponent)}
Expires: ${expires.toISOString()}
Preferred-Languages: es, en
Canonical: ${new URL('/.well-known/security.txt', request.baseUrl).href}
`
  return serve(request, 'text/plain; charset=utf-8', body)
}

/**
 * The entry of this service in a catalogue of MCP servers: the npm package, whose command `mcp --url` calls this
 * service, and the service itself if it serves MCP at the address of the request.
 */
export const handleServerJson: Handler = (request, { settings }) => {
  const { dataset, isMcpOn } = settings
  const { baseUrl } = request
  const { hostname } = new URL(baseUrl)
  const isMcpServed = isMcpOn === true && (!isForThisComputer(settings) || loopbackNames.includes(hostname))
  const body = {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    // Names in these catalogues begin with the reversed domain name: `org.example.registry/planning-registry`.
    name: `${hostname.split('.').toReversed().join('.')}/planning-registry`,
    // The schema allows 100 characters.
    title: truncate(dataset.title, 100),
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
    ...(isMcpServed ? { remotes: [{ type: 'streamable-http', url: `${baseUrl}/mcp` }] } : {}),
  }
  return serve(request, 'application/json', JSON.stringify(body))
}

/** The web page is below the base path. A visitor who opens the root of the host is sent there. */
export const redirectToPage: Handler = (request) => {
  const headers = { Location: `${request.baseUrl}/`, 'Cache-Control': cacheForOneMinute, 'Content-Length': '0' }
  return { status: 302, headers, body: null }
}

/** The text, or its beginning and `…` if it is longer than allowed. */
function truncate(text: string, charactersMax: number): string {
  const characters = [...text]
  return characters.length <= charactersMax ? text : `${characters.slice(0, charactersMax - 1).join('')}…`
}

/** The tag has no snapshot id: a hash of the body identifies the response, and most imports do not change it. */
function serve(request: ApiRequest, contentType: string, body: string): Promise<ApiResponse | Problem> {
  return serveText(request, contentType, cacheForOneMinute, '', body)
}
