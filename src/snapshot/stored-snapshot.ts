// Implementation of `Snapshot` over any engine: resolves municipality names, plans the search, collects the matches and
// reads them. An engine only reads rows (`SnapshotStorage`), so all engines answer with the same bytes. The steps of a
// page use `mapMaybe` instead of `await`, because a read of a file needs no promise.

import type { Tier } from '../domain/cursor.ts'
import type { Deadline } from '../domain/deadline.ts'
import type { Filters, IncludeName, Query } from '../domain/query.ts'
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
import { DocumentPageCounter } from './document-totals.ts'
import { consecutiveBatchRecords, readBatches } from './export.ts'
import { toFilterKeys } from './filter-keys.ts'
import { joinWithIncluded } from './include.ts'
import { MunicipalityNames } from './municipality-names.ts'
import { findPassages } from './passages.ts'
import { findRange, type PositionRange } from './position-range.ts'
import type { Segment } from './segments.ts'
import type { ReadPageOptions, SnapshotStorage } from './storage.ts'
import { countAll, countMatches, toSummary } from './summary.ts'
import { findTier, lastTier, type PlannedSearch, type TierEnds, toIterator } from './tiers.ts'
import { readVocabulary, type Vocabulary } from './vocabulary.ts'

/** A summary of more municipalities waits for a time slice before it is sorted and again before it is returned. */
const municipalitiesPerSlice = 1000

/** contract.ts explains the methods of a `Snapshot`. */
export class StoredSnapshot implements Snapshot {
  readonly metadata: SnapshotMetadata
  readonly hasPassages: boolean
  readonly municipalities: readonly MunicipalityFacts[]
  readonly changes: ChangeReader
  readonly #storage: SnapshotStorage
  readonly #names: MunicipalityNames
  /** The summary without filters, and the vocabulary; undefined until they are first requested. */
  #summaryOfAll: Summary | undefined
  #vocabulary: Vocabulary | undefined

