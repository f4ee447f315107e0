// The passages of a record as lines of text: the page, then the text with the matching words in bold. `search
// --passages` prints them.
import type { ClientRecord, WirePassage } from '../client/client.ts'
import { t } from '../language.ts'
import { plainStyle, type Style, toPrintable } from './style.ts'

export function toPassageLines({ passages = [], documents = [] }: ClientRecord, style: Style = plainStyle): string[] {
  return passages.map((passage) => {
    const pages = passage.document === null ? undefined : documents[passage.document - 1]?.pages
    const place = passage.page === null ? t`text` : describePage(passage.page, pages)
    return `${style.link(place, passage.href ?? '')}: ${toMarkedText(passage, style)}`
  })
}

function describePage(page: number, pages: number | undefined): string {
  return pages === undefined ? t`page ${page}` : t`page ${page} of ${pages}`
}

function toMarkedText({ text, marks }: WirePassage, style: Style): string {
  let marked = ''
  let copiedEnd = 0
  for (const [start, end] of marks) {
    marked += toPrintable(text.slice(copiedEnd, start)) + style.bold(toPrintable(text.slice(start, end)))
    copiedEnd = end
  }
  return marked + toPrintable(text.slice(copiedEnd))
}
