// Clients of the soak tests. Each import publishes an edition of the registry, whose number is in all its texts
// (soak-registry.ts). The clients send every kind of request and check each response: all its texts are of one edition.
// An entity tag that names a snapshot always comes with the same edition. If the entity tag of a path is the same as
// before, the bytes are the same too.
import { createHash } from 'node:crypto'
import { Agent, type IncomingMessage, request } from 'node:http'
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { pause } from './load.ts'
import { documentCount, recordCount, toDocumentHash, toTitle } from './soak-registry.ts'

/** A kind of request. `n` is the number of the record that most kinds ask for. */
interface RequestKind {
  readonly toPath: (n: number) => string
  /** The expected status. */
  readonly status: number
  /** Whether the entity tag begins with a name of the snapshot. HTML pages have other tags, and errors have no tag. */
  readonly hasSnapshotTag: boolean
  /**
   * Whether the body is the response to this request. `edition` is the edition that its texts name; undefined if they
   * name none.
   */
  readonly isExpected: (body: string, n: number, edition: number | undefined) => boolean
}

/** Pause of a client after each response, which leaves time to the other soak tests and to the imports. */
const pauseMs = 10

/**
 * Each client begins this many requests later in the sequence of kinds than the client before it, and this many records
 * further on. So clients seldom send the same request at the same time.
 */
const clientOffset = 7

/** A service that sends nothing for this long counts as hung. */
const responseTimeoutMs = 30_000

/** What requests for data of the registry have in common, in any format (JSON, CSV, Atom). */
const dataRequest = { status: 200, hasSnapshotTag: true }
/** What requests for HTML pages have in common. */
const htmlRequest = { status: 200, hasSnapshotTag: false }
/** What requests whose expected response is an error have in common. */
const errorRequest = { hasSnapshotTag: false }

/**
 * All kinds of requests, which every client sends in turn. Only the first `documentCount` records have a document. Each
 * document contains `unidades de paisaje y miradores` (soak-registry.ts), so these words have passages.
 */
const kinds: readonly RequestKind[] = [
  { ...dataRequest, toPath: (n) => `record/S-${n}`, isExpected: isRecord },
  { ...dataRequest, toPath: (n) => `record?search=sector${n}&limit=5`, isExpected: isRecord },
  { ...dataRequest, toPath: (n) => `record?search=sector${n}%20pla*&limit=${toLimit(n)}`, isExpected: isRecord },
  {
    ...dataRequest,
    toPath: (n) => `record?search=sector${n % documentCount}%20miradores&limit=5&include=passages,documents`,
    isExpected: (body, n, edition) => isRecordWithDocument(body, n % documentCount, edition),
  },
  {
    ...dataRequest,
    toPath: (n) => `record/S-${n % documentCount}?search=%22unidades%20de%20paisaje%22&include=passages,documents`,
    isExpected: (body, n, edition) => isRecordWithDocument(body, n % documentCount, edition),
  },
  {
    ...dataRequest,
    toPath: (n) => `summary?search=sector${n}`,
    isExpected: (body) => body.startsWith('{"total":1,'),
  },
  { ...dataRequest, toPath: (n) => `changes?limit=${toLimit(n)}`, isExpected: isChanges },
  { ...dataRequest, toPath: (n) => `feed?search=sector${n}`, isExpected: hasTitle },
  {
    ...dataRequest,
    // The headings, and the row of the record.
    toPath: (n) => `record.csv?search=sector${n}`,
    isExpected: (body, n, edition) => hasTitle(body, n, edition) && body.trimEnd().split('\n').length === 2,
  },
  { ...htmlRequest, toPath: (n) => `?search=sector${n}`, isExpected: hasTitle },
  { ...htmlRequest, toPath: (n) => `expediente/S-${n}`, isExpected: hasTitle },
  {
    ...htmlRequest,
    toPath: () => '',
    isExpected: (body, _, edition) => body.includes('</html>') && edition !== undefined,
  },
  {
    ...errorRequest,
    // No record has the word `zzzz`. The service suggests the term without it.
    status: 404,
    toPath: (n) => `record?search=sector${n}%20zzzz`,
    isExpected: (body, n) => JSON.parse(body).suggestions[0] === `sector${n}`,
  },
  {
    ...errorRequest,
    // The name of the parameter is misspelt: it is `checkin_date`.
    status: 400,
    toPath: (n) => `record?checking_date=${n}`,
    isExpected: (body) => JSON.parse(body).parameter === 'checking_date',
  },
]

