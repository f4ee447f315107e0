// Reads all matches of a search, batch by batch, for a response that is streamed.
import type { IncludeName } from '../domain/query.ts'
import { Collector } from '../index/collector.ts'
import { AllRecords } from '../index/iterators.ts'
import type { SearchContext } from '../index/search-context.ts'
import { TimeSlice } from '../index/time-slice.ts'
import type { Batch } from './contract.ts'
import { joinWithIncluded } from './include.ts'
import type { SnapshotStorage } from './storage.ts'
import { lastTier, type PlannedSearch, toIterator, toStart } from './tiers.ts'

/** Records in the first batch: few, so that the first byte leaves early. */
const firstBatchRecords = 64

/** Records in a later batch of scattered matches, as of a search with a term or with filters besides dates and code. */
const scatteredBatchRecords = 128

/** Records in a later batch of matches that are consecutive records, which are read faster than scattered ones. */
export const consecutiveBatchRecords = 512

interface ExportOptions {
  /** The properties to add to each record (include.ts); undefined for the plain wire format. */
  readonly include: readonly IncludeName[] | undefined
  readonly context: SearchContext
}

/**
 * Yields the records of the matches before `endPosition`, where the dates that the request allows end. (`search` has
 * the start.) The first batch is yielded before the second one is read; from then on, up to `storage.readAheadBatches`
 * further batches are read at the same time.
 */
export async function* readBatches(
  search: PlannedSearch,
  endPosition: number,
  storage: SnapshotStorage,
  { include, context }: ExportOptions,
): AsyncGenerator<Batch, void, undefined> {
  const batches = findBatches(search, context, endPosition, storage)
  const first = await batches.next()
  if (first.done) return
  yield await readBatch(first.value, storage, include)
  /** Queue of the batches that are being read and have not been yielded yet. */
  const reading: Promise<Batch>[] = []
  for await (const positions of batches) {
    const batch = readBatch(positions, storage, include)
    // A failure is thrown where the batch is awaited. If it never is, because the client has left, the failure does not
    // matter; without this line it would be an unhandled rejection.
    batch.catch(() => undefined)
    reading.push(batch)
    const oldest = reading.length > storage.readAheadBatches ? reading.shift() : undefined
    if (oldest !== undefined) yield await oldest
  }
  for (const batch of reading) yield await batch
}

/**
 * Yields the positions of the matches, a batch at a time. A result consists of tiers, such as the matches in titles
 * (tiers.ts). A batch may have the end of one tier and the start of the next.
 */
async function* findBatches(
  search: PlannedSearch,
  context: SearchContext,
  endPosition: number,
  source: SnapshotStorage,
): AsyncGenerator<readonly number[], void, undefined> {
  let batchRecords = firstBatchRecords
  let positions: number[] = []
  const slice = new TimeSlice(context.deadline)
  for (let tier = search.firstTier; tier <= lastTier; tier++) {
    const iterator = toIterator(search.plan, tier)
    if (iterator === null) continue
    // A search without a term, and with no filters but dates and code, has the iterator `AllRecords`.
    const laterBatchRecords = iterator instanceof AllRecords ? consecutiveBatchRecords : scatteredBatchRecords
    const collector = new Collector(iterator, context, source, toStart(search, tier), endPosition)
    for (;;) {
      await collector.collect(positions, batchRecords)
      // If the batch is not full, the tier has no more matches. The next tier fills the batch.
      if (positions.length < batchRecords) break
      yield positions
      // Reading a batch takes about a millisecond, the length of a time slice. Then other requests have their turn.
      await slice.yield()
      positions = []
      batchRecords = laterBatchRecords
    }
  }
  if (positions.length > 0) yield positions
}

/** Reads the records at the positions, with the properties that `include` names, if there are any. */
async function readBatch(
  positions: readonly number[],
  storage: SnapshotStorage,
  include: ExportOptions['include'],
): Promise<Batch> {
  const records = positions.length
  if (include === undefined) return { bytes: await storage.readRecords(positions), records }
  const rows = await storage.readRows(positions)
  return { bytes: Buffer.from(joinWithIncluded(rows, include)), records }
}
