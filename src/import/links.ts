// Asks the address of every document whether it still leads somewhere, for `check --links`: only the head of the
// answer, a few requests at a time for each host, and never an address that is not public.
import { Agent, type Dispatcher, request } from 'undici'
import { type AddressRule, ForbiddenAddress, isForbiddenAddress, pinnedLookup } from './documents/address-policy.ts'
import { Hosts } from './documents/host-limiter.ts'

export interface Link {
  /** Record code of the record that has it. */
  readonly id: string
  readonly address: string
}

export interface DeadLink extends Link {
  readonly reason: string
}

export interface LinkFindings {
  readonly asked: number
  /** In the order of the records. */
  readonly dead: readonly DeadLink[]
}

export interface LinkOptions {
  readonly isForbidden?: AddressRule
  readonly timeoutMs?: number
  readonly onProgress?: (asked: number) => void
}

const hostConnectionsMax = 2
const requestsMax = 16
const redirectsMax = 5
/** Longer pauses than this are not waited for: the address counts as undecided, which is not dead. */
const pauseMsMax = 30_000

export async function askLinks(links: AsyncIterable<Link>, options: LinkOptions = {}): Promise<LinkFindings> {
  const isForbidden = options.isForbidden ?? isForbiddenAddress
  const timeoutMs = options.timeoutMs ?? 20_000
  const agent = new Agent({
    connect: { lookup: pinnedLookup(isForbidden), timeout: timeoutMs },
    connections: hostConnectionsMax,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
  const asker = new Asker(agent, isForbidden, timeoutMs)
  const dead: (DeadLink & { readonly number: number })[] = []
  let asked = 0
  let taken = 0
  const queue = links[Symbol.asyncIterator]()
  const work = async (): Promise<void> => {
    for (let next = await queue.next(); !next.done; next = await queue.next()) {
      const number = taken++
      const reason = await asker.whyDead(next.value.address)
      if (reason !== undefined) dead.push({ ...next.value, reason, number })
      options.onProgress?.(++asked)
    }
  }
  try {
    await Promise.all(Array.from({ length: requestsMax }, work))
  } finally {
    await agent.destroy()
  }
  dead.sort((a, b) => a.number - b.number)
  return { asked, dead: dead.map(({ id, address, reason }) => ({ id, address, reason })) }
}

class Asker {
  readonly #agent: Agent
  readonly #isForbidden: AddressRule
  readonly #timeoutMs: number
  readonly #hosts = new Hosts(hostConnectionsMax)

  constructor(agent: Agent, isForbidden: AddressRule, timeoutMs: number) {
    this.#agent = agent
    this.#isForbidden = isForbidden
    this.#timeoutMs = timeoutMs
  }

  /** Undefined where the address leads to a document, or where nobody can tell today. */
  async whyDead(address: string): Promise<string | undefined> {
    let text = address
    for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
      if (!URL.canParse(text)) return 'it is no address'
      const url = new URL(text)
      const literal = url.hostname.replace(/^\[|\]$/g, '')
      if (url.protocol !== 'http:' && url.protocol !== 'https:') return `it leads to ${url.protocol}`
      if (/^[\d.]+$|:/.test(literal) && this.#isForbidden(literal)) return `${literal} is not a public address`
      const answer = await this.#visit(url)
      if (typeof answer === 'string') return answer
      const { statusCode, location } = answer
      if (statusCode < 300 || statusCode === 429 || statusCode === 503) return undefined
      if (statusCode >= 400 || location === undefined) return `the host answers ${statusCode}`
      if (!URL.canParse(location, url)) return 'it redirects to what is no address'
      text = new URL(location, url).href
    }
    return `it redirects more than ${redirectsMax} times`
  }

  async #visit(url: URL): Promise<Answer | string> {
    const signal = AbortSignal.timeout(pauseMsMax + this.#timeoutMs * 4)
    try {
      return await this.#hosts.visit(url.host, () => this.#ask(url), signal)
    } catch (error) {
      if (error instanceof ForbiddenAddress) return error.message
      return `no answer: ${error instanceof Error ? error.message || error.name : String(error)}`
    }
  }

  async #ask(url: URL): Promise<Answer> {
    const answer = await this.#send(url, 'HEAD')
    // Some servers know no HEAD, or guard it; one byte of the document settles it.
    return answer.statusCode >= 400 && answer.statusCode !== 429 && answer.statusCode !== 503
      ? await this.#send(url, 'GET')
      : answer
  }

  async #send(url: URL, method: 'HEAD' | 'GET'): Promise<Answer> {
    const response = await request(url, {
      dispatcher: this.#agent,
      method,
      signal: AbortSignal.timeout(this.#timeoutMs),
      headers: { 'user-agent': 'planning-registry', ...(method === 'GET' ? { range: 'bytes=0-0' } : {}) },
    })
    response.body.on('error', () => {})
    response.body.destroy()
    const pauseSeconds = Number(single(response.headers['retry-after']))
    if (pauseSeconds > 0 && pauseSeconds * 1000 <= pauseMsMax) this.#hosts.holdBack(url.host, pauseSeconds * 1000)
    return { statusCode: response.statusCode, location: single(response.headers.location) }
  }
}

interface Answer {
  readonly statusCode: number
  readonly location: string | undefined
}

function single(header: Dispatcher.ResponseData['headers'][string]): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
