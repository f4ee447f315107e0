// Reads the built web page: index.html with its style sheets inside, and the addresses of its style sheets and icons.
// The pages of html.ts load the same style sheets and icons.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dirname } from 'node:path/posix'
import { fileURLToPath } from 'node:url'

/** Where `npm run build` writes the page. */
export const pageFolder: string = fileURLToPath(new URL('../../dist/web', import.meta.url))

const indexPath = join(pageFolder, 'index.html')

/** Addresses of the page's style sheets and icons, relative to the base address; empty if the page is not built. */
export const pageStyles: readonly string[] = readLinks('stylesheet')
export const pageIcons: readonly string[] = readLinks('icon')

/** The addresses in elements such as `<link rel="icon" href="./icon.svg">` of index.html, without `./`. */
function readLinks(rel: 'stylesheet' | 'icon'): string[] {
  if (!existsSync(indexPath)) return []
  const links = readFileSync(indexPath, 'utf8').matchAll(new RegExp(`<link rel="${rel}"[^>]*href="\\./([^"]+)"`, 'g'))
  return [...links].map(([, href = '']) => href)
}

export interface PageTemplate {
  /** The built index.html. */
  readonly html: string
  /** The text of each `<style>` element in it. The Content-Security-Policy allows them by their hashes. */
  readonly styles: readonly string[]
}

/**
 * Reads index.html and replaces each link to a style sheet by a `<style>` element, because a browser shows nothing
 * before it has loaded a linked style sheet. Undefined if the page has not been built.
 */
export function readPageTemplate(): PageTemplate | undefined {
  if (!existsSync(indexPath)) return undefined
  const styles: string[] = []
  const builtHtml = readFileSync(indexPath, 'utf8')
  const html = builtHtml.replace(/<link rel="stylesheet"[^>]*href="\.\/([^"]+)"[^>]*>/g, (_, href) => {
    const linkedStyle = readFileSync(join(pageFolder, href), 'utf8')
    // An address in a style sheet is relative to the style sheet, but in a `<style>` element it is relative to the base
    // address of the page. So `url(./a.woff2)` in assets/page.css becomes `url(./assets/a.woff2)`.
    const style = linkedStyle.replaceAll(/(?<=url\(["']?)\.\//g, `./${dirname(href)}/`)
    styles.push(style)
    return `<style>${style}</style>`
  })
  return { html, styles }
}
