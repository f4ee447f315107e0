// Renders a page on the server in parts (deferred-part.tsx), and lets other requests be served between them. The HTML
// is the same as if the page were rendered at once, which would delay the other requests by about 3 ms.
import type { JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { PartContext, type PartList } from './deferred-part.tsx'

/** The HTML of the page. `letOthersRun` is awaited before each part (`PageRequest` in src/api/page-renderer.ts). */
export async function renderInParts(page: JSX.Element, letOthersRun: () => Promise<void>): Promise<string> {
  // Random, so that no text of a record can contain it.
  const list: PartList = { placeholder: crypto.randomUUID(), parts: [] }
  const withPlaceholders = renderToString(<PartContext.Provider value={list}>{page}</PartContext.Provider>)
  // The HTML before the first part, and after each part.
  const [start = '', ...textsAfterParts] = withPlaceholders.split(list.placeholder)
  let html = start
  for (const [index, part] of list.parts.entries()) {
    await letOthersRun()
    // A part has the contexts of its place in the page (deferred-part.tsx).
    html += renderToString(part) + (textsAfterParts[index] ?? '')
  }
  return html
}
