// Measures several systems under the same workload, in interleaved rounds, and turns the results into rows of the
// report. Shared machines are noisy, so ratios within a round are more reliable than absolute values.
import { type Load, type LoadResult, runLoad } from './load.ts'
import { measureUndisturbed } from './stolen-time.ts'

export const ourName = 'planning-registry'

/** A measured value: one system under one workload, on a registry of one size. */
export interface Row {
  readonly records: number
  readonly workload: string
  /** The name of the measured system. */
  readonly contestant: string
  /** Median, minimum and maximum of the rounds, in `unit`. */
  readonly median: number
  readonly min: number
  readonly max: number
  readonly unit: string
  readonly p50Ms?: number
  readonly p99Ms?: number
  /** CPU time per request. On a shared machine it varies less than the rate. */
  readonly cpuMicroseconds?: number
  /** Ratio to the baseline. Higher is better, unless the threshold is `atMost`. */
  readonly ratio?: number
  /** The baseline completed too few requests for a rate; the true ratio is higher. */
  readonly isRatioLowerBound?: true
  readonly threshold?: Threshold
}

export interface Threshold {
  readonly atLeast?: number
  readonly atMost?: number
  /** The value of the row that is limited: by default the ratio. */
  readonly of?: 'ratio' | 'median' | 'p99Ms'
}

export interface MeasuredSystem {
  readonly name: string
  readonly load: Omit<Load, 'seconds'>
  /** CPU time used so far. If all systems have it, the ratio is that of CPU time, else that of rates. */
  readonly cpuSeconds?: () => number
  /** If fewer than `requestsMin` requests complete in the warm-up, one round of this length replaces the others. */
  readonly slowSeconds?: number
}

export interface Rounds {
  readonly rounds: number
  /** Length of a round. */
  readonly seconds: number
}

/** The JIT compiler needs a few seconds of load. */
const warmUpSeconds = 3

/** With fewer requests, those in progress at the end of a round would distort the rate. */
const requestsMin = 100

/** One system in one round. */
interface Round extends LoadResult {
  readonly seconds: number
  readonly connections: number
  readonly cpuMicroseconds: number
}

/**
 * Measures each system in each round. The first system is ours, to which the threshold applies. The second, if any, is
 * the baseline, with which all others are compared. Returns one row per system.
 */
export async function measureLoads(
  records: number,
  workload: string,
  systems: readonly MeasuredSystem[],
  { rounds, seconds }: Rounds,
  threshold?: Threshold,
): Promise<Row[]> {
  const measureSystem = async (system: MeasuredSystem, roundSeconds: number): Promise<Round> => {
    const { name, load, cpuSeconds = () => Number.NaN } = system
    const cpuBefore = cpuSeconds()
    const measured = await runLoad({ ...load, seconds: roundSeconds })
    // A peer may fail under load; its failed requests do not count as completed.
    if (measured.errors > 0 && system === systems[0]) {
      throw new Error(`${name} at "${workload}": ${measured.errors} requests failed`)
    }
    const cpuMicroseconds = ((cpuSeconds() - cpuBefore) / measured.requests) * 1e6
    return { ...measured, seconds: roundSeconds, connections: load.connections, cpuMicroseconds }
  }
  const slow = new Set<MeasuredSystem>()
  for (const system of systems) {
    const { requests } = await measureSystem(system, warmUpSeconds)
    if (requests < requestsMin && system.slowSeconds !== undefined) slow.add(system)
  }
  /** By system: its rounds. A slow system has one, of `slowSeconds`. */
  const results = systems.map((): Round[] => [])
  for (let round = 0; round < rounds; round++) {
    const measured = await measureUndisturbed(async () => {
      const ofRound: (Round | undefined)[] = []
      for (const system of systems) {
        const { slowSeconds = seconds } = system
        const isSkipped = slow.has(system) && round > 0
        const roundSeconds = slow.has(system) ? slowSeconds : seconds
        ofRound.push(isSkipped ? undefined : await measureSystem(system, roundSeconds))
      }
      return ofRound
    })
    for (const [index, ofSystem] of measured.entries()) if (ofSystem !== undefined) results[index]?.push(ofSystem)
  }
  const baseline = results[1] ?? []
  return systems.map(({ name }, index) => {
    const measured = results[index] ?? []
    const cpuMicroseconds = median(measured.map((each) => each.cpuMicroseconds))
    return {
      ...toRow({ records, workload, contestant: name, unit: 'requests/s', samples: measured.map(toRate) }),
      ...(Number.isNaN(cpuMicroseconds) ? {} : { cpuMicroseconds }),
      p50Ms: median(measured.map((each) => each.p50Ms)),
      p99Ms: median(measured.map((each) => each.p99Ms)),
      ...(index === 1 ? {} : compareRounds(measured, baseline)),
      ...(index === 0 && threshold !== undefined ? { threshold } : {}),
    }
  })
}

/** Ratio of CPU times if they are known, else of rates. */
function compareRounds(ours: readonly Round[], baseline: readonly Round[]): Pick<Row, 'ratio' | 'isRatioLowerBound'> {
  if (baseline.every(({ requests }) => requests < requestsMin)) {
    // Upper bound of the rate: all requests in progress were about to complete.
    const ratesMax = baseline.map(({ requests, connections, seconds }) => (requests + connections) / seconds)
    return { ratio: median(ours.map(toRate)) / Math.max(...ratesMax), isRatioLowerBound: true }
  }
  // A slow baseline has one round, with which all of ours are compared.
  const lastRound = baseline.length - 1
  const ratios = ours.map((our, round) => {
    const their = baseline[Math.min(round, lastRound)]
    const cpuRatio = (their?.cpuMicroseconds ?? Number.NaN) / our.cpuMicroseconds
    return Number.isNaN(cpuRatio) ? our.requestsPerSecond / (their?.requestsPerSecond ?? Number.NaN) : cpuRatio
  })
  return { ratio: median(ratios) }
}

function toRate({ requestsPerSecond }: Round): number {
  return requestsPerSecond
}

/** Returns NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}

/** The value that the threshold limits. */
export function thresholdValue({ threshold, ratio, median: medianValue, p99Ms }: Row): number | undefined {
  if (threshold?.of === 'median') return medianValue
  return threshold?.of === 'p99Ms' ? p99Ms : ratio
}

/** Undefined if the row has no threshold. */
export function meetsThreshold(row: Row): boolean | undefined {
  const value = thresholdValue(row)
  if (row.threshold === undefined || value === undefined) return undefined
  return value >= (row.threshold.atLeast ?? -Infinity) && value <= (row.threshold.atMost ?? Infinity)
}

/** Computes the median, minimum and maximum of the samples. The contestant is ours by default. */
export function toRow({
  samples,
  contestant = ourName,
  ...rest
}: Omit<Row, 'median' | 'min' | 'max' | 'contestant'> & {
  readonly contestant?: string
  readonly samples: readonly number[]
}): Row {
  const { records, workload, unit, ...others } = rest
  const spread = { median: median(samples), min: Math.min(...samples), max: Math.max(...samples) }
  return { records, workload, contestant, ...spread, unit, ...others }
}
