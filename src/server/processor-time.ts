// How long a process has run, and whether it is waiting for a processor. The supervisor uses it to tell a worker that
// hangs from one that does not get to run because the machine is busy.
import { readFileSync } from 'node:fs'

export interface ProcessorTime {
  /** Whether the main thread runs or is ready to run; a process that sleeps or is stopped is not. */
  readonly isRunnable: boolean
  /** Time that the main thread has run. */
  readonly ranMs: number
}

/** Undefined if the system does not tell. Linux does (proc(5), and `schedstat` in its documentation of schedulers). */
export function readProcessorTime(pid: number): ProcessorTime | undefined {
  try {
    // The name of the program, in parentheses, may contain any character. The state follows it.
    // Such as `1234 (node) S 1 …`.
    const state = /.*\) (\w)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
    // Nanoseconds of running, nanoseconds of waiting, number of time slices.
    const [ranNs = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number)
    const isRunnable = state === 'R'
    return { isRunnable, ranMs: ranNs / 1e6 }
  } catch {
    return undefined
  }
}
