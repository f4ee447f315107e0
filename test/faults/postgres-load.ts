// The service as a process of its own, on a PostgreSQL cluster, and readers that ask it without a pause while something
// is done to the database.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const command = fileURLToPath(new URL('../../bin/planning-registry.js', import.meta.url))

export class ServedProcess implements AsyncDisposable {
  readonly base: string
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, base: string) {
    this.#child = child
    this.base = base
  }

  static async start(database: string): Promise<ServedProcess> {
    const args = [command, 'serve', '--database', database, '--port', '0', '--log-level', 'silent']
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface({ input: child.stdout })
    const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit')])) as [unknown]
    const base = /^listening on (.*)$/.exec(String(line))?.[1]
    if (base === undefined) throw new Error(`the service did not start: ${line}`)
    return new ServedProcess(child, base)
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

export interface Answered {
  readonly atMs: number
  readonly tookMs: number
  /** 0 where the connection broke. */
  readonly status: number
  readonly retryAfter: string | null
}

/** How many requests have been made in this process. */
let requests = 0

/** Asks with so many readers at once until stopped; every request has a number of its own, so that no cache answers. */
export class Readers {
  readonly answers: Answered[] = []
  readonly #readers: Promise<void>[]
  #stopped = false

  constructor(base: string, toPath: (request: number) => string, count = 4) {
    this.#readers = Array.from({ length: count }, () => this.#read(base, toPath))
  }

  /** Resolves with the moment at which every reader has got an answer of that status to a request begun from now on. */
  async until(status: number, withinMs: number): Promise<number> {
    const startedAt = performance.now()
    for (;;) {
      const met = this.answers.filter((answer) => answer.atMs >= startedAt && answer.status === status)
      if (met.length >= this.#readers.length) return Math.min(...met.map(({ atMs, tookMs }) => atMs + tookMs))
      if (performance.now() - startedAt > withinMs) throw new Error(`no ${status} within ${withinMs} ms`)
      await setTimeout(1)
    }
  }

  /** Lets the readers read on for so long. */
  async goOn(forMs: number): Promise<void> {
    await setTimeout(forMs)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#readers)
  }

  async #read(base: string, toPath: (request: number) => string): Promise<void> {
    while (!this.#stopped) {
      const atMs = performance.now()
      let status = 0
      let retryAfter: string | null = null
      try {
        const response = await fetch(`${base}/${toPath(requests++)}`, { signal: AbortSignal.timeout(5000) })
        await response.arrayBuffer()
        status = response.status
        retryAfter = response.headers.get('retry-after')
      } catch {
        status = 0
      }
      this.answers.push({ atMs, tookMs: performance.now() - atMs, status, retryAfter })
    }
  }
}
