// Plain requests: a GET of HTTP/1.1 that came whole and alone, with headers that say nothing about a body or another
// protocol. Almost all requests are, and the messages of node:http cost more than most answers to them; so these are
// read and answered here. What is not plainly one (another method, a body, in pieces, pipelined, malformed) goes to
// node:http together with its connection and what was read of it: nothing here has to be forgiving.
import type { IncomingHttpHeaders, Server } from 'node:http'
import type { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { http } from './http.ts'
import { headerBytesMax, headersTimeoutMs, keepAliveTimeoutMs } from './limits.ts'

export class PlainRequest {
  readonly method = 'GET'
  readonly httpVersion = '1.1'
  readonly httpVersionMajor = 1
  readonly socket: Socket
  readonly headers: IncomingHttpHeaders
  url: string

  constructor(socket: Socket, url: string, headers: IncomingHttpHeaders) {
    this.socket = socket
    this.url = url
    this.headers = headers
  }

  get rawHeaders(): readonly string[] {
    return this.headers.host === undefined ? [] : ['Host', this.headers.host]
  }
}

/** Like the one of node:http, as far as the service uses that. */
export class PlainResponse {
  statusCode = 200
  shouldKeepAlive: boolean
  /** All of it is written, though the connection may not have taken it yet. */
  isWritten = false
  readonly #socket: Socket
  readonly #whenTaken: (response: PlainResponse) => void
  #head = ''
  #endTimeout: (() => void) | undefined

  constructor(socket: Socket, shouldKeepAlive: boolean, whenTaken: (response: PlainResponse) => void) {
    this.#socket = socket
    this.shouldKeepAlive = shouldKeepAlive
    this.#whenTaken = whenTaken
  }

  get destroyed(): boolean {
    return this.#socket.destroyed
  }

  /** What the connection has not taken yet. */
  get writableLength(): number {
    return this.#socket.writableLength
  }

  setHeader(name: string, value: string): void {
    this.#head += `${name}: ${value}\r\n`
  }

  /** Headers that many answers share, names and values in turn, and those of this one. */
  writeHead(status: number, shared: readonly string[], ...others: readonly (readonly string[])[]): void {
    this.statusCode = status
    let lines = sharedLines.get(shared)
    if (lines === undefined) {
      lines = this.#toLines(shared)
      sharedLines.set(shared, lines)
    }
    for (const headers of others) lines += this.#toLines(headers)
    this.#head = `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${this.#head}${lines}`
  }

  end(body?: string | Uint8Array, _encoding?: 'latin1'): void {
    if (typeof body === 'string') this.#socket.write(this.#wholeHead() + body, 'latin1')
    else {
      this.#socket.cork()
      this.#socket.write(this.#wholeHead(), 'latin1')
      if (body !== undefined) this.#socket.write(body)
      this.#socket.uncork()
    }
    this.#written()
  }

  /** A body whose length nobody knows yet, in chunks (RFC 9112, section 7.1). */
  openBody(): Writable {
    const socket = this.#socket
    this.#head += 'Transfer-Encoding: chunked\r\n'
    socket.write(this.#wholeHead(), 'latin1')
    const body = new Writable({
      // What makes the body goes on meanwhile: a compressor that waits for each piece to leave is slower by a quarter.
      highWaterMark: 512 * 1024,
      writev: (parts, done) => {
        const bytes = parts.reduce((sum, { chunk }) => sum + chunk.length, 0)
        // A chunk of nothing would end the body.
        if (bytes === 0) {
          done()
          return
        }
        socket.cork()
        socket.write(`${bytes.toString(16)}\r\n`, 'latin1')
        for (const { chunk } of parts) socket.write(chunk)
        socket.write('\r\n', 'latin1', done)
        socket.uncork()
      },
      final: (done) => {
        socket.write('0\r\n\r\n', 'latin1', done)
        this.#written()
      },
      destroy: (error, done) => {
        // Whoever reads can tell a broken answer from a whole one.
        if (!this.isWritten) socket.destroy()
        done(error)
      },
    })
    const endBody = (): unknown => body.destroy()
    socket.once('close', endBody)
    body.once('close', () => socket.off('close', endBody))
    return body
  }

  /** Until the connection has taken all of it. */
  setTimeout(ms: number, whenOver: () => void): void {
    const socket = this.#socket
    socket.setTimeout(ms, whenOver)
    this.#endTimeout = () => {
      socket.off('timeout', whenOver)
      socket.setTimeout(keepAliveTimeoutMs)
    }
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** All but `Connection`, which is written last. */
  #toLines(headers: readonly string[]): string {
    let lines = ''
    for (let index = 0; index < headers.length; index += 2) {
      if (headers[index] === 'Connection') this.shouldKeepAlive = headers[index + 1] !== 'close'
      else lines += `${headers[index]}: ${headers[index + 1]}\r\n`
    }
    return lines
  }

  #wholeHead(): string {
    const connection = this.shouldKeepAlive ? keepAliveLines : 'Connection: close\r\n'
    return `${this.#head}Date: ${httpDate()}\r\n${connection}\r\n`
  }

  #written(): void {
    this.isWritten = true
    if (this.#socket.writableLength === 0) this.#taken()
    // Nothing, but behind all the rest.
    else this.#socket.write('', 'latin1', (error) => error ?? this.#taken())
  }

  #taken(): void {
    this.#endTimeout?.()
    this.#whenTaken(this)
  }
}

