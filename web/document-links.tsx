// Links to the technical document and the agreement of a record, for the list of results.
import type { JSX } from 'preact'
import type { ClientRecord } from '../src/client/client.ts'
import { useDocumentUrl } from './document-url.ts'
import { DocumentIcon } from './icons.tsx'
import { useLocale } from './site-context.ts'

export function DocumentLinks({ record }: { readonly record: ClientRecord }): JSX.Element {
  const { strings } = useLocale()
  // The URL of a document of the sample is made from the code of the record.
  const toOpenableUrl = useDocumentUrl()
  const code = record.cod_archivo ?? ''
  const agreementLink = record.agreement_link ?? ''
  // An empty field means that the record has no such document.
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

const rel = 'external noopener noreferrer'
