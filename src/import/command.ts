// The command `planning-registry import SOURCE…`: parses the flags, runs the import and prints its report. Exit status:
// 0 published (or a successful `--dry-run` or `--inspect`), 1 not published because of the data, 2 wrong usage or a
// failure of the system. If only the report cannot be written, the status stays the same.
import { isUtf8 } from 'node:buffer'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { type Invocation, parseWholeNumber, UsageFault } from '../cli/config.ts'
import { ignoreErrors, printText } from '../cli/output.ts'
import { startProgress } from '../cli/progress.ts'
import { toTerminalText } from '../cli/style.ts'
import { type PatternFault, parseCodePattern } from '../domain/code-pattern.ts'
import { toCodeFormat } from '../domain/inscription-code.ts'
import { t } from '../language.ts'
import { isSqliteAddress, showDatabase, toFilePath } from '../snapshot/open.ts'
import { systemReasonOf } from '../system-reason.ts'
import { toAllowedOrigins } from './documents/address-policy.ts'
import { DocumentFolder } from './documents/document-folder.ts'
import type { DocumentOptions } from './documents/documents.ts'
import { parseOcrLanguages } from './documents/ocr-languages.ts'
import { DocumentFault } from './documents/reference.ts'
import { type DuplicateRule, duplicateRules } from './duplicates.ts'
import { isFullDisk, toTemporaryFolderFault } from './full-disk.ts'
import { type ImportPlan, importRegistry } from './import.ts'
import { parseLossMax } from './publish-guard.ts'
import { isRegularFile, pointToSameFile } from './rejects.ts'
import { ImportReport } from './report.ts'
import { toReportText } from './report-text.ts'
import { isTimeZone } from './rows/calendar-date.ts'
import { type Mapping, parseMapping } from './rows/mapping.ts'
import { toRowRules } from './rows/normalise.ts'
import { MissingColumns, SourceFault } from './source-fault.ts'
import { isPostgresAddress } from './sources/open.ts'

/** The largest number that `--max-rejects` accepts. */
const acceptedRejectsMax = 999_999_999

