// Deadline of a request, and the error that ends its search. The search checks the deadline at every time slice.

export interface Deadline {
  /** Whether the time limit has passed or the client has closed the connection. */
  readonly isExpired: boolean
  /**
   * The name of the client. It is here because a search gets only the query and the deadline of its request. Long
   * searches of different clients share the time equally; searches without a name count as those of one client.
   */
  readonly client?: string
}

/** Thrown by a search when its deadline has expired. */
export class SearchCancelled extends Error {
  override readonly name = 'SearchCancelled'
}
