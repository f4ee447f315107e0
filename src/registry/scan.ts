// Reads the positions of the records that match a condition (match.ts), in ascending order: the newest record first.
// FTS5 cannot be interrupted, so a scan asks for one range of positions after the other, and other requests run in
// between. A range takes about a millisecond, whatever is searched: the next one is longer or shorter.
import type { Match } from './match.ts'
import type { RegistryFile, Rowid } from './registry-file.ts'
import type { TimeSlice } from './time-slice.ts'

/** The length of the first range. In the worst case known, two frequent words that never meet, it takes 0.6 ms. */
const firstRangeLength = 16 * 1024
/** A condition on both indexes reads all matches of one of them in the range, however many are wanted. */
const firstRangeOfBothLength = 1024
/** An expression for any of some words takes FTS5 as long as it finds matches: a limit of so many replaces ranges. */
const anyOfWords = /^\(?"[^" ]+"(?: OR "[^" ]+")*\)?$/
const limitOfWholeRange = 1024
const rangeLengthMin = 256
/** After a range that took longer, the next one is half as long; after one that took a quarter, it is longer. */
const rangeMsWanted = 0.8
const rangeGrowthMin = 4
/** A rare word takes so little time for the first range that all other positions can be the second. */
const rangeGrowthMax = 16

export interface ScanRange {
  /** The first position, and the one after the last. */
  readonly from: number
  readonly to: number
}

/** Positions that a search has found, a bit for each position of the registry. */
export class FoundPositions {
  readonly #bits: Uint8Array

  constructor(records: number) {
    this.#bits = new Uint8Array((records >> 3) + 1)
  }

  /** Returns false if the position was there. */
  add(position: number): boolean {
    const byte = this.#bits[position >> 3] as number
    const bit = 1 << (position & 7)
    if ((byte & bit) !== 0) return false
    this.#bits[position >> 3] = byte | bit
    return true
  }
}

interface ScanOptions {
  /** The scan leaves these out. FTS5 takes two to three times as long then. */
  readonly excluded?: readonly Match[]
  /** The scan leaves these out, and adds its own. */
  readonly found?: FoundPositions | undefined
}

export class Scan {
  readonly #file: RegistryFile
  readonly #found: FoundPositions | undefined
  readonly #sql: string | null
  readonly #expressions: readonly string[]
  readonly #isAnyOfWords: boolean
  #next: number
  readonly #to: number
  #rangeLength: number
  #lastMs = 0
  #wasHalved = false

  /** Finds the records in the range that match `included`. */
  constructor(
    file: RegistryFile,
    included: Match,
    { from, to }: ScanRange,
    { excluded = [], found }: ScanOptions = {},
  ) {
    this.#file = file
    this.#found = found
    const query = toQuery(included, excluded)
    this.#sql = query === null ? null : query.sql
    this.#expressions = query === null ? [] : query.expressions
    this.#rangeLength = this.#expressions.length > 1 ? firstRangeOfBothLength : firstRangeLength
    this.#isAnyOfWords = this.#expressions.length === 1 && anyOfWords.test(this.#expressions[0] ?? '')
    this.#next = from
    this.#to = to
  }

