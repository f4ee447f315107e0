// Memory of the machine or, if it has less, of the container that the process runs in. An import limits the memory of
// the processes that read documents by it.
import { totalmem } from 'node:os'

/** The most memory that the process can use, in bytes. */
export function machineBytes(): number {
  // `constrainedMemory` returns zero if there is no limit.
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}
