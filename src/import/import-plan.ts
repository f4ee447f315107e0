// Parses the flags of `planning-registry import` into an `ImportPlan`, which command.ts runs.
import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Invocation, parseWholeNumber, UsageFault } from '../cli/config.ts'
import { type PatternFault, parseCodePattern } from '../domain/code-pattern.ts'
import { toCodeFormat } from '../domain/inscription-code.ts'
import { t } from '../language.ts'
import { isSqliteAddress, toFilePath } from '../registry/open.ts'
import { systemReasonOf } from '../system-reason.ts'
import { toAllowedOrigins } from './documents/address-policy.ts'
import { DocumentFolder } from './documents/document-folder.ts'
import type { DocumentOptions } from './documents/documents.ts'
import { parseOcrLanguages } from './documents/ocr-languages.ts'
import { DocumentFault } from './documents/reference.ts'
import { type DuplicateRule, duplicateRules } from './duplicates.ts'
import type { ImportPlan } from './import.ts'
import { parseLossMax } from './publish-guard.ts'
import { pointToSameFile } from './rejects.ts'
import { isTimeZone } from './rows/calendar-date.ts'
import { type Mapping, parseMapping } from './rows/mapping.ts'
import { isPostgresAddress } from './sources/open.ts'

/** The largest number that `--max-rejects` accepts. */
const acceptedRejectsMax = 999_999_999

/** Throws `UsageFault` for wrong usage. A flag read with `?? ''` has a default; `?? ''` is there for the compiler. */
export async function parseImportPlan(invocation: Invocation): Promise<ImportPlan> {
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
    dataDir: invocation.value('data-dir'),
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
      // A hash, because an address may have a password.
      registry: hash('sha256', isSqliteAddress(database) ? resolve(toFilePath(database)) : database),
      cacheFolder: invocation.value('document-cache') ?? toCacheFolder(database, invocation.value('data-dir') ?? ''),
    },
    ...toOptional('query', query),
    ...toOptional('rejects', invocation.value('rejects')),
    ...toOptional('exportFolder', invocation.value('export')),
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
    rebuilds: invocation.isEnabled('rebuild'),
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
function toCacheFolder(database: string, dataDir: string): string {
  return join(isSqliteAddress(database) ? dirname(toFilePath(database)) : dataDir, 'document-texts')
}
