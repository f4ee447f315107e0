// A registry file as the operations of the API see it (`Snapshot` in contract.ts). The steps of a search:
// 1. find the range of positions that dates and code allow (position-range.ts);
// 2. translate the term and the other filters into conditions (match.ts);
// 3. scan for the positions of the matches, one tier of the result after the other (scan.ts);
// 4. read the records at these positions, with the properties that `include` adds (include.ts, passages.ts).
import type { Tier } from '../domain/cursor.ts'
import type { Deadline } from '../domain/deadline.ts'
import type { PublishedFile } from '../domain/document.ts'
import { countedValuesMax } from '../domain/own-fields.ts'
import type { IncludeName } from '../domain/parameters.ts'
import type { Filters, Query } from '../domain/query.ts'
import { ChangeReader } from './change-reader.ts'
import type {
  Batch,
  FieldValue,
  MunicipalityFacts,
  Page,
  PageQuery,
  Snapshot,
  SnapshotMetadata,
  Summary,
  SummaryOptions,
} from './contract.ts'
import type { DocumentTotals } from './document-totals.ts'
import { joinWithIncluded } from './include.ts'
import { type Match, type Matches, toMatches } from './match.ts'
import { MunicipalityNames } from './municipality-names.ts'
import { findPassages } from './passages.ts'
import { findRange, type PositionRange } from './position-range.ts'
import type { RegistryFile } from './registry-file.ts'
import { FoundPositions, Scan } from './scan.ts'
import { waitForTimeSlice } from './scheduler.ts'
import { type CountedField, countAll, countMatches, toSummary } from './summary.ts'
import { TimeSlice } from './time-slice.ts'
import { toToken } from './tokens.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Records in the first batch of an export: few, so that the first byte leaves early. */
const firstBatchRecords = 64
/** Records in a later batch. */
const batchRecords = 256

/** A long prefix of at most this many words is searched by its words. */
const prefixWordsMax = 500

const lastTier: Tier = 3

/** contract.ts explains the methods of a `Snapshot`. */
export class FileSnapshot implements Snapshot {
  readonly metadata: SnapshotMetadata
  readonly hasPassages: boolean
  readonly documentBase: string | null
  readonly municipalities: readonly MunicipalityFacts[]
  readonly changes: ChangeReader
  readonly #file: RegistryFile
  readonly #municipalityNames: MunicipalityNames
  #summaryOfAll: Summary | undefined
  readonly #countedFields = new Map<string, () => Promise<CountedField>>()
  /** These are read when a request first needs them. Other requests share the read, which does not end with it. */
  readonly #vocabulary: () => Promise<Vocabulary>
  readonly #municipalityNumbers: () => Promise<Uint32Array>
  readonly #documentTotals: () => Promise<ReadonlyMap<number, DocumentTotals>>

