// What can be asked of the registry, after the request has been parsed and before any engine sees it.
import type { Term } from '../analysis/term.ts'
import type { Cursor } from './cursor.ts'

/** The filters of the specification, section 4.1; all that are present must match. */
export interface Filters {
  /** Folded by `foldCode`. */
  readonly code?: string | undefined
  /** As asked; the snapshot knows which municipalities bear the name. */
  readonly municipality?: string | undefined
  readonly year?: number | undefined
  readonly term?: Term | undefined
}

export interface Query extends Filters {
  /** Without a limit the whole result is streamed. */
  readonly limit?: number | undefined
  readonly after?: Cursor | undefined
}
