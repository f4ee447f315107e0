// The address that a link to a document leads to, exactly as the registry has it: one of the web, or that of a file
// that this service hands out. The hosts in the addresses of the sample registry do not exist, so nothing links there.
import { useSite } from './site-context.ts'

/** Returns a function that gives the address of a document, or null if it has none that can be opened. */
export function useDocumentUrl(): (url: string | null) => string | null {
  const { site } = useSite()
  return (url) => {
    if (url === null || (site.isFictional && hasReservedHost(url))) return null
    return publishedPath.test(url) ? url : toSafeUrl(url)
  }
}

/** Relative to the base address. Other relative addresses are those of nothing. */
const publishedPath = /^documento\/[0-9a-f]{64}(?:#page=\d+)?$/

/** Whether the host is reserved for examples (RFC 2606): `archivo.territorio.example`, `example.com`. */
function hasReservedHost(url: string): boolean {
  const hostname = URL.parse(url)?.hostname ?? ''
  return /(?:^|\.)example(?:\.(?:com|net|org))?$/.test(hostname)
}

/** The URL unchanged, or null if it is not http or https: `javascript:` would run code. */
export function toSafeUrl(url: string): string | null {
  return /^https?:\/\//i.test(url) ? url : null
}
