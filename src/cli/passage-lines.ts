// The passages of a record (pieces of its documents around the words of the search) as lines of text: the page, then
// the text, on a terminal with the matching words in bold. `search --passages` prints them.
import type { ClientRecord } from '../client/client.ts'
import { t } from '../language.ts'
import { plainStyle, type Style, toMarkedText } from './style.ts'

/** One line per passage, such as `page 3 of 12: … los molinos harineros …`. */
export function toPassageLines({ passages = [], documents = [] }: ClientRecord, style: Style = plainStyle): string[] {
  return passages.map((passage) => {
    // Documents are numbered from 1. A passage of the column `content` of the imported table belongs to no document.
    const pageCount = passage.document === null ? undefined : documents[passage.document - 1]?.pages
    const place = passage.page === null ? t`text` : describePage(passage.page, pageCount)
    return `${style.link(place, passage.href ?? '')}: ${toMarkedText(passage.text, passage.marks, style)}`
  })
}

function describePage(page: number, pageCount: number | undefined): string {
  return pageCount === undefined ? t`page ${page}` : t`page ${page} of ${pageCount}`
}
