// The command `planning-registry import SOURCE…`: runs the import and prints its report. plan.ts parses the
// flags. Exit status: 0 published (or a successful `--dry-run` or `--inspect`), 1 not published because of the data, 2
// wrong usage or a failure of the system. If only the report cannot be written, the status stays the same.
import { rm, writeFile } from 'node:fs/promises'
import { type Invocation, UsageFault } from '../cli/config.ts'
import { ignoreErrors, printText } from '../cli/output.ts'
import { startProgress } from '../cli/progress.ts'
import { toTerminalText } from '../cli/style.ts'
import { t } from '../language.ts'
import { showDatabase } from '../registry/open.ts'
import { systemReasonOf } from '../system-reason.ts'
import { DocumentFault } from './documents/reference.ts'
import { isRegularFile } from './files.ts'
import { importRegistry } from './import.ts'
import { finishImport } from './last-import.ts'
import { type ImportPlan, parseImportPlan } from './plan.ts'
import { ImportReport } from './report.ts'
import { toReportText } from './report-text.ts'
import { MissingColumns, SourceFault } from './source-fault.ts'
import { isPostgresAddress } from './sources/open.ts'

/** Returns the exit status. Throws `UsageFault` for wrong usage. */
export async function runImport(invocation: Invocation): Promise<number> {
  // A failed write of the progress must not end the command: the reader of standard error may have closed the pipe.
  ignoreErrors(process.stderr)
  const plan = await parseImportPlan(invocation)
  if (plan.inspect) return await runInspect(plan)
  // An empty report is written first: if it cannot be written, the command fails before the import and not after it.
  if (plan.report !== undefined) await writeOutput('--report', plan.report, '')
  let report: ImportReport
  try {
    report = await importRegistry(plan, startProgress())
    if (plan.report !== undefined) await writeFinalReport(plan.report, report)
  } catch (error) {
    return await reportFault(error, plan)
  }
  // The report quotes the source: `toTerminalText` replaces control characters, which a terminal would execute.
  await printText(toTerminalText(toReportText(report.toJson())))
  await finishImport(plan, report)
  return report.isSuccess ? 0 : 1
}

/**
 * If a source, the documents or the system are the cause of the error, prints why the import has failed and returns the
 * exit status. Throws any other error again, for cli/main.ts.
 */
async function reportFault(error: unknown, plan: ImportPlan): Promise<number> {
  if (error instanceof SourceFault) {
    const report = new ImportReport(showDatabase(plan.database), plan.dryRun)
    report.fault = error.message
    if (plan.report !== undefined) await writeFinalReport(plan.report, report)
    await finishImport(plan, report)
    printFault(error.message)
    if (error instanceof MissingColumns) await printInspections(plan)
    return 1
  }
  // No other error is a fault of the data, so the report, which is about the data and still empty, is removed.
  if (plan.report !== undefined) await removeReport(plan.report)
  // The documents cannot be read at all, for example because the model of an OCR language is not installed.
  if (error instanceof DocumentFault) printFault(t`${error.message}; nothing is published`)
  else if (isSystemOrDatabaseError(error))
    printFault(t`Cannot import into ${showDatabase(plan.database)}: ${systemReasonOf(error)}; nothing is published`)
  else throw error
  return 2
}

function printFault(message: string): void {
  process.stderr.write(toTerminalText(`planning-registry: ${message}\n`))
}

/**
 * `--inspect`: prints what an import would understand of each source, such as its headings, and imports nothing.
 * Returns the exit status.
 */
async function runInspect(plan: ImportPlan): Promise<number> {
  const { inspectSource } = await import('./inspect.ts')
  try {
    for (const [index, name] of plan.sources.entries()) {
      // `--mapping` takes one file for all sources, so only the mapping of the first source is written.
      const path = index === 0 ? plan.writeMapping : undefined
      const { text, mapping } = await inspectSource(name, plan, path)
      // Written first, because the text says that the mapping is saved.
      if (path !== undefined) await writeOutput('--write-mapping', path, `${JSON.stringify(mapping, null, 2)}\n`)
      await printText(toTerminalText(index === 0 ? text : `\n${text}`))
    }
    return 0
  } catch (error) {
    if (isSystemOrDatabaseError(error)) throw new UsageFault(t`Cannot inspect the source: ${systemReasonOf(error)}`)
    if (!(error instanceof SourceFault)) throw error
    printFault(error.message)
    return 1
  }
}

/**
 * Prints what `--inspect` would print, so that the user can correct all headings at once. Standard input, which cannot
 * be read again, and queries, which are not run twice, are left out. A source that cannot be inspected is left out too:
 * why the import failed is already printed.
 */
async function printInspections(plan: ImportPlan): Promise<void> {
  const { inspectSource } = await import('./inspect.ts')
  for (const name of plan.sources.filter((source) => source !== '-' && !isPostgresAddress(source))) {
    const inspection = await inspectSource(name, plan).catch(() => undefined)
    if (inspection !== undefined) await printText(toTerminalText(inspection.text))
  }
}

/**
 * If the report cannot be written, prints why, and removes the file, which may be incomplete. The exit status of the
 * import stays the same, because it says whether the records are published.
 */
async function writeFinalReport(path: string, report: ImportReport): Promise<void> {
  const json = report.toJson()
  try {
    await writeOutput('--report', path, `${JSON.stringify(json, null, 2)}\n`)
  } catch (error) {
    await removeReport(path)
    const message = error instanceof Error ? error.message : String(error)
    printFault(json.published ? t`${message}; the records are published` : message)
  }
}

/**
 * Removes an empty or incomplete report. A device or link, such as /dev/null and /dev/stdout, stays, and so does a file
 * in a folder that may not be changed.
 */
async function removeReport(path: string): Promise<void> {
  if (isRegularFile(path)) await rm(path).catch(() => undefined)
}

/** Writes the file of a flag. Throws `UsageFault` if it cannot be written. */
async function writeOutput(flag: '--report' | '--write-mapping', path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text)
  } catch (error) {
    throw new UsageFault(t`Cannot write the file of ${flag} to ${path}: ${systemReasonOf(error)}`)
  }
}

/** Whether the system is the cause and not the data: the disk is full, or a folder has no write permission. */
function isSystemOrDatabaseError(error: unknown): error is Error {
  const hasCode = error instanceof Error && 'code' in error && typeof error.code === 'string'
  if (!hasCode) return false
  // Node sets `errno` on the errors of system calls, and this code on those of SQLite.
  return 'errno' in error || error.code === 'ERR_SQLITE_ERROR'
}
