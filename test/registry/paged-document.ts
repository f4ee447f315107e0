// Documents of test records: pages of text with numbers from 1.
import { createHash } from 'node:crypto'
import type { RecordDocument } from '../../src/domain/document.ts'

/** A document whose pages were all read. `pages` has the text of each. `href` is null if it has no public address. */
export function documentOf(
  pages: readonly string[],
  href: string | null = 'https://example.org/memoria.pdf',
): RecordDocument {
  return {
    href,
    sha256: createHash('sha256').update(pages.join('\f')).digest('hex'),
    pages: pages.length,
    read: pages.length,
    recognised: 0,
    unread: 0,
    reason: null,
    texts: pages.map((text, index) => ({ page: index + 1, text, recognised: false })),
  }
}
