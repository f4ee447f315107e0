// Links to the technical document and the agreement of a record, for the list of results. Also names the imported
// documents of a record.

import type { PageRecord } from '../src/api/page-renderer.ts'
import { useDocumentUrl } from './document-url.ts'
import { DocumentIcon } from './icons.tsx'
import type { JSX } from './jsx-runtime.ts'
import { useLocale } from './site-context.ts'
import type { Strings } from './strings.ts'

export function DocumentLinks({ record }: { readonly record: PageRecord }): JSX.Element {
  const { strings } = useLocale()
  const toOpenableUrl = useDocumentUrl()
  const { title, links: url, agreement_link: agreementLink = null } = record
  // Without a document at its link, which is one URL in spite of its name, the first one that can be opened.
  const imported = (record.documents ?? []).map(({ href }) => (href === agreementLink ? null : toOpenableUrl(href)))
  const documents = [
    {
      href: toOpenableUrl(url) ?? imported.find((href) => href !== null) ?? null,
      name: strings.document,
      label: strings.documentOf(title),
    },
    {
      href: toOpenableUrl(agreementLink),
      name: strings.agreement,
      label: strings.agreementOf(title),
    },
  ]
  return (
    <>
      {documents.map(
        ({ href, name, label }) =>
          href !== null && (
            <a key={name} class="document" href={href} rel="external noopener noreferrer" aria-label={label}>
              <DocumentIcon />
              {name}
            </a>
          ),
      )}
    </>
  )
}

/**
 * The name of an imported document of the record: `Technical document` or `Agreement` if the record links to it, and
 * `Document 2` otherwise. `number` counts from 1 among all imported documents, as in passages.
 */
export function toDocumentName(record: PageRecord, number: number, strings: Strings): string {
  const href = record.documents?.[number - 1]?.href ?? ''
  if (href !== '' && href === record.links) return strings.document
  if (href !== '' && href === record.agreement_link) return strings.agreement
  return strings.documentNumber(String(number))
}
