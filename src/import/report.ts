// The report of an import: collected while it runs, printed as text at the end, and written as JSON with `--report`.

import { toDuration } from '../cli/progress.ts'
import type { Publication } from '../snapshot/contract.ts'
import type { DocumentOutcome, DocumentProblem, DocumentTexts } from './documents/documents.ts'
import { type RepairCounts, toZeroCounts } from './rows/normalise.ts'

/** Scripts read this format: properties are only ever added. */
export interface ReportJson {
  readonly database: string
  readonly published: boolean
  readonly dry_run: boolean
  /** Why nothing was published; null on success, also of a dry run. */
  readonly fault: string | null
  readonly snapshot: string | null
  readonly rows_read: number
  readonly records: number
  readonly rows_refused: number
  readonly refused_by_reason: Readonly<Record<string, number>>
  /** The files with the rejected rows. */
  readonly rejects: readonly string[]
  readonly sources: readonly {
    readonly name: string
    readonly rows: number
    readonly headings_not_read: readonly string[]
  }[]
  readonly entities_decoded: number
  /** Values with mojibake that was repaired (`repaired`), and values in which letters are lost (`damaged`). */
  readonly encodings: { readonly repaired: number; readonly damaged: number }
  /** What the user asked for and the sources do not have. */
  readonly warnings: readonly string[]
  /** Distinct names of municipalities: with an INE code (`resolved`) and without one (`unknown`). */
  readonly municipalities: {
    readonly resolved: number
    readonly unknown: number
    readonly unknown_names: readonly { readonly name: string; readonly records: number }[]
  }
  readonly documents: Readonly<Record<DocumentOutcome, number>> & {
    readonly problem_count: number
    readonly problems: readonly DocumentProblem[]
  }
  /** Records, compared with the snapshot in service before; null if there was none or the import failed. */
  readonly changes: { readonly new: number; readonly changed: number; readonly gone: number } | null
  readonly seconds: number
}

/** Rejected rows, and problems of documents, that the text shows one by one. */
const examplesMax = 10
/** Names that the text lists on one line. */
const listedNamesMax = 10

export class ImportReport {
  /** `normaliseRow` adds to these counts. */
  readonly repairs: RepairCounts = toZeroCounts()
  readonly #warnings: string[] = []
  readonly #database: string
  readonly #dryRun: boolean
  readonly #startedAt = performance.now()
  readonly #sources: { name: string; rows: number; headings_not_read: readonly string[] }[] = []
  readonly #rejectedByReason = new Map<string, number>()
  readonly #examples: string[] = []
  readonly #rejectsFiles: string[] = []
  #documents: DocumentTexts | undefined
  #publication: Publication | undefined
  #fault: string | null = null

  constructor(database: string, dryRun: boolean) {
    this.#database = database
    this.#dryRun = dryRun
  }

  get isSuccess(): boolean {
    return this.#publication !== undefined
  }

  addSource(name: string, rows: number, headingsNotRead: readonly string[]): void {
    this.#sources.push({ name, rows, headings_not_read: headingsNotRead })
  }

  warn(warning: string): void {
    this.#warnings.push(warning)
  }

  countRejected(reason: string): void {
    this.#rejectedByReason.set(reason, (this.#rejectedByReason.get(reason) ?? 0) + 1)
  }

