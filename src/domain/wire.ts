// The wire formats (JSON as clients receive it) of changes, municipalities, summaries and problems, and of the
// properties that the parameter `include` adds to a record (record.ts). The service writes these types and the client
// reads them.
import type { ChangeKind } from './change.ts'
import type { WireRecord } from './record.ts'

/** What the parameter `include` adds to a record. */
export interface WireIncluded {
  /** The inscription code, with `include=cod_archivo`. */
  cod_archivo?: string
  /** Where the municipality is, with `include=place`; null if its name is unknown or ambiguous. */
  place?: WirePlace | null
  /** How much of each document can be searched, with `include=documents`. */
  documents?: WireDocument[]
  /** The office's own columns by label, with `include=fields`. */
  fields?: Record<string, string>
  /** Pieces of the text around the words of the search term, with `include=passages`. */
  passages?: WirePassage[]
}

/** A document of a record. `read`, `recognised` and `unread` add up to `pages`. */
export interface WireDocument {
  /** Public address; null if it has none. */
  href: string | null
  /** Number of pages of the file; 1 for text without pages, 0 if the number is not known. */
  pages: number
  /** Pages whose text was in the file, and blank pages. */
  read: number
  /** Pages whose text was recognised from an image. */
  recognised: number
  /** Pages that cannot be searched, or not completely. */
  unread: number
  /** Why text of the document is missing, for example because pages are unread; null if none is missing. */
  reason: string | null
  /** SHA-256 of the file in hexadecimal digits; null if the file is not known. */
  sha256: string | null
}

/** A piece of about 200 characters of the text around words of the search term. */
export interface WirePassage {
  /** Number of the document in `documents`, from 1; null for the text of the column `content` of the source. */
  document: number | null
  /** Page of the file, from 1; null for text without pages. */
  page: number | null
  text: string
  /** Start and end (excluded) of each matching word in `text`, in UTF-16 code units. */
  marks: readonly (readonly [start: number, end: number])[]
  /** Address that opens the document at the page; null if the document has no public address. */
  href: string | null
  /** The text was recognised from an image. */
  recognised: boolean
}

/** The place of a municipality: its INE code, and the names of its province and autonomous community. */
export interface WirePlace {
  ine_code: string
  province: string
  community: string
}

export interface WireChange {
  kind: ChangeKind
  cod_archivo: string
  /** When it was published, as in `2026-11-16T14:51:09.123Z`. */
  at: string
  /** With `include=record`, unless the kind is `gone`: the record as it is now; null if it is no longer in service. */
  record?: (WireRecord & WireIncluded) | null
}

export interface WireMunicipality {
  name: string
  /** Five digits; null if the name is unknown or ambiguous. */
  ine_code: string | null
  other_names: string[]
  /** Number of records. */
  records: number
  /** The years of entry of its oldest and its newest record. */
  first_year: number
  last_year: number
}

/** Numbers of matching records: in total, and by year, municipality and province. */
export interface WireSummary {
  total: number
  by_year: { year: number; records: number }[]
  by_municipality: { name: string; ine_code: string | null; records: number }[]
  /** `ine_code` has two digits. Records whose municipality has no INE code are in no province. */
  by_province: { name: string; ine_code: string; records: number }[]
  /** Values of the office's own columns, most records first, by the names in `facets`. */
  by_field?: Readonly<Record<string, readonly { readonly value: string; readonly records: number }[]>>
  /** Numbers of pages of the documents of these records, with `include=documents`. */
  documents?: { pages: number; read: number; recognised: number; unread: number }
}

/** The body of every error (RFC 9457, `application/problem+json`). */
export interface WireProblem {
  /** A URI that identifies the type of problem and opens its documentation. */
  type: string
  title: string
  status: number
  /** Why this request failed. */
  detail: string
  /** The parameter of the request that is wrong. */
  parameter?: string
  /** Values that were probably meant, best match first. */
  suggestions?: string[]
  /** Queries of `record?` that find something, each with what it says in Spanish: `plan parcial en Huelva`. */
  queries?: { text: string; query: string }[]
}
