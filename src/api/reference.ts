// {base}/docs: the reference for developers in English or Spanish, rendered from the table of operations. Besides the
// style of the web page, it loads one style sheet and one script (reference/). The script runs the console of each
// operation, a form that sends a request; everything else works without it.
import { readFileSync } from 'node:fs'
import { type ParameterName, toDescription, toParameter } from '../domain/parameters.ts'
import type { WireIncluded } from '../domain/wire.ts'
import type { StaticFile } from '../http/files.ts'
import { cacheForever, serveHtml, toContentTag, toStaticFile } from '../http/files.ts'
import type { ApiRequest, ApiResponse } from '../http/response.ts'
import { toPublicPath } from '../http/settings.ts'
import type { RegistryStore, Snapshot } from '../registry/contract.ts'
import { version } from '../version.ts'
import { escapeHtml, toHtmlPage, toInlineHtml } from './html.ts'
import { localAddress, toLocalFetch } from './local.ts'
import { toResponses } from './openapi.ts'
import { type ApiOperation, apiDescription, apiTitle, operations } from './operations.ts'
import { type ReferenceText, referenceTexts } from './reference-text.ts'
import type { ServiceSettings } from './settings.ts'
import { toSnippets, toTutorial } from './snippets.ts'

/** A static file and its path. */
export interface NamedFile extends StaticFile {
  /** Path relative to the base address. It contains a hash of the content. */
  readonly name: string
}

/** Characters of the hash in a file name: enough to tell the versions of a file apart. */
const hashCharacters = 10

/** The files in reference/, which the page loads. */
export const referenceStyle: NamedFile = readNamedFile('reference', '.css')
export const referenceScript: NamedFile = readNamedFile('try-it', '.js')

/** The values in the example requests, by parameter name, chosen to find records in the current registry. */
export type ExampleValues = ReadonlyMap<string, string>

export async function handleReference(
  request: ApiRequest,
  store: RegistryStore,
  settings: ServiceSettings,
): Promise<ApiResponse> {
  const language = new URLSearchParams(request.target.query).get('lang') === 'es' ? 'es' : 'en'
  const text = referenceTexts[language]
  const snapshot = store.current()
  const { values, responses } = await findExamples(snapshot)
  const sections = operations.map((operation) => {
    const address = toExampleAddress(request.baseUrl, operation, values)
    // If the response is a problem, as in an empty registry, its `type` has the address of a local request.
    const response = (responses.get(operation.id) ?? '').replaceAll(localAddress, () => request.baseUrl)
    return toSection(operation, { address, response, values }, text)
  })
  const docsUrls = { en: 'docs', es: 'docs?lang=es' }
  // The page has a `<base>` element, so a link within the page also needs its path.
  const docsUrl = docsUrls[language]
  const problemsUrl = `problems?lang=${language}`
  const operationLinks = operations.map(
    ({ id, summary }) => `<li><a href="${docsUrl}#${id}">${escapeHtml(summary[language])}</a></li>`,
  )
  const title = apiTitle[language]
  const fictionalNotice = snapshot.metadata.fictional ? `<p class="notice">${escapeHtml(text.fictional)}</p>` : ''
  const pagingParagraphs = text.pagingParagraphs.map((paragraph) => `<p>${toInlineHtml(paragraph)}</p>`)
  const main = `<h1>${escapeHtml(title)}</h1>
<p>${toInlineHtml(apiDescription[language])}</p>
${fictionalNotice}
<p>${text.baseAddress}: <code>${escapeHtml(request.baseUrl)}</code>. ${text.openApiLabel}:
<a href="openapi.json">openapi.json</a> (${escapeHtml(text.version(version))}).</p>
<ul class="contents">${operationLinks.join('')}<li><a href="${docsUrl}#tutorial">${text.tutorial}</a></li>
<li><a href="${docsUrl}#pages">${text.paging}</a></li><li><a href="${problemsUrl}">${text.problems}</a></li></ul>
${sections.join('\n')}
${toTutorialSection(request.baseUrl, values, text)}
<section id="pages"><h2>${text.paging}</h2>${pagingParagraphs.join('\n')}</section>`
  const page = {
    title: `${title}: ${text.pageKind}`,
    language,
    otherLanguageUrl: docsUrls[language === 'es' ? 'en' : 'es'],
    publicPath: toPublicPath(settings),
    styles: [referenceStyle.name],
    scripts: [referenceScript.name],
    main,
  } as const
  return serveHtml(request, toHtmlPage(page))
}

/** The most lines of a response that are shown. */
const responseLinesMax = 80

/**
 * The first `responseLinesMax` lines of a text such as CSV, and the next one, if there is one, so that the caller knows
 * that the text goes on. The rest may be long and is not read.
 */
async function readFirstLines(response: Response): Promise<string[]> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    // The last item of `split` is not counted: more of that line may arrive.
    if (text.split('\n').length > responseLinesMax + 1) break
  }
  return text
    .replace(/\n$/, '')
    .split('\n')
    .slice(0, responseLinesMax + 1)
}

/** The response to the example request, as text to show; JSON is indented. `address` is that of a local request. */
async function readExampleResponse(fetchLocally: typeof fetch, address: string): Promise<string> {
  const fetched = await fetchLocally(address)
  const isJson = (fetched.headers.get('content-type') ?? '').includes('json')
  const lines = isJson ? JSON.stringify(await fetched.json(), null, 2).split('\n') : await readFirstLines(fetched)
  return lines.length <= responseLinesMax ? lines.join('\n') : `${lines.slice(0, responseLinesMax).join('\n')}\n…`
}

/** The examples of one snapshot. */
interface Examples {
  readonly values: ExampleValues
  /** The responses to the example requests by `operationId`, with addresses of local requests. */
  readonly responses: ReadonlyMap<string, string>
}

