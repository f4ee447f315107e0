// The HTML pages that the service writes itself: the reference, the problems, and the notice that the web page has not
// been built. They have the header and the style of the web page. Text that is not a constant goes through
// `escapeHtml`.

import { readFileSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import { valueCharactersMax } from '../domain/query-limits.ts'
import { type CompressionName, compressWhole } from '../http/compress.ts'
import { cacheForever, htmlHeaders, type StaticFile, serveFile, toContentTag, toStaticFile } from '../http/files.ts'
import { negotiateLanguage } from '../http/negotiate.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import type { ResponseHeaders } from '../http/response-headers.ts'
import { type HttpSettings, toPublicPath } from '../http/settings.ts'
import { Problem, quote } from '../problems.ts'
import { pageIcons, pageStyles } from './page-files.ts'

export type Language = 'en' | 'es'

/** Escapes text for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Escapes text, and renders text in backquotes as `<code>`. */
export function toInlineHtml(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

/** A static file and its path. */
export interface NamedFile extends StaticFile {
  /** Path relative to the base address. It contains a hash of the content. */
  readonly name: string
}

/** The files in reference/, which these pages load. */
export const referenceStyle: NamedFile = readNamedFile('reference', '.css')
export const referenceScript: NamedFile = readNamedFile('try-it', '.js')

/** Reads a file from reference/. Its name has a hash of its content, so that browsers may cache it forever. */
function readNamedFile(stem: string, extension: string): NamedFile {
  const body = readFileSync(new URL(`./reference/${stem}${extension}`, import.meta.url))
  // Ten characters tell the versions of a file apart.
  const name = `docs/${stem}-${toContentTag(body).slice(0, 10)}${extension}`
  return { ...toStaticFile(name, body, cacheForever), name }
}

export interface PageContent {
  readonly title: string
  /** The address of a script, relative to the base address. */
  readonly script?: string
  /** The HTML of the `<main>` element. */
  readonly main: string
}

/** The pages that were rendered last, each with its compressed forms. */
const rendered = new LRUCache<string, Promise<StaticFile>>({ max: 100 })

/**
 * Serves a page in the language that `lang` or else `Accept-Language` asks for. It is rendered once for each language
 * and `version`, which has all else that it depends on. `path` is relative to the base address.
 */
export async function servePage(
  request: ApiRequest,
  settings: Pick<HttpSettings, 'publicUrl' | 'basePath'>,
  { path, version = '' }: { readonly path: string; readonly version?: string },
  render: (language: Language) => PageContent | Promise<PageContent>,
): Promise<ApiResponse | Problem> {
  const language = parseLanguage(request)
  if (language instanceof Problem) return language
  const publicPath = toPublicPath(settings)
  const key = [language, path, publicPath, version].join(' ')
  const known = rendered.get(key)
  if (known !== undefined) return serveFile(request, await known)
  const page = renderFile(language, path, publicPath, render)
  rendered.set(key, page)
  // A failure is not kept: the next request renders the page again.
  page.catch(() => rendered.delete(key))
  return serveFile(request, await page)
}

async function renderFile(
  language: Language,
  path: string,
  publicPath: string,
  render: (language: Language) => PageContent | Promise<PageContent>,
): Promise<StaticFile> {
  const body = Buffer.from(toHtmlPage(await render(language), language, publicPath, path))
  const compressed = new Map<CompressionName, Uint8Array>()
  for (const coding of ['br', 'zstd', 'gzip'] as const) {
    const encoded = await compressWhole(body, coding)
    if (encoded !== undefined) compressed.set(coding, encoded)
  }
  return { body, tag: toContentTag(body), headers: negotiatedHeaders, compressed }
}

const negotiatedHeaders: ResponseHeaders = { ...htmlHeaders, Vary: 'Accept-Encoding, Accept-Language' }

/** The language of a page whose only parameter is `lang`. */
function parseLanguage(request: ApiRequest): Language | Problem {
  const parameters = [...new URLSearchParams(request.target.query)]
  const unknown = parameters.find(([name]) => name !== 'lang')
  if (unknown !== undefined) {
    const detail = `Cannot read ${quote(unknown[0])}: this address takes lang`
    return new Problem('unknown-parameter', detail, { parameter: unknown[0].slice(0, valueCharactersMax) })
  }
  if (parameters.length > 1) {
    return new Problem('repeated-parameter', 'Cannot read lang: it is given twice; give it once', { parameter: 'lang' })
  }
  const [[, language] = ['lang', negotiateLanguage(request.header('accept-language'), 'en')]] = parameters
  if (language === 'es' || language === 'en') return language
  const code = language.trim() === '' ? 'incomplete-request' : 'malformed-language'
  return new Problem(code, `Cannot read lang: expected es or en, got ${quote(language)}`, { parameter: 'lang' })
}

const texts = {
  en: { name: 'Urban planning registry', service: 'Service', search: 'Search', catalogue: 'Catalogue' },
  es: { name: 'Registro de planeamiento urbanístico', service: 'Servicio', search: 'Buscar', catalogue: 'Catálogo' },
}

/** Four rectangles, like blocks of houses on a plan. */
const logo =
  '<svg class="mark" viewBox="0 0 32 32" aria-hidden="true" width="24" height="24">' +
  '<path d="M2 2h12v9H2zM2 14h12v16H2zM18 2h12v16H18zM18 21h12v9H18z"></path></svg>'

/**
 * The whole page. All links are relative to `publicPath`, the path prefix that clients use. `path` is that of the page;
 * undefined if there is no page in the other language.
 */
export function toHtmlPage(
  { title, script, main }: PageContent,
  language: Language,
  publicPath: string,
  path?: string,
): string {
  const { name, service, search, catalogue } = texts[language]
  const other = language === 'es' ? { code: 'en', name: 'English' } : { code: 'es', name: 'Español' }
  const languageLink =
    path === undefined
      ? ''
      : `<a href="${escapeHtml(`${path}?lang=${other.code}`)}" lang="${other.code}" hreflang="${other.code}">${other.name}</a>`
  // The style sheet of the web page comes last, so that its colours win. Without a built web page it is missing.
  const styles = [referenceStyle.name, ...pageStyles].map(
    (href) => `<link rel="stylesheet" href="${escapeHtml(href)}">\n`,
  )
  const icons = pageIcons.map((href) => `<link rel="icon" href="${escapeHtml(href)}">\n`)
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<base href="${escapeHtml(publicPath)}/">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${icons.join('')}${styles.join('')}${script === undefined ? '' : `<script type="module" src="${escapeHtml(script)}"></script>\n`}</head>
<body>
<header class="masthead compact"><div class="top"><div class="wrap">
<a class="brand" href="./?lang=${language}">${logo}<span>${name}</span></a>
<nav aria-label="${service}"><a href="./?lang=${language}">${search}</a>
<a href="docs?lang=${language}">API</a> <a href="openapi.json">OpenAPI</a> <a href="catalog">${catalogue}</a> ${languageLink}</nav>
</div></div></header>
<main class="wrap reference">
${main}
</main>
</body>
</html>
`
}
