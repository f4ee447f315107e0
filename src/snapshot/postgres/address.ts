// Parser for the address of a PostgreSQL registry: a libpq connection URI, which may name several hosts, as in
// `postgres://user:password@a,b:5433/name?sslmode=…`.
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { StoreFault } from '../contract.ts'

export interface PostgresAddress {
  readonly hosts: readonly HostAddress[]
  /** Undefined: the driver takes PGUSER or the user of the operating system. */
  readonly user: string | undefined
  /** Undefined: the driver takes PGPASSWORD. */
  readonly password: string | undefined
  readonly database: string
  /** The server is behind PgBouncer in transaction mode, so prepared statements and session state do not work. */
  readonly pgbouncer: boolean
  /** Connections per process and host. */
  readonly poolMax: number
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

export interface TlsSettings {
  readonly mode: (typeof sslModes)[number]
  readonly rootCertificates: string | undefined
  readonly certificate: string | undefined
  readonly key: string | undefined
}

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const

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

export function isPostgresUrl(database: string): boolean {
  return /^postgres(ql)?:/.test(database)
}

/** Throws `StoreFault` with the part that is invalid. */
export function parseAddress(url: string): PostgresAddress {
  const parts = /^postgres(?:ql)?:\/\/(?:([^:@/?]*)(?::([^@/?]*))?@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/.exec(url)
  const display = withoutPassword(url)
  const refuse = (reason: string): StoreFault => new StoreFault(`Cannot open ${display}: ${reason}`)
  if (parts === null) throw refuse('expected postgres://USER@HOST/NAME')
  // The text before this @ is part of the password and must not appear in a message as a host.
  if (parts[3]?.includes('@')) throw refuse('an @ in the password must be written as %40')
  const [, user, password, , database] = parts.map((part) => part && decode(part, refuse))
  const parameters = new URLSearchParams(parts[5] ?? '')
  for (const name of parameters.keys()) {
    if (!parameterNames.includes(name)) {
      throw refuse(`unknown parameter ${name}; expected one of ${parameterNames.join(', ')}`)
    }
  }
  if (database === undefined || database === '') throw refuse('the name of the database is missing, as in …HOST/NAME')
  const hosts = parseHosts(parts[3] || parameters.get('host') || 'localhost', parameters.get('port') ?? '5432', refuse)
  return {
    hosts,
    user: user || undefined,
    password: password || undefined,
    database,
    pgbouncer: parameters.get('pgbouncer') === 'true',
    poolMax: parseCount('pool_max', parameters.get('pool_max') ?? '10', refuse),
    connectTimeoutMs: parseCount('connect_timeout', parameters.get('connect_timeout') ?? '2', refuse) * 1000,
    tls: parseTls(parameters, refuse),
    display,
  }
}

/** The option `ssl` of the driver for one host. */
export function toSsl({ mode, rootCertificates, certificate, key }: TlsSettings, host: HostAddress): Ssl {
  if (mode === 'disable' || host.name.startsWith('/')) return false
  if (mode === 'allow' || mode === 'prefer') return 'prefer'
  const client = { ...(certificate === undefined ? {} : { cert: certificate }), ...(key === undefined ? {} : { key }) }
  const name = isAddress(host.name) ? {} : { servername: host.name }
  // Like libpq: `require` does not verify the server unless root certificates are given.
  if (mode === 'require' && rootCertificates === undefined) return { ...client, ...name, rejectUnauthorized: false }
  const trust = { rejectUnauthorized: true, ...(rootCertificates === undefined ? {} : { ca: rootCertificates }) }
  // Only `verify-full` verifies the host name.
  const anyName = mode === 'verify-full' ? { host: host.name } : { checkServerIdentity: () => undefined }
  return { ...client, ...name, ...trust, ...anyName }
}

export type Ssl = false | 'prefer' | ConnectionOptions

type Refuse = (reason: string) => StoreFault

function parseHosts(list: string, portList: string, refuse: Refuse): HostAddress[] {
  const ports = portList.split(',')
  return list.split(',').map((text, index) => {
    const [, name = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? []
    // The text is not shown, because it may be the start of a password that is not percent-encoded.
    if (name === '') throw refuse('expected HOST or HOST:PORT; in a password, / : ? and @ must be percent-encoded')
    const bare = decode(name, refuse).replace(/^\[(.*)\]$/, '$1')
    return { name: bare, port: parseCount('port', port ?? ports[index] ?? ports[0] ?? '5432', refuse) }
  })
}

function parseTls(parameters: URLSearchParams, refuse: Refuse): TlsSettings {
  const system = parameters.get('sslrootcert') === 'system'
  const wanted = parameters.get('sslmode') ?? (system ? 'verify-full' : 'prefer')
  const mode = sslModes.find((each) => each === wanted)
  if (mode === undefined) throw refuse(`expected sslmode to be one of ${sslModes.join(', ')}, got ${wanted}`)
  const read = (name: string): string | undefined => {
    const file = parameters.get(name)
    if (file === null || (name === 'sslrootcert' && system)) return undefined
    try {
      return readFileSync(file, 'utf8')
    } catch {
      throw refuse(`cannot read ${file}, the file of ${name}`)
    }
  }
  return { mode, rootCertificates: read('sslrootcert'), certificate: read('sslcert'), key: read('sslkey') }
}

function parseCount(name: string, text: string, refuse: Refuse): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw refuse(`expected ${name} to be a number from 1, got ${JSON.stringify(text)}`)
  return Number(text)
}

function decode(text: string, refuse: Refuse): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw refuse('the percent-encoding is invalid')
  }
}

/** Removes everything between the first colon of the authority and the last @. */
export function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@/?]*):.*@/, '$1@').replace(/([?&]password=)[^&]*/, '$1…')
}

function isAddress(name: string): boolean {
  return /^[\d.]+$/.test(name) || name.includes(':')
}
