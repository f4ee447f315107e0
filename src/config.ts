// Every setting of every command: one table of flag, variable, default and meaning, from which the command line is
// parsed, `--help` is printed and docs/configuration.md is checked. The only reader of process.env.
import { parseArgs } from 'node:util'

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
    flag: 'log-level',
    variable: 'LOG_LEVEL',
    value: 'LEVEL',
    default: 'info',
    meaning: 'fatal, error, warn, info, debug, trace or silent; JSON lines on standard error when it is no terminal',
    commands: ['serve', 'import'],
  },
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
]

export interface Invocation {
  readonly positionals: readonly string[]
  /** The value of a setting: flag, else variable, else default. */
  text(flag: string): string | undefined
  isOn(flag: string): boolean
  /** Every value of a flag that may be repeated. */
  texts(flag: string): readonly string[]
}

/** Wrong usage: one line that names the thing and the mend, exit status 2. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault'
}

export function parseInvocation(command: CommandName, args: readonly string[]): Invocation {
  const known = settings.filter((setting) => setting.commands.includes(command))
  const options = Object.fromEntries(
    known.map((setting) => [
      setting.flag,
      { type: setting.value === undefined ? ('boolean' as const) : ('string' as const), multiple: true },
    ]),
  )
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const setting = known.find((each) => each.flag === token.name)
    if (setting === undefined) {
      throw new UsageFault(
        `Cannot read ${token.rawName}: ${command} has no such flag; see planning-registry ${command} --help`,
      )
    }
    if (setting.value !== undefined && token.value === undefined) {
      throw new UsageFault(`Cannot read ${token.rawName}: it needs a value, ${token.rawName} ${setting.value}`)
    }
    if (setting.value === undefined && token.value !== undefined) {
      throw new UsageFault(`Cannot read ${token.rawName}=${token.value}: ${token.rawName} takes no value`)
    }
  }
  const texts = (flag: string): string[] => {
    const given = values[flag]
    if (Array.isArray(given)) return given.filter((value) => typeof value === 'string')
    const setting = known.find((each) => each.flag === flag)
    const fallback = (setting?.variable && process.env[setting.variable]) || setting?.default
    return fallback === undefined ? [] : [fallback]
  }
  return {
    positionals,
    text: (flag) => texts(flag).at(-1),
    isOn: (flag) => values[flag] !== undefined,
    texts,
  }
}
