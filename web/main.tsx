// Entry point in the browser: continues (hydrates) the page that the server has rendered, from the same data.
import { hydrate } from 'preact'
import { Page } from './page.tsx'
import type { PageData } from './page-data.ts'
import { loadStrings } from './strings.ts'

const root = document.getElementById('page')
const json = document.getElementById('page-data')?.textContent ?? null
if (root !== null && json !== null) {
  const data: PageData = JSON.parse(json)
  // If the text of the language cannot be loaded, the page stays as the server has rendered it. `mapHtml` is null,
  // because the map is in the page already.
  loadStrings(data.language ?? 'es').then(
    () => hydrate(<Page data={data} mapHtml={null} />, root),
    () => {},
  )
}
