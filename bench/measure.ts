// Measures systems under the same load and compares them. In each round every system is measured once, one after the
// other. What is compared is the processor time of a request, over all processes of a system: on a shared machine it
// varies less than requests per second, and the load generator does not count.
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { type Load, type LoadResult, runLoad } from './load.ts'

/** The contestant of the rows that measure this service. */
export const ourName = 'planning-registry'

/** A measured value of one system under one workload. */
export interface Row {
  readonly workload: string
  readonly contestant: string
  /** The median of the samples: a sample is a value of a round, of a slice of time or of a request. */
  readonly median: number
  readonly unit: string
  /** 50 % and 99 % of the responses took at most this long. */
  readonly p50Ms?: number
  readonly p99Ms?: number
  /** The value of the baseline divided by this one, so higher is better. */
  readonly ratio?: number
}

/** How often and how long a workload is measured. */
export interface Rounds {
  readonly rounds: number
  /** Length of a round. */
  readonly seconds: number
}

export interface MeasuredSystem {
  readonly name: string
  readonly load: Omit<Load, 'seconds'>
  /** Processor time used so far. */
  readonly cpuSeconds: () => number
}

/** One system in one round. */
interface Round extends LoadResult {
  /** Processor time of a request. */
  readonly cpuMicroseconds: number
}

/** The JIT compiler needs load before the code has its speed: 10 s with the default of two seconds a round. */
const warmUpRounds = 5

/** Measures our system, which comes first, and the baseline, if there is one. Returns a row for each. */
export async function measureLoads(
  workload: string,
  systems: readonly MeasuredSystem[],
  { rounds, seconds }: Rounds,
): Promise<Row[]> {
  const measured = systems.map((): Round[] => [])
  for (const { load } of systems) await runLoad({ ...load, seconds: warmUpRounds * seconds })
  for (let round = 0; round < rounds; round++) {
    const results = await measureUndisturbed(async () => {
      const inTurn: Round[] = []
      for (const system of systems) inTurn.push(await measureRound(system, seconds))
      return inTurn
    })
    for (const [index, result] of results.entries()) measured[index]?.push(result)
  }
  const failures = measured[0]?.reduce((sum, { errors }) => sum + errors, 0) ?? 0
  if (failures > 0) throw new Error(`${workload}: ${failures} requests failed`)
  const costs = measured.map((results) => median(results.map(({ cpuMicroseconds }) => cpuMicroseconds)))
  return systems.map(({ name }, index) => ({
    workload,
    contestant: name,
    median: costs[index] ?? Number.NaN,
    unit: 'µs of processor time',
    p50Ms: median(measured[index]?.map(({ p50Ms }) => p50Ms) ?? []),
    p99Ms: median(measured[index]?.map(({ p99Ms }) => p99Ms) ?? []),
    ...(index === 0 && costs.length > 1 ? { ratio: (costs[1] ?? Number.NaN) / (costs[0] ?? Number.NaN) } : {}),
  }))
}

/** Puts one system under load for the given time. */
async function measureRound({ load, cpuSeconds }: MeasuredSystem, seconds: number): Promise<Round> {
  const cpuBefore = cpuSeconds()
  const result = await runLoad({ ...load, seconds })
  return { ...result, cpuMicroseconds: ((cpuSeconds() - cpuBefore) / result.requests) * 1e6 }
}

/** The middle value; of two middle values, the higher one. NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}

/** A row of ours. */
export function toRow(workload: string, unit: string, samples: readonly number[]): Row {
  return { workload, contestant: ourName, median: median(samples), unit }
}

/** The row as a line for the terminal. */
export function describeRow({ workload, contestant, median: value, unit, p50Ms, p99Ms, ratio }: Row): string {
  const parts = [workload, contestant, `${toFigure(value)} ${unit}`]
  if (p99Ms !== undefined) parts.push(`p50 ${toFigure(p50Ms)} p99 ${toFigure(p99Ms)} ms`)
  if (ratio !== undefined) parts.push(`ratio ${toFigure(ratio)}`)
  return parts.join(' · ')
}

/** `0.85`, `12` or `1,234`: two significant digits below 100, else a whole number. */
export function toFigure(value: number = Number.NaN): string {
  // From 99.5 on, two significant digits would round to 100, which `toPrecision` writes as `1.0e+2`.
  return value >= 99.5 ? Math.round(value).toLocaleString('en') : value.toPrecision(2)
}

/** A measurement counts if at most this share of the processor time was stolen. */
const stolenShareMax = 0.03
/** After this time a measurement counts in any case. */
const waitMsMax = 10_000

/**
 * Repeats a measurement during which the hypervisor gave the processors to other machines, and waits half a second
 * before each. Linux counts that time as `steal` (proc(5)); where it does not, nothing is repeated.
 */
export async function measureUndisturbed<T>(measure: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + waitMsMax
  for (;;) {
    await setTimeout(500)
    const before = readProcessorTime()
    const result = await measure()
    const after = readProcessorTime()
    const stolenShare = (after.stolen - before.stolen) / Math.max(1, after.total - before.total)
    if (stolenShare <= stolenShareMax || performance.now() > giveUpAt) return result
  }
}

/** The time of all processors since the start of the machine, in ticks of the clock; 0 where it is not counted. */
function readProcessorTime(): { readonly total: number; readonly stolen: number } {
  if (process.platform !== 'linux') return { total: 0, stolen: 0 }
  // `cpu user nice system idle iowait irq softirq steal …`. Later fields are part of the first ones.
  const [, ...ticks] = readFileSync('/proc/stat', 'utf8').split(/\s+/, 9).map(Number)
  return { total: ticks.reduce((sum, each) => sum + each, 0), stolen: ticks[7] ?? 0 }
}
