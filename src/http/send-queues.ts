// The send queues: bytes of responses that clients have not taken yet, in this process and in the kernel (the Send-Q of
// `ss`). The kernel takes megabytes for a connection whose client reads nothing, and its control group is charged for
// them, so both are counted and bounded, for the process and for each client address.
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { TrustedProxy } from './client-address.ts'
import { isTrustedProxy, toAddressName } from './client-address.ts'
import { sendQueueAddressShareMax, sendQueueCheckIntervalMs } from './limits.ts'

interface Connection {
  readonly socket: Socket
  /** Whose share it counts in; undefined for a trusted proxy, which speaks for many clients. */
  readonly client: string | undefined
  /** How the kernel's table of connections names it. */
  readonly kernelName: string
  /** Bytes queued in this process. */
  heldBytes: number
  /** Bytes queued in the kernel, at the last check. */
  kernelBytes: number
  /** Bytes that the client has taken, at the last check. */
  takenBytes: number
  /** When a check last saw the client take something. */
  progressAt: number
}

/** The two ends of a connection; with HTTP/2 Node hands out no more of the socket. */
export type Ends = Pick<Socket, 'remoteAddress' | 'remotePort'>

export class SendQueues {
  readonly #bytesMax: number
  readonly #trusted: readonly TrustedProxy[]
  readonly #onClosed: (connections: number, bytes: number) => void
  readonly #connections = new Map<string, Connection>()
  readonly #timer: NodeJS.Timeout
  /** The ports of the service, as the kernel's table writes them. */
  readonly #ports = new Set<string>()
  /** The clients for whom closed connections alone hold all that they may. */
  #fullClients: ReadonlySet<string> = new Set()
  #isFull = false
  /** Bytes handed over to connections since the last check. */
  #sentBytes = 0
  #heldBytes = 0
  /** Bytes queued at the last check. */
  bytes = 0
  /** Connections closed so far because the queues were full. */
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

  /** Counts a new connection; `socket` is that of TCP, with TLS too. */
  track(socket: Socket): void {
    const { remoteAddress, localPort = 0, remotePort = 0 } = socket
    if (remoteAddress === undefined) return
    const name = toName(socket)
    this.#ports.add(toHex(localPort))
    this.#connections.set(name, {
      socket,
      client: isTrustedProxy(remoteAddress, this.#trusted) ? undefined : toAddressName(remoteAddress),
      kernelName: toKernelName(localPort, remoteAddress, remotePort),
      heldBytes: 0,
      kernelBytes: 0,
      takenBytes: 0,
      progressAt: performance.now(),
    })
    socket.once('close', () => this.#connections.delete(name))
  }

  /** Notes that bytes were handed over; checks when they add up, since a second is long on a fast network. */
  add(bytes: number): void {
    this.#sentBytes += bytes
    if (this.#sentBytes > this.#bytesMax / 4) this.check()
  }

  /** Counts bytes that wait in this process, until the returned function is called. */
  hold(ends: Ends, bytes: number): () => void {
    const connection = this.#connections.get(toName(ends))
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
   * Whether the client is sent nothing long for now. A connection that was closed in good order, by the client's wish
   * or when it was idle, still holds what it has in the kernel, for up to two minutes, and nobody can take it back.
   */
  isFullFor({ remoteAddress = '' }: Ends): boolean {
    return this.#isFull || (this.#fullClients.size > 0 && this.#fullClients.has(toAddressName(remoteAddress)))
  }

  /** Whether a response is on its way to the client. */
  isSending(ends: Ends): boolean {
    return (this.#connections.get(toName(ends))?.heldBytes ?? 0) > 0
  }

  /** Closes a connection so that the kernel drops what it has queued: after an ordinary close it goes on trying. */
  reset(ends: Ends): void {
    this.#connections.get(toName(ends))?.socket.resetAndDestroy()
  }

  /** Measures the queues where there can be much in them, and closes connections while they hold too much. */
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
   * The connections that hold anything: those first whose clients have taken nothing for longest, and last those with
   * so little that it may just be on its way.
   */
  #measure(kernelQueues: ReadonlyMap<string, KernelQueue>): Connection[] {
    const now = performance.now()
    const queues: Connection[] = []
    for (const connection of this.#connections.values()) {
      const { socket } = connection
      connection.kernelBytes = kernelQueues.get(connection.kernelName)?.bytes ?? 0
      const takenBytes = socket.bytesWritten - socket.writableLength - connection.kernelBytes
      if (takenBytes > connection.takenBytes) {
        connection.takenBytes = takenBytes
        connection.progressAt = now
      }
      if (toBytes(connection) > 0) queues.push(connection)
    }
    this.bytes = sumBytes(queues)
    return queues.sort(
      (a, b) => Number(isSmall(a)) - Number(isSmall(b)) || a.progressAt - b.progressAt || toBytes(b) - toBytes(a),
    )
  }

  /** What closed connections hold, by client. With several workers each counts those of all. */
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

  /** Gives back the connections that stay. */
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

/** What the client's own system takes for a client that does not read, as a rule. */
export const receiveBufferBytes = 65_536

function toName({ remoteAddress, remotePort }: Ends): string {
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

/** Of the kernel's memory for TCP one page has 4 KB on most machines, and no fewer on the others. */
const pageBytes = 4096

/** What all connections of this machine hold in the kernel; 0 where the system does not say. */
function readKernelBytes(): number {
  const pages = /^TCP: .* mem (\d+)$/m.exec(readSystemFile('/proc/self/net/sockstat'))?.[1]
  return Number(pages ?? 0) * pageBytes
}

interface KernelQueue {
  /** Whether this side has closed the connection. */
  readonly isClosing: boolean
  readonly bytes: number
}

/** A connection with bytes in its send queue: ports, remote address, state, bytes (proc_net_tcp in Linux's manual). */
const queueLine = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) ([0-9A-F]+:[0-9A-F]{4}) (0[1489B]) (?!0{8})([0-9A-F]{8}):/gm

/** The states FIN_WAIT1, LAST_ACK and CLOSING; the others are ESTABLISHED and CLOSE_WAIT. */
const closingStates: readonly string[] = ['04', '09', '0B']

/** The send queues that are not empty, by connection; none where the system does not say. */
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

/** The kernel writes an address as words of 32 bits, each with its lowest byte first on every machine Node runs on. */
function toKernelName(localPort: number, remoteAddress: string, remotePort: number): string {
  const bytes = Buffer.from(ipaddr.parse(remoteAddress).toByteArray()).swap32()
  return `${toHex(localPort)} ${bytes.toString('hex').toUpperCase()}:${toHex(remotePort)}`
}

/** The address of `toKernelName`, without the port. */
function toAddress(remote: string): string {
  const bytes = Buffer.from(remote.slice(0, remote.indexOf(':')), 'hex').swap32()
  return ipaddr.process(ipaddr.fromByteArray([...bytes]).toString()).toString()
}

function toHex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0')
}
