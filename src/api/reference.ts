// {base}/docs: the reference for developers, rendered from the OpenAPI description. It loads one style sheet and one
// script (reference/) from this service. Without the script, everything works except the console.
import { readFileSync } from 'node:fs'
import type { StaticFile } from '../http/files.ts'
import { cacheForever, serveHtml, toContentTag, toStaticFile } from '../http/files.ts'
import type { ApiRequest, ApiResponse } from '../http/response.ts'
import { toPublicPath } from '../http/settings.ts'
import type { RegistryStore, Snapshot } from '../snapshot/contract.ts'
import { exampleResponses } from './examples.ts'
import { escapeHtml, toHtmlPage, toInlineHtml } from './html.ts'
import { toOpenApi } from './openapi.ts'
import type { OpenApiParameter, OperationDescription } from './operations.ts'
import type { ServiceSettings } from './settings.ts'
import { toSnippets, toTutorial } from './snippets.ts'

export interface NamedFile extends StaticFile {
  /** Path relative to the base address. It contains a hash of the content. */
  readonly name: string
}

/** Enough of a hash to tell the versions of a file apart. */
const hashCharacters = 10

export const referenceStyle: NamedFile = readNamedFile('reference', '.css')
export const referenceScript: NamedFile = readNamedFile('try-it', '.js')

/** Values that find records in the current registry, by parameter name. */
export type ExampleValues = ReadonlyMap<string, string>

export async function handleReference(
  request: ApiRequest,
  store: RegistryStore,
  settings: ServiceSettings,
): Promise<ApiResponse> {
  const snapshot = store.current()
  const { paths, info } = toOpenApi(request.baseUrl, snapshot.metadata.codePattern)
  const values = await findExampleValues(snapshot)
  const sections = Object.entries(paths).map(([path, { get: operation }]) =>
    toSection(path, operation, request.baseUrl, values),
  )
  const contents = Object.values(paths).map(
    ({ get: { operationId, summary } }) => `<li><a href="docs#${operationId}">${escapeHtml(summary)}</a></li>`,
  )
  const fictionalNotice = snapshot.metadata.fictional
    ? '<p class="notice">This registry is the bundled sample: every record in it is fictional.</p>'
    : ''
  const main = `<h1>${escapeHtml(info.title)}</h1>
<p>${toInlineHtml(info.description)}</p>
${fictionalNotice}
<p>Base address: <code>${escapeHtml(request.baseUrl)}</code>. Machine-readable: <a href="openapi.json">openapi.json</a>
(version ${escapeHtml(info.version)}).</p>
<ul>${contents.join('')}<li><a href="docs#tutorial">A complete script</a></li>
<li><a href="docs#pages">Pages and caching</a></li><li><a href="problems">Problems</a></li></ul>
${sections.join('\n')}
${toTutorialSection(request.baseUrl, values)}
${pagesSection}`
  const page = {
    title: `${info.title}: reference`,
    basePath: toPublicPath(settings),
    styles: [referenceStyle.name],
    scripts: [referenceScript.name],
    main,
  }
  return serveHtml(request, toHtmlPage(page))
}

const valuesBySnapshot = new WeakMap<Snapshot, Promise<ExampleValues>>()

/** Reads the values once for each snapshot, because reading them needs a search. */
function findExampleValues(snapshot: Snapshot): Promise<ExampleValues> {
  const values = valuesBySnapshot.get(snapshot) ?? readExampleValues(snapshot)
  valuesBySnapshot.set(snapshot, values)
  return values
}

async function readExampleValues(snapshot: Snapshot): Promise<ExampleValues> {
  const values = new Map([
    ['limit', '5'],
    ['search', 'plan'],
  ])
  const [largest] = snapshot.municipalities.toSorted((a, b) => b.records - a.records)
  if (largest !== undefined) {
    values.set('municipality', largest.name)
    values.set('checkin_date', String(largest.lastYear))
  }
  const page = await snapshot.page({ limit: 1 })
  // The snapshot gives a code only in a cursor: the code of the last record of the page.
  if (page !== null && page.next !== null) values.set('cod_archivo', page.next.code)
  return values
}

/** The parameters of the example request of each operation. */
const exampleParameters: Readonly<Record<string, readonly string[]>> = {
  searchRecords: ['municipality', 'search', 'limit'],
  getRecord: ['cod_archivo'],
  listMunicipalities: [],
  summariseRecords: ['municipality'],
}

