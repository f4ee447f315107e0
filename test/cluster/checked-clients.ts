// Clients of several servers. They check that every response is the requested record, from one snapshot (a complete
// copy of the registry, which an import publishes). A request that gets no response, or 503, is repeated on the next
// server, as a load balancer does.
import type { TestRecord } from '../service.ts'

const recordCount = 300

/** Every snapshot has the same codes. All titles contain the number of the snapshot. */
export function recordsOf(snapshot: number): TestRecord[] {
  return Array.from({ length: recordCount }, (_, n) => ({
    code: `A-${n}`,
    title: `Plan sector${n} version${snapshot}`,
  }))
}

/** Time for a response; a server that takes longer counts as hung, and the request goes to the next one. */
const attemptTimeoutMs = 2_000

/** Attempts before a request counts as lost. */
const attemptsMax = 5

/** The constructor starts the clients. They send requests one after the other until `stop`. */
export class CheckedClients {
  /** The base addresses of the servers; a test replaces one that it has killed. */
  readonly bases: string[]
  readonly #clients: Promise<void>[]
  /**
   * A tag here is the part of an entity tag before its first hyphen. It identifies the snapshot, so all responses from
   * one snapshot have the same tag.
   */
  readonly #snapshotOfTag = new Map<string, number>()
  readonly #tagOfSnapshot = new Map<number, string>()
  /** Responses that do not belong to the request or to one snapshot, or have a status other than 200 and 503. */
  readonly wrongResponses: string[] = []
  /** Requests that got no response, or a 503, in all attempts. */
  readonly lostRequests: string[] = []
  /** Requests that got 200. */
  answered = 0
  /** Attempts that got no response or a 503. A request has up to `attemptsMax` attempts. */
  repeated = 0
  /** The longest time from a request to its 200, with all its attempts. */
  slowestMs = 0
  /** The newest snapshot that a response belonged to. */
  newestSnapshot = 0
  #isStopped = false
  #nextRequestNumber = 0

  constructor(bases: readonly string[], clientCount = 4) {
    this.bases = [...bases]
    this.#clients = Array.from({ length: clientCount }, () => this.#sendRequests())
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#clients)
  }

  async #sendRequests(): Promise<void> {
    while (!this.#isStopped) {
      const requestNumber = this.#nextRequestNumber++
      const recordNumber = requestNumber % recordCount
      // Lookups of a code and searches take turns.
      const isLookup = requestNumber % 2 === 0
      const searchNumber = Math.floor(requestNumber / 2)
      // A search finds one record, so the limit makes no difference to the result. It varies so that few responses to
      // searches come from the response cache.
      const limit = 1 + (searchNumber % 1000)
      const path = isLookup ? `record/A-${recordNumber}` : `record?search=sector${recordNumber}%20plan&limit=${limit}`
      await this.#request(path, recordNumber, requestNumber)
    }
  }

  /** Sends a request. `requestNumber` chooses the first server; each further attempt goes to the next server. */
  async #request(path: string, recordNumber: number, requestNumber: number): Promise<void> {
    const startedAt = performance.now()
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const base = this.bases[(requestNumber + attempt) % this.bases.length]
      const reply = await tryFetch(`${base}/${path}`)
      if (reply === undefined || reply.status === 503) {
        this.repeated += 1
        continue
      }
      const { status, body, etag } = reply
      if (status === 200) {
        this.#check(path, recordNumber, body, etag)
        this.answered += 1
        this.slowestMs = Math.max(this.slowestMs, performance.now() - startedAt)
      } else {
        this.wrongResponses.push(`${path}: ${status} ${body}`)
      }
      return
    }
    this.lostRequests.push(path)
  }

  /** The body must have one record, the requested one, whose title and entity tag belong to the same snapshot. */
  #check(path: string, recordNumber: number, body: string, etag: string): void {
    const [found, ...others] = toRecords(body)
    const snapshot = Number(/^Plan sector\d+ version(\d+)$/.exec(found?.title ?? '')?.[1])
    const tag = etag.slice(1, etag.indexOf('-'))
    // The id of a test record is `E-` and its code.
    const isRequestedRecord = found?.id === `E-A-${recordNumber}` && others.length === 0 && !Number.isNaN(snapshot)
    // The tag and the snapshot have not occurred yet, or only together.
    const isConsistent =
      (this.#snapshotOfTag.get(tag) ?? snapshot) === snapshot && (this.#tagOfSnapshot.get(snapshot) ?? tag) === tag
    if (!isRequestedRecord || !isConsistent) this.wrongResponses.push(`${path}: ${etag} ${body}`)
    this.#snapshotOfTag.set(tag, snapshot)
    this.#tagOfSnapshot.set(snapshot, tag)
    this.newestSnapshot = Math.max(this.newestSnapshot, snapshot)
  }
}

interface Reply {
  readonly status: number
  readonly body: string
  readonly etag: string
}

/** Undefined if the server is gone, hangs, or closes the connection before the end of the body. */
async function tryFetch(url: string): Promise<Reply | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(attemptTimeoutMs) })
    return { status: response.status, body: await response.text(), etag: response.headers.get('etag') ?? '' }
  } catch {
    return undefined
  }
}

/** The records of a response; none if the body is not JSON. */
function toRecords(body: string): readonly { readonly id: string; readonly title: string }[] {
  try {
    return JSON.parse(body).resultadoBusqueda ?? []
  } catch {
    return []
  }
}
