// The interface between the service and the code that renders a web page in it (web/server.tsx, built into
// dist/web-server): the service passes an address and a function that calls the API, and gets the HTML of the page.
import type { LinkCheck } from '../registry/contract.ts'

/** What the service passes to the renderer. */
export interface PageRequest {
  /** Which page, as the path of the request names it. */
  readonly address: PageAddress
  /** The percent-encoded query, without the question mark. */
  readonly query: string
  /** Calls the API in this process, without a connection, at addresses below `apiUrl`. */
  readonly fetch: typeof fetch
  readonly apiUrl: string
  readonly site: SiteMetadata
  /**
   * The renderer awaits it before each part of its work. If this page has used up its time slice of a millisecond,
   * other requests are served first; then the promise rejects if the deadline of the request has expired.
   */
  readonly letOthersRun: () => Promise<void>
  /**
   * Which of these addresses of documents could not be reached at the last `check --links`, a command that requests all
   * of them; null if its outcome is not known.
   */
  readonly readLinkCheck: (addresses: readonly string[]) => Promise<LinkCheck | null>
  /** The snapshot, by identity: the renderer computes facts of the whole registry once for each snapshot. */
  readonly dataVersion: object
}

/** `code` and `ineCode` are as in the address, percent-decoded; there may be no such record or municipality. */
export type PageAddress =
  | { readonly kind: 'search' }
  | { readonly kind: 'record'; readonly code: string }
  | { readonly kind: 'municipality'; readonly ineCode: string }
  | UnknownAddress

/** An address without a page. */
export interface UnknownAddress {
  readonly kind: 'unknown'
  /** The whole path as the page shows it: percent-decoded if possible, and shortened. */
  readonly path: string
  /** The path that was probably meant, relative to the base path; null if none is similar. */
  readonly suggestion: string | null
}

/** The operator's settings and the facts of the snapshot that every page shows. */
export interface SiteMetadata {
  /** The absolute base URL, ending in a slash. */
  readonly baseUrl: string
  /** The name of the registry, given by the operator; null if there is none. */
  readonly name: string | null
  /** The publisher given by the operator; null if there is none. */
  readonly publisher: string | null
  /** The address of the licence of the data; null if there is none that browsers can open. */
  readonly licence: string | null
  /** The address of the operator, which may begin with `mailto:`; null if there is none that browsers can open. */
  readonly contact: string | null
  /** When the snapshot was published, as an ISO date and time. */
  readonly refreshedAt: string
  /** Whether the registry is fictional. */
  readonly isFictional: boolean
  /** The pattern of inscription codes; null for the standard format. */
  readonly codePattern: string | null
}

/** What the renderer returns. */
export interface RenderedPage {
  readonly status: number
  readonly language: string
  /** Elements for the head: title, description, links and data for search engines. */
  readonly head: string
  /** The content of the root element. */
  readonly body: string
  /** The data from which the browser continues (hydrates) the page. The service writes it as JSON. */
  readonly data: unknown
  /** After how many seconds to try again; null unless the status is 503. */
  readonly retryAfterSeconds: number | null
}

/** What dist/web-server exports. */
export interface PageRenderer {
  readonly renderPage: (request: PageRequest) => Promise<RenderedPage>
}
