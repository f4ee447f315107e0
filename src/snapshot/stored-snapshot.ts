// A snapshot as the service reads it, on any engine: resolves names, plans the search, walks it and fetches what it
// found. An engine only fetches (`SnapshotStorage`), which is why all engines answer alike, byte for byte.

import type { Deadline } from '../domain/deadline.ts'
import type { Filters, Query } from '../domain/query.ts'
import { Walk } from '../index/collector.ts'
import { Everything, type Matcher, Turn } from '../index/iterators.ts'
import { type Plan, planSearch } from '../index/planner.ts'
import { waitForTurn } from '../index/scheduler.ts'
import { at, increment } from '../index/varint.ts'
import { finallyMaybe, type MaybePromise, mapMaybe } from '../maybe-promise.ts'
import type { Batch, MunicipalityFacts, Page, PageQuery, Snapshot, SnapshotFacts, Summary } from './contract.ts'
import { MunicipalityNames } from './municipality-names.ts'
import { EnduringSource } from './retry.ts'
import type { FoundRecord, SnapshotStorage } from './storage.ts'
import { type Counts, countAll, toCounted, toSummary } from './summary.ts'

/** Records in the first batch of a long answer, so that its first byte leaves early. */
const firstBatchRecords = 64

/** In the others, each a turn of work: to read scattered records takes a call each, a stretch of them one in all. */
const batchRecords = 128
const stretchRecords = 512

/** To put more of them in order, and then into words, are turns of their own. */
const municipalitiesPerTurn = 1000

export class StoredSnapshot implements Snapshot {
  readonly facts: SnapshotFacts
  readonly municipalities: readonly MunicipalityFacts[]
  readonly #storage: SnapshotStorage
  readonly #names: MunicipalityNames

  constructor(storage: SnapshotStorage) {
    this.#storage = storage
    this.facts = storage.facts
    this.municipalities = storage.municipalities
    this.#names = new MunicipalityNames(storage.municipalities)
  }

  municipalitiesNamed(name: string): readonly number[] {
    return this.#names.find(name)
  }

  async hasCode(code: string): Promise<boolean> {
    return (await this.#storage.findRecord(code)) !== undefined
  }

  /** At once where nothing has to be waited for, which on an embedded database is most often so. */
  page(query: PageQuery, deadline?: Deadline): MaybePromise<Page | null> {
    return mapMaybe(this.#stretchOf(query), (stretch) => {
      const page = toPageAtOnce(query, stretch)
      if (page !== undefined) return page
      const release = this.#storage.retain()
      const turn = new Turn(deadline)
      return finallyMaybe(() => this.#searchPage(query, stretch, turn), release)
    })
  }

  #searchPage(query: PageQuery, { from, to }: Stretch, turn: Turn): MaybePromise<Page | null> {
    const { limit } = query
    const positions: number[] = []
    return mapMaybe(this.#plan(query, from, turn), (walks) =>
      // One record more than the limit is looked for, never read: it tells whether another page follows.
      mapMaybe(this.#collect(walks, turn, to, positions, limit + 1), (inTitles) =>
        positions.length === 0 ? null : this.#readPage(positions, limit, inTitles),
      ),
    )
  }

  /** As many positions as there are, up to `length`; returns how many of them are of titles, which come first. */
  #collect(walks: Walks, turn: Turn, to: number, positions: number[], length: number): MaybePromise<number> {
    const { plan, titlesFrom, restFrom } = walks
    const collect = (matcher: Matcher | null, from: number): MaybePromise<void> =>
      matcher === null ? undefined : new Walk(matcher, turn, this.#storage, from, to).collect(positions, length)
    return mapMaybe(titlesFrom === undefined ? undefined : collect(plan.titles(), titlesFrom), () => {
      const inTitles = positions.length
      return mapMaybe(inTitles < length ? collect(plan.rest(), restFrom) : undefined, () => inTitles)
    })
  }

