// Clients that send requests without a pause while a test injects faults, and measurements of a process (Linux).
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'

export interface LoadSummary {
  /** Complete responses of any status. */
  readonly answered: number
  /** Error codes, and statuses other than 200. */
  readonly failed: string[]
  /** The response time that 99 % of the requests did not exceed. */
  readonly p99Ms: number
  readonly slowestMs: number
}

/** Clients with keep-alive connections that request `paths` one after the other. */
export class Load {
  readonly #base: string
  readonly #paths: readonly string[]
  readonly #agent: Agent
  readonly #clients: Promise<void>[]
  readonly #latenciesMs: number[] = []
  readonly #failed: string[] = []
  #isStopped = false

  constructor(
    base: string,
    { connections, paths }: { readonly connections: number; readonly paths: readonly string[] },
  ) {
    this.#base = base
    this.#paths = paths
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
    this.#clients = Array.from({ length: connections }, (_, client) => this.#sendRequests(client))
  }

  get answered(): number {
    return this.#latenciesMs.length
  }

  /** Ends the load, waits for the last responses, and returns what happened. */
  async stop(): Promise<LoadSummary> {
    this.#isStopped = true
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

  async #sendRequests(client: number): Promise<void> {
    for (let n = client; !this.#isStopped; n++) {
      const startedAt = performance.now()
      try {
        const status = await getStatus(`${this.#base}/${this.#paths[n % this.#paths.length]}`, this.#agent)
        if (status !== 200) this.#failed.push(String(status))
        this.#latenciesMs.push(performance.now() - startedAt)
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
        // The service has ended, which is no failure of the request: tests terminate it under load.
        if (code === 'ECONNREFUSED') return
        this.#failed.push(code)
      }
    }
  }
}

/** A service that sends nothing for this long counts as hung. */
const responseTimeoutMs = 15_000

/** Reads the whole response and returns its status; rejects if it is incomplete. Without an agent, it connects anew. */
export function getStatus(url: string, agent: Agent | false = false): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, timeout: responseTimeoutMs }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
      response.once('error', reject)
    })
    // `Load` reports the code among its failures.
    outgoing.once('timeout', () => outgoing.destroy(Object.assign(new Error('no response'), { code: 'HANG' })))
    outgoing.once('error', reject)
    outgoing.end()
  })
}

/** Resident memory of a process. */
export function readMemoryMb(pid: number): number {
  return readStatusMb(pid, 'VmRSS')
}

/** Greatest resident memory of a process since its start. */
export function readPeakMb(pid: number): number {
  return readStatusMb(pid, 'VmHWM')
}

/** Resident memory of a process without the pages of files. The system can reclaim those pages. */
export function readAnonymousMb(pid: number): number {
  return readStatusMb(pid, 'RssAnon')
}

/** A line of /proc/<pid>/status, such as `VmRSS:   1234 kB`, in megabytes. */
function readStatusMb(pid: number, name: string): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

/** The number of open file descriptors of a process. */
export function countDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