/** The HTML of one operation: description, console, code examples and example response. */
function toSection(path: string, operation: OperationDescription, baseUrl: string, values: ExampleValues): string {
  const { operationId, parameters } = operation
  const usedParameters = exampleParameters[operationId] ?? []
  /** The value in the example request; empty if the request does not have the parameter. */
  const toExampleValue = (name: string): string => (usedParameters.includes(name) ? (values.get(name) ?? '') : '')
  const address = toExampleAddress(baseUrl, path, parameters, toExampleValue)
  const snippets = toSnippets(operationId).map(
    ({ language, before, after }) =>
      `<figure><figcaption>${language}</figcaption><pre><code>${escapeHtml(before)}<span class="address">${escapeHtml(
        address,
      )}</span>${escapeHtml(after)}</code></pre></figure>`,
  )
  return `<section id="${operationId}" class="operation" data-path="${escapeHtml(path)}">
<h2>${escapeHtml(operation.summary)}</h2>
<p class="method"><code>GET ${escapeHtml(path)}</code></p>
<p>${toInlineHtml(operation.description)}</p>
<form class="console" action="${escapeHtml(address)}" method="get">
${parameters.map((parameter) => toField(operationId, parameter, toExampleValue(parameter.name))).join('\n')}
<p><button type="submit">Try it</button> <output></output></p>
<pre class="response" tabindex="0" hidden></pre>
</form>
<div class="snippets">${snippets.join('\n')}</div>
<details><summary>Example response</summary><pre><code>${escapeHtml(JSON.stringify(exampleResponses[operationId]?.found, null, 2))}</code></pre></details>
<p>Statuses: ${Object.keys(operation.responses).join(', ')}; errors are explained under <a href="problems">problems</a>.</p>
</section>`
}

function toField(
  operationId: string,
  { name, in: location, description, required }: OpenApiParameter,
  value: string,
): string {
  const id = `${operationId}-${name}`
  const requiredAttribute = required ? ' required' : ''
  return `<p class="field"><label for="${id}"><code>${name}</code></label>
<input id="${id}" name="${name}" data-in="${location}" value="${escapeHtml(value)}" aria-describedby="${id}-meaning"${requiredAttribute}>
<span id="${id}-meaning">${toInlineHtml(description)}</span></p>`
}

/** `toExampleValue` returns the value of a parameter, or an empty text for a parameter to leave out. */
function toExampleAddress(
  baseUrl: string,
  path: string,
  parameters: readonly OpenApiParameter[],
  toExampleValue: (name: string) => string,
): string {
  // An apostrophe would end the string in a code example.
  const encode = (text: string): string => encodeURIComponent(text).replaceAll("'", '%27')
  const filledPath = path.replace(/\{(\w+)\}/, (_, name: string) => encode(toExampleValue(name)))
  const pairs = parameters
    .filter(({ name, in: location }) => location === 'query' && toExampleValue(name) !== '')
    .map(({ name }) => `${name}=${encode(toExampleValue(name))}`)
  return `${baseUrl}${filledPath}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`
}

function toTutorialSection(baseUrl: string, values: ExampleValues): string {
  const figures = toTutorial(baseUrl, values.get('municipality') ?? 'Alicante').map(
    ({ language, code }) =>
      `<figure><figcaption>${language}</figcaption><pre><code>${escapeHtml(code)}</code></pre></figure>`,
  )
  return `<section id="tutorial"><h2>A complete script</h2>
<p>Prints the records of a municipality since 2015 that contain a word. <code>checkin_date</code> is a single year, so
the script itself filters the years. An empty result is a 404, which the script does not treat as an error.</p>
<div class="snippets">${figures.join('\n')}</div></section>`
}

const pagesSection = `<section id="pages"><h2>Pages and caching</h2>
<p>With <code>limit</code>, a response has the header <code>Link: &lt;…&gt;; rel="next"</code> while there are more records.
Request that address as it is. Its cursor stays valid when the registry is updated between two pages. Without
<code>limit</code>, the response contains the whole result.</p>
<p>Every response has an <code>ETag</code>. Send it back in <code>If-None-Match</code>: while nothing has changed, the
response is 304 without a body.</p></section>`

/** Reads a file from reference/. Its name has a hash of its content, so that browsers may cache it forever. */
function readNamedFile(stem: string, extension: string): NamedFile {
  const body = readFileSync(new URL(`./reference/${stem}${extension}`, import.meta.url))
  const name = `docs/${stem}-${toContentTag(body).slice(0, hashCharacters)}${extension}`
  return { ...toStaticFile(name, body, cacheForever), name }
}
