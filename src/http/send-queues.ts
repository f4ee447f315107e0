// Accounts for the send queues of all connections: bytes of responses that clients have not read yet, in this process
// and in the kernel (Send-Q in `ss`). The kernel queues megabytes for a client that reads nothing and charges them to
// the control group, so both are bounded, in total and for each client address.
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { availableParallelism } from 'node:os'
import ipaddr from 'ipaddr.js'
import type { TrustedProxy } from './client-address.ts'
import { isTrustedProxy, toAddressName } from './client-address.ts'
import { sendQueueAddressShareMax, sendQueueCheckIntervalMs } from './limits.ts'

interface Connection {
  readonly socket: Socket
  /** The client whose limit applies; undefined for a trusted proxy, which forwards many clients. */
  readonly client: string | undefined
  /** The key of the connection in /proc/self/net/tcp. */
  readonly kernelName: string
  /** Bytes queued in this process. */
  heldBytes: number
  /** Bytes queued in the kernel, at the last check. */
  kernelBytes: number
  /** Bytes that the client has acknowledged, at the last check. */
  acknowledgedBytes: number
  /** When a check last found that the client had acknowledged more. */
  progressAt: number
}

/** Identifies a connection; the socket of HTTP/2 has only these properties. */
export type RemoteEnd = Pick<Socket, 'remoteAddress' | 'remotePort'>

export class SendQueues {
  readonly #bytesMax: number
  readonly #trusted: readonly TrustedProxy[]
  readonly #onClosed: (connections: number, bytes: number) => void
  readonly #connections = new Map<string, Connection>()
  readonly #timer: NodeJS.Timeout
  /** The ports of the service in hexadecimal, as in /proc/self/net/tcp. */
  readonly #ports = new Set<string>()
  /** Clients whose closed connections alone reach the limit of an address. */
  #fullClients: ReadonlySet<string> = new Set()
  #isFull = false
  /** Bytes written to connections since the last check. */
  #sentBytes = 0
  #heldBytes = 0
  /** Bytes queued at the last check. */
  bytes = 0
  /** Number of connections closed because the queues were full. */
  closed = 0

  constructor(
    bytesMax: number,
    trusted: readonly TrustedProxy[],
    onClosed: (connections: number, bytes: number) => void,
  ) {
    this.#bytesMax = bytesMax
    this.#trusted = trusted
    this.#onClosed = onClosed
    this.#timer = setInterval(() => this.check(), sendQueueCheckIntervalMs)
    this.#timer.unref()
  }

