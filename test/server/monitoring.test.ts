// The files for monitoring (Prometheus alerts, Grafana dashboard): every metric that they name is on the admin port,
// and docs/operating.md has every alert.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startServe } from './serve.ts'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
/** For example `planning_registry_requests_total`. */
const metricPattern = /\b(?:planning_registry|process|nodejs)_\w+/g

test('the monitoring files name only metrics that exist, and docs/operating.md lists all of our own', async () => {
  await using serve = await startServe([{ code: 'A-1', title: 'Plan' }], { flags: ['--workers', '2'] })
  assert.equal((await fetch(`${serve.base}/record/A-1`)).status, 200)
  const text = await (await fetch(`${serve.admin}/metrics`)).text()
  const existing = new Set([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '']) => name))
  for (const file of ['deploy/prometheus-rules.yml', 'deploy/grafana-dashboard.json', 'docs/operating.md']) {
    // A name that ends in an underscore is not a metric: the text describes all metrics that begin with it.
    const named = [...read(file).matchAll(metricPattern)].map(([name]) => name).filter((name) => !name.endsWith('_'))
    // Fails if the pattern does not find the names.
    assert.ok(named.length >= 10)
    // The series of a histogram end in `_bucket`, `_sum` and `_count`, and its type is listed without them.
    const unknown = named.filter(
      (name) => !existing.has(name) && !existing.has(name.replace(/_(?:bucket|sum|count)$/, '')),
    )
    assert.deepEqual([...new Set(unknown)], [], file)
  }
  const ours = [...existing].filter((name) => name.startsWith('planning_registry_'))
  const documented = [...read('docs/operating.md').matchAll(/^\| `(planning_registry_\w+)/gm)].map(([, name]) => name)
  assert.deepEqual([...new Set(documented)].sort(), ours.sort())
})

test('docs/operating.md has a row for each alert, and no other', () => {
  const alerts = [...read('deploy/prometheus-rules.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  const rows = [...read('docs/operating.md').matchAll(/^\| `(Registry\w+)` \|/gm)].map(([, name]) => name)
  assert.deepEqual(rows, alerts)
})
