// Implementation of `Snapshot` for both engines (SQLite, PostgreSQL). An engine only reads rows (`SnapshotStorage`), so
// both answer with the same bytes. The position of a record is its index in the snapshot, which is in canonical order:
// newest first, then by code. The steps of a search:
// 1. find the range of positions that dates and code allow (position-range.ts);
// 2. plan the search for the term and the other filters (index/planner.ts);
// 3. collect the positions of the matches, one tier of the result after the other: the matches with the words side by
//    side in the title, those with all words in the title, the rest (tiers.ts);
// 4. read the records at these positions, with the properties that `include` adds (include.ts, passages.ts).
//
// `page` and its steps use `mapMaybe` instead of `await`, because reads of a file are synchronous: most pages of a
// registry on SQLite then need no promise.
import type { Tier } from '../domain/cursor.ts'
import type { Deadline } from '../domain/deadline.ts'
import type { Filters, Query } from '../domain/query.ts'
import { Collector } from '../index/collector.ts'
import { findOccurrences } from '../index/occurrences.ts'
import { planSearch, type SearchPlan } from '../index/planner.ts'
import { waitForTimeSlice } from '../index/scheduler.ts'
import { SearchContext } from '../index/search-context.ts'
import { TimeSlice } from '../index/time-slice.ts'
import { finallyMaybe, type MaybePromise, mapMaybe } from '../maybe-promise.ts'
import { ChangeReader } from './change-reader.ts'
import { createCodeMatcher } from './code-matcher.ts'
import type {
  Batch,
  MunicipalityFacts,
  Page,
  PageQuery,
  Snapshot,
  SnapshotMetadata,
  Summary,
  SummaryOptions,
} from './contract.ts'
import { consecutiveBatchRecords, readBatches } from './export.ts'
import { toFilterKeys } from './filter-keys.ts'
import { joinWithIncluded } from './include.ts'
import { MunicipalityNames } from './municipality-names.ts'
import { findPassages } from './passages.ts'
import { findRange, type PositionRange } from './position-range.ts'
import type { Segment } from './segments.ts'
import type { RecordRow, SnapshotStorage } from './storage.ts'
import { toConsecutiveNumbers } from './stored-rows.ts'
import { countAll, countMatches, toSummary } from './summary.ts'
import { findTier, lastTier, type PlannedSearch, type TierEnds, toIterator, toStart } from './tiers.ts'
import { readVocabulary, type Vocabulary } from './vocabulary.ts'

/** A summary of more municipalities than this is sorted in a time slice of its own, because that takes long. */
const municipalitiesPerSlice = 1000

/** contract.ts explains the methods of a `Snapshot`. */
export class StoredSnapshot implements Snapshot {
  readonly metadata: SnapshotMetadata
  readonly hasPassages: boolean
  readonly municipalities: readonly MunicipalityFacts[]
  readonly changes: ChangeReader
  readonly #storage: SnapshotStorage
  readonly #municipalityNames: MunicipalityNames
  /** The summary of all records, for requests without filters; undefined until it is first requested. */
  #summaryOfAll: Summary | undefined
  /** Undefined until it is first requested, and after a load that failed. */
  #vocabulary: Promise<Vocabulary> | undefined

