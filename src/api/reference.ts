// {base}/docs: the reference for developers, rendered from the OpenAPI description. It loads one style sheet and one
// script (reference/) from this service. Without the script, everything works except the console.
import { readFileSync } from 'node:fs'
import type { StaticFile } from '../http/files.ts'
import { cacheForever, serveHtml, toContentTag, toStaticFile } from '../http/files.ts'
import type { ApiRequest, ApiResponse } from '../http/response.ts'
import { toPublicPath } from '../http/settings.ts'
import type { RegistryStore, Snapshot } from '../snapshot/contract.ts'
import { answers } from './examples.ts'
import { escapeHtml, toHtmlPage, toInlineHtml } from './html.ts'
import { toOpenApi } from './openapi.ts'
import type { OpenApiParameter, OperationDescription } from './operations.ts'
import type { ServiceSettings } from './settings.ts'
import { toSnippets, toTutorial } from './snippets.ts'

export interface NamedFile extends StaticFile {
  /** Path relative to the base address. It contains a hash of the content. */
  readonly name: string
}

export const referenceStyle: NamedFile = readNamedFile('reference', '.css')
export const referenceScript: NamedFile = readNamedFile('try-it', '.js')

/** Values that find records in the current registry, by parameter name. */
export type ExampleValues = ReadonlyMap<string, string>

export async function handleReference(
  request: ApiRequest,
  store: RegistryStore,
  settings: ServiceSettings,
): Promise<ApiResponse> {
  const { paths, info } = toOpenApi(request.baseAddress)
  const snapshot = store.current()
  const values = await findExampleValues(snapshot)
  const sections = Object.entries(paths).map(([path, { get }]) => toSection(path, get, request.baseAddress, values))
  const contents = Object.values(paths).map(
    ({ get }) => `<li><a href="docs#${get.operationId}">${escapeHtml(get.summary)}</a></li>`,
  )
  const fictional = snapshot.facts.fictional
    ? '<p class="notice">This registry is the bundled sample: every record in it is fictional.</p>'
    : ''
  const main = `<h1>${escapeHtml(info.title)}</h1>
<p>${toInlineHtml(info.description)}</p>
${fictional}
<p>Base address: <code>${escapeHtml(request.baseAddress)}</code>. Machine-readable: <a href="openapi.json">openapi.json</a>
(version ${escapeHtml(info.version)}).</p>
<ul>${contents.join('')}<li><a href="docs#tutorial">A complete script</a></li>
<li><a href="docs#pages">Pages and caching</a></li><li><a href="problems">Problems</a></li></ul>
${sections.join('\n')}
${toTutorialSection(request.baseAddress, values)}
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

/** Computed once for each snapshot, because it needs a search. */
function findExampleValues(snapshot: Snapshot): Promise<ExampleValues> {
  const cached = valuesBySnapshot.get(snapshot)
  if (cached !== undefined) return cached
  const found = (async () => {
    const values = new Map([['limit', '5']])
    const [largest] = snapshot.municipalities.toSorted((a, b) => b.records - a.records)
    if (largest !== undefined) {
      values.set('municipality', largest.name)
      values.set('checkin_date', String(largest.lastYear))
    }
    values.set('search', 'plan')
    const page = await snapshot.page({ limit: 1 })
    // The snapshot gives a code only in a cursor: the code of the last record of the page.
    if (page !== null && page.next !== null) values.set('cod_archivo', page.next.code)
    return values
  })()
  valuesBySnapshot.set(snapshot, found)
  return found
}

/** The parameters that the example request of each operation has. */
const exampleParameters: Readonly<Record<string, readonly string[]>> = {
  searchRecords: ['municipality', 'search', 'limit'],
  getRecord: ['cod_archivo'],
  listMunicipalities: [],
  summariseRecords: ['municipality'],
}

function toSection(path: string, operation: OperationDescription, baseAddress: string, values: ExampleValues): string {
  const { operationId, parameters } = operation
  const withExample = exampleParameters[operationId] ?? []
  const exampleOf = (name: string): string => (withExample.includes(name) ? (values.get(name) ?? '') : '')
  const address = toExampleAddress(baseAddress, path, parameters, exampleOf)
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
${parameters.map((parameter) => toField(operationId, parameter, exampleOf(parameter.name))).join('\n')}
<p><button type="submit">Try it</button> <output></output></p>
<pre class="response" tabindex="0" hidden></pre>
</form>
<div class="snippets">${snippets.join('\n')}</div>
<details><summary>Example response</summary><pre><code>${escapeHtml(JSON.stringify(answers[operationId]?.found, null, 2))}</code></pre></details>
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

function toExampleAddress(
  baseAddress: string,
  path: string,
  parameters: readonly OpenApiParameter[],
  exampleOf: (name: string) => string,
): string {
  const encode = (text: string): string => encodeURIComponent(text).replaceAll("'", '%27')
  const filled = path.replace(/\{(\w+)\}/, (_, name: string) => encode(exampleOf(name)))
  const pairs = parameters
    .filter(({ name, in: location }) => location === 'query' && exampleOf(name) !== '')
    .map(({ name }) => `${name}=${encode(exampleOf(name))}`)
  return `${baseAddress}${filled}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`
}

function toTutorialSection(baseAddress: string, values: ExampleValues): string {
  const figures = toTutorial(baseAddress, values.get('municipality') ?? 'Alicante').map(
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

function readNamedFile(stem: string, extension: string): NamedFile {
  const body = readFileSync(new URL(`./reference/${stem}${extension}`, import.meta.url))
  const name = `docs/${stem}-${toContentTag(body).slice(0, 10)}${extension}`
  return { ...toStaticFile(name, body, cacheForever), name }
}
