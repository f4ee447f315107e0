// Memory of the machine, or of the container that the process runs in if the container has less.
import { totalmem } from 'node:os'

/** The most memory that the process can use, in bytes. */
export function memoryLimitBytes(): number {
  // `constrainedMemory` returns zero if there is no limit.
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}
