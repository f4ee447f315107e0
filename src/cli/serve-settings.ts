// The settings that only `serve` has. commands.ts adds them to its table; src/server/settings.ts combines their values.
import { availableParallelism } from 'node:os'
import { t } from '../language.ts'
import {
  declareSettings,
  type Invocation,
  oneOf,
  optionalNumber,
  placeholders,
  type Read,
  readTexts,
  type SettingTable,
  toMalformedError,
  wholeNumber,
} from './setting.ts'
import { type SharedValues, sharedSettings } from './shared-settings.ts'

/** The values of the settings that only `serve` has. */
interface OwnValues {
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
  readonly pollSeconds: number
  readonly rateLimit: number | undefined
  readonly trustedProxy: readonly string[]
  readonly title: string
  readonly publisher: string
  readonly publisherCode: string | undefined
  readonly licence: string | undefined
  readonly spatial: string | undefined
  readonly contact: string | undefined
}

/** The values of all settings of `serve`. */
export type ServeValues = SharedValues & OwnValues

/** The largest port of TCP. */
const portMax = 65_535
const workersMax = 128
/** A day. */
const pollSecondsMax = 86_400
/** In requests per client and minute. */
const rateLimitMax = 1_000_000

/** `auto` means one worker per core. */
const readWorkers: Read<number> = (invocation, flag) => {
  if (invocation.value(flag) === 'auto') return Math.min(availableParallelism(), workersMax)
  return wholeNumber(1, workersMax)(invocation, flag)
}

