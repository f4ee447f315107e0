// A program that the tests of the cluster start, kill, freeze and start again, with all processes that it has started.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serverUser } from '../postgres-server.ts'
import { until } from '../server/serve.ts'

/** A subclass says in `start` which program runs. */
export abstract class Daemon {
  readonly folder: string
  #child: ChildProcess | undefined

  constructor(folder: string) {
    this.folder = folder
    mkdirSync(folder, { mode: 0o700 })
    // PostgreSQL refuses to run as root, so root starts the programs as `serverUser`, who must own the folder.
    if (serverUser.uid !== undefined) chownSync(folder, serverUser.uid, serverUser.gid ?? serverUser.uid)
  }

  abstract start(): void

  /** Starts the program; its output goes to the file `log` in the folder. */
  protected run(program: string, args: readonly string[]): void {
    const log = openSync(join(this.folder, 'log'), 'a')
    this.#child = spawn(program, args, { cwd: this.folder, stdio: ['ignore', log, log], ...serverUser })
  }

  /** The processes that run now, a parent before its children. */
  get pids(): number[] {
    const pid = this.#child?.pid
    return pid === undefined || this.#child?.exitCode !== null ? [] : withDescendants([pid])
  }

  /** Sends the signal to all processes. */
  signal(signal: NodeJS.Signals): void {
    for (const pid of this.pids) sendSignal(pid, signal)
  }

  /** Kills all processes, and resolves when they have ended. */
  async kill(): Promise<void> {
    const child = this.#child
    const { pids } = this
    for (const pid of pids) sendSignal(pid, 'SIGKILL')
    if (child !== undefined && child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    await until(async () => pids.every((pid) => !isRunning(pid)))
    this.#child = undefined
  }

  freeze(): void {
    this.signal('SIGSTOP')
  }

  thaw(): void {
    this.signal('SIGCONT')
  }

  /** Continues the program if it is frozen, and starts it if it has ended. */
  restore(): void {
    this.thaw()
    if (this.#child === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) this.start()
  }
}

/** Returns the processes of `roots` that run, and all processes that they have started, directly or not (Linux). */
export function withDescendants(roots: readonly number[]): number[] {
  const pids = roots.filter(isRunning)
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), readParent(Number(name))]),
  )
  // The list grows while it is walked, so that children of children are found too.
  for (const pid of pids) {
    for (const [child, parent] of parents) if (parent === pid) pids.push(child)
  }
  return pids
}

function readParent(pid: number): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(readStatus(pid))?.[1])
}

/** A zombie (state Z) does not run. */
function isRunning(pid: number): boolean {
  return /^State:\s+[^Z]/m.test(readStatus(pid))
}

/** The text of /proc/<pid>/status; empty if the process has ended. */
function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended meanwhile.
  }
}
