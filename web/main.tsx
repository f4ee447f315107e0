// Entry point in the browser: continues (hydrates) the page that the server has rendered, from the same data.
import { hydrate } from 'preact'
import { Page } from './page.tsx'
import type { PageData } from './page-data.ts'
import { loadStrings } from './strings.ts'

const root = document.getElementById('page')
const json = document.getElementById('page-data')?.textContent ?? null
if (root !== null && json !== null) {
  const data: PageData = JSON.parse(json)
  // The server renders Spanish if the address names no language. If the text of the language cannot be loaded, the page
  // stays as the server has rendered it.
  loadStrings(data.language ?? 'es').then(
    () => hydrateOrKeep(root, data),
    () => {},
  )
}

/** If hydration fails, Preact leaves the page half empty. It is then put back as the server has rendered it. */
function hydrateOrKeep(element: HTMLElement, data: PageData): void {
  const rendered = element.cloneNode(true)
  try {
    // `mapHtml` is only for the server. Hydration leaves the map that the server has rendered in the page.
    hydrate(<Page data={data} mapHtml={null} />, element)
  } catch (error) {
    element.replaceWith(rendered)
    throw error
  }
}
