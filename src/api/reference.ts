// {base}/docs: the reference for developers in English or Spanish, rendered from the table of operations. Its script
// (reference/) runs the console of each operation, a form that sends a request; everything else works without it.
import { fieldPrefix, type OwnField } from '../domain/own-fields.ts'
import { type Parameter, toDescription, toFieldFilter, toParameter } from '../domain/parameters.ts'
import type { WireIncluded } from '../domain/wire.ts'
import type { Snapshot } from '../registry/contract.ts'
import { version } from '../version.ts'
import { escapeHtml, type Language, type PageContent, referenceScript, servePage, toInlineHtml } from './html.ts'
import { localAddress, toLocalFetch } from './local.ts'
import { toResponses } from './openapi.ts'
import { type ApiOperation, apiDescription, apiTitle, operations } from './operations.ts'
import { labels } from './reference-text.ts'
import type { Handler } from './route.ts'
import { type Snippet, toSnippets, toTutorial } from './snippets.ts'

/** The values in the example requests, by parameter name, chosen to find records in the current registry. */
type ExampleValues = ReadonlyMap<string, string>

export const handleReference: Handler = (request, { store, settings }) => {
  const { baseUrl } = request
  const snapshot = store.current()
  const source = `${snapshot.metadata.id} ${baseUrl}`
  return servePage(request, settings, { path: 'docs', version: source }, (language) =>
    render(baseUrl, snapshot, language),
  )
}

async function render(baseUrl: string, snapshot: Snapshot, language: Language): Promise<PageContent> {
  const text = labels[language]
  const title = apiTitle[language]
  const values = await readExampleValues(snapshot)
  // Calls the operations in this process. They read this snapshot even if a newer one has been published meanwhile: the
  // newer one may lack the record of the example.
  const fetchLocally = toLocalFetch({ current: () => snapshot })
  const sections: string[] = []
  const { fields } = snapshot.metadata
  for (const operation of operations) {
    const response = await readExampleResponse(fetchLocally, toExampleAddress(localAddress, operation, values))
    // If the response is a problem, as in an empty registry, its `type` has the address of a local request.
    const shownResponse = response.replaceAll(localAddress, () => baseUrl)
    sections.push(toSection(operation, { baseUrl, response: shownResponse, values, fields }, language))
  }
  // The page has a `<base>` element, so a link within the page also needs its path.
  const toItem = (address: string, label: string): string => `<li><a href="${address}">${escapeHtml(label)}</a></li>`
  const contents = [
    ...operations.map(({ id, summary }) => toItem(`docs?lang=${language}#${id}`, summary[language])),
    toItem(`docs?lang=${language}#tutorial`, text.tutorial),
    toItem(`docs?lang=${language}#pages`, text.paging),
    toItem(`problems?lang=${language}`, text.problems),
  ]
  // Only an empty registry has no example of a municipality.
  const tutorial = toTutorial(baseUrl, values.get('municipality') ?? 'Alicante')
  const main = `<h1>${escapeHtml(title)}</h1>
<p>${toInlineHtml(apiDescription[language])}</p>
${snapshot.metadata.fictional ? `<p class="notice">${text.fictional}</p>` : ''}
<p>${text.baseAddress}: <code>${escapeHtml(baseUrl)}</code>. ${text.openApi}:
<a href="openapi.json">openapi.json</a> (${text.version} ${escapeHtml(version)}).</p>
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

/** The whole URL of the example request. */
function toExampleAddress(baseUrl: string, { id, path, parameters }: ApiOperation, values: ExampleValues): string {
  // An apostrophe would end the string in a code example.
  const encode = (name: string): string => encodeURIComponent(toExampleValue(id, name, values)).replaceAll("'", '%27')
  const filledPath = path.replace(/\{(\w+)\}/, (_, name: string) => encode(name))
  const pairs = parameters
    .filter((name) => name !== 'cod_archivo' && encode(name) !== '')
    .map((name) => `${name}=${encode(name)}`)
  return `${baseUrl}${filledPath}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`
}

/** The example request of an operation, and the response of this registry to it. */
interface Example {
  readonly baseUrl: string
  readonly response: string
  readonly values: ExampleValues
  /** The office's own columns, which every operation that takes a term filters by. */
  readonly fields: readonly OwnField[]
}

/**
 * The HTML of one operation: description, console, code examples and the response to the example request. The script of
 * the console builds addresses from `data-path` and from the `data-in` of each field.
 */
function toSection(
  operation: ApiOperation,
  { baseUrl, response, values, fields }: Example,
  language: Language,
): string {
  const { id, path, parameters, summary, description } = operation
  const text = labels[language]
  const address = escapeHtml(toExampleAddress(baseUrl, operation, values))
  const inputs = parameters.map((name) =>
    toField(id, name, toParameter(id, name), toExampleValue(id, name, values), language),
  )
  const ownInputs = parameters.includes('search')
    ? fields.map((field) => toField(id, fieldPrefix + field.name, toFieldFilter(field), '', language))
    : []
  const statuses = Object.keys(toResponses(id, operation.response)).join(', ')
  return `<section id="${id}" class="operation" data-path="${escapeHtml(path)}">
<h2>${escapeHtml(summary[language])}</h2>
<p class="method"><code>GET ${escapeHtml(path)}</code></p>
<p>${toInlineHtml(description[language])}</p>
<form class="console" action="${address}" method="get">
${[...inputs, ...ownInputs].join('\n')}
<p><button type="submit">${text.tryIt}</button> <output></output></p>
<pre class="response" tabindex="0" hidden></pre>
</form>
${toFigures(toSnippets(id), address)}
<details><summary>${text.exampleResponse}</summary><pre tabindex="0"><code>${escapeHtml(response)}</code></pre></details>
<p>${text.statuses.replace('{0}', statuses)} <a href="problems?lang=${language}">${text.problems.toLowerCase()}</a>.</p>
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
function toField(operationId: string, name: string, parameter: Parameter, value: string, language: Language): string {
  const meaning = toDescription(parameter, language)
  const location = name === 'cod_archivo' ? 'path' : 'query'
  const id = `${operationId}-${name}`
  return `<p class="field"><label for="${id}"><code>${name}</code></label>
<input id="${id}" name="${name}" data-in="${location}" value="${escapeHtml(value)}" aria-describedby="${id}-meaning"${location === 'path' ? ' required' : ''}>
<span id="${id}-meaning">${toInlineHtml(meaning)}</span></p>`
}
