// Links to the documents of a record. The URLs are exactly those of the registry; those that are not http or https are
// not links, because `javascript:` would run code.
import type { JSX } from 'preact'
import type { ClientRecord } from '../src/client/client.ts'
import { DocumentIcon } from './icons.tsx'
import { useLocale } from './site-context.ts'

export function DocumentLinks({ record }: { readonly record: ClientRecord }): JSX.Element {
  const { strings } = useLocale()
  const document = toSafeUrl(record.links)
  const agreement = toSafeUrl(record.agreement_link ?? '')
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

/** The URL unchanged, or null if it is not http or https. */
export function toSafeUrl(url: string): string | null {
  return /^https?:\/\//i.test(url) ? url : null
}
