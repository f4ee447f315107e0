// {base}/: the web page that `npm run build` writes to dist/web. The service adds the base path and the description of
// the registry for search engines (schema.org).
import { fileURLToPath } from 'node:url'
import type { StaticFile } from '../http/files.ts'
import { serveHtml } from '../http/files.ts'
import type { ApiRequest, ApiResponse } from '../http/response.ts'
import { toProblemResponse } from '../http/response.ts'
import { toPublicPath } from '../http/settings.ts'
import { Problem } from '../problems.ts'
import type { RegistryStore } from '../snapshot/contract.ts'
import { toSchemaOrg } from './catalog.ts'
import { escapeHtml, toHtmlPage } from './html.ts'
import { referenceStyle } from './reference.ts'
import type { ServiceSettings } from './settings.ts'

export const pageFolder: string = fileURLToPath(new URL('../../dist/web', import.meta.url))

/** `page` is index.html; undefined if it has not been built. */
export async function handlePage(
  request: ApiRequest,
  page: StaticFile | undefined,
  store: RegistryStore,
  settings: ServiceSettings,
): Promise<ApiResponse> {
  return serveHtml(request, page === undefined ? toNotBuiltPage(settings) : toPage(page, request, store, settings))
}

/** The 404 for a file of the page. Its browser has a page of another build, whose files have other names. */
export function serveMissingFile(request: ApiRequest): ApiResponse {
  return toProblemResponse(
    new Problem('unknown-address', 'The page has no file with this name; reload the page'),
    request,
  )
}

function toPage(page: StaticFile, request: ApiRequest, store: RegistryStore, settings: ServiceSettings): string {
  const snapshot = store.current()
  const dataset = JSON.stringify(toSchemaOrg(request.baseUrl, snapshot, settings.dataset))
  const baseElement = `<base href="${escapeHtml(toPublicPath(settings))}/">`
  const headElements = [
    ...(snapshot.metadata.fictional ? ['<meta name="registry" content="fictional">'] : []),
    // Every `<` is escaped, so that no value can end the script element.
    `<script type="application/ld+json">${dataset.replaceAll('<', '\\u003c')}</script>`,
  ]
  return page.body
    .toString()
    .replace(/<head[^>]*>/, (tag) => `${tag}\n${baseElement}`)
    .replace('</head>', () => `${headElements.join('\n')}\n</head>`)
}

/** Shown at the address of the page if `npm run build` has not been run. */
function toNotBuiltPage(settings: ServiceSettings): string {
  const main = `<h1>Planning registry</h1>
<p>The service is running, but its page has not been built. Run <code>npm run build</code> and restart the service.</p>
<p>The API works: see the <a href="docs">reference</a>, <a href="record?limit=20">record</a>,
<a href="municipality">municipality</a> and <a href="summary">summary</a>.</p>`
  const title = 'Planning registry'
  return toHtmlPage({ title, basePath: toPublicPath(settings), styles: [referenceStyle.name], scripts: [], main })
}
