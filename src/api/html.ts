// Template of the HTML pages that the service renders: the reference, the problems, and the notice that the web page
// has not been built. Every text on them goes through `escapeHtml`.

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
  /** Without a slash at the end. All links are relative to it. */
  readonly basePath: string
  /** Addresses of style sheets, relative to the base path. */
  readonly styles: readonly string[]
  /** Addresses of scripts, relative to the base path. */
  readonly scripts: readonly string[]
  /** The HTML of the `<main>` element. */
  readonly main: string
}

export function toHtmlPage({ title, basePath, styles, scripts, main }: HtmlPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<base href="${escapeHtml(basePath)}/">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${styles.map((href) => `<link rel="stylesheet" href="${escapeHtml(href)}">`).join('\n')}
${scripts.map((src) => `<script type="module" src="${escapeHtml(src)}"></script>`).join('\n')}
</head>
<body>
<header><nav aria-label="Service">
<a href="./">Search</a> <a href="docs">Reference</a> <a href="openapi.json">OpenAPI</a> <a href="catalog">Catalogue</a>
</nav></header>
<main>
${main}
</main>
</body>
</html>
`
}
