// Measures several contestants at the same work, interleaved and repeated in one run. Shared machines are noisy for
// seconds on end, so a ratio within one round means something where a figure alone does not.
import { type Load, type Measured, runLoad } from './load.ts'

export const ourName = 'planning-registry'

export interface Row {
  readonly records: number
  readonly work: string
  readonly contestant: string
  /** The median of the rounds, the least and the most, in `unit`. */
  readonly median: number
  readonly least: number
  readonly most: number
  readonly unit: string
  readonly p50Ms?: number
  readonly p99Ms?: number
  /** Processor time a request: steadier than the rate where neighbours share the machine. */
  readonly cpuMicroseconds?: number
  /** Against the reference of the work; greater is better unless the bar says `atMost`. */
  readonly ratio?: number
  /** The reference completed too few requests within its time limit for a rate; the true ratio is greater. */
  readonly isRatioLowerBound?: true
  readonly bar?: Bar
}

/** What the ratio has to reach, or the median or p99 where `of` says so. */
export interface Bar {
  readonly atLeast?: number
  readonly atMost?: number
  readonly of?: 'ratio' | 'median' | 'p99Ms'
}

export interface Entrant {
  readonly name: string
  readonly load: Omit<Load, 'seconds'>
  /** Present where the contestant's processes are known: then the ratio is that of processor time. */
  readonly cpuSeconds?: () => number
  /** An entrant that completes few requests in the warm-up gets one round of this length instead. */
  readonly slowSeconds?: number
}

export interface Rounds {
  readonly rounds: number
  readonly seconds: number
}

/** The compiler needs some seconds of load before the code runs as it does for weeks. */
const warmUpSeconds = 3

/** With fewer requests, those that are under way when a round ends would falsify the rate. */
const requestsMin = 100

interface Round extends Measured {
  readonly seconds: number
  readonly connections: number
  readonly cpuMicroseconds: number
}

/** The first entrant is ours, the second the reference. */
export async function measureLoads(
  records: number,
  work: string,
  entrants: readonly Entrant[],
  { rounds, seconds }: Rounds,
  bar?: Bar,
): Promise<Row[]> {
  const results = entrants.map((): Round[] => [])
  const slow = new Set<Entrant>()
  for (let round = -1; round < rounds; round++) {
    for (const [index, entrant] of entrants.entries()) {
      if (slow.has(entrant) && round > 0) continue
      const { name, load, cpuSeconds = () => Number.NaN, slowSeconds = seconds } = entrant
      const roundSeconds = round < 0 ? warmUpSeconds : slow.has(entrant) ? slowSeconds : seconds
      const cpuBefore = cpuSeconds()
      const measured = await runLoad({ ...load, seconds: roundSeconds })
      const cpuMicroseconds = ((cpuSeconds() - cpuBefore) / measured.requests) * 1e6
      if (measured.errors > 0 && index === 0) {
        throw new Error(`${name} at "${work}": ${measured.errors} requests failed`)
      }
      if (round < 0 && measured.requests < requestsMin && entrant.slowSeconds !== undefined) slow.add(entrant)
      if (round >= 0) {
        results[index]?.push({ ...measured, seconds: roundSeconds, connections: load.connections, cpuMicroseconds })
      }
    }
  }
  const reference = results[1] ?? []
  return entrants.map(({ name }, index) => {
    const measured = results[index] ?? []
    const cost = median(measured.map((each) => each.cpuMicroseconds))
    return {
      ...toRow({ records, work, contestant: name, unit: 'requests/s', figures: measured.map(rateOf) }),
      ...(Number.isNaN(cost) ? {} : { cpuMicroseconds: cost }),
      p50Ms: median(measured.map((each) => each.p50Ms)),
      p99Ms: median(measured.map((each) => each.p99Ms)),
      ...(index === 1 ? {} : compareRounds(measured, reference)),
      ...(index === 0 && bar !== undefined ? { bar } : {}),
    }
  })
}

/** By processor time where it is known, which is the ratio of two servers that each have a core to themselves. */
function compareRounds(ours: readonly Round[], reference: readonly Round[]): Pick<Row, 'ratio' | 'isRatioLowerBound'> {
  if (reference.every(({ requests }) => requests < requestsMin)) {
    // At best all requests that were under way were about to be completed.
    const ratesMax = reference.map(({ requests, connections, seconds }) => (requests + connections) / seconds)
    return { ratio: median(ours.map(rateOf)) / Math.max(...ratesMax), isRatioLowerBound: true }
  }
  const last = reference.length - 1
  const ratios = ours.map((each, round) => {
    const other = reference[Math.min(round, last)]
    const byCost = (other?.cpuMicroseconds ?? Number.NaN) / each.cpuMicroseconds
    return Number.isNaN(byCost) ? each.requestsPerSecond / (other?.requestsPerSecond ?? Number.NaN) : byCost
  })
  return { ratio: median(ratios) }
}

function rateOf({ requestsPerSecond }: Round): number {
  return requestsPerSecond
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}

/** The figure that the bar is about. */
export function barredFigure({ bar, ratio, median: figure, p99Ms }: Row): number | undefined {
  if (bar?.of === 'median') return figure
  return bar?.of === 'p99Ms' ? p99Ms : ratio
}

export function meetsBar(row: Row): boolean | undefined {
  const value = barredFigure(row)
  if (row.bar === undefined || value === undefined) return undefined
  return value >= (row.bar.atLeast ?? -Infinity) && value <= (row.bar.atMost ?? Infinity)
}

export function toRow({
  figures,
  contestant = ourName,
  ...rest
}: Omit<Row, 'median' | 'least' | 'most' | 'contestant'> & {
  readonly contestant?: string
  readonly figures: readonly number[]
}): Row {
  const { records, work, unit, ...others } = rest
  const spread = { median: median(figures), least: Math.min(...figures), most: Math.max(...figures) }
  return { records, work, contestant, ...spread, unit, ...others }
}
