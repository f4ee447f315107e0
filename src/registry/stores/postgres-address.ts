// Parser for the address of a registry on PostgreSQL: a connection URI in the format of libpq, PostgreSQL's own client
// library. It may name several hosts: `postgres://user:password@db1,db2:5433/name?sslmode=require`.
import { readFileSync } from 'node:fs'
import { type ConnectionOptions, createSecureContext } from 'node:tls'
import { t } from '../../language.ts'
import { StoreFault } from '../contract.ts'
import { withoutPassword } from './show-address.ts'

export interface PostgresAddress {
  readonly hosts: readonly HostAddress[]
  /** If it is undefined, the driver takes PGUSER or the user of the operating system. */
  readonly user: string | undefined
  /** If it is undefined, the driver takes PGPASSWORD. */
  readonly password: string | undefined
  readonly database: string
  /**
   * Whether the server is behind PgBouncer, a connection pooler, in transaction mode. There, prepared statements and
   * session state fail, because each transaction may run in another session.
   */
  readonly pgbouncer: boolean
  readonly connectTimeoutMs: number
  readonly tls: TlsSettings
  /** The address without the password, for messages. */
  readonly display: string
}

export interface HostAddress {
  /** A host name, an IP address, or the folder of a Unix socket. */
  readonly name: string
  readonly port: number
}

/** For messages: `db1`, or `db1:5433` if the port is not the usual one. */
export function toHostName({ name, port }: HostAddress): string {
  return port === defaultPort ? name : `${name}:${port}`
}

/** The certificates and the key are the contents of PEM files. */
export interface TlsSettings {
  readonly mode: (typeof sslModes)[number]
  /** If it is undefined, a mode that verifies the server uses the root certificates of the runtime (see `toSsl`). */
  readonly rootCertificates: string | undefined
  /** The certificate of this client and its key, for a server that asks for one. */
  readonly certificate: string | undefined
  readonly key: string | undefined
}

const defaultPort = 5432
const portMax = 65_535

/** The values of `sslmode` in libpq. */
const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const

/**
 * The parameters after the question mark. All are parameters of libpq except the last two, which are our own.
 * `pool_max` has no effect any more: a process has one connection. Addresses of older versions may still have it.
 */
const parameterNames = [
  'host',
  'port',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'connect_timeout',
  'pgbouncer',
  'pool_max',
]

/** Matches `user@`, `user:password@` and the empty text. */
const userInfo = '(?:(?<user>[^:@/?]*)(?::(?<password>[^@/?]*))?@)?'
/**
 * Matches `postgres://ana:secret@db1,db2:5433/plans?sslmode=require`. All that follows the two slashes is optional.
 * Does not match `postgres:plans` or `http://db1/plans`.
 */
const addressPattern = new RegExp(
  `^postgres(?:ql)?://${userInfo}(?<hostList>[^/?]*)(?:/(?<database>[^?]*))?(?:\\?(?<parameterList>.*))?$`,
)

/** Throws `StoreFault`, whose message names the part that is invalid. */
export function parseAddress(url: string): PostgresAddress {
  const display = withoutPassword(url)
  const toFault: ToFault = (reason) => new StoreFault(t`Cannot open ${display}: ${reason}`)
  const parts = addressPattern.exec(url)?.groups
  if (parts === undefined) throw toFault(t`expected postgres://USER@HOST/NAME`)
  const { hostList = '', parameterList = '' } = parts
  // The pattern ends a password at its first @. In `ana:p@ss@db` it takes `ss@db` for the hosts, which must not appear
  // in a message.
  if (hostList.includes('@')) throw toFault(t`an @ in the password must be written as %40`)
  requirePercentEncoding(url, toFault)
  const user = decode(parts.user ?? '', toFault)
  const password = decode(parts.password ?? '', toFault)
  const database = decode(parts.database ?? '', toFault)
  const parameters = parseParameters(parameterList, toFault)
  if (database === '') throw toFault(t`the name of the database is missing, as in …HOST/NAME`)
  parseCount('pool_max', parameters.get('pool_max') ?? '1', toFault)
  return {
    hosts: parseHosts(hostList, parameters, toFault),
    user: user || undefined,
    password: password || undefined,
    database,
    pgbouncer: parseBoolean('pgbouncer', parameters.get('pgbouncer') ?? 'false', toFault),
    // The parameter is in seconds.
    connectTimeoutMs: parseCount('connect_timeout', parameters.get('connect_timeout') ?? '2', toFault) * 1000,
    tls: parseTls(parameters, toFault),
    display,
  }
}

/** Makes the error for an invalid address. `reason` says what is invalid. */
type ToFault = (reason: string) => StoreFault

/** Refuses parameters that are not in `parameterNames`. */
function parseParameters(parameterList: string, toFault: ToFault): URLSearchParams {
  const parameters = new URLSearchParams(parameterList)
  for (const name of parameters.keys()) {
    if (!parameterNames.includes(name)) {
      throw toFault(t`unknown parameter ${name}; expected one of ${parameterNames.join(', ')}`)
    }
  }
  return parameters
}

/** The option `ssl` of the driver: no TLS, TLS if the server offers it, or the options of `node:tls`. */
export type Ssl = false | 'prefer' | ConnectionOptions

