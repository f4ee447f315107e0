// The import from end to end: read, normalise, stage, read documents, write, publish. The registry in service changes
// only in the last step. command.ts is the command line around it.

import type { Progress } from '../cli/progress.ts'
import { numberPartOf } from '../domain/inscription-code.ts'
import { toRegistryRecord } from '../domain/record.ts'
import type { Publication, SnapshotWriter } from '../snapshot/contract.ts'
import { createSnapshot, isRegistryAddress, moveRegistry, showDatabase } from '../snapshot/open.ts'
import type { DocumentOptions } from './documents/documents.ts'
import { prepareDocumentTexts, readContent } from './record-content.ts'
import { writeRejects } from './rejects.ts'
import { ImportReport, toQuantity } from './report.ts'
import { type Column, columns } from './rows/columns.ts'
import type { Layout } from './rows/layout.ts'
import type { Mapping } from './rows/mapping.ts'
import { isRowFault, normaliseRow } from './rows/normalise.ts'
import { toQuoted } from './rows/quote.ts'
import type { Row } from './rows/row.ts'
import { type RowFault, toMessage, toReason } from './rows/row-fault.ts'
import { SourceFault } from './source-fault.ts'
import { openSource } from './sources/open.ts'
import type { Source } from './sources/source.ts'
import { type StagedRow, Staging } from './staging.ts'

export interface ImportPlan {
  readonly database: string
  readonly sources: readonly string[]
  readonly mapping: Mapping
  readonly query?: string
  readonly standardInput: AsyncIterable<Uint8Array>
  readonly documents: Omit<DocumentOptions, 'onProgress'>
  /** File for rejected rows; by default one next to each source. */
  readonly rejects?: string
  readonly rejectsMax: number
  readonly dryRun: boolean
}

/** The report tells whether a snapshot was published. Throws `SourceFault` if a source cannot be read. */
export async function importRegistry(plan: ImportPlan, progress: Progress): Promise<ImportReport> {
  const report = new ImportReport(showDatabase(plan.database), plan.dryRun)
  const [first, ...others] = plan.sources
  if (first !== undefined && others.length === 0 && isRegistryAddress(first)) {
    return moveSnapshot(first, plan, report, progress)
  }
  const sources: Source[] = []
  const staging = new Staging()
  let writer: SnapshotWriter | undefined
  try {
    for (const name of plan.sources) sources.push(await openSource(name, plan))
    // The writer takes the import lock. It is opened before reading, so that a second import fails at once.
    writer = await createSnapshot(plan.database)
    for (const [number, source] of sources.entries()) await stageSource(source, number, staging, report, progress)
    rejectDuplicates(staging, sources, report)
    warnOfMissingColumns(plan, sources, report)
    await writeRejects(plan, sources, staging, report)
    const { rejectedCount } = staging
    if (rejectedCount > plan.rejectsMax) {
      const fix = `fix ${rejectedCount === 1 ? 'it' : 'them'}, or raise --max-rejects`
      report.fail(`${toQuantity(rejectedCount, 'row')} rejected, but --max-rejects is ${plan.rejectsMax}; ${fix}`)
      return report
    }
    if (staging.rowCount === 0) {
      report.fail('every row was rejected, so there is no record to publish; fix the rows')
      return report
    }
    await writeRecords(plan, staging, writer, report, progress)
    report.setPublication(await publish(plan, writer, progress))
    return report
  } finally {
    await writer?.discard()
    staging.close()
    for (const source of sources) await source.close()
    progress.end()
  }
}

/** Copies a registry that is already a snapshot to another database, without reading its records again. */
async function moveSnapshot(
  source: string,
  plan: ImportPlan,
  report: ImportReport,
  progress: Progress,
): Promise<ImportReport> {
  const onProgress = (stage: string, done: number, total: number): void => progress.report(stage, done, total)
  try {
    report.setPublication(await moveRegistry(source, plan.database, { dryRun: plan.dryRun, onProgress }))
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
    const outcome = normaliseRow(row, layout, report.repairs)
    if (!isRowFault(outcome)) staging.add(outcome, { source: number, line: row.line })
    else reject(staging, report, number, outcome, padCells(row, layout))
  }
  for await (const batch of source.rows()) {
    for (const row of batch) stageRow(row)
    rows += batch.length
    const share = source.shareRead()
    progress.report(`reading ${name}`, rows, share === null || share <= 0 ? 0 : Math.round(rows / share))
  }
  if (rows === 0) {
    const problem = layout.headings.length === 0 ? 'it has no content' : 'it has headings but no records'
    throw new SourceFault(`Cannot import ${name}: ${problem}; export it again`)
  }
  progress.report(`reading ${name}`, rows, rows)
  report.addSource(name, rows, layout.unused())
}

/** Warns of columns and documents that the user asked for and that no source has. */
function warnOfMissingColumns(
  { mapping, documents: { folder } }: ImportPlan,
  sources: readonly Source[],
  report: ImportReport,
): void {
  const isMissing = (column: Column): boolean => sources.every(({ layout }) => layout.indexOf(column) === undefined)
  for (const [column, heading] of mapping) {
    if (isMissing(column)) report.warn(`${column} is mapped to ${toQuoted(heading)}, which no source has as a heading`)
  }
  if (folder !== undefined && isMissing('document')) {
    report.warn(`no file in ${folder} is read: no source has a column document, which names the files of a record`)
  }
}

function reject(
  staging: Staging,
  report: ImportReport,
  source: number,
  fault: RowFault,
  cells: readonly (string | null)[],
): void {
  staging.addRejected({ source, line: fault.line, reason: toMessage(fault), cells })
  report.countRejected(toReason(fault))
}

/** Adds empty cells up to the number of headings. */
function padCells({ cells }: Row, { headings }: Layout): (string | null)[] {
  return Array.from({ length: Math.max(headings.length, cells.length) }, (_, index) => cells[index] ?? null)
}

function rejectDuplicates(staging: Staging, sources: readonly Source[], report: ImportReport): void {
  staging.removeDuplicates(({ source, line, row, first }) => {
    const layout = sources[source]?.layout
    const hasCode = layout?.indexOf('code') !== undefined
    const fault = {
      line,
      column: hasCode ? 'code' : 'prefix',
      value: row.record.code,
      first: `line ${first.line}${first.source === source ? '' : ` of ${sources[first.source]?.name}`}`,
    } as const
    const cells = layout?.headings.map(() => null as string | null) ?? []
    for (const column of columns) {
      const index = layout?.indexOf(column)
      if (index !== undefined) cells[index] = toCell(row, column, hasCode)
    }
    reject(staging, report, source, fault, cells)
  })
}

/** Writes a column of a normalised row back as a cell of the rejects file. */
function toCell(row: StagedRow, column: Column, hasCode: boolean): string {
  const record = toRegistryRecord(row.record)
  const cells: Record<Column, string> = {
    code: record.code,
    prefix: record.code.slice(0, record.code.lastIndexOf('-')),
    id: record.id,
    // A number that follows from the code stays empty, so that the user has to correct the code only.
    registration_number:
      hasCode && record.registrationNumber === numberPartOf(record.code) ? '' : record.registrationNumber,
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
  const total = staging.rowCount
  const texts = await prepareDocumentTexts(staging, plan.documents, progress)
  if (texts !== undefined) report.setDocuments(texts)
  try {
    let written = 0
    for (const row of staging.inCanonicalOrder()) {
      const content = texts === undefined ? row.content : await readContent(row, texts, plan.documents)
      const drained = writer.add(row.record, content)
      if (drained !== undefined) await drained
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
