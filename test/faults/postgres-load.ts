// The service as a child process on PostgreSQL, and clients that send requests without a pause.
// postgres-hosts.faults.ts and test/cluster use them.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const command = fileURLToPath(new URL('../../bin/planning-registry.js', import.meta.url))

/** A running `planning-registry serve`. `await using` ends it. */
export class ServedProcess implements AsyncDisposable {
  /** `http://127.0.0.1:PORT/registry` */
  readonly base: string
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, base: string) {
    this.#child = child
    this.base = base
  }

  /** `database` is the value of `--database`. Resolves when the service listens. */
  static async start(database: string): Promise<ServedProcess> {
    const args = [command, 'serve', '--database', database, '--port', '0', '--log-level', 'silent']
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface({ input: child.stdout })
    // If the service ends before it prints a line, `line` is its exit status.
    const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit')])) as [unknown]
    const base = /^listening on (.*)$/.exec(String(line))?.[1]
    if (base === undefined) throw new Error(`the service did not start: ${line}`)
    return new ServedProcess(child, base)
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.isRunning) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await ended
  }
}

export interface TimedResponse {
  /** On the clock of `performance.now`. */
  readonly startedAt: number
  readonly tookMs: number
  /** 0 if the connection failed, or if the response was not complete within five seconds. */
  readonly status: number
  readonly retryAfter: string | null
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

  /**
   * Waits for responses with this status to requests sent from now on, as many as there are clients. Returns the time
   * when the first one arrived, on the clock of `performance.now`.
   */
  async untilStatus(status: number, { withinMs }: { readonly withinMs: number }): Promise<number> {
    const calledAt = performance.now()
    for (;;) {
      const matching = this.responses.filter((response) => response.startedAt >= calledAt && response.status === status)
      if (matching.length >= this.#readers.length) {
        return Math.min(...matching.map(({ startedAt, tookMs }) => startedAt + tookMs))
      }
      if (performance.now() - calledAt > withinMs) throw new Error(`no ${status} within ${withinMs} ms`)
      await setTimeout(1)
    }
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
      let retryAfter: string | null = null
      try {
        const response = await fetch(`${base}/${toPath(nextRequestNumber++)}`, { signal: AbortSignal.timeout(5000) })
        await response.arrayBuffer()
        status = response.status
        retryAfter = response.headers.get('retry-after')
      } catch {
        // The status stays 0.
      }
      this.responses.push({ startedAt, tookMs: performance.now() - startedAt, status, retryAfter })
    }
  }
}
