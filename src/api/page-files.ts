// Where the built page is, and the files that the reference shares with it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const pageFolder: string = fileURLToPath(new URL('../../dist/web', import.meta.url))

/** The style sheets and the icon of the page, relative to the base address; empty if it has not been built. */
export const pageStyles: readonly string[] = readLinks('stylesheet')
export const pageIcons: readonly string[] = readLinks('icon')

function readLinks(rel: 'stylesheet' | 'icon'): string[] {
  const file = join(pageFolder, 'index.html')
  if (!existsSync(file)) return []
  const links = readFileSync(file, 'utf8').matchAll(new RegExp(`<link rel="${rel}"[^>]*href="\\./([^"]+)"`, 'g'))
  return [...links].map(([, href = '']) => href)
}
