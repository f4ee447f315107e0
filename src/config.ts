// Every setting of every command: one table of flag, variable, default and meaning, from which the command line is
// parsed, `--help` is printed and docs/configuration.md is checked. The only reader of process.env.
import { parseArgs } from 'node:util'
import { nearestWords } from './text/nearest.ts'

export interface Setting {
  /** Long flag without the dashes. */
  readonly flag: string
  readonly variable?: string
  /** Absent for a switch. */
  readonly value?: string
  readonly default?: string
  readonly meaning: string
  readonly commands: readonly CommandName[]
}

export type CommandName = 'serve' | 'import' | 'search' | 'check' | 'sample' | 'mcp' | 'completion'

/** What a command is, for `--help`; main.ts knows how each is run. */
export interface CommandHelp {
  readonly name: CommandName
  /** Positional arguments, as in `SOURCE…`; absent where it takes none. */
  readonly operands?: string
  readonly meaning: string
  readonly examples: readonly string[]
}

export const commands: readonly CommandHelp[] = [
  {
    name: 'serve',
    meaning: 'Starts the service',
    examples: [
      'planning-registry serve',
      'planning-registry serve --database sqlite:registry.db --port 8080',
      'planning-registry serve --tls-cert chain.pem --tls-key key.pem --host 0.0.0.0',
    ],
  },
  {
    name: 'import',
    operands: 'SOURCE…',
    meaning: 'Reads records (CSV, JSON, NDJSON, XLSX, - or postgres://…) and documents, publishes a new snapshot',
    examples: [
      'planning-registry import records.csv',
      'planning-registry import records.xlsx --documents scans --ocr --max-rejects 10 --report report.json',
      'planning-registry import records.csv --fetch-documents --allow-host docs.example.org',
      "planning-registry import postgres://host/plans --query 'select * from registry' --mapping columns.json",
    ],
  },
  {
    name: 'check',
    meaning: 'Says whether a registry is sound: integrity, counts, records without text, dead links',
    examples: ['planning-registry check', 'planning-registry check --database sqlite:registry.db --links'],
  },
  {
    name: 'sample',
    operands: 'DIR',
    meaning: 'Writes a fictional registry, DIR/records.csv and DIR/documents/*.pdf, the same for the same seed',
    examples: [
      'planning-registry sample demo',
      'planning-registry sample demo --records 100000 --documents 500 --seed 7',
    ],
  },
  {
    name: 'search',
    operands: '[TERM]',
    meaning: 'Asks a database or a running service; exit status 0 found, 1 nothing found, 2 trouble',
    examples: [
      'planning-registry search plan parcial --municipality Ávila',
      'planning-registry search --checkin-date 2004 --csv > 2004.csv',
      'planning-registry search \'"suelo urbanizable"\' --url https://planning.example.org/registry --ndjson',
      'planning-registry search --code 03082-1101 --json',
    ],
  },
  {
    name: 'mcp',
    meaning: 'Serves the registry to an assistant on this machine (Model Context Protocol, standard input and output)',
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

export const settings: readonly Setting[] = [
  {
    flag: 'database',
    variable: 'DATABASE_URL',
    value: 'URL',
    default: 'sqlite:data/registry.db',
    meaning: 'The registry: sqlite:PATH, or postgres://… for PostgreSQL, several hosts allowed',
    commands: ['serve', 'import', 'search', 'check', 'mcp'],
  },
  {
    flag: 'host',
    variable: 'HOST',
    value: 'ADDRESS',
    default: '127.0.0.1',
    meaning: 'Address to listen on',
    commands: ['serve'],
  },
  {
    flag: 'port',
    variable: 'PORT',
    value: 'NUMBER',
    meaning: 'Port to listen on: 8080, or 443 once a certificate is given; 0 takes a free one',
    commands: ['serve'],
  },
  {
    flag: 'base-path',
    variable: 'BASE_PATH',
    value: 'PATH',
    default: '/registry',
    meaning: 'Path prefix of every address',
    commands: ['serve'],
  },
  {
    flag: 'public-url',
    variable: 'PUBLIC_URL',
    value: 'URL',
    meaning: 'Base address as clients see it, for links and OpenAPI behind a proxy; derived where absent',
    commands: ['serve'],
  },
  {
    flag: 'tls-cert',
    variable: 'TLS_CERT',
    value: 'FILE',
    meaning: 'Certificate chain in PEM; with --tls-key the service speaks HTTPS',
    commands: ['serve'],
  },
  { flag: 'tls-key', variable: 'TLS_KEY', value: 'FILE', meaning: 'Private key in PEM', commands: ['serve'] },
  {
    flag: 'workers',
    variable: 'WORKERS',
    value: 'NUMBER',
    default: '1',
    meaning: 'Processes that share the port; auto for one a core',
    commands: ['serve'],
  },
  {
    flag: 'admin-port',
    variable: 'ADMIN_PORT',
    value: 'NUMBER',
    meaning: 'Port on loopback for /live, /ready and /metrics; off where absent',
    commands: ['serve'],
  },
  {
    flag: 'mcp',
    variable: 'MCP',
    meaning: 'Answer assistants too, at {base}/mcp (Model Context Protocol, streamable HTTP)',
    commands: ['serve'],
  },
  {
    flag: 'rate-limit',
    variable: 'RATE_LIMIT',
    value: 'NUMBER',
    meaning: 'Requests that one client may send in a minute; no limit where absent',
    commands: ['serve'],
  },
  {
    flag: 'trusted-proxy',
    variable: 'TRUSTED_PROXY',
    value: 'ADDRESS',
    meaning: 'Proxy whose X-Forwarded-For is believed: an address or a network, several by commas or repeated',
    commands: ['serve'],
  },
  {
    flag: 'dataset-title',
    variable: 'DATASET_TITLE',
    value: 'TEXT',
    default: 'Urban-planning records',
    meaning: 'What the catalogue calls the registry',
    commands: ['serve'],
  },
  {
    flag: 'dataset-publisher',
    variable: 'DATASET_PUBLISHER',
    value: 'TEXT',
    default: 'Planning registry',
    meaning: 'Who the catalogue says publishes the registry',
    commands: ['serve'],
  },
  {
    flag: 'dataset-licence',
    variable: 'DATASET_LICENCE',
    value: 'URL',
    meaning: 'Licence of the records, for the catalogue',
    commands: ['serve'],
  },
  {
    flag: 'dataset-spatial',
    variable: 'DATASET_SPATIAL',
    value: 'URL',
    meaning: 'Address of the area covered (such as a GeoNames or NUTS one), for the catalogue',
    commands: ['serve'],
  },
  {
    flag: 'dataset-contact',
    variable: 'DATASET_CONTACT',
    value: 'URL',
    meaning: 'Whom to ask about the records, mailto:… or https:…, for the catalogue',
    commands: ['serve'],
  },
  {
    flag: 'log-level',
    variable: 'LOG_LEVEL',
    value: 'LEVEL',
    default: 'info',
    meaning: 'fatal, error, warn, info, debug, trace or silent; JSON lines on standard error when it is no terminal',
    commands: ['serve', 'import'],
  },
  {
    flag: 'mapping',
    value: 'FILE',
    meaning: 'JSON object of our column → heading of the source, for a source with other headings',
    commands: ['import'],
  },
  {
    flag: 'query',
    value: 'SQL',
    meaning: 'What to read from a source that is a postgres:// address',
    commands: ['import'],
  },
  {
    flag: 'documents',
    value: 'DIR',
    meaning: 'Folder of the files that column document names',
    commands: ['import'],
  },
  {
    flag: 'fetch-documents',
    meaning: 'Download what links and agreement_link point at, from the hosts of --allow-host only',
    commands: ['import'],
  },
  {
    flag: 'allow-host',
    value: 'HOST[:PORT]',
    meaning: 'A host that documents may be fetched from; may be repeated',
    commands: ['import'],
  },
  { flag: 'ocr', meaning: 'Read the pages that are scans, in Spanish; about 5 s a page', commands: ['import'] },
  {
    flag: 'document-cache',
    variable: 'DOCUMENT_CACHE',
    value: 'DIR',
    meaning: 'Where the texts of documents are kept for the next import; document-texts beside the database by default',
    commands: ['import'],
  },
  {
    flag: 'rejects',
    value: 'FILE',
    meaning: 'Where refused rows go, with line and reason; SOURCE.rejects.csv by default',
    commands: ['import'],
  },
  {
    flag: 'max-rejects',
    value: 'NUMBER',
    default: '0',
    meaning: 'With more refused rows than these nothing is published',
    commands: ['import'],
  },
  { flag: 'dry-run', meaning: 'Do everything but publish', commands: ['import'] },
  { flag: 'report', value: 'FILE', meaning: 'Write the report as JSON, too', commands: ['import'] },
  { flag: 'links', meaning: "Ask every document's address, too, and list the dead ones", commands: ['check'] },
  {
    flag: 'records',
    value: 'NUMBER',
    default: '3000',
    meaning: 'How many fictional records to write',
    commands: ['sample'],
  },
  {
    flag: 'documents',
    value: 'NUMBER',
    default: '40',
    meaning: 'How many PDF documents to write beside them',
    commands: ['sample'],
  },
  {
    flag: 'seed',
    value: 'TEXT',
    default: 'sample',
    meaning: 'What the chance of the sample begins with: the same seed writes the same bytes',
    commands: ['sample'],
  },
  {
    flag: 'url',
    value: 'URL',
    meaning: 'Base address of a running service to ask instead of a database',
    commands: ['search', 'mcp'],
  },
  { flag: 'municipality', value: 'NAME', meaning: 'Only records of the municipality', commands: ['search'] },
  { flag: 'checkin-date', value: 'YEAR', meaning: 'Only records that entered in the year', commands: ['search'] },
  { flag: 'code', value: 'CODE', meaning: 'Only the record with the inscription code', commands: ['search'] },
  {
    flag: 'limit',
    value: 'NUMBER',
    meaning: 'Stop after so many records; 50 for a table on a terminal, else all of them',
    commands: ['search'],
  },
  { flag: 'json', meaning: 'Print what the service sends', commands: ['search'] },
  { flag: 'ndjson', meaning: 'Print one JSON object a line', commands: ['search'] },
  { flag: 'csv', meaning: 'Print comma-separated values', commands: ['search'] },
]

export interface Invocation {
  readonly command: CommandName
  readonly positionals: readonly string[]
  /** The value of a setting: flag, else variable, else default. */
  text(flag: string): string | undefined
  isOn(flag: string): boolean
  /** Every value of a flag that may be repeated. */
  texts(flag: string): readonly string[]
  /** Whether the user named a value, by flag or by variable; otherwise it is the default. */
  isGiven(flag: string): boolean
  /** What the user wrote it as: the flag, or the variable that stands for it. */
  nameOf(flag: string): string
}

/** Wrong usage: one line that names the thing and the mend, exit status 2. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault'
}

export function parseInvocation(command: CommandName, args: readonly string[]): Invocation {
  const known = settings.filter((setting) => setting.commands.includes(command))
  const options = Object.fromEntries(
    known.map((setting) => [
      setting.flag,
      { type: setting.value === undefined ? ('boolean' as const) : ('string' as const), multiple: true },
    ]),
  )
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  for (const token of tokens) {
    if (token.kind === 'option') refuseWrongFlag(command, known, token)
  }
  const operands = commands.find((each) => each.name === command)?.operands
  const [first] = positionals
  if (operands === undefined && first !== undefined) {
    throw new UsageFault(`Cannot read "${first}": ${command} takes flags only; see planning-registry ${command} --help`)
  }
  const settingOf = (flag: string): Setting | undefined => known.find((each) => each.flag === flag)
  const givenTexts = (flag: string): string[] => {
    const byFlag = values[flag]
    if (Array.isArray(byFlag)) return byFlag.filter((value) => typeof value === 'string')
    const variable = settingOf(flag)?.variable
    const byVariable = variable === undefined ? undefined : process.env[variable]
    return byVariable === undefined || byVariable === '' ? [] : [byVariable]
  }
  const texts = (flag: string): string[] => {
    const given = givenTexts(flag)
    const fallback = settingOf(flag)?.default
    return given.length > 0 || fallback === undefined ? given : [fallback]
  }
  return {
    command,
    positionals,
    text: (flag) => texts(flag).at(-1),
    isOn: (flag) => {
      const variable = settingOf(flag)?.variable
      return values[flag] !== undefined || (variable !== undefined && isYes(process.env[variable]))
    },
    texts,
    isGiven: (flag) => givenTexts(flag).length > 0,
    nameOf: (flag) => (values[flag] === undefined ? settingOf(flag)?.variable : undefined) ?? `--${flag}`,
  }
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function refuseWrongFlag(command: CommandName, known: readonly Setting[], token: OptionToken): void {
  const setting = known.find((each) => each.flag === token.name)
  if (setting === undefined) {
    const flags = known.map((each) => each.flag)
    const [nearest] = nearestWords(token.name, flags, Math.ceil(token.name.length / 3))
    const mend = nearest === undefined ? `see planning-registry ${command} --help` : `did you mean --${nearest}?`
    throw new UsageFault(`Cannot read ${token.rawName}: ${command} has no such flag; ${mend}`)
  }
  if (setting.value === undefined && token.value !== undefined) {
    throw new UsageFault(`Cannot read ${token.rawName}=${token.value}: ${token.rawName} takes no value`)
  }
  const isMissing = (token.value ?? '') === '' || (token.inlineValue !== true && token.value?.startsWith('--'))
  if (setting.value !== undefined && isMissing) {
    throw new UsageFault(`Cannot read ${token.rawName}: it needs a value, ${token.rawName} ${setting.value}`)
  }
}

/** https://no-color.org: any value of NO_COLOR turns colours off. */
export function isColourWanted(): boolean {
  return (process.env.NO_COLOR ?? '') === ''
}

function isYes(text: string | undefined): boolean {
  return text === '1' || text === 'true' || text === 'yes'
}

/** Reads a whole number of a setting; `undefined` where the setting has no value at all. */
export function wholeNumber(invocation: Invocation, flag: string, min: number, max: number): number | undefined {
  const text = invocation.text(flag)
  if (text === undefined) return undefined
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  throw malformed(invocation, flag, `a whole number from ${min} to ${max}`)
}

export function malformed(invocation: Invocation, flag: string, expected: string): UsageFault {
  const got = invocation.text(flag)
  return new UsageFault(`Cannot read ${invocation.nameOf(flag)}: expected ${expected}, got "${got}"`)
}

/** Whether bold text and links may be written to it: a terminal that can, and nobody said NO_COLOR (no-color.org). */
export function isDressed(output: { readonly isTTY?: boolean }): boolean {
  return output.isTTY === true && isColourWanted() && process.env.TERM !== 'dumb'
}
