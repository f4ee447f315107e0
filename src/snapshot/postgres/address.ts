// The address of a PostgreSQL registry, written as libpq writes it: `postgres://user:password@a,b:5433/name?sslmode=…`,
// several hosts allowed. Parses it, and shows it again without the password.
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { StoreFault } from '../contract.ts'

export interface PostgresAddress {
  readonly hosts: readonly HostAddress[]
  /** Undefined where the driver decides: PGUSER, else the user of the operating system. */
  readonly user: string | undefined
  /** Undefined where the driver decides: PGPASSWORD. */
  readonly password: string | undefined
  readonly database: string
  /** PgBouncer in transaction mode stands before the server: no statement may outlive its transaction. */
  readonly pgbouncer: boolean
  /** Connections a process opens to each host. */
  readonly poolMax: number
  /** How long a host may take to let us in. */
  readonly connectMs: number
  readonly tls: TlsSettings
  /** For messages: never with the password. */
  readonly display: string
}

export interface HostAddress {
  /** A name or an address, or the folder of a Unix socket. */
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

/** Throws `StoreFault` naming what cannot be understood. */
export function parseAddress(url: string): PostgresAddress {
  const parts = /^postgres(?:ql)?:\/\/(?:([^:@/?]*)(?::([^@/?]*))?@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/.exec(url)
  const display = withoutPassword(url)
  const refuse = (reason: string): StoreFault => new StoreFault(`Cannot open ${display}: ${reason}`)
  if (parts === null) throw refuse('expected postgres://USER@HOST/NAME')
  // What stands before it is part of a password and must not be shown as a host.
  if (parts[3]?.includes('@')) throw refuse('an @ in the password is written %40')
  const [, user, password, , database] = parts.map((part) => part && decode(part, refuse))
  const parameters = new URLSearchParams(parts[5] ?? '')
  for (const name of parameters.keys()) {
    if (!parameterNames.includes(name)) {
      throw refuse(`it has no parameter ${name}; there are ${parameterNames.join(', ')}`)
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
    connectMs: parseCount('connect_timeout', parameters.get('connect_timeout') ?? '2', refuse) * 1000,
    tls: parseTls(parameters, refuse),
    display,
  }
}

/** What the driver is told for one host: false, 'prefer', or how to speak TLS. */
export function toSsl({ mode, rootCertificates, certificate, key }: TlsSettings, host: HostAddress): Ssl {
  if (mode === 'disable' || host.name.startsWith('/')) return false
  if (mode === 'allow' || mode === 'prefer') return 'prefer'
  const client = { ...(certificate === undefined ? {} : { cert: certificate }), ...(key === undefined ? {} : { key }) }
  const name = isAddress(host.name) ? {} : { servername: host.name }
  // As libpq: `require` encrypts and trusts anyone, unless it is given certificates to trust.
  if (mode === 'require' && rootCertificates === undefined) return { ...client, ...name, rejectUnauthorized: false }
  const trust = { rejectUnauthorized: true, ...(rootCertificates === undefined ? {} : { ca: rootCertificates }) }
  // With `verify-ca` and `require` any name will do; `verify-full` compares it.
  const anyName = mode === 'verify-full' ? { host: host.name } : { checkServerIdentity: () => undefined }
  return { ...client, ...name, ...trust, ...anyName }
}

export type Ssl = false | 'prefer' | ConnectionOptions

type Refuse = (reason: string) => StoreFault

function parseHosts(list: string, portList: string, refuse: Refuse): HostAddress[] {
  const ports = portList.split(',')
  return list.split(',').map((text, index) => {
    const [, name = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? []
    // Not shown: where a password is not encoded, this is the beginning of it.
    if (name === '') throw refuse('expected HOST or HOST:PORT, and a password with / : ? or @ in it percent-encoded')
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
      throw refuse(`the file of ${name}, ${file}, cannot be read`)
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
    throw refuse('its percent-encoding is broken')
  }
}

/** Whatever stands between the first colon of the authority and its last @ is taken for a password. */
export function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@/?]*):.*@/, '$1@').replace(/([?&]password=)[^&]*/, '$1…')
}

function isAddress(name: string): boolean {
  return /^[\d.]+$/.test(name) || name.includes(':')
}
