// The settings of `serve`: one entry for each, from which come its parsing (src/server/settings.ts combines the
// values), `--help` in both languages, the completion scripts and, compared by a test, docs/settings.md.
import { availableParallelism } from 'node:os'
import { t } from '../language.ts'
import { type Invocation, parseWholeNumber, type Setting, toMalformedError } from './setting.ts'

/** Reads the value of a flag. Throws a `UsageFault` if it is malformed. */
type Read<Value> = (invocation: Invocation, flag: string) => Value

export interface ServeSetting<Value> extends Setting {
  readonly spanish: string
  readonly read: Read<Value>
}

/** The values of all settings of `serve`. */
export interface ServeValues {
  readonly database: string
  readonly dataDir: string
  readonly allowInsecure: boolean
  readonly logLevel: string
  readonly host: string
  /** 0 for any free port; undefined for the default, which depends on the certificate. */
  readonly port: number | undefined
  readonly basePath: string
  readonly publicUrl: string | undefined
  readonly certFile: string | undefined
  readonly keyFile: string | undefined
  /** Number of processes that share the port. */
  readonly workers: number
  /** 0 for any free port; undefined without an admin port. */
  readonly adminPort: number | undefined
  readonly adminHost: string
  readonly isMcpOn: boolean
  readonly isFileOffered: boolean
  readonly pollSeconds: number | undefined
  readonly rateLimit: number | undefined
  readonly trustedProxy: readonly string[]
  readonly title: string
  readonly publisher: string
  readonly publisherCode: string | undefined
  readonly licence: string | undefined
  readonly spatial: string | undefined
  readonly contact: string | undefined
}

