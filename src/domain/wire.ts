// Wire format of included properties, municipalities, summaries and problems (records: record.ts). The service writes
// these types and the client reads them.
import type { ChangeKind } from './change.ts'

/** What `include` adds to a record. */
export interface WireIncluded {
  /** The inscription code, with `include=cod_archivo`. */
  cod_archivo?: string
  /** Where the municipality is, with `include=place`; null if no list knows the municipality. */
  place?: WirePlace | null
}

export interface WirePlace {
  ine_code: string
  province: string
  community: string
}

/** A change of a record. */
export interface WireChange {
  kind: ChangeKind
  cod_archivo: string
  /** When it was published. */
  at: string
}

export interface WireMunicipality {
  name: string
  ine_code: string | null
  other_names: string[]
  records: number
  first_year: number
  last_year: number
}

export interface WireSummary {
  total: number
  by_year: { year: number; records: number }[]
  by_municipality: { name: string; ine_code: string | null; records: number }[]
  by_province: { name: string; ine_code: string; records: number }[]
}

/** The body of every error (RFC 9457, `application/problem+json`). */
export interface WireProblem {
  /** A URI that identifies the type of problem and opens its documentation. */
  type: string
  title: string
  status: number
  /** What is wrong with this request. */
  detail: string
  parameter?: string
  /** Values that were probably meant, best match first. */
  suggestions?: string[]
}