/** A limit that varies with the record, from 1 to the greatest that is allowed. */
function toLimit(n: number): number {
  return 1 + (n % 1000)
}

/**
 * One request in this many is for a result page of a thousand records, about 4 MB. The number is a prime, so that these
 * requests take the place of every kind in turn.
 */
const longPageInterval = 101

const longPage: RequestKind = {
  ...dataRequest,
  toPath: () => 'record?limit=1000',
  isExpected: (body) => JSON.parse(body).resultadoBusqueda.length === 1_000,
}

/** Clients that send requests until they are stopped. */
export class SoakLoad {
  /** Responses in which `#findFault` has found a fault, each with its path and the fault. */
  readonly wrongResponses: string[] = []
  /**
   * The paths of the requests that failed or were refused. The key is the error of the connection or the unexpected
   * status.
   */
  readonly failures: Map<string, string[]> = new Map()
  /** Responses of any status. */
  answered = 0
  /** The newest edition in a response. */
  newestEdition = 0
  /** A request that is sent from now on must not get an edition older than this. The test sets it after each import. */
  oldestEditionAllowed = 0
  readonly #base: string
  readonly #clients: Promise<void>[]
  readonly #latenciesMs: RecordableHistogram = createHistogram()
  /** The edition of each snapshot, by the part of an entity tag before its first hyphen, which names the snapshot. */
  readonly #editionOfTag = new Map<string, number>()
  /** The last entity tag of each path, and the hash of the body that came with it. */
  readonly #hashes = new Map<string, { readonly etag: string; readonly hash: string }>()
  #isStopped = false

  constructor(base: string, clientCount: number) {
    this.#base = base
    this.#clients = Array.from({ length: clientCount }, (_, client) => this.#sendRequests(client))
  }

  /** Requests that were refused because the service was overloaded. */
  get refused(): number {
    return this.failures.get('503')?.length ?? 0
  }

  /** Requests that failed for another reason. */
  get failed(): number {
    return [...this.failures.values()].reduce((sum, paths) => sum + paths.length, 0) - this.refused
  }

  /** The response time that 99 % of the requests did not exceed. */
  get p99Ms(): number {
    return this.#latenciesMs.percentile(99)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#clients)
  }

