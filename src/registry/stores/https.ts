// A web server or object store that hands out a registry file (`RemoteStore`). `ADDRESS/current.json` is the pointer:
// it names the file, which never changes under its name. `import --export` writes both, `serve --offer-file` offers
// both. The server is not trusted: an answer that is not exactly what was asked for is refused, and the follower
// compares the SHA-256 of the whole file.
import { isIP } from 'node:net'
import { Agent, type Dispatcher, errors, request } from 'undici'
import { t } from '../../language.ts'
import { systemReasonOf } from '../../system-reason.ts'
import { StoreFault, StoreUnreachable } from '../contract.ts'
import { parsePointer, pointerBytesMax, pointerName } from './pointer.ts'
import { type Manifest, pollSecondsDefault, type RemoteOptions, type RemoteStore } from './remote.ts'

export interface HttpsStoreOptions extends RemoteOptions {
  /** Replaces `idleMs`, in tests. */
  readonly idleMs?: number | undefined
}

/** A server that sends nothing for this long is given up. */
const idleMs = 20_000

/** The address in one form, without a slash at its end. Throws `StoreFault` if it cannot be used. */
export function toLocation(address: string): string {
  return toPointerUrl(address, true).href.slice(0, -`/${pointerName}`.length)
}

/** Does not connect yet. Throws `StoreFault` if the address cannot be used. */
export function openHttpsStore(address: string, options: HttpsStoreOptions = {}): RemoteStore {
  return new HttpsStore(toPointerUrl(address, options.allowInsecure === true), options)
}

/** A file that the pointer has named. */
interface NamedFile {
  readonly url: URL
  /** The strong entity tag of the first answer with bytes of it. */
  etag?: string
}

/** ./remote.ts documents the methods. */
class HttpsStore implements RemoteStore {
  readonly pollMs: number
  readonly #pointerUrl: URL
  readonly #idleMs: number
  readonly #agent: Agent
  /** The entity tag of the last valid pointer. */
  #pointerTag: string | undefined
  /** The text of the last valid pointer, for servers without entity tags. */
  #pointerText: string | undefined
  /** The file of the last valid pointer, and its SHA-256. */
  #file: { readonly sha256: string; readonly named: NamedFile } | undefined

  constructor(pointerUrl: URL, options: HttpsStoreOptions) {
    this.#pointerUrl = pointerUrl
    this.pollMs = (options.pollSeconds ?? pollSecondsDefault) * 1000
    this.#idleMs = options.idleMs ?? idleMs
    this.#agent = new Agent({ headersTimeout: this.#idleMs, bodyTimeout: this.#idleMs })
  }

  async readManifest(signal?: AbortSignal): Promise<Manifest | 'unchanged'> {
    const url = this.#pointerUrl
    const headers = this.#pointerTag === undefined ? {} : { 'if-none-match': this.#pointerTag }
    const response = await this.#request(url, { accept: 'application/json', ...headers }, signal)
    try {
      if (response.statusCode === 304 && this.#pointerTag !== undefined) return 'unchanged'
      if (response.statusCode !== 200) throw toStatusFault(url, response)
      const text = await this.#readText(url, response, signal)
      if (text === this.#pointerText) return 'unchanged'
      const pointer = parsePointer(text)
      if (pointer === undefined) throw toFault(url, t`it is no pointer to a registry file`)
      const { manifest } = pointer
      const fileUrl = URL.parse(pointer.href, url)
      // Otherwise a pointer could make this host send requests to any other.
      if (fileUrl?.origin !== url.origin) throw toFault(url, t`its href leads to another host`)
      if (this.#file?.sha256 !== manifest.sha256 || this.#file.named.url.href !== fileUrl.href) {
        this.#file = { sha256: manifest.sha256, named: { url: fileUrl } }
      }
      this.#pointerTag = headerOf(response, 'etag')
      this.#pointerText = text
      return manifest
    } finally {
      response.body.destroy()
    }
  }

  /**
   * Throws `StoreUnreachable` if the transfer breaks off, so that it can go on from there, and `StoreFault` if the
   * server hands out something else than the file.
   */
  async *read(manifest: Manifest, offset: number, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    const file = await this.#findFile(manifest, signal)
    const { url } = file
    const response = await this.#request(url, toRangeHeaders(file, offset), signal)
    try {
      checkFileAnswer(url, response, manifest, offset)
      const tag = headerOf(response, 'etag')
      // If-Range takes no weak tag (RFC 9110, section 13.1.5).
      if (tag?.startsWith('"')) file.etag = tag
      let position = offset
      for await (const chunk of this.#readBody(url, response, signal)) {
        position += chunk.byteLength
        if (position > manifest.bytes) throw toFault(url, t`it is longer than its pointer says`)
        yield chunk
      }
      if (position < manifest.bytes) {
        throw toFault(url, t`it ends after ${position} of ${manifest.bytes} bytes`, { isTransient: true })
      }
    } finally {
      response.body.destroy()
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  /** The file of the manifest. Reads the pointer if this process has not read it yet. */
  async #findFile({ sha256 }: Manifest, signal?: AbortSignal): Promise<NamedFile> {
    if (this.#file === undefined) await this.readManifest(signal)
    if (this.#file?.sha256 === sha256) return this.#file.named
    throw toFault(this.#pointerUrl, t`it names another file now`, { isTransient: true })
  }

  /** Resolves when the headers have arrived. Follows no redirect, and refuses an answer that is encoded. */
  async #request(url: URL, headers: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Answer> {
    try {
      const answer = await request(url, {
        dispatcher: this.#agent,
        headers: { 'user-agent': 'planning-registry', 'accept-encoding': 'identity', ...headers },
        signal: signal ?? null,
      })
      // Destroying the body emits an error, which would end the process if nobody listened.
      answer.body.on('error', () => {})
      const coding = headerOf(answer, 'content-encoding') ?? 'identity'
      if (coding === 'identity') return answer
      answer.body.destroy()
      throw toFault(url, t`the server compresses it (${coding}) although that was refused`)
    } catch (error) {
      throw this.#toNetworkError(url, error, signal)
    }
  }

  /** Throws `StoreUnreachable` if the body breaks off. */
  async *#readBody(url: URL, { body }: Answer, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* body as AsyncIterable<Uint8Array>
    } catch (error) {
      throw this.#toNetworkError(url, error, signal)
    }
  }

  async #readText(url: URL, answer: Answer, signal?: AbortSignal): Promise<string> {
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of this.#readBody(url, answer, signal)) {
      bytes += chunk.byteLength
      if (bytes > pointerBytesMax) {
        throw toFault(url, t`it is longer than ${pointerBytesMax} bytes, so it is no pointer`)
      }
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  }

  #toNetworkError(url: URL, error: unknown, signal?: AbortSignal): unknown {
    if (error instanceof StoreFault || signal?.aborted === true) return error
    if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError) {
      return toUnreachable(url, t`the server has sent nothing for ${this.#idleMs / 1000} seconds`, error)
    }
    return toUnreachable(url, systemReasonOf(error), error)
  }
}

