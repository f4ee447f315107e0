// Reads the change log of a snapshot: which records became new, changed or gone. With filters, code-matcher.ts tells
// which of these records match.
import type { Change, ChangeKind } from '../domain/change.ts'
import type { Deadline } from '../domain/deadline.ts'
import { foldCode } from '../domain/inscription-code.ts'
import type { Filters } from '../domain/query.ts'
import { waitForTimeSlice } from '../index/scheduler.ts'
import { type MaybePromise, mapMaybe } from '../maybe-promise.ts'
import type { ChangeLogFacts } from './change-log.ts'
import type { CodeMatcher } from './code-matcher.ts'
import type { ChangedRecord, ChangeLog, ChangePage, ChangesOptions } from './contract.ts'
import { joinWithIncluded } from './include.ts'
import type { SnapshotStorage } from './storage.ts'

/** Changes that are read at once. Reading and matching them takes a few milliseconds. */
const blockChanges = 500

/** Changes that one call reads at most, whether they match or not, so that its time is bounded. */
const readChangesMax = 20_000

/** Makes a matcher for the filters; without filters all records match. */
type ToCodeMatcher = (filters: Filters | undefined, deadline?: Deadline) => Promise<CodeMatcher>

/** contract.ts explains the methods of a `ChangeLog`. */
export class ChangeReader implements ChangeLog {
  readonly facts: ChangeLogFacts
  readonly #storage: SnapshotStorage
  readonly #toMatcher: ToCodeMatcher

  constructor(storage: SnapshotStorage, toMatcher: ToCodeMatcher) {
    this.facts = storage.changeLog
    this.#storage = storage
    this.#toMatcher = toMatcher
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
      const matcher = filters === undefined ? undefined : await this.#toMatcher(filters, deadline)
      const readTo = Math.min(this.facts.last, number + readChangesMax)
      const changes: Change[] = []
      /** The number of the last change that was read. */
      let reached = number
      while (reached < readTo && changes.length < limit) {
        // A block is never longer than what fits in the page, so `reached` passes no change that was left out.
        const blockEnd = Math.min(readTo, reached + Math.min(blockChanges, limit - changes.length))
        const block = await this.#storage.readChanges(reached + 1, blockEnd)
        changes.push(...(matcher === undefined ? block : await applyFilters(block, matcher)))
        reached = blockEnd
        await waitForTimeSlice(deadline)
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
        return row === undefined ? [] : [{ change, wire: joinWithIncluded([row], ['cod_archivo', 'place']) }]
      })
    } finally {
      release()
    }
  }

  /** The last change of each matching record, newest first. `position` is that of the record. */
  async #findLatest(
    filters: Filters | undefined,
    limit: number,
    deadline: Deadline | undefined,
  ): Promise<{ readonly change: Change; readonly position: number }[]> {
    const matcher = await this.#toMatcher(filters, deadline)
    // Once all matching records are found, older changes need not be read.
    const countMax = Math.min(limit, matcher.matchesMax)
    const { last } = this.facts
    const readFrom = Math.max(1, last - readChangesMax + 1)
    const found = new Map<string, { readonly change: Change; readonly position: number }>()
    for (let blockEnd = last; blockEnd >= readFrom && found.size < countMax; blockEnd -= blockChanges) {
      const block = await this.#storage.readChanges(Math.max(readFrom, blockEnd - blockChanges + 1), blockEnd)
      const positions = await matcher.match(toFoldedCodes(block))
      for (const change of block.toReversed()) {
        const code = foldCode(change.code)
        const position = positions.get(code)
        if (position !== undefined && !found.has(code) && found.size < limit) found.set(code, { change, position })
      }
      await waitForTimeSlice(deadline)
    }
    return [...found.values()]
  }
}

/**
 * Keeps the changes of matching records. A changed record that does not match becomes `gone`: the log does not tell how
 * the record was before, so it may have matched. A new record that does not match is left out. A code that is gone
 * stays gone, even if the record is in service under the same code in another case.
 */
async function applyFilters(block: readonly Change[], matcher: CodeMatcher): Promise<Change[]> {
  const positions = await matcher.match(toFoldedCodes(block))
  return block.flatMap((change): Change[] => {
    if (positions.has(foldCode(change.code))) return [change]
    return change.kind === 'new' ? [] : [{ ...change, kind: 'gone' }]
  })
}

function toFoldedCodes(changes: readonly Change[]): string[] {
  return [...new Set(changes.map(({ code }) => foldCode(code)))]
}
