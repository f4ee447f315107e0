// The table of commands and the table of settings. config.ts parses the command line by them, `--help` prints them, and
// a test compares docs/settings.md with them.
import { type BilingualText, filterNames, filters, toFlag } from '../domain/parameters.ts'
import { importSettings } from './import-settings.ts'
import { serveSettings } from './serve-settings.ts'
import {
  type CommandName,
  declareSettings,
  optionalNumber,
  placeholders,
  type Setting,
  type SettingTable,
  wholeNumber,
} from './setting.ts'
import { sharedSettings } from './shared-settings.ts'

/** Description of a command for `--help`. main.ts has the function that runs it. */
export interface CommandHelp {
  readonly name: CommandName
  /** Positional arguments, such as `SOURCE…`. Absent if the command takes none. */
  readonly operands?: BilingualText
  readonly meaning: BilingualText
  readonly examples: readonly string[]
}

export const commands: readonly CommandHelp[] = [
  {
    name: 'serve',
    meaning: {
      en: 'Starts the service; if the default database does not exist, first builds it from the bundled sample',
      es: 'Inicia el servicio; si no existe la base de datos por defecto, antes la crea con los datos de ejemplo',
    },
    examples: [
      'planning-registry serve',
      'planning-registry serve --database sqlite:registry.db --port 8080',
      'planning-registry serve --tls-cert chain.pem --tls-key key.pem --host 0.0.0.0',
    ],
  },
  {
    name: 'import',
    operands: { en: 'SOURCE…', es: 'ORIGEN…' },
    meaning: {
      en: 'Imports records (CSV, JSON, NDJSON, XLSX, - or postgres://…) and documents as a new snapshot',
      es: 'Importa expedientes (CSV, JSON, NDJSON, XLSX, - (entrada estándar) o postgres://…) y documentos y los publica',
    },
    examples: [
      'planning-registry import records.csv',
      'planning-registry import records.xlsx --documents scans --ocr --max-rejects 10 --report report.json',
      'planning-registry import records.csv --fetch-documents --allow-host docs.example.org',
      "planning-registry import postgres://host/plans --query 'select * from registry' --mapping columns.json",
    ],
  },
  {
    name: 'desk',
    operands: { en: '[DIR]', es: '[CARPETA]' },
    meaning: {
      en: 'Opens a page on this computer with which an office publishes its registry without a terminal',
      es: 'Abre una página en este ordenador con la que una oficina publica su registro sin usar el terminal',
    },
    examples: ['planning-registry desk', 'planning-registry desk /home/ana/urbanismo --lang es'],
  },
  {
    name: 'check',
    meaning: {
      en: 'Checks a registry: integrity, counts, records without text, dead links',
      es: 'Comprueba un registro: integridad, recuentos, expedientes sin texto, enlaces rotos',
    },
    examples: ['planning-registry check', 'planning-registry check --database sqlite:registry.db --full --links'],
  },
  {
    name: 'sample',
    operands: { en: 'DIR', es: 'CARPETA' },
    meaning: {
      en: 'Writes a fictional registry to DIR/records.csv and DIR/documents/*.pdf',
      es: 'Escribe un registro ficticio en CARPETA/records.csv y CARPETA/documents/*.pdf',
    },
    examples: [
      'planning-registry sample demo',
      'planning-registry sample demo --records 100000 --documents 500 --seed 7',
    ],
  },
  {
    name: 'search',
    operands: { en: '[TERM…]', es: '[PALABRAS…]' },
    meaning: {
      en: 'Searches a database or a running service; exit status 0: found, 1: nothing found, 2: error',
      es: 'Busca en una base de datos o en un servicio en marcha; código de salida 0: hay resultados, 1: no los hay, 2: error',
    },
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
    meaning: {
      en: 'Runs a Model Context Protocol (MCP) server on standard input and output',
      es: 'Ejecuta un servidor MCP (Model Context Protocol) en la entrada y la salida estándar',
    },
    examples: [
      'planning-registry mcp --database sqlite:data/registry.db',
      'planning-registry mcp --url https://planning.example.org/registry',
    ],
  },
]

