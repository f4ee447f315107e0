// The command `planning-registry import SOURCE…`: parses the flags, runs the import and prints its report. Exit status:
// 0 published, 1 data rejected, 2 wrong usage or a failure of the system.
import { readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { type Invocation, UsageFault } from '../cli/config.ts'
import { startProgress } from '../cli/progress.ts'
import { showDatabase } from '../snapshot/open.ts'
import { parseAllowedHost } from './documents/address-policy.ts'
import { DocumentFault } from './documents/reference.ts'
import { type ImportPlan, importRegistry } from './import.ts'
import { pointToSameFile } from './rejects.ts'
import { ImportReport } from './report.ts'
import { type Mapping, parseMapping } from './rows/mapping.ts'
import { SourceFault } from './source-fault.ts'
import { isPostgresAddress } from './sources/open.ts'

export async function runImport(invocation: Invocation): Promise<number> {
  // Rows are short-lived objects. A young generation of fixed size and an early collection of the old one keep an
  // import of a million records without text within 300 MB instead of 400. The flags must be set before the heap grows
  // and apply to worker threads too. Threads that index text take a quarter more time with a young generation of 1 MB
  // than with 4 MB.
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=40')
  setFlagsFromString('--min-semi-space-size=4')
  const plan = await parsePlan(invocation)
  const reportFile = invocation.text('report')
  // Fails before the import if the report cannot be written.
  if (reportFile !== undefined) await writeReport(reportFile, '')
  try {
    const report = await importRegistry(plan, startProgress())
    process.stdout.write(report.toText())
    if (reportFile !== undefined) await writeFinalReport(reportFile, report)
    return report.isSuccess ? 0 : 1
  } catch (error) {
    if (error instanceof SourceFault) {
      const report = new ImportReport(showDatabase(plan.database), plan.dryRun)
      report.fail(error.message)
      if (reportFile !== undefined) await writeFinalReport(reportFile, report)
      process.stderr.write(`planning-registry: ${error.message}\n`)
      return 1
    }
    if (error instanceof DocumentFault) {
      process.stderr.write(`planning-registry: ${error.message}; nothing is published\n`)
      return 2
    }
    if (isSystemError(error)) {
      process.stderr.write(
        `planning-registry: Cannot import into ${showDatabase(plan.database)}: ${error.message}; nothing is published\n`,
      )
      return 2
    }
    throw error
  }
}

async function parsePlan(invocation: Invocation): Promise<ImportPlan> {
  const sources = invocation.positionals
  if (sources.length === 0)
    throw new UsageFault('Cannot import: no source given; use planning-registry import FILE (- for standard input)')
  if (sources.filter((source) => source === '-').length > 1)
    throw new UsageFault('Cannot import: - (standard input) can be given only once')
  const database = invocation.text('database') ?? ''
  const folder = invocation.text('documents')
  if (folder !== undefined) await requireFolder(folder)
  const query = invocation.text('query')
  if (query !== undefined && !sources.some(isPostgresAddress))
    throw new UsageFault('Cannot use --query: no source is a PostgreSQL address (postgres://…)')
  const rejects = invocation.text('rejects')
  requireNoSource('--rejects', rejects, sources)
  requireNoSource('--report', invocation.text('report'), sources)
  return {
    database,
    sources,
    mapping: await readMapping(invocation.text('mapping')),
    standardInput: process.stdin,
    documents: {
      ...(folder === undefined ? {} : { folder }),
      fetch: invocation.isOn('fetch-documents'),
      allowHosts: parseAllowedHosts(invocation),
      ocr: invocation.isOn('ocr'),
      cacheFolder: invocation.text('document-cache') ?? toCacheFolder(database),
    },
    ...(query === undefined ? {} : { query }),
    ...(rejects === undefined ? {} : { rejects }),
    rejectsMax: parseRejectsMax(invocation.text('max-rejects') ?? '0'),
    dryRun: invocation.isOn('dry-run'),
  }
}

function requireNoSource(flag: string, file: string | undefined, sources: readonly string[]): void {
  const source = file === undefined ? undefined : sources.find((each) => pointToSameFile(each, file))
  if (source !== undefined)
    throw new UsageFault(`Cannot write ${flag} to ${file}: it is a source of this import; choose another file`)
}

async function readMapping(file: string | undefined): Promise<Mapping> {
  if (file === undefined) return new Map()
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const reason = isMissing ? 'there is no such file' : error instanceof Error ? error.message : String(error)
    throw new UsageFault(`Cannot read mapping ${file}: ${reason}`)
  }
  return parseMapping(text, file)
}

async function requireFolder(folder: string): Promise<void> {
  const stats = await stat(folder).catch(() => undefined)
  if (stats?.isDirectory() !== true)
    throw new UsageFault(`Cannot read documents from ${folder}: there is no such folder`)
}

function parseAllowedHosts(invocation: Invocation): readonly string[] {
  const hosts = invocation.texts('allow-host')
  if (hosts.length > 0 && !invocation.isOn('fetch-documents')) {
    throw new UsageFault('Cannot use --allow-host without --fetch-documents')
  }
  if (hosts.length === 0 && invocation.isOn('fetch-documents')) {
    throw new UsageFault('Cannot fetch documents: allow every host they come from with --allow-host HOST')
  }
  for (const host of hosts) {
    if (parseAllowedHost(host) === undefined) {
      throw new UsageFault(`Cannot read --allow-host: expected HOST or HOST:PORT, got "${host}"`)
    }
  }
  return hosts
}

function parseRejectsMax(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageFault(`Cannot read --max-rejects: expected a whole number, got "${text}"`)
}

/** In the folder of a SQLite registry; for PostgreSQL, in the folder of the default SQLite registry. */
function toCacheFolder(database: string): string {
  const file = database.startsWith('sqlite:') ? database.slice('sqlite:'.length) : 'data/registry.db'
  return join(dirname(file), 'document-texts')
}

/** A report that cannot be written does not change the exit status of the import. */
async function writeFinalReport(file: string, report: ImportReport): Promise<void> {
  try {
    await writeReport(file, `${JSON.stringify(report.toJson(), null, 2)}\n`)
  } catch (error) {
    process.stderr.write(`planning-registry: ${error instanceof Error ? error.message : String(error)}\n`)
  }
}

async function writeReport(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (error) {
    throw new UsageFault(
      `Cannot write the report to ${file}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** A failure of the system, such as a full disk or a folder without write permission, and not of the data. */
function isSystemError(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false
  return 'errno' in error || error.code === 'ERR_SQLITE_ERROR'
}
