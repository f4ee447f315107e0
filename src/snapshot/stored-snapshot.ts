// Implementation of `Snapshot` over any engine: resolves municipality names, plans the search, collects the matches and
// reads them. An engine only reads rows (`SnapshotStorage`), so all engines answer with the same bytes.

import type { Tier } from '../domain/cursor.ts'
import type { Deadline } from '../domain/deadline.ts'
import type { Filters, IncludeName, Query } from '../domain/query.ts'
import type { WireDocument } from '../domain/wire.ts'
import { Collector } from '../index/collector.ts'
import { AllRecords, GivenPositions, Intersection } from '../index/iterators.ts'
import { planSearch, type SearchPlan } from '../index/planner.ts'
import { waitForTimeSlice } from '../index/scheduler.ts'
import { SearchContext } from '../index/search-context.ts'
import { at, increment } from '../index/typed-array.ts'
import { finallyMaybe, type MaybePromise, mapMaybe } from '../maybe-promise.ts'
import { ChangeReader, type MatchCodes } from './change-reader.ts'
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
import { findFirstBefore, findFirstUntil } from './day-positions.ts'
import { PageCounter } from './document-totals.ts'
import { toFilterKeys } from './filter-keys.ts'
import { joinWithIncluded } from './include.ts'
import { MunicipalityNames } from './municipality-names.ts'
import { findPassages } from './passages.ts'
import { RetryingSource } from './retry.ts'
import type { Segment } from './segments.ts'
import type { FoundRecord, SnapshotStorage } from './storage.ts'
import { type Counts, countAll, toMunicipalityCounts, toSummary } from './summary.ts'
import { findTier, lastTier, type PlannedSearch, type TierEnds, toIterator } from './tiers.ts'
import { readVocabulary, type Vocabulary } from './vocabulary.ts'

/** Records in the first batch of a long response, so that its first byte leaves early. */
const firstBatchRecords = 64

/** Records in the other batches. Consecutive records are read faster than scattered ones. */
const scatteredBatchRecords = 128
const consecutiveBatchRecords = 512

/** A summary of more municipalities waits for a time slice before it is sorted and before it is written out. */
const municipalitiesPerSlice = 1000

export class StoredSnapshot implements Snapshot {
  readonly metadata: SnapshotMetadata
  readonly hasPassages: boolean
  readonly municipalities: readonly MunicipalityFacts[]
  readonly changes: ChangeReader
  readonly #storage: SnapshotStorage
  readonly #names: MunicipalityNames
  /** The summary of all records, which is computed once. */
  #summaryOfAll: Summary | undefined
  #vocabulary: Vocabulary | undefined

  constructor(storage: SnapshotStorage) {
    this.#storage = storage
    this.metadata = storage.metadata
    this.hasPassages = storage.hasPassages
    this.municipalities = storage.municipalities
    this.changes = new ChangeReader(storage, this.#matchCodes)
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
    const isLast = position + 1 >= this.metadata.records
    const [row, next] = await this.#storage.readRows(isLast ? [position] : [position, position + 1])
    if (row === undefined) return []
    const { firstSegment: first } = row
    // The segments of the next record follow. Of the last record, at least the pages of its documents are known.
    const documents: readonly WireDocument[] = JSON.parse(row.documents)
    const pages = documents.reduce((sum, { read, recognised }) => sum + read + recognised, 0)
    const end = next?.firstSegment ?? first + pages
    return this.#storage.readSegments(Array.from({ length: end - first }, (_, index) => first + index))
  }

  page(query: PageQuery, deadline?: Deadline): MaybePromise<Page | null> {
    return mapMaybe(this.#findRange(query), (range) => {
      const page = this.#toPageWithoutSearch(query, range)
      if (page !== undefined) return page
      const release = this.#storage.retain()
      const context = new SearchContext(deadline)
      return finallyMaybe(() => this.#searchPage(query, range, context), release)
    })
  }

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

  /** Collects up to `matchesMax` positions, one tier after the other. Returns where each tier ends among them. */
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

  #readPage(
    positions: readonly number[],
    query: PageQuery,
    tierEnds: TierEnds,
    context: SearchContext,
  ): MaybePromise<Page> {
    const { limit, include } = query
    const isLast = positions.length <= limit
    const onPage = isLast ? positions : positions.slice(0, limit)
    return mapMaybe(
      include === undefined
        ? this.#storage.readPage(onPage, !isLast)
        : this.#readPageWithIncluded(onPage, { ...query, include }, !isLast, context),
      ({ text, lastKey }) => ({
        text,
        records: Math.min(positions.length, limit),
        next: lastKey && { checkinDate: lastKey.checkinDate, code: lastKey.code, tier: findTier(tierEnds, limit) },
      }),
    )
  }

