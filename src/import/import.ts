// The import from end to end. Rows of the sources become records or faults (stage.ts) and wait in a temporary database
// (staging.ts), rejected rows go to files (rejects.ts), the documents of the records are read (record-content.ts), and
// the records are published in canonical order (registry/publish.ts). The registry in service changes only in the last
// step.
import { existsSync } from 'node:fs'
import type { Progress } from '../cli/progress.ts'
import { type RecordDocument, toRecordContent } from '../domain/document.ts'
import { t, toQuantity } from '../language.ts'
import { readWithdrawn } from '../registry/change-log.ts'
import type { PublishOptions } from '../registry/contract.ts'
import { copyToPostgres, isSqliteAddress, openTarget, showDatabase } from '../registry/open.ts'
import { publishRegistry, type RegistryEntry } from '../registry/publish.ts'
import { type CodeForms, describeCodes } from './code-form.ts'
import type { DocumentTexts } from './documents/documents.ts'
import { deletePublished } from './documents/published-files.ts'
import { Duplicates } from './duplicates.ts'
import { isFullDisk, toTemporaryFolderFault } from './full-disk.ts'
import { keepRejected } from './keep-rejected.ts'
import type { ImportPlan } from './plan.ts'
import { describeLoss, describeOldSource } from './publish-guard.ts'
import { prepareDocumentTexts, readContent } from './record-content.ts'
import { writeRejects } from './rejects.ts'
import { ImportReport } from './report.ts'
import { headingsOf } from './rows/mapping.ts'
import { toQuoted } from './rows/quote.ts'
import { areRejectsHeadings } from './rows/rejects-headings.ts'
import { exceeds, toFlagValue } from './share.ts'
import { quoteForShell } from './shell.ts'
import { isPostgresAddress, openSource } from './sources/open.ts'
import type { Source } from './sources/source.ts'
import { stageSource } from './stage.ts'
import { Staging } from './staging.ts'

/** The progress is updated after this many records. */
const recordsPerProgress = 500

/** Returns a report, which tells whether a snapshot was published. Throws `SourceFault` if a source cannot be read. */
export async function importRegistry(plan: ImportPlan, progress: Progress): Promise<ImportReport> {
  const report = new ImportReport(showDatabase(plan.database), plan.dryRun)
  await using resources = new AsyncDisposableStack()
  resources.defer(() => progress.end())
  const [firstSource] = plan.sources
  // A single source `sqlite:…` is a finished registry.
  if (firstSource !== undefined && plan.sources.length === 1 && isSqliteAddress(firstSource)) {
    const options = { ...toPublishOptions(plan, [], report, progress), dataDir: plan.dataDir }
    report.publication = await copyToPostgres(firstSource, plan.database, options)
    return report
  }

  const sources: Source[] = []
  for (const name of plan.sources) {
    const source = await explainFullDisk(openSource(name, plan))
    resources.defer(() => source.close())
    sources.push(source)
  }
  // The target has the lock of the registry, which only one import can have. It is opened before reading, so that a
  // second import fails at once, and not after it has read its sources.
  const target = await openTarget(plan.database, plan)
  resources.defer(() => target.release())

  // The keys are read if there is a registry to compare the records with, and no document whose text belongs to them.
  const { folder, withDownloads } = plan.documents
  const staging = new Staging({ withKeys: existsSync(target.path) && folder === undefined && !withDownloads })
  resources.defer(() => staging.close())
  const duplicates = new Duplicates(plan.duplicates, staging, sources)
  const stages = { staging, duplicates, report, progress }
  const codes: CodeForms[] = []
  /** As the first source has them. */
  let { fields } = plan.rules
  for (const [index, source] of sources.entries()) {
    const staged = await explainFullDisk(stageSource(source, index, { ...plan.rules, fields }, stages))
    codes.push(staged.codes)
    fields = staged.fields
  }
  duplicates.finish(report)
  warnOfMissingHeadings(plan, sources, report)
  const rejectsPaths = await writeRejects(plan, sources, staging, report)
  const codeWarning = plan.codePattern === null ? describeCodes(codes) : undefined
  if (codeWarning !== undefined && staging.stagedCount > 0) report.warnings.push(codeWarning)
  report.fault =
    staging.stagedCount === 0
      ? t`every row was rejected, so there is no record to publish; ${codeWarning ?? t`fix the rows`}`
      : findRejectsFault(staging, plan, sources, report, rejectsPaths)
  if (report.fault !== null) return report

  const { published } = plan.documents
  keepRejected(target.path, staging, report, { fields, publishesDocuments: published !== undefined })
  let isInService = false
  resources.defer(() => (isInService ? undefined : published?.discard()))
  await published?.open()
  // Undefined if no record has a document to read.
  const texts = await prepareDocumentTexts(staging, plan.documents, progress)
  if (texts !== undefined) {
    resources.defer(() => texts.close())
    report.documents = texts
    report.warnings.push(...texts.warnings)
  }
  const options = {
    fictional: false,
    codePattern: plan.codePattern,
    fields: fields.map(({ name, label }) => ({ name, label })),
    ...toPublishOptions(plan, sources, report, progress),
  }
  const read = (): ReturnType<typeof readEntries> => readEntries(plan, staging, texts, report, progress)
  // A row may name documents although no folder is given; then they count as missing.
  const readKeys = texts === undefined && staging.hasKeys ? () => staging.keysInCanonicalOrder() : undefined
  const withdrawn = readWithdrawn(target.path)
  report.publication = await publishRegistry(target, read, options, readKeys)
  const { outcome } = report.publication
  if (outcome !== 'published' && outcome !== 'unchanged') return report
  isInService = true
  texts?.forgetUnused()
  await deletePublished(
    plan.publishedFolder,
    withdrawn.filter((sha256) => published?.has(sha256) !== true),
  )
  return report
}

