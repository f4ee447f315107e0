// The limits of this process on memory and descriptors, as the system tells them.
import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'

/**
 * The most memory that all processes together can use, in bytes: that of the machine, of the control group, or of the
 * resource limit on resident memory (`LimitRSS=` of systemd), which Linux itself does not enforce.
 */
export function memoryLimitBytes(): number {
  // `constrainedMemory` returns zero if there is no limit.
  const groupBytes = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.min(totalmem(), groupBytes, readResourceLimit('Max resident set'))
}

/** The most files and connections that this process can open. */
export function descriptorsMax(): number {
  return readResourceLimit('Max open files')
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
