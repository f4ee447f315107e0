// Clients that ask without a pause while a fault is injected, and what they saw; and what the system says of a process.
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'

export interface LoadSummary {
  readonly answered: number
  /** Codes of errors, and statuses that were not expected. */
  readonly failed: string[]
  readonly p99Ms: number
  readonly slowestMs: number
}

/** `connections` clients, each with a connection it keeps, asking for `paths` in turn. */
export class Load {
  readonly #base: string
  readonly #paths: readonly string[]
  readonly #agent: Agent
  readonly #expected: readonly number[]
  readonly #clients: Promise<void>[]
  readonly #latenciesMs: number[] = []
  readonly #failed: string[] = []
  #isExpired = false

  constructor(base: string, connections: number, paths: readonly string[], expected: readonly number[] = [200]) {
    this.#base = base
    this.#paths = paths
    this.#expected = expected
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
    this.#clients = Array.from({ length: connections }, (_, client) => this.#ask(client))
  }

  get answered(): number {
    return this.#latenciesMs.length
  }

  async stop(): Promise<LoadSummary> {
    this.#isExpired = true
    await Promise.all(this.#clients)
    this.#agent.destroy()
    const sorted = this.#latenciesMs.toSorted((a, b) => a - b)
    return {
      answered: sorted.length,
      failed: this.#failed,
      p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
      slowestMs: sorted.at(-1) ?? 0,
    }
  }

  async #ask(client: number): Promise<void> {
    for (let turn = client; !this.#isExpired; turn++) {
      const startedMs = performance.now()
      try {
        const status = await getStatus(`${this.#base}/${this.#paths[turn % this.#paths.length]}`, this.#agent)
        if (!this.#expected.includes(status)) this.#failed.push(String(status))
        this.#latenciesMs.push(performance.now() - startedMs)
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
        // The port is closed for good: this client has nothing left to ask.
        if (code === 'ECONNREFUSED') return
        this.#failed.push(code)
      }
    }
  }
}

/** Reads the whole answer; rejects where it breaks off. */
export function getStatus(url: string, agent: Agent | false = false): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, timeout: 15_000 }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
      response.once('error', reject)
    })
    outgoing.once('timeout', () => outgoing.destroy(Object.assign(new Error('no answer'), { code: 'HANG' })))
    outgoing.once('error', reject)
    outgoing.end()
  })
}

/** Megabytes of memory that a process holds. */
export function readMemoryMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

export function countDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

/** Chance that can be met again: the same seed, the same numbers (mulberry32). */
export function chanceFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