/** The flags of `search` for the filters. */
const filterSettings: readonly Setting[] = filterNames.flatMap((name): Setting | [] => {
  const flag = toFlag(name)
  const { meaning, placeholder } = filters[name]
  return flag === null ? [] : { flag, placeholder, meaning, commands: ['search'] }
})

interface SearchValues {
  readonly limit: number | undefined
  readonly passages: boolean
  readonly json: boolean
  readonly ndjson: boolean
  readonly csv: boolean
}

export const searchSettings: SettingTable<SearchValues> = declareSettings<SearchValues>(['search'], {
  limit: {
    placeholder: placeholders.number,
    meaning: {
      en: 'Maximum number of records; by default 50 on a terminal, else all',
      es: 'Número máximo de expedientes; por defecto, 50 en un terminal y, si no, todos',
    },
    // More than any registry has.
    read: optionalNumber(1, 1_000_000_000),
  },
  passages: {
    meaning: {
      en: 'Show where the words stand in the documents: page and text around them',
      es: 'Muestra dónde aparecen las palabras en los documentos: página y texto que las rodea',
    },
  },
  json: { meaning: { en: 'Print the JSON of the service', es: 'Muestra el JSON del servicio' } },
  ndjson: { meaning: { en: 'Print one JSON object per line', es: 'Muestra un objeto JSON por línea' } },
  csv: { meaning: { en: 'Print comma-separated values', es: 'Muestra valores separados por comas (CSV)' } },
})

interface CheckValues {
  readonly full: boolean
  readonly links: boolean
}

export const checkSettings: SettingTable<CheckValues> = declareSettings<CheckValues>(['check'], {
  full: {
    meaning: {
      en: 'Compare every record with the index, and not only some',
      es: 'Compara todos los expedientes con el índice, y no solo algunos',
    },
  },
  links: {
    meaning: {
      en: 'Also request the address of every document and list dead links',
      es: 'Solicita además la dirección de cada documento y muestra los enlaces rotos',
    },
  },
})

const deskSettings: SettingTable<{ noBrowser: boolean }> = declareSettings<{ noBrowser: boolean }>(['desk'], {
  noBrowser: {
    meaning: {
      en: 'Print the address of the page, and open no browser',
      es: 'Muestra la dirección de la página y no abre el navegador',
    },
  },
})

interface SampleValues {
  readonly records: number
  readonly documents: number
  readonly seed: string
}

export const sampleSettings: SettingTable<SampleValues> = declareSettings<SampleValues>(['sample'], {
  records: {
    placeholder: placeholders.number,
    default: '3000',
    meaning: { en: 'Number of records to write', es: 'Número de expedientes que se escriben' },
    read: wholeNumber(0, 100_000_000),
  },
  documents: {
    placeholder: placeholders.number,
    default: '40',
    meaning: { en: 'Number of PDF documents to write', es: 'Número de documentos PDF que se escriben' },
    read: wholeNumber(0, 1_000_000),
  },
  seed: {
    placeholder: placeholders.text,
    default: 'sample',
    meaning: {
      en: 'Random seed; the same seed writes the same bytes',
      es: 'Semilla aleatoria; con la misma semilla se escribe lo mismo',
    },
  },
})

/** In the order of `--help`. Two commands may have different settings with the same flag, such as `--documents`. */
export const settings: readonly Setting[] = [
  ...sharedSettings.list,
  ...serveSettings.list,
  ...importSettings.list,
  ...deskSettings.list,
  ...checkSettings.list,
  ...sampleSettings.list,
  ...filterSettings,
  ...searchSettings.list,
]

/** Settings that are accepted for one more version and have no effect. */
export const goneSettings: readonly Setting[] = declareSettings<{ cacheMb: string | undefined }>(['serve'], {
  cacheMb: {
    variable: 'CACHE_MB',
    placeholder: placeholders.number,
    meaning: { en: 'Cache for pages of the registry file', es: 'Caché de páginas del archivo del registro' },
  },
}).list
