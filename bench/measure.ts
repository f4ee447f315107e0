// Measures several contestants at the same work, interleaved and repeated in one run: these machines are noisy, for
// seconds on end, so a ratio within one round means something where a figure alone does not.
import { type Load, type Measured, runLoad } from './load.ts'

export interface Row {
  readonly records: number
  readonly work: string
  readonly contestant: string
  /** Requests a second unless `unit` says otherwise: the median of the rounds, the least and the most. */
  readonly median: number
  readonly least: number
  readonly most: number
  readonly unit: string
  readonly p50Ms?: number
  readonly p99Ms?: number
  /** Processor time of the contestant a request: steadier than the rate where neighbours share the machine. */
  readonly cpuMicroseconds?: number
  /**
   * Of the median against that of the reference; for loads, the median of the ratios of each round, of the requests
   * that a second of processor time answers, which is the rate of a server that has a core to itself.
   */
  readonly ratio?: number
  /** What the ratio, or the figure where there is no ratio, has to reach. */
  readonly bar?: Bar
}

/** `atLeast` and `atMost` apply to the ratio, or to the median where `of` says so. */
export interface Bar {
  readonly atLeast?: number
  readonly atMost?: number
  readonly of?: 'ratio' | 'median' | 'p99Ms'
}

export interface Entrant {
  readonly name: string
  readonly load: Load
  /** Where the contestant is one process: then the ratio is that of its processor time. */
  readonly cpuSeconds?: () => number
}

export interface Rounds {
  readonly rounds: number
  readonly seconds: number
}

/** Before it counts: what a service is made of is compiled as it is used, for some seconds, and then runs for weeks. */
const warmUpSeconds = 3

/** The first entrant is ours; the ratio is against the second, the reference. */
export async function measureLoads(
  records: number,
  work: string,
  entrants: readonly Entrant[],
  { rounds, seconds }: Rounds,
  bar?: Bar,
): Promise<Row[]> {
  const results = new Map<string, (Measured & { cpuMicroseconds: number })[]>(entrants.map(({ name }) => [name, []]))
  for (let round = -1; round < rounds; round++) {
    for (const { name, load, cpuSeconds = () => Number.NaN } of entrants) {
      const cpuBefore = cpuSeconds()
      const measured = await runLoad({ ...load, seconds: round < 0 ? warmUpSeconds : seconds })
      const cpuMicroseconds = ((cpuSeconds() - cpuBefore) / measured.requests) * 1e6
      // A peer that is too slow to answer in time is shown by its rate.
      if (measured.errors > 0 && name === entrants[0]?.name) {
        throw new Error(`${name} at "${work}": ${measured.errors} requests failed`)
      }
      // The first round warms up and does not count.
      if (round >= 0) results.get(name)?.push({ ...measured, cpuMicroseconds })
    }
  }
  const reference = results.get(entrants[1]?.name ?? '') ?? []
  return entrants.map(({ name }, index) => {
    const measured = results.get(name) ?? []
    const rates = measured.map((each) => each.requestsPerSecond)
    const cost = median(measured.map((each) => each.cpuMicroseconds))
    const byCost = measured.map(
      (each, round) => (reference[round]?.cpuMicroseconds ?? Number.NaN) / each.cpuMicroseconds,
    )
    const byRate = measured.map(
      (each, round) => each.requestsPerSecond / (reference[round]?.requestsPerSecond ?? Number.NaN),
    )
    return {
      records,
      work,
      contestant: name,
      median: median(rates),
      least: Math.min(...rates),
      most: Math.max(...rates),
      unit: 'requests/s',
      ...(Number.isNaN(cost) ? {} : { cpuMicroseconds: cost }),
      p50Ms: median(measured.map((each) => each.p50Ms)),
      p99Ms: median(measured.map((each) => each.p99Ms)),
      ...(index === 1 ? {} : { ratio: median(byCost.some(Number.isNaN) ? byRate : byCost) }),
      ...(index === 0 && bar !== undefined ? { bar } : {}),
    }
  })
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}

export function meetsBar({ bar, ratio, median: figure, p99Ms }: Row): boolean | undefined {
  if (bar === undefined) return undefined
  const value = bar.of === 'median' ? figure : bar.of === 'p99Ms' ? p99Ms : ratio
  if (value === undefined) return undefined
  return value >= (bar.atLeast ?? -Infinity) && value <= (bar.atMost ?? Infinity)
}

/** Makes rows of figures that are not loads. */
export function rowsOf(records: number): ToRow {
  return (work, { name }, figures, unit, ratio, bar) => ({
    records,
    work,
    contestant: name,
    median: median(figures),
    least: Math.min(...figures),
    most: Math.max(...figures),
    unit,
    ...(ratio === undefined ? {} : { ratio }),
    ...(bar === undefined ? {} : { bar }),
  })
}

type ToRow = (
  work: string,
  contestant: { readonly name: string },
  figures: readonly number[],
  unit: string,
  ratio?: number,
  bar?: Bar,
) => Row
