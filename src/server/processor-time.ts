// The processor time of the main thread of a process, and whether it runs or waits for a processor. processes.ts uses
// it to tell a worker that hangs from one that does not get to run because the machine is busy.
import { readFileSync } from 'node:fs'

export interface ProcessorTime {
  /** Whether the main thread runs or waits for a processor. False for a process that sleeps or is stopped. */
  readonly isRunnable: boolean
  /** How long the main thread has run since it started. */
  readonly ranMs: number
}

/**
 * Undefined if the process is gone, or the system is not Linux. proc(5) describes the file `stat`, sched-stats.rst of
 * the kernel the file `schedstat`.
 */
export function readProcessorTime(pid: number): ProcessorTime | undefined {
  try {
    // `stat` starts like `1234 (node) S 1 …`: the state follows the name of the program, which may contain any
    // character, so the last parenthesis counts.
    const state = /.*\) (\w)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
    // `schedstat` has nanoseconds of running, nanoseconds of waiting, and the number of time slices.
    const [ranNs = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number)
    return { isRunnable: state === 'R', ranMs: ranNs / 1e6 }
  } catch {
    return undefined
  }
}
