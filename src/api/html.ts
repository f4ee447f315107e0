// Template of the HTML pages that the service writes itself: the reference, the problems, and the notice that the web
// page has not been built. They have the header and the style of the web page. Text that is not a constant goes through
// `escapeHtml`.
import { pageIcons, pageStyles } from './page-files.ts'

/** Escapes text for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Escapes text, and renders text in backquotes as `<code>`. */
export function toInlineHtml(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

export interface HtmlPage {
  readonly title: string
  /** `en` by default. */
  readonly language?: 'es' | 'en'
  /** The address of this page in the other language, relative to `publicPath`; undefined if there is none. */
  readonly otherLanguageUrl?: string
  /** The path prefix that clients use (`toPublicPath`), without a slash at the end. All links are relative to it. */
  readonly publicPath: string
  /** Addresses of style sheets besides the one of the web page, relative to `publicPath`. */
  readonly styles: readonly string[]
  /** Addresses of scripts, relative to `publicPath`. */
  readonly scripts: readonly string[]
  /** The HTML of the `<main>` element. */
  readonly main: string
}

export function toHtmlPage(page: HtmlPage): string {
  const { title, language = 'en', publicPath, scripts, main } = page
  // The style sheet of the web page comes last, so that its colours win. Without a built web page it is missing.
  const styles = [...page.styles, ...pageStyles]
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<base href="${escapeHtml(publicPath)}/">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${pageIcons.map((href) => `<link rel="icon" href="${escapeHtml(href)}">`).join('\n')}
${styles.map((href) => `<link rel="stylesheet" href="${escapeHtml(href)}">`).join('\n')}
${scripts.map((src) => `<script type="module" src="${escapeHtml(src)}"></script>`).join('\n')}
</head>
<body>
${toHeader(page)}
<main class="wrap reference">
${main}
</main>
</body>
</html>
`
}

const texts = {
  es: {
    name: 'Registro de planeamiento urbanístico',
    navigation: 'Servicio',
    search: 'Buscar',
    reference: 'API',
    catalogue: 'Catálogo',
  },
  en: {
    name: 'Urban planning registry',
    navigation: 'Service',
    search: 'Search',
    reference: 'API',
    catalogue: 'Catalogue',
  },
}

/** Four rectangles, like blocks of houses on a plan. */
const logo =
  '<svg class="mark" viewBox="0 0 32 32" aria-hidden="true" width="24" height="24">' +
  '<path d="M2 2h12v9H2zM2 14h12v16H2zM18 2h12v16H18zM18 21h12v9H18z"></path></svg>'

const openApiLink = '<a href="openapi.json">OpenAPI</a>'

/** The `<header>` of a page: name of the service, navigation and link to the other language. */
function toHeader({ language = 'en', otherLanguageUrl }: HtmlPage): string {
  const { name, navigation, search, reference, catalogue } = texts[language]
  // Without `lang` in its address, the web page is in the language of the browser, and the reference in English.
  const homeUrl = `./?lang=${language}`
  const docsUrl = language === 'es' ? 'docs?lang=es' : 'docs'
  const other = language === 'es' ? { code: 'en', name: 'English' } : { code: 'es', name: 'Español' }
  const languageLink =
    otherLanguageUrl === undefined
      ? ''
      : `<a href="${escapeHtml(otherLanguageUrl)}" lang="${other.code}" hreflang="${other.code}">${other.name}</a>`
  return `<header class="masthead compact"><div class="top"><div class="wrap">
<a class="brand" href="${homeUrl}">${logo}<span>${name}</span></a>
<nav aria-label="${navigation}"><a href="${homeUrl}">${search}</a>
<a href="${docsUrl}">${reference}</a> ${openApiLink} <a href="catalog">${catalogue}</a> ${languageLink}</nav>
</div></div></header>`
}
