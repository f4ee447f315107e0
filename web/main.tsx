// Entry point in the browser: continues (hydrates) the page that the server has rendered, from the same data.
import { hydrate } from 'preact'
import { Page } from './page.tsx'
import type { PageData } from './page-data.ts'
import { loadStrings } from './strings.ts'

const root = document.getElementById('page')
const json = document.getElementById('page-data')?.textContent ?? null
if (root !== null && json !== null) {
  const data: PageData = JSON.parse(json)
  await loadStrings(data.language ?? 'es')
  hydrate(<Page data={data} mapHtml={null} />, root)
}
