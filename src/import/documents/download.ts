// Fetches one document from its address: redirects one by one, each checked like the first address; sizes and times
// bounded; passing faults tried again after a pause; a conditional request where an earlier import left a validator.
import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, type Dispatcher, errors, request } from 'undici'
import { type AddressRule, ForbiddenAddress, parseDocumentAddress, pinnedLookup } from './address-policy.ts'
import { Hosts } from './host-limiter.ts'
import type { DocumentLimits } from './limits.ts'

export type Download =
  | { readonly kind: 'fetched'; readonly path: string; readonly sha256: string; readonly validators: Validators }
  /** The host says that the document is the one the validators describe. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'missing' | 'unreadable'; readonly reason: string }
  /** It cannot be had now and may be later: `soon` enough for this import, or at the next one. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly soon: boolean }

export interface Validators {
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

export class Downloader {
  readonly #agent: Agent
  readonly #hosts: Hosts
  readonly #limits: DocumentLimits
  readonly #allowHosts: ReadonlySet<string>
  readonly #isForbidden: AddressRule
  readonly #folder: string
  readonly #closing = new AbortController()

  constructor(folder: string, allowHosts: ReadonlySet<string>, isForbidden: AddressRule, limits: DocumentLimits) {
    this.#folder = folder
    this.#allowHosts = allowHosts
    this.#isForbidden = isForbidden
    this.#limits = limits
    this.#hosts = new Hosts(limits.hostConnectionsMax)
    this.#agent = new Agent({
      connect: { lookup: pinnedLookup(isForbidden), timeout: limits.connectTimeoutMs },
      connections: limits.hostConnectionsMax,
      headersTimeout: limits.silenceTimeoutMs,
      bodyTimeout: limits.silenceTimeoutMs,
    })
  }

  async fetch(address: string, validators: Validators): Promise<Download> {
    let result: Download = { kind: 'unavailable', reason: 'it was not asked for', soon: true }
    for (let attempt = 0; attempt < this.#limits.attemptsMax; attempt += 1) {
      if (attempt > 0) {
        const delayMs = this.#limits.retryDelayMs * 2 ** (attempt - 1)
        await pause(delayMs, undefined, { signal: this.#closing.signal })
      }
      result = await this.#follow(address, validators)
      if (result.kind !== 'unavailable' || !result.soon) break
    }
    return result
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#agent.destroy()
  }

  async #follow(address: string, validators: Validators): Promise<Download> {
    let text = address
    for (let redirects = 0; redirects <= this.#limits.redirectsMax; redirects += 1) {
      const url = parseDocumentAddress(text, this.#allowHosts, this.#isForbidden)
      if (typeof url === 'string') return missing(redirects === 0 ? url : `redirected to ${text}: ${url}`)
      const answer = await this.#hosts.visit(url.host, () => this.#ask(url, validators), this.#closing.signal)
      if (!('location' in answer)) return answer
      if (!URL.canParse(answer.location, url)) return missing('redirected to what is not an address')
      text = new URL(answer.location, url).href
    }
    return missing(`redirected more than ${this.#limits.redirectsMax} times`)
  }

  async #ask(url: URL, { etag, lastModified }: Validators): Promise<Download | { readonly location: string }> {
    const signal = AbortSignal.any([AbortSignal.timeout(this.#limits.downloadTimeoutMs), this.#closing.signal])
    try {
      const response = await request(url, {
        dispatcher: this.#agent,
        signal,
        headers: {
          'user-agent': 'planning-registry',
          accept: 'application/pdf, text/plain, */*;q=0.1',
          'accept-encoding': 'identity',
          ...(etag === undefined ? {} : { 'if-none-match': etag }),
          ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
        },
      })
      if (response.statusCode === 200) return await this.#save(response)
      // Small bodies are read to the end so that the connection can be used again.
      await response.body.dump({ limit: 65_536 })
      return this.#judge(url, response)
    } catch (error) {
      this.#closing.signal.throwIfAborted()
      return toFault(error)
    }
  }

  #judge(url: URL, { statusCode, headers }: Dispatcher.ResponseData): Download | { readonly location: string } {
    if (statusCode === 304) return { kind: 'unchanged' }
    const location = single(headers.location)
    if ([301, 302, 303, 307, 308].includes(statusCode) && location !== undefined) return { location }
    if (![408, 425, 429, 500, 502, 503, 504].includes(statusCode)) return missing(`the host answers ${statusCode}`)
    const reason = `the host answers ${statusCode}`
    const pauseMs = parseRetryAfter(single(headers['retry-after']))
    if (pauseMs === undefined) return { kind: 'unavailable', reason, soon: true }
    // Giving up at once is kinder than asking again before the host wants to be asked.
    if (pauseMs > this.#limits.retryAfterMsMax) {
      return { kind: 'unavailable', reason: `${reason} and asks to come back in ${pauseMs / 1000} s`, soon: false }
    }
    this.#hosts.holdBack(url.host, pauseMs)
    return { kind: 'unavailable', reason, soon: true }
  }

  async #save({ body, headers }: Dispatcher.ResponseData): Promise<Download> {
    const { documentBytesMax } = this.#limits
    const tooLarge = {
      kind: 'unreadable',
      reason: `larger than ${Math.floor(documentBytesMax / 1024 / 1024)} MB`,
    } as const
    if (Number(single(headers['content-length'])) > documentBytesMax) {
      body.destroy()
      return tooLarge
    }
    const path = join(this.#folder, `download-${randomUUID()}`)
    const hash = createHash('sha256')
    let bytes = 0
    try {
      await pipeline(
        body,
        async function* (chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            bytes += chunk.length
            if (bytes > documentBytesMax) return
            hash.update(chunk)
            yield chunk
          }
        },
        createWriteStream(path),
      )
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
    if (bytes > documentBytesMax) {
      await rm(path, { force: true })
      return tooLarge
    }
    const validators = { etag: single(headers.etag), lastModified: single(headers['last-modified']) }
    return { kind: 'fetched', path, sha256: hash.digest('hex'), validators }
  }
}

/** Seconds or a date (RFC 9110, 10.2.3), as milliseconds from now. */
export function parseRetryAfter(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

/** A fault of the connection passes; a forbidden address, or a disk that cannot take the file, does not. */
function toFault(error: unknown): Download {
  if (error instanceof ForbiddenAddress) return missing(error.message)
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  const isOfDisk =
    error instanceof Error && 'syscall' in error && ['open', 'write', 'close'].includes(String(error.syscall))
  if (isOfDisk) throw error
  if (code === 'ENOTFOUND') return missing('the host has no address')
  if (error instanceof errors.InvalidArgumentError) return missing('the address cannot be asked for')
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return { kind: 'unavailable', reason: 'the download took too long', soon: true }
  }
  return { kind: 'unavailable', reason: `the host cannot be reached (${code ?? 'connection failed'})`, soon: true }
}

function missing(reason: string): Download {
  return { kind: 'missing', reason }
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