const sharedLines = new WeakMap<readonly string[], string>()

const keepAliveLines = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveTimeoutMs / 1000}\r\n`

let dateMs = 0
let date = ''

/** Made once a second. */
function httpDate(): string {
  const now = Date.now()
  if (now - dateMs >= 1000 || now < dateMs) {
    dateMs = now - (now % 1000)
    date = new Date(now).toUTCString()
  }
  return date
}

export interface PlainService {
  readonly answer: (request: PlainRequest, response: PlainResponse) => void
  /** Whether an address wants the messages of node:http. */
  readonly isAside: (url: string) => boolean
}

/** Stands before the reading of a server that has no connection yet. */
export class PlainReader {
  readonly #server: Server
  readonly #service: PlainService
  readonly #readByNode: (socket: Socket) => void
  readonly #open = new Set<PlainConnection>()

  constructor(server: Server, service: PlainService) {
    this.#server = server
    this.#service = service
    const [readByNode] = server.listeners('connection')
    this.#readByNode = readByNode as (socket: Socket) => void
    server.removeListener('connection', this.#readByNode)
    server.on('connection', (socket: Socket) => {
      const connection = new PlainConnection(socket, this.#service, {
        handOver: (read) => {
          this.#open.delete(connection)
          this.#readByNode.call(this.#server, socket)
          socket.unshift(read)
          socket.resume()
        },
        refuse: (code) => this.#server.emit('clientError', Object.assign(new Error(code), { code }), socket),
      })
      this.#open.add(connection)
      socket.once('close', () => this.#open.delete(connection))
    })
  }

  closeIdleConnections(): void {
    for (const connection of this.#open) connection.endIdle()
  }
}

/** The ways out of here. */
interface WaysOut {
  /** To node:http, with what was read and not answered. */
  readonly handOver: (read: Buffer) => void
  /** With the answer to a fault that node:http would have found. */
  readonly refuse: (code: 'ERR_HTTP_REQUEST_TIMEOUT') => void
}

class PlainConnection {
  readonly #socket: Socket
  readonly #service: PlainService
  readonly #waysOut: WaysOut
  #hasAsked = false
  /** While it is made, and until the connection has taken it: who does not read gets no second one. */
  #response: PlainResponse | undefined
  /** What came meanwhile. */
  #early: Buffer | undefined
  /** Of the request before; the headers of the next are most often the same. */
  #headerText: string | undefined
  #headers: IncomingHttpHeaders = {}

  constructor(socket: Socket, service: PlainService, waysOut: WaysOut) {
    this.#socket = socket
    this.#service = service
    this.#waysOut = waysOut
    socket.setTimeout(headersTimeoutMs)
    socket.on('data', this.#onData)
    socket.on('end', this.#onEnd)
    socket.on('timeout', this.#onTimeout)
    socket.on('error', this.#onError)
  }

  endIdle(): void {
    if (this.#response === undefined) this.#end()
  }

  readonly #onData = (bytes: Buffer): void => {
    if (this.#response !== undefined) {
      this.#early = this.#early === undefined ? bytes : Buffer.concat([this.#early, bytes])
      this.#socket.pause()
      return
    }
    const request = this.#read(bytes)
    if (request === undefined) {
      this.#leave(bytes)
      return
    }
    if (!this.#hasAsked) {
      this.#hasAsked = true
      this.#socket.setTimeout(keepAliveTimeoutMs)
    }
    const shouldKeepAlive = request.headers.connection?.toLowerCase() !== 'close'
    this.#response = new PlainResponse(this.#socket, shouldKeepAlive, this.#onTaken)
    this.#service.answer(request, this.#response)
  }

  readonly #onTaken = (response: PlainResponse): void => {
    this.#response = undefined
    if (this.#socket.destroyed) return
    if (!response.shouldKeepAlive) this.#end()
    else if (this.#early !== undefined) this.#leave(this.#early)
  }

  /** Nobody waits any more for an answer that is still being made; one that is written may be on its way. */
  readonly #onEnd = (): void => {
    if (this.#response === undefined) this.#end()
    else if (this.#response.isWritten) this.#response.shouldKeepAlive = false
    else this.#socket.destroy()
  }

  readonly #onTimeout = (): void => {
    if (this.#response !== undefined) return
    if (!this.#hasAsked) this.#waysOut.refuse('ERR_HTTP_REQUEST_TIMEOUT')
    this.#end()
  }

  readonly #onError = (): void => {
    this.#socket.destroy()
  }

  /** Once all is sent; what still comes in is not read. */
  #end(): void {
    this.#socket.off('data', this.#onData)
    this.#socket.destroySoon()
  }

  #leave(read: Buffer): void {
    const socket = this.#socket
    socket.off('data', this.#onData)
    socket.off('end', this.#onEnd)
    socket.off('timeout', this.#onTimeout)
    socket.off('error', this.#onError)
    socket.setTimeout(0)
    this.#waysOut.handOver(read)
  }

  /** Undefined where it is not plain. */
  #read(bytes: Buffer): PlainRequest | undefined {
    if (bytes.length > headerBytesMax) return undefined
    const text = bytes.toString('latin1')
    const lineEnd = text.indexOf('\r\n')
    if (!text.startsWith('GET /') || !text.endsWith(' HTTP/1.1', lineEnd)) return undefined
    // A text of its own: it is looked at letter by letter, and a window on another is slower at that.
    const url = bytes.toString('latin1', 'GET '.length, lineEnd - ' HTTP/1.1'.length)
    if (!/^[!-~]+$/.test(url) || this.#service.isAside(url)) return undefined
    const headerText = text.slice(lineEnd + '\r\n'.length)
    if (headerText !== this.#headerText) {
      const headers = parseHeaders(headerText)
      if (headers === undefined || headerText.length > rememberedCharactersMax) {
        return headers && new PlainRequest(this.#socket, url, headers)
      }
      this.#headerText = headerText
      this.#headers = headers
    }
    return new PlainRequest(this.#socket, url, this.#headers)
  }
}

/** Longer headers are read anew each time: most connections idle, and thousands of them may. */
const rememberedCharactersMax = 1024

/** Header lines and the empty one that ends them (RFC 9112, sections 2.1 and 5), and not a byte more. */
const headerLines = /^(?:[!#$%&'*+.^_`|~\w-]+:[\t\x20-\x7e\x80-\xff]*\r\n)+\r\n$/

/** Undefined where one of them, or what one of them says, is not plain. */
function parseHeaders(text: string): IncomingHttpHeaders | undefined {
  if (!headerLines.test(text)) return undefined
  const headers: Record<string, string> = Object.create(null)
  for (const line of text.slice(0, -4).split('\r\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    if (name in headers || ofAnotherKind.has(name)) return undefined
    headers[name] = line.slice(colon + 1).replace(/^[\t ]+|[\t ]+$/g, '')
  }
  const isPlain = headers.host !== undefined && /^(?:close|keep-alive)?$/i.test(headers.connection ?? '')
  return isPlain ? headers : undefined
}

/** What announces a body, or more than one answer. */
const ofAnotherKind: ReadonlySet<string> = new Set([
  'content-length',
  'transfer-encoding',
  'trailer',
  'expect',
  'upgrade',
  'http2-settings',
  'proxy-connection',
])