  /** Appends matches to the array until it has `lengthMax` or there are no more. */
  async collect(positions: number[], lengthMax: number, slice: TimeSlice): Promise<void> {
    while (positions.length < lengthMax && this.#next < this.#to) {
      for (const position of this.#readRange(lengthMax - positions.length)) {
        if (this.#found?.add(position) !== false) positions.push(position)
      }
      if (slice.isUsedUp) await slice.yield()
    }
  }

  /** Calls `visit` with the matches, some thousands at a time. */
  async forEach(visit: (positions: readonly number[]) => void, slice: TimeSlice): Promise<void> {
    while (this.#next < this.#to) {
      visit(this.#readRange(Number.MAX_SAFE_INTEGER))
      if (slice.isUsedUp) await slice.yield()
    }
  }

  /** Reads up to `limit` matches of the next range. */
  #readRange(limit: number): readonly number[] {
    const first = this.#next
    const isLimitEnough = limit <= limitOfWholeRange && this.#isAnyOfWords
    const end = isLimitEnough ? this.#to : Math.min(this.#to, first + this.#rangeLength)
    if (this.#sql === null) {
      this.#next = Math.min(end, first + limit)
      return Array.from({ length: this.#next - first }, (_, index) => first + index)
    }
    const startedAt = performance.now()
    const bounds: [first: Rowid, last: Rowid, limit: bigint] = [BigInt(first), BigInt(end - 1), BigInt(limit)]
    const [json] = this.#file.get<[string]>(this.#sql, ...bounds, ...this.#expressions) ?? ['[]']
    const positions = JSON.parse(json) as number[]
    const isFull = positions.length >= limit
    this.#next = isFull ? (positions.at(-1) ?? end) + 1 : end
    this.#adaptRange(performance.now() - startedAt)
    return positions
  }

  /**
   * FTS5 goes on to its next match, however far that is, before it sees that the range has ended. So a search for words
   * that never meet takes the same time for a range of any length. If half the length has not saved time, the next
   * range is longer.
   */
  #adaptRange(tookMs: number): void {
    const isTimeFixed = this.#wasHalved && tookMs > this.#lastMs * 0.75
    this.#wasHalved = tookMs > rangeMsWanted && !isTimeFixed
    this.#lastMs = tookMs
    if (this.#wasHalved) this.#rangeLength = Math.max(rangeLengthMin, this.#rangeLength >> 1)
    else if (isTimeFixed) this.#rangeLength *= rangeGrowthMax
    else if (tookMs < rangeMsWanted / rangeGrowthMin)
      this.#rangeLength *= Math.min(rangeGrowthMax, Math.floor(rangeMsWanted / tookMs))
  }
}

interface ScanQuery {
  /** The parameters: the first and the last position, the limit, then the expressions. Selects a JSON array. */
  readonly sql: string
  readonly expressions: readonly string[]
}

/** Returns null if every record matches. */
function toQuery(included: Match, excluded: readonly Match[]): ScanQuery | null {
  const expressions: string[] = []
  /** The placeholder of an expression. The first three parameters are the range and the limit. */
  const bind = (expression: string): string => `?${expressions.push(expression) + 3}`
  const conditions: string[] = []
  const { search, prefix, unions } = included
  let table: 'search' | 'prefix' | 'expediente' = 'expediente'
  if (search !== null) table = 'search'
  else if (prefix !== null) table = 'prefix'
  else if (unions.length === 0) return null
  const own = table === 'search' ? search : prefix
  // An expression of the same index is excluded by FTS5 itself.
  const ownExcluded = own === null ? [] : excluded.flatMap((each) => onlyExpression(each, table) ?? [])
  if (own !== null) {
    const expression = [own, ...ownExcluded].map((each) => `(${each})`).join(' NOT ')
    conditions.push(`${table} MATCH ${bind(ownExcluded.length === 0 ? own : expression)}`)
  }
  if (table === 'search' && prefix !== null) conditions.push(`+rowid IN (${toSubquery('prefix', bind(prefix))})`)
  for (const union of unions) conditions.push(`+rowid IN (${toUnion(union, bind)})`)
  for (const each of excluded) {
    if (own !== null && onlyExpression(each, table) !== null) continue
    conditions.push(`+rowid NOT IN (${toPositions(each, bind)})`)
  }
  const rows = `SELECT rowid FROM ${table} WHERE ${conditions.join(' AND ')} AND rowid BETWEEN ?1 AND ?2 ORDER BY rowid LIMIT ?3`
  return { sql: `SELECT json_group_array(rowid) FROM (${rows})`, expressions }
}

/** The expression of a condition that asks this index alone; null if it asks another too. */
function onlyExpression({ search, prefix, unions }: Match, table: string): string | null {
  if (unions.length > 0) return null
  if (table === 'search') return prefix === null ? search : null
  return search === null ? prefix : null
}

function toSubquery(table: 'search' | 'prefix', placeholder: string): string {
  return `SELECT rowid FROM ${table} WHERE ${table} MATCH ${placeholder} AND rowid BETWEEN ?1 AND ?2`
}

function toUnion({ prefix, search }: Match['unions'][number], bind: (expression: string) => string): string {
  return `${toSubquery('prefix', bind(prefix))} UNION ALL ${toSubquery('search', bind(search))}`
}

/** Selects the positions in the range that match the condition. */
function toPositions({ search, prefix, unions }: Match, bind: (expression: string) => string): string {
  const parts = unions.map((union) => toUnion(union, bind))
  if (search !== null) parts.push(toSubquery('search', bind(search)))
  if (prefix !== null) parts.push(toSubquery('prefix', bind(prefix)))
  return parts.map((part) => `SELECT rowid FROM (${part})`).join(' INTERSECT ')
}
