// What an import is told by its flags: checks the settings of `import` with each other and reads the files that they
// name, before anything is opened.
import { hash } from 'node:crypto'
import { dirname, join, resolve } from 'node:path'
import { type Invocation, UsageFault } from '../cli/config.ts'
import { type ImportValues, importSettings } from '../cli/import-settings.ts'
import { sharedSettings } from '../cli/shared-settings.ts'
import { type PatternFault, parseCodePattern } from '../domain/code-pattern.ts'
import { toCodeFormat } from '../domain/inscription-code.ts'
import { t } from '../language.ts'
import { isSqliteAddress, toFilePath, toPublishedFolder } from '../registry/open.ts'
import { toLocalCopy } from '../registry/stores/open-remote.ts'
import { toAllowedOrigins } from './documents/address-policy.ts'
import { DocumentFolder } from './documents/document-folder.ts'
import type { DocumentOptions } from './documents/documents.ts'
import { parseOcrLanguages } from './documents/ocr-languages.ts'
import { PublishedFiles } from './documents/published-files.ts'
import { DocumentFault } from './documents/reference.ts'
import { pointToSameFile, readJsonFile } from './files.ts'
import { withPlan } from './plan-file.ts'
import { isTimeZone } from './rows/calendar-date.ts'
import { parseFields, toFieldForms } from './rows/field-forms.ts'
import { type ParsedMapping, parseMapping } from './rows/mapping.ts'
import { type RowRules, toRowRules } from './rows/normalise.ts'
import { isPostgresAddress, type SourceOptions } from './sources/open.ts'

/** The values of the flags; those that are files or texts of a language of their own are parsed. */
export interface ImportPlan
  extends SourceOptions,
    Omit<ImportValues, 'plan' | 'mapping' | 'fields' | 'recordsAt' | 'sheet' | 'query' | 'codePattern' | 'documents'> {
  /** Address of the registry to publish to. */
  readonly database: string
  /** `--data-dir`: where the local copy of a registry on PostgreSQL lies, beside which the new one is built. */
  readonly dataDir: string
  /** Paths, `-` for standard input, and PostgreSQL addresses; or a single registry (`sqlite:PATH`), which is copied. */
  readonly sources: readonly string[]
  /** `--code-pattern`, which the snapshot keeps; null for the standard format `<prefix>-<number>`. */
  readonly codePattern: string | null
  /** Which values the rows may have. */
  readonly rules: RowRules
  /** Where the files lie that imports with `--publish-documents` have kept for readers. */
  readonly publishedFolder: string
  readonly documents: Omit<DocumentOptions, 'onProgress'>
}

/** Throws `UsageFault` for wrong usage. */
export async function parseImportPlan(given: Invocation): Promise<ImportPlan> {
  const invocation = await withPlan(given)
  const { database, dataDir } = sharedSettings.read(invocation)
  const values = importSettings.read(invocation)
  const sources = invocation.positionals
  checkSources(sources, values)
  requireOwnFiles(sources, database, values)
  if (values.writeMapping !== undefined && !values.inspect)
    throw new UsageFault(t`Cannot use --write-mapping without --inspect; add --inspect, which imports nothing`)
  if (!isTimeZone(values.timeZone))
    throw new UsageFault(t`Cannot read --time-zone: expected a name such as Europe/Madrid, got "${values.timeZone}"`)
  if (values.documents !== undefined) await requireFolder(values.documents)
  const codePattern = toCodePattern(values.codePattern)
  const { mapping, fields } = await readMapping(values.mapping)
  const documentsUrl = toDocumentsUrl(values, database)
  const registryPath = isPostgresAddress(database)
    ? (await toLocalCopy(database, dataDir)).folder
    : resolve(toFilePath(database))
  const publishedFolder = toPublishedFolder(dataDir, registryPath)
  return {
    ...values,
    database,
    dataDir,
    sources,
    mapping,
    codePattern,
    isCode: codePattern === null ? undefined : toCodeFormat(codePattern).isCode,
    rules: {
      ...toRowRules({ ...values, codePattern }),
      // The flag wins over the mapping file.
      fields: values.fields === undefined ? toFieldForms(fields, values.mapping ?? '') : parseFields(values.fields),
    },
    standardInput: process.stdin,
    publishedFolder,
    documents: {
      folder: values.documents,
      published: values.publishDocuments
        ? new PublishedFiles({ folder: publishedFolder, registryPath, url: documentsUrl, dryRun: values.dryRun })
        : undefined,
      withDownloads: values.fetchDocuments,
      allowHosts: toAllowedHosts(values),
      ocr: values.ocr,
      ocrLanguages: toOcrLanguages(values),
      // A hash, because an address may have a password.
      registry: hash('sha256', isSqliteAddress(database) ? resolve(toFilePath(database)) : database),
      cacheFolder: values.documentCache ?? toCacheFolder(database, dataDir),
    },
  }
}