  #readPageWithIncluded(
    positions: readonly number[],
    { include, term, code }: Query & { readonly include: readonly IncludeName[] },
    withLastKey: boolean,
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
      const { from, to } = await this.#findRange(query)
      if (from >= to) return
      const source = new RetryingSource(this.#storage)
      const search = await this.#planAfterCursor(query, from, context)
      yield* this.#readBatches(this.#findBatches(search, context, to, source), source, query.include)
    } finally {
      release()
    }
  }

  /** Reads batches ahead of the consumer. The first is yielded before the next is read. */
  async *#readBatches(
    batches: AsyncGenerator<readonly number[], void, undefined>,
    source: RetryingSource,
    include: Query['include'],
  ): AsyncGenerator<Batch, void, undefined> {
    const reading: Promise<Batch>[] = []
    let readAhead = 0
    for await (const positions of batches) {
      const batch = this.#readBatch(positions, source, include)
      // A failure is thrown where the batch is awaited. If it never is, the failure does not matter.
      batch.catch(() => undefined)
      reading.push(batch)
      if (reading.length <= readAhead) continue
      const next = await reading.shift()
      if (next !== undefined) yield next
      source.isRetrying = true
      readAhead = this.#storage.readAheadBatches
    }
    for (const batch of reading) yield await batch
  }

  /** Yields the positions of the matches, a batch at a time. */
  async *#findBatches(
    { plan, firstTier, firstTierFrom, from }: PlannedSearch,
    context: SearchContext,
    to: number,
    source: RetryingSource,
  ): AsyncGenerator<readonly number[], void, undefined> {
    let batchRecords = firstBatchRecords
    let positions: number[] = []
    for (let tier = firstTier; tier <= lastTier; tier++) {
      const iterator = toIterator(plan, tier)
      if (iterator === null) continue
      const start = tier === firstTier ? firstTierFrom : from
      const collector = new Collector(iterator, context, source, start, to)
      for (;;) {
        await collector.collect(positions, batchRecords)
        if (positions.length < batchRecords) break
        yield positions
        // Reading a batch takes about as long as a time slice.
        await waitForTimeSlice(context.deadline)
        positions = []
        batchRecords = iterator instanceof AllRecords ? consecutiveBatchRecords : scatteredBatchRecords
      }
    }
    if (positions.length > 0) yield positions
  }

  async #readBatch(positions: readonly number[], source: RetryingSource, include: Query['include']): Promise<Batch> {
    const records = positions.length
    if (include === undefined) return { bytes: await source.read(() => this.#storage.readRecords(positions)), records }
    const rows = await source.read(() => this.#storage.readRows(positions))
    return { bytes: Buffer.from(joinWithIncluded(rows, include)), records }
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
    this.#summaryOfAll ??= toSummary(countAll(this.#storage.years, this.municipalities))
    return this.#summaryOfAll
  }

  async #summariseMatches(filters: Filters, deadline: Deadline | undefined, withDocuments: boolean): Promise<Summary> {
    const release = this.#storage.retain()
    const context = new SearchContext(deadline)
    try {
      const pages = withDocuments ? new PageCounter(await this.#storage.readDocumentTotals()) : undefined
      const counts = await this.#countMatches(filters, context, pages)
      const isLong = counts.byMunicipality.length > municipalitiesPerSlice
      if (isLong) await waitForTimeSlice(deadline)
      const summary = pages === undefined ? toSummary(counts) : { ...toSummary(counts), documents: pages.totals }
      if (isLong) await waitForTimeSlice(deadline)
      return summary
    } finally {
      release()
    }
  }

  async #countMatches(filters: Filters, context: SearchContext, pages: PageCounter | undefined): Promise<Counts> {
    const byYear = new Map<number, number>()
    const byMunicipality = new Uint32Array(this.municipalities.length)
    const { from, to } = await this.#findRange(filters)
    const iterator = (await this.#plan(filters, context)).all()
    if (iterator === null || from >= to) return { byYear, byMunicipality: [] }
    const municipalityNumbers = await this.#storage.readMunicipalityNumbers()
    for (const { year, first, records } of this.#storage.years) {
      const end = Math.min(first + records, to)
      const collector = new Collector(iterator, context, this.#storage, Math.max(first, from), end)
      let recordsInYear = 0
      const counting = collector.forEach((position) => {
        increment(byMunicipality, at(municipalityNumbers, position))
        recordsInYear += 1
        pages?.add(position)
      })
      if (counting !== undefined) await counting
      if (recordsInYear > 0) byYear.set(year, recordsInYear)
    }
    return { byYear, byMunicipality: toMunicipalityCounts(byMunicipality) }
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

  /** Looks up the positions of the codes, and intersects them with the matches of the filters. */
  readonly #matchCodes: MatchCodes = async (foldedCodes, filters, deadline) => {
    const positions = await this.#storage.findPositions(foldedCodes)
    if (filters === undefined || positions.size === 0) return positions
    const context = new SearchContext(deadline)
    const { from, to } = await this.#findRange(filters)
    const iterator = (await this.#plan(filters, context)).all()
    if (iterator === null || from >= to) return new Map()
    const candidates = new GivenPositions([...positions.values()].sort((a, b) => a - b))
    const matches: number[] = []
    const collector = new Collector(new Intersection([candidates, iterator], context), context, this.#storage, from, to)
    await collector.collect(matches, positions.size)
    const matching = new Set(matches)
    return new Map([...positions].filter(([, position]) => matching.has(position)))
  }

  /** Year, dates and code each limit the search to consecutive positions. */
  #findRange({ year, from: firstDay, to: lastDay, code }: Filters): MaybePromise<PositionRange> {
    let range: PositionRange = { from: 0, to: this.metadata.records }
    if (year !== undefined) {
      const found = this.#storage.years.find((each) => each.year === year)
      if (found === undefined) return emptyRange
      range = { from: found.first, to: found.first + found.records }
    }
    if (firstDay === undefined && lastDay === undefined) return this.#findCodeInRange(code, range)
    // The newest record has position 0, so the last day gives the start of the range.
    const from = lastDay === undefined ? 0 : findFirstUntil(lastDay, this.#storage)
    const to = firstDay === undefined ? range.to : findFirstBefore(firstDay, this.#storage)
    return mapMaybe(from, (start) =>
      mapMaybe(to, (end) =>
        this.#findCodeInRange(code, { from: Math.max(range.from, start), to: Math.min(range.to, end) }),
      ),
    )
  }

  #findCodeInRange(code: string | undefined, range: PositionRange): MaybePromise<PositionRange> {
    if (code === undefined) return range
    return mapMaybe(this.#storage.findRecord(code), (found) => {
      if (found === undefined || found.position < range.from || found.position >= range.to) return emptyRange
      return { from: found.position, to: found.position + 1, found }
    })
  }

  /** The page, if the range is empty or the code is the only filter; undefined if a search is needed. */
  #toPageWithoutSearch(query: Query, { from, to, found }: PositionRange): Page | null | undefined {
    if (from >= to) return null
    const { term, after, include } = query
    if (found === undefined || term !== undefined || after !== undefined || include !== undefined) return undefined
    return toFilterKeys(query, this).length === 0 ? { text: found.text, records: 1, next: null } : undefined
  }
}

/** Positions from `from` (included) to `to` (excluded). `found` is the record if a code limits the range to it. */
interface PositionRange {
  readonly from: number
  readonly to: number
  readonly found?: FoundRecord
}

const emptyRange: PositionRange = { from: 0, to: 0 }
