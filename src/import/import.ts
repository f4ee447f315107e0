// An import from end to end: read → normalise → stage → documents → write → publish. Nothing in service changes before
// the last step; the command line around it is in command.ts.

import type { Progress } from '../cli/progress.ts'
import { numberOf } from '../domain/inscription-code.ts'
import { fromStored } from '../domain/record.ts'
import type { Publication, SnapshotWriter } from '../snapshot/contract.ts'
import { createSnapshot, isRegistry, moveRegistry, showDatabase } from '../snapshot/open.ts'
import type { DocumentOptions } from './documents/documents.ts'
import { prepareTexts, readContent } from './record-content.ts'
import { writeRejects } from './rejects.ts'
import { ImportReport, toQuantity } from './report.ts'
import { type Column, columns, type Mapping } from './rows/columns.ts'
import { isRowFault, normaliseRow } from './rows/normalise.ts'
import { type Refusal, SourceFault, toMessage, toQuoted, toReason, toRefusal } from './rows/row-fault.ts'
import { openSource } from './sources/open.ts'
import type { Row, Source } from './sources/source.ts'
import { type StagedRow, Staging } from './staging.ts'

export interface ImportPlan {
  readonly database: string
  readonly sources: readonly string[]
  readonly mapping: Mapping
  readonly query?: string
  readonly standardInput: AsyncIterable<Uint8Array>
  readonly documents: Omit<DocumentOptions, 'onProgress'>
  /** Where refused rows go; by default beside each source. */
  readonly rejects?: string
  readonly rejectsMax: number
  readonly dryRun: boolean
}

/** The report says whether the snapshot was published; throws `SourceFault` when a source cannot be read at all. */
export async function importRegistry(plan: ImportPlan, progress: Progress): Promise<ImportReport> {
  const report = new ImportReport(showDatabase(plan.database), plan.dryRun)
  const [only, ...others] = plan.sources
  if (only !== undefined && others.length === 0 && isRegistry(only)) return moveWhole(only, plan, report, progress)
  const sources: Source[] = []
  const staging = new Staging()
  let writer: SnapshotWriter | undefined
  try {
    for (const name of plan.sources) sources.push(await openSource(name, plan))
    // Taken before the reading: whoever has to wait for another import should not learn it an hour later.
    writer = await createSnapshot(plan.database)
    for (const [number, source] of sources.entries()) await stageSource(source, number, staging, report, progress)
    refuseDuplicates(staging, sources, report)
    warnOfColumns(plan, sources, report)
    await writeRejects(plan, sources, staging, report)
    if (staging.refused > plan.rejectsMax) {
      report.fail(
        `${toQuantity(staging.refused, 'row')} refused where --max-rejects allows ${plan.rejectsMax}; mend them, or allow more`,
      )
      return report
    }
    if (staging.rows === 0) {
      report.fail('every row is refused, and no record is left to publish; mend them')
      return report
    }
    await writeRecords(plan, staging, writer, report, progress)
    report.publish(await publish(plan, writer, progress))
    return report
  } finally {
    await writer?.discard()
    staging.close()
    for (const source of sources) await source.close()
    progress.end()
  }
}

/** A registry in a file is moved as it is: there is nothing to read, refuse or analyse. */
async function moveWhole(
  source: string,
  plan: ImportPlan,
  report: ImportReport,
  progress: Progress,
): Promise<ImportReport> {
  const onProgress = (stage: string, done: number, total: number): void => progress.report(stage, done, total)
  try {
    report.publish(await moveRegistry(source, plan.database, { dryRun: plan.dryRun, onProgress }))
  } finally {
    progress.end()
  }
  return report
}

