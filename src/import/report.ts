// The report of an import: collected while it runs, printed as text at the end (report-text.ts), and written as JSON
// with `--report`.
import type { Publication } from '../registry/contract.ts'
import type { DocumentOutcome, DocumentProblem, DocumentTexts } from './documents/documents.ts'
import type { Layout } from './rows/layout.ts'
import { newRepairCounts, type RepairCounts } from './rows/normalise.ts'

/**
 * Scripts read this format, so properties are added, never renamed. What the code calls rejected rows is `refused` in
 * these names.
 */
export interface ReportJson {
  /** Address of the registry, without its password. */
  readonly database: string
  readonly published: boolean
  /** Whether nothing was published because the registry in service has the same records already. */
  readonly unchanged: boolean
  readonly dry_run: boolean
  /** Why nothing was published; null on success, also of a dry run. */
  readonly fault: string | null
  /** Id of the new snapshot, which a dry run has too, although it then discards the snapshot. Null on failure. */
  readonly snapshot: string | null
  readonly rows_read: number
  /** Records of the new snapshot, also in a dry run; 0 on failure. */
  readonly records: number
  readonly rows_refused: number
  /** Rejected rows by reason. A row with several reasons counts under each. */
  readonly refused_by_reason: Readonly<Record<string, number>>
  /** The messages of the first rejected rows; of several sources, of the first ones of each. */
  readonly refused_examples: readonly string[]
  /** Paths of the files with the rejected rows. */
  readonly rejects: readonly string[]
  /** Codes of the records in service that stay as they were, because their rows were rejected. */
  readonly kept: readonly string[]
  readonly sources: readonly {
    readonly name: string
    readonly rows: number
    readonly headings_not_read: readonly string[]
    /** Headings that were recognised without a mapping, by column: `{ "title": "Denominación" }`. */
    readonly recognised: Readonly<Record<string, string>>
    /** What the import decided by itself: lines that were skipped, the sheet that was read. */
    readonly notes: readonly string[]
  }[]
  /**
   * What became of rows with the code of another row. Null if they were rejected, if the import ended before it looked
   * for them, or if the source was a finished registry (`sqlite:PATH`), which has none and is copied as it is.
   */
  readonly duplicates: { readonly rule: string; readonly rows: number } | null
  /** Number of HTML entities, such as `&quot;`, that were decoded. */
  readonly entities_decoded: number
  /** Values with mojibake that was repaired (`repaired`), and values in which letters are lost (`damaged`). */
  readonly encodings: { readonly repaired: number; readonly damaged: number }
  /** Dates whose year has two digits, read as 1950 to 2049, and dates without a day, read as the first of the month. */
  readonly dates: { readonly two_digit_years: number; readonly without_day: number }
  /** What the user should check: headings of the mapping that no source has, sheets that were not read, and so on. */
  readonly warnings: readonly string[]
  /** Distinct names of municipalities: with an INE code (`resolved`) and without one (`unknown`). */
  readonly municipalities: {
    readonly resolved: number
    readonly unknown: number
    readonly unknown_names: readonly { readonly name: string; readonly records: number }[]
  }
  /** Number of documents with each outcome (`DocumentOutcome` in documents/reference.ts), and the first problems. */
  readonly documents: Readonly<Record<DocumentOutcome, number>> & {
    readonly problem_count: number
    /** Records with documents that readers cannot open: they have no address, and are not published. */
    readonly records_closed: number
    readonly problems: readonly DocumentProblem[]
  }
  /** Compared with the snapshot in service; null if there was none, or if the two were not compared. */
  readonly changes: {
    readonly new: number
    readonly changed: number
    readonly gone: number
    /** Records that lost their whole text, or records that lost the text of documents: the larger of the two counts. */
    readonly texts_gone: number
    /** The first codes of each kind. */
    readonly examples: Readonly<Record<'new' | 'changed' | 'gone', readonly string[]>>
  } | null
  /** How long the import took. */
  readonly seconds: number
}

/** The report shows the messages of at most this many rejected rows. */
export const rejectedExamplesMax = 10

/** What is known so far. Each stage of the import adds its part. */
export class ImportReport {
  /** What was repaired in the rows. `normaliseRow` adds to these counts. */
  readonly repairs: RepairCounts = newRepairCounts()
  readonly warnings: string[] = []
  readonly rejectsPaths: string[] = []
  /** The messages of at most `rejectedExamplesMax` rejected rows. */
  rejectedExamples: readonly string[] = []
  readonly keptCodes: string[] = []
  duplicates: ReportJson['duplicates'] = null
  documents: DocumentTexts | undefined
  /** Records with documents that readers cannot open. */
  recordsWithClosedDocuments = 0
  publication: Publication | undefined
  /** Why nothing is published. */
  fault: string | null = null
  readonly #database: string
  readonly #dryRun: boolean
  /** In milliseconds, on the clock of `performance.now()`. */
  readonly #startedAt = performance.now()
  readonly #sources: ReportJson['sources'][number][] = []
  readonly #rejectedByReason = new Map<string, number>()
  #rejectedCount = 0

