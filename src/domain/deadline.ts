// How long a question is worth an answer. Whoever asks knows; whoever searches asks.

/** Whom a search is for: asked at every turn whether it is still worth going on. */
export interface Deadline {
  readonly isExpired: boolean
}

/** Nobody waits for the search any more, or has waited for too long. */
export class SearchCancelled extends Error {
  override readonly name = 'SearchCancelled'
}
