// The service as a child process on PostgreSQL, and clients that send requests without a pause.
// postgres-hosts.faults.ts and test/cluster use them.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const command = fileURLToPath(new URL('../../bin/planning-registry.js', import.meta.url))

/** A running `planning-registry serve`. `await using` ends it. */
export class ServedProcess implements AsyncDisposable {
  /** `http://127.0.0.1:PORT/registry` */
  readonly base: string
  readonly #child: ChildProcess
  readonly #dataDir: string

  private constructor(child: ChildProcess, base: string, dataDir: string) {
    this.#child = child
    this.#dataDir = dataDir
    this.base = base
  }

  /** `database` is the value of `--database`. Resolves when the service listens. */
  static async start(database: string): Promise<ServedProcess> {
    // A folder of its own, as on a machine of its own.
    const dataDir = mkdtempSync(join(tmpdir(), 'planning-registry-data-'))
    const flags = ['--data-dir', dataDir, '--port', '0', '--log-level', 'silent']
    const args = [command, 'serve', '--database', database, ...flags]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface({ input: child.stdout })
    // If the service ends before it prints a line, `line` is its exit status.
    const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit')])) as [unknown]
    const base = /^listening on (.*)$/.exec(String(line))?.[1]
    if (base === undefined) throw new Error(`the service did not start: ${line}`)
    return new ServedProcess(child, base, dataDir)
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.isRunning) {
      const ended = once(this.#child, 'exit')
      this.#child.kill('SIGTERM')
      await ended
    }
    rmSync(this.#dataDir, { recursive: true, force: true })
  }
}

export interface TimedResponse {
  /** On the clock of `performance.now`. */
  readonly startedAt: number
  readonly tookMs: number
  /** 0 if the connection failed, or if the response was not complete within five seconds. */
  readonly status: number
}

/** The number of the next request, counted over all `Readers`, because their paths should differ too. */
let nextRequestNumber = 0

/** Clients that send requests until stopped. Every request has a unique number, from which `toPath` makes its path. */
export class Readers {
  readonly responses: TimedResponse[] = []
  readonly #readers: Promise<void>[]
  #isStopped = false

  private constructor(base: string, toPath: (requestNumber: number) => string, count: number) {
    this.#readers = Array.from({ length: count }, () => this.#read(base, toPath))
  }

  /** Starts the clients. The paths of `toPath` should differ: otherwise responses come from the response cache. */
  static start(base: string, toPath: (requestNumber: number) => string, count = 4): Readers {
    return new Readers(base, toPath, count)
  }

  /** Lets the clients send requests for some time. */
  async continueFor(durationMs: number): Promise<void> {
    await setTimeout(durationMs)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#readers)
  }

  async #read(base: string, toPath: (requestNumber: number) => string): Promise<void> {
    while (!this.#isStopped) {
      const startedAt = performance.now()
      let status = 0
      try {
        const response = await fetch(`${base}/${toPath(nextRequestNumber++)}`, { signal: AbortSignal.timeout(5000) })
        await response.arrayBuffer()
        status = response.status
      } catch {
        // The status stays 0.
      }
      this.responses.push({ startedAt, tookMs: performance.now() - startedAt, status })
    }
  }
}
