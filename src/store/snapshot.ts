// A snapshot as the service reads it, on any engine: resolves names, plans the search, walks it and fetches what it
// found. An engine only fetches (`SnapshotStorage`), which is why all engines answer alike, byte for byte.
import type { Cursor } from '../record/cursor.ts'
import { foldName } from '../record/municipality.ts'
import type { Filters, Query } from '../record/query.ts'
import { compareCanonically, type OrderKey } from '../record/record.ts'
import { at, increment } from '../search/bytes.ts'
import { type Matcher, Turn } from '../search/matcher.ts'
import { type ListSource, type Now, planSearch } from '../search/plan.ts'
import { Walk } from '../search/walk.ts'
import type { Batch, MunicipalityFacts, Snapshot, SnapshotFacts, Summary } from './store.ts'

/** What an engine keeps of one snapshot and how it is fetched. */
export interface SnapshotStorage extends ListSource {
  readonly facts: SnapshotFacts
  readonly municipalities: readonly MunicipalityFacts[]
  /** The years that have records; each a stretch of consecutive positions, newest first. */
  readonly years: readonly YearStretch[]
  /** The wire bytes of the records at these positions, in this order, joined by commas. */
  readRecords(positions: readonly number[]): Now<Uint8Array>
  readOrderKey(position: number): Now<OrderKey>
  /** The position of the record that bears the folded code. */
  findCode(code: string): Now<number | undefined>
  /** For each position the number of its municipality. */
  readMunicipalityNumbers(): Now<Uint32Array>
  /** Keeps the snapshot readable until the returned function is called. */
  retain(): () => void
}

export interface YearStretch {
  readonly year: number
  readonly first: number
  readonly records: number
}

/** Records in the first batch of a long answer, so that its first byte leaves early, and in the others. */
const firstBatchRecords = 64
const batchRecords = 512

export class StoredSnapshot implements Snapshot {
  readonly facts: SnapshotFacts
  readonly municipalities: readonly MunicipalityFacts[]
  readonly #storage: SnapshotStorage
  readonly #numbersByName = new Map<string, number[]>()

  constructor(storage: SnapshotStorage) {
    this.#storage = storage
    this.facts = storage.facts
    this.municipalities = storage.municipalities
    for (const [number, { keys }] of this.municipalities.entries()) {
      for (const key of keys) {
        const numbers = this.#numbersByName.get(key)
        if (numbers === undefined) this.#numbersByName.set(key, [number])
        else numbers.push(number)
      }
    }
  }

  municipalitiesNamed(name: string): readonly number[] {
    return this.#numbersByName.get(foldName(name)) ?? []
  }

