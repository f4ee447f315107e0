// Repeats a measurement that was disturbed by other users of the host. A hypervisor may give the processors of a
// virtual machine to others; Linux counts that time as `steal` (proc(5)). Where it is not counted, nothing is repeated.
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/** A measurement counts if at most this share of the processor time was stolen. */
const stolenShareMax = 0.03

/** After this time a measurement counts in any case. */
const waitMsMax = 120_000

/** Before a measurement starts, others must leave the machine alone for this time. */
const quietMs = 500

/** The result of the first measurement that was not disturbed. If there is none in time, the last one, with a note. */
export async function measureUndisturbed<T>(measure: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + waitMsMax
  for (;;) {
    await waitUntilQuiet(giveUpAt)
    const { result, stolenShare } = await withStolenShare(measure)
    if (stolenShare <= stolenShareMax) return result
    if (performance.now() < giveUpAt) continue
    process.stderr.write(`  measured although ${Math.round(stolenShare * 100)} % of the processor time was stolen\n`)
    return result
  }
}

/** Waits until the machine was quiet for `quietMs`, but not after `giveUpAt` (a time of `performance.now()`). */
async function waitUntilQuiet(giveUpAt: number): Promise<void> {
  for (;;) {
    const { stolenShare } = await withStolenShare(() => setTimeout(quietMs))
    if (stolenShare <= stolenShareMax || performance.now() >= giveUpAt) return
  }
}

/** Runs the function, and tells which share of the processor time was stolen meanwhile, from 0 to 1. */
async function withStolenShare<T>(run: () => Promise<T>): Promise<{ result: T; stolenShare: number }> {
  const before = readProcessorTime()
  const result = await run()
  const after = readProcessorTime()
  const total = after.total - before.total
  return { result, stolenShare: total === 0 ? 0 : (after.stolen - before.stolen) / total }
}

/** The time of all processors since the start of the machine, in ticks of the clock; 0 where it is not counted. */
function readProcessorTime(): { readonly total: number; readonly stolen: number } {
  let statistics: string
  try {
    statistics = readFileSync('/proc/stat', 'utf8')
  } catch {
    return { total: 0, stolen: 0 }
  }
  // `cpu user nice system idle iowait irq softirq steal guest …`: the first nine fields, without `guest`, which is
  // also part of `user`. Without `cpu`, `steal` has the index 7.
  const firstLine = statistics.slice(0, statistics.indexOf('\n'))
  const [, ...ticks] = firstLine.split(/\s+/).slice(0, 9).map(Number)
  const stolen = ticks[7] ?? 0
  return { total: ticks.reduce((sum, each) => sum + each, 0), stolen }
}