type Answer = Dispatcher.ResponseData

/** The first value of a header, whose name is in lower case. */
function headerOf({ headers }: Answer, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

function toRangeHeaders({ etag }: NamedFile, offset: number): Record<string, string> {
  if (offset === 0) return {}
  // Without a tag, for example after a restart, the hash of the whole file decides alone.
  return { range: `bytes=${offset}-`, ...(etag === undefined ? {} : { 'if-range': etag }) }
}

/** Throws if the answer is not the file from `offset` on. */
function checkFileAnswer(url: URL, answer: Answer, { bytes }: Manifest, offset: number): void {
  const { statusCode: status } = answer
  if (status !== 200 && status !== 206) throw toStatusFault(url, answer)
  if (offset === 0 && status === 206) throw toFault(url, t`the server answers a part of it, which was not asked for`)
  // The server has another file under this name now, or no ranges. The bytes that are kept may be of another file, so
  // nothing is appended to them.
  if (offset > 0 && status === 200) throw toFault(url, t`the server answers the whole file to a range of it`)
  const range = headerOf(answer, 'content-range')
  const expectedRange = `bytes ${offset}-${bytes - 1}/${bytes}`
  if (status === 206 && range !== expectedRange) {
    throw toFault(url, t`the server answers the range "${range ?? ''}" instead of "${expectedRange}"`)
  }
  const length = headerOf(answer, 'content-length')
  const expectedLength = String(bytes - offset)
  if (length !== undefined && length !== expectedLength) {
    throw toFault(url, t`the server announces ${length} bytes instead of ${expectedLength}`)
  }
}

/** The fault of a status other than 200 or 206. */
function toStatusFault(url: URL, answer: Answer): StoreFault {
  const { statusCode: status } = answer
  const location = headerOf(answer, 'location')
  if (status >= 300 && status < 400 && location !== undefined) {
    return toFault(url, t`it redirects to ${location}; give the address that does not`)
  }
  // The server or a proxy in front of it has a problem that passes.
  if (status === 429 || status >= 500) return toUnreachable(url, t`the server answers ${String(status)}`)
  return toFault(url, t`the server answers ${String(status)}`, { isTransient: true })
}

function toFault(url: URL, reason: string, options: { readonly isTransient?: boolean } = {}): StoreFault {
  return new StoreFault(t`Cannot read ${url.href}: ${reason}`, options)
}

function toUnreachable(url: URL, reason: string, cause?: unknown): StoreUnreachable {
  return new StoreUnreachable(t`Cannot read ${url.href}: ${reason}`, { cause, isTransient: true })
}

/** The URL of the pointer. Throws `StoreFault` if the address has another form, or is not secure. */
function toPointerUrl(address: string, allowInsecure: boolean): URL {
  const url = URL.parse(address)
  const hasOnlyHostAndPath =
    url !== null &&
    !/[?#]/.test(address) &&
    url.username === '' &&
    url.password === '' &&
    /^https?:$/.test(url.protocol)
  if (!hasOnlyHostAndPath) {
    // The address is not repeated, because it may have a password.
    throw new StoreFault(t`Cannot read --database: expected an address such as https://example.org/registry`)
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowInsecure) {
    throw new StoreFault(
      t`Cannot read ${address}: with http:// anybody on the way can change the registry; use https://, or --allow-insecure`,
    )
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${pointerName}`
  return url
}

/** Whether the host name of a URL is this machine. */
function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname === '[::1]') return true
  return isIP(hostname) === 4 && hostname.startsWith('127.')
}
