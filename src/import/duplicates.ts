// Decides what becomes of a row with the code of an earlier row (`--duplicates`): `refuse` keeps the first row and
// rejects the others, `first` or `last` keeps that row and drops the others, and `merge` makes one record of all of
// them.
import type { ImportValues } from '../cli/import-settings.ts'
import { toRegistryRecord } from '../domain/record.ts'
import { t, toQuantity } from '../language.ts'
import type { ImportReport } from './report.ts'
import { fieldCharactersMax } from './rows/field-forms.ts'
import type { NormalisedRow } from './rows/normalise.ts'
import { recordCharactersMax } from './rows/row.ts'
import { type DuplicateCode, toPosition } from './rows/row-fault.ts'
import type { Source } from './sources/source.ts'
import type { RowOrigin, StagedRow, Staging } from './staging.ts'

export class Duplicates {
  readonly #rule: ImportValues['duplicates']
  readonly #staging: Staging
  readonly #sources: readonly Source[]
  #rows = 0
  #rowsWithOtherTitle = 0

  constructor(rule: ImportValues['duplicates'], staging: Staging, sources: readonly Source[]) {
    this.#rule = rule
    this.#staging = staging
    this.#sources = sources
  }

  /** Takes a row whose code a staged row has. Returns why the row is rejected, or undefined if it is not. */
  add(row: NormalisedRow, { sourceIndex }: RowOrigin): DuplicateCode | undefined {
    this.#rows += 1
    if (this.#rule === 'last') this.#staging.replace(row)
    if (this.#rule === 'merge') this.#staging.addLater(row)
    if (this.#rule !== 'refuse') return undefined
    const { code } = row.record
    const first = this.#staging.findOrigin(code)
    if (row.record.title !== first.title) this.#rowsWithOtherTitle += 1
    const firstSource = this.#sources[first.sourceIndex]
    const position = toPosition(first.line, firstSource?.layout.countsRecords === true)
    return {
      // Without a column `code`, the code is made of `prefix` and `registration_number`.
      column: this.#sources[sourceIndex]?.layout.hasColumn('code') === false ? 'prefix' : 'code',
      value: code,
      first: first.sourceIndex === sourceIndex ? position : t`${position} of ${firstSource?.name ?? ''}`,
    }
  }

  /** Merges the rows, if that is the rule, and adds to the report what became of them. All rows must have been read. */
  finish(report: ImportReport): void {
    if (this.#rule === 'merge') mergeAll(this.#staging, report)
    if (this.#rule !== 'refuse') report.duplicates = { rule: this.#rule, rows: this.#rows }
    else if (this.#rows > 0) report.warnings.push(describeDuplicateRows(this.#rows, this.#rowsWithOtherTitle))
  }
}

/**
 * Says how many rows have the code of another row, and what to do. Rows with different titles are probably different
 * records, one with a mistyped code. `--duplicates` would lose a record, so the advice is then to correct the code.
 */
function describeDuplicateRows(rows: number, rowsWithOtherTitle: number): string {
  if (rowsWithOtherTitle === 0)
    return t`${toQuantity(rows, 'row')} with the code of another row; --duplicates merge joins the rows of a code, first or last keeps one of them`
  const advice = t`correct one of the two codes if they are different records, or join the rows of a record with --duplicates merge (first or last keeps one of them)`
  if (rowsWithOtherTitle === rows)
    return t`${toQuantity(rows, 'row')} with the code of another row, but another title; ${advice}`
  return t`${toQuantity(rows, 'row')} with the code of another row, ${rowsWithOtherTitle} of them with another title; ${advice}`
}

/** A merged area is cut at the length that rows/normalise.ts allows for the area of a single row. */
const areaCharactersMax = 10_000

/** Merges the rows of each code. Adds warnings if a record cannot hold all that its rows have. */
function mergeAll(staging: Staging, report: ImportReport): void {
  let addressesLost = 0
  let recordsCut = 0
  staging.mergeLater((first, others) => {
    const merged = mergeRows(first, others)
    addressesLost += merged.addressesLost
    if (merged.isCut) recordsCut += 1
    return merged.row
  })
  if (addressesLost > 0)
    report.warnings.push(
      t`a record has one address in links and one in agreement_link: ${addressesLost} more of merged rows are not kept`,
    )
  if (recordsCut > 0)
    report.warnings.push(
      t`merged rows of ${toQuantity(recordsCut, 'record')} are too long: text after ${recordCharactersMax} characters, or area after ${areaCharactersMax}, is not kept`,
    )
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
  /** By label. */
  const fields = new Map<string, DistinctTexts>()
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
    for (const [label, value] of Object.entries(record.fields ?? {})) {
      const values = fields.get(label) ?? new DistinctTexts('; ', fieldCharactersMax)
      values.add(value)
      fields.set(label, values)
    }
  }
  add(first)
  for (const row of others) add(row)
  const [link = ''] = links
  const [agreementLink = null] = agreementLinks
  const kept = new Set([link, agreementLink])
  return {
    row: {
      record: {
        ...firstRecord,
        area: areas.join(),
        inscriptionDate,
        links: link,
        agreementLink,
        ...(fields.size === 0
          ? {}
          : { fields: Object.fromEntries([...fields].map(([label, values]) => [label, values.join()])) }),
      },
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
