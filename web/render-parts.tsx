// Renders a page on the server in parts, and lets other requests be served between them. The HTML is that of one
// rendering, which would hold them up for 3 ms.
import type { JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { PartContext, type PartList } from './part.tsx'

/** `yieldIfUsed` is awaited before each part. */
export async function renderInParts(page: JSX.Element, yieldIfUsed: () => Promise<void>): Promise<string> {
  // Random, so that no text of a record can contain it.
  const list: PartList = { placeholder: crypto.randomUUID(), parts: [] }
  const frame = renderToString(<PartContext.Provider value={list}>{page}</PartContext.Provider>)
  const [start = '', ...afterParts] = frame.split(list.placeholder)
  let html = start
  for (const [index, part] of list.parts.entries()) {
    await yieldIfUsed()
    html += renderToString(part) + (afterParts[index] ?? '')
  }
  return html
}