/** The option `ssl` for one host. */
export function toSsl({ mode, rootCertificates, certificate, key }: TlsSettings, host: HostAddress): Ssl {
  // A Unix socket needs no encryption.
  if (mode === 'disable' || host.name.startsWith('/')) return false
  // In libpq, `allow` tries without TLS first. The driver cannot do that.
  if (mode === 'allow' || mode === 'prefer') return 'prefer'
  const clientOptions = {
    ...(certificate === undefined ? {} : { cert: certificate }),
    ...(key === undefined ? {} : { key }),
    // Server name indication is for names only, not for IP addresses (RFC 6066).
    ...(isIpAddress(host.name) ? {} : { servername: host.name }),
  }
  // Like libpq: `require` does not verify the server unless root certificates are given.
  if (mode === 'require' && rootCertificates === undefined) return { ...clientOptions, rejectUnauthorized: false }
  const verified = {
    ...clientOptions,
    rejectUnauthorized: true,
    ...(rootCertificates === undefined ? {} : { ca: rootCertificates }),
  }
  // Only `verify-full` verifies that the certificate is for this host. `node:tls` takes the name from `servername`, or
  // from `host` if there is none.
  if (mode === 'verify-full') return { ...verified, host: host.name }
  return { ...verified, checkServerIdentity: () => undefined }
}

/**
 * Like libpq: the parameters `host` and `port` replace the hosts and the ports of the host list. If there are fewer
 * ports than hosts, the first port is that of the other hosts.
 * - `db1,db2:5433` gives db1:5432 and db2:5433.
 * - `db1,db2` with `port=6000` gives db1:6000 and db2:6000.
 * - `db1,db2:5433` with `host=a,b` gives a:5432 and b:5433.
 */
function parseHosts(hostList: string, parameters: URLSearchParams, toFault: ToFault): HostAddress[] {
  const hosts = (parameters.get('host') || hostList || 'localhost').split(',')
  const portList = parameters.get('port')
  const ports = portList ? portList.split(',') : toPorts(hostList)
  return hosts.map((text, index) => {
    // Matches `db1`, `db1:5433`, `[::1]` and `[::1]:5433`, but not `::1` or `db1:port`.
    const [, name = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? []
    // The message does not show the text, because it may be a part of a password that is not percent-encoded.
    if (name === '') throw toFault(t`expected HOST or HOST:PORT; in a password, / : ? and @ must be percent-encoded`)
    const nameWithoutBrackets = decode(name, toFault).replace(/^\[(.*)\]$/, '$1')
    const portText = ports[index] ?? ports[0] ?? port ?? String(defaultPort)
    return { name: nameWithoutBrackets, port: parsePort(portText, toFault) }
  })
}

/** The port of each host: `5432` and `5433` for `db1,db2:5433`. Empty if no host has a port. */
function toPorts(hostList: string): string[] {
  const ports = hostList.split(',').map((host) => /:(\d+)$/.exec(host)?.[1])
  if (ports.every((port) => port === undefined)) return []
  return ports.map((port) => port ?? String(defaultPort))
}

function parseTls(parameters: URLSearchParams, toFault: ToFault): TlsSettings {
  // Like libpq: `system` means the root certificates of the runtime, and then verify-full is the default.
  const usesSystemRoots = parameters.get('sslrootcert') === 'system'
  const requestedMode = parameters.get('sslmode') ?? (usesSystemRoots ? 'verify-full' : 'prefer')
  const mode = sslModes.find((each) => each === requestedMode)
  if (mode === undefined) throw toFault(t`expected sslmode to be one of ${sslModes.join(', ')}, got ${requestedMode}`)
  const readPem = (name: string): string | undefined => {
    const path = parameters.get(name)
    if (path === null) return undefined
    try {
      return readFileSync(path, 'utf8')
    } catch {
      throw toFault(t`cannot read ${path}, the file of ${name}`)
    }
  }
  const rootCertificates = usesSystemRoots ? undefined : readPem('sslrootcert')
  const certificate = readPem('sslcert')
  const key = readPem('sslkey')
  try {
    // The driver would throw the same error later, where nothing can catch it.
    createSecureContext({ ca: rootCertificates, cert: certificate, key })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw toFault(
      t`cannot use the files of sslrootcert, sslcert and sslkey: ${reason}; name a certificate and its key, both in PEM`,
    )
  }
  return { mode, rootCertificates, certificate, key }
}

function parseBoolean(name: string, text: string, toFault: ToFault): boolean {
  if (text !== 'true' && text !== 'false') {
    throw toFault(t`expected ${name} to be true or false, got ${JSON.stringify(text)}`)
  }
  return text === 'true'
}

function parsePort(text: string, toFault: ToFault): number {
  const port = parseCount('port', text, toFault)
  if (port > portMax)
    throw toFault(t`expected port to be a number from 1 to ${String(portMax)}, got ${JSON.stringify(text)}`)
  return port
}

/** Parses a whole number from 1 to 99999. Refuses any other text. */
function parseCount(name: string, text: string, toFault: ToFault): number {
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw toFault(t`expected ${name} to be a number from 1, got ${JSON.stringify(text)}`)
  return Number(text)
}

/** `URLSearchParams` accepts an invalid percent-encoding in a parameter. So the whole address is checked here. */
function requirePercentEncoding(url: string, toFault: ToFault): void {
  decode(url, toFault)
}

/** Decodes percent-encoding. Refuses a text in which it is invalid. */
function decode(text: string, toFault: ToFault): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw toFault(t`the percent-encoding is invalid`)
  }
}

/** An IPv4 address has only digits and dots. An IPv6 address has a colon, which no host name contains. */
function isIpAddress(name: string): boolean {
  return /^[\d.]+$/.test(name) || name.includes(':')
}
