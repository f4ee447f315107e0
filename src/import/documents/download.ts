// Downloads a document to a temporary file: checks every redirect like the first address, limits size and time, retries
// temporary failures, and sends a conditional request (RFC 9110, 13) if an earlier import stored a validator.
import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, type Dispatcher, errors, request } from 'undici'
import type { Reason } from '../../domain/document-reason.ts'
import { type AddressRule, ForbiddenAddress, parseDocumentAddress, pinnedLookup } from './address-policy.ts'
import { toTooLarge } from './document-folder.ts'
import { HostLimiter } from './host-limiter.ts'
import type { DocumentLimits } from './limits.ts'

export type Download =
  /** The caller deletes the file `path`. */
  | { readonly kind: 'fetched'; readonly path: string; readonly sha256: string; readonly validators: Validators }
  /** The host responded with 304 (Not Modified). */
  | { readonly kind: 'unchanged' }
  /** `missing` if it does not exist or may not be fetched, `unreadable` if it is too large. */
  | { readonly kind: 'missing' | 'unreadable'; readonly reasons: readonly Reason[] }
  /** A temporary failure. `isRetryable` if another attempt in this import may succeed. */
  | { readonly kind: 'unavailable'; readonly reason: Reason; readonly isRetryable: boolean }

/** `location` may be relative to the address that was requested. */
type Redirect = { readonly kind: 'redirect'; readonly location: string }
type Unavailable = Extract<Download, { kind: 'unavailable' }>

/** A host that is overloaded or in maintenance responds with these statuses. */
const busyStatuses: readonly number[] = [429, 503]
const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308]
/** After these statuses, and after all from 500 on, a later attempt may succeed. */
const temporaryStatuses: readonly number[] = [408, 425, 429]
/** After this many failed requests in a row, the host is given up if `hostFailingMsMax` has passed since the first. */
const failedRequestsMax = 12
/** If the status is not 200, a body of up to this length is read to its end, so that the connection can be reused. */
const discardedBytesMax = 64 * 1024

/** What the host said about the version of a document, for the next conditional request. */
export interface Validators {
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

export class Downloader {
  readonly #agent: Agent
  readonly #hostLimiter: HostLimiter
  readonly #limits: DocumentLimits
  /** Documents are fetched only from these, also after a redirect: `https://example.org`, `http://example.org:8080`. */
  readonly #allowedOrigins: ReadonlySet<string>
  /** Whether an IP address must not be connected to, such as a private one. Host names are resolved first. */
  readonly #isForbidden: AddressRule
  /** Where the downloaded files are written. */
  readonly #folder: string
  /** By `URL.host`: the requests in a row that had no complete response or one of `busyStatuses`. */
  readonly #failuresByHost = new Map<string, { readonly since: number; count: number }>()
  /** By `URL.host`: the result of all its documents, for a host that keeps failing or asks for too long a pause. */
  readonly #givenUp = new Map<string, Unavailable>()
  /** Aborted by `close`. */
  readonly #closing = new AbortController()

