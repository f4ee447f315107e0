// Settings of `serve`, parsed from the command line and checked before anything is opened.
import { availableParallelism } from 'node:os'
import type { ServiceSettings } from '../api/settings.ts'
import type { Invocation } from '../cli/config.ts'
import { parseWholeNumber, toMalformedError, UsageFault } from '../cli/config.ts'
import { parseTrustedProxies } from '../http/client-address.ts'
import type { CertificateFiles, ListenSettings } from '../http/settings.ts'
import { t } from '../language.ts'
import { pollSecondsDefault } from '../registry/stores/remote.ts'

export interface ServeSettings extends ServiceSettings, ListenSettings {
  readonly host: string
  /** The address of the registry, such as `sqlite:registry.db`. */
  readonly database: string
  /** Where the local copy of a registry lies that a remote store keeps. */
  readonly dataDir: string
  readonly logLevel: string
  /** Number of processes that share the port. */
  readonly workers: number
  /** Undefined if there is no admin port; 0 for any free port. */
  readonly adminPort: number | undefined
  /** The address on which the admin port listens. */
  readonly adminHost: string
  /** Size of the cache in which SQLite keeps pages of the registry file, in each process. */
  readonly cacheMb: number
  /** How often a registry on a web server is asked for a new version. */
  readonly pollSeconds: number
  /** Whether a registry may be followed over `http://` to another host. */
  readonly allowInsecure: boolean
}

/**
 * Throws `UsageFault` for a wrong flag. The table of settings (cli/commands.ts) has the defaults, except the default of
 * `port`, which depends on the certificate. The other values after `??` are only for the compiler.
 */
export function parseServeSettings(invocation: Invocation): ServeSettings {
  const certificate = parseCertificateFiles(invocation)
  const addresses = parseListenAddresses(invocation, certificate === undefined ? 8080 : 443)
  const logLevel = invocation.value('log-level') ?? 'info'
  if (!logLevels.includes(logLevel)) {
    throw toMalformedError(invocation, 'log-level', t`one of ${logLevels.join(', ')}`)
  }
  return {
    database: invocation.value('database') ?? '',
    dataDir: invocation.value('data-dir') ?? '',
    ...addresses,
    certificate,
    logLevel,
    workers: parseWorkers(invocation),
    cacheMb: parseWholeNumber(invocation, 'cache-mb', 1, cacheMbMax) ?? 64,
    pollSeconds: parseWholeNumber(invocation, 'poll-seconds', 1, pollSecondsMax) ?? pollSecondsDefault,
    allowInsecure: invocation.isEnabled('allow-insecure'),
    rateLimit: parseWholeNumber(invocation, 'rate-limit', 1, rateLimitMax),
    trustedProxies: parseTrustedProxies(invocation.values('trusted-proxy'), invocation.nameOf('trusted-proxy')),
    isSecure: certificate !== undefined,
    basePath: parseBasePath(invocation),
    publicUrl: parsePublicUrl(invocation),
    isMcpOn: invocation.isEnabled('mcp'),
    isFileOffered: invocation.isEnabled('offer-file'),
    dataset: {
      title: invocation.value('dataset-title') ?? '',
      publisher: invocation.value('dataset-publisher') ?? '',
      licence: parseAddress(invocation, 'dataset-licence'),
      spatial: parseAddress(invocation, 'dataset-spatial'),
      contact: parseAddress(invocation, 'dataset-contact'),
      publisherCode: parsePublisherCode(invocation),
    },
  }
}

