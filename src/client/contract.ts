// The types of the client's interface: its methods, their options and their results. client.ts implements it.
import type { FieldParameter } from '../domain/own-fields.ts'
import type { FilterName, IncludeName } from '../domain/parameters.ts'
import type { WireRecord } from '../domain/record.ts'
import type { WireChange, WireIncluded, WireMunicipality, WireProblem, WireSummary } from '../domain/wire.ts'
import type { ClientCache } from './cache.ts'

/** The filters of a search by the names of their parameters (docs/api.md). A record must match all of them. */
export type SearchFilters = {
  readonly [Name in Exclude<FilterName, 'cod_archivo' | 'search'>]?: number | string
} & {
  readonly search?: string
  /** A value of one of the office's own columns, such as `'field.tipo': 'Plan Parcial'`. */
  readonly [field: FieldParameter]: number | string | undefined
  /** The inscription code, which is the unique name of a record, usually `<prefix>-<number>`. */
  readonly code?: string
}

export interface CallOptions {
  /** Aborts the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal
}

export interface SearchOptions extends CallOptions {
  /** Called with the reason when nothing is found, such as a misspelt municipality with the nearest names. */
  readonly onEmpty?: (problem: WireProblem) => void
}

export interface RecordOptions extends SearchOptions {
  /**
   * Properties to add to each record. `passages` (pieces of its documents around the words of `search`) needs `search`,
   * and either a code or a page of at most 100 records.
   */
  readonly include?: readonly IncludeName[]
}

export interface GetOptions extends RecordOptions {
  /** The record must match this term. `include: ['passages']` shows where its words stand. */
  readonly search?: string
}

export interface SummaryOptions extends SearchOptions {
  /** `documents` adds the numbers of pages of the documents. */
  readonly include?: readonly 'documents'[]
  /** Names of the office's own columns whose values are counted. */
  readonly facets?: readonly string[]
}

/** A record, with those properties of `WireIncluded` that the call asks for. */
export type ClientRecord = WireRecord & WireIncluded

export interface PageOptions extends RecordOptions {
  /** Records per page, from 1 to 1000. The default of `page` is 100, that of `search` 1000, or 100 with passages. */
  readonly limit?: number
  /** The `cursor` of the previous page. */
  readonly cursor?: string | null
}

export interface Page {
  readonly records: ClientRecord[]
  /** The cursor of the next page; null on the last page. */
  readonly cursor: string | null
}

export interface ChangesOptions extends CallOptions {
  /** The `since` of the last page of the previous call. Without it, every current record is listed as new. */
  readonly since?: string | null
  /** Changes per page, from 1 to 1000; 1000 by default. */
  readonly limit?: number
  /** `record` adds the record to each new or changed entry, as `include: ['cod_archivo', 'place']` gives it. */
  readonly include?: readonly 'record'[]
}

/** `since` as in `ChangesOptions`; without it, or if it has expired, the whole copy is made again. */
export type CopyOptions = Omit<ChangesOptions, 'include'>

export interface ChangesPage {
  readonly changes: WireChange[]
  /** The token to go on with after this page, now or later. */
  readonly since: string
}

/** A step of a copy: delete all if it `isWhole`, then those that are `gone`; store the `records`; save `since`. */
export interface CopyPage {
  /** Whether a whole copy begins with this page. */
  readonly isWhole: boolean
  /** New and changed records, with `cod_archivo` and `place`. */
  readonly records: ClientRecord[]
  /** The inscription codes of records to delete; the copy need not have them. */
  readonly gone: string[]
  readonly since: string
}

export interface RegistryClient {
  /** All matching records in the order of the service. The next page is requested when one has been read. */
  search(filters?: SearchFilters, options?: PageOptions): AsyncGenerator<ClientRecord, void, undefined>
  /** One page of the matching records; a page has 100 by default. */
  page(filters?: SearchFilters, options?: PageOptions): Promise<Page>
  /** The record with the inscription code, or null. */
  get(code: string, options?: GetOptions): Promise<ClientRecord | null>
  /** The municipalities that have records. */
  municipalities(options?: CallOptions): Promise<WireMunicipality[]>
  /**
   * The changes since a token, in pages, oldest first. Without a token, the pages list every current record as new. A
   * `RegistryError` with the code `expired-since` means that the change log does not reach back to the token.
   */
  changes(filters?: Omit<SearchFilters, 'code'>, options?: ChangesOptions): AsyncGenerator<ChangesPage, void, undefined>
  /** Brings a copy of the matching records up to date, page by page. */
  copy(filters?: Omit<SearchFilters, 'code'>, options?: CopyOptions): AsyncGenerator<CopyPage, void, undefined>
  /** Counts of the matching records by year, by municipality and by province. */
  summary(filters?: Omit<SearchFilters, 'code'>, options?: SummaryOptions): Promise<WireSummary>
}

export interface ClientOptions {
  /** Maximum number of retries if there is no response, or after 408, 429, 502, 503 or 504; 3 by default. */
  readonly retries?: number
  /** Time limit of each attempt for the first byte of the response, in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number
  /** Caches responses, except those of `changes` and, because of their size, `search`. See `memoryCache()`. */
  readonly cache?: ClientCache
  /** Headers to send with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Replaces the global fetch. */
  readonly fetch?: typeof fetch
  /** Replaces the delay before a request is repeated, for tests. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}