const examplesBySnapshot = new WeakMap<Snapshot, Promise<Examples>>()

/** The examples of the snapshot, which are read once. */
function findExamples(snapshot: Snapshot): Promise<Examples> {
  const cached = examplesBySnapshot.get(snapshot)
  if (cached !== undefined) return cached
  const examples = readExamples(snapshot)
  examplesBySnapshot.set(snapshot, examples)
  // A failure is not kept: the next request reads the examples again.
  examples.catch(() => examplesBySnapshot.delete(snapshot))
  return examples
}

async function readExamples(snapshot: Snapshot): Promise<Examples> {
  const values = await readExampleValues(snapshot)
  // Calls the operations in this process. They read this snapshot even if a newer one has been published meanwhile: the
  // newer one may lack the record of the example.
  const fetchLocally = toLocalFetch({ current: () => snapshot })
  const responses = new Map<string, string>()
  for (const operation of operations) {
    const address = toExampleAddress(localAddress, operation, values)
    responses.set(operation.id, await readExampleResponse(fetchLocally, address))
  }
  return { values, responses }
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

/** The example request of an operation, and the response of this registry to it. */
interface Example {
  /** The whole URL. */
  readonly address: string
  readonly response: string
  readonly values: ExampleValues
}

/**
 * The HTML of one operation: description, console, code examples and the response to the example request. The script of
 * the console builds addresses from `data-path` and from the `data-in` of each field.
 */
function toSection(operation: ApiOperation, example: Example, text: ReferenceText): string {
  const { id, path, parameters, summary, description } = operation
  const { address, response, values } = example
  const snippets = toSnippets(id).map(
    ({ language, before, after }) =>
      `<figure><figcaption>${language}</figcaption><pre tabindex="0"><code>${escapeHtml(before)}<span class="address">${escapeHtml(
        address,
      )}</span>${escapeHtml(after)}</code></pre></figure>`,
  )
  const fields = parameters.map((name) => toField(id, name, toExampleValue(id, name, values), text))
  const statuses = Object.keys(toResponses(id, operation.response)).join(', ')
  const responseHtml = escapeHtml(response)
  return `<section id="${id}" class="operation" data-path="${escapeHtml(path)}">
<h2>${escapeHtml(summary[text.language])}</h2>
<p class="method"><code>GET ${escapeHtml(path)}</code></p>
<p>${toInlineHtml(description[text.language])}</p>
<form class="console" action="${escapeHtml(address)}" method="get">
${fields.join('\n')}
<p><button type="submit">${text.tryIt}</button> <output></output></p>
<pre class="response" tabindex="0" hidden></pre>
</form>
<div class="snippets">${snippets.join('\n')}</div>
<details><summary>${text.exampleResponse}</summary><pre tabindex="0"><code>${responseHtml}</code></pre></details>
<p>${text.statuses(statuses)} <a href="problems?lang=${text.language}">${text.problems.toLowerCase()}</a>.</p>
</section>`
}

/** The value of a parameter in the example request; empty if the request does not have it. */
function toExampleValue(operationId: string, name: string, values: ExampleValues): string {
  return exampleParameters[operationId]?.includes(name) === true ? (values.get(name) ?? '') : ''
}

/** The HTML of a parameter in the console: label, input and meaning. */
function toField(operationId: string, name: ParameterName, value: string, { language }: ReferenceText): string {
  const meaning = toDescription(toParameter(operationId, name), language)
  const id = `${operationId}-${name}`
  const identifiers = `id="${id}" name="${name}" data-in="${name === 'cod_archivo' ? 'path' : 'query'}"`
  const attributes = `${identifiers} value="${escapeHtml(value)}" aria-describedby="${id}-meaning"`
  const requiredAttribute = name === 'cod_archivo' ? ' required' : ''
  return `<p class="field"><label for="${id}"><code>${name}</code></label>
<input ${attributes}${requiredAttribute}>
<span id="${id}-meaning">${toInlineHtml(meaning)}</span></p>`
}

/** The whole URL of the example request. */
function toExampleAddress(baseUrl: string, { id, path, parameters }: ApiOperation, values: ExampleValues): string {
  // An apostrophe would end the string in a code example.
  const encode = (text: string): string => encodeURIComponent(text).replaceAll("'", '%27')
  const exampleOf = (name: string): string => toExampleValue(id, name, values)
  const filledPath = path.replace(/\{(\w+)\}/, (_, name: string) => encode(exampleOf(name)))
  const pairs = parameters
    .filter((name) => name !== 'cod_archivo' && exampleOf(name) !== '')
    .map((name) => `${name}=${encode(exampleOf(name))}`)
  return `${baseUrl}${filledPath}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`
}

function toTutorialSection(baseUrl: string, values: ExampleValues, text: ReferenceText): string {
  // Only an empty registry has no example of a municipality.
  const figures = toTutorial(baseUrl, values.get('municipality') ?? 'Alicante').map(
    ({ language, code }) =>
      `<figure><figcaption>${language}</figcaption><pre tabindex="0"><code>${escapeHtml(code)}</code></pre></figure>`,
  )
  return `<section id="tutorial"><h2>${text.tutorial}</h2>
<p>${toInlineHtml(text.tutorialText)}</p>
<div class="snippets">${figures.join('\n')}</div></section>`
}

/** Reads a file from reference/. Its name has a hash of its content, so that browsers may cache it forever. */
function readNamedFile(stem: string, extension: string): NamedFile {
  const body = readFileSync(new URL(`./reference/${stem}${extension}`, import.meta.url))
  const name = `docs/${stem}-${toContentTag(body).slice(0, hashCharacters)}${extension}`
  return { ...toStaticFile(name, body, cacheForever), name }
}
