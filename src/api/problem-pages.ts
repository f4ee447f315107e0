// {base}/problems and {base}/problems/<code>: the pages of all problems, from their table. The `type` of a problem
// (RFC 9457) is the address of its page.
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import { toPublicPath } from '../http/settings.ts'
import { type Problem, type ProblemCode, problemKinds } from '../problems.ts'
import { escapeHtml, servePage, toInlineHtml } from './html.ts'
import type { Handler, RouteContext } from './route.ts'

const texts = {
  en: {
    heading: 'Problems',
    intro: 'Every error is `application/problem+json` (RFC 9457). Its `type` is the address of one of these pages.',
    columns: ['Status', 'Code', 'Title'],
    status: 'status',
    example: 'Example',
    all: 'All problems',
  },
  es: {
    heading: 'Errores',
    intro:
      'Todos los errores son `application/problem+json` (RFC 9457). Su `type` es la dirección de una de estas páginas.',
    columns: ['Estado', 'Código', 'Título'],
    status: 'estado',
    example: 'Ejemplo',
    all: 'Todos los errores',
  },
} as const

export const handleProblemList: Handler = (request, { settings }) =>
  servePage(request, settings, { path: 'problems' }, (language) => {
    const { heading, intro, columns } = texts[language]
    const rows = Object.entries(problemKinds).map(
      ([code, { status, title }]) =>
        `<tr><td>${status}</td><td><a href="problems/${code}?lang=${language}">${code}</a></td>` +
        `<td>${escapeHtml(title[language])}</td></tr>`,
    )
    const main = `<h1>${heading}</h1>
<p>${toInlineHtml(intro)}</p>
<table><thead><tr>${columns.map((column) => `<th>${column}</th>`).join('')}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`
    return { title: heading, main }
  })

export function serveProblemPage(
  request: ApiRequest,
  code: ProblemCode,
  { settings }: RouteContext,
): Promise<ApiResponse | Problem> {
  const publicPath = toPublicPath(settings)
  const { status, title, explanation, example } = problemKinds[code]
  return servePage(request, settings, { path: `problems/${code}` }, (language) => {
    const text = texts[language]
    const exampleHtml =
      example === undefined
        ? ''
        : `<h2>${text.example}</h2>
<p><a href="${escapeHtml(example)}"><code>GET ${escapeHtml(`${publicPath}/${example}`)}</code></a></p>\n`
    const main = `<h1>${escapeHtml(title[language])}</h1>
<p><code>${code}</code>, ${text.status} ${status}</p>
<p>${toInlineHtml(explanation[language])}</p>
${exampleHtml}<p><a href="problems?lang=${language}">${text.all}</a></p>`
    return { title: title[language], main }
  })
}
