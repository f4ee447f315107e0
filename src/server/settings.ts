// The settings of `serve`, read from the command line and checked: what is wrong is said before anything is opened.
import { availableParallelism } from 'node:os'
import type { Invocation } from '../cli/config.ts'
import { malformed, UsageFault, wholeNumber } from '../cli/config.ts'
import type { TrustedProxy } from '../http/client-address.ts'
import { parseTrustedProxies } from '../http/client-address.ts'

export interface ServeSettings extends ServiceSettings {
  readonly database: string
  readonly host: string
  readonly port: number
  readonly certificate: CertificateFiles | undefined
  readonly logLevel: string
  /** Processes that share the port. */
  readonly workers: number
  readonly adminPort: number | undefined
  /** What each process keeps of a snapshot in memory. */
  readonly cacheMb: number
}

/** What the answers depend on, wherever the process listens. */
export interface ServiceSettings {
  /** Path prefix of every address, without a slash at the end; empty for none. */
  readonly basePath: string
  /** The base address as clients see it, without a slash at the end; derived from each request where undefined. */
  readonly publicUrl: string | undefined
  readonly isSecure: boolean
  readonly dataset: DatasetSettings
  /** Requests per client and minute; no limit where undefined. */
  readonly rateLimit?: number | undefined
  /** The proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly TrustedProxy[]
  readonly workers?: number
  /** Whether `{base}/mcp` is answered. */
  readonly isMcpOn?: boolean
  /** Bytes that may wait to be sent; derived from the memory of the machine where undefined. */
  readonly sendQueueBytesMax?: number
  readonly stalledReaderMs?: number
}

/** The path prefix as clients see it, which a proxy may have changed. */
export function toPublicPath({ publicUrl, basePath }: ServiceSettings): string {
  return publicUrl === undefined ? basePath : new URL(publicUrl).pathname.replace(/\/$/, '')
}

/** How the catalogue describes the registry. */
export interface DatasetSettings {
  readonly title: string
  readonly publisher: string
  readonly licence: string | undefined
  readonly spatial: string | undefined
  readonly contact: string | undefined
}

export interface CertificateFiles {
  readonly certFile: string
  readonly keyFile: string
}

export function parseServeSettings(invocation: Invocation): ServeSettings {
  const certificate = parseCertificateFiles(invocation)
  const logLevel = invocation.text('log-level') ?? 'info'
  if (!logLevels.includes(logLevel)) {
    throw malformed(invocation, 'log-level', `one of ${logLevels.join(', ')}`)
  }
  return {
    database: invocation.text('database') ?? '',
    host: invocation.text('host') ?? '127.0.0.1',
    port: wholeNumber(invocation, 'port', 0, 65535) ?? (certificate === undefined ? 8080 : 443),
    certificate,
    logLevel,
    workers: parseWorkers(invocation),
    adminPort: wholeNumber(invocation, 'admin-port', 0, 65535),
    cacheMb: wholeNumber(invocation, 'cache-mb', 1, 65_536) ?? 64,
    rateLimit: wholeNumber(invocation, 'rate-limit', 1, 1_000_000),
    trustedProxies: parseTrustedProxies(invocation.texts('trusted-proxy')),
    isSecure: certificate !== undefined,
    basePath: parseBasePath(invocation),
    publicUrl: parsePublicUrl(invocation),
    isMcpOn: invocation.isOn('mcp'),
    dataset: {
      title: invocation.text('dataset-title') ?? '',
      publisher: invocation.text('dataset-publisher') ?? '',
      licence: parseAddress(invocation, 'dataset-licence'),
      spatial: parseAddress(invocation, 'dataset-spatial'),
      contact: parseAddress(invocation, 'dataset-contact'),
    },
  }
}

const logLevels: readonly string[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** More processes than this help nobody. */
const workersMax = 128

function parseWorkers(invocation: Invocation): number {
  if (invocation.text('workers') === 'auto') return Math.min(availableParallelism(), workersMax)
  return wholeNumber(invocation, 'workers', 1, workersMax) ?? 1
}

function parseCertificateFiles(invocation: Invocation): CertificateFiles | undefined {
  const certFile = invocation.text('tls-cert')
  const keyFile = invocation.text('tls-key')
  if (certFile === undefined && keyFile === undefined) return undefined
  if (keyFile === undefined) throw new UsageFault('Cannot use --tls-cert without --tls-key: give both')
  if (certFile === undefined) throw new UsageFault('Cannot use --tls-key without --tls-cert: give both')
  return { certFile, keyFile }
}

function parseBasePath(invocation: Invocation): string {
  const path = (invocation.text('base-path') ?? '').replace(/\/$/, '')
  if (/^(\/[A-Za-z0-9._~-]+)*$/.test(path)) return path
  throw malformed(invocation, 'base-path', 'a path such as /registry')
}

function parsePublicUrl(invocation: Invocation): string | undefined {
  const text = invocation.text('public-url')
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isBase = url !== undefined && url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (isBase && /^https?:$/.test(url.protocol)) return url.href.replace(/\/$/, '')
  throw malformed(invocation, 'public-url', 'an address such as https://example.org/registry')
}

function parseAddress(invocation: Invocation, flag: string): string | undefined {
  const text = invocation.text(flag)
  if (text === undefined || URL.canParse(text)) return text
  throw malformed(invocation, flag, 'a whole address (https:… or mailto:…)')
}
