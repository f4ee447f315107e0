// State that all iterators of one search share: the chunks they need and the work left in the current time slice.
import type { Deadline } from '../domain/deadline.ts'
import type { ChunkRequest } from './posting-list.ts'

export class SearchContext {
  /** Chunks to fetch before the search can continue. */
  readonly chunkRequests: ChunkRequest[] = []
  readonly deadline: Deadline | undefined
  /** Steps left in the current time slice. */
  stepsLeft = 0

  constructor(deadline?: Deadline) {
    this.deadline = deadline
  }
}
