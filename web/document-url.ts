// The address that a link to a document leads to: exactly as the registry has it, if it is http or https. The hosts in
// the addresses of the sample registry have no documents, so its links lead to this service, which generates them.
import { useSite } from './site-context.ts'

export interface DocumentAddress {
  /** As the registry has it; empty if it has none. */
  readonly url: string
  /** The inscription code of the record. */
  readonly code: string
  /** Whether the document is the agreement of the record. */
  readonly isAgreement?: boolean
  /**
   * The page at which a document that this service generates is opened; null for its start. For other documents it is
   * ignored: the `url` of a passage already ends in `#page=`.
   */
  readonly page?: number | null
}

/** Returns a function that gives the address of a document, or null if it cannot be opened. */
export function useDocumentUrl(): (address: DocumentAddress) => string | null {
  const { site } = useSite()
  return ({ url, code, isAgreement = false, page = null }) => {
    // The sample also has documents without an address.
    const isMadeHere = site.isFictional && code !== '' && (url === '' || hasReservedHost(url))
    if (!isMadeHere) return toSafeUrl(url)
    const path = `documento/${encodeURIComponent(code)}${isAgreement ? '?acuerdo' : ''}`
    return page === null ? path : `${path}#page=${page}`
  }
}

/** Whether the host is reserved for examples (RFC 2606): `archivo.territorio.example`, `example.com`. */
function hasReservedHost(url: string): boolean {
  const hostname = URL.parse(url)?.hostname ?? ''
  return /(?:^|\.)example(?:\.(?:com|net|org))?$/.test(hostname)
}

/** The URL unchanged, or null if it is not http or https: `javascript:` would run code. */
export function toSafeUrl(url: string): string | null {
  return /^https?:\/\//i.test(url) ? url : null
}
