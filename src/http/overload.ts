// Whether the process can take on more work now. Asked before a request is worked on; what is answered from memory is
// answered whatever this says.
import { readFileSync } from 'node:fs'
import { getHeapStatistics } from 'node:v8'
import {
  eventLoopDelayMaxMs,
  eventLoopDelaysMax,
  heapShareMax,
  memoryShareMax,
  pressureCheckIntervalMs,
} from './limits.ts'

/** Why a request is refused with 503. */
export type ShedReason = 'requests' | 'exports' | 'event-loop' | 'memory' | 'time'

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
    const { heapUsed, rss } = readMemory()
    if (heapUsed > heapBytesMax || rss > memoryBytesMax) reason = 'memory'
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

/** Node asks a file of the system for what is resident, which fails where no descriptor is left. */
function readMemory(): { heapUsed: number; rss: number } {
  try {
    return process.memoryUsage()
  } catch {
    return { heapUsed: getHeapStatistics().used_heap_size, rss: 0 }
  }
}

/** Bytes the control group allows; infinite where there is no limit. */
function readMemoryLimit(): number {
  const bytes = process.constrainedMemory()
  return bytes > 0 && bytes < Number.MAX_SAFE_INTEGER ? bytes : Number.POSITIVE_INFINITY
}

/** How many descriptors this process may open; infinite where the system does not say. */
export function readDescriptorLimit(): number {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
