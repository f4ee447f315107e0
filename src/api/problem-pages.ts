// {base}/problems and {base}/problems/<code>: the documentation of problems, rendered from the error catalogue. The
// `type` of a problem is the address of its page.

import { serveHtml } from '../http/files.ts'
import type { ApiRequest, ApiResponse } from '../http/response.ts'
import { toProblemResponse } from '../http/response.ts'
import { toPublicPath } from '../http/settings.ts'
import type { ProblemKind } from '../problems.ts'
import { Problem, problemKinds } from '../problems.ts'
import { escapeHtml, toHtmlPage } from './html.ts'
import { referenceStyle } from './reference.ts'
import type { ServiceSettings } from './settings.ts'

const kindsByCode: ReadonlyMap<string, ProblemKind> = new Map(Object.entries(problemKinds))

export async function handleProblemList(request: ApiRequest, settings: ServiceSettings): Promise<ApiResponse> {
  const rows = [...kindsByCode].map(
    ([code, { status, title }]) =>
      `<tr><td>${status}</td><td><a href="problems/${code}">${code}</a></td><td>${escapeHtml(title)}</td></tr>`,
  )
  const main = `<h1>Problems</h1>
<p>Every error is <code>application/problem+json</code> (RFC 9457). Its <code>type</code> is the address of one of these
pages.</p>
<table><thead><tr><th>Status</th><th>Code</th><th>Title</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`
  return serveHtml(request, toPage('Problems', main, settings))
}

export async function handleProblemPage(
  request: ApiRequest,
  code: string,
  settings: ServiceSettings,
): Promise<ApiResponse> {
  const kind = kindsByCode.get(code)
  if (kind === undefined) {
    const list = `${settings.basePath}/problems`
    const detail = `There is no problem with this code; ${list} lists all problems`
    return toProblemResponse(new Problem('unknown-address', detail, undefined, [list]), request)
  }
  const example = kind.example === undefined ? '' : toExampleHtml(kind.example, settings)
  const main = `<h1>${escapeHtml(kind.title)}</h1>
<p><code>${code}</code>, status ${kind.status}</p>
<p>${escapeHtml(kind.explanation)}</p>
${example}
<p><a href="problems">All problems</a></p>`
  return serveHtml(request, toPage(kind.title, main, settings))
}

/** `address` is relative to the base address. */
function toExampleHtml(address: string, settings: ServiceSettings): string {
  const request = `GET ${toPublicPath(settings)}/${address}`
  return `<h2>Example</h2>\n<p><a href="${escapeHtml(address)}"><code>${escapeHtml(request)}</code></a></p>`
}

function toPage(title: string, main: string, settings: ServiceSettings): string {
  return toHtmlPage({ title, basePath: toPublicPath(settings), styles: [referenceStyle.name], scripts: [], main })
}
