// Clients that send requests without a pause while workers are killed, and check that each response matches its
// request.
import { Agent, type IncomingMessage, request } from 'node:http'
import type { TestRecord } from '../service.ts'

/**
 * The records that `CheckedLoad` requests, `A-0` to `A-199`. Each has its own code and its own word in the title, so
 * that a response shows which record it is about.
 */
export const distinctRecords: readonly TestRecord[] = Array.from({ length: 200 }, (_, n) => ({
  code: `A-${n}`,
  title: `Plan sector${n}`,
}))

/** A request without a response of status 200. */
export interface Failure {
  /** The error code of the connection, or the status. */
  readonly reason: string
  /** The process that sent the last response on the connection; undefined if there was none. */
  readonly process: string | undefined
}

/** Distance between the first records of two clients, so that they rarely request the same record at once. */
const clientOffset = 7

/** The constructor starts the clients. Each has one keep-alive connection. */
export class CheckedLoad {
  readonly #base: string
  readonly #clients: Promise<void>[]
  /** Processes that have responded, identified by the part of their request ids before the last hyphen. */
  readonly processes: Set<string> = new Set()
  readonly failures: Failure[] = []
  /** Path and body of each 200 response that does not match its request. */
  readonly wrong: string[] = []
  /** Requests that got a complete response, of any status. */
  answered = 0
  #isStopped = false

  constructor(base: string, clientCount: number) {
    this.#base = base
    this.#clients = Array.from({ length: clientCount }, (_, client) => this.#sendRequests(client * clientOffset))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#clients)
  }

  async #sendRequests(first: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    /** The process (a worker) that serves this connection; undefined before its first response. */
    let serving: string | undefined
    for (let n = first; !this.#isStopped; n++) {
      const recordNumber = n % distinctRecords.length
      // Lookups and searches alternate.
      const path = n % 2 === 0 ? `record/A-${recordNumber}` : `record?search=sector${recordNumber}&limit=5`
      try {
        const { status, id, body } = await get(`${this.#base}/${path}`, agent)
        serving = id.slice(0, id.lastIndexOf('-'))
        this.processes.add(serving)
        if (status !== 200) this.failures.push({ reason: String(status), process: serving })
        else if (!isResponseTo(recordNumber, body)) this.wrong.push(`${path}: ${body}`)
        this.answered += 1
      } catch (error) {
        const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
        this.failures.push({ reason, process: serving })
        serving = undefined
      }
    }
    agent.destroy()
  }
}

/** Whether the body has exactly one record, the requested one. */
function isResponseTo(recordNumber: number, body: string): boolean {
  try {
    // Throws if the body is not valid JSON.
    JSON.parse(body)
    // The id of a record is `E-` and its code, unless the test gives another.
    const ids = [...body.matchAll(/"E-A-\d+"/g)]
    return ids.length === 1 && ids[0]?.[0] === `"E-A-${recordNumber}"`
  } catch {
    return false
  }
}

interface Reply {
  readonly status: number
  /** The request id. Its part before the last hyphen identifies the process. */
  readonly id: string
  readonly body: string
}

/** Reads a response. Rejects if it is incomplete. */
async function get(url: string, agent: Agent): Promise<Reply> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { agent }, resolve).once('error', reject).end()
  })
  let body = ''
  for await (const chunk of response.setEncoding('utf8')) body += chunk
  return { status: response.statusCode ?? 0, id: String(response.headers['x-request-id']), body }
}