/** Returns the path without a slash at its end; empty for `/`. */
const readBasePath: Read<string> = (invocation, flag) => {
  const path = (invocation.value(flag) ?? '').replace(/\/$/, '')
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

export const serveSettings: SettingTable<OwnValues> = declareSettings<OwnValues>(['serve'], {
  logLevel: {
    variable: 'LOG_LEVEL',
    placeholder: { en: 'LEVEL', es: 'NIVEL' },
    default: 'info',
    meaning: {
      en: 'fatal, error, warn, info, debug, trace or silent',
      es: 'fatal, error, warn, info, debug, trace o silent',
    },
    details: {
      en: 'logs go to standard error, as JSON lines unless it is a terminal',
      es: 'el registro de actividad va a la salida de errores, en líneas JSON salvo en un terminal',
    },
    read: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    commands: ['serve', 'import'],
  },
  host: {
    variable: 'HOST',
    placeholder: placeholders.address,
    default: '127.0.0.1',
    meaning: { en: 'Address to listen on', es: 'Dirección en la que escucha' },
  },
  port: {
    variable: 'PORT',
    placeholder: placeholders.number,
    meaning: {
      en: 'Port to listen on: 8080, or 443 with a certificate; 0 for any free port',
      es: 'Puerto en el que escucha: 8080, o 443 con certificado; 0 para cualquiera libre',
    },
    read: optionalNumber(0, portMax),
  },
  basePath: {
    variable: 'BASE_PATH',
    placeholder: placeholders.path,
    default: '/registry',
    meaning: { en: 'Path prefix of every address', es: 'Comienzo de la ruta de todas las direcciones' },
    read: readBasePath,
  },
  publicUrl: {
    variable: 'PUBLIC_URL',
    placeholder: placeholders.url,
    meaning: {
      en: 'Base address that clients use, if a proxy changes it',
      es: 'Dirección base que ven los clientes, si un proxy la cambia',
    },
    read: readPublicUrl,
  },
  certFile: {
    flag: 'tls-cert',
    variable: 'TLS_CERT',
    placeholder: placeholders.file,
    meaning: {
      en: 'Certificate chain in PEM; turns HTTPS on, together with --tls-key',
      es: 'Cadena de certificados en PEM; junto con --tls-key, activa HTTPS',
    },
  },
  keyFile: {
    flag: 'tls-key',
    variable: 'TLS_KEY',
    placeholder: placeholders.file,
    meaning: { en: 'Private key in PEM', es: 'Clave privada en PEM' },
  },
  workers: {
    variable: 'WORKERS',
    placeholder: placeholders.number,
    default: '1',
    meaning: {
      en: 'Number of worker processes; auto for one per core',
      es: 'Número de procesos; auto para uno por núcleo',
    },
    read: readWorkers,
  },
  adminPort: {
    variable: 'ADMIN_PORT',
    placeholder: placeholders.number,
    meaning: {
      en: 'Port for /live, /ready and /metrics; off by default',
      es: 'Puerto de /live, /ready y /metrics; desactivado por defecto',
    },
    read: optionalNumber(0, portMax),
  },
  adminHost: {
    variable: 'ADMIN_HOST',
    placeholder: placeholders.address,
    default: '127.0.0.1',
    meaning: {
      en: 'Address on which the admin port listens',
      es: 'Dirección en la que escucha el puerto de administración',
    },
    details: {
      en: 'it has no password: only an address that clients cannot reach',
      es: 'no tiene contraseña: use una dirección a la que no lleguen los clientes',
    },
  },
  isMcpOn: {
    flag: 'mcp',
    variable: 'MCP',
    meaning: {
      en: 'Serve MCP (Model Context Protocol) at {base}/mcp, over streamable HTTP',
      es: 'Ofrece MCP (Model Context Protocol) en {base}/mcp, por HTTP',
    },
  },
  isFileOffered: {
    flag: 'offer-file',
    variable: 'OFFER_FILE',
    meaning: {
      en: 'Offer the registry as a file, at {base}/current.json',
      es: 'Ofrece el registro como archivo, en {base}/current.json',
    },
  },
  pollSeconds: {
    variable: 'POLL_SECONDS',
    placeholder: placeholders.number,
    default: '30',
    meaning: {
      en: 'Seconds between two requests to a registry at https://',
      es: 'Segundos entre dos consultas a un registro en https://',
    },
    read: wholeNumber(1, pollSecondsMax),
  },
  rateLimit: {
    variable: 'RATE_LIMIT',
    placeholder: placeholders.number,
    meaning: {
      en: 'Registry requests per minute and client; no limit by default',
      es: 'Peticiones por minuto y cliente; sin límite por defecto',
    },
    read: optionalNumber(1, rateLimitMax),
  },
  trustedProxy: {
    variable: 'TRUSTED_PROXY',
    placeholder: placeholders.address,
    meaning: {
      en: 'Address or network of a proxy to read X-Forwarded-For from',
      es: 'Dirección o red de un proxy cuya cabecera X-Forwarded-For se acepta',
    },
    details: {
      en: 'for several, separate them by commas or repeat the flag',
      es: 'si son varias, sepárelas con comas o repita la opción',
    },
    read: readTexts,
  },
  title: {
    otherFlag: 'dataset-title',
    variable: 'DATASET_TITLE',
    placeholder: placeholders.text,
    default: 'Urban-planning records',
    meaning: { en: 'Name of the registry, on the page too', es: 'Nombre del registro, también en la página' },
    details: { en: '--dataset-title is the same', es: '--dataset-title es lo mismo' },
  },
  publisher: {
    flag: 'dataset-publisher',
    variable: 'DATASET_PUBLISHER',
    placeholder: placeholders.text,
    default: 'Planning registry',
    meaning: { en: 'Publisher in the catalogue', es: 'Organismo que publica, en el catálogo' },
  },
  publisherCode: {
    flag: 'dataset-publisher-code',
    variable: 'DATASET_PUBLISHER_CODE',
    placeholder: { en: 'CODE', es: 'CÓDIGO' },
    meaning: { en: 'DIR3 code of the publisher', es: 'Código DIR3 del organismo que publica' },
    read: readPublisherCode,
  },
  licence: {
    flag: 'dataset-licence',
    variable: 'DATASET_LICENCE',
    placeholder: placeholders.url,
    meaning: { en: 'Licence of the records, in the catalogue', es: 'Licencia de los expedientes, en el catálogo' },
    read: readAddress,
  },
  spatial: {
    flag: 'dataset-spatial',
    variable: 'DATASET_SPATIAL',
    placeholder: placeholders.url,
    meaning: {
      en: 'Area covered, in the catalogue: a GeoNames or NUTS URL',
      es: 'Cobertura geográfica, en el catálogo: una URL de GeoNames o NUTS',
    },
    read: readAddress,
  },
  contact: {
    flag: 'dataset-contact',
    variable: 'DATASET_CONTACT',
    placeholder: placeholders.url,
    meaning: { en: 'Contact in the catalogue: mailto:… or https:…', es: 'Contacto en el catálogo: mailto:… o https:…' },
    read: readAddress,
  },
})

export function readServeSettings(invocation: Invocation): ServeValues {
  return { ...sharedSettings.read(invocation), ...serveSettings.read(invocation) }
}