  constructor(storage: SnapshotStorage) {
    this.#storage = storage
    this.metadata = storage.metadata
    this.hasPassages = storage.hasPassages
    this.municipalities = storage.municipalities
    this.changes = new ChangeReader(storage, (filters, deadline) =>
      createCodeMatcher(filters, (context) => this.#plan(filters ?? {}, context), storage, deadline),
    )
    this.#names = new MunicipalityNames(storage.municipalities)
  }

  findMunicipalities(name: string): readonly number[] {
    return this.#names.find(name)
  }

  async hasCode(foldedCode: string): Promise<boolean> {
    return (await this.#storage.findRecord(foldedCode)) !== undefined
  }

  async readText(foldedCode: string): Promise<readonly Segment[]> {
    const found = await this.#storage.findRecord(foldedCode)
    if (found === undefined || !this.hasPassages) return []
    const { position } = found
    const [row] = await this.#storage.readRows([position])
    // Without clauses it only tells where the segments of the record start.
    const [occurrences] = await findOccurrences([], [position], this.#storage, new TimeSlice(undefined))
    // The segments of a record have consecutive numbers. The index knows how many there are.
    const first = row?.firstSegment ?? 0
    const count = occurrences?.segmentStarts.length ?? 0
    return this.#storage.readSegments(Array.from({ length: count }, (_, index) => first + index))
  }

  page(query: PageQuery, deadline?: Deadline): MaybePromise<Page | null> {
    return mapMaybe(findRange(query, this.#storage), (range) => {
      const page = this.#toPageWithoutSearch(query, range)
      if (page !== undefined) return page
      const release = this.#storage.retain()
      const context = new SearchContext(deadline)
      return finallyMaybe(() => this.#searchPage(query, range, context), release)
    })
  }

  /** Plans the search, collects the positions of the page and reads its records. */
  #searchPage(query: PageQuery, { from, to }: PositionRange, context: SearchContext): MaybePromise<Page | null> {
    const { limit } = query
    const positions: number[] = []
    return mapMaybe(this.#planAfterCursor(query, from, context), (search) =>
      // One match more than the limit tells whether another page follows. It is not read.
      mapMaybe(this.#collect(search, context, to, positions, limit + 1), (tierEnds) =>
        positions.length === 0 ? null : this.#readPage(positions, query, tierEnds, context),
      ),
    )
  }

  /**
   * Adds the matches before the position `to` to `positions`, one tier after the other, until there are `matchesMax`.
   * Returns where each tier ends among them.
   */
  #collect(
    search: PlannedSearch,
    context: SearchContext,
    to: number,
    positions: number[],
    matchesMax: number,
  ): MaybePromise<TierEnds> {
    const { plan, firstTier, firstTierFrom, from } = search
    const tierEnds: number[] = []
    const collectFrom = (tier: Tier): MaybePromise<TierEnds> => {
      const iterator = toIterator(plan, tier)
      const start = tier === firstTier ? firstTierFrom : from
      const collecting =
        iterator === null
          ? undefined
          : new Collector(iterator, context, this.#storage, start, to).collect(positions, matchesMax)
      return mapMaybe(collecting, () => {
        tierEnds[tier] = positions.length
        return tier === lastTier || positions.length >= matchesMax ? tierEnds : collectFrom((tier + 1) as Tier)
      })
    }
    return collectFrom(firstTier)
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
    return mapMaybe(
      include === undefined
        ? this.#storage.readPage(onPage, { withLastKey: !isLastPage })
        : this.#readPageWithIncluded(onPage, { ...query, include }, { withLastKey: !isLastPage }, context),
      ({ text, lastKey }) => ({
        text,
        records: onPage.length,
        next:
          lastKey === null
            ? null
            : { checkinDate: lastKey.checkinDate, code: lastKey.code, tier: findTier(tierEnds, limit) },
      }),
    )
  }

  /** Like `SnapshotStorage.readPage`, with the included properties. */
  #readPageWithIncluded(
    positions: readonly number[],
    { include, term, code }: Query & { readonly include: readonly IncludeName[] },
    { withLastKey }: ReadPageOptions,
    { deadline }: SearchContext,
  ): ReturnType<SnapshotStorage['readPage']> {
    return mapMaybe(this.#storage.readRows(positions), (rows) =>
      mapMaybe(
        term === undefined || !include.includes('passages')
          ? []
          : findPassages(this.#storage, term, positions, rows, { isSingleRecord: code !== undefined, deadline }),
        (passages) => ({
          text: joinWithIncluded(rows, include, passages),
          lastKey: withLastKey ? (rows.at(-1) ?? null) : null,
        }),
      ),
    )
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
   * Plans the tiers from the position `from`, or from the cursor. The rules of a cursor: the tiers before its own have
   * been sent and are left out; its own tier goes on after its sort key; the tiers after it start at `from`. The key
   * need not be that of a record, and a tier may be empty, so a cursor stays valid in another snapshot. Without a term
   * there is only the last tier.
   */
  #planAfterCursor(query: Query, from: number, context: SearchContext): MaybePromise<PlannedSearch> {
    const { term, after: cursor } = query
    const firstTier = term === undefined ? lastTier : (cursor?.tier ?? 1)
    return mapMaybe(cursor === undefined ? from : this.#storage.findFirstAfter(cursor), (afterCursor) => {
      const firstTierFrom = Math.max(from, afterCursor)
      return mapMaybe(this.#plan(query, context), (plan) => ({ plan, firstTier, firstTierFrom, from }))
    })
  }

  #plan(filters: Filters, context: SearchContext): MaybePromise<SearchPlan> {
    return planSearch(filters.term, toFilterKeys(filters, this), this.#storage, context)
  }

  /** The vocabulary is read when it is needed for the first time. */
  async vocabulary(deadline?: Deadline): Promise<Vocabulary> {
    this.#vocabulary ??= await readVocabulary(this.#storage, deadline)
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
      const pages = withDocuments ? new DocumentPageCounter(await this.#storage.readDocumentTotals()) : undefined
      const range = await findRange(filters, this.#storage)
      const iterator = (await this.#plan(filters, context)).all()
      const counts = await countMatches(iterator, range, this.#storage, { context, pages })
      const isLong = counts.byMunicipality.length > municipalitiesPerSlice
      if (isLong) await waitForTimeSlice(deadline)
      const summary = pages === undefined ? toSummary(counts) : { ...toSummary(counts), documents: pages.totals }
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
        const rows = await this.#storage.readRows(Array.from({ length }, (_, index) => position + index))
        yield rows.map(({ code }) => code)
        await waitForTimeSlice(undefined)
      }
    } finally {
      release()
    }
  }

  /**
   * Returns null, that is no match, if the range is empty; the page if the code is the only filter besides the dates;
   * undefined if a search is needed.
   */
  #toPageWithoutSearch(query: Query, { from, to, found }: PositionRange): Page | null | undefined {
    if (from >= to) return null
    const { term, after, include } = query
    if (found === undefined || term !== undefined || after !== undefined || include !== undefined) return undefined
    // Without keys there is no filter that the record could fail; year and dates are part of the range.
    return toFilterKeys(query, this).length === 0 ? { text: found.wire, records: 1, next: null } : undefined
  }
}