/** The largest port of TCP. */
const portMax = 65_535
const workersMax = 128
/** A day. */
const pollSecondsMax = 86_400
/** In requests per client and minute. */
const rateLimitMax = 1_000_000
const logLevels: readonly string[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

const isGiven: Read<boolean> = (invocation, flag) => invocation.isEnabled(flag)
const readTexts: Read<readonly string[]> = (invocation, flag) => invocation.values(flag)
const readOptional: Read<string | undefined> = (invocation, flag) => invocation.value(flag)
/** Of a setting with a default. */
const readText: Read<string> = (invocation, flag) => invocation.value(flag) ?? ''

function wholeNumber(min: number, max: number): Read<number | undefined> {
  return (invocation, flag) => parseWholeNumber(invocation, flag, min, max)
}

/** `auto` means one worker per core. */
const readWorkers: Read<number> = (invocation, flag) => {
  if (invocation.value(flag) === 'auto') return Math.min(availableParallelism(), workersMax)
  return parseWholeNumber(invocation, flag, 1, workersMax) ?? 1
}

const readLogLevel: Read<string> = (invocation, flag) => {
  const level = readText(invocation, flag)
  if (logLevels.includes(level)) return level
  throw toMalformedError(invocation, flag, t`one of ${logLevels.join(', ')}`)
}

/** Returns the path without a slash at its end; empty for `/`. */
const readBasePath: Read<string> = (invocation, flag) => {
  const path = readText(invocation, flag).replace(/\/$/, '')
  // Nothing, or segments of characters that need no percent-encoding.
  if (/^(\/[A-Za-z0-9._~-]+)*$/.test(path)) return path
  throw toMalformedError(invocation, flag, t`a path such as /registry`)
}

/** Returns the address without a slash at its end. */
const readPublicUrl: Read<string | undefined> = (invocation, flag) => {
  const text = invocation.value(flag)
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isWebAddress = url !== undefined && /^https?:$/.test(url.protocol)
  const hasOnlyHostAndPath =
    isWebAddress && [url.search, url.hash, url.username, url.password].every((part) => part === '')
  // `href` would keep an empty query: `https://example.org/registry?`.
  if (hasOnlyHostAndPath) return (url.origin + url.pathname).replace(/\/$/, '')
  throw toMalformedError(invocation, flag, t`an address such as https://example.org/registry`)
}

/** The code of an office in DIR3, the directory of the Spanish administration. */
const readPublisherCode: Read<string | undefined> = (invocation, flag) => {
  const code = invocation.value(flag)
  if (code === undefined || /^[A-Z][A-Z0-9]{8}$/.test(code)) return code
  throw toMalformedError(invocation, flag, t`a DIR3 code of nine characters, such as L01280796`)
}

/** An address of any scheme. */
const readAddress: Read<string | undefined> = (invocation, flag) => {
  const text = invocation.value(flag)
  if (text === undefined || URL.canParse(text)) return text
  throw toMalformedError(invocation, flag, t`a complete address (https:… or mailto:…)`)
}

/** By the name of the value, in the order of `--help`. */
export const serveSettings: { readonly [Name in keyof ServeValues]: ServeSetting<ServeValues[Name]> } = {
  database: {
    flag: 'database',
    variable: 'DATABASE_URL',
    placeholder: 'URL',
    default: 'sqlite:data/registry.db',
    meaning: 'Registry to use',
    spanish: 'Registro que se usa',
    details: 'sqlite:PATH, postgres://… with one or more hosts, or https://…',
    spanishDetails: 'sqlite:RUTA, postgres://… con uno o varios servidores, o https://…',
    commands: ['serve', 'import', 'search', 'check', 'mcp'],
    read: readText,
  },
  dataDir: {
    flag: 'data-dir',
    variable: 'DATA_DIR',
    placeholder: 'DIR',
    default: 'data',
    meaning: 'Folder for the local copy of a registry',
    spanish: 'Carpeta para la copia local de un registro remoto',
    commands: ['serve', 'import', 'search', 'check', 'mcp'],
    read: readText,
  },
  allowInsecure: {
    flag: 'allow-insecure',
    meaning: 'Follow a registry at http:// on another machine',
    spanish: 'Sigue un registro en http:// de otro equipo',
    commands: ['serve', 'search', 'check', 'mcp'],
    read: isGiven,
  },
  logLevel: {
    flag: 'log-level',
    variable: 'LOG_LEVEL',
    placeholder: 'LEVEL',
    default: 'info',
    meaning: 'fatal, error, warn, info, debug, trace or silent',
    spanish: 'fatal, error, warn, info, debug, trace o silent',
    details: 'logs go to standard error, as JSON lines unless it is a terminal',
    spanishDetails: 'el registro de actividad va a la salida de errores, en líneas JSON salvo en un terminal',
    commands: ['serve', 'import'],
    read: readLogLevel,
  },
  host: {
    flag: 'host',
    variable: 'HOST',
    placeholder: 'ADDRESS',
    default: '127.0.0.1',
    meaning: 'Address to listen on',
    spanish: 'Dirección en la que escucha',
    commands: ['serve'],
    read: readText,
  },
  port: {
    flag: 'port',
    variable: 'PORT',
    placeholder: 'NUMBER',
    meaning: 'Port to listen on: 8080, or 443 with a certificate; 0 for any free port',
    spanish: 'Puerto en el que escucha: 8080, o 443 con certificado; 0 para cualquiera libre',
    commands: ['serve'],
    read: wholeNumber(0, portMax),
  },
  basePath: {
    flag: 'base-path',
    variable: 'BASE_PATH',
    placeholder: 'PATH',
    default: '/registry',
    meaning: 'Path prefix of every address',
    spanish: 'Comienzo de la ruta de todas las direcciones',
    commands: ['serve'],
    read: readBasePath,
  },
  publicUrl: {
    flag: 'public-url',
    variable: 'PUBLIC_URL',
    placeholder: 'URL',
    meaning: 'Base address that clients use, if a proxy changes it',
    spanish: 'Dirección base que ven los clientes, si un proxy la cambia',
    commands: ['serve'],
    read: readPublicUrl,
  },
  certFile: {
    flag: 'tls-cert',
    variable: 'TLS_CERT',
    placeholder: 'FILE',
    meaning: 'Certificate chain in PEM; turns HTTPS on, together with --tls-key',
    spanish: 'Cadena de certificados en PEM; junto con --tls-key, activa HTTPS',
    commands: ['serve'],
    read: readOptional,
  },
  keyFile: {
    flag: 'tls-key',
    variable: 'TLS_KEY',
    placeholder: 'FILE',
    meaning: 'Private key in PEM',
    spanish: 'Clave privada en PEM',
    commands: ['serve'],
    read: readOptional,
  },
  workers: {
    flag: 'workers',
    variable: 'WORKERS',
    placeholder: 'NUMBER',
    default: '1',
    meaning: 'Number of worker processes; auto for one per core',
    spanish: 'Número de procesos; auto para uno por núcleo',
    commands: ['serve'],
    read: readWorkers,
  },
  adminPort: {
    flag: 'admin-port',
    variable: 'ADMIN_PORT',
    placeholder: 'NUMBER',
    meaning: 'Port for /live, /ready and /metrics; off by default',
    spanish: 'Puerto de /live, /ready y /metrics; desactivado por defecto',
    commands: ['serve'],
    read: wholeNumber(0, portMax),
  },
  adminHost: {
    flag: 'admin-host',
    variable: 'ADMIN_HOST',
    placeholder: 'ADDRESS',
    default: '127.0.0.1',
    meaning: 'Address on which the admin port listens',
    spanish: 'Dirección en la que escucha el puerto de administración',
    details: 'it has no password: only an address that clients cannot reach',
    spanishDetails: 'no tiene contraseña: use una dirección a la que no lleguen los clientes',
    commands: ['serve'],
    read: readText,
  },
  isMcpOn: {
    flag: 'mcp',
    variable: 'MCP',
    meaning: 'Serve MCP (Model Context Protocol) at {base}/mcp, over streamable HTTP',
    spanish: 'Ofrece MCP (Model Context Protocol) en {base}/mcp, por HTTP',
    commands: ['serve'],
    read: isGiven,
  },
  isFileOffered: {
    flag: 'offer-file',
    variable: 'OFFER_FILE',
    meaning: 'Offer the registry as a file, at {base}/current.json',
    spanish: 'Ofrece el registro como archivo, en {base}/current.json',
    commands: ['serve'],
    read: isGiven,
  },
  pollSeconds: {
    flag: 'poll-seconds',
    variable: 'POLL_SECONDS',
    placeholder: 'NUMBER',
    default: '30',
    meaning: 'Seconds between two requests to a registry at https://',
    spanish: 'Segundos entre dos consultas a un registro en https://',
    commands: ['serve'],
    read: wholeNumber(1, pollSecondsMax),
  },
  rateLimit: {
    flag: 'rate-limit',
    variable: 'RATE_LIMIT',
    placeholder: 'NUMBER',
    meaning: 'Registry requests per minute and client; no limit by default',
    spanish: 'Peticiones por minuto y cliente; sin límite por defecto',
    commands: ['serve'],
    read: wholeNumber(1, rateLimitMax),
  },
  trustedProxy: {
    flag: 'trusted-proxy',
    variable: 'TRUSTED_PROXY',
    placeholder: 'ADDRESS',
    meaning: 'Address or network of a proxy to read X-Forwarded-For from',
    spanish: 'Dirección o red de un proxy cuya cabecera X-Forwarded-For se acepta',
    details: 'for several, separate them by commas or repeat the flag',
    spanishDetails: 'si son varias, sepárelas con comas o repita la opción',
    commands: ['serve'],
    read: readTexts,
  },
  title: {
    flag: 'title',
    otherFlag: 'dataset-title',
    variable: 'DATASET_TITLE',
    placeholder: 'TEXT',
    default: 'Urban-planning records',
    meaning: 'Name of the registry, on the page too',
    spanish: 'Nombre del registro, también en la página',
    details: '--dataset-title is the same',
    spanishDetails: '--dataset-title es lo mismo',
    commands: ['serve'],
    read: readText,
  },
  // The catalogue describes the records to open-data portals (DCAT); it is served at /catalog.
  publisher: {
    flag: 'dataset-publisher',
    variable: 'DATASET_PUBLISHER',
    placeholder: 'TEXT',
    default: 'Planning registry',
    meaning: 'Publisher in the catalogue',
    spanish: 'Organismo que publica, en el catálogo',
    commands: ['serve'],
    read: readText,
  },
  publisherCode: {
    flag: 'dataset-publisher-code',
    variable: 'DATASET_PUBLISHER_CODE',
    placeholder: 'CODE',
    meaning: 'DIR3 code of the publisher',
    spanish: 'Código DIR3 del organismo que publica',
    commands: ['serve'],
    read: readPublisherCode,
  },
  licence: {
    flag: 'dataset-licence',
    variable: 'DATASET_LICENCE',
    placeholder: 'URL',
    meaning: 'Licence of the records, in the catalogue',
    spanish: 'Licencia de los expedientes, en el catálogo',
    commands: ['serve'],
    read: readAddress,
  },
  spatial: {
    flag: 'dataset-spatial',
    variable: 'DATASET_SPATIAL',
    placeholder: 'URL',
    meaning: 'Area covered, in the catalogue: a GeoNames or NUTS URL',
    spanish: 'Cobertura geográfica, en el catálogo: una URL de GeoNames o NUTS',
    commands: ['serve'],
    read: readAddress,
  },
  contact: {
    flag: 'dataset-contact',
    variable: 'DATASET_CONTACT',
    placeholder: 'URL',
    meaning: 'Contact in the catalogue: mailto:… or https:…',
    spanish: 'Contacto en el catálogo: mailto:… o https:…',
    commands: ['serve'],
    read: readAddress,
  },
}

export function readServeSettings(invocation: Invocation): ServeValues {
  const entries = Object.entries(serveSettings).map(([name, { flag, read }]) => [name, read(invocation, flag)])
  return Object.fromEntries(entries)
}