  async hasCode(code: string): Promise<boolean> {
    return (await this.#storage.findCode(code)) !== undefined
  }

  async *search(query: Query): AsyncGenerator<Batch, void, undefined> {
    const release = this.#storage.retain()
    try {
      const { from, to } = await this.#stretchOf(query)
      if (from >= to) return
      const turn = new Turn()
      const plan = await planSearch(query.term, this.#numbersOf(query), this.#storage, turn)
      const after = query.after && (await this.#firstAfter(query.after))
      const parts: Part[] = []
      if (plan.titles !== null && (query.after?.inTitles ?? true)) {
        parts.push({ inTitles: true, matcher: plan.titles, from: Math.max(from, after ?? 0) })
      }
      if (plan.rest !== null) {
        parts.push({
          inTitles: false,
          matcher: plan.rest,
          from: query.after?.inTitles ? from : Math.max(from, after ?? 0),
        })
      }
      yield* this.#batches(parts, turn, to, query.limit)
    } finally {
      release()
    }
  }

  async *#batches(
    parts: readonly Part[],
    turn: Turn,
    to: number,
    limit: number | undefined,
  ): AsyncGenerator<Batch, void, undefined> {
    // One record more than the limit is looked for, never read: it tells whether another page follows.
    let wanted = limit === undefined ? firstBatchRecords : limit + 1
    let positions: number[] = []
    let inTitles = 0
    for (const part of parts) {
      const walk = new Walk(part.matcher, turn, this.#storage, part.from, to)
      for (;;) {
        await walk.collect(positions, wanted)
        if (part.inTitles) inTitles = positions.length
        if (positions.length < wanted) break
        yield await this.#toBatch(positions, inTitles, limit)
        if (limit !== undefined) return
        positions = []
        inTitles = 0
        wanted = batchRecords
      }
    }
    if (positions.length > 0) yield await this.#toBatch(positions, inTitles, limit)
  }

  /** The first `inTitles` of the positions come from titles. */
  async #toBatch(positions: number[], inTitles: number, limit: number | undefined): Promise<Batch> {
    const isCut = limit !== undefined && positions.length > limit
    if (isCut) positions.pop()
    const reading = this.#storage.readRecords(positions)
    const bytes = reading instanceof Promise ? await reading : reading
    const last = positions.at(-1)
    if (!isCut || last === undefined) return { bytes, records: positions.length, next: null }
    const key = await this.#storage.readOrderKey(last)
    return { bytes, records: positions.length, next: { ...key, inTitles: positions.length <= inTitles } }
  }

  async summarise(filters: Filters): Promise<Summary> {
    const release = this.#storage.retain()
    try {
      const { from, to } = await this.#stretchOf(filters)
      const turn = new Turn()
      const { all } = await planSearch(filters.term, this.#numbersOf(filters), this.#storage, turn)
      const byMunicipality = new Uint32Array(this.municipalities.length)
      const byYear = new Map<number, number>()
      if (all !== null && from < to) {
        const numbers = await this.#storage.readMunicipalityNumbers()
        for (const { year, first, records } of this.#storage.years) {
          const walk = new Walk(all, turn, this.#storage, Math.max(first, from), Math.min(first + records, to))
          let inYear = 0
          for (const matches: number[] = []; ; matches.length = 0) {
            await walk.collect(matches, batchRecords)
            for (const position of matches) increment(byMunicipality, at(numbers, position))
            inYear += matches.length
            if (matches.length < batchRecords) break
          }
          if (inYear > 0) byYear.set(year, inYear)
        }
      }
      return toSummary(byYear, byMunicipality)
    } finally {
      release()
    }
  }

  #numbersOf(filters: Filters): readonly number[] | undefined {
    return filters.municipality === undefined ? undefined : this.municipalitiesNamed(filters.municipality)
  }

  /** Year and code each narrow the search to consecutive positions. */
  async #stretchOf(filters: Filters): Promise<{ from: number; to: number }> {
    let from = 0
    let to = this.facts.records
    if (filters.year !== undefined) {
      const stretch = this.#storage.years.find(({ year }) => year === filters.year)
      if (stretch === undefined) return { from: 0, to: 0 }
      from = stretch.first
      to = from + stretch.records
    }
    if (filters.code !== undefined) {
      const finding = this.#storage.findCode(filters.code)
      const position = finding instanceof Promise ? await finding : finding
      if (position === undefined || position < from || position >= to) return { from: 0, to: 0 }
      from = position
      to = position + 1
    }
    return { from, to }
  }

  /** The first position behind a place in the canonical order, whether a record still stands at that place or not. */
  async #firstAfter(cursor: Cursor): Promise<number> {
    let low = 0
    let high = this.facts.records
    const year = Number(cursor.checkinDate.slice(0, 4))
    for (const stretch of this.#storage.years) {
      if (stretch.year > year) low = stretch.first + stretch.records
      if (stretch.year === year) high = stretch.first + stretch.records
      if (stretch.year < year) high = Math.min(high, stretch.first)
    }
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareCanonically(await this.#storage.readOrderKey(middle), cursor) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

interface Part {
  readonly inTitles: boolean
  readonly matcher: Matcher
  readonly from: number
}

function toSummary(byYear: ReadonlyMap<number, number>, byMunicipality: Uint32Array): Summary {
  const years = [...byYear].map(([year, records]) => ({ year, records })).sort((a, b) => a.year - b.year)
  const municipalities = Array.from(byMunicipality, (records, municipality) => ({ municipality, records }))
    .filter(({ records }) => records > 0)
    // Municipalities are numbered by name.
    .sort((a, b) => b.records - a.records || a.municipality - b.municipality)
  return { total: years.reduce((sum, { records }) => sum + records, 0), byYear: years, byMunicipality: municipalities }
}
