// The metrics of the workers that have exited, added up. What these workers counted stays in the metrics of the
// supervisor (cluster.ts), because Prometheus would take a falling counter for a restart of the service.
import { AggregatorRegistry } from 'prom-client'
import type { Log } from '../http/log.ts'
import type { Metrics } from './messages.ts'

/** Takes about as much memory as the metrics of one worker, however many workers have exited. */
export class ExitedMetrics {
  readonly #log: Log
  #sum: Promise<Metrics> = Promise.resolve([])

  constructor(log: Log) {
    this.#log = log
  }

  /** Adds the last metrics of a worker that has exited. */
  add(metrics: Metrics): void {
    this.#sum = this.#sum.then(async (sum) => {
      try {
        return await AggregatorRegistry.aggregate([sum, metrics.filter(isCumulative)]).getMetricsAsJSON()
      } catch (error) {
        this.#log.error({ err: error }, 'metrics of a worker that has exited not added')
        return sum
      }
    })
  }

  /** The counters and histograms of all workers that have exited before this call. */
  sum(): Promise<Metrics> {
    return this.#sum
  }
}

/** Whether a metric stays valid when its process reports no more: a counter or a histogram does, a gauge does not. */
export function isCumulative({ type }: Metrics[number]): boolean {
  // The types of prom-client declare an enum of numbers, but the values are strings.
  return String(type) === 'counter' || String(type) === 'histogram'
}
