// Measures several systems under the same workload and turns the results into rows of the report (report.ts). All
// benchmarks make their rows with `toRow`. In each round, every system is measured once, one after the other. Shared
// machines are noisy, so the ratio of two systems in one round is more reliable than the value of either.
import { type Load, type LoadResult, runLoad } from './load.ts'
import { measureUndisturbed } from './stolen-time.ts'

/** The contestant of the rows that measure this service. */
export const ourName = 'planning-registry'

/** A measured value: one system under one workload, on a registry of one size. */
export interface Row {
  /** The size of the registry. */
  readonly records: number
  readonly workload: string
  /** The name of the measured system. */
  readonly contestant: string
  /**
   * Median, minimum and maximum of the samples, in `unit`. A sample is a measured value, for example of a round, of a
   * slice of time (queries.ts) or of a request.
   */
  readonly median: number
  readonly min: number
  readonly max: number
  readonly unit: string
  /** Latency of requests: 50 % and 99 % of the responses took at most this long. */
  readonly p50Ms?: number
  readonly p99Ms?: number
  /** CPU time per request. On a shared machine it varies less than the requests per second. */
  readonly cpuMicroseconds?: number
  /** Ratio to the baseline. Higher is better, unless the threshold limits the ratio itself by `atMost`. */
  readonly ratio?: number
  /** True if the baseline completed too few requests to be measured: the real ratio is `ratio` or higher. */
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
  /**
   * CPU time used so far. If both a system and the baseline have it, CPU times are compared, else requests per second.
   */
  readonly cpuSeconds?: () => number
  /** If fewer than `requestsMin` requests complete in the warm-up, one round of this length replaces all rounds. */
  readonly slowSeconds?: number
}

/** How often and how long a workload is measured. */
export interface Rounds {
  /** The number of rounds. */
  readonly rounds: number
  /** Length of a round. */
  readonly seconds: number
}

/**
 * The JIT compiler needs this much load before the code has its speed. After 3 s, requests still took up to twice as
 * long as after 10 s.
 */
const warmUpSeconds = 10

/** With fewer requests in a round, the requests in progress at its end would distort the requests per second. */
const requestsMin = 100

/** One system in one round. */
interface Round extends LoadResult {
  readonly seconds: number
  readonly connections: number
  /** CPU time per request; NaN if it is not known. */
  readonly cpuMicroseconds: number
}

export interface LoadMeasurement {
  /** The size of the registry. */
  readonly records: number
  readonly workload: string
  /** Our system first. Then the baseline, if there is one: every system is compared with it. Then any others. */
  readonly systems: readonly MeasuredSystem[]
  readonly rounds: Rounds
  /** Applies to our system. */
  readonly threshold: Threshold
}

/** Measures each system in each round. Returns one row per system. */
export async function measureLoads(measurement: LoadMeasurement): Promise<Row[]> {
  const { records, workload, systems, rounds, threshold } = measurement
  const measureSystem = async (system: MeasuredSystem, seconds: number): Promise<Round> => {
    const round = await measureRound(system, seconds)
    // Another system may fail under load; its failed requests do not count as completed.
    if (round.errors > 0 && system === systems[0]) {
      throw new Error(`${system.name} at "${workload}": ${round.errors} requests failed`)
    }
    return round
  }
  const roundsBySystem = await measureRounds(systems, rounds, measureSystem)
  const baseline = roundsBySystem[1] ?? []
  return systems.map(({ name }, index) => {
    const measured = roundsBySystem[index] ?? []
    const cpuMicroseconds = median(measured.map((each) => each.cpuMicroseconds))
    const [isOurs, isBaseline] = [index === 0, index === 1]
    return {
      ...toRow({ records, workload, contestant: name, unit: 'requests/s', samples: measured.map(toRate) }),
      ...(Number.isNaN(cpuMicroseconds) ? {} : { cpuMicroseconds }),
      p50Ms: median(measured.map((each) => each.p50Ms)),
      p99Ms: median(measured.map((each) => each.p99Ms)),
      ...(isBaseline || baseline.length === 0 ? {} : compareRounds(measured, baseline)),
      ...(isOurs ? { threshold } : {}),
    }
  })
}

