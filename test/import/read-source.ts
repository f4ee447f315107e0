// Reads a source completely, as an import does, and returns its rows.
import type { TestContext } from 'node:test'
import type { Layout } from '../../src/import/rows/layout.ts'
import type { Mapping } from '../../src/import/rows/mapping.ts'
import { isRowFault, type NormalisedRow, newRepairCounts, normaliseRow } from '../../src/import/rows/normalise.ts'
import type { Row } from '../../src/import/rows/row.ts'
import type { RowFault } from '../../src/import/rows/row-fault.ts'
import { openSource, type SourceOptions } from '../../src/import/sources/open.ts'
import { makeFolder } from './folder.ts'

/** What was read from a source. */
export interface SourceContent {
  /** Which column each heading means. */
  readonly layout: Layout
  readonly rows: readonly Row[]
  /** The number of rows of each batch. */
  readonly batches: readonly number[]
  /** The cells of each row by their heading. */
  readonly cells: readonly Readonly<Record<string, string>>[]
  /** For each row, the record or the reason why it is rejected. */
  readonly outcomes: readonly (NormalisedRow | RowFault)[]
}

/** `name` is a source as on the command line: a path, `-` for standard input, or an address of PostgreSQL. */
export async function readSource(name: string, options: Partial<SourceOptions> = {}): Promise<SourceContent> {
  const mapping: Mapping = new Map()
  const source = await openSource(name, { mapping, standardInput: emptyInput(), ...options })
  const rows: Row[] = []
  const batches: number[] = []
  try {
    for await (const batch of source.rows()) {
      rows.push(...batch)
      batches.push(batch.length)
    }
    const { headings } = source.layout
    return {
      layout: source.layout,
      rows,
      batches,
      cells: rows.map((row) => Object.fromEntries(headings.map((heading, index) => [heading, row.cells[index] ?? '']))),
      outcomes: rows.map((row) => normaliseRow(row, source.layout, newRepairCounts())),
    }
  } finally {
    await source.close()
  }
}

/** Writes the content to a file of this name and reads it. */
export async function readContent(t: TestContext, name: string, content: string | Uint8Array): Promise<SourceContent> {
  const folder = await makeFolder(t)
  return await readSource(await folder.write(name, content))
}

/** The faults of the rejected rows. */
export function faultsOf({ outcomes }: SourceContent): RowFault[] {
  return outcomes.filter(isRowFault)
}

/** Standard input without content. */
export async function* emptyInput(): AsyncGenerator<Uint8Array, void, undefined> {}
