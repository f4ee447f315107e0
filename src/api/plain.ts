// Plain requests: a GET of HTTP/1.1 that came whole and alone, with headers that say nothing about a body or another
// protocol. Almost all requests are, and the messages of node:http cost more than most answers to them; so these are
// read and answered here. What is not plainly one (another method, a body, in pieces, pipelined, malformed) goes to
// node:http together with its connection and what was read of it: nothing here has to be forgiving.
import type { IncomingHttpHeaders, Server } from 'node:http'
import type { Socket } from 'node:net'
import { adoptedIdleMs, headerBytesMax, headersTimeoutMs, keepAliveTimeoutMs } from './limits.ts'
import { PlainRequest, parseHeaders } from './plain-request.ts'
import { PlainResponse } from './plain-response.ts'
import type { RawConnection } from './raw-connection.ts'
import { acceptRaw } from './raw-connection.ts'

export interface PlainService {
  readonly answer: (request: PlainRequest, response: PlainResponse) => void
  /** Whether an address wants the messages of node:http. */
  readonly isAside: (url: string) => boolean
}

/**
 * Holds connections beside this process, so that another can read on where this one stops. That is sound only while
 * nothing is on its way but one request that is read whole or not at all: whoever read on behind a request that was
 * lost would give the next one's answer for it, and in the middle of an answer would write into it.
 */
export interface Custodian {
  /** The number it is held by. */
  readonly keep: (socket: Socket) => number
  readonly release: (id: number) => void
}

/** Stands before the reading of a server that has no connection yet. */
export class PlainReader {
  readonly #server: Server
  readonly #service: PlainService
  readonly #readByNode: (socket: Socket) => void
  readonly #custodian: Custodian | undefined
  readonly #open = new Set<PlainConnection>()
  /** The number of the connection that is being taken on. */
  #adopting: number | undefined

  constructor(server: Server, service: PlainService, custodian?: Custodian) {
    this.#server = server
    this.#service = service
    this.#custodian = custodian
    const [readByNode] = server.listeners('connection')
    this.#readByNode = readByNode as (socket: Socket) => void
    server.removeListener('connection', this.#readByNode)
    server.on('connection', (socket: Socket) => {
      const waysOut: WaysOut = {
        handOver: (read) => {
          this.#open.delete(connection)
          this.#readByNode.call(this.#server, socket)
          socket.unshift(read)
          socket.resume()
        },
        refuse: (code) => this.#server.emit('clientError', Object.assign(new Error(code), { code }), socket),
      }
      const connection = new PlainConnection(socket, this.#service, waysOut, this.#custodian, this.#adopting)
      this.#adopting = undefined
      this.#open.add(connection)
      socket.once('close', () => this.#open.delete(connection))
    })
  }

  /** Takes on a connection, held by this number, that another process kept until it died. */
  adopt(raw: RawConnection, id: number): void {
    this.#adopting = id
    acceptRaw(this.#server, raw)
    // One too many has been closed at once.
    if (this.#adopting !== undefined) this.#custodian?.release(id)
    this.#adopting = undefined
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
  readonly #custodian: Custodian | undefined
  /** Its number in custody, while it is there. */
  #keptAs: number | undefined
  /** Until its first request here; the last one may have been lost with the process that it came to. */
  #isAdopted: boolean
  #requests = 0
  /** While it is made, and until the connection has taken it: who does not read gets no second one. */
  #response: PlainResponse | undefined
  /** What came meanwhile. */
  #early: Buffer | undefined
  /** Of the request before; the headers of the next are most often the same. */
  #headerText: string | undefined
  #headers: IncomingHttpHeaders = {}

  constructor(
    socket: Socket,
    service: PlainService,
    waysOut: WaysOut,
    custodian: Custodian | undefined,
    adoptedAs: number | undefined,
  ) {
    this.#socket = socket
    this.#service = service
    this.#waysOut = waysOut
    this.#custodian = custodian
    this.#keptAs = adoptedAs
    this.#isAdopted = adoptedAs !== undefined
    socket.setTimeout(this.#isAdopted ? adoptedIdleMs : headersTimeoutMs)
    socket.on('data', this.#onData)
    socket.on('end', this.#onEnd)
    socket.on('timeout', this.#onTimeout)
    socket.on('error', this.#onError)
    if (custodian !== undefined) socket.once('close', this.#release)
  }

  endIdle(): void {
    if (this.#response === undefined) this.#end()
  }

  readonly #onData = (bytes: Buffer): void => {
    if (this.#response !== undefined) {
      this.#release()
      this.#early = this.#early === undefined ? bytes : Buffer.concat([this.#early, bytes])
      this.#socket.pause()
      return
    }
    const request = this.#read(bytes)
    if (request === undefined) {
      // Whoever sends ahead may wait for the answer to another request, which was lost.
      if (this.#isAdopted) this.#end()
      else this.#leave(bytes)
      return
    }
    if (this.#requests === 0) this.#socket.setTimeout(keepAliveTimeoutMs)
    this.#requests += 1
    this.#isAdopted = false
    const shouldKeepAlive = request.headers.connection?.toLowerCase() !== 'close'
    this.#response = new PlainResponse(this.#socket, shouldKeepAlive, this.#onTaken, this.#release)
    this.#service.answer(request, this.#response)
  }

  readonly #onTaken = (response: PlainResponse): void => {
    this.#response = undefined
    if (this.#socket.destroyed) return
    if (!response.shouldKeepAlive) this.#end()
    else if (this.#early !== undefined) this.#leave(this.#early)
    // Who asks a second time is likely to stay; before, it would cost more than it is worth.
    else if (this.#keptAs === undefined && this.#requests > 1) this.#keptAs = this.#custodian?.keep(this.#socket)
  }

  /** For good where more comes than one request at a time; after a slow answer it is kept again. */
  readonly #release = (): void => {
    if (this.#keptAs !== undefined) this.#custodian?.release(this.#keptAs)
    this.#keptAs = undefined
  }

  /** Nobody waits any more for an answer that is still being made; one that is written may be on its way. */
  readonly #onEnd = (): void => {
    if (this.#response === undefined) this.#end()
    else if (this.#response.isWritten) this.#response.shouldKeepAlive = false
    else this.#socket.destroy()
  }

  readonly #onTimeout = (): void => {
    if (this.#response !== undefined) return
    if (this.#requests === 0 && !this.#isAdopted) this.#waysOut.refuse('ERR_HTTP_REQUEST_TIMEOUT')
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
    this.#release()
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