/** Puts one system under load for the given time. */
async function measureRound({ load, cpuSeconds }: MeasuredSystem, seconds: number): Promise<Round> {
  const readCpuSeconds = cpuSeconds ?? (() => Number.NaN)
  const cpuBefore = readCpuSeconds()
  const measured = await runLoad({ ...load, seconds })
  const cpuMicroseconds = ((readCpuSeconds() - cpuBefore) / measured.requests) * 1e6
  return { ...measured, seconds, connections: load.connections, cpuMicroseconds }
}

/** For each system, its rounds after the warm-up. A system that is slow in the warm-up has one, of `slowSeconds`. */
async function measureRounds(
  systems: readonly MeasuredSystem[],
  { rounds, seconds }: Rounds,
  measureSystem: (system: MeasuredSystem, seconds: number) => Promise<Round>,
): Promise<Round[][]> {
  const slowSystems = new Set<MeasuredSystem>()
  for (const system of systems) {
    const { requests } = await measureSystem(system, warmUpSeconds)
    if (requests < requestsMin && system.slowSeconds !== undefined) slowSystems.add(system)
  }
  const roundsBySystem = systems.map((): Round[] => [])
  for (let round = 0; round < rounds; round++) {
    const measured = await measureUndisturbed(async () => {
      /** By system; undefined for a slow system that was measured already. */
      const results: (Round | undefined)[] = []
      for (const system of systems) {
        const isSlow = slowSystems.has(system)
        const isSkipped = isSlow && round > 0
        const roundSeconds = isSlow ? (system.slowSeconds ?? seconds) : seconds
        results.push(isSkipped ? undefined : await measureSystem(system, roundSeconds))
      }
      return results
    })
    for (const [index, result] of measured.entries()) if (result !== undefined) roundsBySystem[index]?.push(result)
  }
  return roundsBySystem
}

/**
 * The ratio of a system to the baseline. If both CPU times are known, it is the CPU time per request of the baseline
 * divided by the CPU time of the system; else it is the requests per second of the system divided by the rate of the
 * baseline. Higher is better. If the baseline completed fewer than `requestsMin` requests in every round, a lower bound
 * of the ratio of the rates is returned.
 */
function compareRounds(
  measured: readonly Round[],
  baseline: readonly Round[],
): Pick<Row, 'ratio' | 'isRatioLowerBound'> {
  const isBaselineTooSlow = baseline.every(({ requests }) => requests < requestsMin)
  if (isBaselineTooSlow) {
    // The highest rate that is possible: all requests in progress were about to complete.
    const ratesMax = baseline.map(({ requests, connections, seconds }) => (requests + connections) / seconds)
    return { ratio: median(measured.map(toRate)) / Math.max(...ratesMax), isRatioLowerBound: true }
  }
  // A slow baseline has one round, with which all rounds of the system are compared.
  const lastRound = baseline.length - 1
  const ratios = measured.map((round, index) => {
    const baselineRound = baseline[Math.min(index, lastRound)]
    const cpuRatio = (baselineRound?.cpuMicroseconds ?? Number.NaN) / round.cpuMicroseconds
    const rateRatio = round.requestsPerSecond / (baselineRound?.requestsPerSecond ?? Number.NaN)
    return Number.isNaN(cpuRatio) ? rateRatio : cpuRatio
  })
  return { ratio: median(ratios) }
}

function toRate({ requestsPerSecond }: Round): number {
  return requestsPerSecond
}

/** The middle value; of two middle values, the higher one. NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}

/** The value that the threshold limits, or the ratio without a threshold; undefined if the row does not have it. */
export function thresholdValue({ threshold, ratio, median: medianValue, p99Ms }: Row): number | undefined {
  if (threshold?.of === 'median') return medianValue
  return threshold?.of === 'p99Ms' ? p99Ms : ratio
}

/** Whether the row meets its threshold; undefined if it has none, or not the value that the threshold limits. */
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
  // The order of the fields in results.json.
  const { records, workload, unit, ...others } = rest
  const spread = { median: median(samples), min: Math.min(...samples), max: Math.max(...samples) }
  return { records, workload, contestant, ...spread, unit, ...others }
}