async function stageSource(
  source: Source,
  number: number,
  staging: Staging,
  report: ImportReport,
  progress: Progress,
): Promise<void> {
  const { layout, name } = source
  let rows = 0
  const stageRow = (row: Row): void => {
    const outcome = normaliseRow(row, layout, report.tally)
    if (!isRowFault(outcome)) staging.add(outcome, { source: number, line: row.line })
    else refuse(staging, report, number, toRefusal(outcome, row.cells, layout.headings.length))
  }
  for await (const batch of source.rows()) {
    for (const row of batch) stageRow(row)
    rows += batch.length
    const share = source.shareRead()
    progress.report(`reading ${name}`, rows, share === null || share <= 0 ? 0 : Math.round(rows / share))
  }
  if (rows === 0) {
    const what = layout.headings.length === 0 ? 'nothing' : 'a heading and no records'
    throw new SourceFault(`Cannot import ${name}: it holds ${what}; export it again`)
  }
  progress.report(`reading ${name}`, rows, rows)
  report.read(name, rows, layout.unused())
}

/** What the clerk means to be read and is not, since no source has the column. */
function warnOfColumns(
  { mapping, documents: { folder } }: ImportPlan,
  sources: readonly Source[],
  report: ImportReport,
): void {
  const isMissing = (column: Column): boolean => sources.every(({ layout }) => layout.indexOf(column) === undefined)
  for (const [column, heading] of mapping) {
    if (isMissing(column)) report.warn(`${column} is mapped to ${toQuoted(heading)}, which is no heading of the source`)
  }
  if (folder !== undefined && isMissing('document'))
    report.warn(`no file of ${folder} is read: no source has the column document, which names the files of a record`)
}

function refuse(staging: Staging, report: ImportReport, source: number, { fault, cells }: Refusal): void {
  staging.refuse({ source, line: fault.line, reason: toMessage(fault), cells })
  report.refuse(toReason(fault))
}

function refuseDuplicates(staging: Staging, sources: readonly Source[], report: ImportReport): void {
  staging.refuseDuplicates(({ source, line, row, first }) => {
    const layout = sources[source]?.layout
    const column = layout?.indexOf('code') === undefined ? 'prefix' : 'code'
    const elsewhere = first.source === source ? '' : ` of ${sources[first.source]?.name}`
    const remark = `line ${first.line}${elsewhere} has it already`
    const fault = { line, column, expected: 'a code that no other row bears', value: row.record.code, remark } as const
    const cells = layout?.headings.map(() => null as string | null) ?? []
    for (const each of columns) {
      const index = layout?.indexOf(each)
      if (index !== undefined) cells[index] = toCell(row, each, layout?.indexOf('code') !== undefined)
    }
    refuse(staging, report, source, { fault, cells })
  })
}

/** What a normalised row says in a column, to be written out again. */
function toCell(row: StagedRow, column: Column, hasCode: boolean): string {
  const record = fromStored(row.record)
  const cells: Record<Column, string> = {
    code: record.code,
    prefix: record.code.slice(0, record.code.lastIndexOf('-')),
    id: record.id,
    // Where it is the number of the code it is left to the code, which is what is to be mended.
    registration_number:
      hasCode && record.registrationNumber === numberOf(record.code) ? '' : record.registrationNumber,
    title: record.title,
    area: record.area,
    checkin_date: record.checkinDate,
    inscription_date: record.inscriptionDate ?? '',
    municipality: record.municipality,
    links: record.links,
    agreement_link: record.agreementLink ?? '',
    content: row.content,
    document: row.documents.join(';'),
  }
  return cells[column]
}

async function writeRecords(
  plan: ImportPlan,
  staging: Staging,
  writer: SnapshotWriter,
  report: ImportReport,
  progress: Progress,
): Promise<void> {
  const total = staging.rows
  const texts = await prepareTexts(staging, plan.documents, progress)
  if (texts !== undefined) report.readDocuments(texts)
  try {
    let written = 0
    for (const row of staging.inCanonicalOrder()) {
      const content = texts === undefined ? row.content : await readContent(row, texts, plan.documents)
      const full = writer.add(row.record, content)
      if (full !== undefined) await full
      written += 1
      if (written % 500 === 0 || written === total) progress.report('writing records', written, total)
    }
  } finally {
    await texts?.close()
  }
}

async function publish(plan: ImportPlan, writer: SnapshotWriter, progress: Progress): Promise<Publication> {
  return await writer.publish({
    fictional: false,
    dryRun: plan.dryRun,
    onProgress: (stage, done, total) => progress.report(stage, done, total),
  })
}
