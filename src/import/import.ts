// The import from end to end: reads the rows of the sources, normalises them (turns them into records), sorts the
// records in a temporary database (staging.ts), reads their documents, writes a snapshot (a complete copy of the
// registry with its index), and publishes it. The registry in service changes only in the last step. command.ts parses
// the flags.

import type { Progress } from '../cli/progress.ts'
import { toRecordContent } from '../domain/document.ts'
import { t, toQuantity } from '../language.ts'
import type { PublishOptions } from '../registry/contract.ts'
import { copyToPostgres, isSqliteAddress, openTarget, showDatabase } from '../registry/open.ts'
import { publishRegistry, type RegistryEntry } from '../registry/publish.ts'
import type { RegistryTarget } from '../registry/stores/target.ts'
import { areMistyped, describeMistypedCodes, describeOtherCodes, needsCodePattern } from './code-form.ts'
import type { DocumentOptions, DocumentTexts } from './documents/documents.ts'
import { type DuplicateRule, resolveDuplicates } from './duplicates.ts'
import { isFullDisk, toTemporaryFolderFault } from './full-disk.ts'
import { quoteForShell } from './propose-flags.ts'
import { describeLoss, describeOldSource, type LossLimits } from './publish-guard.ts'
import { prepareDocumentTexts, readContent } from './record-content.ts'
import { rejectRow, writeRejects } from './rejects.ts'
import { ImportReport } from './report.ts'
import { headingsOf, type Mapping } from './rows/mapping.ts'
import { isRowFault, normaliseRow, type RowRules, toRowRules } from './rows/normalise.ts'
import { toQuoted } from './rows/quote.ts'
import { areRejectsHeadings } from './rows/rejects-headings.ts'
import type { Row } from './rows/row.ts'
import { toPosition } from './rows/row-fault.ts'
import { SourceFault } from './source-fault.ts'
import { isPostgresAddress, openSource, type SourceOptions } from './sources/open.ts'
import type { Source } from './sources/source.ts'
import { Staging } from './staging.ts'
import { UnlikelyDates } from './unlikely-dates.ts'

export interface ImportPlan extends SourceOptions {
  /** Address of the registry to publish to. */
  readonly database: string
  /** `--data-dir`: where the local copy of a registry on PostgreSQL lies, beside which the new one is built. */
  readonly dataDir?: string | undefined
  /** Paths, `-` for standard input, and PostgreSQL addresses; or a single registry (`sqlite:PATH`), which is copied. */
  readonly sources: readonly string[]
  /** `--mapping`: which heading of the sources each column of a record is read from. */
  readonly mapping: Mapping
  /** `--code-pattern`, which the snapshot keeps; null for the standard format `<prefix>-<number>`. */
  readonly codePattern: string | null
  /** `--time-zone`, such as `Europe/Madrid`: decides on which day a time with a zone, or a Unix time, falls. */
  readonly timeZone: string
  /** `--duplicates`: what becomes of rows with the code of another row. */
  readonly duplicates: DuplicateRule
  readonly documents: Omit<DocumentOptions, 'onProgress'>
  /** Path of the file for rejected rows; by default there is one next to each source. */
  readonly rejects?: string
  /** `--export`: the folder to which command.ts also writes the registry file, once it is in service. */
  readonly exportFolder?: string
  /** `--max-rejects`: if more rows are rejected, nothing is published. */
  readonly rejectsMax: number
  /** How many records of the registry in service may be missing from the new one, or lose their text in it. */
  readonly lossLimits: LossLimits
  /** Whether the text of documents is stored as well as indexed, so that passages can be shown. True by default. */
  readonly withPassages?: boolean
  /** Whether everything is done except publishing. */
  readonly dryRun: boolean
  /** `--rebuild`: builds the registry although nothing has changed. */
  readonly rebuilds: boolean
}

/** The progress is updated after this many records. */
const recordsPerProgress = 500
/** At most so many codes are kept in a sample, from which a `--code-pattern` is proposed. */
const sampleCodesMax = 2000
/**
 * A row with more problems than this is probably not a record but, for example, the totals of a table. Its code is left
 * out of the sample.
 */
const recordProblemsMax = 2

/** Codes of a source, from which a `--code-pattern` is proposed. */
interface SourceCodes {
  readonly accepted: CodeSample
  readonly rejected: CodeSample
}

interface CodeSample {
  /** The first codes, at most `sampleCodesMax`. */
  readonly first: string[]
  /** The number of all codes, including those that are not in `first`. */
  count: number
}

/** `Progress.report` takes 0 for an unknown total. */
const unknownTotal = 0