  constructor(file: RegistryFile) {
    this.#file = file
    this.metadata = file.metadata
    this.hasPassages = file.hasPassages
    this.documentBase = file.documentBase
    this.municipalities = file.municipalities
    this.#municipalityNames = new MunicipalityNames(file.municipalities)
    this.#vocabulary = once(file, () => file.readVocabulary())
    this.#municipalityNumbers = once(file, () => file.readMunicipalityNumbers())
    this.#documentTotals = once(file, () => file.readDocumentTotals())
    this.changes = new ChangeReader(file, (filters, positions, deadline) => this.#filter(filters, positions, deadline))
  }

  findMunicipalities(name: string): readonly number[] {
    return this.#municipalityNames.find(name)
  }

  findPublished(sha256: string): PublishedFile | undefined {
    return this.#file.findPublished(sha256)
  }

  async page(query: PageQuery, deadline?: Deadline): Promise<Page | null> {
    const range = findRange(query, this.#file)
    if (range.from >= range.to) return null
    const release = this.#file.retain()
    try {
      return await this.#searchPage(query, range, new TimeSlice(deadline))
    } finally {
      release()
    }
  }

  async hasMatch(filters: Filters, deadline?: Deadline): Promise<boolean> {
    const range = findRange(filters, this.#file)
    const { all } = this.#toMatches(filters)
    if (all === null || range.from >= range.to) return false
    const release = this.#file.retain()
    try {
      const found: number[] = []
      await new Scan(this.#file, all, range).collect(found, 1, new TimeSlice(deadline))
      return found.length > 0
    } finally {
      release()
    }
  }

  async #searchPage(query: PageQuery, range: PositionRange, slice: TimeSlice): Promise<Page | null> {
    const { limit } = query
    const search = this.#plan(query, range)
    // A record that was found by its code has been read already.
    if (range.found !== undefined && search.matchesAll && query.after === undefined && query.include === undefined) {
      return { text: range.found.wire, records: 1, next: null, together: 0, inTitle: 0 }
    }
    const positions: number[] = []
    /** By tier, how many matches were collected when the tier ended. */
    const tierEnds: number[] = []
    // One match more than the limit tells whether another page follows. The record of that match is not read.
    for (const { tier, scan } of search.tiers()) {
      await scan.collect(positions, limit + 1, slice)
      tierEnds[tier] = positions.length
      if (positions.length > limit) break
    }
    if (positions.length === 0) return null
    const onPage = positions.slice(0, limit)
    const text = await this.#readPage(onPage, query, slice)
    const inTitle = Math.min(tierEnds[2] ?? tierEnds[1] ?? 0, limit)
    const together = search.hasPairs ? Math.min(tierEnds[1] ?? 0, limit) : inTitle
    const page = { text, records: onPage.length, together, inTitle }
    const [last] = positions.length <= limit ? [] : this.#file.readRows(onPage.slice(-1))
    if (last === undefined) return { ...page, next: null }
    // The next page starts after the last record of this one.
    const { checkinDate, code } = last
    const tier = ([1, 2] as const).find((each) => (tierEnds[each] ?? 0) >= limit) ?? lastTier
    return { ...page, next: { checkinDate, code, tier } }
  }

  async #readPage(positions: readonly number[], query: Query, slice: TimeSlice): Promise<string> {
    const { include = noProperties, search: term, cod_archivo: code } = query
    if (include.length === 0) return this.#file.readWires(positions).toString()
    const rows = this.#file.readRows(positions)
    // A query with a code has one record at most, which gets more passages than a record of a list.
    const passages =
      term !== undefined && include.includes('passages')
        ? await findPassages(this.#file, term, rows, { isSingleRecord: code !== undefined, slice })
        : []
    return joinWithIncluded(rows, include, this.#file, passages)
  }

  async *search(query: Query, deadline?: Deadline): AsyncGenerator<Batch, void, undefined> {
    const release = this.#file.retain()
    const slice = new TimeSlice(deadline)
    try {
      const range = findRange(query, this.#file)
      if (range.from >= range.to) return
      let batchSize = firstBatchRecords
      let positions: number[] = []
      // A batch may have the end of one tier and the start of the next.
      for (const { scan } of this.#plan(query, range).tiers()) {
        for (;;) {
          await scan.collect(positions, batchSize, slice)
          if (positions.length < batchSize) break
          yield this.#readBatch(positions, query.include)
          await slice.yield()
          positions = []
          batchSize = batchRecords
        }
      }
      if (positions.length > 0) yield this.#readBatch(positions, query.include)
    } finally {
      release()
    }
  }

  #readBatch(positions: readonly number[], include: readonly IncludeName[] | undefined): Batch {
    const bytes =
      include === undefined
        ? this.#file.readWires(positions)
        : Buffer.from(joinWithIncluded(this.#file.readRows(positions), include, this.#file))
    return { bytes, records: positions.length }
  }

  /**
   * The scans of a search, by tier. With a cursor, the tiers before that of the cursor have been sent and are left out,
   * the tier of the cursor goes on after its sort key (date and code of the last record sent), and the others start at
   * the beginning. No record needs to have the sort key, so a cursor stays valid in another file. Without a search
   * term, all matches are in the last tier.
   */
  #plan(query: Query, { from, to }: PositionRange): SearchPlan {
    const { search: term, after: cursor } = query
    const firstTier = term === undefined ? lastTier : (cursor?.tier ?? 1)
    const firstFrom = cursor === undefined ? from : Math.max(from, this.#file.findFirstAfter(cursor))
    return new SearchPlan(this.#file, this.#toMatches(query), {
      firstTier,
      firstFrom,
      from,
      to,
      isContinued: cursor !== undefined,
    })
  }

  #toMatches(filters: Filters): Matches {
    return toMatches(filters, {
      municipalities: this.#file.municipalities,
      findMunicipalities: (name) => this.#municipalityNames.find(name),
      findWords: (prefix) => this.#findWords(prefix),
    })
  }

  #findWords(prefix: string): readonly string[] | undefined {
    const first = toToken('', prefix)
    const words = this.#file.all<[string]>(
      `SELECT word FROM word WHERE word BETWEEN ? AND ? LIMIT ${prefixWordsMax + 1}`,
      first,
      `${first}\u{10ffff}`,
    )
    return words.length > prefixWordsMax ? undefined : words.map(([word]) => word)
  }

  /** The positions among these, which ascend, whose records match the filters. */
  async #filter(filters: Filters, positions: readonly number[], deadline?: Deadline): Promise<ReadonlySet<number>> {
    const matching = new Set<number>()
    const { from, to } = findRange(filters, this.#file)
    const { all } = this.#toMatches(filters)
    if (all === null) return matching
    const slice = new TimeSlice(deadline)
    for (const position of positions) {
      if (position < from || position >= to) continue
      const found: number[] = []
      await new Scan(this.#file, all, { from: position, to: position + 1 }).collect(found, 1, slice)
      if (found.length > 0) matching.add(position)
    }
    return matching
  }

  readVocabulary(): Promise<Vocabulary> {
    return this.#vocabulary()
  }

  async summarise(
    filters: Filters,
    deadline?: Deadline,
    { withDocuments, facets = [] }: SummaryOptions = { withDocuments: false },
  ): Promise<Summary> {
    const isUnfiltered = Object.values(filters).every((filter) => filter === undefined)
    if (isUnfiltered && !withDocuments) {
      // The numbers of records by year and by municipality are in memory, those by value in a table.
      this.#summaryOfAll ??= toSummary(countAll(this.#file.years, this.municipalities))
      return facets.length === 0 ? this.#summaryOfAll : { ...this.#summaryOfAll, byField: this.#countAllValues(facets) }
    }
    const release = this.#file.retain()
    try {
      const slice = new TimeSlice(deadline)
      const { from, to } = findRange(filters, this.#file)
      const { all } = this.#toMatches(filters)
      const municipalityNumbers = await this.#municipalityNumbers()
      const documentTotals = withDocuments ? await this.#documentTotals() : undefined
      const scan = all === null || from >= to ? null : new Scan(this.#file, all, { from, to })
      const counts = await countMatches(scan, slice, {
        years: this.#file.years,
        municipalityNumbers,
        municipalityCount: this.municipalities.length,
        documentTotals,
        facets: await Promise.all(facets.map((name) => this.#countedField(name))),
      })
      if (slice.isUsedUp) await slice.yield()
      return toSummary(counts)
    } finally {
      release()
    }
  }

  #countAllValues(facets: readonly string[]): Summary['byField'] & object {
    const toCount = ({ value, records }: FieldValue): Omit<FieldValue, 'folded'> => ({ value, records })
    return Object.fromEntries(facets.map((name) => [name, this.readFieldValues(name, countedValuesMax).map(toCount)]))
  }

  readFieldValues(name: string, limit: number): readonly FieldValue[] {
    return this.#file.readFieldValues(name, limit)
  }

  /** The values of an own column by position, which are read when they are first needed. */
  #countedField(name: string): Promise<CountedField> {
    let counted = this.#countedFields.get(name)
    if (counted === undefined) {
      counted = once(this.#file, async () => {
        const field = this.metadata.fields.find((each) => each.name === name)
        const values = this.#file.readFieldValues(name, countedValuesMax)
        const numbers = field === undefined ? new Uint16Array() : await this.#file.readFieldNumbers(field, values)
        return { name, values, numbers }
      })
      this.#countedFields.set(name, counted)
    }
    return counted()
  }

  async *listCodes(first: number, end: number): AsyncGenerator<readonly string[], void, undefined> {
    const release = this.#file.retain()
    try {
      for (let position = first; position < end; position += batchRecords) {
        const last = Math.min(position + batchRecords, end) - 1
        yield this.#file
          .all<[string]>(
            'SELECT cod_archivo FROM expediente WHERE position BETWEEN ? AND ? ORDER BY position',
            position,
            last,
          )
          .map(([code]) => code)
        await waitForTimeSlice(undefined)
      }
    } finally {
      release()
    }
  }
}

/** Calls `read` when it is first called, and again if that has failed. Keeps the file open meanwhile. */
function once<T>(file: RegistryFile, read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => {
    if (reading !== undefined) return reading
    const release = file.retain()
    reading = read().finally(release)
    reading.catch(() => {
      reading = undefined
    })
    return reading
  }
}

const noProperties: readonly IncludeName[] = []

interface PlanRange {
  /** The tier in which the search starts. Earlier pages had the tiers before it. */
  readonly firstTier: Tier
  /** The lowest position of a match of `firstTier`: earlier pages had those at lower positions. */
  readonly firstFrom: number
  /** The lowest position of a match of the later tiers, and the position after the last match. */
  readonly from: number
  readonly to: number
  /** Whether the search goes on after a cursor. */
  readonly isContinued: boolean
}

/**
 * Divides a search into the three tiers of its result, which follow each other: 1. the matches with the words of the
 * term side by side in the title, 2. those with all words in the title, 3. the rest (domain/cursor.ts).
 */
class SearchPlan {
  readonly #file: RegistryFile
  readonly #matches: Matches
  readonly #range: PlanRange

  constructor(file: RegistryFile, matches: Matches, range: PlanRange) {
    this.#file = file
    this.#matches = matches
    this.#range = range
  }

  /** Whether the term has words that can stand side by side; otherwise the first tier is empty. */
  get hasPairs(): boolean {
    return this.#matches.neighbours !== null
  }

  /** Whether every record in the range matches. */
  get matchesAll(): boolean {
    const { all } = this.#matches
    return all !== null && all.search === null && all.prefix === null && all.unions.length === 0
  }

  *tiers(): Generator<{ readonly tier: Tier; readonly scan: Scan }, void, undefined> {
    const { firstTier, firstFrom, from, to, isContinued } = this.#range
    const { all, titles, neighbours } = this.#matches
    // A tier leaves out what earlier ones have. What these found for earlier pages is not known.
    const found = isContinued || titles === null ? undefined : new FoundPositions(this.#file.metadata.records)
    const conditions: readonly [tier: Tier, included: Match | null, earlier: readonly (Match | null)[]][] = [
      [1, neighbours, []],
      [2, titles, [neighbours]],
      [3, all, [titles, neighbours]],
    ]
    for (const [tier, included, earlier] of conditions) {
      if (tier < firstTier || included === null) continue
      const range = { from: tier === firstTier ? firstFrom : from, to }
      const excluded = isContinued ? earlier.filter((each) => each !== null) : []
      yield { tier, scan: new Scan(this.#file, included, range, { excluded, found }) }
    }
  }
}
