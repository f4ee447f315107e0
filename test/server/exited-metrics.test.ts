// The metrics of workers that have exited: their counts are added up, and the sums take the memory of one set of
// metrics.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { openLog } from '../../src/http/log.ts'
import { ExitedMetrics } from '../../src/server/exited-metrics.ts'

test('a thousand workers that have exited leave one set of counters and histograms, and no gauge', async () => {
  const exited = new ExitedMetrics(openLog('error'))
  const registers = [new Registry()]
  const help = 'Help'
  new Counter({ name: 'requests_total', help, labelNames: ['status'], registers }).inc({ status: '200' }, 3)
  new Histogram({ name: 'seconds', help, buckets: [1], registers }).observe(0.5)
  new Gauge({ name: 'connections', help, registers }).set(7)
  const metrics = (await registers[0]?.getMetricsAsJSON()) ?? []
  const workers = 1000
  for (let n = 0; n < workers; n++) exited.add(metrics)
  // The gauge is left out: the connections of a worker that has exited are closed, but its requests still count.
  const sum = await exited.sum()
  assert.deepEqual(
    sum.map(({ name, values }) => [name, values.map(({ value }) => value)]),
    [
      ['requests_total', [3 * workers]],
      // Observations of up to one second, all observations, their sum and their count.
      ['seconds', [workers, workers, 0.5 * workers, workers]],
    ],
  )
})