/** Returns a report, which tells whether a snapshot was published. Throws `SourceFault` if a source cannot be read. */
export async function importRegistry(plan: ImportPlan, progress: Progress): Promise<ImportReport> {
  const report = new ImportReport(showDatabase(plan.database), plan.dryRun)
  const [firstSource] = plan.sources
  // A single source `sqlite:…` is a finished registry.
  if (firstSource !== undefined && plan.sources.length === 1 && isSqliteAddress(firstSource)) {
    return copyRegistry(firstSource, plan, report, progress)
  }
  const sources: Source[] = []
  const codes: SourceCodes[] = []
  const staging = new Staging()
  let target: RegistryTarget | undefined
  try {
    for (const name of plan.sources) sources.push(await explainFullDisk(openSource(name, plan)))
    // The target has the lock of the registry, which only one import can have. It is opened before reading, so that a
    // second import fails at once, and not after it has read its sources.
    target = await openTarget(plan.database, plan)
    for (const [sourceIndex, source] of sources.entries())
      codes.push(await explainFullDisk(stageSource(source, sourceIndex, toRowRules(plan), staging, report, progress)))
    resolveDuplicates(plan.duplicates, staging, sources, report)
    warnOfMissingHeadings(plan, sources, report)
    // Ends the line of the progress, because `writeRejects` may print a line of its own.
    progress.end()
    const rejectsPaths = await writeRejects(plan, sources, staging, report)
    warnOfRejectedCodes(plan, sources, codes, report)
    const fault = findRejectsFault(staging, plan, sources, rejectsPaths)
    if (fault !== undefined) {
      report.fail(fault)
      return report
    }
    // Undefined if no record has a document to read.
    const texts = await prepareDocumentTexts(staging, plan.documents, progress)
    if (texts !== undefined) report.setDocuments(texts)
    try {
      const options = {
        fictional: false,
        codePattern: plan.codePattern,
        ...toPublishOptions(plan, sources, report, progress),
      }
      const read = (): ReturnType<typeof readEntries> => readEntries(plan, staging, texts, progress)
      const readKeys = texts === undefined ? () => staging.keysInCanonicalOrder() : undefined
      report.setPublication(await publishRegistry(target, read, options, readKeys))
    } finally {
      await texts?.close()
    }
    return report
  } finally {
    await target?.release()
    staging.close()
    for (const source of sources) await source.close()
    progress.end()
  }
}

/** Opening and staging a source write only to the temporary folder, so if a disk is full, it is that of this folder. */
async function explainFullDisk<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    throw isFullDisk(error) ? toTemporaryFolderFault(error) : error
  }
}

/**
 * Copies a registry, which is a finished snapshot, to PostgreSQL without normalising its records again. Throws
 * `StoreFault` if `plan.database` is not PostgreSQL: a SQLite registry is moved by copying its file.
 */
async function copyRegistry(
  source: string,
  plan: ImportPlan,
  report: ImportReport,
  progress: Progress,
): Promise<ImportReport> {
  try {
    const options = { ...toPublishOptions(plan, [], report, progress), dataDir: plan.dataDir }
    report.setPublication(await copyToPostgres(source, plan.database, options))
  } finally {
    progress.end()
  }
  return report
}

/**
 * Reads and normalises all rows of a source, and stages or rejects each row. Returns samples of its codes. Throws
 * `SourceFault` if there are no rows, or if they cannot be read.
 */
