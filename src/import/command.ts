// `planning-registry import SOURCE…`: reads the flags, runs the import, prints its report, and says by the exit
// status what became of it: 0 published, 1 data refused, 2 wrong usage or unreachable database.
import { readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { type Invocation, UsageFault } from '../cli/config.ts'
import { startProgress } from '../cli/progress.ts'
import { showDatabase } from '../snapshot/open.ts'
import { parseAllowedHost } from './documents/address-policy.ts'
import { DocumentFault } from './documents/reference.ts'
import { type ImportPlan, importRegistry } from './import.ts'
import { isSameFile } from './rejects.ts'
import { ImportReport } from './report.ts'
import { type Mapping, parseMapping } from './rows/columns.ts'
import { SourceFault } from './rows/row-fault.ts'
import { isPostgresAddress } from './sources/open.ts'

export async function runImport(invocation: Invocation): Promise<number> {
  // Rows live for a moment: a young generation that may not grow, and an old one that is collected before it has grown
  // by half, keep a million records without text within 300 MB instead of 400. This must be said before the heap has
  // grown, and holds for every thread. Threads begin with a young generation of four megabytes, which the texts of a
  // message fit into: with one they spend a quarter more.
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=40')
  setFlagsFromString('--min-semi-space-size=4')
  const plan = await parsePlan(invocation)
  const reportFile = invocation.text('report')
  // Before there is anything to report: whoever cannot write it should not learn it from an import that is published.
  if (reportFile !== undefined) await writeReport(reportFile, '')
  try {
    const report = await importRegistry(plan, startProgress())
    process.stdout.write(report.toText())
    if (reportFile !== undefined) await writeLate(reportFile, report)
    return report.isSuccess ? 0 : 1
  } catch (error) {
    if (error instanceof SourceFault) {
      const report = new ImportReport(showDatabase(plan.database), plan.dryRun)
      report.fail(error.message)
      if (reportFile !== undefined) await writeLate(reportFile, report)
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
    throw new UsageFault('Cannot import: name a source, planning-registry import FILE (- for standard input)')
  if (sources.filter((source) => source === '-').length > 1)
    throw new UsageFault('Cannot import: - can be named once only')
  const database = invocation.text('database') ?? ''
  const folder = invocation.text('documents')
  if (folder !== undefined) await requireFolder(folder)
  const query = invocation.text('query')
  if (query !== undefined && !sources.some(isPostgresAddress))
    throw new UsageFault('Cannot use --query: it says what to read from a source postgres://…, and there is none')
  const rejects = invocation.text('rejects')
  refuseOverwriting('--rejects', rejects, sources)
  refuseOverwriting('--report', invocation.text('report'), sources)
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

function refuseOverwriting(flag: string, file: string | undefined, sources: readonly string[]): void {
  const source = file === undefined ? undefined : sources.find((each) => isSameFile(each, file))
  if (source !== undefined)
    throw new UsageFault(`Cannot write ${flag} to ${file}: it is a source of this import; name another file`)
}

async function readMapping(file: string | undefined): Promise<Mapping> {
  if (file === undefined) return new Map()
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const why = isMissing ? 'there is no such file' : error instanceof Error ? error.message : String(error)
    throw new UsageFault(`Cannot read mapping ${file}: ${why}`)
  }
  return parseMapping(text, file)
}

async function requireFolder(folder: string): Promise<void> {
  const facts = await stat(folder).catch(() => undefined)
  if (facts?.isDirectory() !== true)
    throw new UsageFault(`Cannot read documents from ${folder}: there is no such folder`)
}

function parseAllowedHosts(invocation: Invocation): readonly string[] {
  const hosts = invocation.texts('allow-host')
  if (hosts.length > 0 && !invocation.isOn('fetch-documents')) {
    throw new UsageFault('Cannot use --allow-host alone: it says where --fetch-documents may fetch from')
  }
  if (hosts.length === 0 && invocation.isOn('fetch-documents')) {
    throw new UsageFault('Cannot fetch documents: name every host they may come from, --allow-host HOST')
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

/** Beside a registry that is a file; else where a registry that is a file would be. */
function toCacheFolder(database: string): string {
  const file = database.startsWith('sqlite:') ? database.slice('sqlite:'.length) : 'data/registry.db'
  return join(dirname(file), 'document-texts')
}

/** What became of the import is decided by now, whether the report can be written or not. */
async function writeLate(file: string, report: ImportReport): Promise<void> {
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

/** A full disk, a folder that may not be written, a broken device: the machine's fault, not that of the data. */
function isSystemError(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false
  return 'errno' in error || error.code === 'ERR_SQLITE_ERROR'
}
