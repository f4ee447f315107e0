// What becomes of rows whose code occurs in another row (`--duplicates`): with `refuse`, all except the first are
// rejected; with `first` or `last`, only that row is kept and the others are dropped; with `merge`, they become one
// record.
import { type RegistryRecord, toRegistryRecord } from '../domain/record.ts'
import { t, toQuantity } from '../language.ts'
import { rejectRow } from './rejects.ts'
import type { ImportReport } from './report.ts'
import type { NormalisedRow } from './rows/normalise.ts'
import { toPosition } from './rows/row-fault.ts'
import { recordCharactersMax, type Source } from './sources/source.ts'
import type { DuplicateRow, StagedRow, Staging } from './staging.ts'

export const duplicateRules = ['refuse', 'first', 'last', 'merge'] as const
export type DuplicateRule = (typeof duplicateRules)[number]

/** The limit that normalise.ts sets for the area of a single row. A merged area is cut at this length. */
const areaCharactersMax = 10_000

/** Leaves one row of each code in `staging`, and adds what became of the others to `report`. */
export function resolveDuplicates(
  rule: DuplicateRule,
  staging: Staging,
  sources: readonly Source[],
  report: ImportReport,
): void {
  if (rule === 'refuse') {
    let rejectedRows = 0
    staging.removeDuplicates('first', (duplicate) => {
      rejectedRows += 1
      rejectDuplicate(duplicate, staging, sources, report)
    })
    if (rejectedRows > 0) report.warn(describeDuplicateRows(rejectedRows))
    return
  }
  let removedRows = 0
  let addressesLost = 0
  // `keptArrival` is the key of the kept row in `staging`.
  staging.removeDuplicates(rule === 'last' ? 'last' : 'first', ({ row, keptArrival }) => {
    removedRows += 1
    if (rule !== 'merge') return
    const merged = mergeRows(staging.rowAt(keptArrival), row)
    addressesLost += merged.addressesLost
    staging.replace(keptArrival, merged.row)
  })
  report.setDuplicates(rule, removedRows)
  if (addressesLost > 0) {
    report.warn(t`a record has room for two addresses: ${addressesLost} more of merged rows are not kept`)
  }
}

/** Says how many rows have the code of another row, and what `--duplicates` can do with them. */
export function describeDuplicateRows(rows: number): string {
  return t`${toQuantity(rows, 'row')} with the code of another row; --duplicates merge joins the rows of a code, first or last keeps one of them`
}

function rejectDuplicate(
  duplicate: DuplicateRow,
  staging: Staging,
  sources: readonly Source[],
  report: ImportReport,
): void {
  const { sourceIndex, line, row, cells, kept } = duplicate
  const layout = sources[sourceIndex]?.layout
  const keptSource = sources[kept.sourceIndex]
  const keptPosition = toPosition(kept.line, keptSource?.layout.countsRecords === true)
  const problem = {
    // Without a column `code`, the code is made of `prefix` and `registration_number`.
    column: layout?.hasColumn('code') === false ? 'prefix' : 'code',
    value: row.record.code,
    first: kept.sourceIndex === sourceIndex ? keptPosition : t`${keptPosition} of ${keptSource?.name ?? ''}`,
  } as const
  // If the source counts records, `line` is the number of a record.
  const fault = { line, isRecordNumber: layout?.countsRecords === true, problems: [problem] } as const
  rejectRow(staging, report, sourceIndex, fault, cells)
}

/**
 * Returns the first row with the areas, addresses, texts and documents of the other added, and with the inscription
 * date of the other if the first has none. The title of the other row becomes part of the searchable text. The first
 * two addresses become `links` and `agreementLink`, whichever they were before; `addressesLost` counts further ones.
 */
function mergeRows(
  first: StagedRow,
  other: StagedRow,
): { readonly row: NormalisedRow; readonly addressesLost: number } {
  const record = toRegistryRecord(first.record)
  const otherRecord = toRegistryRecord(other.record)
  const [links = '', agreementLink = null, ...lost] = new Set(
    [...addressesOf(record), ...addressesOf(otherRecord)].filter((address) => address !== ''),
  )
  const otherTitle = otherRecord.title === record.title ? '' : otherRecord.title
  // An area may be the result of an earlier merge. It is split again, so that the new one has each part once.
  return {
    row: {
      record: {
        ...record,
        area: joinDistinct([...record.area.split('; '), ...otherRecord.area.split('; ')], '; ', areaCharactersMax),
        inscriptionDate: record.inscriptionDate ?? otherRecord.inscriptionDate,
        links,
        agreementLink,
      },
      content: joinDistinct([first.content, otherTitle, other.content], '\n', recordCharactersMax),
      documents: [...new Set([...first.documents, ...other.documents])],
    },
    addressesLost: lost.length,
  }
}

/** An empty text stands for an address that the record does not have. */
function addressesOf({ links, agreementLink }: RegistryRecord): string[] {
  return [links, agreementLink ?? '']
}

/**
 * Joins the texts that are not empty, each once, and cuts the result at `charactersMax`. If that halves a surrogate
 * pair, U+FFFD replaces the half.
 */
function joinDistinct(parts: readonly string[], separator: string, charactersMax: number): string {
  return [...new Set(parts.filter((part) => part !== ''))].join(separator).slice(0, charactersMax).toWellFormed()
}
