// State that all iterators of one search share: the chunks that they need (posting blocks and position chunks) and the
// work left in the current time slice. collector.ts fetches the chunks and starts the next slice. record-reader.ts uses
// only the requests for chunks, and fetches them itself.
import type { Deadline } from '../domain/deadline.ts'
import type { ChunkRequest } from './posting-list.ts'

/** Steps in a time slice: about a quarter of a millisecond. */
export const sliceSteps = 10_000

/** How many bytes of a chunk are read, and their checksum verified, in the time of one step. */
const bytesPerStep = 32

export class SearchContext {
  /** The chunks to fetch before the search can continue. Iterators add requests; their caller takes and reads them. */
  readonly chunkRequests: ChunkRequest[] = []
  readonly deadline: Deadline | undefined
  /**
   * Steps left in the current time slice; a step is about one `seek`. The collector refills it for each further slice.
   * If none are left, `seek` of an intersection, a difference or a phrase returns `pending`. The other iterators
   * do not check.
   */
  stepsLeft: number = sliceSteps

  constructor(deadline?: Deadline) {
    this.deadline = deadline
  }

  /** Counts the steps that it took to read a chunk. */
  countRead({ length }: Uint8Array): void {
    this.stepsLeft -= Math.floor(length / bytesPerStep)
  }
}
