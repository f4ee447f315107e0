// {base}/docs: the reference for developers, rendered from the OpenAPI description in English or Spanish. Its script
// (reference/) runs the console of each operation, a form that sends a request; everything else works without it.
import type { WireIncluded } from '../domain/wire.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import type { RegistryStore, Snapshot } from '../registry/contract.ts'
import { escapeHtml, type Language, type PageContent, referenceScript, servePage, toInlineHtml } from './html.ts'
import { localAddress, toLocalFetch } from './local.ts'
import { toOpenApi } from './openapi.ts'
import type { OpenApiParameter, OperationDescription } from './operations.ts'
import { labels, spanish } from './reference-text.ts'
import type { ServiceSettings } from './settings.ts'
import { type Snippet, toSnippets, toTutorial } from './snippets.ts'

/** The values in the example requests, by parameter name, chosen to find records in the current registry. */
type ExampleValues = ReadonlyMap<string, string>

export function handleReference(
  request: ApiRequest,
  store: RegistryStore,
  settings: ServiceSettings,
): Promise<ApiResponse> {
  const { baseUrl } = request
  const snapshot = store.current()
  const version = `${snapshot.metadata.id} ${baseUrl}`
  return servePage(request, settings, { path: 'docs', version }, (language) => render(baseUrl, snapshot, language))
}

async function render(baseUrl: string, snapshot: Snapshot, language: Language): Promise<PageContent> {
  const text = labels[language]
  const { paths, info } = toOpenApi(baseUrl, snapshot.metadata.codePattern)
  const { title, description } = language === 'es' ? spanish : info
  const values = await readExampleValues(snapshot)
  // Calls the operations in this process. They read this snapshot even if a newer one has been published meanwhile: the
  // newer one may lack the record of the example.
  const fetchLocally = toLocalFetch({ current: () => snapshot })
  const sections: string[] = []
  for (const [path, { get: operation }] of Object.entries(paths)) {
    const response = await readExampleResponse(fetchLocally, toExampleAddress(localAddress, path, operation, values))
    // If the response is a problem, as in an empty registry, its `type` has the address of a local request.
    const shownResponse = response.replaceAll(localAddress, () => baseUrl)
    sections.push(toSection(path, operation, { baseUrl, response: shownResponse, values }, language))
  }
  // The page has a `<base>` element, so a link within the page also needs its path.
  const toItem = (address: string, label: string): string => `<li><a href="${address}">${escapeHtml(label)}</a></li>`
  const contents = [
    ...Object.values(paths).map(({ get: { operationId, summary } }) =>
      toItem(
        `docs?lang=${language}#${operationId}`,
        language === 'es' ? (spanish.operations[operationId]?.summary ?? summary) : summary,
      ),
    ),
    toItem(`docs?lang=${language}#tutorial`, text.tutorial),
    toItem(`docs?lang=${language}#pages`, text.paging),
    toItem(`problems?lang=${language}`, text.problems),
  ]
  // Only an empty registry has no example of a municipality.
  const tutorial = toTutorial(baseUrl, values.get('municipality') ?? 'Alicante')
  const main = `<h1>${escapeHtml(title)}</h1>
<p>${toInlineHtml(description)}</p>
${snapshot.metadata.fictional ? `<p class="notice">${text.fictional}</p>` : ''}
<p>${text.baseAddress}: <code>${escapeHtml(baseUrl)}</code>. ${text.openApi}:
<a href="openapi.json">openapi.json</a> (${text.version} ${escapeHtml(info.version)}).</p>
<ul class="contents">${contents.join('\n')}</ul>
${sections.join('\n')}
<section id="tutorial"><h2>${text.tutorial}</h2>
<p>${toInlineHtml(text.tutorialText)}</p>
${toFigures(tutorial)}</section>
<section id="pages"><h2>${text.paging}</h2>
${text.pagingParagraphs.map((paragraph) => `<p>${toInlineHtml(paragraph)}</p>`).join('\n')}</section>`
  return { title: `${title}: ${text.pageKind}`, script: referenceScript.name, main }
}

/** The most lines of a response that are shown. */
const responseLinesMax = 80

/** The response to the example request, as text to show; JSON is indented. */
async function readExampleResponse(fetchLocally: typeof fetch, address: string): Promise<string> {
  const fetched = await fetchLocally(address)
  const isJson = (fetched.headers.get('content-type') ?? '').includes('json')
  const lines = isJson ? JSON.stringify(await fetched.json(), null, 2).split('\n') : await readFirstLines(fetched)
  return lines.length <= responseLinesMax ? lines.join('\n') : `${lines.slice(0, responseLinesMax).join('\n')}\n…`
}

/** The first lines of a text such as CSV, one more than are shown. The rest may be long and is not read. */
async function readFirstLines(response: Response): Promise<string[]> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    // The last item of `split` is not counted: more of that line may arrive.
    if (text.split('\n').length > responseLinesMax + 1) break
  }
  const lines = text.replace(/\n$/, '').split('\n')
  return lines.slice(0, responseLinesMax + 1)
}