  async #sendRequests(client: number): Promise<void> {
    // Each client has an address of its own. With one address for all, several result pages of 4 MB at a time may
    // exceed the share of the send queues that one address may use.
    const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: `127.0.1.${client + 1}` })
    // The clients begin with different records. A client requests a record by all kinds, then the next one.
    for (let requestNumber = client * clientOffset; !this.#isStopped; requestNumber++) {
      const kind = requestNumber % longPageInterval === 0 ? longPage : kinds[requestNumber % kinds.length]
      const n = (Math.floor(requestNumber / kinds.length) + client * clientOffset) % recordCount
      if (kind !== undefined) await this.#send(kind, n, agent)
      await pause(pauseMs)
    }
    agent.destroy()
  }

  async #send(kind: RequestKind, n: number, agent: Agent): Promise<void> {
    const path = kind.toPath(n)
    const { oldestEditionAllowed } = this
    const startedAt = performance.now()
    try {
      const { status, etag, body } = await get(`${this.#base}/${path}`, agent)
      // The histogram accepts only whole numbers from 1.
      this.#latenciesMs.record(Math.max(1, Math.round(performance.now() - startedAt)))
      this.answered += 1
      if (status === kind.status) {
        const fault = this.#findFault(kind, n, path, etag, body, oldestEditionAllowed)
        if (fault !== undefined) this.wrongResponses.push(`${path}: ${fault}: ${etag} ${body.slice(0, 2_000)}`)
      } else this.#addFailure(String(status), path)
    } catch (error) {
      this.#addFailure(error instanceof Error && 'code' in error ? String(error.code) : String(error), path)
    }
  }

  #addFailure(reason: string, path: string): void {
    const paths = this.failures.get(reason)
    if (paths === undefined) this.failures.set(reason, [path])
    else paths.push(path)
  }

  /** Returns what is wrong with a response; undefined if nothing is. */
  #findFault(
    kind: RequestKind,
    n: number,
    path: string,
    etag: string,
    body: string,
    oldestEditionAllowed: number,
  ): string | undefined {
    const editions = new Set([...body.matchAll(/edicion(\d+)/g)].map(([, edition]) => Number(edition)))
    if (editions.size > 1) return `editions ${[...editions].join(' and ')} in one response`
    const [edition] = editions
    if (!isExpectedBody(kind, body, n, edition)) return 'not the response to this request'
    const hash = createHash('sha1').update(body).digest('base64')
    const last = this.#hashes.get(path)
    if (last !== undefined && last.etag === etag && last.hash !== hash) return 'other bytes with the same entity tag'
    if (etag !== '') this.#hashes.set(path, { etag, hash })
    if (edition === undefined) return undefined
    if (edition < oldestEditionAllowed) return `edition ${edition} when ${oldestEditionAllowed} was in service`
    this.newestEdition = Math.max(this.newestEdition, edition)
    if (!kind.hasSnapshotTag) return undefined
    const snapshotTag = etag.slice(1, etag.indexOf('-'))
    const editionBefore = this.#editionOfTag.get(snapshotTag)
    this.#editionOfTag.set(snapshotTag, edition)
    if (editionBefore === undefined || editionBefore === edition) return undefined
    return `the entity tag belongs to edition ${editionBefore}`
  }
}

/** `kind.isExpected`; false for a body that cannot be parsed. */
function isExpectedBody(kind: RequestKind, body: string, n: number, edition: number | undefined): boolean {
  try {
    return kind.isExpected(body, n, edition)
  } catch {
    return false
  }
}

/** Whether the body has the title of the requested record. */
function hasTitle(body: string, n: number, edition: number | undefined): boolean {
  return edition !== undefined && body.includes(toTitle(n, edition))
}

/** Whether the body has exactly one record, the requested one. The record `S-7` has the id `E-S-7`. */
function isRecord(body: string, n: number, edition: number | undefined): boolean {
  const { resultadoBusqueda } = JSON.parse(body)
  const [{ id, title }] = resultadoBusqueda
  return resultadoBusqueda.length === 1 && id === `E-S-${n}` && title === toTitle(n, edition ?? 0)
}

/** Whether the body has exactly the requested record, with its document and one passage, all of the edition. */
function isRecordWithDocument(body: string, n: number, edition: number | undefined): boolean {
  const [{ documents, passages }] = JSON.parse(body).resultadoBusqueda
  return (
    isRecord(body, n, edition) &&
    documents.length === 1 &&
    documents[0].sha256 === toDocumentHash(n, edition ?? 0) &&
    passages.length === 1 &&
    passages[0].text.includes(`sector${n} edicion${edition}`)
  )
}

/**
 * Whether the body has as many changes as the limit allows, all of the kind `new`, and no two for the same
 * record. A request for changes without `since` gets every current record as new.
 */
function isChanges(body: string, n: number): boolean {
  const { changes }: { changes: { kind: string; cod_archivo: string }[] } = JSON.parse(body)
  const codes = changes.map(({ cod_archivo }) => cod_archivo)
  return (
    changes.length === toLimit(n) && changes.every(({ kind }) => kind === 'new') && new Set(codes).size === codes.length
  )
}

interface Reply {
  readonly status: number
  readonly etag: string
  readonly body: string
}

/** Reads a response. Rejects if it is incomplete. */
async function get(url: string, agent: Agent): Promise<Reply> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(url, { agent, timeout: responseTimeoutMs }, resolve).once('error', reject)
    outgoing.once('timeout', () => outgoing.destroy(Object.assign(new Error('no response'), { code: 'HANG' })))
    outgoing.end()
  })
  let body = ''
  for await (const chunk of response.setEncoding('utf8')) body += chunk
  return { status: response.statusCode ?? 0, etag: response.headers.etag ?? '', body }
}