function checkSources(sources: readonly string[], { query, sheet, recordsAt }: ImportValues): void {
  if (sources.length === 0)
    throw new UsageFault(t`Cannot import: no source given; use planning-registry import FILE (- for standard input)`)
  if (sources.filter((source) => source === '-').length > 1)
    throw new UsageFault(t`Cannot import: - (standard input) can be given only once`)
  if (query !== undefined && !sources.some(isPostgresAddress))
    throw new UsageFault(t`Cannot use --query: no source is a PostgreSQL address (postgres://…)`)
  const areAllCsv = sources.every((source) => /\.(?:csv|tsv)$/i.test(source))
  if (areAllCsv && sheet !== undefined)
    throw new UsageFault(
      t`Cannot use --sheet: every source is named .csv or .tsv; leave it out, or rename the workbook`,
    )
  if (areAllCsv && recordsAt !== undefined)
    throw new UsageFault(
      t`Cannot use --records-at: every source is named .csv or .tsv; leave it out, or rename the JSON file`,
    )
}

/** Returns the pattern that the registry keeps; null for the standard form of codes. */
function toCodePattern(text: string | undefined): string | null {
  if (text === undefined) return null
  const parsed = parseCodePattern(text)
  if ('pattern' in parsed) return parsed.pattern
  const problems: Readonly<Record<PatternFault, string>> = {
    'too long': t`it is longer than 200 characters`,
    invalid: t`it is not a regular expression`,
    unsafe: t`groups that repeat must not contain repetitions or alternatives, and there must be no lookaround or back reference`,
    slow: t`some texts would take too long; separate its repetitions by a character that they do not match, as in \\d+/\\d+, or limit them, as in \\d{1,8}`,
    'matches the empty text': t`it also matches an empty code`,
  }
  throw new UsageFault(t`Cannot use --code-pattern ${text}: ${problems[parsed.fault]}`)
}

/**
 * Throws `UsageFault` if an output would overwrite a source, the registry, the mapping or another output. Only
 * `--write-mapping` may overwrite the mapping.
 */
function requireOwnFiles(sources: readonly string[], database: string, values: ImportValues): void {
  // `toFilePath` returns the path in `sqlite:PATH` and leaves other texts as they are: paths, and also `-` and
  // `postgres://…`, which name no file.
  const taken = [
    ...sources.map((source) => ({ path: toFilePath(source), role: t`a source of this import` })),
    { path: toFilePath(database), role: t`the registry` },
  ]
  // `--plan` and `--mapping` are no outputs. `--mapping` comes after `--write-mapping`, which may overwrite it.
  const files = {
    plan: values.plan,
    'write-mapping': values.writeMapping,
    mapping: values.mapping,
    rejects: values.rejects,
    report: values.report,
  }
  for (const [name, path] of Object.entries(files)) {
    if (path === undefined) continue
    const flag = `--${name}`
    const same =
      name === 'mapping' || name === 'plan' ? undefined : taken.find((each) => pointToSameFile(each.path, path))
    if (same !== undefined)
      throw new UsageFault(t`Cannot write the file of ${flag} to ${path}: it is ${same.role}; choose another file`)
    taken.push({ path, role: t`the file of ${flag}` })
  }
}

