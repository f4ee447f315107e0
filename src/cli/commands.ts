// The table of commands and the table of settings. config.ts parses the command line by them, `--help` and the
// completion scripts print them, and a test compares docs/settings.md with them.
import { filterNames, filters, toFlag } from '../domain/parameters.ts'
import { importSettings } from './import-settings.ts'
import { serveSettings } from './serve-settings.ts'
import type { CommandName, Setting } from './setting.ts'

export { readServeSettings, type ServeValues } from './serve-settings.ts'
export type { CommandName, Setting } from './setting.ts'

/** Description of a command for `--help`. main.ts has the function that runs it. */
export interface CommandHelp {
  readonly name: CommandName
  /** Positional arguments, such as `SOURCE…`. Absent if the command takes none. */
  readonly operands?: string
  readonly meaning: string
  readonly examples: readonly string[]
}

export const commands: readonly CommandHelp[] = [
  {
    name: 'serve',
    meaning: 'Starts the service; if the default database does not exist, first builds it from the bundled sample',
    examples: [
      'planning-registry serve',
      'planning-registry serve --database sqlite:registry.db --port 8080',
      'planning-registry serve --tls-cert chain.pem --tls-key key.pem --host 0.0.0.0',
    ],
  },
  {
    name: 'import',
    operands: 'SOURCE…',
    meaning: 'Imports records (CSV, JSON, NDJSON, XLSX, - or postgres://…) and documents as a new snapshot',
    examples: [
      'planning-registry import records.csv',
      'planning-registry import records.xlsx --documents scans --ocr --max-rejects 10 --report report.json',
      'planning-registry import records.csv --fetch-documents --allow-host docs.example.org',
      "planning-registry import postgres://host/plans --query 'select * from registry' --mapping columns.json",
    ],
  },
  {
    name: 'check',
    meaning: 'Checks a registry: integrity, counts, records without text, dead links',
    examples: ['planning-registry check', 'planning-registry check --database sqlite:registry.db --full --links'],
  },
  {
    name: 'sample',
    operands: 'DIR',
    meaning: 'Writes a fictional registry to DIR/records.csv and DIR/documents/*.pdf',
    examples: [
      'planning-registry sample demo',
      'planning-registry sample demo --records 100000 --documents 500 --seed 7',
    ],
  },
  {
    name: 'search',
    operands: '[TERM…]',
    meaning: 'Searches a database or a running service; exit status 0: found, 1: nothing found, 2: error',
    examples: [
      'planning-registry search plan parcial --municipality Ávila',
      'planning-registry search --province Ávila --since 2015 --until 2020-06 --csv > plans.csv',
      'planning-registry search \'"suelo urbanizable"\' --url https://planning.example.org/registry --ndjson',
      'planning-registry search --code 03082-1001 --json',
      'planning-registry search molinos harineros --passages',
    ],
  },
  {
    name: 'mcp',
    meaning: 'Runs a Model Context Protocol (MCP) server on standard input and output',
    examples: [
      'planning-registry mcp --database sqlite:data/registry.db',
      'planning-registry mcp --url https://planning.example.org/registry',
    ],
  },
  {
    name: 'completion',
    operands: 'SHELL',
    meaning: 'Prints the completion script for bash, zsh or fish',
    examples: [
      'eval "$(planning-registry completion bash)"',
      'eval "$(planning-registry completion zsh)"',
      'planning-registry completion fish | source',
    ],
  },
]

/** The flags of `search` for the filters. */
const filterSettings: readonly Setting[] = filterNames.flatMap((name): Setting | [] => {
  const flag = toFlag(name)
  const { meaning, placeholder } = filters[name]
  const texts = { placeholder: placeholder.en, meaning: meaning.en, spanish: meaning.es }
  return flag === null ? [] : { flag, ...texts, commands: ['search'] }
})

const { database, dataDir, allowInsecure, logLevel, ...settingsOfServe } = serveSettings

/** In the order of `--help`. Two commands may have different settings with the same flag, such as `--documents`. */
export const settings: readonly Setting[] = [
  database,
  dataDir,
  allowInsecure,
  {
    flag: 'url',
    placeholder: 'URL',
    meaning: 'Base address of a running service to use instead of a database',
    commands: ['search', 'mcp'],
  },
  {
    flag: 'lang',
    placeholder: 'LANGUAGE',
    meaning: 'Messages in es or en',
    spanish: 'Idioma de los mensajes: es (español) o en (inglés)',
    details: 'reports and progress too; by default the language of the locale',
    spanishDetails: 'también los informes y el progreso; por defecto, el idioma del sistema',
    commands: ['serve', 'import', 'search', 'check', 'sample', 'mcp', 'completion'],
  },
  logLevel,
  ...Object.values(settingsOfServe),
  ...importSettings,
  { flag: 'full', meaning: 'Compare every record with the index, and not only some', commands: ['check'] },
  { flag: 'links', meaning: 'Also request the address of every document and list dead links', commands: ['check'] },
  {
    flag: 'records',
    placeholder: 'NUMBER',
    default: '3000',
    meaning: 'Number of records to write',
    commands: ['sample'],
  },
  {
    flag: 'documents',
    placeholder: 'NUMBER',
    default: '40',
    meaning: 'Number of PDF documents to write',
    commands: ['sample'],
  },
  {
    flag: 'seed',
    placeholder: 'TEXT',
    default: 'sample',
    meaning: 'Random seed; the same seed writes the same bytes',
    commands: ['sample'],
  },
  ...filterSettings,
  {
    flag: 'limit',
    placeholder: 'NUMBER',
    meaning: 'Maximum number of records; by default 50 on a terminal, else all',
    commands: ['search'],
  },
  {
    flag: 'passages',
    meaning: 'Show where the words stand in the documents: page and text around them',
    commands: ['search'],
  },
  { flag: 'json', meaning: 'Print the JSON of the service', commands: ['search'] },
  { flag: 'ndjson', meaning: 'Print one JSON object per line', commands: ['search'] },
  { flag: 'csv', meaning: 'Print comma-separated values', commands: ['search'] },
]

/** Settings that are accepted for one more version and have no effect. */
export const goneSettings: readonly Setting[] = [
  {
    flag: 'cache-mb',
    variable: 'CACHE_MB',
    placeholder: 'NUMBER',
    meaning: 'Cache for pages of the registry file',
    commands: ['serve'],
  },
]
