// What every format gives: rows of cells under headings, a batch at a time, each with the line it came from. The
// sources know nothing of what a column means; normalise.ts does.
import type { Layout } from '../rows/columns.ts'

export interface Source {
  /** As the user named it, without passwords. */
  readonly name: string
  readonly layout: Layout
  /** Rows in the order of the source, blank ones left out. Throws a `SourceFault` when it cannot be read to the end. */
  rows(): AsyncGenerator<readonly Row[], void, undefined>
  /** How much of the source has been read, from 0 to 1; null where nobody can know. */
  shareRead(): number | null
  close(): Promise<void>
}

export interface Row {
  /** Line, sheet row or record of the source, counted from 1. */
  readonly line: number
  /** By index of `Layout.headings`. */
  readonly cells: readonly (string | undefined)[]
  /** Set where the row cannot be told into cells for certain: it is refused whole. */
  readonly broken?: { readonly expected: string; readonly value: string }
}

/** Rows are handed over in batches: a turn of the event loop for each would cost more than reading it. */
export const batchRows = 1000

/**
 * About 4,000 pages. A longer row is a quote that was never closed, or an attack: a text of nothing but different words
 * takes a hundred times its size to index.
 */
export const recordCharactersMax: number = 8 * 1024 * 1024