  constructor(storage: SnapshotStorage) {
    this.#storage = storage
    this.metadata = storage.metadata
    this.hasPassages = storage.hasPassages
    this.municipalities = storage.municipalities
    // A code matcher tells which records of the change log match the filters of a request.
    this.changes = new ChangeReader(storage, (filters, deadline) =>
      createCodeMatcher(filters, (context) => this.#plan(filters ?? {}, context), storage, deadline),
    )
    this.#municipalityNames = new MunicipalityNames(storage.municipalities)
  }

  /** Returns indexes of `municipalities`. */
  findMunicipalities(name: string): readonly number[] {
    return this.#municipalityNames.find(name)
  }

  async readText(foldedCode: string): Promise<readonly Segment[]> {
    const found = await this.#storage.findRecord(foldedCode)
    if (found === undefined || !this.hasPassages) return []
    const { position } = found
    // Keeps this snapshot readable, although a newer one may replace it meanwhile.
    const release = this.#storage.retain()
    try {
      const [row] = await this.#storage.readRows([position])
      const segmentCount = await this.#countSegments(position)
      return await this.#storage.readSegments(toConsecutiveNumbers(row?.firstSegment ?? 0, segmentCount))
    } finally {
      release()
    }
  }

  /**
   * How many segments (parts of its text, segments.ts) a record has. Only the index knows where they start:
   * `findOccurrences` yields their starts, even without clauses.
   */
  async #countSegments(position: number): Promise<number> {
    const withoutDeadline = new TimeSlice(undefined)
    const batches = await Array.fromAsync(findOccurrences([], [position], this.#storage, withoutDeadline))
    return batches[0]?.[0]?.segmentStarts.length ?? 0
  }

  page(query: PageQuery, deadline?: Deadline): MaybePromise<Page | null> {
    // A page needs no `retain` before `findRange`: on SQLite this runs without a pause from here to `retain` below, and
    // on PostgreSQL a replaced snapshot can be read for an hour anyway.
    return mapMaybe(findRange(query, this.#storage), (range) => {
      const page = this.#pageWithoutSearch(query, range)
      if (page !== undefined) return page
      const release = this.#storage.retain()
      const context = new SearchContext(deadline)
      return finallyMaybe(() => this.#searchPage(query, range, context), release)
    })
  }

  /**
   * Returns null (no match) if the range is empty. Returns the record that `findRange` has found by its code, if the
   * query has no conditions besides code and dates, no cursor and no `include`. Else returns undefined.
   */
  #pageWithoutSearch(query: Query, { from, to, found }: PositionRange): Page | null | undefined {
    if (from >= to) return null
    const { term, after, include } = query
    if (found === undefined || term !== undefined || after !== undefined || include !== undefined) return undefined
    // Code and dates have no keys in the index, so any key belongs to another filter.
    const hasOtherFilters = toFilterKeys(query, this).length > 0
    return hasOtherFilters ? undefined : { text: found.wire, records: 1, next: null }
  }

  /** Plans the search, collects the positions of the page and reads its records. Returns null if nothing matches. */
  #searchPage(query: PageQuery, { from, to }: PositionRange, context: SearchContext): MaybePromise<Page | null> {
    const { limit } = query
    const positions: number[] = []
    return mapMaybe(this.#planAfterCursor(query, from, context), (search) =>
      // One match more than the limit tells whether another page follows. The record of that match is not read.
      mapMaybe(this.#collect(search, context, to, positions, limit + 1), (tierEnds) =>
        positions.length === 0 ? null : this.#readPage(positions, query, tierEnds, context),
      ),
    )
  }

  /**
   * Adds the matches before the position `to` to the array `positions`, one tier after the other, until it has
   * `matchesMax`. Returns where each tier ends in the array.
   */
  #collect(
    search: PlannedSearch,
    context: SearchContext,
    to: number,
    positions: number[],
    matchesMax: number,
  ): MaybePromise<TierEnds> {
    const tierEnds: number[] = []
    // A loop over the tiers, written as a recursion because a step may return a promise.
    const collectFromTier = (tier: Tier): MaybePromise<TierEnds> => {
      // Null if nothing can match in this tier.
      const iterator = toIterator(search.plan, tier)
      const start = toStart(search, tier)
      const collecting =
        iterator === null
          ? undefined
          : new Collector(iterator, context, this.#storage, start, to).collect(positions, matchesMax)
      return mapMaybe(collecting, () => {
        tierEnds[tier] = positions.length
        const isComplete = tier === lastTier || positions.length >= matchesMax
        return isComplete ? tierEnds : collectFromTier((tier + 1) as Tier)
      })
    }
    return collectFromTier(search.firstTier)
  }

  /** Reads the records of a page. `positions` has one match more than the limit if another page follows. */
  #readPage(
    positions: readonly number[],
    query: PageQuery,
    tierEnds: TierEnds,
    context: SearchContext,
  ): MaybePromise<Page> {
    const { limit, include } = query
    const isLastPage = positions.length <= limit
    const onPage = isLastPage ? positions : positions.slice(0, limit)
    return mapMaybe(this.#storage.readPage(onPage), (rows) =>
      mapMaybe(this.#findPassages(onPage, rows, query, context), (passages) => {
        const page = { text: joinWithIncluded(rows, include, passages), records: rows.length }
        const last = rows.at(-1)
        if (isLastPage || last === undefined) return { ...page, next: null }
        // The next page starts after the last record of this one, which is match number `limit`.
        const { checkinDate, code } = last
        return { ...page, next: { checkinDate, code, tier: findTier(tierEnds, limit) } }
      }),
    )
  }

  /** The property `passages` of each record as JSON; none if `include` does not ask for it. */
  #findPassages(
    positions: readonly number[],
    rows: readonly RecordRow[],
    { include, term, code }: Query,
    { deadline }: SearchContext,
  ): MaybePromise<readonly string[]> {
    if (term === undefined || !include?.includes('passages')) return []
    // A query with a code has one record at most, which gets more passages than a record of a list.
    return findPassages(this.#storage, term, positions, rows, { isSingleRecord: code !== undefined, deadline })
  }

  async *search(query: Query, deadline?: Deadline): AsyncGenerator<Batch, void, undefined> {
    const release = this.#storage.retain()
    const context = new SearchContext(deadline)
    try {
      const { from, to } = await findRange(query, this.#storage)
      if (from >= to) return
      const search = await this.#planAfterCursor(query, from, context)
      yield* readBatches(search, to, this.#storage, { include: query.include, context })
    } finally {
      release()
    }
  }

  /**
   * Plans the search from the position `from`, or from the cursor of the query. With a cursor:
   * - the tiers before that of the cursor have been sent and are left out;
   * - the tier of the cursor goes on after its sort key (date and code of the last record sent);
   * - the tiers after it start at `from`.
   *
   * No record needs to have the sort key, so a cursor stays valid in another snapshot. Without a search term, all
   * matches are in the last tier.
   */
  #planAfterCursor(query: Query, from: number, context: SearchContext): MaybePromise<PlannedSearch> {
    const { term, after: cursor } = query
    const firstTier = term === undefined ? lastTier : (cursor?.tier ?? 1)
    const firstAfterCursor = cursor === undefined ? from : this.#storage.findFirstAfter(cursor)
    return mapMaybe(firstAfterCursor, (first) => {
      const firstTierFrom = Math.max(from, first)
      return mapMaybe(this.#plan(query, context), (plan) => ({ plan, firstTier, firstTierFrom, from }))
    })
  }

  #plan(filters: Filters, context: SearchContext): MaybePromise<SearchPlan> {
    return planSearch(filters.term, toFilterKeys(filters, this), this.#storage, context)
  }

  readVocabulary(): Promise<Vocabulary> {
    // Requests share one load, which does not end with the request that began it.
    this.#vocabulary ??= readVocabulary(this.#storage).catch((error: unknown) => {
      this.#vocabulary = undefined
      throw error
    })
    return this.#vocabulary
  }

  async summarise(
    filters: Filters,
    deadline?: Deadline,
    { withDocuments }: SummaryOptions = { withDocuments: false },
  ): Promise<Summary> {
    const isUnfiltered = Object.values(filters).every((filter) => filter === undefined)
    if (withDocuments || !isUnfiltered) return await this.#summariseMatches(filters, deadline, withDocuments)
    // The numbers of records by year and by municipality are in memory.
    this.#summaryOfAll ??= toSummary(countAll(this.#storage.years, this.municipalities))
    return this.#summaryOfAll
  }

  async #summariseMatches(filters: Filters, deadline: Deadline | undefined, withDocuments: boolean): Promise<Summary> {
    const release = this.#storage.retain()
    const context = new SearchContext(deadline)
    try {
      // The page counts of all records; `countMatches` adds up those of the matches.
      const documentTotals = withDocuments ? await this.#storage.readDocumentTotals() : undefined
      const range = await findRange(filters, this.#storage)
      const iterator = (await this.#plan(filters, context)).all()
      const counts = await countMatches(iterator, range, this.#storage, { context, documentTotals })
      const isLong = counts.byMunicipality.length > municipalitiesPerSlice
      if (isLong) await waitForTimeSlice(deadline)
      const summary = toSummary(counts)
      if (isLong) await waitForTimeSlice(deadline)
      return summary
    } finally {
      release()
    }
  }

  async *listCodes(first: number, end: number): AsyncGenerator<readonly string[], void, undefined> {
    const release = this.#storage.retain()
    try {
      for (let position = first; position < end; position += consecutiveBatchRecords) {
        const length = Math.min(consecutiveBatchRecords, end - position)
        const rows = await this.#storage.readRows(toConsecutiveNumbers(position, length))
        yield rows.map(({ code }) => code)
        await waitForTimeSlice(undefined)
      }
    } finally {
      release()
    }
  }
}
