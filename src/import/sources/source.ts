// The interface of a source in any format: batches of rows under headings. Sources do not interpret cells;
// rows/normalise.ts does.
import type { Layout } from '../rows/layout.ts'
import { type Row, recordCharactersMax } from '../rows/row.ts'

export interface Source {
  /** For messages: a path, an address without its password, `standard input`, or `export.zip/records.csv`. */
  readonly name: string
  readonly layout: Layout
  /**
   * Rows in the order of the source, without blank lines and blank rows of a sheet. Throws `SourceFault` if the source
   * cannot be read, or `UsageFault` if a database cannot be reached or refuses the query.
   */
  rows(): AsyncGenerator<readonly Row[], void, undefined>
  /** Returns the format, for `--inspect`: `CSV, Windows-1252, separator ;`. Call it after the first rows are read. */
  describe(): string
  /** Returns the share that has been read, from 0 to 1; null if the total is unknown. */
  shareRead(): number | null
  close(): Promise<void>
}

/** Rows in a batch, roughly. Awaiting each row on its own would cost more than reading it. */
export const batchRows = 1000

/** A batch ends even before it has `batchRows` rows, if its rows have this many characters together. */
export const batchCharactersMax: number = recordCharactersMax