async function readExampleValues(snapshot: Snapshot): Promise<ExampleValues> {
  const values = new Map([
    ['limit', '5'],
    ['search', 'plan'],
  ])
  const [largest] = snapshot.municipalities.toSorted((a, b) => b.records - a.records)
  if (largest !== undefined) values.set('municipality', largest.name)
  const result = await snapshot.page({ limit: 1, include: ['cod_archivo'] })
  // The text of a page is the JSON of its records, here of one.
  if (result !== null) values.set('cod_archivo', (JSON.parse(result.text) as WireIncluded).cod_archivo ?? '')
  return values
}

/** The parameters of the example request of each operation; an operation that is not listed needs none. */
const exampleParameters: Readonly<Record<string, readonly string[]>> = {
  searchRecords: ['municipality', 'search', 'limit'],
  getRecord: ['cod_archivo'],
  summariseRecords: ['municipality'],
}

/** The value of a parameter in the example request; empty if the request does not have it. */
function toExampleValue(operationId: string, name: string, values: ExampleValues): string {
  return exampleParameters[operationId]?.includes(name) === true ? (values.get(name) ?? '') : ''
}

/** The whole URL of the example request. `path` is the path of the operation, such as `/record/{cod_archivo}`. */
function toExampleAddress(
  baseUrl: string,
  path: string,
  { operationId, parameters }: OperationDescription,
  values: ExampleValues,
): string {
  // An apostrophe would end the string in a code example.
  const encode = (name: string): string =>
    encodeURIComponent(toExampleValue(operationId, name, values)).replaceAll("'", '%27')
  const filledPath = path.replace(/\{(\w+)\}/, (_, name: string) => encode(name))
  const pairs = parameters
    .filter(({ name, in: location }) => location === 'query' && encode(name) !== '')
    .map(({ name }) => `${name}=${encode(name)}`)
  return `${baseUrl}${filledPath}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`
}

/** The example request of an operation, and the response of this registry to it. */
interface Example {
  readonly baseUrl: string
  readonly response: string
  readonly values: ExampleValues
}

/**
 * The HTML of one operation: description, console, code examples and the response to the example request. The script of
 * the console builds addresses from `data-path` and from the `data-in` of each field.
 */
function toSection(
  path: string,
  operation: OperationDescription,
  { baseUrl, response, values }: Example,
  language: Language,
): string {
  const { operationId, parameters, responses } = operation
  const text = labels[language]
  const { summary, description } = (language === 'es' ? spanish.operations[operationId] : undefined) ?? operation
  const address = escapeHtml(toExampleAddress(baseUrl, path, operation, values))
  const fields = parameters.map((parameter) =>
    toField(operationId, parameter, toExampleValue(operationId, parameter.name, values), language),
  )
  return `<section id="${operationId}" class="operation" data-path="${escapeHtml(path)}">
<h2>${escapeHtml(summary)}</h2>
<p class="method"><code>GET ${escapeHtml(path)}</code></p>
<p>${toInlineHtml(description)}</p>
<form class="console" action="${address}" method="get">
${fields.join('\n')}
<p><button type="submit">${text.tryIt}</button> <output></output></p>
<pre class="response" tabindex="0" hidden></pre>
</form>
${toFigures(toSnippets(operationId), address)}
<details><summary>${text.exampleResponse}</summary><pre tabindex="0"><code>${escapeHtml(response)}</code></pre></details>
<p>${text.statuses.replace('{0}', Object.keys(responses).join(', '))} <a href="problems?lang=${language}">${text.problems.toLowerCase()}</a>.</p>
</section>`
}

/** The HTML of code examples. `address` is the HTML of the address that `URL` stands for. */
function toFigures(snippets: readonly Snippet[], address = ''): string {
  const figures = snippets.map(({ language, code }) => {
    const html = escapeHtml(code).replace('URL&#39;', () => `<span class="address">${address}</span>&#39;`)
    return `<figure><figcaption>${language}</figcaption><pre tabindex="0"><code>${html}</code></pre></figure>`
  })
  return `<div class="snippets">${figures.join('\n')}</div>`
}

/** The HTML of a parameter in the console: label, input and meaning. */
function toField(
  operationId: string,
  { name, in: location, description, required }: OpenApiParameter,
  value: string,
  language: Language,
): string {
  const translation = spanish.parameters[`${operationId}.${name}`] ?? spanish.parameters[name]
  const meaning = (language === 'es' ? translation : undefined) ?? description
  const id = `${operationId}-${name}`
  return `<p class="field"><label for="${id}"><code>${name}</code></label>
<input id="${id}" name="${name}" data-in="${location}" value="${escapeHtml(value)}" aria-describedby="${id}-meaning"${required ? ' required' : ''}>
<span id="${id}-meaning">${toInlineHtml(meaning)}</span></p>`
}