  constructor(folder: string, allowedOrigins: ReadonlySet<string>, isForbidden: AddressRule, limits: DocumentLimits) {
    this.#folder = folder
    this.#allowedOrigins = allowedOrigins
    this.#isForbidden = isForbidden
    this.#limits = limits
    this.#hostLimiter = new HostLimiter(limits.hostConnectionsMax)
    this.#agent = new Agent({
      // Checks the addresses of a host name and connects to these, so that a second lookup cannot give others.
      connect: { lookup: pinnedLookup(isForbidden), timeout: limits.connectTimeoutMs },
      connections: limits.hostConnectionsMax,
      headersTimeout: limits.idleTimeoutMs,
      bodyTimeout: limits.idleTimeoutMs,
    })
  }

  /** `validators` are empty for an unconditional request. Returns the result of the last attempt. */
  async fetch(address: string, validators: Validators): Promise<Download> {
    for (let attempt = 1; ; attempt += 1) {
      const result = await this.#fetchOnce(address, validators)
      const isWorthRetrying = result.kind === 'unavailable' && result.isRetryable
      if (!isWorthRetrying || attempt >= this.#limits.attemptsMax) return result
      const delayMs = this.#limits.retryDelayMs * 2 ** (attempt - 1)
      await sleep(delayMs, undefined, { signal: this.#closing.signal })
    }
  }

  /** Aborts the downloads in progress. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#agent.destroy()
  }

  /** Makes one attempt, which follows redirects. */
  async #fetchOnce(address: string, validators: Validators): Promise<Download> {
    let target = address
    for (let redirects = 0; redirects <= this.#limits.redirectsMax; redirects += 1) {
      const url = parseDocumentAddress(target, this.#allowedOrigins, this.#isForbidden)
      if (!(url instanceof URL)) {
        const [reason, ...advice] = url
        return redirects === 0 || reason === undefined
          ? missing(...url)
          : missing({ code: 'redirected', values: { address: target, reason } }, ...advice)
      }
      const result = await this.#hostLimiter.run(url.host, () => this.#request(url, validators), this.#closing.signal)
      if (result.kind !== 'redirect') return result
      if (!URL.canParse(result.location, url)) return missing({ code: 'redirectInvalid' })
      target = new URL(result.location, url).href
    }
    return missing({ code: 'redirects', values: { count: this.#limits.redirectsMax } })
  }

  async #request(url: URL, { etag, lastModified }: Validators): Promise<Download | Redirect> {
    const givenUp = this.#givenUp.get(url.host)
    if (givenUp !== undefined) return givenUp
    const signal = AbortSignal.any([AbortSignal.timeout(this.#limits.downloadTimeoutMs), this.#closing.signal])
    try {
      const response = await request(url, {
        dispatcher: this.#agent,
        signal,
        headers: {
          'user-agent': 'planning-registry',
          accept: 'application/pdf, text/plain, */*;q=0.1',
          // No compression: the size limit counts the bytes of the body, and the file is saved as it is.
          'accept-encoding': 'identity',
          ...(etag === undefined ? {} : { 'if-none-match': etag }),
          ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
        },
      })
      const isFound = response.statusCode === 200
      const result = isFound ? await this.#save(response) : this.#handleStatus(url, response)
      if (!isFound) await response.body.dump({ limit: discardedBytesMax })
      const isBusy = result.kind === 'unavailable' && busyStatuses.includes(response.statusCode)
      if (isBusy) this.#countFailure(url.host, result)
      // Any other status means that the host works: even an error such as 500 may concern this document alone. A
      // redirect may lead to an address of the same host that fails.
      else if (result.kind !== 'redirect') this.#failuresByHost.delete(url.host)
      return result
    } catch (error) {
      // An error that `close` has caused is no failure of the host.
      this.#closing.signal.throwIfAborted()
      const failure = toFailure(error)
      if (failure.kind === 'unavailable') this.#countFailure(url.host, failure)
      return failure
    }
  }

  /** Otherwise all documents of a host that keeps failing would wait for timeouts or `Retry-After`. */
  #countFailure(host: string, failure: Unavailable): void {
    const now = performance.now()
    const failures = this.#failuresByHost.get(host) ?? { since: now, count: 0 }
    failures.count += 1
    this.#failuresByHost.set(host, failures)
    if (failures.count >= failedRequestsMax && now - failures.since >= this.#limits.hostFailingMsMax)
      this.#givenUp.set(host, { ...failure, isRetryable: false })
  }

  /** Handles every status except 200: pauses the requests to the host, or gives it up, if it asks to wait. */
  #handleStatus(url: URL, { statusCode: status, headers }: Dispatcher.ResponseData): Download | Redirect {
    if (status === 304) return { kind: 'unchanged' }
    const location = findFirstValue(headers.location)
    if (redirectStatuses.includes(status) && location !== undefined) return { kind: 'redirect', location }
    const reason: Reason = { code: 'status', values: { status } }
    if (status < 500 && !temporaryStatuses.includes(status)) return missing(reason)
    const pauseMs = parseRetryAfter(findFirstValue(headers['retry-after'])) ?? 0
    if (pauseMs <= this.#limits.retryAfterMsMax) {
      this.#hostLimiter.pause(url.host, pauseMs)
      return { kind: 'unavailable', reason, isRetryable: true }
    }
    // Waiting so long would delay the import, and retrying earlier would be impolite.
    const values = { status, seconds: Math.ceil(pauseMs / 1000) }
    const unavailable = { kind: 'unavailable', reason: { code: 'statusAndWait', values }, isRetryable: false } as const
    this.#givenUp.set(url.host, unavailable)
    return unavailable
  }

  /** Writes the body to a file. Stops as soon as it exceeds the size limit. */
  async #save({ body, headers }: Dispatcher.ResponseData): Promise<Download> {
    const { documentBytesMax } = this.#limits
    const tooLarge = { kind: 'unreadable', reasons: [toTooLarge(documentBytesMax)] } as const
    // If the host does not say the length, this is NaN, and the comparison below is false.
    const declaredBytes = Number(findFirstValue(headers['content-length']))
    if (declaredBytes > documentBytesMax) {
      body.destroy()
      return tooLarge
    }
    const path = join(this.#folder, `download-${randomUUID()}`)
    const hash = createHash('sha256')
    let bytes = 0
    const limited = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
      for await (const chunk of chunks) {
        bytes += chunk.length
        // Ending here also ends the download.
        if (bytes > documentBytesMax) return
        hash.update(chunk)
        yield chunk
      }
    }
    let isWhole = false
    try {
      await pipeline(body, limited, createWriteStream(path))
      isWhole = bytes <= documentBytesMax
    } finally {
      if (!isWhole) await rm(path, { force: true })
    }
    if (!isWhole) return tooLarge
    const validators = { etag: findFirstValue(headers.etag), lastModified: findFirstValue(headers['last-modified']) }
    return { kind: 'fetched', path, sha256: hash.digest('hex'), validators }
  }
}

/**
 * Parses the header Retry-After (RFC 9110, 10.2.3), seconds or a date, into milliseconds from now. Returns undefined
 * for any other text.
 */
export function parseRetryAfter(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const dateMs = Date.parse(text)
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - Date.now())
}

/**
 * Returns the failure that an error means: timeouts and connection errors are temporary; a forbidden address, an
 * unknown host name and an address that cannot be requested are not. If the file could not be written, throws the error
 * itself. Exported for tests.
 */
export function toFailure(error: unknown): Download {
  if (error instanceof ForbiddenAddress) return missing(error.reason)
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  // The system calls that write the file.
  const isFileCall =
    error instanceof Error && 'syscall' in error && ['open', 'write', 'close'].includes(String(error.syscall))
  // `write` is also the system call of a socket: it fails if the host has closed the connection.
  const isConnectionClosed = code === 'EPIPE' || code === 'ECONNRESET'
  if (isFileCall && !isConnectionClosed) throw error
  if (code === 'ENOTFOUND') return missing({ code: 'unknownHost' })
  if (error instanceof errors.InvalidArgumentError) return missing({ code: 'badRequest' })
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return { kind: 'unavailable', reason: { code: 'slowDownload' }, isRetryable: true }
  }
  return {
    kind: 'unavailable',
    reason: code === undefined ? { code: 'connectionFailed' } : { code: 'unreachable', values: { error: code } },
    isRetryable: true,
  }
}

function missing(...reasons: readonly Reason[]): Download {
  return { kind: 'missing', reasons }
}

/** Returns the first value of a header, which may be repeated or absent. */
export function findFirstValue(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
