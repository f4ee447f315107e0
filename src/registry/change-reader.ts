// Reads the change log of a registry: which records became new, changed or gone, and which of them match the filters of
// a request. The log names records by their inscription codes.
import type { Change, ChangeKind } from '../domain/change.ts'
import type { Deadline } from '../domain/deadline.ts'
import { foldCode } from '../domain/inscription-code.ts'
import type { IncludeName } from '../domain/parameters.ts'
import type { Filters } from '../domain/query.ts'
import type { ChangedRecord, ChangeLog, ChangeLogFacts, ChangePage, ChangesOptions, ListedChange } from './contract.ts'
import { joinWithIncluded } from './include.ts'
import type { RegistryFile } from './registry-file.ts'
import { TimeSlice } from './time-slice.ts'

/** Changes that are read from the storage at once, at most. Reading and matching them takes a few milliseconds. */
const batchChanges = 500

/** The same for changes with their records, which take longer. */
const batchChangesWithRecords = 50

/** Changes that `readAfter` and `readLatest` read at most, whether they match or not, so that their time is bounded. */
const changesReadMax = 20_000

/** Properties that `readLatest` adds to each record. Its only caller, the feed (api/feed.ts), shows them. */
const feedProperties: readonly IncludeName[] = ['cod_archivo', 'place']

/** Returns those of the positions, which ascend, whose records match the filters. */
type FilterPositions = (
  filters: Filters,
  positions: readonly number[],
  deadline: Deadline | undefined,
) => Promise<ReadonlySet<number>>

/** A change, and the position of its record: the index of the record in the order of the snapshot, from 0. */
interface PlacedChange {
  readonly change: Change
  readonly position: number
}

/** contract.ts explains the methods of a `ChangeLog`. */
export class ChangeReader implements ChangeLog {
  readonly facts: ChangeLogFacts
  readonly #file: RegistryFile
  readonly #filterPositions: FilterPositions

  constructor(file: RegistryFile, filterPositions: FilterPositions) {
    this.facts = file.changeLog
    this.#file = file
    this.#filterPositions = filterPositions
  }

  find(number: number): Change | undefined {
    return this.#file.readChanges(number, number)[0]
  }

  countAfter(number: number): Partial<Record<ChangeKind, number>> {
    return this.#file.countChanges(number)
  }

  async readAfter(
    number: number,
    { filters, limit, include }: ChangesOptions,
    deadline?: Deadline,
  ): Promise<ChangePage> {
    const release = this.#file.retain()
    try {
      /** The number of the last change that this call may read. */
      const readTo = Math.min(this.facts.last, number + changesReadMax)
      const changes: ListedChange[] = []
      const batchMax = include === undefined ? batchChanges : batchChangesWithRecords
      /** The next call continues after the change with this number. */
      let reached = number
      const slice = new TimeSlice(deadline)
      let batchSize = Math.min(batchMax, limit)
      while (reached < readTo && changes.length < limit) {
        const remaining = limit - changes.length
        const batchEnd = Math.min(readTo, reached + batchSize)
        // With filters, the next batch is twice as long: if few changes match, many have to be read.
        batchSize = Math.min(batchMax, batchSize * 2)
        const batch = this.#file.readChanges(reached + 1, batchEnd)
        const matches =
          filters === undefined ? batch : applyFilters(batch, await this.#findMatches(batch, filters, deadline))
        const kept = matches.slice(0, remaining)
        changes.push(...(include === undefined ? kept : this.#addRecords(kept, include)))
        // If the limit leaves out matches of this batch, the next call continues after the last one that is kept.
        reached = matches.length > kept.length ? (kept.at(-1)?.number ?? reached) : batchEnd
        await slice.yield()
      }
      return { changes, reached }
    } finally {
      release()
    }
  }

  /** The changes, those that are not `gone` with their records. */
  #addRecords(changes: readonly Change[], include: readonly IncludeName[]): ListedChange[] {
    return changes.map((change) => {
      if (change.kind === 'gone') return change
      const position = this.#file.findRecord(foldCode(change.code))?.position
      const rows = position === undefined ? [] : this.#file.readRows([position])
      return { ...change, wire: rows.length === 0 ? null : joinWithIncluded(rows, include, this.#file) }
    })
  }

  async readLatest({ filters, limit }: ChangesOptions, deadline?: Deadline): Promise<ChangedRecord[]> {
    const release = this.#file.retain()
    try {
      const latest = await this.#findLatest(filters, limit, deadline)
      if (latest.length === 0) return []
      const rows = this.#file.readRows(latest.map(({ position }) => position))
      return rows.flatMap((row, index) => {
        const change = latest[index]?.change
        return change === undefined ? [] : [{ change, wire: joinWithIncluded([row], feedProperties, this.#file) }]
      })
    } finally {
      release()
    }
  }

  /**
   * The last change of each matching record, newest first, at most `limit`, among the last `changesReadMax` changes.
   * Reads the log backwards.
   */
  async #findLatest(
    filters: Filters | undefined,
    limit: number,
    deadline: Deadline | undefined,
  ): Promise<PlacedChange[]> {
    const { last } = this.facts
    /** The number of the first change that this call may read. */
    const readFrom = Math.max(1, last - changesReadMax + 1)
    /** By folded code (`foldCode`), so that a record whose code has changed only in case counts as one. */
    const found = new Map<string, PlacedChange>()
    const slice = new TimeSlice(deadline)
    for (let batchEnd = last; batchEnd >= readFrom && found.size < limit; batchEnd -= batchChanges) {
      const batchStart = Math.max(readFrom, batchEnd - batchChanges + 1)
      const batch = this.#file.readChanges(batchStart, batchEnd)
      const positions = await this.#findMatches(batch, filters, deadline)
      for (const change of batch.toReversed()) {
        const foldedCode = foldCode(change.code)
        const position = positions.get(foldedCode)
        const isWanted = position !== undefined && !found.has(foldedCode) && found.size < limit
        if (isWanted) found.set(foldedCode, { change, position })
      }
      await slice.yield()
    }
    return [...found.values()]
  }

  /** The positions of the records of these changes that are in service and match, by folded code. */
  async #findMatches(
    changes: readonly Change[],
    filters: Filters | undefined,
    deadline: Deadline | undefined,
  ): Promise<ReadonlyMap<string, number>> {
    const positions = new Map<string, number>()
    for (const { code } of changes) {
      const foldedCode = foldCode(code)
      const position = this.#file.findRecord(foldedCode)?.position
      if (position !== undefined) positions.set(foldedCode, position)
    }
    if (filters === undefined) return positions
    const ascending = [...new Set(positions.values())].sort((a, b) => a - b)
    const matching = await this.#filterPositions(filters, ascending, deadline)
    return new Map([...positions].filter(([, position]) => matching.has(position)))
  }
}

/**
 * Turns changes of the whole registry into the changes that a client with the filters needs:
 * - if the record matches now, the change stays as it is;
 * - if it does not match, or the registry no longer has it, a new record is left out, and a changed or gone one is
 *   `gone`. The log does not tell how a changed record was before, so it may have matched.
 *
 * A code that changes only in case, from `a-1` to `A-1`, is in the log as `a-1` gone and `A-1` new. Codes are matched
 * without regard to case, so if `A-1` matches, both changes stay as they are.
 */
function applyFilters(changes: readonly Change[], positions: ReadonlyMap<string, number>): Change[] {
  return changes.flatMap((change): Change[] => {
    if (positions.has(foldCode(change.code))) return [change]
    return change.kind === 'new' ? [] : [{ ...change, kind: 'gone' }]
  })
}
