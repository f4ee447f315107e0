// The command `planning-registry import SOURCE…`: runs the import and prints its report. import-plan.ts parses the
// flags. Exit status: 0 published (or a successful `--dry-run` or `--inspect`), 1 not published because of the data, 2
// wrong usage or a failure of the system. If only the report cannot be written, the status stays the same.
import { rm, writeFile } from 'node:fs/promises'

import { setFlagsFromString } from 'node:v8'
import { type Invocation, UsageFault } from '../cli/config.ts'
import { ignoreErrors, printText } from '../cli/output.ts'
import { startProgress } from '../cli/progress.ts'
import { toTerminalText } from '../cli/style.ts'
import { t } from '../language.ts'
import { showDatabase } from '../registry/open.ts'
import { systemReasonOf } from '../system-reason.ts'
import { DocumentFault } from './documents/reference.ts'
import { type ImportPlan, importRegistry } from './import.ts'
import { parseImportPlan } from './import-plan.ts'
import { finishImport } from './last-import.ts'
import { isRegularFile } from './rejects.ts'
import { ImportReport } from './report.ts'
import { toReportText } from './report-text.ts'
import { toRowRules } from './rows/normalise.ts'
import { MissingColumns, SourceFault } from './source-fault.ts'
import { isPostgresAddress } from './sources/open.ts'

/** Returns the exit status. Throws `UsageFault` for wrong usage. */
export async function runImport(invocation: Invocation): Promise<number> {
  limitHeapGrowth()
  // A failed write of the progress must not end the command: the reader of standard error may have closed the pipe.
  ignoreErrors(process.stderr)
  const plan = await parseImportPlan(invocation)
  if (invocation.isEnabled('inspect')) return await runInspect(plan, invocation.value('write-mapping'))
  const reportPath = invocation.value('report')
  // An empty report is written first: if it cannot be written, the command fails before the import and not after it.
  if (reportPath !== undefined) await writeOutput('--report', reportPath, '')
  let report: ImportReport
  try {
    report = await importRegistry(plan, startProgress())
    if (reportPath !== undefined) await writeFinalReport(reportPath, report)
  } catch (error) {
    return await reportFault(error, plan, reportPath)
  }
  // The report quotes the source: `toTerminalText` replaces control characters, which a terminal would execute.
  await printText(toTerminalText(toReportText(report.toJson())))
  await finishImport(plan, report)
  return report.isSuccess ? 0 : 1
}

/**
 * Sets flags of the garbage collector, because rows are short-lived objects. With a young generation (semi-space) of a
 * fixed 4 MB, and an old generation that is collected after it has grown by 40 percent, an import of a million records
 * without text needs 300 MB of memory instead of 400. With 1 MB instead of 4, threads that index text take a quarter
 * more time. The flags must be set before the heap grows, and apply to worker threads too.
 */
function limitHeapGrowth(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=40')
  setFlagsFromString('--min-semi-space-size=4')
}

/**
 * If a source, the documents or the system are the cause of the error, prints why the import has failed and returns the
 * exit status. Throws any other error again, for cli/main.ts.
 */
async function reportFault(error: unknown, plan: ImportPlan, reportPath: string | undefined): Promise<number> {
  if (error instanceof SourceFault) {
    const report = new ImportReport(showDatabase(plan.database), plan.dryRun)
    report.fail(error.message)
    if (reportPath !== undefined) await writeFinalReport(reportPath, report)
    await finishImport(plan, report)
    process.stderr.write(toTerminalText(`planning-registry: ${error.message}\n`))
    if (error instanceof MissingColumns) await printInspections(plan)
    return 1
  }
  // No other error is a fault of the data, so the report, which is about the data and still empty, is removed.
  if (reportPath !== undefined) await removeReport(reportPath)
  // The documents cannot be read at all, for example because the model of an OCR language is not installed.
  if (error instanceof DocumentFault) {
    process.stderr.write(toTerminalText(`planning-registry: ${t`${error.message}; nothing is published`}\n`))
    return 2
  }
  if (isSystemOrDatabaseError(error)) {
    process.stderr.write(
      toTerminalText(
        `planning-registry: ${t`Cannot import into ${showDatabase(plan.database)}: ${systemReasonOf(error)}; nothing is published`}\n`,
      ),
    )
    return 2
  }
  throw error
}

/**
 * `--inspect`: prints what an import would understand of each source, such as its headings, and imports nothing.
 * Returns the exit status.
 */
async function runInspect(plan: ImportPlan, mappingPath: string | undefined): Promise<number> {
  const { inspectSource } = await import('./inspect.ts')
  const rowRules = toRowRules(plan)
  try {
    for (const [index, name] of plan.sources.entries()) {
      // `--mapping` takes one file for all sources, so only the mapping of the first source is written.
      const path = index === 0 ? mappingPath : undefined
      // The plan says how the source is opened, and the rules say which values its rows may have.
      const { text, mapping } = await inspectSource(name, plan, rowRules, path)
      // Written first, because the text says that the mapping is saved.
      if (path !== undefined) await writeOutput('--write-mapping', path, `${JSON.stringify(mapping, null, 2)}\n`)
      await printText(toTerminalText(index === 0 ? text : `\n${text}`))
    }
    return 0
  } catch (error) {
    if (isSystemOrDatabaseError(error)) throw new UsageFault(t`Cannot inspect the source: ${systemReasonOf(error)}`)
    if (!(error instanceof SourceFault)) throw error
    process.stderr.write(toTerminalText(`planning-registry: ${error.message}\n`))
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
    const inspection = await inspectSource(name, plan, toRowRules(plan)).catch(() => undefined)
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
    const message = json.published ? t`${messageOf(error)}; the records are published` : messageOf(error)
    process.stderr.write(`planning-registry: ${message}\n`)
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Whether the system is the cause and not the data: the disk is full, or a folder has no write permission. */
function isSystemOrDatabaseError(error: unknown): error is Error {
  const hasCode = error instanceof Error && 'code' in error && typeof error.code === 'string'
  if (!hasCode) return false
  // Node sets `errno` on the errors of system calls, and this code on those of SQLite.
  return 'errno' in error || error.code === 'ERR_SQLITE_ERROR'
}