const logLevels: readonly string[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** The largest port of TCP. */
const portMax = 65_535

// The largest values that the flags accept.
const workersMax = 128
const cacheMbMax = 65_536
/** A day. */
const pollSecondsMax = 86_400
/** In requests per client and minute. */
const rateLimitMax = 1_000_000

/** Throws if the service and the admin port would listen on the same port. */
function parseListenAddresses(
  invocation: Invocation,
  defaultPort: number,
): Pick<ServeSettings, 'host' | 'port' | 'adminHost' | 'adminPort'> {
  const host = invocation.value('host') ?? '127.0.0.1'
  const adminHost = invocation.value('admin-host') ?? '127.0.0.1'
  const port = parseWholeNumber(invocation, 'port', 0, portMax) ?? defaultPort
  const adminPort = parseWholeNumber(invocation, 'admin-port', 0, portMax)
  // A host that stands for all addresses of the machine includes the other host.
  const isHostShared = host === adminHost || allAddresses.has(host) || allAddresses.has(adminHost)
  // Port 0 takes a free port, which is never the same.
  if (port === adminPort && port !== 0 && isHostShared) {
    const [name, adminName] = [invocation.nameOf('port'), invocation.nameOf('admin-port')]
    throw new UsageFault(t`Cannot use port ${String(port)} for both ${name} and ${adminName}: choose two ports`)
  }
  return { host, port, adminHost, adminPort }
}

/** The hosts that stand for all addresses of the machine. */
const allAddresses: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** `auto` means one worker per core. */
function parseWorkers(invocation: Invocation): number {
  if (invocation.value('workers') === 'auto') return Math.min(availableParallelism(), workersMax)
  return parseWholeNumber(invocation, 'workers', 1, workersMax) ?? 1
}

/** Undefined if the service listens without TLS. */
function parseCertificateFiles(invocation: Invocation): CertificateFiles | undefined {
  const certFile = invocation.value('tls-cert')
  const keyFile = invocation.value('tls-key')
  if (certFile === undefined && keyFile === undefined) return undefined
  if (keyFile === undefined) throw toMissingError(invocation, 'tls-cert', 'tls-key')
  if (certFile === undefined) throw toMissingError(invocation, 'tls-key', 'tls-cert')
  return { certFile, keyFile }
}

/** The error for a setting that needs another one. */
function toMissingError(invocation: Invocation, given: string, missing: string): UsageFault {
  const [name, missingName] = [invocation.nameOf(given), invocation.nameOf(missing)]
  return new UsageFault(t`Cannot use ${name} without ${missingName}: give both`)
}

/** Returns the path without a slash at its end; empty for `/`. */
function parseBasePath(invocation: Invocation): string {
  const path = (invocation.value('base-path') ?? '').replace(/\/$/, '')
  // Nothing, or segments of characters that need no percent-encoding.
  if (/^(\/[A-Za-z0-9._~-]+)*$/.test(path)) return path
  throw toMalformedError(invocation, 'base-path', t`a path such as /registry`)
}

/** Returns the address without a slash at its end; undefined if the flag is absent. */
function parsePublicUrl(invocation: Invocation): string | undefined {
  const text = invocation.value('public-url')
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isWebAddress = url !== undefined && /^https?:$/.test(url.protocol)
  const hasOnlyHostAndPath =
    isWebAddress && [url.search, url.hash, url.username, url.password].every((part) => part === '')
  // `href` would keep an empty query: `https://example.org/registry?`.
  if (hasOnlyHostAndPath) return (url.origin + url.pathname).replace(/\/$/, '')
  throw toMalformedError(invocation, 'public-url', t`an address such as https://example.org/registry`)
}

/** The code of an office in DIR3, the directory of the Spanish administration; undefined if the flag is absent. */
function parsePublisherCode(invocation: Invocation): string | undefined {
  const code = invocation.value('dataset-publisher-code')
  if (code === undefined || /^[A-Z][A-Z0-9]{8}$/.test(code)) return code
  throw toMalformedError(invocation, 'dataset-publisher-code', t`a DIR3 code of nine characters, such as L01280796`)
}

/** An address of any scheme; undefined if the flag is absent. */
function parseAddress(invocation: Invocation, flag: string): string | undefined {
  const text = invocation.value(flag)
  if (text === undefined || URL.canParse(text)) return text
  throw toMalformedError(invocation, flag, t`a complete address (https:… or mailto:…)`)
}
