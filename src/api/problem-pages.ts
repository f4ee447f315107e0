// {base}/problems and {base}/problems/<code>: the documentation of problems in English and Spanish, rendered from the
// catalogue (`problemKinds`). The `type` of a problem is the address of its page.
//
// Links are relative to the public path, the path prefix that clients use. `toHtmlPage` writes it as `<base href>`.

import { htmlHeaders, serveHtml } from '../http/files.ts'
import { prefersSpanish } from '../http/negotiate.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse, Headers } from '../http/response.ts'
import { toPublicPath } from '../http/settings.ts'
import type { ProblemCode, ProblemKind } from '../problems.ts'
import { Problem, problemKinds } from '../problems.ts'
import { escapeHtml, type HtmlPage, toHtmlPage, toInlineHtml } from './html.ts'
import { spanishProblems } from './problem-pages-spanish.ts'
import { referenceStyle } from './reference.ts'
import type { ServiceSettings } from './settings.ts'

type Language = NonNullable<HtmlPage['language']>

/** All kinds of problems by code, such as `no-match`. */
const kindsByCode: ReadonlyMap<string, ProblemKind> = new Map(Object.entries(problemKinds))

const texts = {
  en: {
    heading: 'Problems',
    intro:
      'Every error is <code>application/problem+json</code> (RFC 9457). Its <code>type</code> is the address of one ' +
      'of these pages.',
    columns: ['Status', 'Code', 'Title'],
    status: 'status',
    example: 'Example',
    allProblems: 'All problems',
  },
  es: {
    heading: 'Errores',
    intro:
      'Todos los errores son <code>application/problem+json</code> (RFC 9457). Su <code>type</code> es la dirección ' +
      'de una de estas páginas.',
    columns: ['Estado', 'Código', 'Título'],
    status: 'estado',
    example: 'Ejemplo',
    allProblems: 'Todos los errores',
  },
} as const

export function handleProblemList(request: ApiRequest, settings: ServiceSettings): Promise<ApiResponse> {
  const language = chooseLanguage(request)
  const { heading, intro, columns } = texts[language]
  const rows = [...kindsByCode].map(
    ([code, { status }]) =>
      `<tr><td>${status}</td><td><a href="${toAddress(`problems/${code}`, language)}">${code}</a></td>` +
      `<td>${escapeHtml(toText(code, language).title)}</td></tr>`,
  )
  const main = `<h1>${heading}</h1>
<p>${intro}</p>
<table><thead><tr>${columns.map((column) => `<th>${column}</th>`).join('')}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`
  return serve(request, { title: heading, path: 'problems', language, main }, settings)
}

/** The page of a problem. Returns the problem `unknown-address` if no problem has this code. */
export async function handleProblemPage(
  request: ApiRequest,
  code: string,
  settings: ServiceSettings,
): Promise<ApiResponse | Problem> {
  const kind = kindsByCode.get(code)
  if (kind === undefined) {
    const listPath = `${toPublicPath(settings)}/problems`
    const detail = `There is no problem with this code; ${listPath} lists all problems`
    return new Problem('unknown-address', detail, { suggestions: [listPath] })
  }
  const language = chooseLanguage(request)
  const { title, explanation } = toText(code, language)
  const { status, allProblems } = texts[language]
  const example = kind.example === undefined ? '' : toExampleHtml(kind.example, language, settings)
  const main = `<h1>${escapeHtml(title)}</h1>
<p><code>${code}</code>, ${status} ${kind.status}</p>
<p>${toInlineHtml(explanation)}</p>
${example}
<p><a href="${toAddress('problems', language)}">${allProblems}</a></p>`
  return serve(request, { title, path: `problems/${code}`, language, main }, settings)
}

/** The language that the address names, else the one that the client prefers. */
function chooseLanguage(request: ApiRequest): Language {
  const language = new URLSearchParams(request.target.query).get('lang')
  if (language === 'es' || language === 'en') return language
  return prefersSpanish(request.header('accept-language')) ? 'es' : 'en'
}

/** The title and explanation of a problem. `code` is a key of `kindsByCode`. */
function toText(code: string, language: Language): Pick<ProblemKind, 'title' | 'explanation'> {
  const problemCode = code as ProblemCode
  return language === 'es' ? spanishProblems[problemCode] : problemKinds[problemCode]
}

/** The address of a page in this language, relative to the public path. */
function toAddress(path: string, language: Language): string {
  return `${path}?lang=${language}`
}

/** The HTML of an example: a link to a request that gets the problem. `address` is relative to the public path. */
function toExampleHtml(address: string, language: Language, settings: ServiceSettings): string {
  const request = `GET ${toPublicPath(settings)}/${address}`
  const link = `<a href="${escapeHtml(address)}"><code>${escapeHtml(request)}</code></a>`
  return `<h2>${texts[language].example}</h2>\n<p>${link}</p>`
}

interface ProblemPage extends Pick<HtmlPage, 'title' | 'main'> {
  readonly language: Language
  /** Relative to the public path. */
  readonly path: string
}

function serve(request: ApiRequest, { path, ...page }: ProblemPage, settings: ServiceSettings): Promise<ApiResponse> {
  const html = toHtmlPage({
    ...page,
    otherLanguageUrl: toAddress(path, page.language === 'es' ? 'en' : 'es'),
    publicPath: toPublicPath(settings),
    styles: [referenceStyle.name],
    scripts: [],
  })
  return serveHtml(request, html, negotiatedHeaders)
}

/** The headers of an HTML page whose language depends on `Accept-Language` if the address names none. */
const negotiatedHeaders: Headers = { ...htmlHeaders, Vary: 'Accept-Encoding, Accept-Language' }
