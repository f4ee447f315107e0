// State that all iterators of one search share: the chunks that they need (posting blocks and position chunks) and the
// work left in the current time slice. collector.ts fetches the chunks and starts the next slice.
import type { Deadline } from '../domain/deadline.ts'
import type { ChunkRequest } from './posting-list.ts'

export class SearchContext {
  /** The chunks to fetch before the search can continue. Iterators add requests; the collector removes them. */
  readonly chunkRequests: ChunkRequest[] = []
  readonly deadline: Deadline | undefined
  /** Steps left in the current time slice. A step is about one `seek`; without steps, `seek` returns `pending`. */
  stepsLeft = 0

  constructor(deadline?: Deadline) {
    this.deadline = deadline
  }
}