/** Opening and staging a source write only to the temporary folder, so if a disk is full, it is that of this folder. */
async function explainFullDisk<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    throw isFullDisk(error) ? toTemporaryFolderFault(error) : error
  }
}

/** Says why nothing is published, if too many rows were rejected; otherwise returns null. */
function findRejectsFault(
  { rejectedCount }: Staging,
  plan: ImportPlan,
  sources: readonly Source[],
  { rowsRead }: ImportReport,
  rejectsPaths: readonly string[],
): string | null {
  if (!exceeds(rejectedCount, rowsRead, plan.maxRejects)) return null
  // As text, because `t` groups the digits of a number, and a flag must not have them grouped.
  const neededMax = String(rejectedCount)
  const fault = t`${toQuantity(rejectedCount, 'row')} rejected, but --max-rejects is ${toFlagValue(plan.maxRejects)}; fix what is wrong, or publish the other rows with --max-rejects ${neededMax}`
  const [source = '', ...others] = plan.sources
  const [rejects] = rejectsPaths
  // One of several sources may be a rejects file that already has the corrected rows of another. The rows of a query
  // are corrected in its database, and a rejects file is corrected itself.
  const canImportWithRejects = others.length === 0 && !isPostgresAddress(source) && !areAllRejects(sources)
  if (rejects === undefined || !canImportWithRejects) return fault
  return t`${fault}; or correct ${rejects} and repeat the command with ${quoteForShell(source)} ${quoteForShell(rejects)} --max-rejects ${neededMax}`
}

/**
 * Warns of headings in the mapping that no source has. Also warns if `--documents` is given and no source has a column
 * `document`.
 */
function warnOfMissingHeadings(
  { mapping, documents: { folder } }: ImportPlan,
  sources: readonly Source[],
  { warnings }: ImportReport,
): void {
  for (const [column, form] of mapping) {
    for (const heading of headingsOf(form)) {
      if (sources.every(({ layout }) => layout.missingMapped(column).includes(heading)))
        warnings.push(t`${column} is mapped to ${toQuoted(heading)}, which no source has as a heading`)
    }
  }
  if (folder !== undefined && sources.every(({ layout }) => !layout.hasColumn('document')))
    warnings.push(t`no file in ${folder} is read: no source has a column document, which names the files of a record`)
}

/** Yields all records in canonical order, with their texts: those of the documents too, if `texts` has them. */
async function* readEntries(
  plan: ImportPlan,
  staging: Staging,
  texts: DocumentTexts | undefined,
  report: ImportReport,
  progress: Progress,
): AsyncGenerator<RegistryEntry, void, undefined> {
  const total = staging.stagedCount
  let read = 0
  report.recordsWithClosedDocuments = 0
  for (const row of staging.inCanonicalOrder()) {
    const content =
      row.kept ?? (texts === undefined ? toRecordContent(row.content) : await readContent(row, texts, plan.documents))
    if (content.documents.some(isClosed)) report.recordsWithClosedDocuments += 1
    yield { record: row.record, content }
    read += 1
    if (read % recordsPerProgress === 0 || read === total) progress.report(t`writing records`, read, total)
  }
}

/** Whether the registry has the document, and readers cannot open it. */
function isClosed({ href, sha256 }: RecordDocument): boolean {
  return href === null && sha256 !== null
}

function areAllRejects(sources: readonly Source[]): boolean {
  return sources.every(({ layout }) => areRejectsHeadings(layout.headings))
}

/**
 * The options that `publishRegistry` and `copyToPostgres` share. Both call `accepts` with the difference to the
 * registry in service, if there is one. `accepts` returns false if too many records or texts would be lost, and the
 * report then says why. An old source only gives a warning.
 */
function toPublishOptions(
  plan: ImportPlan,
  sources: readonly Source[],
  report: ImportReport,
  progress: Progress,
): Omit<PublishOptions, 'fictional'> {
  return {
    dryRun: plan.dryRun,
    rebuilds: plan.rebuild,
    withPassages: !plan.noPassages,
    accepts: (difference) => {
      const oldSource = describeOldSource(difference)
      if (oldSource !== undefined) report.warnings.push(oldSource)
      // Set only if every source is a rejects file, which lacks the accepted rows.
      const rejectsFiles = sources.length > 0 && areAllRejects(sources) ? sources.map(({ name }) => name) : undefined
      report.fault = describeLoss(difference, plan, rejectsFiles?.map(quoteForShell).join(' ')) ?? null
      return report.fault === null
    },
    onProgress: (stage, done, total) => progress.report(stage, done, total),
    onWarning: (warning) => report.warnings.push(warning),
  }
}
