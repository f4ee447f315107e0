// A parsed query: the input of every search, independent of HTTP and of the storage engine.
import type { Term } from '../analysis/term.ts'
import type { Cursor } from './cursor.ts'
import type { FilterName, IncludeName } from './parameters.ts'

/** The filters of a request by the names of their parameters. A record must match every filter that is present. */
export type Filters = {
  /** As api/parameters.ts has read the value; folded (exact-value.ts) where it is compared as a whole. */
  readonly [Name in Exclude<FilterName, 'search'>]?: string | undefined
} & {
  /** The folded values of the office's own columns, by name (own-fields.ts). */
  readonly fields?: Readonly<Record<string, string>> | undefined
  /** The analysed term. */
  readonly search?: Term | undefined
}

export interface Query extends Filters {
  /** The most records of a page. Without a limit, the whole result is streamed. */
  readonly limit?: number | undefined
  /** The result starts after the record of this cursor. */
  readonly after?: Cursor | undefined
  /** In the order of `includeNames`. Undefined adds nothing. */
  readonly include?: readonly IncludeName[] | undefined
  /** The own columns that a summary counts by their values. */
  readonly facets?: readonly string[] | undefined
}