/** Returns the exit status. Throws `UsageFault` for wrong usage. */
export async function runImport(invocation: Invocation): Promise<number> {
  limitHeapGrowth()
  // A failed write of the progress must not end the command: the reader of standard error may have closed the pipe.
  ignoreErrors(process.stderr)
  const plan = await parsePlan(invocation)
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
  if (isSystemError(error)) {
    // The snapshot for PostgreSQL is built in the temporary folder, so the message must name that disk.
    if (isFullDisk(error) && !isSqliteAddress(plan.database)) throw toTemporaryFolderFault(error)
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
    if (isSystemError(error)) throw new UsageFault(t`Cannot inspect the source: ${systemReasonOf(error)}`)
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

/** Throws `UsageFault` for wrong usage. A flag read with `?? ''` has a default; `?? ''` is there for the compiler. */
async function parsePlan(invocation: Invocation): Promise<ImportPlan> {
  const sources = invocation.positionals
  if (sources.length === 0)
    throw new UsageFault(t`Cannot import: no source given; use planning-registry import FILE (- for standard input)`)
  if (sources.filter((source) => source === '-').length > 1)
    throw new UsageFault(t`Cannot import: - (standard input) can be given only once`)
  const database = invocation.value('database') ?? ''
  const documentsFolder = invocation.value('documents')
  if (documentsFolder !== undefined) await requireFolder(documentsFolder)
  const query = invocation.value('query')
  if (query !== undefined && !sources.some(isPostgresAddress))
    throw new UsageFault(t`Cannot use --query: no source is a PostgreSQL address (postgres://…)`)
  const areAllCsv = sources.every((source) => /\.(?:csv|tsv)$/i.test(source))
  if (areAllCsv && invocation.value('sheet') !== undefined)
    throw new UsageFault(
      t`Cannot use --sheet: every source is named .csv or .tsv; leave it out, or rename the workbook`,
    )
  if (areAllCsv && invocation.value('records-at') !== undefined)
    throw new UsageFault(
      t`Cannot use --records-at: every source is named .csv or .tsv; leave it out, or rename the JSON file`,
    )
  requireOwnFiles(invocation)
  if (invocation.value('write-mapping') !== undefined && !invocation.isEnabled('inspect'))
    throw new UsageFault(t`Cannot use --write-mapping without --inspect; add --inspect, which imports nothing`)
  return {
    database,
    sources,
    mapping: await readMapping(invocation.value('mapping')),
    ...toOptional('recordsAt', invocation.value('records-at')),
    ...toOptional('sheet', invocation.value('sheet')),
    ...parseCodeFormat(invocation.value('code-pattern')),
    timeZone: parseTimeZone(invocation.value('time-zone') ?? ''),
    duplicates: parseDuplicates(invocation.value('duplicates') ?? ''),
    standardInput: process.stdin,
    documents: {
      ...toOptional('folder', documentsFolder),
      withDownloads: invocation.isEnabled('fetch-documents'),
      allowHosts: parseAllowedHosts(invocation),
      ...parseOcr(invocation),
      cacheFolder: invocation.value('document-cache') ?? toCacheFolder(database),
    },
    ...toOptional('query', query),
    ...toOptional('rejects', invocation.value('rejects')),
    // The flag has a default; `?? 0` is there for the compiler.
    rejectsMax: parseWholeNumber(invocation, 'max-rejects', 0, acceptedRejectsMax) ?? 0,
    // How many records of the registry in service may be absent from the import (`gone`) or lose their text
    // (`textsGone`), each as a number or a share.
    lossLimits: {
      gone: parseLossMax('max-gone', invocation.value('max-gone') ?? ''),
      textsGone: parseLossMax('max-texts-gone', invocation.value('max-texts-gone') ?? ''),
    },
    withPassages: !invocation.isEnabled('no-passages'),
    dryRun: invocation.isEnabled('dry-run'),
  }
}

/**
 * Returns an object with the property `name`, or `{}` if the value is undefined: TypeScript's option
 * `exactOptionalPropertyTypes` forbids an optional property with the value undefined.
 */
function toOptional<Name extends string>(name: Name, value: string | undefined): { readonly [key in Name]?: string } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [key in Name]?: string })
}

/**
 * Returns `isCode`, which decides whether the import accepts a code, and `codePattern`, which the snapshot stores.
 * Without `--code-pattern`, `isCode` is left out and `codePattern` is null: codes must have the standard form.
 */
function parseCodeFormat(text: string | undefined): Pick<ImportPlan, 'codePattern' | 'isCode'> {
  if (text === undefined) return { codePattern: null }
  const parsed = parseCodePattern(text)
  if ('pattern' in parsed) return { codePattern: parsed.pattern, isCode: toCodeFormat(parsed.pattern).isCode }
  const problems: Readonly<Record<PatternFault, string>> = {
    'too long': t`it is longer than 200 characters`,
    invalid: t`it is not a regular expression`,
    unsafe: t`groups that repeat must not contain repetitions or alternatives, and there must be no lookaround or back reference`,
    slow: t`some texts would take too long; separate its repetitions by a character that they do not match, as in \\d+/\\d+, or limit them, as in \\d{1,8}`,
    'matches the empty text': t`it also matches an empty code`,
  }
  throw new UsageFault(t`Cannot use --code-pattern ${text}: ${problems[parsed.fault]}`)
}

function parseDuplicates(text: string): DuplicateRule {
  const rule = duplicateRules.find((each) => each === text)
  if (rule !== undefined) return rule
  throw new UsageFault(t`Cannot read --duplicates: expected ${duplicateRules.join(', ')}, got "${text}"`)
}

function parseTimeZone(name: string): string {
  if (isTimeZone(name)) return name
  throw new UsageFault(t`Cannot read --time-zone: expected a name such as Europe/Madrid, got "${name}"`)
}

/**
 * Throws `UsageFault` if an output would overwrite a source, the registry, the mapping or another output. Only
 * `--write-mapping` may overwrite the mapping.
 */
