// A passage, which is a piece of the text of a record around the words of the search, with these words marked and a
// link to its page in the document.

import type { PageRecord } from '../src/api/page-renderer.ts'
import type { WireDocument, WirePassage } from '../src/domain/wire.ts'
import { toDocumentName } from './document-links.tsx'
import { useDocumentUrl } from './document-url.ts'
import type { JSX } from './jsx-runtime.ts'
import type { Locale } from './locale.ts'
import { Marked } from './marked-text.tsx'
import { useLocale } from './site-context.ts'

/** The best passage of a record in a list of results, and how many pages of its documents could not be read. */
export function BestPassage({ record }: { readonly record: PageRecord }): JSX.Element {
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
  readonly record: PageRecord
}

export function Passage({ passage, record }: PassageProps): JSX.Element {
  const { strings } = useLocale()
  return (
    <>
      <span class="passage-text" lang="es">
        <Marked text={passage.text} marks={passage.marks} />
      </span>{' '}
      <PageLink passage={passage} record={record} />
      {/* `recognised`: the text comes from OCR and may have errors. */}
      {passage.recognised && <span class="hint"> {strings.recognised}</span>}
    </>
  )
}

/**
 * "page 37 of 512", or "Technical document" if the number of the page or of all pages is unknown; empty if the passage
 * is in no document.
 */
export function toPageLabel({ passage, record }: PassageProps, { strings, formatNumber }: Locale): string {
  // `documentNumber` counts from 1. It is null for text of the registry itself, which is in no document.
  const { document: documentNumber, page } = passage
  if (documentNumber === null) return ''
  const { documents = [] } = record
  const pages = documents[documentNumber - 1]?.pages ?? null
  const name = toDocumentName(record, documentNumber, strings)
  if (page === null || pages === null) return name
  // The only document of a record need not be named.
  const namePrefix = documents.length > 1 ? `${name}, ` : ''
  return namePrefix + strings.pageOf(formatNumber(page), formatNumber(pages))
}

/** A link to the page of the passage, or plain text if the document cannot be opened. */
function PageLink(props: PassageProps): JSX.Element | null {
  const locale = useLocale()
  const toOpenableUrl = useDocumentUrl()
  const label = toPageLabel(props, locale)
  if (label === '') return null
  const href = toOpenableUrl(props.passage.href)
  if (href === null) return <span class="page-link">{label}</span>
  return (
    <a class="page-link" href={href} rel="external noopener noreferrer">
      {label}
    </a>
  )
}
