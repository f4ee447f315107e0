// Links to the documents of a record.
import type { JSX } from 'preact'
import type { ClientRecord } from '../src/client/client.ts'
import { useDocumentUrl } from './document-url.ts'
import { DocumentIcon } from './icons.tsx'
import { useLocale } from './site-context.ts'

export function DocumentLinks({ record }: { readonly record: ClientRecord }): JSX.Element {
  const { strings } = useLocale()
  const toUrl = useDocumentUrl()
  const code = record.cod_archivo ?? ''
  const agreementLink = record.agreement_link ?? ''
  const document = record.links === '' ? null : toUrl({ url: record.links, code })
  const agreement = agreementLink === '' ? null : toUrl({ url: agreementLink, code, isAgreement: true })
  if (document === null && agreement === null) return <span class="none">{strings.noDocument}</span>
  return (
    <>
      {document !== null && (
        <a class="document" href={document} rel={rel} aria-label={strings.documentOf(record.title)}>
          <DocumentIcon />
          {strings.document}
        </a>
      )}
      {agreement !== null && (
        <a class="document" href={agreement} rel={rel} aria-label={strings.agreementOf(record.title)}>
          <DocumentIcon />
          {strings.agreement}
        </a>
      )}
    </>
  )
}

const rel = 'external noopener noreferrer'
