// Whether the process can take on more work now. Asked before a request is worked on; what is answered from memory is
// answered whatever this says.
import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import {
  eventLoopDelayMaxMs,
  eventLoopDelaysMax,
  heapShareMax,
  memoryShareMax,
  pressureCheckIntervalMs,
  sendQueueShareMax,
} from './limits.ts'

/** Why a request is refused with 503. */
export type ShedReason = 'requests' | 'exports' | 'event-loop' | 'memory' | 'send-queue' | 'time'

export interface Pressure {
  /** What the process suffers from now. */
  readonly reason: ShedReason | undefined
  /** How late the event loop was when it was last looked at. */
  readonly eventLoopDelayMs: number
  readonly end: () => void
}

/** Looks at event loop and memory four times a second. `processes` share the memory of the control group. */
export function watchPressure(processes: number): Pressure {
  const heapBytesMax = getHeapStatistics().heap_size_limit * heapShareMax
  const memoryBytesMax = (readMemoryLimit() * memoryShareMax) / processes
  let lookedMs = performance.now()
  let cpu = process.cpuUsage()
  let eventLoopDelayMs = 0
  let delays = 0
  let reason: ShedReason | undefined
  const look = (): void => {
    const elapsedMs = performance.now() - lookedMs
    lookedMs += elapsedMs
    const { user, system } = process.cpuUsage(cpu)
    cpu = process.cpuUsage()
    eventLoopDelayMs = Math.max(0, elapsedMs - pressureCheckIntervalMs)
    // A loop that is late because the machine slept or others had the processor is not overloaded by its own work.
    const isBusy = (user + system) / 1000 > elapsedMs / 2
    delays = isBusy && eventLoopDelayMs > eventLoopDelayMaxMs ? delays + 1 : 0
    const { used_heap_size: heapBytes } = getHeapStatistics()
    if (heapBytes > heapBytesMax || readPrivateBytes() > memoryBytesMax) reason = 'memory'
    else reason = delays >= eventLoopDelaysMax ? 'event-loop' : undefined
  }
  const timer = setInterval(look, pressureCheckIntervalMs)
  timer.unref()
  return {
    get reason() {
      return reason
    },
    get eventLoopDelayMs() {
      return eventLoopDelayMs
    },
    end: () => clearInterval(timer),
  }
}

/** A page of /proc/self/statm; some machines have larger ones, and their limit is met later. */
const pageBytes = 4096

/**
 * Resident memory without that of files, which the processes share and the system takes back when it is short. 0 where
 * the system does not say, or no descriptor is left to ask it.
 */
function readPrivateBytes(): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync('/proc/self/statm', 'utf8').split(' ').map(Number)
    return (resident - shared) * pageBytes
  } catch {
    return 0
  }
}

/**
 * Bytes that all processes of the service may use together, by their control group or by the resource limit on
 * resident memory (`LimitRSS=`), which Linux itself does not enforce; infinite where there is no limit.
 */
function readMemoryLimit(): number {
  const bytes = process.constrainedMemory()
  const ofGroup = bytes > 0 && bytes < Number.MAX_SAFE_INTEGER ? bytes : Number.POSITIVE_INFINITY
  return Math.min(ofGroup, readResourceLimit('Max resident set'))
}

/** Bytes that may wait to be sent, in each of the processes that share the memory. */
export function readSendQueueLimit(processes: number): number {
  return (Math.min(readMemoryLimit(), totalmem()) * sendQueueShareMax) / processes
}

/** How many descriptors this process may open; infinite where the system does not say. */
export function readDescriptorLimit(): number {
  return readResourceLimit('Max open files')
}

/** A soft limit of this process; infinite where there is none or the system does not say. */
function readResourceLimit(name: string): number {
  try {
    const soft = new RegExp(`^${name}\\s+(\\d+)`, 'm').exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
