// Stages the rows of a source: normalises each row to a record, which goes to the staging database, or to its faults,
// with which it is rejected. import.ts calls it for one source after the other.
import type { Progress } from '../cli/progress.ts'
import { t } from '../language.ts'
import { CodeForms } from './code-form.ts'
import type { Duplicates } from './duplicates.ts'
import type { ImportReport } from './report.ts'
import { resolveFields } from './rows/field-forms.ts'
import { isRowFault, type NormalisedRow, normaliseRow, type RowRules } from './rows/normalise.ts'
import { areRejectsHeadings } from './rows/rejects-headings.ts'
import type { Row } from './rows/row.ts'
import { type RowFault, toMessage, toPosition, toReasons } from './rows/row-fault.ts'
import { SourceFault } from './source-fault.ts'
import { isPostgresAddress } from './sources/open.ts'
import type { Source } from './sources/source.ts'
import type { Staging } from './staging.ts'
import { UnlikelyDates } from './unlikely-dates.ts'

/**
 * A row with more problems than this is probably not a record but, for example, the totals of a table. Its code says
 * nothing about the form of the codes.
 */
const recordProblemsMax = 2
/** `Progress.report` takes 0 for an unknown total. */
const unknownTotal = 0

/** Returns the codes of the source, and the fields as it has them. Throws `SourceFault` if there are no rows, or if they cannot be read. */
export async function stageSource(
  source: Source,
  sourceIndex: number,
  given: RowRules,
  {
    staging,
    duplicates,
    report,
    progress,
    onRejected,
  }: {
    readonly staging: Staging
    readonly duplicates: Duplicates
    readonly report: ImportReport
    readonly progress: Progress
    /** Gets the faults of a rejected row with the row itself. */
    readonly onRejected?: (fault: RowFault, row: Row) => void
  },
): Promise<{ readonly codes: CodeForms; readonly fields: RowRules['fields'] }> {
  const { layout, name } = source
  const codes = new CodeForms()
  const dates = new UnlikelyDates()
  // The codes of a rejects file are mostly wrong ones, so their share says nothing.
  const countsInvalidCodes = !areRejectsHeadings(layout.headings)
  let rowCount = 0
  const reject = (fault: RowFault, row: Row): void => {
    const { line, cells } = row
    staging.addRejected({ sourceIndex, line, reason: toMessage(fault), cells, code: fault.code })
    onRejected?.(fault, row)
    report.countRejected(toReasons(fault))
  }
  const accept = (accepted: NormalisedRow, row: Row): void => {
    codes.add(accepted.record.code, true)
    dates.add(accepted.record, row.line)
    const origin = { sourceIndex, line: row.line }
    if (staging.add(accepted, origin)) return
    const problem = duplicates.add(accepted, origin)
    if (problem !== undefined)
      reject({ line: row.line, isRecordNumber: layout.countsRecords === true, problems: [problem] }, row)
  }
  let rules = given
  for await (const batch of source.rows()) {
    // The headings are known from the first rows on.
    if (rowCount === 0) rules = { ...given, fields: resolveFields(given.fields, source) }
    for (const row of batch) {
      // Counts in `report.repairs` what it corrects.
      const outcome = normaliseRow(row, layout, report.repairs, rules)
      if (!isRowFault(outcome)) accept(outcome, row)
      else {
        const code = outcome.problems.find(({ column }) => column === 'code')?.value ?? ''
        const isProbablyRecord = outcome.problems.length <= recordProblemsMax
        if (code !== '' && isProbablyRecord && countsInvalidCodes) codes.add(code, false)
        reject(outcome, row)
      }
    }
    rowCount += batch.length
    // From 0 to 1, or null if the size of the source is unknown.
    const share = source.shareRead()
    const estimatedTotal = share === null || share <= 0 ? unknownTotal : Math.round(rowCount / share)
    progress.report(t`reading ${name}`, rowCount, estimatedTotal)
  }
  if (rowCount === 0) {
    if (isPostgresAddress(name)) throw new SourceFault(t`Cannot import ${name}: the query returns no rows; fix --query`)
    const problem = layout.headings.length === 0 ? t`it has no content` : t`it has headings but no records`
    throw new SourceFault(t`Cannot import ${name}: ${problem}; export it again`)
  }
  progress.report(t`reading ${name}`, rowCount, rowCount)
  report.addSource(name, rowCount, layout)
  const toPlace = (line: number): string => t`${toPosition(line, layout.countsRecords)} of ${name}`
  report.warnings.push(...dates.toWarnings(toPlace))
  return { codes, fields: rules.fields }
}
