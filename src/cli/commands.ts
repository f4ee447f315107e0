// Every command and every setting of each: one table of flag, variable, default and meaning. config.ts reads the
// command line by it, `--help` and completion print it, and docs/configuration.md is checked against it.

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
    flag: 'cache-mb',
    variable: 'CACHE_MB',
    value: 'NUMBER',
    default: '64',
    meaning: 'Memory in MB in which each process caches records and posting lists',
    commands: ['serve'],
  },
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
