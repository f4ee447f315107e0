// The send queues of the kernel, read from /proc (Documentation/networking/proc_net_tcp.rst of Linux). On systems
// without /proc all results are 0 or empty; send-queues.ts then bounds only the bytes that are queued in the process.
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import ipaddr from 'ipaddr.js'

/** The usual page size. Larger pages make the result of `readKernelBytesMax` too small. */
const pageBytes = 4096

/**
 * Memory that the processors may use beyond the kernel's counter, 1 MB each (SK_MEMORY_PCPU_RESERVE). The number of
 * processors is the larger of two, because each may be too small: `cpus` is empty under systemd with `ProcSubset=pid`,
 * and `availableParallelism` leaves out processors that this process may not use.
 */
const uncountedBytes = 1024 * 1024 * Math.max(cpus().length, availableParallelism())

/** Upper bound of the kernel memory of all TCP connections of this machine; 0 if it is unknown. */
export function readKernelBytesMax(): number {
  // The last number of `TCP: inuse 27 orphan 0 tw 4 alloc 30 mem 5`, which counts pages.
  const pages = /^TCP: .* mem (\d+)$/m.exec(readSystemFile('/proc/self/net/sockstat'))?.[1]
  return pages === undefined ? 0 : Number(pages) * pageBytes + uncountedBytes
}

export interface KernelQueue {
  readonly localPort: number
  /** Remote address and port as /proc writes them, such as `0100007F:C350`. */
  readonly hexRemoteEnd: string
  /** Whether this machine has closed the connection; the kernel still sends the queue. */
  readonly isClosedHere: boolean
  /** The bytes that the client has not acknowledged yet. */
  readonly bytes: number
}

/**
 * A line of /proc/net/tcp with a non-empty send queue, such as `0: 0100007F:1F90 0100007F:C350 01 00001000:00000000 …`.
 * The groups are local port, remote address and port, state, and bytes, all hexadecimal. `(?!0{8})` excludes an empty
 * queue. Only the states in which a connection can have a queue match.
 */
const queueLine = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) ([0-9A-F]+:[0-9A-F]{4}) (0[1489B]) (?!0{8})([0-9A-F]{8}):/gm

/** FIN_WAIT1, LAST_ACK and CLOSING. The other states that `queueLine` matches are ESTABLISHED and CLOSE_WAIT. */
const closedHereStates: readonly string[] = ['04', '09', '0B']

/** The non-empty send queues of all connections of this machine or container, by key (see `toQueueKey`). */
export function readKernelQueues(): Map<string, KernelQueue> {
  const queues = new Map<string, KernelQueue>()
  for (const path of ['/proc/self/net/tcp', '/proc/self/net/tcp6']) {
    for (const groups of readSystemFile(path).matchAll(queueLine)) {
      const [, hexPort = '', hexRemoteEnd = '', state = '', hexBytes = ''] = groups
      queues.set(`${hexPort} ${hexRemoteEnd}`, {
        localPort: Number.parseInt(hexPort, 16),
        hexRemoteEnd,
        isClosedHere: closedHereStates.includes(state),
        bytes: Number.parseInt(hexBytes, 16),
      })
    }
  }
  return queues
}

/** Returns an empty text on systems without /proc, or if no descriptor is free. */
function readSystemFile(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/**
 * The key of a connection: local port, remote address and remote port as /proc/net/tcp writes them, such as
 * `1F90 0100007F:C350` for 8080, 127.0.0.1 and 50000. An address is written as 32-bit words in the byte order of the
 * machine, which is assumed to be little-endian.
 */
export function toQueueKey(localPort: number, remoteAddress: string, remotePort: number): string {
  // The zone of a link-local address (`fe80::1%eth0.100`, RFC 4007) is not in the table.
  const [address = ''] = remoteAddress.split('%')
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray()).swap32()
  return `${toHexPort(localPort)} ${bytes.toString('hex').toUpperCase()}:${toHexPort(remotePort)}`
}

/** The remote address of a queue; an IPv4-mapped IPv6 address is converted to IPv4. */
export function toRemoteAddress({ hexRemoteEnd }: KernelQueue): string {
  const bytes = Buffer.from(hexRemoteEnd.slice(0, hexRemoteEnd.indexOf(':')), 'hex').swap32()
  return ipaddr.process(ipaddr.fromByteArray([...bytes]).toString()).toString()
}

/** Four hexadecimal digits: `1F90` for 8080. */
function toHexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0')
}