function requireOwnFiles(invocation: Invocation): void {
  /**
   * The files that no further output may overwrite, and what the message calls them. `toFilePath` returns the path in
   * `sqlite:PATH` and leaves other texts as they are: paths, and also `-` and `postgres://…`, which name no file.
   */
  const taken = [
    ...invocation.positionals.map((source) => ({ path: toFilePath(source), role: t`a source of this import` })),
    { path: toFilePath(invocation.value('database') ?? ''), role: t`the registry` },
  ]
  // `--mapping` is no output, so it is only added to `taken`. It comes after `--write-mapping`, which may overwrite it.
  for (const name of ['write-mapping', 'mapping', 'rejects', 'report']) {
    const path = invocation.value(name)
    if (path === undefined) continue
    const flag = `--${name}`
    const same = name === 'mapping' ? undefined : taken.find((each) => pointToSameFile(each.path, path))
    if (same !== undefined)
      throw new UsageFault(t`Cannot write the file of ${flag} to ${path}: it is ${same.role}; choose another file`)
    taken.push({ path, role: t`the file of ${flag}` })
  }
}

/** The value is a path, or the JSON itself, as in `--mapping '{"title":"Denominación"}'`. */
async function readMapping(pathOrJson: string | undefined): Promise<Mapping> {
  if (pathOrJson === undefined) return new Map()
  if (pathOrJson.trimStart().startsWith('{')) return parseMapping(pathOrJson, '--mapping')
  const path = pathOrJson
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw new UsageFault(
      t`Cannot read mapping ${path}: ${isMissing ? t`there is no such file` : systemReasonOf(error)}`,
    )
  }
  if (!isUtf8(bytes)) throw new UsageFault(t`Cannot read mapping ${path}: it is not in UTF-8; save it as UTF-8`)
  return parseMapping(bytes.toString(), path)
}

/** Throws `UsageFault` if the documents folder does not exist or may not be read. */
async function requireFolder(folder: string): Promise<void> {
  try {
    await DocumentFolder.open(folder)
  } catch (error) {
    throw error instanceof DocumentFault ? new UsageFault(error.message) : error
  }
}

/** Reads `--ocr` and `--ocr-languages`. */
function parseOcr(invocation: Invocation): Pick<DocumentOptions, 'ocr' | 'ocrLanguages'> {
  const ocr = invocation.isEnabled('ocr')
  const text = invocation.value('ocr-languages')
  if (text === undefined) return { ocr }
  if (!ocr) throw new UsageFault(t`Cannot use --ocr-languages without --ocr`)
  const languagesOrReason = parseOcrLanguages(text)
  if (typeof languagesOrReason === 'string') {
    throw new UsageFault(t`Cannot read --ocr-languages ${text}: ${languagesOrReason}`)
  }
  return { ocr, ocrLanguages: languagesOrReason }
}

/** Reads `--allow-host`, which `--fetch-documents` requires: hosts such as `example.es` or `example.es:8443`. */
function parseAllowedHosts(invocation: Invocation): readonly string[] {
  const hosts = invocation.values('allow-host')
  if (hosts.length > 0 && !invocation.isEnabled('fetch-documents')) {
    throw new UsageFault(t`Cannot use --allow-host without --fetch-documents`)
  }
  if (hosts.length === 0 && invocation.isEnabled('fetch-documents')) {
    throw new UsageFault(t`Cannot fetch documents: allow every host they come from with --allow-host HOST`)
  }
  for (const host of hosts) {
    if (toAllowedOrigins(host) === undefined) {
      throw new UsageFault(t`Cannot read --allow-host: expected HOST or HOST:PORT, got "${host}"`)
    }
  }
  return hosts
}

/**
 * The default folder of the document cache: next to a SQLite registry; for PostgreSQL, next to where the default SQLite
 * registry would be.
 */
function toCacheFolder(database: string): string {
  const registryPath = isSqliteAddress(database) ? toFilePath(database) : 'data/registry.db'
  return join(dirname(registryPath), 'document-texts')
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
function isSystemError(error: unknown): error is Error {
  const hasCode = error instanceof Error && 'code' in error && typeof error.code === 'string'
  if (!hasCode) return false
  // Node sets `errno` on the errors of system calls, and this code on those of SQLite.
  return 'errno' in error || error.code === 'ERR_SQLITE_ERROR'
}
