// A snapshot as the service reads it, on any engine: resolves names, plans the search, walks it and fetches what it
// found. An engine only fetches (`SnapshotStorage`), which is why all engines answer alike, byte for byte.
import { bearersOfBoth, foldName } from '../record/municipality.ts'
import type { Patience } from '../record/patience.ts'
import type { Filters, Query } from '../record/query.ts'
import type { OrderKey } from '../record/record.ts'
import { at, increment } from '../search/bytes.ts'
import { type Matcher, Turn } from '../search/matcher.ts'
import { type ListSource, type Now, planSearch } from '../search/plan.ts'
import { waitForTurn } from '../search/turnstile.ts'
import { Walk } from '../search/walk.ts'
import { EnduringSource } from './endurance.ts'
import type { Batch, MunicipalityFacts, Snapshot, SnapshotFacts, Summary } from './store.ts'

/** What an engine keeps of one snapshot and how it is fetched. */
export interface SnapshotStorage extends ListSource {
  readonly facts: SnapshotFacts
  readonly municipalities: readonly MunicipalityFacts[]
  /** The years that have records; each a stretch of consecutive positions, newest first. */
  readonly years: readonly YearStretch[]
  /** The wire bytes of the records at these positions, in this order, joined by commas. */
  readRecords(positions: readonly number[]): Now<Uint8Array>
  /** The same, with the place of the last of them in the canonical order: a page after which another follows. */
  readPage(positions: readonly number[]): Now<{ readonly bytes: Uint8Array; readonly last: OrderKey }>
  /** The first position behind a place in the canonical order, whether a record still stands at that place or not. */
  firstAfter(key: OrderKey): Now<number>
  /** The record that bears the folded code. */
  findRecord(code: string): Now<FoundRecord | undefined>
  /** For each position the number of its municipality. */
  readMunicipalityNumbers(): Now<Uint32Array>
  /** Keeps the snapshot readable until the returned function is called. */
  retain(): () => void
  /** How many batches of a long answer are read before they are asked for: none where reading takes no time. */
  readonly batchesAhead: number
}

export interface FoundRecord {
  readonly position: number
  /** As on the wire. */
  readonly bytes: Uint8Array
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
    const numbersOf = (key: string): readonly number[] => this.#numbersByName.get(key) ?? []
    const named = numbersOf(foldName(name))
    return named.length > 0 ? named : bearersOfBoth(name, numbersOf)
  }

  async hasCode(code: string): Promise<boolean> {
    return (await this.#storage.findRecord(code)) !== undefined
  }

  async *search(query: Query, patience?: Patience): AsyncGenerator<Batch, void, undefined> {
    const release = this.#storage.retain()
    try {
      const { from, to, found } = await this.#stretchOf(query)
      if (from >= to) return
      if (found !== undefined && isCodeAlone(query)) {
        yield { bytes: found.bytes, records: 1, next: null }
        return
      }
      const turn = new Turn(patience)
      const source = new EnduringSource(this.#storage)
      const after = query.after === undefined ? from : Math.max(from, await this.#storage.firstAfter(query.after))
      const restFrom = query.after?.inTitles ? from : after
      const plan = await planSearch(query.term, this.#numbersOf(query), this.#storage, turn, restFrom)
      const parts: Part[] = []
      if (plan.titles !== null && (query.after?.inTitles ?? true)) {
        parts.push({ inTitles: true, matcher: plan.titles, from: after })
      }
      if (plan.rest !== null) parts.push({ inTitles: false, matcher: plan.rest, from: restFrom })
      yield* this.#batches(this.#find(parts, turn, to, query.limit, source), query.limit, source)
    } finally {
      release()
    }
  }

  /** Reads what was found, a few batches ahead of whoever sends them; the first is not kept waiting for the others. */
  async *#batches(
    found: AsyncGenerator<Found, void, undefined>,
    limit: number | undefined,
    source: EnduringSource,
  ): AsyncGenerator<Batch, void, undefined> {
    const reading: Promise<Batch>[] = []
    let ahead = 0
    for await (const each of found) {
      const batch = this.#toBatch(each, limit, source)
      // One that fails throws where it is awaited, and not at all when nobody wants it any more.
      batch.catch(() => undefined)
      reading.push(batch)
      if (reading.length <= ahead) continue
      const next = reading.shift()
      if (next !== undefined) yield await next
      source.hasBegun = true
      ahead = this.#storage.batchesAhead
    }
    for (const batch of reading) yield await batch
  }

  /** Which records are wanted, a batch at a time. */
  async *#find(
    parts: readonly Part[],
    turn: Turn,
    to: number,
    limit: number | undefined,
    source: EnduringSource,
  ): AsyncGenerator<Found, void, undefined> {
    // One record more than the limit is looked for, never read: it tells whether another page follows.
    let wanted = limit === undefined ? firstBatchRecords : limit + 1
    let positions: number[] = []
    let inTitles = 0
    for (const part of parts) {
      const walk = new Walk(part.matcher, turn, source, part.from, to)
      for (;;) {
        await walk.collect(positions, wanted)
        if (part.inTitles) inTitles = positions.length
        if (positions.length < wanted) break
        yield { positions, inTitles }
        if (limit !== undefined) return
        // Reading a batch is as much work as a turn of searching.
        await waitForTurn()
        positions = []
        inTitles = 0
        wanted = batchRecords
      }
    }
    if (positions.length > 0) yield { positions, inTitles }
  }

  async #toBatch({ positions, inTitles }: Found, limit: number | undefined, source: EnduringSource): Promise<Batch> {
    if (limit === undefined || positions.length <= limit) {
      const bytes = source.read(() => this.#storage.readRecords(positions))
      return { bytes: bytes instanceof Promise ? await bytes : bytes, records: positions.length, next: null }
    }
    const { bytes, last } = await this.#storage.readPage(positions.slice(0, limit))
    return { bytes, records: limit, next: { ...last, inTitles: limit <= inTitles } }
  }

  async summarise(filters: Filters, patience?: Patience): Promise<Summary> {
    const release = this.#storage.retain()
    try {
      const { from, to } = await this.#stretchOf(filters)
      const turn = new Turn(patience)
      const { all } = await planSearch(filters.term, this.#numbersOf(filters), this.#storage, turn, from)
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
  async #stretchOf(filters: Filters): Promise<{ from: number; to: number; found?: FoundRecord }> {
    let from = 0
    let to = this.facts.records
    if (filters.year !== undefined) {
      const stretch = this.#storage.years.find(({ year }) => year === filters.year)
      if (stretch === undefined) return { from: 0, to: 0 }
      from = stretch.first
      to = from + stretch.records
    }
    if (filters.code !== undefined) {
      const finding = this.#storage.findRecord(filters.code)
      const found = finding instanceof Promise ? await finding : finding
      if (found === undefined || found.position < from || found.position >= to) return { from: 0, to: 0 }
      return { from: found.position, to: found.position + 1, found }
    }
    return { from, to }
  }
}

/** The record itself is the answer: nothing else has to be looked up. */
function isCodeAlone(query: Query): boolean {
  return query.term === undefined && query.municipality === undefined && query.after === undefined
}

/** Records that match; the first `inTitles` of them in their titles. */
interface Found {
  readonly positions: readonly number[]
  readonly inTitles: number
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
