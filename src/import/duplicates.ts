// Decides what becomes of rows with the same code (`--duplicates`): `refuse` keeps the first row and rejects the
// others, `first` or `last` keeps that row and drops the others, and `merge` makes one record of all of them.
import { toRegistryRecord } from '../domain/record.ts'
import { t, toQuantity } from '../language.ts'
import { rejectRow } from './rejects.ts'
import type { ImportReport } from './report.ts'
import type { NormalisedRow } from './rows/normalise.ts'
import { toPosition } from './rows/row-fault.ts'
import { recordCharactersMax, type Source } from './sources/source.ts'
import type { DuplicateRow, StagedRow, Staging } from './staging.ts'

export const duplicateRules = ['refuse', 'first', 'last', 'merge'] as const
export type DuplicateRule = (typeof duplicateRules)[number]

/** A merged area is cut at the length that rows/normalise.ts allows for the area of a single row. */
const areaCharactersMax = 10_000

/**
 * Leaves one row of each code in `staging`, the temporary database of the import, and adds what became of the others to
 * `report`.
 */
export function resolveDuplicates(
  rule: DuplicateRule,
  staging: Staging,
  sources: readonly Source[],
  report: ImportReport,
): void {
  if (rule === 'refuse') {
    let rejectedRows = 0
    let rowsWithOtherTitle = 0
    // The first row of each code stays; the function gets each of the others.
    staging.removeDuplicates('first', (duplicate) => {
      rejectedRows += 1
      if (duplicate.row.record.title !== duplicate.kept.title) rowsWithOtherTitle += 1
      rejectDuplicate(duplicate, staging, sources, report)
    })
    if (rejectedRows > 0) report.warn(describeDuplicateRows(rejectedRows, rowsWithOtherTitle))
    return
  }
  const rowsBefore = staging.stagedCount
  if (rule === 'merge') mergeAll(staging, report)
  else staging.removeDuplicates(rule, () => {})
  report.setDuplicates(rule, rowsBefore - staging.stagedCount)
}

/** Merges the rows of each code. Adds warnings if a record cannot hold all that its rows have. */
function mergeAll(staging: Staging, report: ImportReport): void {
  let addressesLost = 0
  let recordsCut = 0
  staging.mergeDuplicates((first, others) => {
    const merged = mergeRows(first, others)
    addressesLost += merged.addressesLost
    if (merged.isCut) recordsCut += 1
    return merged.row
  })
  if (addressesLost > 0) {
    report.warn(
      t`a record has one address in links and one in agreement_link: ${addressesLost} more of merged rows are not kept`,
    )
  }
  if (recordsCut > 0) {
    report.warn(
      t`merged rows of ${toQuantity(recordsCut, 'record')} are too long: text after ${recordCharactersMax} characters, or area after ${areaCharactersMax}, is not kept`,
    )
  }
}

/**
 * Says how many rows have the code of another row, and what to do. Rows with different titles are probably different
 * records, one with a mistyped code. `--duplicates` would lose a record, so the advice is then to correct the code.
 */
export function describeDuplicateRows(rows: number, rowsWithOtherTitle: number): string {
  if (rowsWithOtherTitle === 0)
    return t`${toQuantity(rows, 'row')} with the code of another row; --duplicates merge joins the rows of a code, first or last keeps one of them`
  if (rowsWithOtherTitle === rows)
    return t`${toQuantity(rows, 'row')} with the code of another row, but another title; correct one of the two codes`
  return t`${toQuantity(rows, 'row')} with the code of another row, ${rowsWithOtherTitle} of them with another title: correct one of the two codes there`
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
  // If messages about the source say `record 812` instead of `line 812`, `line` is the number of a record.
  const fault = { line, isRecordNumber: layout?.countsRecords === true, problems: [problem] } as const
  rejectRow(staging, report, sourceIndex, fault, cells)
}

interface MergedRow {
  readonly row: NormalisedRow
  /** Number of addresses that are left out, because a record has one in `links` and one in `agreementLink`. */
  readonly addressesLost: number
  /** Whether the end of the text or of the area is left out. */
  readonly isCut: boolean
}

/**
 * Returns the first row with the areas, addresses, texts and documents of all rows, and with the inscription date of
 * the first row that has one. Titles other than that of the first row become part of the searchable text. Only the
 * first address of `links` and the first of `agreementLink` are kept: a second document is not the agreement of the
 * record.
 */
function mergeRows(first: StagedRow, others: Iterable<StagedRow>): MergedRow {
  // A staged record has most of its fields only in its JSON text (`StoredRecord`), so it is converted back.
  const firstRecord = toRegistryRecord(first.record)
  let inscriptionDate: string | null = null
  const areas = new DistinctTexts('; ', areaCharactersMax)
  const texts = new DistinctTexts('\n', recordCharactersMax)
  const links = new Set<string>()
  const agreementLinks = new Set<string>()
  const documents = new Set<string>()
  const add = (row: StagedRow): void => {
    const record = toRegistryRecord(row.record)
    inscriptionDate ??= record.inscriptionDate
    // A row may have several areas.
    for (const area of record.area.split('; ')) areas.add(area)
    if (record.title !== firstRecord.title) texts.add(record.title)
    texts.add(row.content)
    if (record.links !== '') links.add(record.links)
    if (record.agreementLink !== null) agreementLinks.add(record.agreementLink)
    for (const name of row.documents) documents.add(name)
  }
  add(first)
  for (const row of others) add(row)
  const [link = ''] = links
  const [agreementLink = null] = agreementLinks
  const kept = new Set([link, agreementLink])
  return {
    row: {
      record: { ...firstRecord, area: areas.join(), inscriptionDate, links: link, agreementLink },
      content: texts.join(),
      documents: [...documents],
    },
    addressesLost: links.union(agreementLinks).difference(kept).size,
    isCut: areas.isCut || texts.isCut,
  }
}

/** Collects texts, each once. Joined, they have at most `charactersMax` characters; the rest is left out. */
class DistinctTexts {
  /** Whether a text was left out, or its end. */
  isCut = false
  readonly #texts = new Set<string>()
  readonly #separator: string
  readonly #charactersMax: number
  /** Length of the joined texts so far. */
  #joinedCharacters = 0

  constructor(separator: string, charactersMax: number) {
    this.#separator = separator
    this.#charactersMax = charactersMax
  }

  add(text: string): void {
    if (text === '' || this.#texts.has(text)) return
    const separatorCharacters = this.#texts.size === 0 ? 0 : this.#separator.length
    const charactersLeft = this.#charactersMax - this.#joinedCharacters - separatorCharacters
    // If the cut halves a surrogate pair, U+FFFD replaces the half.
    const fitting = text.slice(0, Math.max(0, charactersLeft)).toWellFormed()
    if (fitting.length < text.length) this.isCut = true
    if (fitting === '') return
    this.#texts.add(fitting)
    this.#joinedCharacters += separatorCharacters + fitting.length
  }

  join(): string {
    return [...this.#texts].join(this.#separator)
  }
}