  /** Returns false once there are enough examples. */
  addExample(message: string): boolean {
    if (this.#examples.length < examplesMax) this.#examples.push(message)
    return this.#examples.length < examplesMax
  }

  addRejectsFile(file: string): void {
    this.#rejectsFiles.push(file)
  }

  setDocuments(texts: DocumentTexts): void {
    this.#documents = texts
  }

  setPublication(publication: Publication): void {
    this.#publication = publication
  }

  /** Records why nothing is published. */
  fail(fault: string): void {
    this.#fault = fault
  }

  toJson(): ReportJson {
    const { resolved, unknown } = this.#countMunicipalities()
    const changes = this.#publication?.changes ?? null
    return {
      database: this.#database,
      published: this.isSuccess && !this.#dryRun,
      dry_run: this.#dryRun,
      fault: this.#fault,
      snapshot: this.#publication?.metadata.id ?? null,
      rows_read: this.#sources.reduce((sum, { rows }) => sum + rows, 0),
      records: this.#publication?.metadata.records ?? 0,
      rows_refused: this.#countRejectedRows(),
      refused_by_reason: Object.fromEntries(this.#reasonsByCount()),
      rejects: this.#rejectsFiles,
      sources: this.#sources,
      entities_decoded: this.repairs.entitiesDecoded,
      encodings: { repaired: this.repairs.valuesRepaired, damaged: this.repairs.valuesDamaged },
      warnings: this.#warnings,
      municipalities: { resolved, unknown: unknown.length, unknown_names: unknown },
      documents: {
        ...(this.#documents?.outcomes ?? { text: 0, scan: 0, unreadable: 0, missing: 0 }),
        problem_count: this.#documents?.problemCount ?? 0,
        problems: this.#documents?.problems ?? [],
      },
      changes: changes === null ? null : { new: changes.added, changed: changes.changed, gone: changes.gone },
      seconds: Math.round(performance.now() - this.#startedAt) / 1000,
    }
  }

  /** Lines that do not apply to this import are left out. */
  toText(): string {
    const json = this.toJson()
    const lines = [
      this.#headline(json),
      ...json.sources.map(({ name, rows }) => `  read            ${toQuantity(rows, 'row')} of ${name}`),
      ...this.#rejectedLines(json),
      ...this.#municipalityLines(json),
      ...this.#documentLines(json),
    ]
    if (json.entities_decoded > 0) lines.push(`  HTML entities   ${toCount(json.entities_decoded)} decoded`)
    const { repaired, damaged } = json.encodings
    if (repaired > 0) lines.push(`  encoding        ${toQuantity(repaired, 'value')} such as OrdenaciÃ³n repaired`)
    if (damaged > 0) lines.push(`  damaged         ${toQuantity(damaged, 'value')} with lost letters (\ufffd)`)
    for (const warning of json.warnings) lines.push(`  warning         ${warning}`)
    for (const { name, headings_not_read: headings } of json.sources) {
      if (headings.length > 0) lines.push(`  not imported    ${toList(headings)} of ${name}`)
    }
    if (json.changes !== null) {
      const { new: added, changed, gone } = json.changes
      lines.push(`  changes         ${toCount(added)} new, ${toCount(changed)} changed, ${toCount(gone)} gone`)
    }
    lines.push(`  time            ${toDuration(json.seconds)}`)
    return `${lines.join('\n')}\n`
  }

  #headline(json: ReportJson): string {
    if (!this.isSuccess) return `nothing published to ${this.#database}: ${this.#fault ?? 'the import did not finish'}`
    const records = toQuantity(json.records, 'record')
    if (json.dry_run) return `dry run, nothing published: ${records} could be published to ${this.#database}`
    return `published ${records} to ${this.#database}`
  }

  #rejectedLines(json: ReportJson): string[] {
    if (json.rows_refused === 0) return []
    const rest = json.rows_refused - this.#examples.length
    return [
      `  rejected        ${toQuantity(json.rows_refused, 'row')}, saved in ${json.rejects.join(', ')}`,
      ...this.#reasonsByCount().map(([reason, rows]) => `    ${toCount(rows).padStart(9)}   ${reason}`),
      ...this.#examples.map((message) => `    ${message}`),
      ...(rest > 0 ? [`    … and ${toCount(rest)} more`] : []),
    ]
  }

  #municipalityLines({ municipalities: { resolved, unknown, unknown_names: names } }: ReportJson): string[] {
    if (resolved + unknown === 0) return []
    const lines = [`  municipalities  ${toQuantity(resolved, 'name')} with an INE code, ${toCount(unknown)} without`]
    if (unknown > 0) lines.push(`    without: ${toList(names.map(({ name, records }) => `${name} (${records})`))}`)
    return lines
  }

  #documentLines({ documents }: ReportJson): string[] {
    if (this.#documents === undefined) return []
    const { text, scan, unreadable, missing, problem_count: count, problems } = documents
    const lines = [`  documents       ${text} text, ${scan} scan, ${unreadable} unreadable, ${missing} missing`]
    const shown = problems.slice(0, examplesMax)
    for (const { document, reason } of shown) lines.push(`    ${document}: ${reason}`)
    if (count > shown.length) lines.push(`    … and ${toCount(count - shown.length)} more`)
    return lines
  }

  #countRejectedRows(): number {
    return [...this.#rejectedByReason.values()].reduce((sum, rows) => sum + rows, 0)
  }

  /** The most frequent reason comes first. */
  #reasonsByCount(): [reason: string, rows: number][] {
    return [...this.#rejectedByReason].sort(
      ([reasonA, rowsA], [reasonB, rowsB]) => rowsB - rowsA || (reasonA < reasonB ? -1 : 1),
    )
  }

  /** Unknown names come with the most frequent one first. */
  #countMunicipalities(): { resolved: number; unknown: { name: string; records: number }[] } {
    const { resolved, unknown } = this.#publication?.names ?? { resolved: 0, unknown: [] }
    return {
      resolved,
      unknown: unknown.toSorted((a, b) => b.records - a.records || (a.name < b.name ? -1 : 1)),
    }
  }
}

function toCount(count: number): string {
  return count.toLocaleString('en')
}

/** `1 row`, `2,000 rows` */
export function toQuantity(count: number, noun: string): string {
  return `${toCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

function toList(names: readonly string[]): string {
  const rest = names.length - listedNamesMax
  return names.slice(0, listedNamesMax).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
