// The interface between the service and the code that renders a web page in it (web/server.tsx, built into
// dist/web-server): the service passes an address and the registry, and gets the HTML of the page.
import type { FieldParameter, OwnField } from '../domain/own-fields.ts'
import type { FilterName, IncludeName } from '../domain/parameters.ts'
import type { WireRecord } from '../domain/record.ts'
import type { WireIncluded } from '../domain/wire.ts'
import type { Problem } from '../problems.ts'
import type { FieldValue, LinkCheck, MunicipalityFacts, Summary } from '../registry/contract.ts'
import type { TextMarks } from '../registry/marks.ts'

/** The languages of the page. */
export type PageLanguage = 'es' | 'en'

/** What the service passes to the renderer. */
export interface PageRequest {
  /** Which page, as the path of the request names it. */
  readonly address: PageAddress
  /** The percent-encoded query, without the question mark. */
  readonly query: string
  /** The language that the address names or, if it names none, that the client prefers. */
  readonly language: PageLanguage
  /** Whether the address names the language. Its links then name it too. */
  readonly isLanguageNamed: boolean
  readonly registry: PageRegistry
  readonly site: SiteMetadata
  /**
   * The renderer awaits it between the parts of its work. If this page has used up its time slice of a millisecond,
   * other requests are served first; then the promise rejects if the deadline of the request has expired.
   */
  readonly letOthersRun: () => Promise<void>
  /**
   * Which of these addresses of documents could not be reached at the last `check --links`, a command that requests all
   * of them. Null if there was no check.
   */
  readonly readLinkCheck: (addresses: readonly string[]) => Promise<LinkCheck | null>
  /** Whether an error means that the registry cannot be read now; the page then says that the service is busy. */
  readonly isBusy: (error: unknown) => boolean
}

/** A record with what `include` adds. */
export type PageRecord = WireRecord & WireIncluded

/** Filters by name, as a URL has them, decoded. */
export type FilterValues = Readonly<Partial<Record<FilterName | FieldParameter, string>>>

/** The registry as the page reads it: the operations of the API without HTTP, on one snapshot. */
export interface PageRegistry {
  /** The snapshot, by identity: the renderer computes facts of the whole registry once for each snapshot. */
  readonly dataVersion: object
  readonly hasPassages: boolean
  /** Sorted by name. */
  readonly municipalities: readonly MunicipalityFacts[]
  /** One page of records; a problem that has status 400, or the 404 that explains why nothing matches. */
  readonly find: (filters: FilterValues, options: FindOptions) => Promise<FoundRecords | Problem>
  /** The office's own columns, in their order. */
  readonly fields: readonly OwnField[]
  /** The values of an own column, most records first; null if it has too many to be counted. */
  readonly readFieldValues: (name: string) => readonly FieldValue[] | null
  /**
   * Counts the matches, which may be none; null if they cannot be counted. `facets` are the names of own columns whose
   * values are counted too.
   */
  readonly count: (filters: FilterValues, facets?: readonly string[]) => Promise<Summary | null>
  /** Marks the words of a text that match the term. */
  readonly mark: (text: string, term: string) => TextMarks
}

export interface FindOptions {
  readonly limit: number
  readonly cursor?: string | null
  readonly include?: readonly IncludeName[]
  /** Whether to explain an empty result. Without it, the problem is always `no-match`. */
  readonly isExplained?: boolean
}

export interface FoundRecords {
  readonly records: readonly PageRecord[]
  /** The cursor of the next page; null on the last page. */
  readonly cursor: string | null
  /** How many of the records, the first ones, have the words side by side in the title; and all words in the title. */
  readonly together: number
  readonly inTitle: number
}

/** `code` and `ineCode` are as in the address, percent-decoded; there may be no such record or municipality. */
export type PageAddress =
  | { readonly kind: 'search' }
  /** The part of the search page that another search changes. */
  | { readonly kind: 'results' }
  /** The municipalities whose names contain the text in the query, as options of the form. */
  | { readonly kind: 'municipalities' }
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
  /** When the snapshot was published, or last found right by an import: an ISO date, with or without a time. */
  readonly refreshedAt: string
  /** Whether the registry is fictional. */
  readonly isFictional: boolean
  /** The pattern of inscription codes; null for the standard format. */
  readonly codePattern: string | null
}

/** What the renderer returns. */
export interface RenderedPage {
  readonly status: number
  /** Elements for the head: title, description, links and data for search engines. */
  readonly head: string
  /** The content of the body. */
  readonly body: string
  /** After how many seconds to try again; null unless the status is 503. */
  readonly retryAfterSeconds: number | null
}

/** What dist/web-server exports. */
export interface PageRenderer {
  readonly renderPage: (request: PageRequest) => Promise<RenderedPage>
}