/** The value is a path, or the JSON itself, as in `--mapping '{"title":"Denominación"}'`. */
async function readMapping(pathOrJson: string | undefined): Promise<ParsedMapping> {
  if (pathOrJson === undefined) return { mapping: new Map(), fields: [] }
  if (pathOrJson.trimStart().startsWith('{')) return parseMapping(pathOrJson, '--mapping')
  const { text, problem } = await readJsonFile(pathOrJson)
  if (problem !== undefined) throw new UsageFault(t`Cannot read mapping ${pathOrJson}: ${problem}`)
  return parseMapping(text, pathOrJson)
}

/** Throws `UsageFault` if the documents folder does not exist or may not be read. */
async function requireFolder(folder: string): Promise<void> {
  try {
    await DocumentFolder.open(folder)
  } catch (error) {
    throw error instanceof DocumentFault ? new UsageFault(error.message) : error
  }
}

function toOcrLanguages({ ocr, ocrLanguages }: ImportValues): readonly string[] | undefined {
  if (ocrLanguages === undefined) return undefined
  if (!ocr) throw new UsageFault(t`Cannot use --ocr-languages without --ocr`)
  const languagesOrReason = parseOcrLanguages(ocrLanguages)
  if (typeof languagesOrReason !== 'string') return languagesOrReason
  throw new UsageFault(t`Cannot read --ocr-languages ${ocrLanguages}: ${languagesOrReason}`)
}

/** Checks `--publish-documents`, and returns the address of the published files, with a slash at the end. */
function toDocumentsUrl(
  { documents, publishDocuments, documentsUrl, export: exportFolder }: ImportValues,
  database: string,
): string | undefined {
  if (documentsUrl !== undefined && !publishDocuments)
    throw new UsageFault(t`Cannot use --documents-url without --publish-documents`)
  if (!publishDocuments) return undefined
  if (documents === undefined) throw new UsageFault(t`Cannot use --publish-documents without --documents DIR`)
  if (documentsUrl !== undefined) return parseDocumentsUrl(documentsUrl)
  if (isSqliteAddress(database) && exportFolder === undefined) return undefined
  throw new UsageFault(
    t`Cannot publish the documents: services that follow this registry would not have the files; upload them to a web server and name it with --documents-url`,
  )
}

function parseDocumentsUrl(text: string): string {
  const url = URL.parse(text)
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === ''
  if (!isPlain || url.username !== '' || url.password !== '')
    throw new UsageFault(t`Cannot read --documents-url: expected https://HOST/PATH, got "${text}"`)
  return url.href.endsWith('/') ? url.href : `${url.href}/`
}

/** The hosts that `--fetch-documents` requires, such as `example.es` or `example.es:8443`. */
function toAllowedHosts({ allowHost: hosts, fetchDocuments }: ImportValues): readonly string[] {
  if (hosts.length > 0 && !fetchDocuments) throw new UsageFault(t`Cannot use --allow-host without --fetch-documents`)
  if (hosts.length === 0 && fetchDocuments)
    throw new UsageFault(t`Cannot fetch documents: allow every host they come from with --allow-host HOST`)
  const wrong = hosts.find((host) => toAllowedOrigins(host) === undefined)
  if (wrong === undefined) return hosts
  throw new UsageFault(t`Cannot read --allow-host: expected HOST or HOST:PORT, got "${wrong}"`)
}

/**
 * The default folder of the document cache: next to a SQLite registry; for PostgreSQL, next to where the default SQLite
 * registry would be.
 */
function toCacheFolder(database: string, dataDir: string): string {
  return join(isSqliteAddress(database) ? dirname(toFilePath(database)) : dataDir, 'document-texts')
}
