// What a page is rendered from: the registry as a whole, and what the page shows of it.
import type { PageLanguage, PageRecord, PageRegistry, SiteMetadata } from '../src/api/page-renderer.ts'
import type { OwnField } from '../src/domain/own-fields.ts'
import type { WirePassage } from '../src/domain/wire.ts'
import type { Offer, SearchCounts, SearchResult, YearCount } from './search-result.ts'
import type { Search } from './search-url.ts'

export interface PageData {
  readonly site: SiteMetadata
  readonly language: PageLanguage
  /** Whether the address names the language, so that links name it too. */
  readonly isLanguageNamed: boolean
  /** The address of the page as it was requested, relative to the base URL. */
  readonly address: string
  /** Marks the words of a text that match the term. */
  readonly mark: PageRegistry['mark']
  readonly registry: RegistryFacts
  readonly view: View
}

/** The extent of the whole registry. */
export interface RegistryFacts {
  /** The number of records. */
  readonly total: number
  /** The number of municipalities that have records. */
  readonly municipalities: number
  /** Ascending; years without records may be missing. */
  readonly byYear: readonly YearCount[]
  /** The INE codes of the provinces that have records. */
  readonly provinces: readonly string[]
  /** The office's own columns that have few enough values to be counted. */
  readonly countedFields: readonly OwnField[]
  /** Searches to try on a first visit. Each finds at least one record. */
  readonly examples: readonly Search[]
}

export type View = SearchView | RecordView | MunicipalityView | MissingView

/**
 * The start page with a search. It is also the view of a record or a municipality that could not be loaded: `result`
 * says why.
 */
export interface SearchView {
  readonly kind: 'search'
  readonly search: Search
  /** The cursor in the address; null on the first page. */
  readonly cursor: string | null
  readonly result: SearchResult
  /** Null if nothing was searched. */
  readonly counts: SearchCounts | null
  /** What else the words may mean, such as a place. */
  readonly offers: readonly Offer[]
}

export interface RecordView {
  readonly kind: 'record'
  readonly record: PageRecord
  /** The search that led to the record; without filters if there was none. */
  readonly search: Search
  /**
   * Pieces of the text of the record around the words of the search: those with the most of its words first, and in
   * reading order among equals. None without words.
   */
  readonly passages: readonly WirePassage[]
  /** Whether the search has words, and the record does not have all of them. */
  readonly isTermMissing: boolean
  readonly relatedRecords: readonly RelatedRecord[]
  /** One search for each plan or sector of which `relatedRecords` may lack records. */
  readonly relatedSearches: readonly RelatedSearch[]
  /** Null if every link could be opened at the last check, or none were checked. */
  readonly linkCheck: {
    readonly checkedAt: Date
    /** The links that could not be opened. */
    readonly dead: readonly string[]
  } | null
}

/** Another record of the same municipality. Its title names a plan or sector that the shown record names too. */
export interface RelatedRecord {
  readonly code: string
  readonly title: string
  readonly checkinDate: string
  /** The plan or sector that both name. */
  readonly name: string
}

/** A search for all records of the municipality that name a plan or sector, in their titles or documents. */
export interface RelatedSearch {
  readonly name: string
  readonly search: Search
}

/** One municipality: its newest records and its counts. */
export interface MunicipalityView extends Omit<SearchView, 'kind' | 'cursor' | 'offers'> {
  readonly kind: 'municipality'
  readonly ineCode: string
  /** As in running text: `El Ejido`, not `Ejido, El`. */
  readonly name: string
  /** The province and, if its name differs, the autonomous community: `Zaragoza, Aragón`; empty if unknown. */
  readonly place: string
}

/** An address without a page. */
export interface MissingView {
  readonly kind: 'missing'
  readonly what: 'record' | 'municipality' | 'address'
  /** The inscription code or the INE code that the address names; for `address`, its path. */
  readonly value: string
  /**
   * The address that was probably meant, relative to the base URL; null if none is similar. Always null for a record or
   * municipality.
   */
  readonly suggestion: string | null
}
