// The place for the answer to a plain request (plain.ts): writes it to the bare connection, whole or in chunks, and
// says when the connection has taken it.
import type { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { http } from './http.ts'
import { keepAliveTimeoutMs } from './limits.ts'

/** Like the one of node:http, as far as the service uses that. */
export class PlainResponse {
  statusCode = 200
  shouldKeepAlive: boolean
  /** All of it is written, though the connection may not have taken it yet. */
  isWritten = false
  readonly #socket: Socket
  readonly #whenTaken: (response: PlainResponse) => void
  readonly #whenSlow: () => void
  #head = ''
  #endTimeout: (() => void) | undefined

  /** `whenSlow` is called before a body of chunks, and where the connection does not take all of it at once. */
  constructor(
    socket: Socket,
    shouldKeepAlive: boolean,
    whenTaken: (response: PlainResponse) => void,
    whenSlow: () => void,
  ) {
    this.#socket = socket
    this.shouldKeepAlive = shouldKeepAlive
    this.#whenTaken = whenTaken
    this.#whenSlow = whenSlow
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

  /**
   * A body whose length nobody knows yet, in chunks (RFC 9112, section 7.1). Either it asks for more only once the
   * connection has taken what it has, or what makes the body goes on meanwhile: a compressor that waits for each piece
   * to leave is slower by a quarter.
   */
  openBody(asksForMore: 'as they are taken' | 'ahead'): Writable {
    const socket = this.#socket
    this.#whenSlow()
    this.#head += 'Transfer-Encoding: chunked\r\n'
    socket.write(this.#wholeHead(), 'latin1')
    const body = new Writable({
      // A comma alone is nothing to wait for.
      highWaterMark: asksForMore === 'ahead' ? 512 * 1024 : 2,
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
    else {
      this.#whenSlow()
      // Nothing, but behind all the rest.
      this.#socket.write('', 'latin1', (error) => error ?? this.#taken())
    }
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
