// Links to the technical document and the agreement of a record, for the list of results. Also names the imported
// documents of a record.
import type { JSX } from 'preact'
import type { ClientRecord } from '../src/client/client.ts'
import { useDocumentUrl } from './document-url.ts'
import { DocumentIcon } from './icons.tsx'
import { useLocale } from './site-context.ts'
import type { Strings } from './strings.ts'

export function DocumentLinks({ record }: { readonly record: ClientRecord }): JSX.Element {
  const { strings } = useLocale()
  // Returns the URL itself, the URL of a document that this service generates for the sample, or null.
  const toOpenableUrl = useDocumentUrl()
  // The page requests every record with its code; only the type allows none.
  const code = record.cod_archivo ?? ''
  const agreementLink = record.agreement_link ?? ''
  // An empty field means that the record has no such document. `links` is one URL in spite of its name.
  const documentUrl = record.links === '' ? null : toOpenableUrl({ url: record.links, code })
  const agreementUrl = agreementLink === '' ? null : toOpenableUrl({ url: agreementLink, code, isAgreement: true })
  if (documentUrl === null && agreementUrl === null) return <span class="none">{strings.noDocument}</span>
  return (
    <>
      {documentUrl !== null && (
        <a class="document" href={documentUrl} rel={rel} aria-label={strings.documentOf(record.title)}>
          <DocumentIcon />
          {strings.document}
        </a>
      )}
      {agreementUrl !== null && (
        <a class="document" href={agreementUrl} rel={rel} aria-label={strings.agreementOf(record.title)}>
          <DocumentIcon />
          {strings.agreement}
        </a>
      )}
    </>
  )
}

/**
 * The name of an imported document of the record: `Technical document` or `Agreement` if the record links to it, and
 * `Document 2` otherwise. `number` counts from 1 among all imported documents, as in passages.
 */
export function toDocumentName(record: ClientRecord, number: number, strings: Strings): string {
  const href = record.documents?.[number - 1]?.href ?? ''
  if (href !== '' && href === record.links) return strings.document
  if (href !== '' && href === record.agreement_link) return strings.agreement
  return strings.documentNumber(String(number))
}

const rel = 'external noopener noreferrer'
