// Normalises a row for a test. The row is always line 214 of records.csv.
import assert from 'node:assert/strict'
import type { Column } from '../../../src/import/rows/columns.ts'
import { Layout } from '../../../src/import/rows/layout.ts'
import {
  isRowFault,
  type NormalisedRow,
  newRepairCounts,
  normaliseRow,
  type RepairCounts,
} from '../../../src/import/rows/normalise.ts'
import { toMessage } from '../../../src/import/rows/row-fault.ts'

/** The cells that every row needs, with values that are accepted. */
export const required = {
  code: '03082-1101',
  id: '214',
  title: 'Plan',
  municipality: 'Jávea',
  checkin_date: '1999-02-28',
}

/** Cells by column. */
export type Cells = Partial<Record<Column, string>>

/** Normalises a row of exactly these cells. Returns it, or the message of its fault. */
export function normalise(cells: Cells, counts: RepairCounts = newRepairCounts()): NormalisedRow | string {
  const layout = new Layout('records.csv', { mapping: new Map() })
  for (const heading of Object.keys(cells)) layout.append(heading)
  const outcome = normaliseRow({ line: 214, cells: Object.values(cells) }, layout, counts)
  return isRowFault(outcome) ? toMessage(outcome) : outcome
}

/** The record of a row with `cells` added to `required`, or in place of its cells; fails if the row is rejected. */
export function recordOf(cells: Cells): NormalisedRow['record'] {
  const outcome = normalise({ ...required, ...cells })
  if (typeof outcome === 'string') assert.fail(outcome)
  return outcome.record
}

/** The message for a row with `cells` added to `required`, or in place of its cells; fails if the row is accepted. */
export function faultOf(cells: Cells): string {
  const outcome = normalise({ ...required, ...cells })
  return typeof outcome === 'string' ? outcome : assert.fail('the row is accepted')
}
