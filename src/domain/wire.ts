// What travels beside records (record.ts): municipalities, summaries and problems as a client receives them. The
// service writes these shapes, the client reads them.

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
}

/** The body of every error (RFC 9457, `application/problem+json`). */
export interface WireProblem {
  /** Which problem it is; the address opens its page. */
  type: string
  title: string
  status: number
  /** What is wrong with this very request. */
  detail: string
  parameter?: string
  /** What was probably meant, best first. */
  suggestions?: string[]
}