async function stageSource(
  source: Source,
  sourceIndex: number,
  rules: RowRules,
  staging: Staging,
  report: ImportReport,
  progress: Progress,
): Promise<SourceCodes> {
  const { layout, name } = source
  const codes: SourceCodes = { accepted: { first: [], count: 0 }, rejected: { first: [], count: 0 } }
  const dates = new UnlikelyDates()
  let rowCount = 0
  const stageRow = (row: Row): void => {
    // Counts in `report.repairs` what it corrects.
    const outcome = normaliseRow(row, layout, report.repairs, rules)
    if (isRowFault(outcome)) {
      const rejectedCode = outcome.problems.find(({ column }) => column === 'code')?.value ?? ''
      const isProbablyRecord = outcome.problems.length <= recordProblemsMax
      if (rejectedCode !== '' && isProbablyRecord) addSample(codes.rejected, rejectedCode)
      rejectRow(staging, report, sourceIndex, outcome, row.cells)
    } else {
      addSample(codes.accepted, outcome.record.code)
      dates.add(outcome.record, row.line)
      staging.add(outcome, { sourceIndex, line: row.line }, row.cells)
    }
  }
  for await (const batch of source.rows()) {
    for (const row of batch) stageRow(row)
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
  for (const warning of dates.toWarnings(toPlace)) report.warn(warning)
  return codes
}

function addSample(sample: CodeSample, code: string): void {
  sample.count += 1
  if (sample.first.length < sampleCodesMax) sample.first.push(code)
}

/** Says why nothing is published, if too many or all rows were rejected; otherwise returns undefined. */
function findRejectsFault(
  { rejectedCount, stagedCount }: Staging,
  plan: ImportPlan,
  sources: readonly Source[],
  rejectsPaths: readonly string[],
): string | undefined {
  if (stagedCount === 0) return t`every row was rejected, so there is no record to publish; fix the rows`
  const { rejectsMax } = plan
  if (rejectedCount <= rejectsMax) return undefined
  const rows = toQuantity(rejectedCount, 'row')
  // As text, because `t` groups the digits of a number, and a flag must not have them grouped.
  const neededMax = String(rejectedCount)
  const fault =
    rejectedCount === 1
      ? t`${rows} rejected, but --max-rejects is ${rejectsMax}; fix it, or publish the others with --max-rejects ${neededMax}`
      : t`${rows} rejected, but --max-rejects is ${rejectsMax}; fix them, or publish the others with --max-rejects ${neededMax}`
  const [source = ''] = plan.sources
  const [rejects] = rejectsPaths
  if (rejects === undefined || !canImportWithRejects(plan, sources)) return fault
  return t`${fault}; or correct ${rejects} and repeat the command with ${quoteForShell(source)} ${quoteForShell(rejects)} --max-rejects ${neededMax}`
}

/** Whether the rejects file can be corrected and imported together with its source. */
function canImportWithRejects(plan: ImportPlan, sources: readonly Source[]): boolean {
  const [source = '', ...others] = plan.sources
  // One of several sources may be a rejects file that already has the corrected rows of another.
  if (others.length > 0) return false
  // The rows of a query are corrected in its database.
  if (isPostgresAddress(source)) return false
  // A rejects file is corrected itself.
  return namesOfRejectsFiles(sources) === undefined
}

/**
 * Without `--code-pattern`, warns of rejected codes in sources whose codes have another form (`needsCodePattern`), and
 * proposes a pattern. It would apply to all sources, so it also has to match the accepted codes of all. If there is no
 * such source, warns of mistyped codes (`areMistyped`). `codes` has the codes of each source.
 */
function warnOfRejectedCodes(
  { codePattern }: ImportPlan,
  sources: readonly Source[],
  codes: readonly SourceCodes[],
  report: ImportReport,
): void {
  if (codePattern !== null) return
  // The codes of a rejects file are mostly wrong ones, so their share says nothing.
  const judged = codes.filter((_, index) => !areRejectsHeadings(sources[index]?.layout.headings ?? []))
  const rejected = judged
    .filter((each) => needsCodePattern(each.rejected.count, each.rejected.count + each.accepted.count))
    .flatMap((each) => each.rejected.first)
  if (rejected.length > 0) {
    const accepted = codes.flatMap((each) => each.accepted.first)
    report.warn(describeOtherCodes(rejected, accepted))
    return
  }
  const mistyped = judged.find((each) => areMistyped(each.rejected.count, each.rejected.count + each.accepted.count))
  const [code] = mistyped?.rejected.first ?? []
  if (code !== undefined) report.warn(describeMistypedCodes(code))
}

/**
 * Warns of headings in the mapping that no source has. Also warns if `--documents` is given and no source has a column
 * `document`.
 */
function warnOfMissingHeadings(
  { mapping, documents: { folder } }: ImportPlan,
  sources: readonly Source[],
  report: ImportReport,
): void {
  for (const [column, form] of mapping) {
    for (const heading of headingsOf(form)) {
      if (sources.every(({ layout }) => layout.missingMapped(column).includes(heading)))
        report.warn(t`${column} is mapped to ${toQuoted(heading)}, which no source has as a heading`)
    }
  }
  if (folder !== undefined && sources.every(({ layout }) => !layout.hasColumn('document'))) {
    report.warn(t`no file in ${folder} is read: no source has a column document, which names the files of a record`)
  }
}

/** Yields all records in canonical order, with their texts: those of the documents too, if `texts` has them. */
async function* readEntries(
  plan: ImportPlan,
  staging: Staging,
  texts: DocumentTexts | undefined,
  progress: Progress,
): AsyncGenerator<RegistryEntry, void, undefined> {
  const total = staging.stagedCount
  let read = 0
  for (const row of staging.inCanonicalOrder()) {
    const content = texts === undefined ? toRecordContent(row.content) : await readContent(row, texts, plan.documents)
    yield { record: row.record, content }
    read += 1
    if (read % recordsPerProgress === 0 || read === total) progress.report(t`writing records`, read, total)
  }
}

/** Returns the names of the sources, quoted for a shell, if all of them are rejects files; otherwise undefined. */
function namesOfRejectsFiles(sources: readonly Source[]): string | undefined {
  const areRejects = sources.length > 0 && sources.every(({ layout }) => areRejectsHeadings(layout.headings))
  return areRejects ? sources.map(({ name }) => quoteForShell(name)).join(' ') : undefined
}

/**
 * The options that `publish` and `copyToPostgres` share. Both call `accepts` with the difference to the registry in
 * service, if there is one. `accepts` returns false if too many records or texts would be lost, and the report then
 * says why. An old source only gives a warning.
 */
function toPublishOptions(
  { dryRun, rebuilds, withPassages, lossLimits }: ImportPlan,
  sources: readonly Source[],
  report: ImportReport,
  progress: Progress,
): Omit<PublishOptions, 'fictional'> {
  return {
    dryRun,
    rebuilds,
    withPassages,
    accepts: (difference) => {
      const oldSource = describeOldSource(difference)
      if (oldSource !== undefined) report.warn(oldSource)
      const loss = describeLoss(difference, lossLimits, namesOfRejectsFiles(sources))
      if (loss !== undefined) report.fail(loss)
      return loss === undefined
    },
    onProgress: (stage, done, total) => progress.report(stage, done, total),
    onWarning: (warning) => report.warn(warning),
  }
}
