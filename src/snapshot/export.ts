// Reads all matches of a search, batch by batch, for a response that is streamed. After the first batch has been sent,
// batches are read ahead of the client, and a batch that fails is read again (retry.ts).
import type { IncludeName } from '../domain/query.ts'
import { Collector } from '../index/collector.ts'
import { AllRecords } from '../index/iterators.ts'
import { waitForTimeSlice } from '../index/scheduler.ts'
import type { SearchContext } from '../index/search-context.ts'
import type { Batch } from './contract.ts'
import { joinWithIncluded } from './include.ts'
import { RetryingSource } from './retry.ts'
import type { SnapshotStorage } from './storage.ts'
import { lastTier, type PlannedSearch, toIterator } from './tiers.ts'

/** Records in the first batch: few, so that the first byte leaves early. */
const firstBatchRecords = 64

/** Records in the other batches. Consecutive records are read faster than scattered ones. */
const scatteredBatchRecords = 128
export const consecutiveBatchRecords = 512

interface ExportOptions {
  /** The included properties; undefined for the plain wire format. */
  readonly include: readonly IncludeName[] | undefined
  readonly context: SearchContext
}

/** Yields the matches at positions before `to`. The first batch is yielded before the next one is read. */
export async function* readBatches(
  search: PlannedSearch,
  to: number,
  storage: SnapshotStorage,
  { include, context }: ExportOptions,
): AsyncGenerator<Batch, void, undefined> {
  const source = new RetryingSource(storage)
  /** The batches that are being read, in order. */
  const reading: Promise<Batch>[] = []
  /** How many further batches may be in reading while the oldest is awaited. */
  let readAhead = 0
  for await (const positions of findBatches(search, context, to, source)) {
    const batch = readBatch(positions, storage, source, include)
    // A failure is thrown where the batch is awaited. If it never is, the failure does not matter.
    batch.catch(() => undefined)
    reading.push(batch)
    if (reading.length <= readAhead) continue
    const oldest = await reading.shift()
    if (oldest !== undefined) yield oldest
    source.mayRetry = true
    readAhead = storage.readAheadBatches
  }
  for (const batch of reading) yield await batch
}

/** Yields the positions of the matches, a batch at a time. */
async function* findBatches(
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
      // The tier is exhausted. The next one fills the batch.
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

/** Reads the records at the positions, with the included properties if there are any. */
async function readBatch(
  positions: readonly number[],
  storage: SnapshotStorage,
  source: RetryingSource,
  include: ExportOptions['include'],
): Promise<Batch> {
  const records = positions.length
  if (include === undefined) return { bytes: await source.read(() => storage.readRecords(positions)), records }
  const rows = await source.read(() => storage.readRows(positions))
  return { bytes: Buffer.from(joinWithIncluded(rows, include)), records }
}
