// A passage, which is a piece of the text of a record around the words of the search, with these words marked and a
// link to its page in the document. The passage is shown as text, never as markup.
import type { JSX } from 'preact'
import type { ClientRecord } from '../src/client/client.ts'
import type { WireDocument, WirePassage } from '../src/domain/wire.ts'
import { toDocumentName } from './document-links.tsx'
import { useDocumentUrl } from './document-url.ts'
import { useLocale } from './site-context.ts'

/** The best passage of a record in a list of results, and how many pages of its documents could not be read. */
export function BestPassage({ record }: { readonly record: ClientRecord }): JSX.Element {
  const { passages = [], documents = [] } = record
  // In a list of results, the best passage of a record comes first.
  const [best] = passages
  return (
    <>
      {best !== undefined && (
        <p class="passage">
          <Passage passage={best} record={record} />
        </p>
      )}
      <UnreadPages documents={documents} />
    </>
  )
}

/** How many pages of the documents could not be read, so that they are not searched; null if all could be read. */
export function UnreadPages({ documents }: { readonly documents: readonly WireDocument[] }): JSX.Element | null {
  const { strings, formatNumber } = useLocale()
  const unreadPages = documents.reduce((sum, { unread }) => sum + unread, 0)
  const allPages = documents.reduce((sum, { pages }) => sum + pages, 0)
  if (unreadPages === 0) return null
  return <p class="unread">{strings.unreadPages(formatNumber(unreadPages), formatNumber(allPages))}</p>
}

export interface PassageProps {
  readonly passage: WirePassage
  readonly record: ClientRecord
}

export function Passage({ passage, record }: PassageProps): JSX.Element {
  const { strings } = useLocale()
  return (
    <>
      <span class="passage-text" lang="es">
        {toFragments(passage).map(({ text, isMarked }, index) => (isMarked ? <mark key={index}>{text}</mark> : text))}
      </span>{' '}
      <PageLink passage={passage} record={record} />
      {/* `recognised`: the text comes from OCR and may have errors. */}
      {passage.recognised && <span class="hint"> {strings.recognised}</span>}
    </>
  )
}

/**
 * "page 37 of 512", or "Technical document" if the number of the page or of all pages is unknown: a link to that place,
 * or plain text if the document cannot be opened. Null if the passage is in no document.
 */
function PageLink({ passage, record }: PassageProps): JSX.Element | null {
  const { strings, formatNumber } = useLocale()
  const toOpenableUrl = useDocumentUrl()
  // `documentNumber` counts from 1. It is null for text of the registry itself, which is in no document.
  const { document: documentNumber, page } = passage
  if (documentNumber === null) return null
  const { documents = [], cod_archivo: code = '' } = record
  const pages = documents[documentNumber - 1]?.pages ?? null
  const name = toDocumentName(record, documentNumber, strings)
  // The only document of a record need not be named.
  const namePrefix = documents.length > 1 ? `${name}, ` : ''
  const label =
    page === null || pages === null ? name : `${namePrefix}${strings.pageOf(formatNumber(page), formatNumber(pages))}`
  const href = toOpenableUrl({ url: passage.href ?? '', code, page })
  if (href === null) return <span class="page-link">{label}</span>
  return (
    <a class="page-link" href={href} rel="external noopener noreferrer">
      {label}
    </a>
  )
}

/** The text of the passage in fragments that are marked or not. `marks` has the start and end of each marked one. */
function toFragments({ text, marks }: WirePassage): { text: string; isMarked: boolean }[] {
  const fragments: { text: string; isMarked: boolean }[] = []
  /** Where the rest of the text begins. */
  let restStart = 0
  for (const [start, end] of marks) {
    fragments.push(
      { text: text.slice(restStart, start), isMarked: false },
      { text: text.slice(start, end), isMarked: true },
    )
    restStart = end
  }
  return [...fragments, { text: text.slice(restStart), isMarked: false }].filter((fragment) => fragment.text !== '')
}
