// What the machine has, or as much of it as the container allows.
import { totalmem } from 'node:os'

export function machineBytes(): number {
  // Zero where the system sets no bound, as a container does.
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}
