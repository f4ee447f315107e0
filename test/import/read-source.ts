// Reads a source to its end, the way the import does, for tests to look at.
import type { Mapping } from '../../src/import/rows/columns.ts'
import { isRowFault, type NormalisedRow, normaliseRow, startTally } from '../../src/import/rows/normalise.ts'
import type { RowFault } from '../../src/import/rows/row-fault.ts'
import { openSource, type SourceOptions } from '../../src/import/sources/open.ts'
import type { Row } from '../../src/import/sources/source.ts'

export interface ReadSource {
  readonly rows: readonly Row[]
  /** Each row as heading → cell. */
  readonly cells: readonly Readonly<Record<string, string>>[]
  readonly outcomes: readonly (NormalisedRow | RowFault)[]
  readonly notRead: readonly string[]
}

export async function readSource(name: string, options: Partial<SourceOptions> = {}): Promise<ReadSource> {
  const mapping: Mapping = new Map()
  const source = await openSource(name, { mapping, standardInput: nothing(), ...options })
  const rows: Row[] = []
  try {
    for await (const batch of source.rows()) rows.push(...batch)
    const { headings } = source.layout
    return {
      rows,
      cells: rows.map((row) => Object.fromEntries(headings.map((heading, index) => [heading, row.cells[index] ?? '']))),
      outcomes: rows.map((row) => normaliseRow(row, source.layout, startTally())),
      notRead: source.layout.unused(),
    }
  } finally {
    await source.close()
  }
}

export function faultsOf({ outcomes }: ReadSource): RowFault[] {
  return outcomes.filter(isRowFault)
}

async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {}