  /** `database` is the address of the registry without its password. */
  constructor(database: string, dryRun: boolean) {
    this.#database = database
    this.#dryRun = dryRun
  }

  /** Whether the snapshot was published or, in a dry run, could be. */
  get isSuccess(): boolean {
    return this.publication !== undefined && this.fault === null
  }

  get rowsRead(): number {
    return this.#sources.reduce((sum, { rows }) => sum + rows, 0)
  }

  addSource(name: string, rows: number, layout: Layout): void {
    const recognised = Object.fromEntries(layout.recognised().map(({ column, heading }) => [column, heading]))
    this.#sources.push({ name, rows, headings_not_read: layout.unused(), recognised, notes: layout.notes })
    this.warnings.push(...layout.warnings)
  }

  /** Counts a rejected row under each of its reasons. */
  countRejected(reasons: readonly string[]): void {
    this.#rejectedCount += 1
    for (const reason of reasons) this.#rejectedByReason.set(reason, (this.#rejectedByReason.get(reason) ?? 0) + 1)
  }

  toJson(): ReportJson {
    const { publication, documents } = this
    const { resolved, unknown } = publication?.names ?? { resolved: 0, unknown: [] }
    return {
      database: this.#database,
      published: publication?.outcome === 'published',
      unchanged: publication?.outcome === 'unchanged',
      dry_run: this.#dryRun,
      fault: this.fault,
      snapshot: this.isSuccess ? (publication?.metadata.id ?? null) : null,
      rows_read: this.rowsRead,
      records: this.isSuccess ? (publication?.metadata.records ?? 0) : 0,
      rows_refused: this.#rejectedCount,
      refused_by_reason: Object.fromEntries(
        [...this.#rejectedByReason].sort(
          byCountThenName(
            ([reason]) => reason,
            ([, rows]) => rows,
          ),
        ),
      ),
      refused_examples: this.rejectedExamples,
      rejects: this.rejectsPaths,
      kept: this.keptCodes,
      sources: this.#sources,
      duplicates: this.duplicates,
      entities_decoded: this.repairs.entitiesDecoded,
      encodings: { repaired: this.repairs.valuesRepaired, damaged: this.repairs.valuesDamaged },
      dates: { two_digit_years: this.repairs.centuriesAdded, without_day: this.repairs.daysAdded },
      warnings: this.warnings,
      municipalities: {
        resolved,
        unknown: unknown.length,
        unknown_names: unknown.toSorted(
          byCountThenName(
            ({ name }) => name,
            ({ records }) => records,
          ),
        ),
      },
      documents: {
        ...(documents?.outcomes ?? { text: 0, scan: 0, unreadable: 0, missing: 0 }),
        problem_count: documents?.problemCount ?? 0,
        records_closed: this.recordsWithClosedDocuments,
        problems: documents?.problems ?? [],
      },
      changes: toChangesJson(publication),
      seconds: Math.round(performance.now() - this.#startedAt) / 1000,
    }
  }
}

/** The most frequent comes first; those of the same frequency are in alphabetical order. */
function byCountThenName<Each>(
  nameOf: (each: Each) => string,
  countOf: (each: Each) => number,
): (a: Each, b: Each) => number {
  return (a, b) => countOf(b) - countOf(a) || (nameOf(a) < nameOf(b) ? -1 : 1)
}

function toChangesJson(publication: Publication | undefined): ReportJson['changes'] {
  if (publication?.outcome === 'unchanged')
    return { new: 0, changed: 0, gone: 0, texts_gone: 0, examples: { new: [], changed: [], gone: [] } }
  if (publication === undefined || publication.difference === null) return null
  const { added, changed, gone, textsGone, documentTextsGone, examples } = publication.difference
  return {
    new: added,
    changed,
    gone,
    // A record that loses the text of its documents may keep the text of the column `content`, and a record that loses
    // its whole text may have had no documents. One number has to stand for both counts, so it is the larger one.
    texts_gone: Math.max(textsGone, documentTextsGone),
    examples: { new: examples.added, changed: examples.changed, gone: examples.gone },
  }
}