  #readPage(positions: readonly number[], limit: number, inTitles: number): MaybePromise<Page> {
    const isLast = positions.length <= limit
    return mapMaybe(
      this.#storage.readPage(isLast ? positions : positions.slice(0, limit), !isLast),
      ({ text, last }) => ({
        text,
        records: Math.min(positions.length, limit),
        next: last && { checkinDate: last.checkinDate, code: last.code, inTitles: limit <= inTitles },
      }),
    )
  }

  async *search(query: Query, deadline?: Deadline): AsyncGenerator<Batch, void, undefined> {
    const release = this.#storage.retain()
    const turn = new Turn(deadline)
    try {
      const { from, to } = await this.#stretchOf(query)
      if (from >= to) return
      const source = new EnduringSource(this.#storage)
      yield* this.#batches(this.#find(await this.#plan(query, from, turn), turn, to, source), source)
    } finally {
      release()
    }
  }

  /** Reads what was found, a few batches ahead of whoever sends them; the first is not kept waiting for the others. */
  async *#batches(
    found: AsyncGenerator<readonly number[], void, undefined>,
    source: EnduringSource,
  ): AsyncGenerator<Batch, void, undefined> {
    const reading: Promise<Batch>[] = []
    let ahead = 0
    for await (const positions of found) {
      const batch = this.#toBatch(positions, source)
      // One that fails throws where it is awaited, and not at all when nobody wants it any more.
      batch.catch(() => undefined)
      reading.push(batch)
      if (reading.length <= ahead) continue
      const next = await reading.shift()
      if (next !== undefined) yield next
      source.hasBegun = true
      ahead = this.#storage.batchesAhead
    }
    for (const batch of reading) yield await batch
  }

  /** Which records are wanted, a batch at a time. */
  async *#find(
    { plan, titlesFrom, restFrom }: Walks,
    turn: Turn,
    to: number,
    source: EnduringSource,
  ): AsyncGenerator<readonly number[], void, undefined> {
    let wanted = firstBatchRecords
    let positions: number[] = []
    const parts = [{ toMatcher: () => plan.rest(), from: restFrom }]
    if (titlesFrom !== undefined) parts.unshift({ toMatcher: () => plan.titles(), from: titlesFrom })
    for (const { toMatcher, from } of parts) {
      const matcher = toMatcher()
      if (matcher === null) continue
      const walk = new Walk(matcher, turn, source, from, to)
      for (;;) {
        await walk.collect(positions, wanted)
        if (positions.length < wanted) break
        yield positions
        // Reading a batch is as much work as a turn of searching.
        await waitForTurn(turn.deadline)
        positions = []
        wanted = matcher instanceof Everything ? stretchRecords : batchRecords
      }
    }
    if (positions.length > 0) yield positions
  }

  async #toBatch(positions: readonly number[], source: EnduringSource): Promise<Batch> {
    const bytes = await source.read(() => this.#storage.readRecords(positions))
    return { bytes, records: positions.length }
  }

  #plan(query: Query, from: number, turn: Turn): MaybePromise<Walks> {
    const { after: cursor } = query
    if (cursor === undefined) return this.#planFrom(query, from, from, turn)
    return mapMaybe(this.#storage.firstAfter(cursor), (place) =>
      this.#planFrom(query, from, Math.max(from, place), turn),
    )
  }

  /** `after` the cursor. */
  #planFrom(query: Query, from: number, after: number, turn: Turn): MaybePromise<Walks> {
    const { term, after: cursor } = query
    const restFrom = cursor?.inTitles ? from : after
    const titlesFrom = term === undefined || cursor?.inTitles === false ? undefined : after
    return mapMaybe(this.#planFor(query, turn), (plan) => ({ plan, titlesFrom, restFrom }))
  }

  #planFor({ term, municipality }: Filters, turn: Turn): MaybePromise<Plan> {
    const municipalities = municipality === undefined ? undefined : this.municipalitiesNamed(municipality)
    return planSearch(term, municipalities, this.#storage, turn)
  }

  async summarise(filters: Filters, deadline?: Deadline): Promise<Summary> {
    const release = this.#storage.retain()
    const turn = new Turn(deadline)
    try {
      const counts = await this.#count(filters, turn)
      const isLong = counts.byMunicipality.length > municipalitiesPerTurn
      if (isLong) await waitForTurn(deadline)
      const summary = toSummary(counts)
      if (isLong) await waitForTurn(deadline)
      return summary
    } finally {
      release()
    }
  }

  async #count(filters: Filters, turn: Turn): Promise<Counts> {
    const isEverything = Object.values(filters).every((filter) => filter === undefined)
    return isEverything ? countAll(this.#storage.years, this.municipalities) : await this.#countFound(filters, turn)
  }

  /** One by one. */
  async #countFound(filters: Filters, turn: Turn): Promise<Counts> {
    const byYear = new Map<number, number>()
    const records = new Uint32Array(this.municipalities.length)
    const { from, to } = await this.#stretchOf(filters)
    const all = (await this.#planFor(filters, turn)).all()
    if (all === null || from >= to) return { byYear, byMunicipality: [] }
    const numbers = await this.#storage.readMunicipalityNumbers()
    for (const stretch of this.#storage.years) {
      const end = Math.min(stretch.first + stretch.records, to)
      const walk = new Walk(all, turn, this.#storage, Math.max(stretch.first, from), end)
      let inYear = 0
      const counting = walk.each((position) => {
        increment(records, at(numbers, position))
        inYear += 1
      })
      if (counting !== undefined) await counting
      if (inYear > 0) byYear.set(stretch.year, inYear)
    }
    return { byYear, byMunicipality: toCounted(records) }
  }

  /** Year and code each narrow the search to consecutive positions. */
  #stretchOf({ year: wanted, code }: Filters): MaybePromise<Stretch> {
    let from = 0
    let to = this.facts.records
    if (wanted !== undefined) {
      const stretch = this.#storage.years.find(({ year }) => year === wanted)
      if (stretch === undefined) return nowhere
      from = stretch.first
      to = from + stretch.records
    }
    if (code === undefined) return { from, to }
    return mapMaybe(this.#storage.findRecord(code), (found) => {
      if (found === undefined || found.position < from || found.position >= to) return nowhere
      return { from: found.position, to: found.position + 1, found }
    })
  }
}

/** Positions from `from` to `to` (excluded), and the record where it is the only one. */
interface Stretch {
  readonly from: number
  readonly to: number
  readonly found?: FoundRecord
}

const nowhere: Stretch = { from: 0, to: 0 }

/** Where nothing else has to be looked up: nothing can match, or the record is the answer. */
function toPageAtOnce({ term, municipality, after }: Query, { from, to, found }: Stretch): Page | null | undefined {
  if (from >= to) return null
  const isCodeAlone = term === undefined && municipality === undefined && after === undefined
  return found !== undefined && isCodeAlone ? { text: found.text, records: 1, next: null } : undefined
}

/** The walks of a search: over titles first where there is a term, then over the rest. */
interface Walks {
  readonly plan: Plan
  readonly titlesFrom: number | undefined
  readonly restFrom: number
}
