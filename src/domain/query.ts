// A parsed query: the input of every search, independent of HTTP and of the storage engine.
import type { Term } from '../analysis/term.ts'
import type { Cursor } from './cursor.ts'

/**
 * The longest value of a filter other than `search`, in characters. An import refuses a longer code, id, registration
 * number or municipality name.
 */
export const valueCharactersMax = 200

/** The longest `search`: a whole title as people paste it. */
export const termCharactersMax = 500

/** The most words of a `search`. */
export const termWordsMax = 40

/** The most records, or changes, on a page. */
export const limitMax = 1000

/**
 * The filters of a request. A record must match every filter that is present, including the search term. The
 * specification of the interface, which is not in this repository, requires some of them (section 4.1).
 */
export interface Filters {
  /** The inscription code, folded by `foldCode`. */
  readonly code?: string | undefined
  /**
   * A name or an INE code as in the request. The snapshot finds the municipalities that it means: several may have one
   * name.
   */
  readonly municipality?: string | undefined
  /** `province` and `community`: each a name or an INE code as in the request (province.ts). */
  readonly province?: string | undefined
  readonly community?: string | undefined
  /** The year in which the record was entered: the parameter `checkin_date`, which is a year of four digits. */
  readonly year?: number | undefined
  /** First and last day of entry, `YYYY-MM-DD`, both included. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** `registrationNumber` and `id`: each folded by `foldValue` (exact-value.ts). */
  readonly registrationNumber?: string | undefined
  readonly id?: string | undefined
  /** The analysed parameter `search`. */
  readonly term?: Term | undefined
}

/**
 * The largest `limit` of a request for passages (pieces of the documents around the words of the term), because the
 * text of every record on the page has to be read.
 */
export const passageRecordsMax = 100

/** At most this many passages for a single record, which is requested by its code. */
export const passagesOfRecordMax = 100

/**
 * Properties that a request can add to each record, in the order in which they follow those of the wire format. `place`
 * has the INE code, the province and the community of the municipality (`WireIncluded` in wire.ts explains all).
 */
export const includeNames = ['cod_archivo', 'place', 'documents', 'passages'] as const

export type IncludeName = (typeof includeNames)[number]

export interface Query extends Filters {
  /** The most records of a page. Without a limit, the whole result is streamed. */
  readonly limit?: number | undefined
  /** The result starts after the record of this cursor. */
  readonly after?: Cursor | undefined
  /** In the order of `includeNames`. Undefined adds nothing. */
  readonly include?: readonly IncludeName[] | undefined
}
