// What would become of the rows: the same faults as in the rejects file, with the cells that they are about. Nothing is
// written, and no document is read.
import type { Progress } from '../cli/progress.ts'
import { Duplicates } from '../import/duplicates.ts'
import type { ImportPlan } from '../import/plan.ts'
import { ImportReport, type ReportJson } from '../import/report.ts'
import { type Column, columnRules } from '../import/rows/columns.ts'
import { type RowFault, type RowProblem, toMessage, toPosition } from '../import/rows/row-fault.ts'
import { openSource } from '../import/sources/open.ts'
import type { Source } from '../import/sources/source.ts'
import { stageSource } from '../import/stage.ts'
import { Staging } from '../import/staging.ts'
import { withColumnName } from './column-names.ts'
import { say } from './say.ts'

/** Rows that are shown. */
const shownRowsMax = 50
const silent: Progress = { report: () => {}, end: () => {} }

export interface CheckedRows {
  readonly report: ReportJson
  readonly goodCount: number
  readonly rejectedCount: number
  /** Rows with the code of another row, whatever becomes of them. */
  readonly duplicateCount: number
  readonly headings: readonly string[]
  /** The first rejected rows. */
  readonly rejected: readonly RejectedRow[]
}

export interface RejectedRow {
  readonly line: number
  readonly messages: readonly string[]
  readonly nextSteps: readonly string[]
  readonly cells: readonly { readonly text: string; readonly isMarked: boolean }[]
}

/** Throws `SourceFault` if a source cannot be read, or lacks a column. */
export async function checkRows(plan: ImportPlan): Promise<CheckedRows> {
  const report = new ImportReport('', true)
  await using resources = new AsyncDisposableStack()
  const sources: Source[] = []
  for (const name of plan.sources) {
    const source = await openSource(name, plan)
    resources.defer(() => source.close())
    sources.push(source)
  }
  const staging = new Staging()
  resources.defer(() => staging.close())
  const duplicates = new Duplicates(plan.duplicates, staging, sources)
  const rejected: RejectedRow[] = []
  let duplicateCount = 0
  let { fields } = plan.rules
  for (const [index, source] of sources.entries()) {
    const { layout } = source
    const toShownRow = (fault: RowFault, cells: readonly (string | undefined)[]): RejectedRow => ({
      line: fault.line,
      messages: fault.problems.map((problem) => toShownMessage(fault, problem)),
      nextSteps: [...new Set(fault.problems.map(toNextStep))],
      cells: layout.headings.map((_, heading) => ({
        text: cells[heading] ?? '',
        isMarked: fault.problems.some(({ column }) => column !== null && layout.readsFrom(column, heading)),
      })),
    })
    const onRejected: Parameters<typeof stageSource>[3]['onRejected'] = (fault, { cells }) => {
      if (fault.problems.some((problem) => 'first' in problem)) duplicateCount += 1
      if (rejected.length < shownRowsMax) rejected.push(toShownRow(fault, cells))
    }
    const stages = { staging, duplicates, report, progress: silent, onRejected }
    fields = (await stageSource(source, index, { ...plan.rules, fields }, stages)).fields
  }
  // Its warning names a flag; the page asks instead.
  if (plan.duplicates !== 'refuse') duplicates.finish(report)
  return {
    report: report.toJson(),
    goodCount: staging.stagedCount,
    rejectedCount: staging.rejectedCount,
    duplicateCount: report.duplicates?.rows ?? duplicateCount,
    headings: sources[0]?.layout.headings ?? [],
    rejected,
  }
}

/** The message of the rejects file, without the line and with the name of the column. */
function toShownMessage({ line, isRecordNumber = false }: RowFault, problem: RowProblem): string {
  const message = toMessage({ line, isRecordNumber, problems: [problem] })
  return withColumnName(message.slice(toPosition(line, isRecordNumber).length + ': '.length))
}

/** What to do about a problem, in one sentence. */
function toNextStep(problem: RowProblem): string {
  if ('first' in problem)
    return say(
      'Corrija uno de los dos códigos, o elija más abajo qué se hace con los repetidos.',
      'Correct one of the two codes, or choose below what becomes of repeated ones.',
    )
  const step = problem.column === null ? undefined : nextSteps()[columnRules[problem.column].type]
  if (problem.value.trim() === '' && problem.column !== null) {
    return say('Rellene la celda.', 'Fill the cell in.')
  }
  return step ?? say('Corrija la celda.', 'Correct the cell.')
}

function nextSteps(): Partial<Record<(typeof columnRules)[Column]['type'], string>> {
  return {
    date: say('Escriba una fecha que exista, como 24/03/2007.', 'Write a date that exists, such as 24/03/2007.'),
    code: say(
      'Escriba el código como los demás; si casi todos tienen esa forma, acéptela en el paso 2.',
      'Write the code like the others; if most have this form, accept it in step 2.',
    ),
    address: say(
      'Escriba la dirección completa, que empieza por https://, o vacíe la celda.',
      'Write the whole address, which begins with https://, or empty the cell.',
    ),
  }
}
