// The table of commands and the table of settings. config.ts parses the command line by them, `--help` and the
// completion scripts print them, and a test compares docs/configuration.md with them.

/** A setting of one or several commands, given by flag or environment variable. */
export interface Setting {
  /** Long flag without the dashes. */
  readonly flag: string
  /** Environment variable that sets the same value. */
  readonly variable?: string
  /** Placeholder of the value in help texts, such as `FILE`. Absent for a switch, which takes no value. */
  readonly value?: string
  readonly default?: string
  readonly meaning: string
  /** `--help` prints this after the meaning. */
  readonly details?: string
  readonly commands: readonly CommandName[]
}

export type CommandName = 'serve' | 'import' | 'search' | 'check' | 'sample' | 'mcp' | 'completion'

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
    examples: ['planning-registry check', 'planning-registry check --database sqlite:registry.db --links'],
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
    operands: '[TERM]',
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

export const settings: readonly Setting[] = [
  {
    flag: 'database',
    variable: 'DATABASE_URL',
    value: 'URL',
    default: 'sqlite:data/registry.db',
    meaning: 'Registry to use',
    details: 'sqlite:PATH, or postgres://… with one or more hosts',
    commands: ['serve', 'import', 'search', 'check', 'mcp'],
  },
  {
    flag: 'url',
    value: 'URL',
    meaning: 'Base address of a running service to use instead of a database',
    commands: ['search', 'mcp'],
  },
  {
    flag: 'lang',
    value: 'LANGUAGE',
    meaning: 'Messages in es or en',
    details: 'reports and progress too; by default the language of the locale',
    commands: ['serve', 'import', 'search', 'check', 'sample', 'mcp', 'completion'],
  },
  {
    flag: 'log-level',
    variable: 'LOG_LEVEL',
    value: 'LEVEL',
    default: 'info',
    meaning: 'fatal, error, warn, info, debug, trace or silent',
    details: 'logs go to standard error, as JSON lines unless it is a terminal',
    commands: ['serve', 'import'],
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
    meaning: 'Port to listen on: 8080, or 443 with a certificate; 0 for any free port',
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
    meaning: 'Base address that clients use, if a proxy changes it',
    commands: ['serve'],
  },
  {
    flag: 'tls-cert',
    variable: 'TLS_CERT',
    value: 'FILE',
    meaning: 'Certificate chain in PEM; turns HTTPS on, together with --tls-key',
    commands: ['serve'],
  },
  { flag: 'tls-key', variable: 'TLS_KEY', value: 'FILE', meaning: 'Private key in PEM', commands: ['serve'] },
  {
    flag: 'cache-mb',
    variable: 'CACHE_MB',
    value: 'NUMBER',
    default: '64',
    meaning: 'Cache for records and posting lists, in MB per process',
    commands: ['serve'],
  },
  {
    flag: 'workers',
    variable: 'WORKERS',
    value: 'NUMBER',
    default: '1',
    meaning: 'Number of worker processes; auto for one per core',
    commands: ['serve'],
  },
  {
    flag: 'admin-port',
    variable: 'ADMIN_PORT',
    value: 'NUMBER',
    meaning: 'Port for /live, /ready and /metrics; off by default',
    commands: ['serve'],
  },
  {
    flag: 'admin-host',
    variable: 'ADMIN_HOST',
    value: 'ADDRESS',
    default: '127.0.0.1',
    meaning: 'Address on which the admin port listens',
    details: 'it has no password: only an address that clients cannot reach',
    commands: ['serve'],
  },
  {
    flag: 'mcp',
    variable: 'MCP',
    meaning: 'Serve MCP (Model Context Protocol) at {base}/mcp, over streamable HTTP',
    commands: ['serve'],
  },
  {
    flag: 'rate-limit',
    variable: 'RATE_LIMIT',
    value: 'NUMBER',
    meaning: 'Registry requests per minute and client; no limit by default',
    commands: ['serve'],
  },
  {
    flag: 'trusted-proxy',
    variable: 'TRUSTED_PROXY',
    value: 'ADDRESS',
    meaning: 'Address or network of a proxy to read X-Forwarded-For from',
    details: 'for several, separate them by commas or repeat the flag',
    commands: ['serve'],
  },
  {
    flag: 'dataset-title',
    variable: 'DATASET_TITLE',
    value: 'TEXT',
    default: 'Urban-planning records',
    meaning: 'Title in the catalogue',
    commands: ['serve'],
  },
  {
    flag: 'dataset-publisher',
    variable: 'DATASET_PUBLISHER',
    value: 'TEXT',
    default: 'Planning registry',
    meaning: 'Publisher in the catalogue',
    commands: ['serve'],
  },
  {
    flag: 'dataset-publisher-code',
    variable: 'DATASET_PUBLISHER_CODE',
    value: 'CODE',
    meaning: 'DIR3 code of the publisher',
    commands: ['serve'],
  },
  {
    flag: 'dataset-licence',
    variable: 'DATASET_LICENCE',
    value: 'URL',
    meaning: 'Licence of the records, in the catalogue',
    commands: ['serve'],
  },
  {
    flag: 'dataset-spatial',
    variable: 'DATASET_SPATIAL',
    value: 'URL',
    meaning: 'Area covered, in the catalogue: a GeoNames or NUTS URL',
    commands: ['serve'],
  },
  {
    flag: 'dataset-contact',
    variable: 'DATASET_CONTACT',
    value: 'URL',
    meaning: 'Contact in the catalogue: mailto:… or https:…',
    commands: ['serve'],
  },
  {
    flag: 'mapping',
    value: 'FILE',
    meaning: "JSON object from column names to the source's headings",
    commands: ['import'],
  },
  {
    flag: 'records-at',
    value: 'PATH',
    meaning: 'Where the array of records is in a JSON file, such as result.records',
    commands: ['import'],
  },
  {
    flag: 'sheet',
    value: 'NAME',
    meaning: 'Sheet of a workbook to read, by name or number',
    commands: ['import'],
  },
  {
    flag: 'time-zone',
    value: 'NAME',
    default: 'Europe/Madrid',
    meaning: 'Time zone that decides on which day a time with a zone is',
    commands: ['import'],
  },
  {
    flag: 'inspect',
    meaning: 'Show what is understood of a source and propose a mapping; import nothing',
    commands: ['import'],
  },
  {
    flag: 'write-mapping',
    value: 'FILE',
    meaning: 'Write the mapping that --inspect proposes to this file',
    commands: ['import'],
  },
  {
    flag: 'code-pattern',
    value: 'REGEX',
    meaning: 'Form of the codes of this registry, if it is not <prefix>-<number>',
    commands: ['import'],
  },
  {
    flag: 'duplicates',
    value: 'RULE',
    default: 'refuse',
    meaning: 'Rows with the same code: refuse, keep the first or last, or merge',
    commands: ['import'],
  },
  {
    flag: 'query',
    value: 'SQL',
    meaning: 'Query to run on a postgres:// source',
    commands: ['import'],
  },
  {
    flag: 'documents',
    value: 'DIR',
    meaning: 'Folder of the files that the document column names',
    commands: ['import'],
  },
  {
    flag: 'fetch-documents',
    meaning: 'Download the documents of links and agreement_link from allowed hosts',
    commands: ['import'],
  },
  {
    flag: 'allow-host',
    value: 'HOST[:PORT]',
    meaning: 'Host to download documents from; repeatable',
    commands: ['import'],
  },
  { flag: 'ocr', meaning: 'Recognise the text of scanned pages; about 6 s per page', commands: ['import'] },
  {
    flag: 'ocr-languages',
    value: 'CODES',
    meaning: 'Languages of the scans, such as spa,cat; spa by default',
    details: 'spa, cat, glg and eus are installed with the project; others as @tesseract.js-data/CODE',
    commands: ['import'],
  },
  {
    flag: 'no-passages',
    meaning: 'Index the text of documents without storing it, so that results show no passages',
    commands: ['import'],
  },
  {
    flag: 'document-cache',
    variable: 'DOCUMENT_CACHE',
    value: 'DIR',
    meaning: 'Cache of document texts, for the next import',
    details: 'document-texts next to the database by default',
    commands: ['import'],
  },
  {
    flag: 'rejects',
    value: 'FILE',
    meaning: 'File for rejected rows; SOURCE.rejects.csv by default',
    commands: ['import'],
  },
  {
    flag: 'max-rejects',
    value: 'NUMBER',
    default: '0',
    meaning: 'Publish nothing if more rows than this are rejected',
    commands: ['import'],
  },
  {
    flag: 'max-gone',
    value: 'SHARE',
    default: '10%',
    meaning: 'Share or number of the records in service that may be missing',
    commands: ['import'],
  },
  {
    flag: 'max-texts-gone',
    value: 'SHARE',
    default: '10%',
    meaning: 'Share or number of the records with text that may lose it',
    commands: ['import'],
  },
  { flag: 'dry-run', meaning: 'Do everything except publish', commands: ['import'] },
  { flag: 'report', value: 'FILE', meaning: 'Also write the report as JSON to this file', commands: ['import'] },
  { flag: 'links', meaning: 'Also request the address of every document and list dead links', commands: ['check'] },
  {
    flag: 'records',
    value: 'NUMBER',
    default: '3000',
    meaning: 'Number of records to write',
    commands: ['sample'],
  },
  {
    flag: 'documents',
    value: 'NUMBER',
    default: '40',
    meaning: 'Number of PDF documents to write',
    commands: ['sample'],
  },
  {
    flag: 'seed',
    value: 'TEXT',
    default: 'sample',
    meaning: 'Random seed; the same seed writes the same bytes',
    commands: ['sample'],
  },
  {
    flag: 'municipality',
    value: 'NAME',
    meaning: 'Only records of this municipality: name or five-digit INE code',
    commands: ['search'],
  },
  {
    flag: 'province',
    value: 'NAME',
    meaning: 'Only records of this province: name or two-digit INE code',
    commands: ['search'],
  },
  {
    flag: 'community',
    value: 'NAME',
    meaning: 'Only records of this autonomous community: name or two-digit INE code',
    commands: ['search'],
  },
  { flag: 'checkin-date', value: 'YEAR', meaning: 'Only records that entered in this year', commands: ['search'] },
  {
    flag: 'since',
    value: 'DATE',
    meaning: 'Only records that entered on this day or later: YYYY, YYYY-MM or YYYY-MM-DD',
    commands: ['search'],
  },
  {
    flag: 'until',
    value: 'DATE',
    meaning: 'Only records that entered on this day or earlier: YYYY, YYYY-MM or YYYY-MM-DD',
    commands: ['search'],
  },
  { flag: 'code', value: 'CODE', meaning: 'Only the record with this inscription code', commands: ['search'] },
  {
    flag: 'registration-number',
    value: 'NUMBER',
    meaning: 'Only records with this registration number',
    commands: ['search'],
  },
  { flag: 'id', value: 'ID', meaning: 'Only records with this record code', commands: ['search'] },
  {
    flag: 'limit',
    value: 'NUMBER',
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