  /** Adds a connection; `socket` is the TCP socket, also for TLS. */
  track(socket: Socket): void {
    const { remoteAddress, localPort = 0, remotePort = 0 } = socket
    if (remoteAddress === undefined) return
    const name = toName(socket)
    this.#ports.add(toHex(localPort))
    const connection: Connection = {
      socket,
      client: isTrustedProxy(remoteAddress, this.#trusted) ? undefined : toAddressName(remoteAddress),
      kernelName: toKernelName(localPort, remoteAddress, remotePort),
      heldBytes: 0,
      kernelBytes: 0,
      acknowledgedBytes: 0,
      progressAt: performance.now(),
    }
    this.#connections.set(name, connection)
    // A client may use the port again before the event of the old connection arrives.
    socket.once('close', () => {
      if (this.#connections.get(name) === connection) this.#connections.delete(name)
    })
  }

  /** Counts bytes written. Checks the queues after many bytes, because a second is long on a fast network. */
  add(bytes: number): void {
    this.#sentBytes += bytes
    if (this.#sentBytes > this.#bytesMax / 4) this.check()
  }

  /** Counts bytes queued in this process, until the returned function is called. */
  hold(remoteEnd: RemoteEnd, bytes: number): () => void {
    const connection = this.#connections.get(toName(remoteEnd))
    if (connection === undefined) return () => {}
    connection.heldBytes += bytes
    this.#heldBytes += bytes
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      connection.heldBytes -= bytes
      this.#heldBytes -= bytes
    }
  }

  /**
   * Whether long responses to this client are refused. A connection that was closed normally keeps its queue in the
   * kernel for up to two minutes, and the process cannot free it.
   */
  isFullFor({ remoteAddress = '' }: RemoteEnd): boolean {
    return this.#isFull || (this.#fullClients.size > 0 && this.#fullClients.has(toAddressName(remoteAddress)))
  }

  /** Whether a response is being sent on the connection. */
  isSending(remoteEnd: RemoteEnd): boolean {
    return (this.#connections.get(toName(remoteEnd))?.heldBytes ?? 0) > 0
  }

  /** Resets a connection, so that the kernel drops its queue. After a normal close it would keep sending. */
  reset(remoteEnd: RemoteEnd): void {
    this.#connections.get(toName(remoteEnd))?.socket.resetAndDestroy()
  }

  /** Measures the queues if they can be large, and closes connections while they exceed the limits. */
  check(): void {
    this.#sentBytes = 0
    this.bytes = this.#heldBytes
    this.#isFull = false
    this.#fullClients = new Set()
    if (this.#heldBytes + readKernelBytes() < this.#bytesMax / 8) return
    const kernelQueues = readKernelQueues()
    const queues = this.#measure(kernelQueues)
    const orphans = this.#sumOrphans(kernelQueues)
    const addressBytesMax = this.#bytesMax * sendQueueAddressShareMax
    const orphanBytes = orphans.values().reduce((sum, bytes) => sum + bytes, 0)
    this.bytes += orphanBytes
    this.#isFull = orphanBytes > this.#bytesMax
    this.#fullClients = new Set([...orphans.keys()].filter((client) => (orphans.get(client) ?? 0) > addressBytesMax))
    // Whatever the closed connections hold, the open ones have a quarter.
    const kept = this.#closeWhileAbove(queues, Math.max(this.#bytesMax - orphanBytes, this.#bytesMax / 4))
    const large = kept.filter((connection) => !isSmall(connection))
    for (const [client, own] of Map.groupBy(large, ({ client }) => client)) {
      if (client !== undefined) this.#closeWhileAbove(own, addressBytesMax - (orphans.get(client) ?? 0))
    }
  }

  end(): void {
    clearInterval(this.#timer)
  }

  /**
   * Returns the connections with queued bytes, in the order in which they are closed: longest without progress first,
   * and last those whose few bytes may just be in transit.
   */
  #measure(kernelQueues: ReadonlyMap<string, KernelQueue>): Connection[] {
    const now = performance.now()
    const queues: Connection[] = []
    for (const connection of this.#connections.values()) {
      const { socket } = connection
      connection.kernelBytes = kernelQueues.get(connection.kernelName)?.bytes ?? 0
      const acknowledgedBytes = socket.bytesWritten - socket.writableLength - connection.kernelBytes
      if (acknowledgedBytes > connection.acknowledgedBytes) {
        connection.acknowledgedBytes = acknowledgedBytes
        connection.progressAt = now
      }
      if (toBytes(connection) > 0) queues.push(connection)
    }
    this.bytes = sumBytes(queues)
    return queues.sort(
      (a, b) => Number(isSmall(a)) - Number(isSmall(b)) || a.progressAt - b.progressAt || toBytes(b) - toBytes(a),
    )
  }

  /** Sums the queues of orphans (connections closed by this side), by client. Every worker counts those of all. */
  #sumOrphans(kernelQueues: ReadonlyMap<string, KernelQueue>): Map<string, number> {
    const names = new Set(this.#connections.values().map(({ kernelName }) => kernelName))
    const sums = new Map<string, number>()
    for (const [name, { isClosing, bytes }] of kernelQueues) {
      const [port = '', remote = ''] = name.split(' ')
      if (!isClosing || names.has(name) || !this.#ports.has(port)) continue
      const address = toAddress(remote)
      const client = isTrustedProxy(address, this.#trusted) ? '' : toAddressName(address)
      sums.set(client, (sums.get(client) ?? 0) + bytes)
    }
    return sums
  }

  /** Returns the connections that stay open. */
  #closeWhileAbove(queues: readonly Connection[], bytesMax: number): Connection[] {
    let bytes = sumBytes(queues)
    let count = 0
    while (bytes > bytesMax) {
      const connection = queues[count]
      if (connection === undefined) break
      bytes -= toBytes(connection)
      count += 1
      connection.socket.resetAndDestroy()
    }
    if (count === 0) return [...queues]
    const kept = queues.slice(count)
    this.closed += count
    this.bytes -= sumBytes(queues) - sumBytes(kept)
    this.#onClosed(count, sumBytes(queues) - sumBytes(kept))
    return kept
  }
}

/** The usual receive buffer of a client's system, which fills even if the client does not read. */
export const receiveBufferBytes = 65_536

function toName({ remoteAddress, remotePort }: RemoteEnd): string {
  return `${remoteAddress} ${remotePort}`
}

function toBytes({ heldBytes, kernelBytes }: Connection): number {
  return heldBytes + kernelBytes
}

/** Whether the connection holds so little that it may just be on its way to a client that reads. */
function isSmall(connection: Connection): boolean {
  return toBytes(connection) <= receiveBufferBytes
}

function sumBytes(connections: readonly Connection[]): number {
  return connections.reduce((sum, connection) => sum + toBytes(connection), 0)
}

/** The smallest page size. */
const pageBytes = 4096

/** Memory that each processor may use beyond the kernel's counter (SK_MEMORY_PCPU_RESERVE). */
const uncountedBytes = 1024 * 1024 * availableParallelism()

/** Upper bound of the kernel memory of all TCP connections of this machine; 0 if it is unknown. */
function readKernelBytes(): number {
  const pages = /^TCP: .* mem (\d+)$/m.exec(readSystemFile('/proc/self/net/sockstat'))?.[1]
  return pages === undefined ? 0 : Number(pages) * pageBytes + uncountedBytes
}

interface KernelQueue {
  /** Whether this side has closed the connection. */
  readonly isClosing: boolean
  readonly bytes: number
}

/** A connection with a non-empty send queue: local port, remote address and port, state, bytes (proc_net_tcp). */
const queueLine = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) ([0-9A-F]+:[0-9A-F]{4}) (0[1489B]) (?!0{8})([0-9A-F]{8}):/gm

/** The states FIN_WAIT1, LAST_ACK and CLOSING; the others are ESTABLISHED and CLOSE_WAIT. */
const closingStates: readonly string[] = ['04', '09', '0B']

/** The non-empty send queues by `kernelName`; empty if they are unknown. */
function readKernelQueues(): Map<string, KernelQueue> {
  const queues = new Map<string, KernelQueue>()
  for (const file of ['/proc/self/net/tcp', '/proc/self/net/tcp6']) {
    for (const [, localPort, remote, state = '', bytes = ''] of readSystemFile(file).matchAll(queueLine)) {
      const isClosing = closingStates.includes(state)
      queues.set(`${localPort} ${remote}`, { isClosing, bytes: Number.parseInt(bytes, 16) })
    }
  }
  return queues
}

function readSystemFile(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

/** The kernel writes an address as 32-bit words in the byte order of the machine, which is little-endian. */
function toKernelName(localPort: number, remoteAddress: string, remotePort: number): string {
  const bytes = Buffer.from(ipaddr.parse(remoteAddress).toByteArray()).swap32()
  return `${toHex(localPort)} ${bytes.toString('hex').toUpperCase()}:${toHex(remotePort)}`
}

/** Parses the address of a kernel name, without the port. */
function toAddress(remote: string): string {
  const bytes = Buffer.from(remote.slice(0, remote.indexOf(':')), 'hex').swap32()
  return ipaddr.process(ipaddr.fromByteArray([...bytes]).toString()).toString()
}

function toHex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0')
}
