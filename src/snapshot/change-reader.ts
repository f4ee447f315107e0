// Reads the change log of a snapshot: which records became new, changed or gone. With filters, code-matcher.ts tells
// which of these records match.
import type { Change, ChangeKind } from '../domain/change.ts'
import type { Deadline } from '../domain/deadline.ts'
import { foldCode } from '../domain/inscription-code.ts'
import type { Filters, IncludeName } from '../domain/query.ts'
import { TimeSlice } from '../index/time-slice.ts'
import { type MaybePromise, mapMaybe } from '../maybe-promise.ts'
import type { ChangeLogFacts } from './change-log.ts'
import type { CodeMatcher } from './code-matcher.ts'
import type { ChangedRecord, ChangeLog, ChangePage, ChangesOptions } from './contract.ts'
import { joinWithIncluded } from './include.ts'
import type { SnapshotStorage } from './storage.ts'

/** Changes that are read from the storage at once, at most. Reading and matching them takes a few milliseconds. */
const batchChanges = 500

/** Changes that `readAfter` and `readLatest` read at most, whether they match or not, so that their time is bounded. */
const changesReadMax = 20_000

/** Properties that `readLatest` adds to each record. Its only caller, the feed (api/feed.ts), shows them. */
const feedProperties: readonly IncludeName[] = ['cod_archivo', 'place']

/** Creates a matcher for the filters; without filters all records match. */
type CreateMatcher = (filters: Filters | undefined, deadline?: Deadline) => Promise<CodeMatcher>

/** A change, and the position of its record: the index of the record in the order of the snapshot, from 0. */
interface PlacedChange {
  readonly change: Change
  readonly position: number
}

/** contract.ts explains the methods of a `ChangeLog`. */
export class ChangeReader implements ChangeLog {
  readonly facts: ChangeLogFacts
  readonly #storage: SnapshotStorage
  readonly #createMatcher: CreateMatcher

  constructor(storage: SnapshotStorage, createMatcher: CreateMatcher) {
    this.facts = storage.changeLog
    this.#storage = storage
    this.#createMatcher = createMatcher
  }

  find(number: number): MaybePromise<Change | undefined> {
    return mapMaybe(this.#storage.readChanges(number, number), ([change]) => change)
  }

  countAfter(number: number): MaybePromise<Partial<Record<ChangeKind, number>>> {
    return mapMaybe(this.#storage.countChanges(number), (counts) => Object.fromEntries(counts))
  }

  async readAfter(number: number, { filters, limit }: ChangesOptions, deadline?: Deadline): Promise<ChangePage> {
    const release = this.#storage.retain()
    try {
      const matcher = filters === undefined ? undefined : await this.#createMatcher(filters, deadline)
      /** The number of the last change that this call may read. */
      const readTo = Math.min(this.facts.last, number + changesReadMax)
      const changes: Change[] = []
      /** The next call continues after the change with this number. */
      let reached = number
      const slice = new TimeSlice(deadline)
      let batchSize = Math.min(batchChanges, limit)
      while (reached < readTo && changes.length < limit) {
        const remaining = limit - changes.length
        const batchEnd = Math.min(readTo, reached + batchSize)
        // With filters, the next batch is twice as long: if few changes match, many have to be read.
        batchSize = Math.min(batchChanges, batchSize * 2)
        const batch = await this.#storage.readChanges(reached + 1, batchEnd)
        const matches = matcher === undefined ? batch : await applyFilters(batch, matcher)
        const kept = matches.slice(0, remaining)
        changes.push(...kept)
        // If the limit leaves out matches of this batch, the next call continues after the last one that is kept.
        reached = matches.length > kept.length ? (kept.at(-1)?.number ?? reached) : batchEnd
        await slice.yield()
      }
      return { changes, reached }
    } finally {
      release()
    }
  }

  async readLatest({ filters, limit }: ChangesOptions, deadline?: Deadline): Promise<ChangedRecord[]> {
    const release = this.#storage.retain()
    try {
      const latest = await this.#findLatest(filters, limit, deadline)
      if (latest.length === 0) return []
      const rows = await this.#storage.readRows(latest.map(({ position }) => position))
      return latest.flatMap(({ change }, index) => {
        // `readRows` returns a row for each position, in the same order.
        const row = rows[index]
        return row === undefined ? [] : [{ change, wire: joinWithIncluded([row], feedProperties) }]
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
    const matcher = await this.#createMatcher(filters, deadline)
    // Once all matching records are found, older changes need not be read.
    const wantedRecords = Math.min(limit, matcher.matchesMax)
    const { last } = this.facts
    /** The number of the first change that this call may read. */
    const readFrom = Math.max(1, last - changesReadMax + 1)
    /** By folded code (`foldCode`), so that a record whose code has changed only in case counts as one. */
    const found = new Map<string, PlacedChange>()
    const slice = new TimeSlice(deadline)
    for (let batchEnd = last; batchEnd >= readFrom && found.size < wantedRecords; batchEnd -= batchChanges) {
      const batchStart = Math.max(readFrom, batchEnd - batchChanges + 1)
      const batch = await this.#storage.readChanges(batchStart, batchEnd)
      const positions = await matcher.match(toFoldedCodes(batch))
      for (const change of batch.toReversed()) {
        const foldedCode = foldCode(change.code)
        const position = positions.get(foldedCode)
        const isWanted = position !== undefined && !found.has(foldedCode) && found.size < wantedRecords
        if (isWanted) found.set(foldedCode, { change, position })
      }
      await slice.yield()
    }
    return [...found.values()]
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
async function applyFilters(changes: readonly Change[], matcher: CodeMatcher): Promise<Change[]> {
  const positions = await matcher.match(toFoldedCodes(changes))
  return changes.flatMap((change): Change[] => {
    if (positions.has(foldCode(change.code))) return [change]
    return change.kind === 'new' ? [] : [{ ...change, kind: 'gone' }]
  })
}

/** The folded codes of the changes, each once. */
function toFoldedCodes(changes: readonly Change[]): string[] {
  return [...new Set(changes.map(({ code }) => foldCode(code)))]
}
