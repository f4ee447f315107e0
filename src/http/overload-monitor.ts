// Monitors event-loop delay and memory of the process, and tells admission.ts when new work must be refused. Also reads
// the limits of the process (memory, descriptors) from the system.
import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import {
  connectionBytes,
  connectionsMax,
  connectionsMemoryShareMax,
  descriptorsReserved,
  eventLoopDelayMaxMs,
  eventLoopDelaysMax,
  heapShareMax,
  memoryShareMax,
  pressureCheckIntervalMs,
  sendQueueShareMax,
  tlsConnectionBytes,
} from './limits.ts'
import { requestDelayMs } from './request-turns.ts'

/**
 * Why a request is refused with 503: all clients or one have too many requests in progress, or the process is short of
 * time or memory. This file sets `event-loop` and `memory`, application.ts (src/api) `send-queue`, and admission.ts all
 * other reasons. send-queues.ts also sets `exports` and `client-exports`.
 */
export type ShedReason =
  /** Also if too many bodies of requests to MCP (Model Context Protocol) are being read. */
  | 'requests'
  | 'client-requests'
  | 'exports'
  | 'client-exports'
  | 'client-bodies'
  | 'event-loop'
  | 'memory'
  /** The send queues have no room for a long response. */
  | 'send-queue'
  /** The request was not answered before its deadline. */
  | 'time'

export interface Pressure {
  /** Why new work is refused now; undefined if it is accepted. */
  readonly reason: ShedReason | undefined
  /** Stops the checks. */
  readonly end: () => void
}

/** A delay counts only if this process itself used the processor for more than this share of the time. */
const busyShareMin = 1 / 2

/** Checks event loop and memory every `pressureCheckIntervalMs`. The processes share the memory limit equally. */
export function watchPressure(processCount: number): Pressure {
  const heapBytesMax = getHeapStatistics().heap_size_limit * heapShareMax
  const memoryBytesMax = (readMemoryLimit() * memoryShareMax) / processCount
  let checkedAt = performance.now()
  let cpuAtCheck = process.cpuUsage()
  let consecutiveDelays = 0
  let reason: ShedReason | undefined
  const check = (): void => {
    const now = performance.now()
    const elapsedMs = now - checkedAt
    checkedAt = now
    const { user: userUs, system: systemUs } = process.cpuUsage(cpuAtCheck)
    cpuAtCheck = process.cpuUsage()
    // Many requests make the request queue long (request-queue.ts) and not the loop late, so the longest wait counts
    // like a delay of the loop.
    const eventLoopDelayMs = Math.max(elapsedMs - pressureCheckIntervalMs, requestDelayMs())
    // The loop may also be late because the machine slept or other processes used the processor.
    const processorMs = (userUs + systemUs) / 1000
    const isBusy = processorMs > elapsedMs * busyShareMin
    const isDelayed = isBusy && eventLoopDelayMs > eventLoopDelayMaxMs
    consecutiveDelays = isDelayed ? consecutiveDelays + 1 : 0
    const { used_heap_size: heapBytes } = getHeapStatistics()
    if (heapBytes > heapBytesMax || readPrivateBytes() > memoryBytesMax) reason = 'memory'
    else reason = consecutiveDelays >= eventLoopDelaysMax ? 'event-loop' : undefined
  }
  const timer = setInterval(check, pressureCheckIntervalMs)
  timer.unref()
  return {
    get reason() {
      return reason
    },
    end: () => clearInterval(timer),
  }
}

/** The usual page size. On machines with larger pages less memory is measured, so the limit is applied later. */
const pageBytes = 4096

/**
 * Resident memory without file pages, which processes share and the system can reclaim. 0 if it is unknown or no
 * descriptor is free to read it.
 */
function readPrivateBytes(): number {
  try {
    // The file has numbers of pages: total, resident, shared and others.
    const [, residentPages = 0, sharedPages = 0] = readFileSync('/proc/self/statm', 'utf8').split(' ').map(Number)
    return (residentPages - sharedPages) * pageBytes
  } catch {
    return 0
  }
}

/**
 * The memory limit of all processes together, in bytes. It is the lower one of two limits: the limit of the control
 * group, and the resource limit on resident memory (`LimitRSS=` of systemd), which Linux itself does not enforce.
 * Infinite if there is neither.
 */
function readMemoryLimit(): number {
  const limitBytes = process.constrainedMemory()
  // Node returns 0 or a huge number if there is no limit.
  const groupBytes = limitBytes > 0 && limitBytes < Number.MAX_SAFE_INTEGER ? limitBytes : Number.POSITIVE_INFINITY
  return Math.min(groupBytes, readResourceLimit('Max resident set'))
}

/** Maximum of bytes in the send queues of each process. The processes share the memory equally. */
export function readSendQueueLimit(processCount: number): number {
  return (Math.min(readMemoryLimit(), totalmem()) * sendQueueShareMax) / processCount
}

/** Maximum of connections of each process: `connectionsMax`, or fewer if it has few descriptors or little memory. */
export function readConnectionLimit(processCount: number, hasTls: boolean): number {
  const descriptors = readResourceLimit('Max open files') - descriptorsReserved
  const bytes = (Math.min(readMemoryLimit(), totalmem()) * connectionsMemoryShareMax) / processCount
  const connections = Math.floor(bytes / (hasTls ? tlsConnectionBytes : connectionBytes))
  return Math.max(1, Math.min(connectionsMax, descriptors, connections))
}

/** A soft limit of this process by its name in /proc/self/limits. Infinite if it is `unlimited` or unknown. */
function readResourceLimit(name: string): number {
  try {
    // The soft limit is the first number of `Max open files   1024   524288   files`.
    const softLimit = new RegExp(`^${name}\\s+(\\d+)`, 'm').exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return softLimit === undefined ? Number.POSITIVE_INFINITY : Number(softLimit)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
