// The codes of the problems that a response can report, and the type of their entries in the catalogue
// (problem-kinds.ts).

/** What all problems with one code have in common. */
export interface ProblemKind {
  /** The status of the HTTP response. */
  readonly status: number
  readonly title: string
  /** When it happens and what to do about it. This is the text of the problem's page. */
  readonly explanation: string
  /** A GET request that always causes it, relative to the base address; absent if there is no short one. */
  readonly example?: string
}

/** The last path segment of the problem's `type` (RFC 9457), and the key of its kind in problem-kinds.ts. */
export type ProblemCode =
  | 'malformed-request'
  | 'malformed-encoding'
  | 'control-character'
  | 'unknown-parameter'
  | 'repeated-parameter'
  | 'incomplete-request'
  | 'malformed-code'
  | 'malformed-year'
  | 'malformed-date'
  | 'malformed-value'
  | 'reversed-dates'
  | 'malformed-limit'
  | 'malformed-cursor'
  | 'malformed-since'
  | 'malformed-include'
  | 'passages-unavailable'
  | 'value-too-long'
  | 'too-many-words'
  | 'unknown-address'
  | 'unknown-record'
  | 'record-filtered-out'
  | 'unknown-municipality'
  | 'unknown-province'
  | 'unknown-community'
  | 'contradictory-places'
  | 'no-match-in-municipality'
  | 'no-match'
  | 'nothing-after-cursor'
  | 'method-not-allowed'
  | 'expired-since'
  | 'request-timeout'
  | 'address-too-long'
  | 'too-many-requests'
  | 'headers-too-large'
  | 'internal-error'
  | 'registry-unavailable'
  | 'overloaded'
