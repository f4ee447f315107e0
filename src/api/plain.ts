// Plain requests: a GET of HTTP/1.1 that came whole and alone, with headers that say nothing about a body or another
// protocol. Almost all requests are, and the messages of node:http cost more than most answers to them; so these are
// read and answered here. What is not plainly one (another method, a body, in pieces, pipelined, malformed) goes to
// node:http together with its connection and what was read of it: nothing here has to be forgiving.
import type { IncomingHttpHeaders, Server } from 'node:http'
import type { Socket } from 'node:net'
import { headerBytesMax, headersTimeoutMs, keepAliveTimeoutMs } from './limits.ts'
import { PlainRequest, parseHeaders } from './plain-request.ts'
import { PlainResponse } from './plain-response.ts'

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
    const headers = headerText === this.#headerText ? this.#headers : parseHeaders(headerText)
    if (headers === undefined) return undefined
    if (headerText.length <= rememberedCharactersMax) {
      this.#headerText = headerText
      this.#headers = headers
    }
    return new PlainRequest(this.#socket, url, headers)
  }
}

/** Longer headers are read anew each time: most connections idle, and thousands of them may. */
const rememberedCharactersMax = 1024
