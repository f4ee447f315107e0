// The open connections of a server: limits their number for each client, closes those that take no byte for too long,
// and closes idle ones while the server ends. listen.ts creates it.
import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import {
  clientShareMax,
  connectionBytes,
  connectionsMax,
  connectionsMemoryShareMax,
  descriptorsReserved,
  stalledCheckIntervalMs,
  stalledMs,
} from '../limits.ts'
import { descriptorsMax, memoryLimitBytes } from '../memory.ts'
import { isTrustedProxy, type TrustedProxies, toAddressName } from './client-address.ts'
import type { HttpSettings } from './settings.ts'

/** The error code CANCEL of HTTP/2 (RFC 9113, section 7). Without an error a stream would wait for its data. */
const cancelCode = 8

interface Connection {
  /** Requests without a whole response. */
  requests: number
  /** The bytes that the client had sent with its last request, to tell whether another one has begun. */
  requestBytes: number
  /** Whether the connection is closed after its last response. */
  isEnding: boolean
  /** The bytes that the kernel had taken when they last grew, and the time of that (`performance.now()`). */
  takenBytes: number
  takenAt: number
}

export class Connections {
  /** By the socket that carries HTTP: with TLS the `TLSSocket`. */
  readonly #open = new Map<Socket, Connection>()
  /** The sessions of HTTP/2, with their number of open streams. */
  readonly #sessions = new Map<ServerHttp2Session, number>()
  readonly #countByClient = new Map<string, number>()
  readonly #stalledMs: number
  readonly #stalledTimer: NodeJS.Timeout
  #isDraining = false
  /** Connections closed because their clients do not read. */
  stalledCount = 0

  constructor(server: EventEmitter, { isSecure, trustedProxies, ...settings }: HttpSettings, openMax: number) {
    const clientMax = Math.ceil(openMax * clientShareMax)
    this.#stalledMs = settings.stalledMs ?? stalledMs
    server.on('connection', (socket: Socket) => this.#limitClient(socket, clientMax, trustedProxies))
    server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => this.#add(socket))
    server.on('session', (session: ServerHttp2Session) => {
      this.#sessions.set(session, 0)
      session.once('close', () => this.#sessions.delete(session))
      if (this.#isDraining) session.close()
      session.on('stream', (stream: ServerHttp2Stream) => {
        this.#countStream(session, 1)
        stream.once('close', () => this.#countStream(session, -1))
        stream.setTimeout(this.#stalledMs, () => stream.close(cancelCode))
      })
    })
    // Node reports a connection with TLS that was idle for `keepAliveTimeoutMs`, also one whose client reads slowly.
    server.on('timeout', (connection: ServerHttp2Session | Socket) => {
      const isSession = 'socket' in connection
      const isBusy = isSession ? this.#sessions.get(connection) !== 0 : this.isBusy(connection)
      if (!isBusy) connection.destroy()
    })
    const intervalMs = Math.min(stalledCheckIntervalMs, this.#stalledMs)
    this.#stalledTimer = setInterval(() => this.#closeStalled(), intervalMs)
    this.#stalledTimer.unref()
  }

  /** Counts a request of HTTP/1.1 until its response is sent whole. */
  begin({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    connection.requests += 1
    response.once('close', () => {
      connection.requests -= 1
      connection.requestBytes = socket.bytesRead
      if (connection.requests === 0 && connection.isEnding) socket.destroySoon()
    })
    if (this.#isDraining) response.setHeader('Connection', 'close')
  }

  isBusy(socket: Socket): boolean {
    return (this.#open.get(socket)?.requests ?? 0) > 0
  }

  /** Closes a busy connection after its last response. */
  endAfterResponses(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (connection !== undefined) connection.isEnding = true
  }

  get count(): number {
    return this.#open.size
  }

  /** Bytes that wait in this process for clients. The kernel holds more. */
  get waitingBytes(): number {
    return this.#open.keys().reduce((sum, { writableLength }) => sum + writableLength, 0)
  }

  /** From now on each connection is closed after its last response. */
  drain(): void {
    this.#isDraining = true
    for (const session of this.#sessions.keys()) session.close()
  }

  /** Closes the connections of HTTP/1.1 without a request, not even the beginning of one. */
  closeIdle(): void {
    for (const [socket, { requests, requestBytes }] of this.#open) {
      const isHttp1 = !('alpnProtocol' in socket && socket.alpnProtocol === 'h2')
      const isIdle = requests === 0 && socket.bytesRead === requestBytes && socket.writableLength === 0
      if (isHttp1 && isIdle) socket.destroy()
    }
  }

  /** A connection with an incomplete response is reset: with HTTP/1.0 a normal end would make it look complete. */
  closeAll(): void {
    clearInterval(this.#stalledTimer)
    for (const [socket, { requests }] of this.#open) {
      if (requests > 0) socket.resetAndDestroy()
      else socket.destroy()
    }
  }

  #countStream(session: ServerHttp2Session, difference: number): void {
    const count = this.#sessions.get(session)
    if (count !== undefined) this.#sessions.set(session, count + difference)
  }

  /** Refuses the connection if its client has too many. A trusted proxy forwards many clients, so it has no limit. */
  #limitClient(socket: Socket, clientMax: number, trustedProxies: TrustedProxies): void {
    const { remoteAddress = '' } = socket
    if (isTrustedProxy(remoteAddress, trustedProxies)) return
    const client = toAddressName(remoteAddress)
    const count = this.#countByClient.get(client) ?? 0
    if (count >= clientMax) {
      socket.destroy()
      return
    }
    this.#countByClient.set(client, count + 1)
    socket.once('close', () => {
      const left = (this.#countByClient.get(client) ?? 1) - 1
      if (left === 0) this.#countByClient.delete(client)
      else this.#countByClient.set(client, left)
    })
  }

  #add(socket: Socket): void {
    if (socket.destroyed) return
    this.#open.set(socket, {
      requests: 0,
      requestBytes: socket.bytesRead,
      isEnding: false,
      takenBytes: 0,
      takenAt: performance.now(),
    })
    socket.once('close', () => this.#open.delete(socket))
  }

  /**
   * Closes the connections of which the kernel has taken no byte for `stalledMs` although some wait. They are reset, so
   * that the kernel discards what it holds for them.
   */
  #closeStalled(): void {
    const now = performance.now()
    for (const [socket, connection] of this.#open) {
      const takenBytes = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0 || takenBytes !== connection.takenBytes) {
        connection.takenBytes = takenBytes
        connection.takenAt = now
      } else if (now - connection.takenAt >= this.#stalledMs) {
        this.stalledCount += 1
        socket.resetAndDestroy()
      }
    }
  }
}

/** Maximum of connections of each process: `connectionsMax`, or fewer if it has few descriptors or little memory. */
export function readConnectionLimit(processCount: number): number {
  const descriptors = descriptorsMax() - descriptorsReserved
  const bytes = (memoryLimitBytes() * connectionsMemoryShareMax) / processCount
  return Math.max(1, Math.min(connectionsMax, descriptors, Math.floor(bytes / connectionBytes)))
}
